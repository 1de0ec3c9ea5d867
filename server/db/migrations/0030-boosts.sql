-- Promotions of published posts, which cost money. Each is made at the platform step by step; `began_at` is the journal of the
-- step that is under way: set in a commit of its own before the call, cleared when its answer is known.
create table boost (
  org_id uuid not null,
  -- chosen by whoever starts it, so that asking twice is asking once; part of the name that it has at the platform
  id uuid not null,
  project_id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  started_by uuid not null references person,
  state text not null check (state in ('PENDING', 'IN_REVIEW', 'ACTIVE', 'HELD', 'REJECTED', 'STOPPING', 'STOPPED', 'ENDED', 'FAILED')),
  ad_account_id text not null,
  ad_account_name text not null,
  audience_id text not null,
  audience_name text not null,
  currency text not null,
  minor_units int not null check (minor_units > 0),
  -- for the whole time, in minor units
  budget bigint not null check (budget > 0),
  days int not null check (days > 0),
  -- the post as the platform knows it: what is promoted stays promoted, whatever becomes of our row
  post_type text not null,
  post_remote_id text not null,
  -- ids of what was made, by step of the adapter
  made jsonb not null default '{}',
  began_at timestamptz,
  -- when a look after a lost answer missed it for the first time
  absent_at timestamptz,
  -- raised by each worker that takes it up: what an earlier one says later is refused
  fence int not null default 0,
  -- when it is worked on or looked at next; null once there is nothing more to learn
  next_at timestamptz,
  tries int not null default 0,
  ends_at timestamptz,
  spent bigint,
  impressions bigint,
  reach bigint,
  read_at timestamptz,
  -- {text, advice}
  problem jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, channel_id) references channel on delete cascade
);
create index boost_of_post on boost (org_id, post_id);
create index boost_due on boost (next_at) where next_at is not null;
select tenant_table('boost', 'select, insert, update');

-- A post that was deleted is not promoted any longer. Not before the deletion can no longer be undone.
create function end_boosts_later() returns trigger language plpgsql as $$
begin
  update boost set next_at = least(next_at, new.updated_at + interval '60 seconds')
    where org_id = new.org_id and post_id = new.id and state in ('PENDING', 'IN_REVIEW', 'ACTIVE', 'HELD', 'REJECTED');
  return null;
end $$;
create trigger end_boosts_later after update of state on post for each row
  when (new.state = 'DELETED' and old.state = 'PUBLISHED') execute function end_boosts_later();
