-- When the platform was last asked to notify us of a channel.
alter table inbox_cursor add column subscribed_at timestamptz;

-- What people asked a platform to have deleted here. `code` is what they can look it up by; `user_id` is emptied once it's done.
create table data_deletion (
  code text primary key,
  platform text not null,
  app_key text not null,
  -- Whose app's secret signed it: the installation's, or those of these organizations.
  installed boolean not null,
  org_ids uuid[] not null,
  user_id text,
  requested_at timestamptz not null,
  done_at timestamptz
);
select global_table('data_deletion');
