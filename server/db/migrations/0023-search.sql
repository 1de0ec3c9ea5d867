-- Words of posts, to find them by. A table of its own: posts change state many times, their words hardly ever, and each
-- change of a row would be written to the index again.
create table post_text (
  org_id uuid not null,
  post_id uuid not null,
  project_id uuid not null,
  words tsvector not null,
  primary key (org_id, post_id),
  foreign key (org_id, post_id) references post on delete cascade
);
create index post_text_words on post_text using gin (words);
select tenant_table('post_text', 'select');

-- Titles, texts and alternative texts as they stand, in any language: no stems, no stop words.
create function words_of(said jsonb, comment text) returns tsvector
language sql immutable as $$
  select strip(to_tsvector('simple', concat_ws(' ',
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, '$.**.text') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, '$.**.title') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, '$.**.altText') part where jsonb_typeof(part) = 'string'),
    comment)))
$$;

create function note_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into post_text (org_id, post_id, project_id, words) values (new.org_id, new.id, new.project_id, words_of(coalesce(new.draft, new.contents), new.first_comment))
  on conflict (org_id, post_id) do update set words = excluded.words;
  return null;
end $$;
revoke all on function note_words from public;
create trigger post_words after insert or update of contents, draft, first_comment on post for each row execute function note_words();

insert into post_text (org_id, post_id, project_id, words) select org_id, id, project_id, words_of(coalesce(draft, contents), first_comment) from post;

/*
 * The posts of the caller's organization in which every word of the search begins a word. It runs as the tables' owner,
 * because under a policy the search may not reach the index: no operator of text search is leakproof.
 */
create function search_posts(project uuid, search text) returns setof uuid
language plpgsql stable rows 200 security definer set search_path = public, pg_temp as $$
declare
  wanted tsquery;
begin
  select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')::tsquery into wanted
    from unnest(tsvector_to_array(to_tsvector('simple', search))) word;
  -- signs only: nothing is found by them
  if wanted is null then
    return;
  end if;
  return query select t.post_id from post_text t where t.words @@ wanted and t.org_id = current_setting('app.org_id')::uuid and t.project_id = project;
end $$;
revoke all on function search_posts from public;
grant execute on function search_posts to rookery_app;
