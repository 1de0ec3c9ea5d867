/*
 * Posts whose figures are read: ours, with the ID of the post, and what was published elsewhere on our channels. Triggers keep
 * the rows of ours (functions/measured_posts.sql); the rest is read from the platform. No foreign keys: a check would lock the
 * channel's row while outcomes are written. Triggers delete the rows of posts and channels that are gone.
 */
create table measured_post (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  channel_id uuid not null,
  -- not a post of ours
  elsewhere boolean not null,
  -- of ours it stays when the post leaves its platform, so that nothing takes it for another one. Null: not known
  remote_id text,
  post_type text not null,
  published_at timestamptz not null,
  -- when lists show it: of ours the post's time
  shown_at timestamptz not null,
  -- not one of ours that was deleted here
  listed boolean not null default true,
  -- when its figures are read next; null: never again
  metrics_at timestamptz,
  -- when the platform no longer had it
  gone_at timestamptz,
  -- of those published elsewhere: what people see of them, cut; hashtags as keys of the index
  excerpt text,
  permalink text,
  picture_url text,
  hashtags text[] not null default '{}',
  found_at timestamptz,
  primary key (org_id, id),
  -- so that no post is there twice, whoever saw it first
  unique (org_id, channel_id, remote_id)
);
create index measured_post_due on measured_post (org_id, channel_id, metrics_at) where metrics_at is not null;
create index measured_post_hashtags on measured_post using gin (hashtags) where hashtags <> '{}';
select tenant_table('measured_post', 'select');

-- the conversations about a post that was published elsewhere (functions/measured_posts.sql)
create index conversation_subject on conversation (org_id, channel_id, (subject ->> 'remoteId')) where post_id is null and subject is not null;

insert into measured_post (org_id, id, project_id, channel_id, elsewhere, remote_id, post_type, published_at, shown_at, listed, metrics_at)
select p.org_id, p.id, p.project_id, p.channel_id, false,
  case when row_number() over (partition by p.org_id, p.channel_id, p.remote_id order by p.state = 'PUBLISHED' desc, p.id) = 1 then p.remote_id end,
  p.post_type, coalesce(p.published_at, p.shown_at), p.shown_at, p.state = 'PUBLISHED', p.metrics_at
from post p where p.channel_id is not null and (p.state = 'PUBLISHED' or exists (select from post_metric m where m.org_id = p.org_id and m.post_id = p.id));
update measured_post set metrics_at = null where remote_id is null;

delete from post_metric m where not exists (select from measured_post p where p.org_id = m.org_id and p.id = m.post_id);
alter table post_metric drop constraint post_metric_org_id_post_id_fkey;
alter table post_metric add foreign key (org_id, post_id) references measured_post on delete cascade;
alter table post_figure drop constraint post_figure_org_id_post_id_fkey;
alter table post_figure add foreign key (org_id, post_id) references measured_post on delete cascade;

drop trigger if exists read_metrics_later on post;
drop function if exists read_metrics_later();
drop trigger if exists figures_of_new_post on post;
drop trigger if exists figures_of_post on post;
drop function if exists figures_of_post();
drop index post_metrics_channel;
alter table post drop column metrics_at;

-- `posts`: what was published elsewhere. The newest `wanted` posts, page by page from `cursor`, of which `imported` were read;
-- then once a day what is new.
alter table insight_sync add column cursor text;
alter table insight_sync add column wanted int;
alter table insight_sync add column imported int;
alter table insight_sync drop constraint insight_sync_kind_check;
alter table insight_sync add constraint insight_sync_kind_check check (kind in ('days', 'history', 'audience', 'posts'));
-- people ask for more posts
grant update on insight_sync to rookery_app;
