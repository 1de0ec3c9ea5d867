-- Where servers send notifications by Web Push, one address for each account, whatever organizations it's connected to: a
-- server has one subscription for each sign-in, and gives all of them the same one (server/inbox/pushAddress.ts).
create table push_address (
  platform text not null,
  -- the account, by the platform's ID
  account text not null,
  -- the secret part of our URL
  address text not null unique,
  -- our private key and the secret that we share with the server
  key_id text not null,
  sealed bytea not null,
  -- the key that the server signs with, once it said so
  server_key text,
  primary key (platform, account)
);
select global_table('push_address');

-- Whose channels a notification is about.
create index channel_remote on channel (platform, remote_id) where deleted_at is null;
