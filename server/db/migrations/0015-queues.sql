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

-- the watchdog's: what is due and not yet sent is also what is queued
drop index post_overdue;
create index post_overdue on post (due_at) where state in ('SCHEDULED', 'QUEUED');

/*
 * The machine takes queued posts as it takes scheduled ones. One that is taken to be sent, or that ends otherwise, has left
 * its queue. Only these words of the two functions change; the rest stands in 0006.
 */
do $$
declare
  change record;
  definition text;
begin
  for change in
    select * from (values
      ('claim_posts', 'in (''SCHEDULED'', ''PROCESSING'', ''UNCONFIRMED'')', 'in (''SCHEDULED'', ''QUEUED'', ''PROCESSING'', ''UNCONFIRMED'')', 2),
      ('claim_posts', 'failure = case when a.step = ''send'' then null else p.failure end,',
        'failure = case when a.step = ''send'' then null else p.failure end, queue_order = case when a.step <> ''send'' then p.queue_order end,', 1),
      ('write_outcomes', 'set state = o.state, step = o.step,', 'set state = o.state, queue_order = case when o.state = ''QUEUED'' then p.queue_order end, step = o.step,', 1)
    ) as c(name, was, becomes, times)
  loop
    definition := pg_get_functiondef(change.name::regproc);
    if (length(definition) - length(replace(definition, change.was, ''))) / length(change.was) <> change.times then
      raise exception '% does not say "%" % times', change.name, change.was, change.times;
    end if;
    execute replace(definition, change.was, change.becomes);
  end loop;
end $$;
