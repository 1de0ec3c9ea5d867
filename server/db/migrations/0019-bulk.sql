-- Bulk schedule: rows of a file, what became of each, and the files that their addresses were read into.

create table bulk_import (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- columns of the file that mean nothing here
  unknown_columns text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by uuid not null references person,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade
);
create index bulk_import_project on bulk_import (org_id, project_id, created_at desc);
select tenant_table('bulk_import');

create table bulk_row (
  org_id uuid not null,
  import_id uuid not null,
  -- as a spreadsheet counts
  row int not null,
  state text not null default 'open' check (state in ('open', 'skipped', 'waiting', 'made', 'failed', 'undoing', 'undone')),
  -- what a person wrote
  cells jsonb not null,
  -- the submit that was confirmed, without its files: what was seen is what is made
  plan jsonb,
  -- whose rights the job works with
  asked_by uuid references person,
  -- how often the job began it
  tries int not null default 0,
  -- why it could not be scheduled, or what stayed when it was undone
  remarks jsonb not null default '[]',
  -- its posts: they may be deleted since
  post_ids uuid[] not null default '{}',
  primary key (org_id, import_id, row),
  foreign key (org_id, import_id) references bulk_import on delete cascade
);
create index bulk_row_working on bulk_row (org_id, import_id, row) where state in ('waiting', 'undoing');
select tenant_table('bulk_row');

-- An address is read once in an import, however many rows name it and however often the job begins.
create table bulk_file (
  org_id uuid not null,
  import_id uuid not null,
  url text not null,
  asset_id uuid not null,
  primary key (org_id, import_id, url),
  foreign key (org_id, import_id) references bulk_import on delete cascade,
  foreign key (org_id, asset_id) references asset on delete cascade
);
select tenant_table('bulk_file');
