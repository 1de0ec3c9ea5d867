-- What platforms told us by themselves: whom it's about, and nothing of what was written. Taken first, applied by a job.
create table inbox_push (
  id uuid primary key default uuidv7(),
  platform text not null,
  -- the client id of the app whose secret signed it, and whose app it is; null: the installation's
  app_key text not null,
  org_id uuid references organization on delete cascade,
  -- of what came, to know a repeat
  digest bytea not null,
  -- [{accountRemoteId, kinds}], of accounts that are connected here
  told jsonb not null,
  received_at timestamptz not null,
  -- Attempts that failed. After a few it's done without having been applied.
  tries int not null default 0,
  failed boolean not null default false,
  done_at timestamptz,
  unique nulls not distinct (platform, app_key, org_id, digest)
);
create index inbox_push_open on inbox_push (tries, id) where done_at is null;
create index inbox_push_org on inbox_push (org_id) where org_id is not null;
create index inbox_push_done on inbox_push (done_at) where done_at is not null;
select global_table('inbox_push');

-- Its predecessor has whole bodies. Nodes of the previous version still fill and apply it; what they leave is taken over
-- by the job and by retention. A later version drops it. What was applied is only there to know a repeat, which does no
-- harm.
delete from inbox_delivery where done_at is not null;

-- Asked for by callers who only name the app.
create index app_credentials_client on app_credentials (client_id);
