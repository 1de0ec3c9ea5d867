-- Replies, changes of them, and changes of what others wrote, as subjects of the delivery engine.
alter table delivery drop constraint delivery_subject_check;
alter table delivery add constraint delivery_subject_check
  check (subject in ('post', 'follow-up', 'edit', 'deletion', 'boost', 'reply', 'reply-change', 'item-change'));

-- whether the conversation is closed once it was sent; null: as the project's settings say
alter table reply add column closes boolean;
create index reply_item on reply (org_id, item_id) where item_id is not null;
