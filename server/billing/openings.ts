import { sql } from 'kysely'
import { writeAudit } from '../audit/write.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'
import { lockSubscription } from './subscriptionRecord.ts'
import { openWhereAllFits } from './locks.ts'

/**
 * Reactivates what the plan includes by now, because something else of its kind was deleted or removed in the meantime.
 * Each organization on its own, under its plan's lock: failures are logged and don't stop others.
 */
export async function openWhatFits({
  databases,
  clock,
  log,
}: Pick<JobContext, 'databases' | 'clock' | 'log'>): Promise<void> {
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string }>`
      select org_id from channel where plan_locked and deleted_at is null and deleting_at is null
      union select org_id from project where plan_locked and deleted_at is null
      union select org_id from member where plan_locked and removed_at is null`.execute(tx),
  )
  for (const { org_id: orgId } of rows) {
    const now = clock.now()
    await asSystem(databases.system, async (tx) => {
      const { state } = await lockSubscription(tx, orgId)
      if (!(await openWhereAllFits(tx, orgId, state, now))) return
      await writeAudit(
        tx,
        [{ orgId, projectId: null, personId: null, action: 'unlocked', entity: 'plan', entityId: orgId, detail: {} }],
        now,
      )
      await emit(tx, { orgId, projectId: null, kind: 'plan', ref: orgId }, now)
    }).catch((error: unknown) => log.error({ err: error, orgId }, 'reactivating what a plan includes failed'))
  }
}
