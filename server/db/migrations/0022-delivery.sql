/*
 * What the delivery engine knows of sending moves out of `post` and `post_part` into a table of its own: a row for each post
 * that was ever scheduled and one for each of its follow-ups. Made before the first release: no node of an earlier version
 * runs beside it.
 */
create table delivery (
  org_id uuid not null,
  channel_id uuid not null,
  -- what is delivered, and the id of the row that says so: of a post or a follow-up, the post's
  subject text not null check (subject in ('post', 'follow-up')),
  subject_id uuid not null,
  -- tells deliveries of the same subject apart; empty where there is only one
  key text not null default '',
  -- the order of deliveries of the same subject
  place int not null default 0,
  -- of a follow-up: its kind and, of a thread's item, its index in the post's contents
  details jsonb not null default '{}',
  -- unsure: it may have been published, and reading couldn't tell
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'unsure')),
  -- what is done next and when (null: nothing), and since when it is wanted: its lateness counts from there
  step text check (step in ('prepare', 'send', 'poll', 'readback', 'reconcile')),
  step_at timestamptz,
  wanted_at timestamptz,
  -- raised whenever somebody takes it up or takes it away: writes with an older one are refused
  fence int not null default 0,
  tries int not null default 0,
  -- when a look at the platform after a lost answer first didn't find it
  absent_at timestamptz,
  -- another installation may have sent it (after a restore): it is looked up before it is sent
  doubted boolean not null default false,
  -- chosen before the first irreversible call, such as a record key: tells afterwards whether it succeeded
  send_key text,
  -- what the adapter keeps between steps: containers, uploaded blobs
  progress jsonb not null default '{}',
  remote_id text,
  sent_at timestamptz,
  -- what it waits for, or why it failed
  failure jsonb,
  primary key (org_id, subject_id, subject, key),
  foreign key (org_id, channel_id) references channel on delete cascade,
  check (step_at is null or (step is not null and wanted_at is not null))
);
-- the next step of a channel
create index delivery_step on delivery (org_id, channel_id, step_at, subject_id) where step_at is not null;
-- for the watchdog: follow-ups that are under way
create index delivery_following on delivery (step_at) where subject = 'follow-up' and step is not null;
select tenant_table('delivery');

insert into delivery (org_id, channel_id, subject, subject_id, state, step, step_at, wanted_at, fence, tries, absent_at, send_key, progress, remote_id, sent_at, failure)
select org_id, channel_id, 'post', id, case when state = 'PUBLISHED' then 'sent' when state = 'FAILED' then 'failed' else 'waiting' end,
  case when step in ('part', 'settlePart') then null when step = 'settle' then 'reconcile' else step end,
  case when step in ('part', 'settlePart') then null else step_at end,
  coalesce(due_at, created_at), fence, case when step in ('part', 'settlePart') then 0 else tries end,
  case when step in ('part', 'settlePart') then null else absent_at end, send_key, progress, remote_id, sent_at, case when step is not null then failure end
from post where channel_id is not null and (step is not null or send_key is not null or fence > 0);

insert into delivery (org_id, channel_id, subject, subject_id, key, place, details, state, step, step_at, wanted_at, fence, tries, absent_at, doubted, send_key, progress, remote_id, sent_at, failure)
select q.org_id, p.channel_id, 'follow-up', q.post_id, q.key, q.place, jsonb_strip_nulls(jsonb_build_object('kind', q.kind, 'item', q.item)), q.state,
  case when p.part = q.key then case p.step when 'part' then 'send' when 'settlePart' then 'reconcile' end end,
  case when p.part = q.key and p.step in ('part', 'settlePart') then p.step_at end,
  coalesce(p.parts_at, p.due_at), case when p.part = q.key then p.fence else 0 end, case when p.part = q.key then p.tries else 0 end,
  case when p.part = q.key then p.absent_at end, p.parts_doubted and q.state <> 'sent', q.send_key, q.progress, q.remote_id, q.sent_at,
  case when q.reason is not null then jsonb_build_object('class', case q.state when 'failed' then 'permanent' when 'unsure' then 'unknown' else 'retry' end, 'action', 'retry') || q.reason end
from post_part q join post p on p.org_id = q.org_id and p.id = q.post_id where p.channel_id is not null;

drop table post_part;
drop index post_step, post_on_its_way, post_parts_on_their_way;
alter table post
  drop column step, drop column step_at, drop column fence, drop column tries, drop column absent_at, drop column send_key, drop column progress,
  drop column part, drop column parts_at, drop column parts_doubted, drop column sent_at;
create index post_processing on post (org_id, id) where state = 'PROCESSING';

alter table attempt add column subject text not null default 'post', add column key text not null default '';
update attempt set subject = 'follow-up', key = part where part is not null;
update attempt set step = case step when 'part' then 'send' when 'settlePart' then 'reconcile' when 'settle' then 'reconcile' else step end;
alter table attempt drop column part;
alter table attempt rename column post_id to subject_id;
alter table attempt alter column subject drop default;
alter index attempt_post rename to attempt_subject;

drop function if exists claim_posts;
