/*
 * Tells every node which public pages changed, as the change commits: nodes send pages from memory (server/linkInBio/pageMemory.ts).
 * A message is `page` or `organization` with an ID, or `slug` with an address. Few transactions change a page, so that those which
 * commit one after the other because of their message are few.
 */
create or replace function tell_bio(what text, which text) returns void
language sql set search_path = public, pg_temp as $$
  select pg_notify('bio', what || ' ' || which) where which is not null
$$;
revoke all on function tell_bio from public;

create or replace function tell_bio_page() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform tell_bio('page', coalesce(new.id, old.id)::text);
  return null;
end $$;
revoke all on function tell_bio_page from public;
create or replace trigger tell_bio_page after insert or update or delete on bio_page for each row execute function tell_bio_page();

create or replace function tell_bio_item() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform tell_bio('page', coalesce(new.page_id, old.page_id)::text);
  return null;
end $$;
revoke all on function tell_bio_item from public;
create or replace trigger tell_bio_item after insert or update or delete on bio_item for each row execute function tell_bio_item();

create or replace function tell_bio_slug() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform tell_bio('slug', old.slug);
  perform tell_bio('slug', new.slug);
  perform tell_bio('page', old.page_id::text);
  perform tell_bio('page', new.page_id::text);
  return null;
end $$;
revoke all on function tell_bio_slug from public;
create or replace trigger tell_bio_slug after insert or update or delete on bio_slug for each row execute function tell_bio_slug();

-- A post that is taken back or gone leaves the grids that show it.
create or replace function tell_bio_of_post() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform tell_bio('page', i.page_id::text) from bio_item i where i.org_id = new.org_id and i.post_id = new.id;
  return null;
end $$;
revoke all on function tell_bio_of_post from public;
create or replace trigger tell_bio_of_post after update of listed, gone_at on measured_post for each row
  when (old.listed <> new.listed or (old.gone_at is null) <> (new.gone_at is null)) execute function tell_bio_of_post();

create or replace function tell_bio_of_organization() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform tell_bio('organization', new.org_id::text);
  return null;
end $$;
revoke all on function tell_bio_of_organization from public;
create or replace trigger tell_bio_of_project after update of deleted_at, zone on project for each row
  when (old.deleted_at is distinct from new.deleted_at or old.zone <> new.zone) execute function tell_bio_of_organization();
create or replace trigger tell_bio_of_organization after update of deletes_at on organization for each row
  when (old.deletes_at is distinct from new.deletes_at) execute function tell_bio_of_organization();
