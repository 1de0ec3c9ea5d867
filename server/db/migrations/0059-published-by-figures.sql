-- Published posts are counted from their figures, so the lines of those published elsewhere have no readers.
drop trigger if exists count_new_measured on measured_post;
drop trigger if exists count_moved_measured on measured_post;
drop trigger if exists count_lost_measured on measured_post;
drop function if exists count_new_measured();
drop function if exists count_moved_measured();
drop function if exists count_lost_measured();
delete from post_count where state = 'ELSEWHERE';
