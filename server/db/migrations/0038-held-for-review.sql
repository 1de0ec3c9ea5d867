-- Whether the platform holds the item for review: it's hidden there until someone approves it (server/inbox/store.ts).
alter table inbox_item add held boolean not null default false, add check (hidden or not held);
-- How many of the conversation's items are held for review.
alter table conversation add held int not null default 0;
create index inbox_item_held on inbox_item (org_id, conversation_id) where held;
