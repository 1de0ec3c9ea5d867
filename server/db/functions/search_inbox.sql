-- The search for conversations by words of their items. Words are split as those of posts are (search.sql).

-- The keys of one item: its text, alternative texts, and its author's name and handle.
create or replace function item_keys(project uuid, item inbox_item) returns tsvector
language sql stable set search_path = public, pg_temp as $$
  select array_to_tsvector(array(select search_prefix(project) || word from unnest(search_words(concat_ws(' ', item.text,
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(item.media, 'strict $[*].altText') part where jsonb_typeof(part) = 'string'),
    (select concat_ws(' ', p.name, p.handle) from inbox_person p where p.org_id = item.org_id and p.id = item.person_id)))) word))
$$;
revoke all on function item_keys from public;

-- Keeps `inbox_text`: also when an item's text is deleted or may no longer be kept.
create or replace function index_item_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into inbox_text (org_id, item_id, conversation_id, project_id, words)
  select new.org_id, new.id, new.conversation_id, c.project_id, item_keys(c.project_id, new)
  from conversation c where c.org_id = new.org_id and c.id = new.conversation_id
  on conflict (org_id, item_id) do update set words = excluded.words, folded = true;
  return null;
end $$;
revoke all on function index_item_words from public;
create or replace trigger item_words after insert or update of text, media, person_id on inbox_item
  for each row execute function index_item_words();

create or replace function index_person_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update inbox_text t set words = item_keys(t.project_id, i), folded = true from inbox_item i
  where i.org_id = new.org_id and i.person_id = new.id and t.org_id = i.org_id and t.item_id = i.id;
  return null;
end $$;
revoke all on function index_person_words from public;
create or replace trigger person_words after update of name, handle on inbox_person
  for each row when ((old.name, old.handle) is distinct from (new.name, new.handle)) execute function index_person_words();

-- Indexes items of an organization again whose words aren't folded yet, at most so many; returns how many.
create or replace function reindex_item_words(org uuid, most int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select org_id, item_id from inbox_text where org_id = org and not folded order by item_id limit most for update skip locked
  ), done as (
    update inbox_text t set folded = true, words = item_keys(t.project_id, i)
    from due d join inbox_item i on i.org_id = d.org_id and i.id = d.item_id where t.org_id = d.org_id and t.item_id = d.item_id returning t.item_id
  )
  select count(*) from done
$$;
revoke all on function reindex_item_words from public;
grant execute on function reindex_item_words to rookery_system;

-- The words of a search, each as the beginning of a project's keys; null for a search without a letter or digit. The longest
-- words come first, which are the rarest: `most` of them, after the first `past`.
create or replace function search_query(project uuid, search text, most int default null, past int default 0) returns tsquery
language sql immutable parallel safe as $$
  -- words hold letters, digits and marks only, so there is nothing to escape
  select string_agg(key, ' & ')::tsquery from (
    select '''' || search_prefix(project) || word || ''':*' as key from unnest(search_terms(search)) word
    order by length(word) desc, word offset past limit most
  ) keys
$$;

/*
 * The conversations of the caller's organization with an item in which every word of the search begins a word; null when
 * there are more than `most`, or so many items that finding out would take long: then each conversation of a list is asked.
 * It runs as the tables' owner, because under a policy the search can't use the index: no operator of text search is
 * leakproof. Without it, the tables of all tenants would be read. The index is asked for the four longest words, and what it
 * finds for the others.
 */
create or replace function search_conversations(project uuid, search text, most int) returns uuid[]
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off as $$
declare
  longest tsquery := search_query(project, search, 4);
  others tsquery := search_query(project, search, null, 4);
  items int := 10 * most;
  ids uuid[];
begin
  if longest is null then
    return '{}';
  end if;
  select case when count(*) <= items then coalesce(array_agg(distinct t.conversation_id) filter (where others is null or t.words @@ others), '{}') end into ids from (
    select i.conversation_id, i.words from inbox_text i
    where i.words @@ longest and i.org_id = current_setting('app.org_id')::uuid and i.project_id = project limit items + 1) t;
  return case when cardinality(ids) <= most then ids end;
end $$;
revoke all on function search_conversations from public;
grant execute on function search_conversations to rookery_app;
