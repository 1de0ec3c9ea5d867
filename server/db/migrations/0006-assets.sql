-- The asset library.

create table asset_folder (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  parent_id uuid,
  name text not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  foreign key (org_id, parent_id) references asset_folder
);
create unique index asset_folder_name on asset_folder (org_id, project_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));
select tenant_table('asset_folder');

create table asset (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  folder_id uuid,
  state text not null check (state in ('uploading', 'ready', 'refused')),
  -- why it was refused
  problem text,
  -- letters, digits, dots, dashes and underscores
  file_name text not null,
  -- the name that a person gave, where it can't be the file name
  display_name text,
  alt_text text not null default '',
  content_type text not null,
  bytes bigint not null,
  -- where the media store keeps the file
  store_key text not null,
  derived_from uuid,

  -- as shown: after rotation
  width int,
  height int,
  pages int,
  seconds double precision,
  video_codec text,
  audio_codec text,
  -- degrees clockwise by which players rotate the frames
  rotation int,
  -- the picture that stands for a video
  thumbnail_key text,
  thumbnail_bytes int,
  thumbnail_width int,
  thumbnail_height int,
  -- the moment of the video that it shows; null: an uploaded picture
  thumbnail_seconds double precision,

  created_at timestamptz not null,
  -- null: by the machine
  created_by uuid references person,
  -- removed from the library; the file stays as long as a post needs it
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project on delete cascade,
  constraint asset_folder_fkey foreign key (org_id, folder_id) references asset_folder on delete set null (folder_id)
);
create index asset_project on asset (org_id, project_id, created_at desc);
create index asset_library on asset (org_id, project_id, folder_id, created_at desc) where deleted_at is null and state = 'ready';
-- uploads that were never finished
create index asset_uploading on asset (created_at) where state = 'uploading';
select tenant_table('asset');

-- Files that were requested from web addresses, kept for a day: they limit what one organization can download through us.
create table asset_import (
  org_id uuid not null references organization on delete cascade,
  id uuid not null,
  project_id uuid not null,
  began_at timestamptz not null,
  -- null while it is downloading
  ended_at timestamptz,
  bytes bigint not null default 0,
  primary key (org_id, id)
);
create index asset_import_recent on asset_import (org_id, began_at);
select tenant_table('asset_import');
