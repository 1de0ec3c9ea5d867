-- Pictures of connected accounts, drawn anew: members' browsers load them from here and never from a platform's server.
create table channel_picture (
  org_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  -- where the platform had it when it was fetched; a new address is fetched at the next daily look
  source_url text not null,
  bytes bytea not null check (octet_length(bytes) <= 100000),
  fetched_at timestamptz not null,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel (org_id, id) on delete cascade
);
select tenant_table('channel_picture');

-- the picture that is kept; lists build its address without reading the bytes' table
alter table channel add column picture_id uuid;
