-- A payment that bought a second subscription beside the one that is held: that one was ended at once, and the money is to be given back.
alter table billing_transaction add column surplus boolean not null default false;
create index billing_transaction_surplus on billing_transaction (org_id) where surplus;
