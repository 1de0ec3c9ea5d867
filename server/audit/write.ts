import { randomUUIDv7 } from 'node:crypto'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'
import type { AuditEntry } from '../http/route.ts'

/** Writes audit entries in the changing transaction; the client's address goes to an erasable side table. */
export async function writeAudit(tx: Tx, entries: readonly AuditEntry[], now: Date): Promise<void> {
  const rows = entries.map((entry) => ({ entry, id: randomUUIDv7() }))
  await insertMany(
    tx,
    'audit',
    rows.map(({ entry, id }) => ({
      org_id: entry.orgId,
      id,
      at: now,
      project_id: entry.projectId,
      person_id: entry.personId,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId,
      detail: entry.detail ?? {},
    })),
  )
  await insertMany(tx, 'audit_client', rows.flatMap(({ entry, id }) => (entry.address ? [{ org_id: entry.orgId, audit_id: id, address: entry.address, at: now }] : [])))
}
