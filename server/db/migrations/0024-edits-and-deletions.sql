/*
 * Edits and deletions of a published post at its platform are deliveries of their own; the journal of edits goes. Made before the
 * first release: no node of an earlier version runs beside it.
 */
alter table delivery drop constraint delivery_subject_check;
alter table delivery add constraint delivery_subject_check check (subject in ('post', 'follow-up', 'edit', 'deletion'));

-- an edit that began and of which nothing more was heard
insert into delivery (org_id, channel_id, subject, subject_id, details, state, wanted_at, failure)
select e.org_id, p.channel_id, 'edit', e.post_id, jsonb_build_object('says', e.says, 'personId', e.person_id), 'unsure', e.began_at,
  '{"class": "unknown", "action": "none", "code": "edit-unconfirmed"}'
from post_edit e join post p on p.org_id = e.org_id and p.id = e.post_id where p.channel_id is not null;

drop table post_edit;
