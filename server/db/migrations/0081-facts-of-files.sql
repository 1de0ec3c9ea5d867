-- What is in a file: frame rate, bits per color and chroma subsampling of videos; frames and color space of images.
-- Files from before have facts_version 0 until they're read again.
alter table asset
  add column frame_rate double precision,
  add column bit_depth int,
  add column chroma text,
  add column frames int,
  add column color_space text,
  add column facts_version int not null default 0;
create index asset_unread_facts on asset (facts_version, created_at) where state = 'ready';
