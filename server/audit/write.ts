import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'
import { insertWithCommit } from '../db/transaction.ts'
import type { AuditEntry } from '../http/route.ts'

/**
 * Writes audit entries in the changing transaction. They're sent with the commit, because every change pays for them.
 * The client's address goes to a separate, erasable table.
 */
export async function writeAudit(tx: Tx, entries: readonly AuditEntry[], now: Date): Promise<void> {
  const rows = entries.map(({ orgId, projectId, personId, action, entity, entityId, detail = {} }) => ({
    org_id: orgId,
    id: randomUUIDv7(),
    at: now,
    project_id: projectId,
    person_id: personId,
    action,
    entity,
    entity_id: entityId,
    detail,
  }))
  await insertWithCommit(tx, 'audit', rows)
  const clients = rows.flatMap(({ org_id, id }, i) => {
    const address = entries[i]?.address
    return address ? [{ org_id, audit_id: id, address, at: now }] : []
  })
  await insertWithCommit(tx, 'audit_client', clients)
}
