/*
 * The hashtags that a channel asked its platform for, which counts how many different ones there are in 7 days (docs/insights.md, Brand
 * spotlight). Nothing of what was found is kept.
 */
create table hashtag_search (
  org_id uuid not null,
  channel_id uuid not null,
  -- without #, in lower case
  hashtag text not null,
  -- the platform's ID, which stays the same; null until it was told
  remote_id text,
  -- when its 7 days began
  counted_at timestamptz not null,
  primary key (org_id, channel_id, hashtag),
  foreign key (org_id, channel_id) references channel(org_id, id) on delete cascade
);
select tenant_table('hashtag_search');
