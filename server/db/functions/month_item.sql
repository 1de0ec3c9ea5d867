/*
 * A post as an item of the calendar's month: PostItem in contract/postLists.ts as JSON, without what depends on the list
 * (channel, channels of a draft, time zone) and without its closing brace (server/posts/rowJson.ts). The time of a
 * published post is in whole seconds, and texts are cut after 40 characters, more than the month's cells show on a screen
 * of 2,300 pixels. It's made of the post's row alone. A migration that changes it must also
 * `update post set version = version`, because the stored ones don't change by themselves.
 */
create or replace function month_item_of(p post) returns text language sql stable parallel safe as $$
  select concat('{"postId":"', p.id, '","status":"', p.state, '","at":',
    rtrim(to_json(case p.state when 'PUBLISHED' then date_trunc('second', p.shown_at at time zone 'UTC') else p.shown_at at time zone 'UTC' end)::text, '"'), 'Z"',
    case when p.due_at is null then ',"dueAt":null'
      when p.due_at <> p.shown_at and p.state <> 'PUBLISHED' then ',"dueAt":' || rtrim(to_json(p.due_at at time zone 'UTC')::text, '"') || 'Z"' end,
    ',"excerpt":', to_json(case when length(p.excerpt) > 40 then left(p.excerpt, 39) || '…' else p.excerpt end),
    case when p.images > 0 then ',"images":' || p.images || ',"version":' || p.version end,
    case when p.series_id is not null then ',"series":' || json_build_object('seriesId', p.series_id, 'index', p.series_index, 'count', p.series_count)::text end,
    ',"failure":' || p.failure::text)
$$;

-- Every write of a row writes its item too, so that it's never older than the row.
create or replace function write_month_item() returns trigger language plpgsql as $$
begin
  new.month_item := month_item_of(new);
  return new;
end $$;
-- BEFORE triggers run in the order of their names: it must come after those that change columns
create or replace trigger write_month_item before insert or update on post for each row execute function write_month_item();
