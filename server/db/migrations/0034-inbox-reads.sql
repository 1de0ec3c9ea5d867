-- What was sent in a range of days, for reply times (server/inbox/replyTimes.ts).
create index inbox_item_sent on inbox_item (org_id, channel_id, at) include (type, conversation_id)
  where direction = 'sent' and deleted_at is null;

-- The keys of the index of words begin with their project's, as those of posts do (functions/search_inbox.sql), so that a
-- search reads only its own.
drop function if exists search_query(text);
drop function if exists words_of_item(inbox_item);
update inbox_text set words = array_to_tsvector(array(select right(project_id::text, 6) || word from unnest(tsvector_to_array(words)) word));
