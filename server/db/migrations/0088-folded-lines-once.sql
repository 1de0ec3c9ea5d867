-- Lines of the inbox's counts are added to the one line of their kind, found by this index whatever the planner last heard of the
-- table: looking for 5,000 of them could take minutes. Those that two jobs added up at the same time are added up again.
update inbox_count c set folded = false
from (select org_id, id, row_number() over (partition by org_id, project_id, person_id, channel_id, kind order by id) as nth from inbox_count where folded) d
where d.nth > 1 and c.org_id = d.org_id and c.id = d.id;
create unique index inbox_count_kind on inbox_count (org_id, project_id, person_id, channel_id, kind) nulls not distinct where folded;
update inbox_day c set folded = false
from (select org_id, id, row_number() over (partition by org_id, project_id, person_id, channel_id, status, day order by id) as nth from inbox_day where folded) d
where d.nth > 1 and c.org_id = d.org_id and c.id = d.id;
create unique index inbox_day_kind on inbox_day (org_id, project_id, person_id, channel_id, status, day) nulls not distinct where folded;
create index inbox_day_nothing on inbox_day (org_id) where folded and n = 0;
