-- An operator stopped a short link: it leads nowhere from then on.
alter table short_link add column blocked_at timestamptz;
