import { sql } from 'kysely'
import { z } from 'zod'
import { stopped, type Subscription } from '#contract/subscription.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  isUntouched,
  saveSubscription,
  lockSubscription,
  readSubscription,
  type SubscriptionRecord,
} from './subscriptionRecord.ts'
import { changeOf } from './local.ts'
import { isPaddle, type PaddlePayments } from './paddle.ts'
import { mirrorSubscription } from './paddleMirror.ts'
import type { Payments } from './provider.ts'

/*
 * An organization being deleted pays nothing more: its plan ends with the paid period, continues if the deletion is
 * canceled, and ends immediately before its rows are deleted. Test payments change in the same transaction; a job asks
 * Paddle until it agrees.
 */

const FOLLOW = { name: 'billing.deletion' }
const Followed = z.object({ orgId: z.uuid() })
type By = { orgId: string; personId: string }
type Needs = Pick<JobContext, 'databases' | 'clock' | 'log'>

/**
 * Stops the plan's renewal from this commit on. Takes the plan's lock, which comes before that of the organization's
 * row.
 */
export async function cancelAtPeriodEnd(tx: Tx, { orgId, personId }: By, now: Date): Promise<void> {
  const held = await lockSubscription(tx, orgId)
  if (held.provider === 'paddle') return await enqueue(tx, FOLLOW, { orgId }, { key: orgId })
  const next = stopped(held.state, now)
  if (!next) return
  await saveSubscription(tx, held, next, { provider: 'local', overdueTransaction: null }, now)
  await markEndsWith(tx, orgId, next.status === 'CANCEL_SCHEDULED')
  await writeAudit(tx, [entryOf('canceled', { orgId, personId }, held.state, next)], now)
}

/** Resumes a plan stopped by the deletion, unless its period is over. Takes the plan's lock. */
export async function resumeSubscription(tx: Tx, { orgId, personId }: By, now: Date): Promise<void> {
  const held = await lockSubscription(tx, orgId)
  if (held.provider === 'paddle') return await enqueue(tx, FOLLOW, { orgId }, { key: orgId })
  if (!(await endsWithOrg(tx, orgId))) return
  await markEndsWith(tx, orgId, false)
  if (held.state.status !== 'CANCEL_SCHEDULED') return
  const next: Subscription = { ...held.state, status: 'ACTIVE', canceledAt: null }
  await saveSubscription(tx, held, next, { provider: 'local' }, now)
  await writeAudit(tx, [entryOf('resumed', { orgId, personId }, held.state, next)], now)
}

/** Makes Paddle follow what happened to an organization; retried until it agrees. */
export function followDeletionJob({ payments }: { payments: Payments }): Job<z.infer<typeof Followed>> {
  return defineJob({
    ...FOLLOW,
    payload: Followed,
    run: async (context, { orgId }) => {
      if (isPaddle(payments)) await followDeletion({ ...context, payments }, orgId)
      else context.log.error({ orgId }, "an organization's subscription can't be canceled: Paddle is no longer set up")
    },
  })
}

/**
 * Organizations whose Paddle subscription doesn't match: after a job that was given up, a restore, or a plan paid for
 * in the meantime.
 */
export async function organizationsOutOfSync({ databases, clock }: Needs): Promise<string[]> {
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string }>`
    select s.org_id from subscription s join organization o on o.org_id = s.org_id join plan p on p.org_id = s.org_id
    where s.provider = 'paddle' and case when o.deletes_at is null then s.ends_with_org else o.deletes_at > ${clock.now()} and p.plan_id <> 'free' and p.status in ('ACTIVE', 'PAST_DUE') end`.execute(
      tx,
    ),
  )
  return rows.map((row) => row.org_id)
}

/**
 * Makes Paddle's subscription match the organization, and ours match Paddle's answer. Throws while Paddle can't be
 * reached or refuses.
 */
export async function followDeletion(
  { payments, ...needs }: Needs & { payments: PaddlePayments },
  orgId: string,
): Promise<void> {
  const { databases, clock } = needs
  const seen = await asSystem(databases.system, (tx) => look(tx, orgId))
  if (seen?.held.provider !== 'paddle' || seen.held.subscriptionId === null) return
  const {
    deleting,
    ours,
    held: { subscriptionId },
  } = seen
  let remote = await payments.truth(subscriptionId)
  let action: 'canceled' | 'resumed' | 'changed' = 'changed'
  let mark = deleting && ours
  if (deleting && remote.status === 'past_due') {
    // Paddle can't plan anything while a payment is overdue: it ends immediately, unpaid
    await payments.end(subscriptionId)
    remote = await payments.truth(subscriptionId)
    action = 'canceled'
  } else if (deleting && remote.status === 'active' && remote.scheduledChange?.action !== 'cancel') {
    // stored first: if the answer is lost, we still know that the cancellation is ours
    await asSystem(databases.system, (tx) => markEndsWith(tx, orgId, true))
    mark = true
    remote = await payments.endWithPeriod(subscriptionId)
    action = 'canceled'
  } else if (!deleting && ours && remote.scheduledChange?.action === 'cancel') {
    remote = await payments.undoEnd(subscriptionId)
    action = 'resumed'
  }
  const turned = await asSystem(databases.system, async (tx) => {
    const now = clock.now()
    const found = await look(tx, orgId)
    if (!found) return false
    if (!isUntouched(seen.held, found.held)) return true
    const changed = await mirrorSubscription(tx, found.held, remote, {
      catalog: payments.catalog,
      at: remote.updatedAt,
      now,
    })
    await markEndsWith(tx, orgId, mark)
    if (changed)
      await writeAudit(tx, [entryOf(action, { orgId, personId: null }, found.held.state, changed.state)], now)
    return found.deleting !== deleting
  })
  // kept, deleted again, another plan bought, or later news applied while Paddle was asked
  if (turned) await followDeletion({ payments, ...needs }, orgId)
}

/**
 * Ends what an organization pays for, immediately and permanently, before its rows are deleted: afterwards nobody
 * could. Throws while Paddle can't be reached. If Paddle is no longer set up, no one can be asked: the log names the
 * subscription.
 */
export async function cancelNow(
  { databases, log }: Needs,
  payments: Dependencies['payments'],
  orgId: string,
): Promise<void> {
  const { provider, subscriptionId } = await asSystem(databases.system, (tx) => readSubscription(tx, orgId))
  if (provider !== 'paddle' || subscriptionId === null) return
  if (isPaddle(payments)) await payments.end(subscriptionId)
  else
    log.error(
      { orgId, subscriptionId },
      "a deleted organization's subscription couldn't be ended: Paddle is no longer set up. End it in Paddle's dashboard",
    )
}

/** The state of both; undefined once the organization is deleted. */
async function look(
  tx: Tx,
  orgId: string,
): Promise<{ held: SubscriptionRecord; deleting: boolean; ours: boolean } | undefined> {
  const org = await tx.selectFrom('organization').select('org_id').where('org_id', '=', orgId).executeTakeFirst()
  if (!org) return undefined
  const held = await lockSubscription(tx, orgId)
  // under that lock, which a deletion takes first
  const { deletes_at: deletesAt } = await tx
    .selectFrom('organization')
    .select('deletes_at')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return { held, deleting: deletesAt !== null, ours: await endsWithOrg(tx, orgId) }
}

async function endsWithOrg(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx.selectFrom('subscription').select('ends_with_org').where('org_id', '=', orgId).executeTakeFirst()
  return row?.ends_with_org ?? false
}

const markEndsWith = async (tx: Tx, orgId: string, is: boolean): Promise<void> =>
  void (await tx.updateTable('subscription').set({ ends_with_org: is }).where('org_id', '=', orgId).execute())

const entryOf = (
  action: 'canceled' | 'resumed' | 'changed',
  { orgId, personId }: { orgId: string; personId: string | null },
  from: Subscription,
  to: Subscription,
) => ({ orgId, projectId: null, personId, action, entity: 'plan', entityId: orgId, detail: changeOf(from, to) })
