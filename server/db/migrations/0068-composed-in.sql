-- The draft that a batch was made from, for good: `draft_id` moves on when that post becomes a draft again and is
-- submitted once more. All posts of the batch show the notes that were written on the draft.
alter table batch add column composed_in uuid;
update batch set composed_in = draft_id;
create index batch_composed_in on batch (org_id, composed_in) where composed_in is not null;
