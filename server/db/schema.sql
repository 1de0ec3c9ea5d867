-- The whole schema as the migrations leave it, written by `node bin/schema.js`. Why things are as they are is said in
-- migrations/, what functions and triggers do in functions/. `tenant_table` and `global_table` secure a table and grant
-- its rights (migrations/0001-tenancy.sql).

create table account_clock (
  account text not null,
  last_at timestamptz not null,
  primary key (account)
);
select global_table('account_clock');

create table ai_run (
  org_id uuid not null,
  channel_id uuid not null,
  project_id uuid not null,
  state text not null,
  problem jsonb,
  posts_read int not null default 0,
  profile jsonb,
  tries int not null default 0,
  credits int not null default 0,
  credits_month date,
  started_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  check (state in ('running', 'done', 'failed'))
);
select tenant_table('ai_run');

create table ai_usage (
  org_id uuid not null,
  month date not null,
  used int not null default 0,
  primary key (org_id, month),
  foreign key (org_id) references organization(org_id) on delete cascade
);
select tenant_table('ai_usage', 'select, insert, update');

create table app_credentials (
  org_id uuid not null,
  platform text not null,
  client_id text not null,
  sandbox boolean not null default false,
  key_id text not null,
  sealed bytea not null,
  set_by uuid not null,
  set_at timestamptz not null,
  primary key (org_id, platform),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (set_by) references person(id)
);
create index app_credentials_client on app_credentials (client_id);
select tenant_table('app_credentials');

create table approval (
  org_id uuid not null,
  id uuid not null,
  post_id uuid not null,
  workflow_id uuid,
  workflow_name text not null,
  steps jsonb not null,
  content_hash bytea not null,
  state text not null default 'open',
  step int not null default 0,
  sent_by uuid not null,
  sent_at timestamptz not null,
  ended_at timestamptz,
  step_at timestamptz not null,
  reminded_at timestamptz,
  day_told_at timestamptz,
  due_told_at timestamptz,
  links_ended_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade,
  foreign key (sent_by) references person(id),
  check (state in ('open', 'approved', 'rejected', 'void'))
);
create unique index approval_open on approval (org_id, post_id) where (state = 'open');
create index approval_post on approval (org_id, post_id, sent_at);
create index approval_sender on approval (org_id, sent_by) where (state = 'open');
select tenant_table('approval', 'select, insert, update');

create table approval_decision (
  org_id uuid not null,
  id uuid not null,
  approval_id uuid not null,
  post_id uuid not null,
  step int not null,
  slots int[] not null,
  person_id uuid,
  external_email text,
  external_name text,
  decision text not null,
  comment text not null default '',
  content_hash bytea not null,
  content jsonb not null,
  at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, approval_id) references approval(org_id, id) on delete cascade,
  foreign key (person_id) references person(id),
  check (decision in ('approved', 'rejected'))
);
create index approval_decision_approval on approval_decision (org_id, approval_id, at);
create index approval_decision_post on approval_decision (org_id, post_id, at);
select tenant_table('approval_decision', 'select, insert');

create table approval_link (
  org_id uuid not null,
  id uuid not null,
  token_hash bytea not null,
  approval_id uuid not null,
  step int not null,
  email text not null,
  name text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  primary key (org_id, id),
  unique (token_hash),
  foreign key (org_id, approval_id) references approval(org_id, id) on delete cascade
);
create index approval_link_approval on approval_link (org_id, approval_id);
select tenant_table('approval_link');

create table asset (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  folder_id uuid,
  state text not null,
  problem jsonb,
  file_name text not null,
  display_name text,
  alt_text text not null default '',
  content_type text not null,
  bytes bigint not null,
  store_key text not null,
  derived_from uuid,
  width int,
  height int,
  pages int,
  seconds double precision,
  video_codec text,
  audio_codec text,
  rotation int,
  thumbnail_key text,
  thumbnail_bytes int,
  thumbnail_width int,
  thumbnail_height int,
  thumbnail_seconds double precision,
  created_at timestamptz not null,
  created_by uuid,
  deleted_at timestamptz,
  frame_rate double precision,
  bit_depth int,
  chroma text,
  frames int,
  color_space text,
  facts_version int not null default 0,
  fitted_for text,
  primary key (org_id, id),
  foreign key (created_by) references person(id),
  foreign key (org_id, folder_id) references asset_folder(org_id, id) on delete set null (folder_id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (state in ('uploading', 'ready', 'refused'))
);
create unique index asset_fitted on asset (org_id, derived_from, fitted_for) where (fitted_for is not null);
create index asset_library on asset (org_id, project_id, folder_id, created_at desc) where ((deleted_at is null) and (state = 'ready'));
create index asset_project on asset (org_id, project_id, created_at desc);
create index asset_unread_facts on asset (facts_version, created_at) where (state = 'ready');
create index asset_uploading on asset (created_at) where (state = 'uploading');
select tenant_table('asset');

create table asset_folder (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  parent_id uuid,
  name text not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, parent_id) references asset_folder(org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create unique index asset_folder_name on asset_folder (org_id, project_id, coalesce(parent_id, '00000000-0000-0000-0000-000000000000'::uuid), lower(name));
select tenant_table('asset_folder');

create table asset_import (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  bytes bigint not null default 0,
  primary key (org_id, id),
  foreign key (org_id) references organization(org_id) on delete cascade
);
create index asset_import_recent on asset_import (org_id, began_at);
select tenant_table('asset_import');

create table attempt (
  org_id uuid not null,
  id uuid not null,
  subject_id uuid not null,
  channel_id uuid not null,
  fence int not null,
  step text not null,
  node_id uuid not null,
  send_key text,
  started_at timestamptz not null,
  finished_at timestamptz,
  outcome text,
  exchange jsonb,
  subject text not null,
  key text not null default '',
  primary key (org_id, started_at, id)
) partition by range (started_at);
create index attempt_open on attempt (node_id) where (finished_at is null);
create index attempt_subject on attempt (org_id, subject_id, started_at);
select tenant_table('attempt', 'select');

create table attempt_default partition of attempt default;

create table audience (
  org_id uuid not null,
  channel_id uuid not null,
  day date not null,
  breakdown text not null,
  bucket text not null,
  value bigint not null,
  primary key (org_id, channel_id, breakdown, day, bucket),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('audience', 'select');

create table audit (
  org_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  project_id uuid,
  person_id uuid,
  action text not null,
  entity text not null,
  entity_id text,
  detail jsonb not null default '{}',
  sealed_seq bigint,
  seal bytea,
  primary key (org_id, at, id)
) partition by range (at);
create index audit_entity on audit (org_id, entity, entity_id, at);
create index audit_unsealed on audit (org_id, at, id) where (seal is null);
alter table audit enable row level security;
alter table audit force row level security;
create policy everything on audit to rookery_owner, rookery_purge, rookery_system using (true) with check (true);
create policy tenant on audit to rookery_app using ((org_id = (current_setting('app.org_id'))::uuid)) with check ((org_id = (current_setting('app.org_id'))::uuid));
grant select on audit to rookery_app;
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_app;
grant delete on audit to rookery_purge;
grant select (org_id) on audit to rookery_purge;
grant select on audit to rookery_system;
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_system;
grant update (sealed_seq, seal) on audit to rookery_system;

create table audit_client (
  org_id uuid not null,
  audit_id uuid not null,
  address text not null,
  at timestamptz not null,
  primary key (org_id, audit_id)
);
alter table audit_client enable row level security;
alter table audit_client force row level security;
create policy everything on audit_client to rookery_owner, rookery_purge, rookery_system using (true) with check (true);
create policy tenant on audit_client to rookery_app using ((org_id = (current_setting('app.org_id'))::uuid)) with check ((org_id = (current_setting('app.org_id'))::uuid));
grant select, insert on audit_client to rookery_app;
grant delete on audit_client to rookery_purge;
grant select (org_id) on audit_client to rookery_purge;
grant select, insert, update, delete on audit_client to rookery_system;

create table audit_default partition of audit default;

create table audit_seal (
  org_id uuid not null,
  seq bigint not null,
  seal bytea not null,
  sealed_at timestamptz not null,
  primary key (org_id)
);
alter table audit_seal enable row level security;
alter table audit_seal force row level security;
create policy everything on audit_seal to rookery_owner, rookery_purge, rookery_system using (true) with check (true);
create policy tenant on audit_seal to rookery_app using ((org_id = (current_setting('app.org_id'))::uuid)) with check ((org_id = (current_setting('app.org_id'))::uuid));
grant select on audit_seal to rookery_app;
grant delete on audit_seal to rookery_purge;
grant select (org_id) on audit_seal to rookery_purge;
grant select, insert, update on audit_seal to rookery_system;

create table batch (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  author_id uuid not null,
  intent text not null,
  draft_id uuid,
  composed_in uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index batch_composed_in on batch (org_id, composed_in) where (composed_in is not null);
create unique index batch_draft on batch (org_id, draft_id) where (draft_id is not null);
select tenant_table('batch');

create table billing_transaction (
  org_id uuid not null,
  id text not null,
  provider text not null,
  kind text not null,
  status text not null,
  surplus boolean not null default false,
  wanted jsonb,
  items jsonb not null,
  currency_code text not null,
  tax_rate double precision not null,
  subtotal bigint not null,
  tax bigint not null,
  credit bigint not null,
  grand_total bigint not null,
  payment_method jsonb,
  invoice_number text,
  service_from timestamptz,
  service_to timestamptz,
  refers_to text[] not null default '{}',
  seller jsonb,
  buyer jsonb,
  person_id uuid,
  created_at timestamptz not null,
  occurred_at timestamptz not null,
  event_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (person_id) references person(id),
  check ((grand_total = ((subtotal + tax) - credit))),
  check ((grand_total >= 0)),
  check (kind in ('checkout', 'change', 'renewal', 'method', 'credit_note')),
  check (provider in ('local', 'paddle')),
  check (status in ('pending', 'paid', 'failed', 'refunded'))
);
create unique index billing_transaction_id on billing_transaction (id);
create unique index billing_transaction_invoice on billing_transaction (provider, invoice_number) where (invoice_number is not null);
create index billing_transaction_list on billing_transaction (org_id, occurred_at desc, id desc);
create index billing_transaction_surplus on billing_transaction (org_id) where surplus;
select tenant_table('billing_transaction', 'select, insert, update');

create table bio_count (
  org_id uuid not null,
  page_id uuid not null,
  day date not null,
  number int not null,
  views int not null default 0,
  visitors int not null default 0,
  clicks int not null default 0,
  primary key (org_id, page_id, day, number),
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete cascade
);
select tenant_table('bio_count', 'select');

create table bio_item (
  org_id uuid not null,
  page_id uuid not null,
  number int not null,
  kind text not null,
  position int not null,
  label text not null,
  url text not null,
  hidden boolean not null default false,
  starts_wall text,
  ends_wall text,
  zone text,
  starts_at timestamptz,
  ends_at timestamptz,
  post_id uuid,
  picture_key text,
  primary key (org_id, page_id, number),
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade,
  check (((kind = 'post') = (post_id is not null))),
  check (((starts_at is null) = (starts_wall is null))),
  check (((ends_at is null) = (ends_wall is null))),
  check (((zone is not null) or ((starts_wall is null) and (ends_wall is null)))),
  check (kind in ('button', 'post')),
  check ((number > 0))
);
create index bio_item_of_post on bio_item (org_id, post_id) where (post_id is not null);
create unique index bio_item_post on bio_item (org_id, page_id, post_id) where (post_id is not null);
select tenant_table('bio_item');
create trigger tell_bio_item after insert or delete or update on bio_item for each row execute function tell_bio_item();

create table bio_page (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  about text not null default '',
  picture_asset_id uuid,
  theme text not null,
  live boolean not null,
  noindex boolean not null default false,
  next_number int not null default 1,
  version int not null default 1,
  blocked_at timestamptz,
  blocked_reason text,
  created_at timestamptz not null,
  created_by uuid,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (((blocked_at is null) = (blocked_reason is null)))
);
create index bio_page_picture on bio_page (org_id, picture_asset_id) where (picture_asset_id is not null);
create index bio_page_project on bio_page (org_id, project_id, created_at);
select tenant_table('bio_page');
create trigger tell_bio_page after insert or delete or update on bio_page for each row execute function tell_bio_page();

create table bio_report (
  id uuid not null,
  org_id uuid not null,
  page_id uuid not null,
  slug text not null,
  reason text not null,
  words text not null default '',
  email text,
  created_at timestamptz not null,
  handled_at timestamptz,
  primary key (id)
);
create index bio_report_page on bio_report (page_id, created_at);
select global_table('bio_report');

create table bio_slug (
  org_id uuid not null,
  slug text not null,
  project_id uuid not null,
  page_id uuid,
  kept_until timestamptz,
  primary key (org_id, slug),
  unique (slug),
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete set null (page_id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index bio_slug_kept on bio_slug (kept_until) where (kept_until is not null);
create unique index bio_slug_own on bio_slug (org_id, page_id) where (kept_until is null);
select tenant_table('bio_slug');
create trigger tell_bio_slug after insert or delete or update on bio_slug for each row execute function tell_bio_slug();

create table bio_visitor (
  org_id uuid not null,
  page_id uuid not null,
  day date not null,
  visitor bytea not null,
  primary key (org_id, page_id, day, visitor),
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete cascade
);
create index bio_visitor_day on bio_visitor (day);
select tenant_table('bio_visitor', 'select');

create table boost (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  post_id uuid not null,
  channel_id uuid not null,
  started_by uuid not null,
  state text not null,
  problem jsonb,
  ad_account_id text not null,
  ad_account_name text not null,
  audience_id text not null,
  audience_name text not null,
  currency text not null,
  minor_units int not null,
  budget bigint not null,
  days int not null,
  post_type text not null,
  post_remote_id text not null,
  made jsonb not null default '{}',
  began_at timestamptz,
  absent_at timestamptz,
  next_at timestamptz,
  tries int not null default 0,
  ends_at timestamptz,
  spent bigint,
  impressions bigint,
  reach bigint,
  read_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (started_by) references person(id),
  check ((budget > 0)),
  check ((days > 0)),
  check ((minor_units > 0)),
  check (state in ('PENDING', 'IN_REVIEW', 'ACTIVE', 'HELD', 'REJECTED', 'STOPPING', 'STOPPED', 'ENDED', 'FAILED'))
);
create index boost_due on boost (next_at) where (next_at is not null);
create index boost_of_post on boost (org_id, post_id);
select tenant_table('boost', 'select, insert, update');
create trigger delete_deliveries after delete on boost referencing old table as gone for each statement execute function delete_deliveries();

create table budget (
  key text not null,
  window_ends_at timestamptz not null,
  used int not null default 0,
  closed_until timestamptz,
  primary key (key)
);
select global_table('budget');

create table bulk_file (
  org_id uuid not null,
  import_id uuid not null,
  url text not null,
  asset_id uuid not null,
  primary key (org_id, import_id, url),
  foreign key (org_id, asset_id) references asset(org_id, id) on delete cascade,
  foreign key (org_id, import_id) references bulk_import(org_id, id) on delete cascade
);
select tenant_table('bulk_file');

create table bulk_import (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  unknown_columns text[] not null default '{}',
  version int not null default 1,
  created_at timestamptz not null,
  created_by uuid not null,
  primary key (org_id, id),
  foreign key (created_by) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index bulk_import_project on bulk_import (org_id, project_id, created_at desc);
select tenant_table('bulk_import');

create table bulk_row (
  org_id uuid not null,
  import_id uuid not null,
  row int not null,
  state text not null default 'open',
  cells jsonb not null,
  plan jsonb,
  asked_by uuid,
  tries int not null default 0,
  problems jsonb not null default '[]',
  post_ids uuid[] not null default '{}',
  primary key (org_id, import_id, "row"),
  foreign key (asked_by) references person(id),
  foreign key (org_id, import_id) references bulk_import(org_id, id) on delete cascade,
  check (state in ('open', 'skipped', 'waiting', 'made', 'failed', 'undoing', 'undone'))
);
create index bulk_row_working on bulk_row (org_id, import_id, "row") where state in ('waiting', 'undoing');
select tenant_table('bulk_row');

create table campaign (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  description text not null default '',
  color text not null,
  state text not null default 'ACTIVE',
  enabled boolean not null default true,
  completed_at timestamptz,
  starts_on date,
  ends_on date,
  created_at timestamptz not null,
  created_by uuid not null,
  primary key (org_id, id),
  foreign key (created_by) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (state in ('ACTIVE', 'ARCHIVED'))
);
create unique index campaign_name on campaign (org_id, project_id, lower(name));
select tenant_table('campaign');

create table canned_response (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  text text not null,
  author_id uuid,
  updated_at timestamptz not null,
  used int not null default 0,
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create unique index canned_response_name on canned_response (org_id, project_id, lower(name));
select tenant_table('canned_response');

create table channel (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  platform text not null,
  remote_id text not null,
  name text not null,
  handle text not null,
  kind text,
  picture_url text,
  picture_id uuid,
  service text,
  variant text,
  missing_rights text[] not null default '{}',
  limits jsonb,
  zone text,
  lateness_minutes int not null default 60,
  simulated boolean not null default false,
  status text not null default 'CONNECTED',
  enabled boolean not null default true,
  problem jsonb,
  checked_at timestamptz,
  check_at timestamptz,
  sign_in_ends_at timestamptz,
  warned_at timestamptz,
  away_since timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  locked_enabled boolean not null default false,
  connected_at timestamptz not null,
  connected_by uuid not null,
  deleting_at timestamptz,
  deleting_by uuid,
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (connected_by) references person(id),
  foreign key (deleting_by) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (status in ('CONNECTED', 'DISCONNECTED', 'TOKEN_EXPIRED'))
);
create unique index channel_account on channel (org_id, project_id, platform, remote_id) where (deleted_at is null);
create index channel_check on channel (check_at nulls first) where ((status = 'CONNECTED') and (deleted_at is null) and (deleting_at is null));
create index channel_remote on channel (platform, remote_id) where (deleted_at is null);
select tenant_table('channel');
create trigger forget_channel_posts after delete on channel for each row execute function forget_channel_posts();
create trigger forget_months after delete on channel for each row execute function forget_months();
create trigger tell_figures_delete after delete on channel referencing old table as gone for each statement execute function tell_figures_of_channel_delete();
create trigger tell_figures_insert after insert on channel referencing new table as come for each statement execute function tell_figures_of_channel_insert();
create trigger tell_figures_update after update on channel referencing new table as come for each statement execute function tell_figures_of_channel_update();
create trigger unlock_channel before update of enabled on channel for each row when ((new.enabled and old.plan_locked)) execute function unlock_channel();

create table channel_figure (
  org_id uuid not null,
  channel_id uuid not null,
  day date not null,
  name text not null,
  value bigint not null,
  read_at timestamptz not null,
  primary key (org_id, channel_id, name, day) include (value, read_at),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('channel_figure', 'select');
create trigger forget_days after delete on channel_figure referencing old table as gone for each statement execute function forget_days();
create trigger keep_changed_days after update on channel_figure referencing new table as come for each statement execute function keep_days();
create trigger keep_new_days after insert on channel_figure referencing new table as come for each statement execute function keep_days();
create trigger tell_figures_delete after delete on channel_figure referencing old table as gone for each statement execute function tell_figures_of_channel_figure_delete();
create trigger tell_figures_insert after insert on channel_figure referencing new table as come for each statement execute function tell_figures_of_channel_figure_insert();
create trigger tell_figures_update after update on channel_figure referencing new table as come for each statement execute function tell_figures_of_channel_figure_update();

create table channel_picture (
  org_id uuid not null,
  channel_id uuid not null,
  id uuid not null,
  source_url text not null,
  bytes bytea not null,
  fetched_at timestamptz not null,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  check ((octet_length(bytes) <= 100000))
);
select tenant_table('channel_picture');

create table channel_secret (
  org_id uuid not null,
  channel_id uuid not null,
  key_id text not null,
  sealed bytea not null,
  expires_at timestamptz,
  version int not null default 1,
  refresh_lease_until timestamptz,
  refresh_lease_by text,
  refresh_started_at timestamptz,
  refresh_tries int not null default 0,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('channel_secret');

create table client_key (
  platform text not null,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null,
  primary key (platform)
);
select global_table('client_key');

create table competitor (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  platform text not null,
  remote_id text not null,
  name text not null,
  handle text not null,
  picture_url text,
  profile_url text,
  added_by uuid,
  added_at timestamptz not null,
  seen_at timestamptz not null,
  via_channel_id uuid,
  posts_since timestamptz,
  next_at timestamptz,
  read_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting',
  problem jsonb,
  removed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check ((length(remote_id) <= 500)),
  check (state in ('waiting', 'read', 'late', 'gone', 'private', 'rights', 'signedOut'))
);
create index competitor_due on competitor (next_at) where ((next_at is not null) and (removed_at is null));
create unique index competitor_once on competitor (org_id, project_id, platform, remote_id) where (removed_at is null);
create index competitor_removed on competitor (removed_at) where (removed_at is not null);
select tenant_table('competitor');

create table competitor_figure (
  org_id uuid not null,
  competitor_id uuid not null,
  day date not null,
  name text not null,
  value bigint not null,
  read_at timestamptz not null,
  primary key (org_id, competitor_id, name, day),
  foreign key (org_id, competitor_id) references competitor(org_id, id) on delete cascade
);
select tenant_table('competitor_figure', 'select');

create table competitor_post (
  org_id uuid not null,
  competitor_id uuid not null,
  remote_id text not null,
  published_at timestamptz not null,
  excerpt text not null,
  permalink text,
  figures jsonb not null default '{}',
  read_at timestamptz not null,
  primary key (org_id, competitor_id, remote_id),
  foreign key (org_id, competitor_id) references competitor(org_id, id) on delete cascade,
  check ((length(remote_id) <= 500))
);
create index competitor_post_published on competitor_post (org_id, competitor_id, published_at);
select tenant_table('competitor_post', 'select');

create table connect_flow (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  person_id uuid not null,
  platform text not null,
  client_id text,
  variant text,
  state_hash bytea not null,
  key_id text not null,
  sealed bytea not null,
  channel_id uuid,
  answered_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz not null,
  primary key (org_id, id),
  unique (state_hash),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade
);
create index connect_flow_expiry on connect_flow (expires_at);
select tenant_table('connect_flow');

create table conversation (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  thread_key text not null,
  person_id uuid,
  post_id uuid,
  subject jsonb,
  status text not null default 'OPEN',
  follow_up_on date,
  assignee_id uuid,
  last_at timestamptz not null,
  last_direction text not null,
  preview text not null default '',
  last_received_at timestamptz,
  unanswered int not null default 0,
  waiting_since timestamptz,
  answered boolean not null default false,
  overdue_for timestamptz,
  rating int,
  sentiment text,
  sentiment_by text,
  version int not null default 1,
  created_at timestamptz not null,
  held int not null default 0,
  primary key (org_id, id),
  foreign key (assignee_id) references person(id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  foreign key (org_id, person_id) references inbox_person(org_id, id) on delete set null (person_id),
  foreign key (org_id, post_id) references post(org_id, id) on delete set null (post_id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (((status = 'FOLLOWUP') = (follow_up_on is not null))),
  check (((sentiment is null) = (sentiment_by is null))),
  check (((unanswered = 0) = (waiting_since is null))),
  check (kind in ('comment', 'message', 'mention', 'review')),
  check (last_direction in ('received', 'sent')),
  check (((rating >= 1) and (rating <= 5))),
  check (sentiment_by in ('rating', 'words', 'model', 'person')),
  check (sentiment in ('positive', 'neutral', 'negative')),
  check (status in ('OPEN', 'FOLLOWUP', 'CLOSED'))
);
create index conversation_assignee on conversation (org_id, project_id, assignee_id, status, last_at, id) where (assignee_id is not null);
create index conversation_assignee_facets on conversation (org_id, project_id, (
case
    when (assignee_id is null) then '00000000-0000-0000-0000-000000000000'::uuid
    else assignee_id
end), kind, (
case
    when (sentiment is null) then 'unknown'
    else sentiment
end), answered, status, last_at, id);
create index conversation_channel on conversation (org_id, channel_id, status, last_at, id);
create index conversation_channel_facets on conversation (org_id, channel_id, kind, (
case
    when (sentiment is null) then 'unknown'
    else sentiment
end), answered, status, last_at, id);
create index conversation_facets on conversation (org_id, project_id, kind, (
case
    when (sentiment is null) then 'unknown'
    else sentiment
end), answered, status, last_at, id);
create index conversation_follow_up on conversation (follow_up_on) where (status = 'FOLLOWUP');
create index conversation_of_post on conversation (org_id, post_id, status, last_at, id) where (post_id is not null);
create index conversation_person on conversation (org_id, person_id, last_at) where (person_id is not null);
create index conversation_status on conversation (org_id, project_id, status, last_at, id);
create index conversation_subject on conversation (org_id, channel_id, ((subject ->> 'remoteId'))) where ((post_id is null) and (subject is not null));
create unique index conversation_thread on conversation (org_id, channel_id, ((kind = 'message')), thread_key);
create index conversation_waiting on conversation (org_id, project_id, waiting_since, id) where ((waiting_since is not null) and (status <> 'CLOSED'));
create index conversation_waiting_facets on conversation (org_id, channel_id, kind, (
case
    when (sentiment is null) then 'unknown'
    else sentiment
end), answered, waiting_since, id) where ((waiting_since is not null) and (status <> 'CLOSED'));
select tenant_table('conversation');
create trigger count_changed after update on conversation referencing old table as gone new table as come for each statement execute function count_conversations();
create trigger count_gone after delete on conversation referencing old table as gone for each statement execute function count_conversations();
create trigger count_new after insert on conversation referencing new table as come for each statement execute function count_conversations();
create trigger count_readers_of_gone before delete on conversation for each row when ((old.last_received_at is not null)) execute function count_readers_of_gone();

create unlogged table conversation_editor (
  org_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null,
  until timestamptz not null,
  primary key (org_id, conversation_id, person_id),
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade
);
select tenant_table('conversation_editor');

create table conversation_label (
  org_id uuid not null,
  conversation_id uuid not null,
  label_id uuid not null,
  primary key (org_id, conversation_id, label_id),
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, label_id) references label(org_id, id) on delete cascade
);
create index conversation_label_label on conversation_label (org_id, label_id, conversation_id);
select tenant_table('conversation_label');

create table conversation_read (
  org_id uuid not null,
  conversation_id uuid not null,
  person_id uuid not null,
  up_to timestamptz not null,
  primary key (org_id, person_id, conversation_id),
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, person_id) references member(org_id, person_id) on delete cascade
);
create index conversation_read_conversation on conversation_read (org_id, conversation_id);
select tenant_table('conversation_read');
create trigger count_read after insert on conversation_read referencing new table as come for each statement execute function count_reads();
create trigger count_reread after update on conversation_read referencing old table as gone new table as come for each statement execute function count_reads();
create trigger count_unread after delete on conversation_read referencing old table as gone for each statement execute function count_reads();

create table data_deletion (
  code text not null,
  platform text not null,
  app_key text not null,
  installed boolean not null,
  org_ids uuid[] not null,
  user_id text,
  requested_at timestamptz not null,
  done_at timestamptz,
  primary key (code)
);
select global_table('data_deletion');

create table delivery (
  org_id uuid not null,
  channel_id uuid not null,
  subject text not null,
  subject_id uuid not null,
  key text not null default '',
  place int not null default 0,
  details jsonb not null default '{}',
  state text not null default 'waiting',
  step text,
  step_at timestamptz,
  wanted_at timestamptz,
  fence int not null default 0,
  tries int not null default 0,
  absent_at timestamptz,
  doubted boolean not null default false,
  send_key text,
  progress jsonb not null default '{}',
  remote_id text,
  sent_at timestamptz,
  failure jsonb,
  lease_id uuid,
  lease_until timestamptz,
  dated_at timestamptz,
  primary key (org_id, subject_id, subject, key),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  check (((step_at is null) or ((step is not null) and (wanted_at is not null)))),
  check (((lease_id is null) = (lease_until is null))),
  check (state in ('waiting', 'sent', 'failed', 'unsure')),
  check (step in ('prepare', 'send', 'poll', 'readback', 'reconcile')),
  check (subject in ('post', 'follow-up', 'edit', 'deletion', 'boost', 'reply', 'reply-change', 'item-change'))
);
create index delivery_following on delivery (step_at) where ((subject = 'follow-up') and (step is not null));
create index delivery_leased on delivery (org_id, channel_id) where (lease_id is not null);
create index delivery_step on delivery (org_id, channel_id, step_at, subject_id) where (step_at is not null);
select tenant_table('delivery');

create table discussion (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  title text not null,
  post_id uuid,
  conversation_id uuid,
  campaign_id uuid,
  author_id uuid not null,
  created_at timestamptz not null,
  last_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by uuid,
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, campaign_id) references campaign(org_id, id) on delete cascade,
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (resolved_by) references person(id),
  check ((num_nonnulls(post_id, conversation_id, campaign_id) <= 1)),
  check (((resolved_at is null) = (resolved_by is null)))
);
create index discussion_campaign on discussion (org_id, campaign_id) where (campaign_id is not null);
create index discussion_conversation on discussion (org_id, conversation_id) where (conversation_id is not null);
create index discussion_list on discussion (org_id, project_id, last_at, id);
create index discussion_post on discussion (org_id, post_id) where (post_id is not null);
select tenant_table('discussion');

create table discussion_member (
  org_id uuid not null,
  discussion_id uuid not null,
  person_id uuid not null,
  primary key (org_id, discussion_id, person_id),
  foreign key (org_id, discussion_id) references discussion(org_id, id) on delete cascade,
  foreign key (person_id) references person(id)
);
create index discussion_member_person on discussion_member (org_id, person_id);
select tenant_table('discussion_member');

create table event (
  id bigint not null generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  at timestamptz not null,
  org_id uuid not null,
  project_id uuid,
  person_id uuid,
  kind text not null,
  ref text not null,
  primary key (org_id, at, id)
) partition by range (at);
create index event_cursor on event (xid, id);
create index event_project on event (org_id, project_id, xid, id) where kind in ('post', 'channel', 'taxonomy', 'member', 'conversation', 'count', 'figure');
select tenant_table('event', 'insert');

create table event_default partition of event default;

create table figure_line (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid not null,
  day date not null,
  name text not null,
  amount bigint not null,
  n int not null,
  read_at timestamptz not null,
  kind text not null,
  primary key (org_id, id),
  check (kind in ('gains', 'posts'))
);
select tenant_table('figure_line', 'select');

create table figure_month (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  name text not null,
  month date not null,
  amounts bytea not null,
  read bytea not null,
  counts bytea,
  total bigint,
  total_count int,
  primary key (org_id, channel_id, kind, name, month),
  check ((octet_length(amounts) = (31 * 8))),
  check ((octet_length(counts) = (31 * 4))),
  check ((((kind = 'days') and (num_nonnulls(counts, total, total_count) = 0)) or (kind in ('gains', 'posts') and (num_nulls(counts, total, total_count) = 0)))),
  check ((octet_length(read) = (31 * 4)))
);
select tenant_table('figure_month', 'select');

create table hashtag_group (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  hash_tags text[] not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create unique index hashtag_group_name on hashtag_group (org_id, project_id, lower(name));
select tenant_table('hashtag_group');

create table hashtag_search (
  org_id uuid not null,
  channel_id uuid not null,
  hashtag text not null,
  remote_id text,
  counted_at timestamptz not null,
  primary key (org_id, channel_id, hashtag),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('hashtag_search');

create table human_solution (
  solution_hash bytea not null,
  expires_at timestamptz not null,
  primary key (solution_hash)
);
select global_table('human_solution');

create table idempotency (
  org_id uuid not null,
  key text not null,
  endpoint text not null,
  body_hash bytea not null,
  status int not null,
  reply jsonb not null,
  created_at timestamptz not null,
  primary key (org_id, endpoint, key),
  foreign key (org_id) references organization(org_id) on delete cascade
);
select tenant_table('idempotency');

create table inbox_cost (
  org_id uuid not null,
  platform text not null,
  monthly_limit bigint,
  month date not null,
  spent bigint not null default 0,
  primary key (org_id, platform),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check ((monthly_limit > 0)),
  check ((spent >= 0))
);
select tenant_table('inbox_cost');

create table inbox_count (
  org_id uuid not null,
  id bigint not null generated always as identity,
  project_id uuid not null,
  person_id uuid,
  channel_id uuid not null,
  kind text not null,
  open int not null default 0,
  received int not null default 0,
  unassigned int not null default 0,
  waiting int not null default 0,
  follow_up int not null default 0,
  mine int not null default 0,
  seen int not null default 0,
  folded boolean not null default false,
  primary key (org_id, id)
);
create unique index inbox_count_kind on inbox_count (org_id, project_id, person_id, channel_id, kind) nulls not distinct where folded;
create index inbox_count_new on inbox_count (org_id, id) where (not folded);
create index inbox_count_project on inbox_count (org_id, project_id, person_id);
select tenant_table('inbox_count', 'select');
create trigger tell_counts after insert on inbox_count referencing new table as come for each statement execute function tell_counts();

create table inbox_cursor (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  cursor jsonb,
  first boolean not null default true,
  began_at timestamptz not null,
  next_at timestamptz not null,
  read_at timestamptz,
  heard_at timestamptz,
  tries int not null default 0,
  pushed_at timestamptz,
  lease_until timestamptz,
  state text not null default 'reading',
  trouble jsonb,
  subscribed_at timestamptz,
  primary key (org_id, channel_id, kind),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  check (kind in ('comment', 'message', 'mention', 'review')),
  check (state in ('reading', 'late', 'reconnect', 'none'))
);
create index inbox_cursor_next on inbox_cursor (next_at);
select tenant_table('inbox_cursor');

create table inbox_day (
  org_id uuid not null,
  id bigint not null generated always as identity,
  project_id uuid not null,
  person_id uuid,
  channel_id uuid not null,
  status text not null,
  day int not null,
  n int not null,
  folded boolean not null default false,
  primary key (org_id, id)
);
create unique index inbox_day_kind on inbox_day (org_id, project_id, person_id, channel_id, status, day) nulls not distinct where folded;
create index inbox_day_new on inbox_day (org_id, id) where (not folded);
create index inbox_day_nothing on inbox_day (org_id) where (folded and (n = 0));
create index inbox_day_project on inbox_day (org_id, project_id, person_id, status, day) include (channel_id, n);
select tenant_table('inbox_day', 'select');

create table inbox_delivery (
  id uuid not null default uuidv7(),
  platform text not null,
  app_key text not null,
  org_id uuid,
  digest bytea not null,
  body text not null,
  received_at timestamptz not null,
  done_at timestamptz,
  primary key (id),
  unique nulls not distinct (platform, app_key, org_id, digest),
  foreign key (org_id) references organization(org_id) on delete cascade
);
create index inbox_delivery_done on inbox_delivery (done_at) where (done_at is not null);
create index inbox_delivery_open on inbox_delivery (id) where (done_at is null);
create index inbox_delivery_org on inbox_delivery (org_id) where (org_id is not null);
select global_table('inbox_delivery');

create table inbox_item (
  org_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  type text not null,
  direction text not null,
  person_id uuid,
  parent_remote_id text,
  text text,
  media jsonb not null default '[]',
  rating int,
  url text,
  at timestamptz not null,
  remote_version bigint not null default 0,
  edited_at timestamptz,
  deleted_at timestamptz,
  hidden boolean not null default false,
  reaction text,
  keep_until timestamptz,
  expired boolean not null default false,
  received_at timestamptz not null,
  held boolean not null default false,
  warning text,
  primary key (org_id, id),
  unique (org_id, channel_id, remote_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, person_id) references inbox_person(org_id, id) on delete set null (person_id),
  check ((hidden or (not held))),
  check (direction in ('received', 'sent')),
  check (((rating >= 1) and (rating <= 5))),
  check (type in ('COMMENT', 'DIRECT_MESSAGE', 'REPLY', 'MENTION_POST', 'MENTION_COMMENT', 'POST', 'FOREIGN_POST', 'REVIEW'))
);
create index inbox_item_conversation on inbox_item (org_id, conversation_id, at, id);
create index inbox_item_held on inbox_item (org_id, conversation_id) where held;
create index inbox_item_hidden on inbox_item (org_id, channel_id, at) where (hidden and (direction = 'received') and (deleted_at is null));
create index inbox_item_keep on inbox_item (keep_until) where (keep_until is not null);
create index inbox_item_person on inbox_item (org_id, person_id) where (person_id is not null);
create index inbox_item_received on inbox_item (org_id, channel_id, at) include (type, conversation_id, person_id, held) where ((direction = 'received') and (deleted_at is null));
create index inbox_item_sent on inbox_item (org_id, channel_id, at) include (type, conversation_id) where ((direction = 'sent') and (deleted_at is null));
select tenant_table('inbox_item');
create trigger item_words after insert or update of text, media, person_id on inbox_item for each row execute function index_item_words();

create table inbox_person (
  org_id uuid not null,
  id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  name text not null,
  handle text not null,
  picture_url text,
  url text,
  keep_until timestamptz,
  primary key (org_id, id),
  unique (org_id, channel_id, remote_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
create index inbox_person_keep on inbox_person (keep_until) where (keep_until is not null);
select tenant_table('inbox_person');
create trigger person_words after update of name, handle on inbox_person for each row when (((old.name is distinct from new.name) or (old.handle is distinct from new.handle))) execute function index_person_words();

create table inbox_push (
  id uuid not null default uuidv7(),
  platform text not null,
  app_key text not null,
  org_id uuid,
  digest bytea not null,
  told jsonb not null,
  received_at timestamptz not null,
  tries int not null default 0,
  failed boolean not null default false,
  done_at timestamptz,
  primary key (id),
  unique nulls not distinct (platform, app_key, org_id, digest),
  foreign key (org_id) references organization(org_id) on delete cascade
);
create index inbox_push_done on inbox_push (done_at) where (done_at is not null);
create index inbox_push_open on inbox_push (tries, id) where (done_at is null);
create index inbox_push_org on inbox_push (org_id) where (org_id is not null);
select global_table('inbox_push');

create table inbox_setting (
  org_id uuid not null,
  project_id uuid not null,
  reply_closes boolean not null default false,
  answer_hours int,
  business_hours jsonb not null default '[[540, 1020], [540, 1020], [540, 1020], [540, 1020], [540, 1020], null, null]',
  primary key (org_id, project_id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (((answer_hours >= 1) and (answer_hours <= 240)))
);
select tenant_table('inbox_setting');

create table inbox_text (
  org_id uuid not null,
  item_id uuid not null,
  conversation_id uuid not null,
  project_id uuid not null,
  words tsvector not null,
  folded boolean not null default true,
  primary key (org_id, item_id),
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, item_id) references inbox_item(org_id, id) on delete cascade
);
create index inbox_text_conversation on inbox_text (org_id, conversation_id);
create index inbox_text_unfolded on inbox_text (org_id, item_id) where (not folded);
create index inbox_text_words on inbox_text using gin (words);
select tenant_table('inbox_text', 'select');

create table inbox_tombstone (
  org_id uuid not null,
  channel_id uuid not null,
  remote_id text not null,
  at timestamptz not null,
  primary key (org_id, channel_id, remote_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
create index inbox_tombstone_at on inbox_tombstone (at);
select tenant_table('inbox_tombstone');

create table insight_goal (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  figure text not null,
  target bigint not null,
  from_day date not null,
  to_day date not null,
  platform text,
  channel_ids uuid[],
  created_by uuid,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check ((cardinality(channel_ids) > 0)),
  check ((to_day >= from_day)),
  check (((platform is null) or (channel_ids is null))),
  check ((target > 0))
);
create index insight_goal_project on insight_goal (org_id, project_id, created_at);
select tenant_table('insight_goal');

create table insight_sync (
  org_id uuid not null,
  channel_id uuid not null,
  kind text not null,
  read_to date,
  until_day date,
  next_at timestamptz,
  read_at timestamptz,
  tries int not null default 0,
  state text not null default 'waiting',
  problem jsonb,
  cursor text,
  wanted int,
  imported int,
  primary key (org_id, channel_id, kind),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  check (kind in ('days', 'history', 'audience', 'posts')),
  check (state in ('waiting', 'reading', 'done', 'late', 'rights', 'off'))
);
create index insight_sync_next on insight_sync (kind, next_at) where (next_at is not null);
select tenant_table('insight_sync', 'select, update');
create trigger tell_figures_delete after delete on insight_sync referencing old table as gone for each statement execute function tell_figures_of_insight_sync_delete();
create trigger tell_figures_insert after insert on insight_sync referencing new table as come for each statement execute function tell_figures_of_insight_sync_insert();
create trigger tell_figures_update after update on insight_sync referencing new table as come for each statement execute function tell_figures_of_insight_sync_update();

create table instance (
  id boolean not null default true,
  system_identifier text not null,
  timeline int not null,
  alive_at timestamptz not null,
  held_since timestamptz,
  doubted boolean not null default false,
  zone_data text not null default '',
  primary key (id),
  check (id)
);
select global_table('instance');
grant select on instance to rookery_app;

create table instance_app (
  platform text not null,
  origin text not null,
  redirect_uri text not null,
  key_id text not null,
  sealed bytea not null,
  made_at timestamptz not null,
  checked_at timestamptz,
  primary key (platform, origin, redirect_uri)
);
select global_table('instance_app');

create table invite (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  email text not null,
  role_id uuid,
  channel_ids uuid[],
  publishing text not null default 'full',
  invited_by uuid not null,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  accepted_at timestamptz,
  accepted_by uuid,
  revoked_at timestamptz,
  primary key (org_id, id),
  foreign key (accepted_by) references person(id),
  foreign key (invited_by) references person(id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, role_id) references role(org_id, id) on delete set null (role_id),
  check (((role_id is not null) or (accepted_at is not null) or (revoked_at is not null))),
  check ((email = lower(email))),
  check (publishing in ('full', 'none'))
);
create index invite_accepted_by on invite (accepted_by) where (accepted_by is not null);
create index invite_address on invite (email);
create index invite_email on invite (email) where ((accepted_at is null) and (revoked_at is null));
create unique index invite_id on invite (id);
create unique index invite_open on invite (org_id, project_id, email) where ((accepted_at is null) and (revoked_at is null));
create index invite_role on invite (org_id, role_id);
select tenant_table('invite');

create table invoice_counter (
  is_only boolean not null default true,
  last bigint not null default 0,
  primary key (is_only),
  check (is_only)
);
select global_table('invoice_counter');

create table kill_switch (
  scope text not null,
  name text not null default '',
  reason text,
  since timestamptz not null,
  cause text not null default 'operator',
  primary key (scope, name),
  check (cause in ('operator', 'restore', 'deletion')),
  check (((cause = 'operator') = (reason is not null))),
  check (scope in ('all', 'platform', 'credentials', 'organization'))
);
select global_table('kill_switch');
grant select on kill_switch to rookery_app;

create table label (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  color text not null,
  state text not null default 'ACTIVE',
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (state in ('ACTIVE', 'ARCHIVED'))
);
create unique index label_name on label (org_id, project_id, lower(name));
select tenant_table('label');

create table lane (
  org_id uuid not null,
  channel_id uuid not null,
  platform text not null,
  credentials text not null default 'own',
  wake_at timestamptz,
  paused boolean not null default false,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
create index lane_credentials on lane (org_id, platform, credentials) where (credentials <> 'own');
create index lane_shared on lane (platform, credentials, wake_at);
create index lane_wake on lane (platform, wake_at) where (wake_at is not null);
select tenant_table('lane');

create table link_setting (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  channel_id uuid,
  tags jsonb not null,
  shorten boolean not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  unique nulls not distinct (org_id, project_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
select tenant_table('link_setting');

create table login_challenge (
  token_hash bytea not null,
  person_id uuid not null,
  attempts int not null default 0,
  expires_at timestamptz not null,
  primary key (token_hash),
  foreign key (person_id) references person(id) on delete cascade
);
create index login_challenge_person on login_challenge (person_id);
select global_table('login_challenge');

create table measured_post (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  channel_id uuid not null,
  elsewhere boolean not null,
  remote_id text,
  post_type text not null,
  published_at timestamptz not null,
  shown_at timestamptz not null,
  listed boolean not null default true,
  metrics_at timestamptz,
  gone_at timestamptz,
  excerpt text,
  permalink text,
  picture_url text,
  hashtags text[] not null default '{}',
  found_at timestamptz,
  text_length int,
  media text,
  primary key (org_id, id),
  unique (org_id, channel_id, remote_id),
  check (media in ('text', 'picture', 'pictures', 'video', 'document', 'mixed'))
);
create index measured_post_due on measured_post (org_id, channel_id, metrics_at) where (metrics_at is not null);
create index measured_post_hashtags on measured_post using gin (hashtags) where (hashtags <> '{}');
create index measured_post_shapes on measured_post (org_id, project_id, shown_at, id) include (post_type, media, text_length);
select tenant_table('measured_post', 'select');
grant update (metrics_at) on measured_post to rookery_app;
create trigger figures_of_new_posts after insert on measured_post referencing new table as come for each statement execute function figures_of_new_posts();
create trigger figures_of_post after update of listed, shown_at, channel_id on measured_post for each row when (((old.listed <> new.listed) or (old.shown_at <> new.shown_at) or (old.channel_id <> new.channel_id))) execute function figures_of_post();
create trigger tell_bio_of_post after update of listed, gone_at on measured_post for each row when (((old.listed <> new.listed) or ((old.gone_at is null) <> (new.gone_at is null)))) execute function tell_bio_of_post();

create table member (
  org_id uuid not null,
  person_id uuid not null,
  is_admin boolean not null default false,
  added_at timestamptz not null,
  removed_at timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  locked_admin boolean not null default false,
  primary key (org_id, person_id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade
);
create index member_person on member (person_id) where (removed_at is null);
select tenant_table('member');
create trigger keep_locked_member before update of is_admin, plan_locked, removed_at on member for each row execute function keep_locked_member();

create table node (
  id uuid not null,
  role text not null,
  pool_id text,
  host text not null default '',
  started_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (id),
  check (role in ('publishing', 'jobs'))
);
select global_table('node');

create table note (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  post_id uuid,
  parent_id uuid,
  author_id uuid not null,
  body text not null,
  mentions uuid[] not null default '{}',
  created_at timestamptz not null,
  edited_at timestamptz,
  conversation_id uuid,
  discussion_id uuid,
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, discussion_id) references discussion(org_id, id) on delete cascade,
  foreign key (org_id, parent_id) references note(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade,
  constraint note_about check ((num_nonnulls(post_id, conversation_id, discussion_id) = 1))
);
create index note_author on note (org_id, author_id, created_at);
create index note_conversation on note (org_id, conversation_id, created_at) where (conversation_id is not null);
create index note_discussion on note (org_id, discussion_id, created_at) where (discussion_id is not null);
create index note_parent on note (org_id, parent_id, created_at) where (parent_id is not null);
create index note_post on note (org_id, post_id, created_at);
select tenant_table('note');

create table notice (
  org_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  project_id uuid,
  channel_ids uuid[],
  dedupe_key text not null,
  kind text not null,
  params jsonb not null,
  count int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  read_at timestamptz,
  in_app boolean not null default true,
  mail_due_at timestamptz,
  mail_id uuid,
  mailed_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade
);
create unique index notice_dedupe_key on notice (org_id, person_id, dedupe_key);
create index notice_mail_due on notice (mail_due_at) where (mail_due_at is not null);
create index notice_person on notice (org_id, person_id, updated_at desc);
select tenant_table('notice');

create table notice_preference (
  person_id uuid not null,
  topic text not null,
  in_app boolean not null,
  mail boolean not null,
  primary key (person_id, topic),
  foreign key (person_id) references person(id) on delete cascade
);
alter table notice_preference enable row level security;
alter table notice_preference force row level security;
create policy colleagues on notice_preference for select to rookery_app using ((exists ( select 1
   from member m
  where ((m.org_id = (current_setting('app.org_id'))::uuid) and (m.person_id = notice_preference.person_id)))));
create policy everything on notice_preference to rookery_owner, rookery_system using (true) with check (true);
grant select on notice_preference to rookery_app;
grant select, insert, update, delete on notice_preference to rookery_system;

create table org_export (
  org_id uuid not null,
  id uuid not null,
  status text not null default 'waiting',
  progress int not null default 0,
  bytes bigint,
  requested_by uuid not null,
  requested_at timestamptz not null,
  expires_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check (status in ('waiting', 'running', 'ready', 'failed', 'gone'))
);
create index org_export_expiry on org_export (expires_at) where (status = 'ready');
create unique index org_export_one on org_export (org_id) where status in ('waiting', 'running');
select tenant_table('org_export');

create table organization (
  org_id uuid not null,
  name text not null,
  org_type text not null,
  org_size text not null,
  requires_second_factor boolean not null default false,
  billing_details jsonb,
  created_at timestamptz not null,
  created_by uuid not null,
  deletes_at timestamptz,
  inbox_keep_days int not null default 730,
  inbox_kept_days int not null default 730,
  primary key (org_id),
  foreign key (created_by) references person(id),
  check (((inbox_keep_days >= 1) and (inbox_keep_days <= 1830))),
  check (org_type in ('organization', 'individual'))
);
create index organization_deletes on organization (deletes_at) where (deletes_at is not null);
create index organization_keeping on organization (org_id) where (inbox_keep_days <> inbox_kept_days);
select tenant_table('organization');
create trigger tell_bio_of_organization after update of deletes_at on organization for each row when ((old.deletes_at is distinct from new.deletes_at)) execute function tell_bio_of_organization();

create table organization_brand (
  org_id uuid not null,
  accent text,
  logo_id uuid,
  logo bytea,
  updated_at timestamptz not null,
  primary key (org_id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check (((logo_id is null) = (logo is null)))
);
select tenant_table('organization_brand');

create table passkey (
  id uuid not null,
  person_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  primary key (id),
  unique (credential_id),
  foreign key (person_id) references person(id) on delete cascade
);
create index passkey_person on passkey (person_id);
select global_table('passkey');

create table passkey_challenge (
  challenge_hash bytea not null,
  person_id uuid,
  expires_at timestamptz not null,
  primary key (challenge_hash),
  foreign key (person_id) references person(id) on delete cascade
);
select global_table('passkey_challenge');

create table pending_change (
  org_id uuid not null,
  person_id uuid not null,
  kind text not null,
  subscription_id text not null,
  version int not null,
  wanted jsonb not null,
  bill jsonb not null,
  made_at timestamptz not null,
  primary key (org_id, person_id, kind),
  foreign key (org_id) references organization(org_id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade,
  check (kind in ('addons', 'annual', 'team'))
);
select tenant_table('pending_change');

create table person (
  id uuid not null,
  email text not null,
  pending_email text,
  password_hash text not null,
  first_name text not null,
  last_name text not null,
  picture_id uuid,
  confirmed_at timestamptz,
  signup_invite_id uuid,
  setup_completed boolean not null default false,
  setup_features text[] not null default '{}',
  last_org_id uuid,
  last_project_id uuid,
  totp_sealed bytea,
  totp_key_id text,
  totp_confirmed_at timestamptz,
  totp_pending_sealed bytea,
  totp_pending_key_id text,
  totp_pending_at timestamptz,
  totp_last_step bigint,
  created_at timestamptz not null,
  primary key (id),
  check ((email = lower(email))),
  check ((pending_email = lower(pending_email))),
  constraint person_totp_whole check ((((totp_sealed is null) = (totp_key_id is null)) and ((totp_sealed is null) = (totp_confirmed_at is null))))
);
create unique index person_email on person (email);
alter table person enable row level security;
alter table person force row level security;
create policy colleagues on person for select to rookery_app using ((exists ( select 1
   from member m
  where ((m.org_id = (current_setting('app.org_id'))::uuid) and (m.person_id = person.id)))));
create policy everything on person to rookery_owner, rookery_system using (true) with check (true);
grant select (id, email, first_name, last_name, picture_id) on person to rookery_app;
grant select, insert, update, delete on person to rookery_system;
create trigger person_renamed after update of first_name, last_name on person for each row when (((old.first_name is distinct from new.first_name) or (old.last_name is distinct from new.last_name))) execute function tell_renamed_person();

create table person_picture (
  id uuid not null,
  person_id uuid not null,
  bytes bytea not null,
  created_at timestamptz not null,
  primary key (id),
  foreign key (person_id) references person(id) on delete cascade
);
create index person_picture_person on person_picture (person_id);
select global_table('person_picture');

create table plan (
  org_id uuid not null,
  plan_id text not null,
  status text not null,
  addon_quantity int not null default 0,
  trial_ends_at timestamptz,
  changed_at timestamptz not null,
  primary key (org_id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check ((addon_quantity >= 0)),
  check (plan_id in ('free', 'individual', 'team')),
  check (status in ('ACTIVE', 'TRIAL_ACTIVE', 'TRIAL_EXPIRED', 'PAST_DUE', 'CANCEL_SCHEDULED', 'CANCELLED'))
);
select tenant_table('plan', 'select, insert, update');

create table post (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  batch_id uuid,
  channel_id uuid,
  author_id uuid not null,
  origin text not null default 'person',
  state text not null,
  deleted_from text,
  post_type text not null,
  contents jsonb not null,
  details jsonb not null default '{}',
  first_comment text not null default '',
  mentions jsonb not null default '[]',
  draft jsonb,
  excerpt text not null default '',
  images int not null default 0,
  schedule jsonb not null,
  wall_time text,
  zone text not null,
  due_at timestamptz,
  shown_at timestamptz not null,
  queue_order bigint,
  series_id uuid,
  series_index int,
  series_count int,
  series_apart boolean not null default false,
  version int not null default 1,
  remote_id text,
  permalink text,
  published_at timestamptz,
  failure jsonb,
  warning jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  month_item text,
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, batch_id) references batch(org_id, id),
  foreign key (org_id, channel_id) references channel(org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, series_id) references series(org_id, id),
  check (((channel_id is not null) or state in ('DRAFTS', 'DELETED'))),
  check (origin in ('person', 'ai')),
  check (state in ('DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'PROCESSING', 'UNCONFIRMED', 'PUBLISHED', 'FAILED', 'DELETED'))
);
create index post_author on post (org_id, project_id, author_id);
create index post_batch on post (org_id, batch_id);
create index post_overdue on post (due_at) where state in ('SCHEDULED', 'QUEUED');
create index post_planned on post (due_at, id) where (state in ('DRAFTS', 'NEEDS_APPROVAL', 'APPROVED', 'REJECTED') and (wall_time is not null));
create index post_processing on post (org_id, id) where (state = 'PROCESSING');
create index post_published on post (published_at) where (state = 'PUBLISHED');
create index post_remote on post (org_id, channel_id, remote_id) where (remote_id is not null);
create index post_series on post (org_id, series_id, channel_id, series_index) where (series_id is not null);
create index post_shown on post (org_id, project_id, shown_at, id) include (state, channel_id, author_id);
create index post_state on post (org_id, project_id, state, shown_at);
create index post_waiting on post (org_id, channel_id, state, due_at) where state in ('DRAFTS', 'NEEDS_APPROVAL', 'REJECTED', 'APPROVED', 'SCHEDULED', 'QUEUED', 'FAILED');
select tenant_table('post');
create trigger check_transition before update of state on post for each row when (((old.state <> new.state) and (not post_may_become(old.state, new.state)) and CURRENT_USER in ('rookery_app'::name, 'rookery_system'::name))) execute function refuse_transition();
create trigger count_lost_posts after delete on post referencing old table as gone for each statement execute function count_lost_posts();
create trigger count_moved_posts after update on post referencing old table as gone new table as come for each statement execute function count_moved_posts();
create trigger count_new_posts after insert on post referencing new table as come for each statement execute function count_new_posts();
create trigger delete_deliveries after delete on post referencing old table as gone for each statement execute function delete_deliveries();
create trigger end_boosts_later after update of state on post for each row when (((new.state = 'DELETED') and (old.state = 'PUBLISHED'))) execute function end_boosts_later();
create trigger forget_measured_posts after delete on post referencing old table as gone for each statement execute function forget_measured_posts();
create trigger measure_new_post after insert on post for each row when (((new.state = 'PUBLISHED') and (new.channel_id is not null))) execute function measure_post();
create trigger measure_post after update of state, remote_id, shown_at, published_at, channel_id, post_type, contents on post for each row when (((((old.state = 'PUBLISHED') <> (new.state = 'PUBLISHED')) and ((new.channel_id is not null) or (new.state <> 'PUBLISHED'))) or ((new.state = 'PUBLISHED') and (new.channel_id is not null) and ((((((old.remote_id is distinct from new.remote_id) or (old.shown_at is distinct from new.shown_at)) or (old.published_at is distinct from new.published_at)) or (old.channel_id is distinct from new.channel_id)) or (old.post_type is distinct from new.post_type)) or (old.contents is distinct from new.contents))))) execute function measure_post();
create trigger post_words after insert or update of contents, draft, first_comment on post for each row execute function index_post_words();
create trigger show_in_bio after update of state on post for each row when (((new.state = 'PUBLISHED') and (old.state <> 'PUBLISHED') and (new.details ? 'bioLink'))) execute function show_in_bio();
create trigger show_in_bio_new after insert on post for each row when (((new.state = 'PUBLISHED') and (new.details ? 'bioLink'))) execute function show_in_bio();
create trigger write_month_item before insert or update on post for each row execute function write_month_item();

create table post_asset (
  org_id uuid not null,
  post_id uuid not null,
  asset_id uuid not null,
  primary key (org_id, post_id, asset_id),
  foreign key (org_id, asset_id) references asset(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create index post_asset_asset on post_asset (org_id, asset_id);
select tenant_table('post_asset');

create table post_campaign (
  org_id uuid not null,
  post_id uuid not null,
  campaign_id uuid not null,
  primary key (org_id, post_id, campaign_id),
  foreign key (org_id, campaign_id) references campaign(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create index post_campaign_campaign on post_campaign (org_id, campaign_id, post_id);
select tenant_table('post_campaign');

create table post_click (
  org_id uuid not null,
  post_id uuid not null,
  name text not null,
  day date not null,
  n bigint not null,
  told bigint not null default 0,
  primary key (org_id, post_id, name, day),
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade,
  check (name in ('shortLinkClicks', 'bioClicks'))
);
create index post_click_untold on post_click (org_id, post_id) where (n <> told);
select tenant_table('post_click', 'select');
create trigger tell_figures_delete after delete on post_click referencing old table as gone for each statement execute function tell_figures_of_post_click_delete();
create trigger tell_figures_insert after insert on post_click referencing new table as come for each statement execute function tell_figures_of_post_click_insert();
create trigger tell_figures_update after update on post_click referencing new table as come for each statement execute function tell_figures_of_post_click_update();

create table post_count (
  org_id uuid not null,
  id uuid not null default uuidv7(),
  project_id uuid not null,
  channel_id uuid,
  author_id uuid,
  day date not null,
  state text not null,
  n int not null,
  folded boolean not null default false,
  primary key (org_id, id)
);
create index post_count_day on post_count (org_id, project_id, state, day);
create index post_count_new on post_count (org_id, id) where (not folded);
select tenant_table('post_count', 'select');

create unlogged table post_editor (
  org_id uuid not null,
  post_id uuid not null,
  person_id uuid not null,
  until timestamptz not null,
  primary key (org_id, post_id, person_id),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade
);
select tenant_table('post_editor');

create table post_event (
  org_id uuid not null,
  post_id uuid not null,
  id uuid not null,
  kind text not null,
  at timestamptz not null,
  person_id uuid,
  due_at timestamptz,
  detail jsonb,
  primary key (org_id, post_id, id),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
select tenant_table('post_event', 'select, insert');

create table post_figure (
  org_id uuid not null,
  post_id uuid not null,
  name text not null,
  project_id uuid not null,
  channel_id uuid not null,
  shown_at timestamptz not null,
  value bigint not null,
  part bigint,
  whole bigint,
  read_at timestamptz,
  figures jsonb,
  primary key (org_id, post_id, name),
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade,
  check (((name = 'published') = (figures is not null)))
);
create index post_figure_shown on post_figure (org_id, project_id, name, shown_at, post_id) include (channel_id, value, part, whole);
create index post_figure_sorted on post_figure (org_id, project_id, name, value, post_id) include (channel_id, shown_at);
select tenant_table('post_figure', 'select');
create trigger add_posts_delete after delete on post_figure referencing old table as gone for each statement execute function add_posts_delete();
create trigger add_posts_insert after insert on post_figure referencing new table as come for each statement execute function add_posts_insert();
create trigger add_posts_update after update on post_figure referencing old table as gone new table as come for each statement execute function add_posts_update();
create trigger tell_figures_delete after delete on post_figure referencing old table as gone for each statement execute function tell_figures_of_post_figure_delete();
create trigger tell_figures_insert after insert on post_figure referencing new table as come for each statement execute function tell_figures_of_post_figure_insert();
create trigger tell_figures_update after update on post_figure referencing new table as come for each statement execute function tell_figures_of_post_figure_update();

create table post_label (
  org_id uuid not null,
  post_id uuid not null,
  label_id uuid not null,
  primary key (org_id, post_id, label_id),
  foreign key (org_id, label_id) references label(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create index post_label_label on post_label (org_id, label_id, post_id);
select tenant_table('post_label');

create table post_metric (
  org_id uuid not null,
  post_id uuid not null,
  figures jsonb not null,
  read_at timestamptz not null,
  after_gap boolean not null default false,
  since timestamptz,
  primary key (org_id, post_id, read_at),
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade
);
select tenant_table('post_metric', 'select');
create trigger count_figures_delete after delete on post_metric referencing old table as gone for each statement execute function count_figures_delete();
create trigger count_figures_insert after insert on post_metric referencing new table as come for each statement execute function count_figures_insert();
create trigger count_figures_update after update on post_metric referencing old table as gone new table as come for each statement execute function count_figures_update();
create trigger figures_of_readings_delete after delete on post_metric referencing old table as gone for each statement execute function figures_of_readings_delete();
create trigger figures_of_readings_insert after insert on post_metric referencing new table as come for each statement execute function figures_of_readings_insert();
create trigger figures_of_readings_update after update on post_metric referencing old table as gone new table as come for each statement execute function figures_of_readings_update();
create trigger tell_figures_delete after delete on post_metric referencing old table as gone for each statement execute function tell_figures_of_post_metric_delete();
create trigger tell_figures_insert after insert on post_metric referencing new table as come for each statement execute function tell_figures_of_post_metric_insert();
create trigger tell_figures_update after update on post_metric referencing new table as come for each statement execute function tell_figures_of_post_metric_update();

create table post_text (
  org_id uuid not null,
  post_id uuid not null,
  project_id uuid not null,
  words tsvector not null,
  folded boolean not null default true,
  primary key (org_id, post_id),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create index post_text_unfolded on post_text (org_id, post_id) where (not folded);
create index post_text_words on post_text using gin (words);
select tenant_table('post_text', 'select');

create table project (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  description text not null default '',
  zone text not null,
  onboarding_step text not null default 'addChannels',
  created_at timestamptz not null,
  created_by uuid not null,
  deleted_at timestamptz,
  plan_locked boolean not null default false,
  locked_at timestamptz,
  primary key (org_id, id),
  foreign key (created_by) references person(id),
  foreign key (org_id) references organization(org_id) on delete cascade
);
create unique index project_name on project (org_id, lower(name)) where (deleted_at is null);
select tenant_table('project');
create trigger forget_counts after delete on project for each row execute function forget_counts();
create trigger forget_inbox_counts after delete on project for each row execute function forget_inbox_counts();
create trigger recount_days after update of zone on project for each row when ((old.zone <> new.zone)) execute function recount_days();
create trigger tell_bio_of_project after update of deleted_at, zone on project for each row when (((old.deleted_at is distinct from new.deleted_at) or (old.zone <> new.zone))) execute function tell_bio_of_organization();

create table project_member (
  org_id uuid not null,
  project_id uuid not null,
  person_id uuid not null,
  role_id uuid,
  channel_ids uuid[],
  publishing text not null default 'full',
  added_at timestamptz not null,
  locked_role_id uuid,
  primary key (org_id, project_id, person_id),
  foreign key (org_id, locked_role_id) references role(org_id, id),
  foreign key (org_id, person_id) references member(org_id, person_id) on delete cascade,
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, role_id) references role(org_id, id),
  check (publishing in ('full', 'none'))
);
create index project_member_locked_role on project_member (org_id, locked_role_id) where (locked_role_id is not null);
create index project_member_person on project_member (org_id, person_id);
create index project_member_role on project_member (org_id, role_id);
select tenant_table('project_member');
create trigger keep_locked_role before insert or update of role_id on project_member for each row execute function keep_locked_role();

create table provider_event (
  id text not null,
  provider text not null,
  type text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  payload jsonb not null,
  org_id uuid,
  outcome text,
  settled_at timestamptz,
  primary key (id),
  foreign key (org_id) references organization(org_id) on delete set null,
  check (outcome in ('applied', 'skipped', 'unknown')),
  check ((provider = 'paddle'))
);
create index provider_event_open on provider_event (received_at) where (outcome is null);
create index provider_event_org on provider_event (org_id) where (org_id is not null);
select global_table('provider_event');

create table punctuality (
  hour timestamptz not null,
  platform text not null,
  posts int not null default 0,
  buckets int[] not null default array_fill(0, array[32]),
  primary key (hour, platform)
);
select global_table('punctuality');

create table push_address (
  platform text not null,
  account text not null,
  address text not null,
  key_id text not null,
  sealed bytea not null,
  server_key text,
  primary key (platform, account),
  unique (address)
);
select global_table('push_address');

create table queue (
  org_id uuid not null,
  channel_id uuid not null,
  zone text not null,
  slots jsonb not null default '[]',
  paused boolean not null default false,
  version int not null default 1,
  primary key (org_id, channel_id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('queue');

create table recovery_code (
  person_id uuid not null,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (person_id, code_hash),
  foreign key (person_id) references person(id) on delete cascade
);
select global_table('recovery_code');

create table reply (
  org_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  channel_id uuid not null,
  item_id uuid,
  author_id uuid not null,
  text text not null,
  asset_ids uuid[] not null default '{}',
  state text not null default 'PENDING',
  failure jsonb,
  response_id uuid,
  created_at timestamptz not null,
  sent_at timestamptz,
  remote_id text,
  closes boolean,
  alt_texts jsonb not null default '{}',
  primary key (org_id, id),
  foreign key (author_id) references person(id),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade,
  foreign key (org_id, conversation_id) references conversation(org_id, id) on delete cascade,
  foreign key (org_id, item_id) references inbox_item(org_id, id) on delete set null (item_id),
  check (state in ('PENDING', 'SENDING', 'SENT', 'UNCONFIRMED', 'FAILED', 'CANCELLED', 'DELETED'))
);
create index reply_conversation on reply (org_id, conversation_id, created_at);
create index reply_item on reply (org_id, item_id) where (item_id is not null);
create unique index reply_remote on reply (org_id, channel_id, remote_id) where (remote_id is not null);
create index reply_unsent on reply (org_id, conversation_id) where state in ('FAILED', 'UNCONFIRMED');
select tenant_table('reply');
create trigger tell_lost_replies after delete on reply referencing old table as gone for each statement execute function tell_lost_replies();

create table report (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  content jsonb not null,
  version int not null default 1,
  created_at timestamptz not null,
  created_by uuid,
  updated_at timestamptz not null,
  updated_by uuid,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create index report_project on report (org_id, project_id, updated_at);
select tenant_table('report');

create table report_file (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  rights jsonb not null,
  media_key text,
  bytes int not null,
  pages int not null,
  created_at timestamptz not null,
  not_final jsonb not null default '[]',
  primary key (org_id, id),
  foreign key (org_id, run_id) references report_run(org_id, id) on delete cascade
);
create index report_file_kept on report_file (created_at) where (media_key is not null);
create unique index report_file_rights on report_file (org_id, run_id, rights);
select tenant_table('report_file');
create trigger note_report_file after delete on report_file for each row when ((old.media_key is not null)) execute function note_report_file();

create table report_file_gone (
  media_key text not null,
  primary key (media_key)
);
select global_table('report_file_gone');

create table report_link (
  org_id uuid not null,
  id uuid not null,
  report_id uuid not null,
  name text not null,
  token_hash bytea not null,
  person_id uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  opened_at timestamptz,
  last_opened_at timestamptz,
  primary key (org_id, id),
  unique (token_hash),
  foreign key (org_id, report_id) references report(org_id, id) on delete cascade
);
create index report_link_report on report_link (org_id, report_id, created_at);
select tenant_table('report_link');

create table report_mail (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  recipient_id uuid not null,
  email text not null,
  person_id uuid,
  file_id uuid,
  message_id text not null,
  state text not null,
  reason text,
  at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, run_id, recipient_id),
  foreign key (org_id, file_id) references report_file(org_id, id) on delete set null (file_id),
  foreign key (org_id, run_id) references report_run(org_id, id) on delete cascade,
  check (state in ('pending', 'sending', 'sent', 'unconfirmed', 'refused', 'failed', 'left_out'))
);
create index report_mail_file on report_mail (org_id, file_id) where (file_id is not null);
select tenant_table('report_mail');

create table report_recipient (
  org_id uuid not null,
  id uuid not null,
  schedule_id uuid not null,
  person_id uuid,
  email text,
  token_hash bytea,
  asked_at timestamptz,
  confirmed_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  removed_at timestamptz,
  primary key (org_id, id),
  unique (token_hash),
  foreign key (org_id, schedule_id) references report_schedule(org_id, id) on delete cascade,
  check (((person_id is null) <> (email is null))),
  check (((email is null) or (token_hash is not null)))
);
create index report_recipient_address on report_recipient (email) where (email is not null);
create unique index report_recipient_email on report_recipient (org_id, schedule_id, email) where (email is not null);
create index report_recipient_member on report_recipient (person_id) where (person_id is not null);
create unique index report_recipient_person on report_recipient (org_id, schedule_id, person_id) where (person_id is not null);
create index report_recipient_schedule on report_recipient (org_id, schedule_id);
select tenant_table('report_recipient');

create table report_run (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  schedule_id uuid not null,
  due_at timestamptz not null,
  asked boolean not null default false,
  from_day date not null,
  to_day date not null,
  state text not null,
  reason text,
  not_final jsonb not null default '[]',
  wait_until timestamptz,
  next_try_at timestamptz,
  tries int not null default 0,
  fence int not null default 0,
  lease_until timestamptz,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (org_id, id),
  unique (org_id, schedule_id, due_at),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, schedule_id) references report_schedule(org_id, id) on delete cascade,
  check (state in ('waiting', 'making', 'sending', 'done', 'failed', 'skipped'))
);
create index report_run_open on report_run (next_try_at) where state in ('waiting', 'making', 'sending');
create index report_run_project on report_run (org_id, project_id);
create index report_run_schedule on report_run (org_id, schedule_id, due_at);
select tenant_table('report_run');

create table report_schedule (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  report_id uuid not null,
  owner_id uuid not null,
  frequency text not null,
  day int not null,
  wall_time text not null,
  zone text not null,
  wait_days int not null,
  next_due_at timestamptz not null,
  paused text,
  paused_at timestamptz,
  version int not null default 1,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, report_id) references report(org_id, id) on delete cascade,
  check (
case frequency
    when 'weekly' then ((day >= 0) and (day <= 6))
    else ((day >= 1) and (day <= 31))
end),
  check (((paused is null) = (paused_at is null))),
  check (frequency in ('weekly', 'monthly')),
  check (paused in ('person', 'plan', 'owner')),
  check (((wait_days >= 0) and (wait_days <= 7)))
);
create index report_schedule_due on report_schedule (next_due_at) where (paused is distinct from 'person');
create index report_schedule_project on report_schedule (org_id, project_id);
create index report_schedule_report on report_schedule (org_id, report_id);
select tenant_table('report_schedule');

create table reset_link (
  token_hash bytea not null,
  person_id uuid not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (token_hash),
  foreign key (person_id) references person(id) on delete cascade
);
select global_table('reset_link');

create table role (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  kind text not null,
  permissions jsonb not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check (kind in ('admin', 'editor', 'user', 'custom'))
);
create unique index role_name on role (org_id, project_id, lower(name));
create unique index role_system on role (org_id, project_id, kind) where (kind <> 'custom');
select tenant_table('role');

create table saved_view (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  person_id uuid not null,
  name text not null,
  page text not null,
  search text not null,
  created_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (person_id) references person(id) on delete cascade,
  check (page in ('calendar', 'posts', 'inbox', 'insights'))
);
create unique index saved_view_name on saved_view (org_id, project_id, person_id, page, lower(name));
select tenant_table('saved_view');

create table series (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  recurrence jsonb not null,
  created_at timestamptz not null,
  created_by uuid not null,
  primary key (org_id, id),
  foreign key (created_by) references person(id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
select tenant_table('series');

create table session (
  id uuid not null,
  token_hash bytea not null,
  person_id uuid not null,
  client text not null default '',
  second_factor boolean not null default false,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id),
  unique (token_hash),
  foreign key (person_id) references person(id) on delete cascade
);
create index session_person on session (person_id);
create index session_seen on session (last_seen_at);
select global_table('session');

create table short_link (
  org_id uuid not null,
  code text not null,
  project_id uuid not null,
  post_id uuid not null,
  url text not null,
  created_at timestamptz not null,
  blocked_at timestamptz,
  primary key (org_id, code),
  unique (code),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create unique index short_link_url on short_link (org_id, post_id, md5(url));
select tenant_table('short_link');

create table subscription (
  org_id uuid not null,
  id text not null,
  provider text not null,
  customer_id text,
  version int not null default 1,
  billing_interval text,
  anchor timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  canceled_at timestamptz,
  ends_with_org boolean not null default false,
  credits jsonb not null default '{}',
  paid_items jsonb not null default '[]',
  planned jsonb,
  renews jsonb,
  overdue jsonb,
  overdue_transaction text,
  due_at timestamptz,
  payment_method jsonb,
  event_at timestamptz,
  changed_at timestamptz not null,
  primary key (org_id),
  unique (id),
  foreign key (org_id) references organization(org_id) on delete cascade,
  check (billing_interval in ('monthly', 'annual')),
  check (provider in ('local', 'paddle'))
);
create index subscription_due on subscription (due_at) where (due_at is not null);
select tenant_table('subscription', 'select, insert, update');

create table trial_channel (
  platform text not null,
  remote_id text not null,
  org_id uuid not null,
  primary key (platform, remote_id)
);
select global_table('trial_channel');

create table verification_code (
  person_id uuid not null,
  code_hash bytea not null,
  email text not null,
  attempts int not null default 0,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (person_id),
  foreign key (person_id) references person(id) on delete cascade
);
select global_table('verification_code');

create table visitor_salt (
  day date not null,
  salt bytea not null,
  primary key (day)
);
select global_table('visitor_salt');

create table workflow (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  is_default boolean not null default false,
  steps jsonb not null,
  created_at timestamptz not null,
  deleted_at timestamptz,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade
);
create unique index workflow_default on workflow (org_id, project_id) where is_default;
create unique index workflow_name on workflow (org_id, project_id, lower(name)) where (deleted_at is null);
select tenant_table('workflow');

-- Functions
--   absorb_measured(org uuid, ours uuid, twin uuid) returns void; called by nobody
--   add_posts_delete() returns trigger; called by nobody; runs as its owner
--   add_posts_insert() returns trigger; called by nobody; runs as its owner
--   add_posts_update() returns trigger; called by nobody; runs as its owner
--   added_amounts(one bytea, other bytea) returns bytea; called by everybody
--   added_by_post(name text, value bigint, part bigint, whole bigint) returns table(name text, amount bigint);
--     called by everybody
--   added_counts(one bytea, other bytea) returns bytea; called by everybody
--   begin_changes(moment timestamptz, claims jsonb) returns table(claim jsonb); called by rookery_system
--   begin_posts(moment timestamptz, claims jsonb) returns table(claim jsonb); called by rookery_system
--   begin_replies(moment timestamptz, claims jsonb) returns table(claim jsonb); called by rookery_system
--   begin_subjects(moment timestamptz, claims jsonb) returns table(claim jsonb); called by rookery_system
--   claim_deliveries(moment timestamptz, worker uuid, slots int, transfers int, offers jsonb, look_again interval)
--     returns table(claim jsonb); called by rookery_system
--   claim_delivery(moment timestamptz, worker uuid, wanted jsonb, lease interval, margin interval) returns
--     table(claim jsonb); called by rookery_system
--   claim_trial_channel(platform text, remote_id text) returns boolean; called by rookery_app; runs as its owner
--   conversations_about(channel uuid, remote text) returns setof uuid; called by rookery_app; runs as its owner
--   count_conversations() returns trigger; called by nobody; runs as its owner
--   count_figures_delete() returns trigger; called by nobody; runs as its owner
--   count_figures_insert() returns trigger; called by nobody; runs as its owner
--   count_figures_update() returns trigger; called by nobody; runs as its owner
--   count_inbox(gone conversation[], come conversation[], readers boolean) returns void; called by nobody; runs as
--     its owner
--   count_lost_posts() returns trigger; called by nobody; runs as its owner
--   count_moved_posts() returns trigger; called by nobody; runs as its owner
--   count_new_posts() returns trigger; called by nobody; runs as its owner
--   count_readers_of_gone() returns trigger; called by nobody; runs as its owner
--   count_reads() returns trigger; called by nobody; runs as its owner
--   counted_inbox(org uuid, project uuid) returns table(person_id uuid, channel_id uuid, kind text, open int,
--     received int, unassigned int, waiting int, follow_up int, mine int, seen int); called by nobody; runs as its
--     owner
--   counted_inbox_days(org uuid, project uuid) returns table(person_id uuid, channel_id uuid, status text, day
--     int, n int); called by nobody; runs as its owner
--   day_begins(day date, zone text) returns timestamptz; called by everybody
--   days_of_span(since timestamptz, until timestamptz, zone text) returns table(day date, low numeric, high
--     numeric, length numeric); called by everybody
--   delete_deliveries() returns trigger; called by everybody
--   drop_partitions(parent regclass, unit text, before timestamptz) returns void; called by rookery_system; runs
--     as its owner
--   earlier_reply(place text, name text, OUT body_hash bytea, OUT reply jsonb) returns record; called by everybody
--   end_boosts_later() returns trigger; called by everybody
--   enqueue_job(name text, payload json, key text, run_at timestamptz) returns void; called by rookery_app,
--     rookery_system; runs as its owner
--   ensure_partitions(parent regclass, unit text, at timestamptz, ahead int) returns void; called by
--     rookery_system; runs as its owner
--   enter(token_hash bytea, org uuid, project uuid, at timestamptz) returns json; called by rookery_app; runs as
--     its owner
--   figures_of_new_posts() returns trigger; called by nobody; runs as its owner
--   figures_of_post() returns trigger; called by nobody; runs as its owner
--   figures_of_readings_delete() returns trigger; called by nobody; runs as its owner
--   figures_of_readings_insert() returns trigger; called by nobody; runs as its owner
--   figures_of_readings_update() returns trigger; called by nobody; runs as its owner
--   first_days(one bytea, other bytea, read bytea) returns bytea; called by everybody
--   fold_inbox_counts(org uuid, most int) returns int; called by rookery_system; runs as its owner
--   fold_inbox_days(org uuid, most int) returns int; called by rookery_system; runs as its owner
--   forget_channel_posts() returns trigger; called by nobody; runs as its owner
--   forget_counts() returns trigger; called by nobody; runs as its owner
--   forget_days() returns trigger; called by nobody; runs as its owner
--   forget_inbox_counts() returns trigger; called by nobody; runs as its owner
--   forget_measured_posts() returns trigger; called by nobody; runs as its owner
--   forget_months() returns trigger; called by nobody; runs as its owner
--   global_table(name regclass) returns void; called by everybody
--   hashtag_keys(project uuid, tags text[]) returns text[]; called by everybody
--   inbox_day_of(at timestamptz) returns int; called by everybody
--   index_item_words() returns trigger; called by nobody; runs as its owner
--   index_person_words() returns trigger; called by nobody; runs as its owner
--   index_post_words() returns trigger; called by nobody; runs as its owner
--   item_keys(project uuid, item inbox_item) returns tsvector; called by nobody
--   keep_days() returns trigger; called by nobody; runs as its owner
--   keep_locked_member() returns trigger; called by everybody
--   keep_locked_role() returns trigger; called by everybody
--   latest_days(one bytea, other bytea) returns bytea; called by everybody
--   lock_caps(channels uuid[], one_each boolean, cap int, moment timestamptz) returns table(channel_id uuid,
--     pending int, queued int); called by everybody
--   lock_days(project uuid, alone boolean) returns void; called by everybody
--   lock_inbox_counts(project uuid, alone boolean) returns void; called by nobody
--   lock_subject(subject text, org uuid, subject_id uuid) returns boolean; called by rookery_system
--   lock_subjects(deliveries jsonb) returns void; called by rookery_system
--   measure_post() returns trigger; called by nobody; runs as its owner
--   month_item_of(p post) returns text; called by everybody
--   never_read() returns int; called by everybody
--   next_follow_up(org uuid, post uuid) returns text; called by everybody
--   next_invoice_number() returns bigint; called by rookery_app, rookery_system; runs as its owner
--   note_report_file() returns trigger; called by nobody; runs as its owner
--   others_wait(platform text, credentials text, org uuid, until timestamptz) returns boolean; called by
--     rookery_system
--   packed(days int[], numbers bigint[]) returns bytea; called by everybody
--   packed(days int[], numbers int[], nothing int) returns bytea; called by everybody
--   part_of(gain bigint, low numeric, high numeric, length numeric) returns bigint; called by everybody
--   pending_posts(org uuid, channel uuid, moment timestamptz) returns table(pending int, queued int); called by
--     everybody
--   plan_is_valid(status text, trial_ends_at timestamptz, moment timestamptz) returns boolean; called by everybody
--   post_may_become(was text, becomes text) returns boolean; called by everybody
--   post_stamps(project uuid, ids uuid[]) returns json; called by rookery_app; runs as its owner
--   posts_with_hashtag(project uuid, tag text) returns setof uuid; called by rookery_app; runs as its owner
--   prepare_ahead(images int) returns interval; called by everybody
--   project_events(project uuid, since xid8, kinds text[], most int) returns table(id bigint, kind text, ref text,
--     xid xid8); called by rookery_app; runs as its owner
--   recognize_posts(org uuid, channel uuid) returns void; called by rookery_system; runs as its owner
--   recount_days() returns trigger; called by nobody; runs as its owner
--   recount_inbox(org uuid, project uuid) returns void; called by nobody; runs as its owner
--   recount_project(org uuid, project uuid) returns void; called by nobody; runs as its owner
--   refresh_post_figures(org uuid, posts uuid[]) returns void; called by rookery_system
--   refuse_transition() returns trigger; called by everybody
--   reindex_item_words(org uuid, most int) returns int; called by rookery_system; runs as its owner
--   reindex_post_words(org uuid, most int) returns int; called by rookery_system; runs as its owner
--   release_organization() returns void; called by rookery_app; runs as its owner
--   reply_checks(tokens bytea[], orgs uuid[], projects uuid[], sinces text[], kinds text[], posts text[], at
--     timestamptz, most int) returns table(entered text, events text, stamps text); called by rookery_app; runs as
--     its owner
--   reported_figures(figures jsonb) returns table(name text, value bigint); called by everybody
--   says_of(org uuid, subject text, subject_id uuid, key text) returns text; called by rookery_system
--   search_conversations(project uuid, search text, most int) returns uuid[]; called by rookery_app; runs as its
--     owner
--   search_fold(said text) returns text; called by everybody
--   search_keys(project uuid, said jsonb, comment text) returns tsvector; called by everybody
--   search_posts(project uuid, search text) returns setof uuid; called by rookery_app; runs as its owner
--   search_prefix(project uuid) returns text; called by everybody
--   search_query(project uuid, search text, most int default NULL::int, past int default 0) returns tsquery;
--     called by everybody
--   search_terms(search text) returns text[]; called by everybody
--   search_words(said text) returns text[]; called by everybody
--   seconds_after(day date, at timestamptz) returns int; called by everybody
--   shape_of_post(org uuid, contents jsonb, OUT text_length int, OUT media text) returns record; called by nobody;
--     runs as its owner
--   show_in_bio() returns trigger; called by nobody; runs as its owner
--   stop_organization(at timestamptz) returns void; called by rookery_app; runs as its owner
--   take_back(moment timestamptz, worker uuid, known uuid[], sent_nothing boolean, repeatable text[]) returns int;
--     called by rookery_system
--   take_back_posts(moment timestamptz, taken jsonb) returns void; called by rookery_system
--   take_back_replies(moment timestamptz, taken jsonb) returns void; called by rookery_system
--   take_back_subjects(moment timestamptz, taken jsonb) returns void; called by rookery_system
--   tell_bio(what text, which text) returns void; called by nobody
--   tell_bio_item() returns trigger; called by nobody; runs as its owner
--   tell_bio_of_organization() returns trigger; called by nobody; runs as its owner
--   tell_bio_of_post() returns trigger; called by nobody; runs as its owner
--   tell_bio_page() returns trigger; called by nobody; runs as its owner
--   tell_bio_slug() returns trigger; called by nobody; runs as its owner
--   tell_counts() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_figure_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_figure_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_figure_update() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_channel_update() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_insight_sync_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_insight_sync_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_insight_sync_update() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_click_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_click_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_click_update() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_figure_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_figure_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_figure_update() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_metric_delete() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_metric_insert() returns trigger; called by nobody; runs as its owner
--   tell_figures_of_post_metric_update() returns trigger; called by nobody; runs as its owner
--   tell_lost_replies() returns trigger; called by nobody; runs as its owner
--   tell_renamed_person() returns trigger; called by nobody; runs as its owner
--   tenant_table(name regclass, app_grants text default 'select, insert, update, delete'::text) returns void;
--     called by everybody
--   unlock_channel() returns trigger; called by everybody
--   wake_lanes(channels uuid[], firsts timestamptz[]) returns void; called by everybody
--   without_days(numbers bytea, days int[], nothing bytea) returns bytea; called by everybody
--   write_boosts(moment timestamptz, outcomes jsonb) returns void; called by rookery_system
--   write_month_item() returns trigger; called by everybody
--   write_outcomes(moment timestamptz, outcomes jsonb) returns table(attempt_id uuid); called by rookery_system
--   write_posts(moment timestamptz, outcomes jsonb) returns void; called by rookery_system
--   write_replies(moment timestamptz, outcomes jsonb) returns void; called by rookery_system
--   write_subjects(moment timestamptz, outcomes jsonb) returns void; called by rookery_system
