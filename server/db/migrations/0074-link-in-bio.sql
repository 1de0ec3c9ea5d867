-- Link in bio: public pages of a project with buttons and a grid of published posts (docs/link-in-bio.md).
create table bio_page (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  name text not null,
  about text not null default '',
  picture_asset_id uuid,
  theme text not null,
  -- only its project sees a page that isn't live
  live boolean not null,
  -- whether search engines are asked not to list it
  noindex boolean not null default false,
  -- the number of the next item: an item's address stays its own
  next_number int not null default 1,
  version int not null default 1,
  -- an operator stopped it
  blocked_at timestamptz,
  blocked_reason text,
  created_at timestamptz not null,
  created_by uuid,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  check ((blocked_at is null) = (blocked_reason is null))
);
create index bio_page_project on bio_page (org_id, project_id, created_at);
create index bio_page_picture on bio_page (org_id, picture_asset_id) where picture_asset_id is not null;
select tenant_table('bio_page');

-- The addresses of pages, in the whole installation: a page's own one (`kept_until` is null), and earlier ones, which lead to it until then.
create table bio_slug (
  org_id uuid not null,
  slug text not null,
  project_id uuid not null,
  -- null once its page is deleted: nobody else gets the address until then
  page_id uuid,
  kept_until timestamptz,
  primary key (org_id, slug),
  unique (slug),
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete set null (page_id),
  check (page_id is not null or kept_until is not null)
);
create unique index bio_slug_own on bio_slug (org_id, page_id) where kept_until is null;
create index bio_slug_kept on bio_slug (kept_until) where kept_until is not null;
select tenant_table('bio_slug');

-- Buttons of a page, and posts in its grid.
create table bio_item (
  org_id uuid not null,
  page_id uuid not null,
  number int not null check (number > 0),
  kind text not null check (kind in ('button', 'post')),
  position int not null,
  label text not null,
  url text not null,
  hidden boolean not null default false,
  -- when it's shown: wall times in the zone, and what they were worked out to be
  starts_wall text,
  ends_wall text,
  zone text,
  starts_at timestamptz,
  ends_at timestamptz,
  -- a post that was published, from here or elsewhere
  post_id uuid,
  -- the picture of a post published elsewhere, in the media store
  picture_key text,
  primary key (org_id, page_id, number),
  foreign key (org_id, page_id) references bio_page(org_id, id) on delete cascade,
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade,
  check ((kind = 'post') = (post_id is not null)),
  check ((starts_at is null) = (starts_wall is null)),
  check ((ends_at is null) = (ends_wall is null)),
  check (zone is not null or starts_wall is null and ends_wall is null)
);
create unique index bio_item_post on bio_item (org_id, page_id, post_id) where post_id is not null;
create index bio_item_of_post on bio_item (org_id, post_id) where post_id is not null;
select tenant_table('bio_item');

-- What strangers told the operator about pages. It stays when the page is deleted.
create table bio_report (
  id uuid primary key,
  org_id uuid not null,
  page_id uuid not null,
  slug text not null,
  reason text not null,
  words text not null default '',
  email text,
  created_at timestamptz not null,
  handled_at timestamptz
);
create index bio_report_page on bio_report (page_id, created_at);
select global_table('bio_report');

-- Counts of a page's days in its project's time zone. Number 0 is the page itself.
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

-- Who visited a page today, as a hash with the day's salt; forgotten after the day together with the salt, so nobody can be recognized later.
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

create table visitor_salt (
  day date primary key,
  salt bytea not null
);
select global_table('visitor_salt');

-- Clicks on a post's links that were counted here: days in its project's time zone. `told`: how many of them its figures contain.
create table post_click (
  org_id uuid not null,
  post_id uuid not null,
  name text not null check (name in ('shortLinkClicks', 'bioClicks')),
  day date not null,
  n bigint not null,
  told bigint not null default 0,
  primary key (org_id, post_id, name, day),
  foreign key (org_id, post_id) references measured_post(org_id, id) on delete cascade
);
create index post_click_untold on post_click (org_id, post_id) where n <> told;
select tenant_table('post_click', 'select');

-- The short address of a link in a post: `/s/{code}`.
create table short_link (
  org_id uuid not null,
  code text not null,
  project_id uuid not null,
  post_id uuid not null,
  url text not null,
  created_at timestamptz not null,
  primary key (org_id, code),
  unique (code),
  foreign key (org_id, post_id) references post(org_id, id) on delete cascade
);
create unique index short_link_url on short_link (org_id, post_id, md5(url));
select tenant_table('short_link');

-- What is added to links in posts, and whether they're shortened: of a project, and of single channels instead.
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
  foreign key (org_id, project_id) references project(org_id, id) on delete cascade,
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('link_setting');
