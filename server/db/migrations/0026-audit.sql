-- The audit is only added to. Its seals are written by the job alone, and rows go only with their organization, by a role
-- that can do nothing else (server/db/roles.ts).
revoke insert on audit from rookery_app;
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_app;
revoke insert, update, delete on audit from rookery_system;
grant insert (org_id, id, at, project_id, person_id, action, entity, entity_id, detail) on audit to rookery_system;
grant update (sealed_seq, seal) on audit to rookery_system;

-- What waits for its seal.
create index audit_unsealed on audit (org_id, at, id) where seal is null;

-- Where the chain of each organization ends: so that the last rows cannot be taken away unnoticed.
create table audit_seal (
  org_id uuid primary key,
  seq bigint not null,
  seal bytea not null,
  sealed_at timestamptz not null
);
select tenant_table('audit_seal', 'select');
revoke delete on audit_seal from rookery_system;

alter policy everything on audit to rookery_owner, rookery_system, rookery_purge;
alter policy everything on audit_client to rookery_owner, rookery_system, rookery_purge;
alter policy everything on audit_seal to rookery_owner, rookery_system, rookery_purge;
grant select (org_id), delete on audit, audit_client, audit_seal to rookery_purge;
