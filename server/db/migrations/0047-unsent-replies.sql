-- Replies that weren't sent, or of which nobody knows it: lists mark their conversations, find them and count them.
create index reply_unsent on reply (org_id, conversation_id) where state in ('FAILED', 'UNCONFIRMED');
