/*
 * The lease of a send belongs to its delivery, and no longer to its channel's lane: so several sends of one channel can be
 * on their way at once, and a lane is free as soon as a send is acknowledged. Made before the first release: no node of an
 * earlier version runs beside it.
 */
alter table delivery add column lease_id uuid, add column lease_until timestamptz, add check ((lease_id is null) = (lease_until is null));
-- what is on its way, by channel: few rows
create index delivery_leased on delivery (org_id, channel_id) where lease_id is not null;

update delivery d set lease_id = l.lease_id, lease_until = l.lease_until
from lane l join attempt a on a.org_id = l.org_id and a.id = l.lease_id
where a.finished_at is null and d.org_id = a.org_id and d.subject_id = a.subject_id and d.subject = a.subject and d.key = a.key and l.lease_until is not null;

drop index lane_lease;
alter table lane drop column lease_id, drop column lease_by, drop column lease_until;
