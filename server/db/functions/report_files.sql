/*
 * Notes the bytes of a report's file whose row is deleted, whichever way: with its schedule, its report, its project or its
 * organization. A job deletes them (server/reports/schedules/files.ts), so that none is left over by a process that dies.
 */
create or replace function note_report_file() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into report_file_gone (media_key) values (old.media_key) on conflict do nothing;
  return null;
end $$;
revoke all on function note_report_file from public;
create or replace trigger note_report_file after delete on report_file for each row
  when (old.media_key is not null) execute function note_report_file();
