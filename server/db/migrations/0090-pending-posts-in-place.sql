-- It returns a table now (functions/scheduling.sql), so that PostgreSQL counts in the statement that asks for it.
drop function if exists pending_posts(uuid, uuid, timestamptz);
