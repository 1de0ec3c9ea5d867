-- Of a reply's files, by their ids, where they differ from the file's own: `{"<asset id>": "A moka pot"}`.
alter table reply add column alt_texts jsonb not null default '{}';
