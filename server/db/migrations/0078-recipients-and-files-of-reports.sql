-- Recipients that were removed are remembered: nobody is asked again by adding an address once more, and the links in earlier mails
-- keep working.
alter table report_recipient add column removed_at timestamptz;
create index report_recipient_schedule on report_recipient (org_id, schedule_id);

-- Files whose rows are gone, with a schedule, a report or an organization: their bytes are deleted by a job (functions/report_files.sql).
create table report_file_gone (
  media_key text primary key
);
select global_table('report_file_gone');
