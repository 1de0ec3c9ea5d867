-- Queues: weekly slots of a channel, and the order of what waits in them.

create table queue (
  org_id uuid not null,
  channel_id uuid not null,
  zone text not null,
  -- [{day: 0..6 from Sunday, time: 'HH:mm'}], sorted
  slots jsonb not null default '[]',
  paused boolean not null default false,
  -- one more with every change of slots, state or order: a reorder of an older queue is refused
  version int not null default 1,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel on delete cascade
);
select tenant_table('queue');

-- the place of a QUEUED post among those of its channel; null for all others
alter table post add column queue_order bigint;
create index post_queue on post (org_id, channel_id, queue_order) where state = 'QUEUED';
