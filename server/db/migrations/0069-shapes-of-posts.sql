/*
 * What a measured post is made of, so that posts can be compared by it: how many characters its text has, and what kind of media.
 * Triggers keep both for ours (functions/measured_posts.sql). Null: not known, as the media of posts published elsewhere.
 */
alter table measured_post add column text_length int, add column media text check (media in ('text', 'picture', 'pictures', 'video', 'document', 'mixed'));
update measured_post m set text_length = s.text_length, media = s.media
from (
  select p.org_id, p.id, (select coalesce(sum(char_length(t #>> '{}')), 0) from jsonb_path_query(p.contents, 'lax $[*].text') t) as text_length, f.media
  from post p cross join lateral (
    select case
      when count(*) = 0 then 'text'
      when count(a.id) < count(*) then null
      when bool_and(a.content_type like 'image/%') then case when count(*) = 1 then 'picture' else 'pictures' end
      when bool_and(a.content_type like 'video/%') then 'video'
      when bool_and(a.content_type not like 'image/%' and a.content_type not like 'video/%') then 'document'
      else 'mixed' end as media
    from jsonb_path_query(p.contents, 'lax $[*].media[*].assetId') t
      left join asset a on a.org_id = p.org_id and a.id = case when t #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (t #>> '{}')::uuid end) f
) s
where m.org_id = s.org_id and m.id = s.id and not m.elsewhere;
create index measured_post_shapes on measured_post (org_id, project_id, shown_at, id) include (post_type, media, text_length);
