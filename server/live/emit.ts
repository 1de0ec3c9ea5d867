import type { LiveEvent } from '#contract/live.ts'
import type { Tx } from '../db/kysely.ts'

export type Emitted = LiveEvent & { orgId: string; projectId: string | null; personId?: string | undefined }

/** Tells open screens of a change, in the transaction that makes it. Carries no content. */
export async function emit(tx: Tx, event: Emitted, now: Date): Promise<void> {
  await tx
    .insertInto('event')
    .values({
      at: now,
      org_id: event.orgId,
      project_id: event.projectId,
      person_id: event.personId ?? null,
      kind: event.kind,
      ref: event.ref,
    })
    .execute()
}
