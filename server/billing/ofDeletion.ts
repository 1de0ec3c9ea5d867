import { sql } from 'kysely'
import { z } from 'zod'
import { stopped, type Subscription } from '#contract/subscription.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type Job, type JobContext } from '../jobs/job.ts'
import type { Parts } from '../parts.ts'
import { keepSubscription, lockSubscription, readSubscription, type Held } from './held.ts'
import { changeOf } from './local.ts'
import { isPaddle, type PaddlePayments } from './paddle.ts'
import { mirrorSubscription } from './paddleMirror.ts'
import type { Payments } from './provider.ts'

/*
 * An organisation that is being deleted pays for nothing more: its plan ends with the period that is paid, goes on when
 * the organisation is kept, and is ended at once before its rows go. Test payments follow in the same transaction; Paddle
 * is asked by a job until it said yes.
 */

const FOLLOW = { name: 'billing.deletion' }
const Followed = z.object({ orgId: z.uuid() })
type By = { orgId: string; personId: string }
type Needs = Pick<JobContext, 'databases' | 'clock' | 'log'>

/** Its plan is not renewed from this commit on. Takes the lock of the plan, which comes before that of the organisation's row. */
export async function stopPaying(tx: Tx, { orgId, personId }: By, now: Date): Promise<void> {
  const held = await lockSubscription(tx, orgId)
  if (held.provider === 'paddle') return await enqueue(tx, FOLLOW, { orgId }, { key: orgId })
  const next = stopped(held.state, now)
  if (!next) return
  await keepSubscription(tx, held, next, { provider: 'local', overdueTransaction: null }, now)
  await markEndsWith(tx, orgId, next.status === 'CANCEL_SCHEDULED')
  await writeAudit(tx, [entryOf('cancelled', { orgId, personId }, held.state, next)], now)
}

/** Its plan goes on where the deletion had stopped it, unless its period is over by now. Takes the lock of the plan. */
export async function payOn(tx: Tx, { orgId, personId }: By, now: Date): Promise<void> {
  const held = await lockSubscription(tx, orgId)
  if (held.provider === 'paddle') return await enqueue(tx, FOLLOW, { orgId }, { key: orgId })
  if (!(await endsWithOrg(tx, orgId))) return
  await markEndsWith(tx, orgId, false)
  if (held.state.status !== 'CANCEL_SCHEDULED') return
  const next: Subscription = { ...held.state, status: 'ACTIVE', canceledAt: null }
  await keepSubscription(tx, held, next, { provider: 'local' }, now)
  await writeAudit(tx, [entryOf('resumed', { orgId, personId }, held.state, next)], now)
}

/** Has Paddle follow what became of an organisation; tried again until it said yes. */
export function followDeletionJob({ payments }: { payments: Payments }): Job<z.infer<typeof Followed>> {
  return defineJob({
    ...FOLLOW,
    payload: Followed,
    run: async (context, { orgId }) => {
      if (isPaddle(payments)) await followDeletion({ ...context, payments }, orgId)
      else context.log.error({ orgId }, 'the subscription of an organisation cannot be cancelled: Paddle is not set up any more')
    },
  })
}

/** Whose Paddle does not stand as the organisation does: a job that was given up, a restore, a plan that was paid for meanwhile. */
export async function unfollowed({ databases, clock }: Needs): Promise<string[]> {
  const { rows } = await asSystem(databases.system, (tx) => sql<{ org_id: string }>`
    select s.org_id from subscription s join organisation o on o.org_id = s.org_id join plan p on p.org_id = s.org_id
    where s.provider = 'paddle' and case when o.deletes_at is null then s.ends_with_org else o.deletes_at > ${clock.now()} and p.plan_id <> 'free' and p.status in ('ACTIVE', 'PAST_DUE') end`.execute(tx))
  return rows.map((row) => row.org_id)
}

/** Makes Paddle's subscription what the organisation asks for at this moment, and ours what Paddle says then. Throws while Paddle cannot be reached or refuses. */
export async function followDeletion({ payments, ...needs }: Needs & { payments: PaddlePayments }, orgId: string): Promise<void> {
  const { databases, clock } = needs
  const { held, deleting, ours } = await asSystem(databases.system, (tx) => look(tx, orgId))
  const { subscriptionId } = held
  if (held.provider !== 'paddle' || subscriptionId === null) return
  const before = await payments.truth(subscriptionId)
  const cancels = before.scheduledChange?.action === 'cancel'
  let after = before
  let mark = deleting && ours
  if (deleting && before.status === 'past_due') {
    // nothing of what is overdue can be planned there: it ends at once, unpaid
    await payments.end(subscriptionId)
    after = await payments.truth(subscriptionId)
  } else if (deleting && before.status === 'active' && !cancels) {
    // noted first: an answer that is lost leaves a cancellation that is known to be ours
    await asSystem(databases.system, (tx) => markEndsWith(tx, orgId, true))
    mark = true
    after = await payments.endWithPeriod(subscriptionId)
  } else if (!deleting && ours && cancels) after = await payments.goOn(subscriptionId)
  const turned = await asSystem(databases.system, async (tx) => {
    const now = clock.now()
    const { held: was, deleting: still } = await look(tx, orgId)
    const changed = await mirrorSubscription(tx, was, after, { catalogue: payments.catalogue, at: after.updatedAt, now })
    await markEndsWith(tx, orgId, mark)
    if (changed) await writeAudit(tx, [entryOf(deleting ? 'cancelled' : 'resumed', { orgId, personId: null }, was.state, changed.state)], now)
    return still !== deleting
  })
  // kept, or deleted again, while Paddle was asked
  if (turned) await followDeletion({ payments, ...needs }, orgId)
}

/**
 * Ends what an organisation pays for at once and for good, before its rows go: afterwards nobody could. Throws while Paddle
 * cannot be reached. Where Paddle is not set up any more nobody can be asked: the log names the subscription.
 */
export async function endForGood({ databases, log }: Needs, payments: Parts['payments'], orgId: string): Promise<void> {
  const { provider, subscriptionId } = await asSystem(databases.system, (tx) => readSubscription(tx, orgId))
  if (provider !== 'paddle' || subscriptionId === null) return
  if (isPaddle(payments)) await payments.end(subscriptionId)
  else log.error({ orgId, subscriptionId }, 'an organisation is deleted whose subscription nobody could end: Paddle is not set up any more. End it in its dashboard')
}

async function look(tx: Tx, orgId: string): Promise<{ held: Held; deleting: boolean; ours: boolean }> {
  const held = await lockSubscription(tx, orgId)
  const { deletes_at: deletesAt } = await tx.selectFrom('organisation').select('deletes_at').where('org_id', '=', orgId).executeTakeFirstOrThrow()
  return { held, deleting: deletesAt !== null, ours: await endsWithOrg(tx, orgId) }
}

async function endsWithOrg(tx: Tx, orgId: string): Promise<boolean> {
  const row = await tx.selectFrom('subscription').select('ends_with_org').where('org_id', '=', orgId).executeTakeFirst()
  return row?.ends_with_org ?? false
}

const markEndsWith = async (tx: Tx, orgId: string, is: boolean): Promise<void> => void (await tx.updateTable('subscription').set({ ends_with_org: is }).where('org_id', '=', orgId).execute())

const entryOf = (action: 'cancelled' | 'resumed', { orgId, personId }: { orgId: string; personId: string | null }, from: Subscription, to: Subscription) => ({ orgId, projectId: null, personId, action, entity: 'plan', entityId: orgId, detail: changeOf(from, to) })
