-- Whether an organization's app speaks to the platform's sandbox, where it has one (Pinterest).
alter table app_credentials add column sandbox boolean not null default false;
