-- Its organization is being deleted: we had it end with its period, and it goes on when the organization is kept.
alter table subscription add column ends_with_org boolean not null default false;

-- What a provider told goes with the organization that it is about.
create index provider_event_org on provider_event (org_id) where org_id is not null;

-- Accounts that are gone already are named no more by the invitations that they accepted.
update invite i set email = p.email from person p where p.id = i.accepted_by and p.email like '%@deleted.invalid';
