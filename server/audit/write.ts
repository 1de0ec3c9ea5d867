import { randomUUIDv7 } from 'node:crypto'
import type { Tx } from '../db/kysely.ts'
import type { AuditEntry } from '../http/route.ts'

/** Writes an audit entry in the changing transaction; the client's address goes to an erasable side table. */
export async function writeAudit(tx: Tx, entry: AuditEntry, now: Date): Promise<void> {
  const id = randomUUIDv7()
  await tx
    .insertInto('audit')
    .values({
      org_id: entry.orgId,
      id,
      at: now,
      project_id: entry.projectId,
      person_id: entry.personId,
      action: entry.action,
      entity: entry.entity,
      entity_id: entry.entityId,
      detail: JSON.stringify(entry.detail ?? {}),
    })
    .execute()
  if (entry.address)
    await tx.insertInto('audit_client').values({ org_id: entry.orgId, audit_id: id, address: entry.address, at: now }).execute()
}
