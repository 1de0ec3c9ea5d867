-- What people hear of, and the mails that tell it.

create table notice_preference (
  person_id uuid not null references person on delete cascade,
  topic text not null,
  in_app boolean not null,
  mail boolean not null,
  primary key (person_id, topic)
);
select global_table('notice_preference');
-- notices that may still have to be mailed
create index notice_unmailed on notice (updated_at) where mailed_at is null and read_at is null;
-- hidden ones are kept so that their matter stays one row, and are shown nowhere
alter table notice add column in_app boolean not null default true;
