import type { Tx } from '../db/kysely.ts'
import { insertWithCommit } from '../db/transaction.ts'
import type { Emitted } from '../http/route.ts'

/** Notifies open screens of changes, in the transaction that makes them and with its commit. Contains no content. */
export async function emit(tx: Tx, events: Emitted | readonly Emitted[], now: Date): Promise<void> {
  const all: readonly Emitted[] = 'kind' in events ? [events] : events
  await insertWithCommit(
    tx,
    'event',
    all.map((event) => ({
      at: now,
      org_id: event.orgId,
      project_id: event.projectId,
      person_id: event.personId ?? null,
      kind: event.kind,
      ref: event.ref,
    })),
  )
}
