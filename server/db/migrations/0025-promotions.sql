/*
 * Promotions are claimed, leased, fenced and journaled by the delivery engine: their fence moves to their delivery. Made before the
 * first release: no node of an earlier version runs beside it.
 */
alter table delivery drop constraint delivery_subject_check;
alter table delivery add constraint delivery_subject_check check (subject in ('post', 'follow-up', 'edit', 'deletion', 'boost'));

insert into delivery (org_id, channel_id, subject, subject_id, fence) select org_id, channel_id, 'boost', id, fence from boost;
alter table boost drop column fence;
