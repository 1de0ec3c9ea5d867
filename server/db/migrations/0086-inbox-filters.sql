/*
 * How many conversations of a channel and status in which something was received had their last item on a day (since 1970, in UTC),
 * and how many of these a person has read to their end: the difference says on which days they find something unread. Lines as
 * those of inbox_count (functions/inbox_counts.sql).
 */
create table inbox_day (
  org_id uuid not null,
  id bigint generated always as identity,
  project_id uuid not null,
  person_id uuid,
  channel_id uuid not null,
  status text not null,
  day int not null,
  n int not null,
  folded boolean not null default false,
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index inbox_day_project on inbox_day (org_id, project_id, person_id, status, day) include (channel_id, n);
create index inbox_day_new on inbox_day (org_id, id) where not folded;
select tenant_table('inbox_day', 'select');

-- nothing may change between this and the triggers, which come in the same transaction
lock table conversation, conversation_read in share row exclusive mode;
insert into inbox_day (org_id, project_id, channel_id, status, day, n, folded)
select org_id, project_id, channel_id, status, floor(extract(epoch from last_at) / 86400)::int, count(*), true
from conversation where last_received_at is not null group by 1, 2, 3, 4, 5;
insert into inbox_day (org_id, project_id, person_id, channel_id, status, day, n, folded)
select c.org_id, c.project_id, r.person_id, c.channel_id, c.status, floor(extract(epoch from c.last_at) / 86400)::int, count(*), true
from conversation c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id where r.up_to >= c.last_received_at group by 1, 2, 3, 4, 5, 6;

-- Lists by kind, sentiment and whether it was answered: of a project, of channels, of an assignee or nobody, and of those who wait.
-- By `case`, because the planner takes `coalesce` for leaky: under a policy it wouldn't read the index in its order.
create index conversation_facets on conversation (org_id, project_id, kind, (case when sentiment is null then 'unknown' else sentiment end), answered, status, last_at, id);
create index conversation_channel_facets on conversation (org_id, channel_id, kind, (case when sentiment is null then 'unknown' else sentiment end), answered, status, last_at, id);
create index conversation_assignee_facets on conversation
  (org_id, project_id, (case when assignee_id is null then '00000000-0000-0000-0000-000000000000' else assignee_id end), kind, (case when sentiment is null then 'unknown' else sentiment end), answered, status, last_at, id);
create index conversation_waiting_facets on conversation (org_id, channel_id, kind, (case when sentiment is null then 'unknown' else sentiment end), answered, waiting_since, id)
  where waiting_since is not null and status <> 'CLOSED';
-- Those about a post, in the order of lists.
create index conversation_of_post on conversation (org_id, post_id, status, last_at, id) where post_id is not null;
drop index conversation_post;
