-- The search for posts by their words. PostgreSQL's own text search parser takes quadratic time for texts such as '_a_a_a'
-- or '/~/~', so a text is split into words here, in time linear in its length, and everything is capped.

/*
 * A text as the search compares it: compatible forms as one (half and full width, ligatures), in lower case, without accents,
 * vowel points and other marks that people leave out, with spaces between words and around runs of scripts that are written
 * without spaces. contract/searchMarks.ts does the same, to show where a search was found. The first 100,000 characters.
 */
create or replace function search_fold(said text) returns text
language plpgsql immutable parallel safe as $$
declare
  folded text := left(said, 100000);
begin
  if octet_length(folded) = length(folded) then
    return regexp_replace(lower(folded), '[^a-z0-9]+', ' ', 'g');
  else
    -- sorting the marks of a character takes quadratic time, so of a text that has so many signs without a space, each hundred is apart
    if folded collate pg_unicode_fast ~ '[^[:space:][:punct:]\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3]{200}' then
      folded := (select string_agg(substr(folded, n, 100), ' ' order by n) from generate_series(1, length(folded), 100) n);
    end if;
    folded := regexp_replace(lower(normalize(folded, nfkd) collate pg_c_utf8),
      '[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u00ad\u200d\ufe00-\ufe0f]+', '', 'g');
    folded := translate(folded, 'øđłħŧıςðىیک٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', 'odlhtiσdييك01234567890123456789');
    folded := normalize(replace(replace(replace(replace(folded, 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), nfc);
  end if;
  folded := regexp_replace(folded collate pg_unicode_fast,
    '[^[:alnum:]\u0300-\u036f\u0591-\u05af\u06df-\u06ec\u093c\u094d\u09bc\u09cd\u0a3c\u0a4d\u0abc\u0acd\u0b3c\u0b4d\u0bcd\u0c3c\u0c4d\u0cbc\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e47-\u0e4e\u0ec8-\u0ece\u0f39\u0f84\u1037\u1039\u103a\u17c9-\u17d3\u3099\u309a]+',
    ' ', 'g');
  if folded ~ '[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]' then
    folded := regexp_replace(regexp_replace(folded, '([\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])([^ \u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])', '\1 \2', 'g'), '([^ \u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])([\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff])', '\1 \2', 'g');
  end if;
  return folded;
end $$;

/*
 * The distinct words of a text, folded, in the order in which they first appear: runs of letters, digits and the marks inside
 * words (such as the vowel killers and tone marks of Indic and Southeast Asian scripts). Where a script has no spaces (Chinese,
 * Japanese, Thai) or words grow together (Korean), they are the pairs of neighboring characters, and the last one of a run, so
 * that every character begins one of them. Caps: 8,000 words, 64 characters of a word.
 */
create or replace function search_words(said text) returns text[]
language sql immutable parallel safe as $$
  with split as materialized (
    select word, place, word ~ '^[\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1050-\u109f\u1780-\u17d3\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff]' as paired
    from string_to_table(search_fold(said), ' ') with ordinality as split (word, place) where word <> ''
  )
  select array_agg(word order by place, nth) from (
    select word, (min(array[place, nth]))[1] as place, (min(array[place, nth]))[2] as nth from (
      select left(word, 64) as word, place, 0::bigint as nth from split where not paired
      union all
      select c.one || coalesce(lead(c.one) over (partition by s.place order by c.nth), ''), s.place, c.nth
      from split s cross join string_to_table(s.word, null) with ordinality as c (one, nth) where s.paired
    ) each
    group by 1 order by 2, 3 limit 8000
  ) words
$$;

-- The words of a search: as those of a text, without the last character of a run that has others before it.
create or replace function search_terms(search text) returns text[]
language sql immutable parallel safe as $$
  with folded as materialized (select search_fold(search) as text)
  select array_agg(word) from folded f cross join unnest(search_words(f.text)) word
  where length(word) > 1 or (' ' || f.text || ' ') like ('% ' || word || ' %')
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
language plpgsql immutable as $$
declare
  prefix text := search_prefix(project);
  texts jsonb := jsonb_path_query_array(said, 'strict $.**.text');
  folded text;
begin
  -- most posts have one text, of words with spaces between them: no query is needed to read and to split it
  if jsonb_array_length(texts) = 1 and jsonb_typeof(texts -> 0) = 'string'
    and jsonb_path_query_array(said, 'strict $.**.title') = '[]' and jsonb_path_query_array(said, 'strict $.**.altText') = '[]' then
    folded := btrim(search_fold(concat_ws(' ', texts ->> 0, comment)));
    if octet_length(folded) = length(folded) and length(folded) between 1 and 8000 and folded !~ '[^ ]{65}' then
      return array_to_tsvector(string_to_array(prefix || replace(folded, ' ', ' ' || prefix), ' '));
    end if;
  end if;
  return array_to_tsvector(array(select prefix || word from unnest(search_words(concat_ws(' ',
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.text') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.title') part where jsonb_typeof(part) = 'string'),
    (select string_agg(part #>> '{}', ' ') from jsonb_path_query(said, 'strict $.**.altText') part where jsonb_typeof(part) = 'string'),
    comment))) word));
end $$;

create or replace function index_post_words() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into post_text (org_id, post_id, project_id, words)
    values (new.org_id, new.id, new.project_id, search_keys(new.project_id, coalesce(new.draft, new.contents), new.first_comment));
  else
    insert into post_text (org_id, post_id, project_id, words)
    values (new.org_id, new.id, new.project_id, search_keys(new.project_id, coalesce(new.draft, new.contents), new.first_comment))
    on conflict (org_id, post_id) do update set words = excluded.words, folded = true;
  end if;
  return null;
end $$;
revoke all on function index_post_words from public;
create or replace trigger post_words after insert or update of contents, draft, first_comment on post
  for each row execute function index_post_words();

-- Indexes posts of an organization again whose words aren't folded yet, at most so many; returns how many.
create or replace function reindex_post_words(org uuid, most int) returns int
language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select org_id, post_id from post_text where org_id = org and not folded order by post_id limit most for update skip locked
  ), done as (
    update post_text t set folded = true, words = search_keys(p.project_id, coalesce(p.draft, p.contents), p.first_comment)
    from due d join post p on p.org_id = d.org_id and p.id = d.post_id where t.org_id = d.org_id and t.post_id = d.post_id returning t.post_id
  )
  select count(*) from done
$$;
revoke all on function reindex_post_words from public;
grant execute on function reindex_post_words to rookery_system;

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
    from unnest(search_terms(search)) word
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
