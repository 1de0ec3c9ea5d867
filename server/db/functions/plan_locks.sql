-- Keep what the plan locked locked, whatever else changes the rows meanwhile.

-- A locked member stays a reader: a role that they are given is kept for the unlocking.
create or replace function keep_locked_role() returns trigger language plpgsql as $$
begin
  if new.role_id is not null and exists (select from member m where m.org_id = new.org_id and m.person_id = new.person_id and m.plan_locked) then
    new.locked_role_id := new.role_id;
    new.role_id := null;
  end if;
  return new;
end $$;
create or replace trigger keep_locked_role before insert or update of role_id on project_member
  for each row execute function keep_locked_role();

-- A locked member who is made an admin becomes one when unlocked. One who leaves doesn't: otherwise they would be an admin
-- again after coming back and an upgrade.
create or replace function keep_locked_member() returns trigger language plpgsql as $$
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
create or replace trigger keep_locked_member before update of is_admin, plan_locked, removed_at on member
  for each row execute function keep_locked_member();

-- Enabling a channel unlocks it.
create or replace function unlock_channel() returns trigger language plpgsql as $$
begin
  new.plan_locked := false;
  new.locked_enabled := false;
  return new;
end $$;
create or replace trigger unlock_channel before update of enabled on channel
  for each row when (new.enabled and old.plan_locked) execute function unlock_channel();
