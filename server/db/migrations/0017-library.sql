-- The asset library: folders, lengths and pages, pictures that stand for videos.

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

alter table asset add column folder_id uuid;
alter table asset add constraint asset_folder_fkey foreign key (org_id, folder_id) references asset_folder on delete set null (folder_id);
-- taken out of the library; the bytes stay while a post needs them
alter table asset add column deleted_at timestamptz;
alter table asset add column seconds double precision;
alter table asset add column pages int;
-- the picture that stands for a video
alter table asset add column thumbnail_key text;
create index asset_library on asset (org_id, project_id, folder_id, created_at desc) where deleted_at is null and state = 'ready';

-- Which posts use which file: written with the post, asked by the library and by the sweep.
create table post_asset (
  org_id uuid not null,
  post_id uuid not null,
  asset_id uuid not null,
  primary key (org_id, post_id, asset_id),
  foreign key (org_id, post_id) references post on delete cascade,
  foreign key (org_id, asset_id) references asset on delete cascade
);
create index post_asset_asset on post_asset (org_id, asset_id);
select tenant_table('post_asset');
