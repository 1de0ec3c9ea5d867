import { randomUUIDv7 } from 'node:crypto'
import { CompiledQuery } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { runWithCommit } from '../db/transaction.ts'
import type { AuditEntry } from '../http/route.ts'

const WRITE = `
  with entry as materialized (
    select * from json_to_recordset($1::json)
      as e(org_id uuid, id uuid, at timestamptz, project_id uuid, person_id uuid, action text, entity text, entity_id text, detail jsonb, address text)
  ), written as (
    insert into audit (org_id, id, at, project_id, person_id, action, entity, entity_id, detail)
    select org_id, id, at, project_id, person_id, action, entity, entity_id, detail from entry
  )
  insert into audit_client (org_id, audit_id, address, at) select org_id, id, address, at from entry where address <> ''`

/**
 * Writes audit entries in the changing transaction, by one statement that travels with the commit: each change pays for
 * it. The client's address goes to an erasable side table.
 */
export async function writeAudit(tx: Tx, entries: readonly AuditEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ orgId, projectId, personId, action, entity, entityId, detail = {}, address }) => ({ org_id: orgId, id: randomUUIDv7(), at: now, project_id: projectId, person_id: personId, action, entity, entity_id: entityId, detail, address }))
  await runWithCommit(tx, CompiledQuery.raw(WRITE, [JSON.stringify(rows)]))
}
