-- Keeps `measured_post`: the rows of our own posts, and the figures of all rows.

-- A post of ours takes the readings of the row that the platform's list made of it, its tiles on link in bio pages, and their clicks.
create or replace function absorb_measured(org uuid, ours uuid, twin uuid) returns void
language plpgsql set search_path = public, pg_temp as $$
begin
  insert into post_metric (org_id, post_id, figures, read_at, after_gap, since)
  select org_id, ours, figures, read_at, after_gap, since from post_metric where org_id = org and post_id = twin order by read_at
  on conflict (org_id, post_id, read_at) do nothing;
  -- with its own row still there, so that what it counted is taken back
  delete from post_metric where org_id = org and post_id = twin;
  if exists (select from post_click where org_id = org and post_id = twin) then
    -- so that nobody counts clicks of it meanwhile
    perform from measured_post where org_id = org and id = ours for update;
    insert into post_click as c (org_id, post_id, name, day, n, told)
    select org_id, ours, name, day, n, told from post_click where org_id = org and post_id = twin order by name, day
    on conflict (org_id, post_id, name, day) do update set n = c.n + excluded.n, told = c.told + excluded.told;
  end if;
  update bio_item i set post_id = ours
  where i.org_id = org and i.post_id = twin and not exists (select from bio_item o where o.org_id = org and o.page_id = i.page_id and o.post_id = ours);
  delete from measured_post where org_id = org and id = twin;
  perform refresh_post_figures(org, array[ours]);
end $$;
revoke all on function absorb_measured from public;

/*
 * Finds posts of ours whose remote ID nobody knows, such as those that a person confirmed, among those that the channel's
 * platform listed: by the start of the text and the time, if only one fits.
 */
create or replace function recognize_posts(org uuid, channel uuid) returns void
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  pair record;
begin
  for pair in
    select o.id as ours, min(o.published_at) as at, (array_agg(n.id))[1] as twin, (array_agg(n.remote_id))[1] as remote_id
    from measured_post o join post p on p.org_id = o.org_id and p.id = o.id
      join measured_post n on n.org_id = o.org_id and n.channel_id = o.channel_id and n.elsewhere and n.excerpt <> '' and n.excerpt = normalize(p.excerpt, nfc)
        and n.published_at between o.published_at - interval '1 minute' and o.published_at + interval '3 hours'
    where o.org_id = org and o.channel_id = channel and o.remote_id is null and not o.elsewhere and o.listed
    group by o.id having count(*) = 1 order by 2, 1
  loop
    continue when not exists (select from measured_post n where n.org_id = org and n.id = pair.twin for update);
    perform absorb_measured(org, pair.ours, pair.twin);
    update measured_post set remote_id = pair.remote_id, metrics_at = published_at + interval '1 hour' where org_id = org and id = pair.ours;
  end loop;
end $$;
revoke all on function recognize_posts from public;
grant execute on function recognize_posts to rookery_system;

/*
 * What a post is made of: how many characters its texts have, and of what kind its media is. Null: a file isn't there any more.
 * Nothing in the contents makes it fail, because posts are published through it.
 */
create or replace function shape_of_post(org uuid, contents jsonb, out text_length int, out media text)
language sql stable security definer set search_path = public, pg_temp as $$
  select (select coalesce(sum(char_length(t #>> '{}')), 0)::int from jsonb_path_query(contents, 'lax $[*].text') t), (
    select case
      when count(*) = 0 then 'text'
      when count(a.id) < count(*) then null
      when bool_and(a.content_type like 'image/%') then case when count(*) = 1 then 'picture' else 'pictures' end
      when bool_and(a.content_type like 'video/%') then 'video'
      when bool_and(a.content_type not like 'image/%' and a.content_type not like 'video/%') then 'document'
      else 'mixed' end
    from jsonb_path_query(contents, 'lax $[*].media[*].assetId') t
      left join asset a on a.org_id = org and a.id = case when t #>> '{}' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then (t #>> '{}')::uuid end)
$$;
revoke all on function shape_of_post from public;

/*
 * A post of ours is measured from the moment it's published; its figures are first read an hour later. The platform may have
 * listed it before we knew its remote ID, and then it's in the table as one published elsewhere: the two become one row, with
 * the readings of both. Another post of ours never loses its remote ID to this one.
 */
create or replace function measure_post() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
declare
  twin record;
  shape record;
begin
  -- before any row, like everyone who writes figures
  perform lock_days(new.project_id, false);
  if new.state <> 'PUBLISHED' then
    update measured_post set listed = false, metrics_at = null where org_id = new.org_id and id = new.id;
    return null;
  end if;
  select * into shape from shape_of_post(new.org_id, new.contents);
  insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, text_length, media, published_at, shown_at, metrics_at)
  values (new.org_id, new.id, new.project_id, new.channel_id, false, new.remote_id, new.post_type, shape.text_length, shape.media, coalesce(new.published_at, new.shown_at), new.shown_at,
    case when new.remote_id is not null then coalesce(new.published_at, new.updated_at) + interval '1 hour' end)
  on conflict do nothing;
  if found then
    if new.remote_id is null then
      perform recognize_posts(new.org_id, new.channel_id);
    end if;
    return null;
  end if;
  insert into measured_post (org_id, id, project_id, channel_id, elsewhere, post_type, text_length, media, published_at, shown_at)
  values (new.org_id, new.id, new.project_id, new.channel_id, false, new.post_type, shape.text_length, shape.media, coalesce(new.published_at, new.shown_at), new.shown_at)
  on conflict (org_id, id) do nothing;
  loop
    -- in the order of everyone who locks several
    perform from measured_post m where m.org_id = new.org_id and (m.id = new.id or m.channel_id = new.channel_id and m.remote_id = new.remote_id) order by m.id for update;
    select m.id, m.elsewhere into twin from measured_post m
      where m.org_id = new.org_id and m.channel_id = new.channel_id and m.remote_id = new.remote_id and m.id <> new.id;
    if found and twin.elsewhere then
      perform absorb_measured(new.org_id, new.id, twin.id);
    end if;
    begin
      update measured_post m set channel_id = new.channel_id, post_type = new.post_type, text_length = shape.text_length, media = shape.media, published_at = coalesce(new.published_at, new.shown_at), shown_at = new.shown_at, listed = true, gone_at = null,
        remote_id = v.remote_id,
        metrics_at = case
          when v.remote_id is null then null
          when tg_op = 'INSERT' or old.state <> new.state or old.remote_id is distinct from new.remote_id then coalesce(m.metrics_at, coalesce(new.published_at, new.updated_at) + interval '1 hour')
          else m.metrics_at end
      from (select case when twin.id is not null and not twin.elsewhere then null else new.remote_id end as remote_id) w
        cross join lateral (select coalesce(w.remote_id, o.remote_id) as remote_id from measured_post o where o.org_id = new.org_id and o.id = new.id) v
      where m.org_id = new.org_id and m.id = new.id;
      return null;
    exception when unique_violation then
      -- listed by the platform at this very moment: look again
    end;
  end loop;
end $$;
revoke all on function measure_post from public;
create or replace trigger measure_new_post after insert on post for each row when (new.state = 'PUBLISHED' and new.channel_id is not null) execute function measure_post();
create or replace trigger measure_post after update of state, remote_id, shown_at, published_at, channel_id, post_type, contents on post for each row
  when ((old.state = 'PUBLISHED') <> (new.state = 'PUBLISHED') and (new.channel_id is not null or new.state <> 'PUBLISHED')
    or new.state = 'PUBLISHED' and new.channel_id is not null and (old.remote_id, old.shown_at, old.published_at, old.channel_id, old.post_type, old.contents) is distinct from (new.remote_id, new.shown_at, new.published_at, new.channel_id, new.post_type, new.contents))
  execute function measure_post();

create or replace function forget_measured_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from measured_post m using gone g where m.org_id = g.org_id and m.id = g.id and not m.elsewhere;
  return null;
end $$;
revoke all on function forget_measured_posts from public;
create or replace trigger forget_measured_posts after delete on post referencing old table as gone for each statement execute function forget_measured_posts();

create or replace function forget_channel_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from measured_post where org_id = old.org_id and channel_id = old.id;
  return null;
end $$;
revoke all on function forget_channel_posts from public;
create or replace trigger forget_channel_posts after delete on channel for each row execute function forget_channel_posts();

-- The figures of the rows (`post_figure`). Rows are inserted many at a time, and before any reading; one that changes is alone.
create or replace function figures_of_new_posts() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into post_figure (org_id, post_id, name, project_id, channel_id, shown_at, value, figures)
  select c.org_id, c.id, 'published', c.project_id, c.channel_id, c.shown_at, 1, '{}' from come c where c.listed;
  return null;
end $$;
revoke all on function figures_of_new_posts from public;
create or replace trigger figures_of_new_posts after insert on measured_post referencing new table as come for each statement execute function figures_of_new_posts();

create or replace function figures_of_post() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform refresh_post_figures(new.org_id, array[new.id]);
  return null;
end $$;
revoke all on function figures_of_post from public;
create or replace trigger figures_of_post after update of listed, shown_at, channel_id on measured_post for each row
  when (old.listed <> new.listed or old.shown_at <> new.shown_at or old.channel_id <> new.channel_id) execute function figures_of_post();

-- The conversations about a channel's post that was published elsewhere, in the caller's organization. As the tables' owner,
-- because under a policy the search can't use the index.
create or replace function conversations_about(channel uuid, remote text) returns setof uuid
language sql stable rows 20 security definer set search_path = public, pg_temp as $$
  select c.id from conversation c
  where c.org_id = current_setting('app.org_id')::uuid and c.channel_id = channel and c.subject ->> 'remoteId' = remote and c.post_id is null and c.subject is not null
$$;
revoke all on function conversations_about from public;
grant execute on function conversations_about to rookery_app;
