/*
 * What the dashboard counts, kept in step by triggers in the transaction of the change. A change adds a line (minus one
 * where a post stood, plus one where it stands); nothing is ever updated in place, so no two changes wait for each other.
 * Whoever reads adds lines up; a job folds those of one kind into one (server/dashboard/fold.ts). Days are those of the
 * project's zone.
 */
create table post_count (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid,
  -- only where there is no channel: such drafts are seen by their author
  author_id uuid,
  day date not null,
  state text not null,
  n int not null,
  folded boolean not null default false,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index post_count_day on post_count (org_id, project_id, state, day);
create index post_count_new on post_count (org_id, id) where not folded;
select tenant_table('post_count', 'select');

-- What was gained between two readings of a post's figures, on the day of the later reading. Null where nobody told the figure.
create table engagement (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid not null,
  day date not null,
  impressions bigint,
  reactions bigint,
  comments bigint,
  shares bigint,
  readings int not null,
  -- of the newest reading
  read_at timestamptz not null,
  folded boolean not null default false,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index engagement_day on engagement (org_id, project_id, day);
create index engagement_new on engagement (org_id, id) where not folded;
select tenant_table('engagement', 'select');

-- Changes count together, a change of the project's zone waits for all of them and all for it.
create function hold_days(project uuid, alone boolean) returns void
language sql set search_path = public, pg_temp as $$
  select case when alone then pg_advisory_xact_lock(25, hashtext(project::text)) else pg_advisory_xact_lock_shared(25, hashtext(project::text)) end
$$;

create function count_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_days(coalesce(new.project_id, old.project_id), false);
  -- a project that is being deleted takes its lines along
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n)
  select p.org_id, p.id, v.channel_id, case when v.channel_id is null then v.author_id end, (v.shown_at at time zone p.zone)::date, v.state, v.n
  from (values (old.channel_id, old.author_id, old.shown_at, old.state, -1), (new.channel_id, new.author_id, new.shown_at, new.state, 1)) v(channel_id, author_id, shown_at, state, n)
  join project p on p.org_id = coalesce(new.org_id, old.org_id) and p.id = coalesce(new.project_id, old.project_id)
  where v.state is not null;
  return null;
end $$;
revoke all on function count_posts from public;
create trigger count_new_post after insert on post for each row execute function count_posts();
create trigger count_lost_post after delete on post for each row execute function count_posts();
create trigger count_moved_post after update of state, shown_at, channel_id, author_id on post for each row
  when (old.state <> new.state or old.shown_at <> new.shown_at or old.channel_id is distinct from new.channel_id or (new.channel_id is null and old.author_id <> new.author_id))
  execute function count_posts();

create function told_figures(figures jsonb) returns table (name text, value bigint)
language sql immutable as $$
  select f.name, f.value
  from (values ('impressions', (figures ->> 'impressions')::bigint), ('reactions', (figures ->> 'reactions')::bigint), ('comments', (figures ->> 'comments')::bigint), ('shares', (figures ->> 'shares')::bigint)) f(name, value)
  where f.value is not null
$$;

/*
 * Per statement, because a reading also changes what the one after it gained: what the readings of the touched posts
 * come to now, minus what they came to before. `come` are the rows that a statement wrote, `gone` those that it replaced
 * or took away; neither stands for all three of insert, update and delete.
 */
do $do$
declare
  kind record;
begin
  for kind in select * from (values
    ('insert', 'referencing new table as come', 'come', '(select * from come limit 0)'),
    ('update', 'referencing old table as gone new table as come', 'come', 'gone'),
    ('delete', 'referencing old table as gone', '(select * from gone limit 0)', 'gone')) k(what, names, come, gone)
  loop
    execute format($make$
      create function gather_%1$s() returns trigger
      language plpgsql security definer set search_path = public, pg_temp as $body$
      begin
        if not exists (select from %2$s c) and not exists (select from %3$s g) then
          return null;
        end if;
        perform hold_days(q.project_id, false) from (select distinct p.project_id from (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g) t join post p on p.org_id = t.org_id and p.id = t.post_id order by 1) q;
        insert into engagement (org_id, project_id, channel_id, day, impressions, reactions, comments, shares, readings, read_at)
        with touched as materialized (select org_id, post_id from %2$s c union select org_id, post_id from %3$s g),
        present as (select m.* from post_metric m join touched t on t.org_id = m.org_id and t.post_id = m.post_id),
        sides as (
          select 1 as sign, a.* from present a
          union all select -1, a.* from present a where not exists (select from %2$s c where c.org_id = a.org_id and c.post_id = a.post_id and c.day = a.day)
          union all select -1, g.* from %3$s g
        ),
        gains as (
          select s.sign, s.org_id, s.post_id, s.read_at, f.name, f.value - coalesce(lag(f.value) over (partition by s.sign, s.org_id, s.post_id, f.name order by s.day), 0) as gain
          from sides s cross join lateral told_figures(s.figures) f
          union all select s.sign, s.org_id, s.post_id, s.read_at, 'readings', 1 from sides s
        )
        select p.org_id, p.project_id, p.channel_id, (g.read_at at time zone pr.zone)::date,
          sum(g.sign * g.gain) filter (where g.name = 'impressions'), sum(g.sign * g.gain) filter (where g.name = 'reactions'),
          sum(g.sign * g.gain) filter (where g.name = 'comments'), sum(g.sign * g.gain) filter (where g.name = 'shares'),
          coalesce(sum(g.sign * g.gain) filter (where g.name = 'readings'), 0), max(g.read_at)
        from gains g join post p on p.org_id = g.org_id and p.id = g.post_id join project pr on pr.org_id = p.org_id and pr.id = p.project_id
        where p.channel_id is not null
        group by p.org_id, p.project_id, p.channel_id, 4
        having max(g.read_at) filter (where g.sign = 1) is distinct from max(g.read_at) filter (where g.sign = -1)
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'readings'), 0) <> 0
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'impressions'), 0) <> 0 or coalesce(sum(g.sign * g.gain) filter (where g.name = 'reactions'), 0) <> 0
          or coalesce(sum(g.sign * g.gain) filter (where g.name = 'comments'), 0) <> 0 or coalesce(sum(g.sign * g.gain) filter (where g.name = 'shares'), 0) <> 0;
        return null;
      end $body$
    $make$, kind.what, kind.come, kind.gone);
    execute format('revoke all on function gather_%s from public', kind.what);
    execute format('create trigger gather_%1$s after %1$s on post_metric %2$s for each statement execute function gather_%1$s()', kind.what, kind.names);
  end loop;
end $do$;

-- Everything of a project counted anew: for what was there before, and after a change of the project's zone.
create function recount_project(org uuid, project uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform hold_days(project, true);
  delete from post_count c where c.org_id = org and c.project_id = project;
  insert into post_count (org_id, project_id, channel_id, author_id, day, state, n, folded)
  select p.org_id, p.project_id, p.channel_id, case when p.channel_id is null then p.author_id end, (p.shown_at at time zone pr.zone)::date, p.state, count(*), true
  from post p join project pr on pr.org_id = p.org_id and pr.id = p.project_id
  where p.org_id = org and p.project_id = project group by p.org_id, p.project_id, p.channel_id, 4, 5, p.state;
  delete from engagement e where e.org_id = org and e.project_id = project;
  insert into engagement (org_id, project_id, channel_id, day, impressions, reactions, comments, shares, readings, read_at, folded)
  with readings as (
    select m.*, p.channel_id, (m.read_at at time zone pr.zone)::date as on_day
    from post p join project pr on pr.org_id = p.org_id and pr.id = p.project_id join post_metric m on m.org_id = p.org_id and m.post_id = p.id
    where p.org_id = org and p.project_id = project and p.channel_id is not null
  ),
  gains as (
    select r.channel_id, r.on_day, r.read_at, f.name, f.value - coalesce(lag(f.value) over (partition by r.post_id, f.name order by r.day), 0) as gain
    from readings r cross join lateral told_figures(r.figures) f
    union all select r.channel_id, r.on_day, r.read_at, 'readings', 1 from readings r
  )
  select org, project, g.channel_id, g.on_day, sum(g.gain) filter (where g.name = 'impressions'), sum(g.gain) filter (where g.name = 'reactions'),
    sum(g.gain) filter (where g.name = 'comments'), sum(g.gain) filter (where g.name = 'shares'), sum(g.gain) filter (where g.name = 'readings'), max(g.read_at), true
  from gains g group by g.channel_id, g.on_day;
end $$;
revoke all on function recount_project from public;

create function recount_days() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform recount_project(new.org_id, new.id);
  return null;
end $$;
revoke all on function recount_days from public;
create trigger recount_days after update of zone on project for each row when (old.zone <> new.zone) execute function recount_days();

select recount_project(org_id, id) from project;

-- The setup card's features have the specification's names.
update person set setup_features = array(
  select n.now from unnest(setup_features) with ordinality f(was, place)
  join (values ('post', 'START_COMPOSING'), ('calendar', 'CALENDAR_VIEW'), ('insights', 'EXPLORE_ANALYTICS'), ('team', 'ADD_NEW_MEMBER'), ('approval', 'EXPLORE_WORKFLOW')) n(was, now) on n.was = f.was
  order by f.place)
where setup_features <> '{}';
