-- Readings of posts get the catalog's names: Facebook, Instagram and Threads count views, not impressions, and a view on YouTube and
-- TikTok is a view of the post. What isn't reported is left out.
alter table post_metric disable trigger user;
update post_metric m set figures = jsonb_strip_nulls(case
  when c.platform in ('facebook', 'instagram', 'threads') then
    (m.figures - 'impressions' - case when c.platform = 'instagram' then 'videoViews' else '' end) || jsonb_build_object('views', m.figures -> 'impressions')
  when c.platform in ('youtube', 'tiktok') then (m.figures - 'videoViews') || jsonb_build_object('views', m.figures -> 'videoViews')
  else m.figures end)
from post p join channel c on c.org_id = p.org_id and c.id = p.channel_id
where p.org_id = m.org_id and p.id = m.post_id;
alter table post_metric enable trigger user;

-- What was gained, counted again from the readings under their new names.
delete from figure_day;
insert into figure_day (org_id, project_id, channel_id, day, name, gain, readings, read_at, folded)
with readings as (
  select m.*, p.project_id, p.channel_id, (m.read_at at time zone pr.zone)::date as on_day
  from post_metric m join post p on p.org_id = m.org_id and p.id = m.post_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
  where p.channel_id is not null
), gains as (
  select r.org_id, r.project_id, r.channel_id, r.on_day, r.read_at, f.key as name,
    f.value::bigint - coalesce(lag(f.value::bigint) over (partition by r.org_id, r.post_id, f.key order by r.day), 0) as gain
  from readings r cross join lateral jsonb_each_text(r.figures) f
  where f.key <> 'reach'
  union all select r.org_id, r.project_id, r.channel_id, r.on_day, r.read_at, 'readings', 1 from readings r
)
select org_id, project_id, channel_id, on_day, name, sum(gain), count(*), max(read_at), true
from gains group by org_id, project_id, channel_id, on_day, name;
