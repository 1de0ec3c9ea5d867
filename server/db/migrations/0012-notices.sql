-- What people hear of, and the mails that tell it.

create table notice_preference (
  person_id uuid not null references person on delete cascade,
  topic text not null,
  in_app boolean not null,
  mail boolean not null,
  primary key (person_id, topic)
);
select global_table('notice_preference');
-- notices are raised in a tenant for its members: of their choices it reads those of nobody else
alter table notice_preference enable row level security;
alter table notice_preference force row level security;
create policy colleagues on notice_preference for select to rookery_app using (exists (select 1 from member m where m.org_id = current_setting('app.org_id')::uuid and m.person_id = notice_preference.person_id));
create policy everything on notice_preference to rookery_owner, rookery_system using (true) with check (true);
grant select on notice_preference to rookery_app;

-- hidden ones are kept so that their matter stays one row, and are shown nowhere
alter table notice add column in_app boolean not null default true;
-- the channels that it speaks of: hidden from a role that was bound to others since. Null: the project as a whole
alter table notice add column channel_ids uuid[];
-- when its mail is due; while one is being sent, when it is tried again. Null: none is to be sent
alter table notice add column mail_due_at timestamptz;
-- one id for all notices that one mail tells of
alter table notice add column mail_id uuid;
create index notice_mail_due on notice (mail_due_at) where mail_due_at is not null;
