/*
 * What platforms reported last about each published post, one row per figure, so that the post table can be sorted by any of
 * them: kept by triggers (functions/post_figures.sql), which say what the names mean.
 */
create table post_figure (
  org_id uuid not null,
  post_id uuid not null,
  name text not null,
  project_id uuid not null,
  channel_id uuid not null,
  shown_at timestamptz not null,
  value bigint not null,
  -- of a rate: what was divided by what
  part bigint,
  whole bigint,
  -- when its figures were read last; only in the row `published`
  read_at timestamptz,
  primary key (org_id, post_id, name),
  foreign key (org_id, post_id) references post on delete cascade
);
create index post_figure_sorted on post_figure (org_id, project_id, name, value, post_id) include (channel_id, shown_at);
create index post_figure_shown on post_figure (org_id, project_id, name, shown_at, post_id) include (channel_id, value, part, whole);
select tenant_table('post_figure', 'select');

insert into post_figure (org_id, post_id, name, project_id, channel_id, shown_at, value, read_at)
select org_id, id, 'published', project_id, channel_id, shown_at, 1, (select max(m.read_at) from post_metric m where m.org_id = post.org_id and m.post_id = post.id) from post where state = 'PUBLISHED' and channel_id is not null;

insert into post_figure (org_id, post_id, name, project_id, channel_id, shown_at, value)
select p.org_id, p.id, t.name, p.project_id, p.channel_id, p.shown_at, t.value
from post p join (
  select distinct on (m.org_id, m.post_id, f.key) m.org_id, m.post_id, f.key as name, f.value::bigint as value
  from post_metric m cross join lateral jsonb_each_text(m.figures) f where f.value is not null order by m.org_id, m.post_id, f.key, m.day desc
) t on t.org_id = p.org_id and t.post_id = p.id
where p.state = 'PUBLISHED' and p.channel_id is not null;

with sums as (
  select org_id, post_id, project_id, channel_id, shown_at, sum(value) filter (where name in ('views', 'impressions')) as seen,
    sum(value) filter (where name in ('reactions', 'comments', 'shares', 'saves', 'clicks')) as engaged
  from post_figure group by 1, 2, 3, 4, 5
)
insert into post_figure (org_id, post_id, name, project_id, channel_id, shown_at, value, part, whole)
select s.org_id, s.post_id, f.name, s.project_id, s.channel_id, s.shown_at, f.value, f.part, f.whole
from sums s cross join lateral (values
  ('viewsAndImpressions', s.seen, null, null),
  ('engagements', s.engaged, null, null),
  ('engagementRate', round(s.engaged * 10000 / nullif(s.seen, 0)), s.engaged, s.seen)) f(name, value, part, whole)
where f.value is not null;

-- The post table's columns and filters can be saved like those of other lists.
alter table saved_view drop constraint saved_view_page_check;
alter table saved_view add constraint saved_view_page_check check (page in ('calendar', 'posts', 'inbox', 'insights'));
