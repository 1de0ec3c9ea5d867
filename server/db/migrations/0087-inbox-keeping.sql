-- For how many days an organization keeps what others wrote, where a platform's terms don't say less (server/inbox/keep.ts).
alter table organization
  add inbox_keep_days int not null default 730 check (inbox_keep_days between 1 and 1830),
  -- for how many days what was stored before is kept: a job brings it in line (server/inbox/applyKeeping.ts)
  add inbox_kept_days int not null default 730;
create index organization_keeping on organization (org_id) where inbox_keep_days <> inbox_kept_days;
