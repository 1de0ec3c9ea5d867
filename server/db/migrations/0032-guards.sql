-- Whoever left must not find the right of an admin again when they come back and the plan opens its locks.
create or replace function keep_reader_member() returns trigger language plpgsql as $$
begin
  if new.removed_at is not null then
    new.plan_locked := false;
    new.locked_admin := false;
  elsif new.plan_locked and new.is_admin then
    new.locked_admin := true;
    new.is_admin := false;
  end if;
  return new;
end $$;
drop trigger keep_reader_member on member;
create trigger keep_reader_member before update of is_admin, plan_locked, removed_at on member for each row execute function keep_reader_member();
update member set plan_locked = false, locked_admin = false where removed_at is not null;

-- A role that waits beside a lock is held: it cannot be deleted from under it.
update project_member pm set locked_role_id = null where locked_role_id is not null and not exists (select from role r where r.org_id = pm.org_id and r.id = pm.locked_role_id);
alter table project_member add foreign key (org_id, locked_role_id) references role (org_id, id);
create index project_member_locked_role on project_member (org_id, locked_role_id) where locked_role_id is not null;

-- Until when a change of a live post is being made at its platform; null once an answer came, or was lost.
alter table post_edit add column held_until timestamptz;

-- Files that were asked for from addresses of the web, for a day: what one organization may have brought here.
create table asset_import (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  project_id uuid not null,
  began_at timestamptz not null,
  -- null while the bytes are on their way
  ended_at timestamptz,
  bytes bigint not null default 0,
  primary key (org_id, id)
);
create index asset_import_recent on asset_import (org_id, began_at);
select tenant_table('asset_import');
