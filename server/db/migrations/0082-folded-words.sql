-- Words of texts are indexed folded: without accents, and in pairs of characters where a script has no spaces
-- (functions/search.sql). What was indexed before is indexed again in the background (server/upkeep/reindex.ts).
alter table inbox_text add folded boolean not null default false;
alter table inbox_text alter folded set default true;
create index inbox_text_unfolded on inbox_text (org_id, item_id) where not folded;
alter table post_text add folded boolean not null default false;
alter table post_text alter folded set default true;
create index post_text_unfolded on post_text (org_id, post_id) where not folded;
