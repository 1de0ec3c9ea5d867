-- When the platform was last asked to notify us of a channel.
alter table inbox_cursor add column subscribed_at timestamptz;

-- What people asked a platform to have deleted here. `code` is what they can look it up by; `user_id` is emptied once it's done.
create table data_deletion (
  code text primary key,
  platform text not null,
  app_key text not null,
  org_id uuid,
  user_id text,
  requested_at timestamptz not null,
  done_at timestamptz,
  foreign key (org_id) references organization(org_id) on delete cascade
);
create index data_deletion_org on data_deletion (org_id) where org_id is not null;
select global_table('data_deletion');
