-- Keeps `post_figure`: what platforms reported last about each published post, wherever it was published, and clicks that were counted here, one row per figure, as the post table sorts it.

/*
 * Writes the rows of these posts again, as far as they differ. A figure keeps its last reported value even if later readings
 * leave it out, as X does with clicks after 30 days. Clicks that were counted here are in no sum: a platform may have counted the same ones. `published` is 1 for every published post. The others that no platform
 * reports: `viewsAndImpressions` and `engagements` are sums of what was reported, and `engagementRate` (hundredths of a
 * percent) is the one divided by the other, both kept as `part` and `whole` so that posts can be added up. Only the row `published` has
 * `read_at`, when the figures were read last, and `figures`, all of them and the rate's sides as `ratePart` and `rateWhole`.
 */
create or replace function refresh_post_figures(org uuid, posts uuid[]) returns void
language sql set search_path = public, pg_temp as $$
  with wanted as materialized (
    select p.org_id, p.id as post_id, p.project_id, p.channel_id, p.shown_at from measured_post p
    where p.org_id = org and p.id = any(posts) and p.listed
  ), told as materialized (
    select distinct on (w.post_id, f.key) w.post_id, f.key as name, f.value::bigint as value
    from wanted w cross join lateral (select figures, read_at from post_metric where org_id = w.org_id and post_id = w.post_id offset 0) m
      cross join lateral jsonb_each_text(m.figures) f
    where f.value is not null order by w.post_id, f.key, m.read_at desc
  ), sums as (
    select t.post_id, sum(t.value) filter (where t.name in ('views', 'impressions')) as seen,
      sum(t.value) filter (where t.name in ('reactions', 'comments', 'shares', 'saves', 'clicks')) as engaged
    from told t group by t.post_id
  ), of_posts as materialized (
    select post_id, name, value, null::bigint as part, null::bigint as whole from told
    union all
    select w.post_id, c.name, sum(c.told)::bigint, null, null
    from wanted w cross join lateral (select name, told from post_click where org_id = w.org_id and post_id = w.post_id and told > 0 offset 0) c group by w.post_id, c.name
    union all select post_id, 'viewsAndImpressions', seen, null, null from sums where seen is not null
    union all select post_id, 'engagements', engaged, null, null from sums where engaged is not null
    union all select post_id, 'engagementRate', round(engaged * 10000 / seen), engaged, seen from sums where engaged is not null and seen > 0
  ), in_rows as (
    select f.post_id, jsonb_object_agg(v.name, v.value) as figures
    from of_posts f cross join lateral (values (f.name, f.value), ('ratePart', f.part), ('rateWhole', f.whole)) v(name, value)
    where v.value is not null group by f.post_id
  ), figures as materialized (
    select *, null::timestamptz as read_at, null::jsonb as figures from of_posts
    union all select w.post_id, 'published', 1, null, null, (select max(m.read_at) from post_metric m where m.org_id = w.org_id and m.post_id = w.post_id), coalesce(r.figures, '{}')
    from wanted w left join in_rows r on r.post_id = w.post_id
  ), gone as (
    delete from post_figure o where o.org_id = org and o.post_id = any(posts) and not exists (select from figures f where f.post_id = o.post_id and f.name = o.name)
  )
  insert into post_figure as o (org_id, post_id, name, project_id, channel_id, shown_at, value, part, whole, read_at, figures)
  select w.org_id, w.post_id, f.name, w.project_id, w.channel_id, w.shown_at, f.value, f.part, f.whole, f.read_at, f.figures from figures f join wanted w on w.post_id = f.post_id
  order by w.post_id, f.name
  on conflict (org_id, post_id, name) do update set channel_id = excluded.channel_id, shown_at = excluded.shown_at, value = excluded.value, part = excluded.part, whole = excluded.whole, read_at = excluded.read_at, figures = excluded.figures
  where (o.value, o.shown_at, o.channel_id, o.part, o.whole, o.read_at, o.figures) is distinct from (excluded.value, excluded.shown_at, excluded.channel_id, excluded.part, excluded.whole, excluded.read_at, excluded.figures)
$$;
revoke all on function refresh_post_figures from public;
-- after clicks were told (server/clicks/tell.ts)
grant execute on function refresh_post_figures to rookery_system;

-- Per statement, once for each kind of change: each has only some of the two transition tables.
do $do$
declare
  kind record;
begin
  for kind in select * from (values
    ('insert', 'referencing new table as come', 'select org_id, post_id from come'),
    ('update', 'referencing old table as gone new table as come', 'select org_id, post_id from come union select org_id, post_id from gone'),
    ('delete', 'referencing old table as gone', 'select org_id, post_id from gone')) k(what, names, touched)
  loop
    execute format($make$
      create or replace function figures_of_readings_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        perform refresh_post_figures(t.org_id, t.posts) from (select org_id, array_agg(distinct post_id order by post_id) as posts from (%2$s) r group by org_id order by org_id) t;
        return null;
      end $body$
    $make$, kind.what, kind.touched);
    execute format('revoke all on function figures_of_readings_%s from public', kind.what);
    execute format('create or replace trigger figures_of_readings_%1$s after %1$s on post_metric %2$s for each statement execute function figures_of_readings_%1$s()', kind.what, kind.names);
  end loop;
end $do$;
