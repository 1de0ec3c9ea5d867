-- The keys of the index of words begin with their project's (functions/search.sql), so that a search reads only its own.
drop trigger if exists post_words on post;
drop function if exists index_post_words();
drop function if exists words_of(jsonb, text);
update post_text set words = array_to_tsvector(array(select right(project_id::text, 6) || word from unnest(tsvector_to_array(words)) word));
