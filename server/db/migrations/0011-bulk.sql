-- Bulk scheduling: the rows of an uploaded file, what became of each, and the files at the addresses that they name.

create table bulk_import (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  -- columns of the file that we don't know
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
  -- as a spreadsheet numbers them
  row int not null,
  state text not null default 'open' check (state in ('open', 'skipped', 'waiting', 'made', 'failed', 'undoing', 'undone')),
  -- what the person wrote
  cells jsonb not null,
  -- the submission that was confirmed, without its files: what was shown is what is made
  plan jsonb,
  -- whose permissions the job acts with
  asked_by uuid references person,
  -- how often the job began it
  tries int not null default 0,
  -- codes of why it couldn't be scheduled, or of what remained when it was undone
  problems jsonb not null default '[]',
  -- its posts, which may have been deleted since
  post_ids uuid[] not null default '{}',
  primary key (org_id, import_id, row),
  foreign key (org_id, import_id) references bulk_import on delete cascade
);
create index bulk_row_working on bulk_row (org_id, import_id, row) where state in ('waiting', 'undoing');
select tenant_table('bulk_row');

-- Each address is downloaded once per import, however many rows name it and however often the job begins.
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
