-- The search for posts by their words. PostgreSQL's own text search parser takes quadratic time for texts such as '_a_a_a'
-- or '/~/~', so a text is split into words here, in time linear in its length, and everything is capped.

/*
 * The distinct words of a text in lower case, in the order in which they first appear: runs of letters, digits and the
 * marks inside words (accents, and the vowel killers and tone marks of Indic and Southeast Asian scripts). Both sides of
 * the search use it, so they can't disagree. Caps: the first 100,000 characters, 8,000 words, 64 characters of a word.
 */
create or replace function search_words(said text) returns text[]
language sql immutable parallel safe as $$
  select array_agg(word order by place) from (
    select left(word, 64) as word, min(place) as place
    from string_to_table(
      lower(regexp_replace(left(said, 100000) collate pg_unicode_fast,
        '[^[:alnum:]\u0300-\u036f\u0591-\u05af\u06df-\u06ec\u093c\u094d\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e47-\u0e4e\u0ec8-\u0ece\u0f39\u0f84\u1037\u1039\u103a\u17c9-\u17d3\u3099\u309a]+',
        ' ', 'g') collate pg_c_utf8),
      ' ') with ordinality as split (word, place)
    where word <> '' group by 1 order by 2 limit 8000) words
$$;

/*
 * What begins each key of a project's posts in the index of words: without it, a search for a common word would go through
 * the posts of all projects. The last digits of an ID are random. Projects that share them are told apart by their IDs.
 */
create or replace function search_prefix(project uuid) returns text
language sql immutable parallel safe as $$ select right(project::text, 6) $$;

-- The keys of a post: its titles, texts, alternative texts and the first comment, in any language, without stemming or stop
-- words. Strict paths, because a lax one finds each text twice.
create or replace function search_keys(project uuid, said jsonb, comment text) returns tsvector
language sql immutable as $$
  select array_to_tsvector(array(select search_prefix(project) || word from unnest(search_words(concat_ws(' ',
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.text') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.title') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.altText') part where jsonb_typeof(part) = 'string'),
    comment))) word))
$$;

-- Keeps `post_text`.
create or replace function index_post_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into post_text (org_id, post_id, project_id, words) values (new.org_id, new.id, new.project_id, search_keys(new.project_id, coalesce(new.draft, new.contents), new.first_comment))
  on conflict (org_id, post_id) do update set words = excluded.words;
  return null;
end $$;
revoke all on function index_post_words from public;
create or replace trigger post_words after insert or update of contents, draft, first_comment on post
  for each row execute function index_post_words();

/*
 * The posts of the caller's organization in which every word of the search begins a word. It runs as the tables' owner,
 * because under a policy the search can't use the index: no operator of text search is leakproof. The index is asked for the
 * longest words only, which are the rarest; the others are looked for in what it finds, so that many short words cost little.
 */
create or replace function search_posts(project uuid, search text) returns setof uuid
language plpgsql stable rows 200 security definer set search_path = public, pg_temp as $$
declare
  org uuid := current_setting('app.org_id')::uuid;
  longest tsquery;
  others tsquery;
begin
  -- words hold letters, digits and marks only, so there is nothing to escape
  select string_agg(key, ' & ') filter (where place <= 4)::tsquery, string_agg(key, ' & ') filter (where place > 4)::tsquery into longest, others
  from (
    select '''' || search_prefix(project) || word || ''':*' as key, row_number() over (order by length(word) desc, word) as place
    from unnest(search_words(search)) word
  ) keys;
  -- a search without a letter or digit finds nothing
  if longest is null then
    return;
  end if;
  return query
    select f.post_id from (
      select t.post_id, t.words from post_text t where t.words @@ longest and t.project_id = project
    ) f where (others is null or f.words @@ others) and exists (select from project p where p.org_id = org and p.id = search_posts.project);
end $$;
revoke all on function search_posts from public;
grant execute on function search_posts to rookery_app;

-- Hashtags of a project as keys of their index, for the same reason as those of words.
create or replace function hashtag_keys(project uuid, tags text[]) returns text[]
language sql immutable parallel safe as $$ select coalesce(array_agg(distinct search_prefix(project) || lower(t)), '{}') from unnest(tags) t $$;

-- The posts published elsewhere with a hashtag, in the caller's organization. As the tables' owner, like search_posts.
create or replace function posts_with_hashtag(project uuid, tag text) returns setof uuid
language sql stable rows 200 security definer set search_path = public, pg_temp as $$
  select m.id from measured_post m
  where m.hashtags @> hashtag_keys(project, array[tag]) and m.hashtags <> '{}' and m.project_id = project and m.org_id = current_setting('app.org_id')::uuid
$$;
revoke all on function posts_with_hashtag from public;
grant execute on function posts_with_hashtag to rookery_app;
