-- What a post gained between two readings belongs to all days between them, not to the day of the later one.

-- From when on a post's first reading counts: when the post was published. Null: unknown, so all of it belongs to its own day.
alter table post_metric add column since timestamptz;

alter table post_metric disable trigger user;
update post_metric m set since = p.published_at
from measured_post p
where p.org_id = m.org_id and p.id = m.post_id and not m.after_gap and p.published_at < m.read_at
  and m.day = (select min(o.day) from post_metric o where o.org_id = m.org_id and o.post_id = m.post_id);
alter table post_metric enable trigger user;

create function gain_by_day(since timestamptz, until timestamptz, gain bigint, zone text) returns table (day date, part bigint)
language sql stable as $$
  select d.day, case when d.first = d.last then gain else
      div(gain * least(d.ends - d.began, d.length), d.length)::bigint - div(gain * greatest(d.starts - d.began, 0), d.length)::bigint end
  from (
    select (s.first + n) as day, s.first, s.last, extract(epoch from s.began) as began, extract(epoch from until - s.began) as length,
      extract(epoch from (s.first + n)::timestamp at time zone zone) as starts, extract(epoch from (s.first + n + 1)::timestamp at time zone zone) as ends
    from (select b.began, (b.began at time zone zone)::date as first, (until at time zone zone)::date as last from (select least(coalesce(since, until), until) as began) b) s
      cross join lateral generate_series(0, s.last - s.first) n
    where s.last - s.first <= 100
  ) d
$$;

-- All gains again, as functions/figure_days.sql counts them from now on.
delete from figure_day;
insert into figure_day (org_id, project_id, channel_id, day, name, gain, readings, read_at, folded)
with readings as (
  select m.*, p.project_id, p.channel_id, pr.zone
  from post_metric m join measured_post p on p.org_id = m.org_id and p.id = m.post_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
), gains as (
  select v.org_id, v.project_id, v.channel_id, v.zone, coalesce(v.before_at, v.since) as since, v.read_at, v.name, v.value - coalesce(v.before, 0) as gain
  from (
    select r.*, f.key as name, f.value::bigint as value, lag(f.value::bigint) over w as before, lag(r.read_at) over w as before_at
    from readings r cross join lateral jsonb_each_text(r.figures) f
    where f.value is not null
      and f.key = any ('{views,impressions,videoViews,interactions,reactions,likes,loves,laughs,wows,sads,angers,comments,shares,reposts,quotes,sends,saves,clicks,linkClicks,navigation,watchSeconds,followersGained,profileViews}')
    window w as (partition by r.org_id, r.post_id, f.key order by r.day)
  ) v
  where v.before is not null or not v.after_gap
  union all select r.org_id, r.project_id, r.channel_id, r.zone, null, r.read_at, 'readings', 1 from readings r
)
select g.org_id, g.project_id, g.channel_id, d.day, g.name, sum(d.part), count(*), max(g.read_at), true
from gains g cross join lateral gain_by_day(g.since, g.read_at, g.gain, g.zone) d group by 1, 2, 3, 4, 5;
