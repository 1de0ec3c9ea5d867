-- What was received in a range of days is counted from the index alone, by person too and without what is held for review.
drop index inbox_item_received;
create index inbox_item_received on inbox_item (org_id, channel_id, at) include (type, conversation_id, person_id, held)
  where direction = 'received' and deleted_at is null;
