-- What platforms say of published posts: the figures of each day on which they were read, the last reading of it.
create table post_metric (
  org_id uuid not null,
  post_id uuid not null,
  -- in UTC
  day date not null,
  -- the contract's PostMetrics: counts since the post was published
  figures jsonb not null,
  read_at timestamptz not null,
  primary key (org_id, post_id, day),
  foreign key (org_id, post_id) references post on delete cascade
);
select tenant_table('post_metric', 'select');

-- When they are read next; null for what is not on a platform, or no longer.
alter table post add column metrics_at timestamptz;
create index post_metrics_due on post (metrics_at) where metrics_at is not null;

-- An hour after it went out, whoever says that it did: the machine, or a person.
create function read_metrics_later() returns trigger language plpgsql as $$
begin
  new.metrics_at := case when new.state = 'PUBLISHED' and new.remote_id is not null then coalesce(new.metrics_at, coalesce(new.published_at, new.updated_at) + interval '1 hour') end;
  return new;
end $$;
create trigger read_metrics_later before update of state, remote_id on post for each row
  when (old.state is distinct from new.state or old.remote_id is distinct from new.remote_id) execute function read_metrics_later();
update post set metrics_at = published_at + interval '1 hour' where state = 'PUBLISHED' and remote_id is not null and published_at is not null;
