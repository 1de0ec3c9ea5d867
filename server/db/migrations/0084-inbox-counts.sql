-- By organization now (functions/search.sql), so that what can't be indexed of one holds up no other.
drop function if exists reindex_item_words(int);
drop function if exists reindex_post_words(int);

/*
 * How many conversations of a channel and kind are open, and so on, kept in step by triggers (functions/inbox_counts.sql), so that
 * counting costs the same however many there are: a line for each change, added up by a job. Lines of a person count the open ones
 * that are theirs (`mine`) and that they have read to their end (`seen`); those without one count all.
 */
create table inbox_count (
  org_id uuid not null,
  id bigint generated always as identity,
  project_id uuid not null,
  person_id uuid,
  channel_id uuid not null,
  kind text not null,
  open int not null default 0,
  -- open ones in which something was received, which is unread until it's `seen`
  received int not null default 0,
  unassigned int not null default 0,
  waiting int not null default 0,
  follow_up int not null default 0,
  mine int not null default 0,
  seen int not null default 0,
  folded boolean not null default false,
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0.02);
create index inbox_count_project on inbox_count (org_id, project_id, person_id);
create index inbox_count_new on inbox_count (org_id, id) where not folded;
select tenant_table('inbox_count', 'select');

-- nothing may change between this and the triggers, which come in the same transaction
lock table conversation, conversation_read in share row exclusive mode;
insert into inbox_count (org_id, project_id, channel_id, kind, open, received, unassigned, waiting, follow_up, folded)
select org_id, project_id, channel_id, kind, count(*) filter (where status = 'OPEN'), count(*) filter (where status = 'OPEN' and last_received_at is not null),
  count(*) filter (where status = 'OPEN' and assignee_id is null), count(*) filter (where waiting_since is not null), count(*) filter (where status = 'FOLLOWUP'), true
from conversation where status <> 'CLOSED' group by org_id, project_id, channel_id, kind;
insert into inbox_count (org_id, project_id, person_id, channel_id, kind, mine, seen, folded)
select org_id, project_id, person_id, channel_id, kind, sum(mine), sum(seen), true
from (
  select org_id, project_id, assignee_id as person_id, channel_id, kind, 1 as mine, 0 as seen from conversation where status = 'OPEN' and assignee_id is not null
  union all
  select c.org_id, c.project_id, r.person_id, c.channel_id, c.kind, 0, 1
  from conversation c join conversation_read r on r.org_id = c.org_id and r.conversation_id = c.id where c.status = 'OPEN' and r.up_to >= c.last_received_at
) each group by org_id, project_id, person_id, channel_id, kind;

-- Hidden items of a range of days, which are few: they wait for no answer (server/inbox/stats.ts).
create index inbox_item_hidden on inbox_item (org_id, channel_id, at) where hidden and direction = 'received' and deleted_at is null;
