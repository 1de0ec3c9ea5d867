import { sql } from 'kysely'
import { z } from 'zod'
import { endsUnpaid, isPaid } from '#contract/subscription.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { emit } from '../live/emit.ts'
import type { Dependencies } from '../dependencies.ts'
import { isUntouched, saveSubscription, lockSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import { changeOf } from './local.ts'
import { isPaddle, type PaddlePayments } from './paddle.ts'
import { dueAtPaddle, mirrorSubscription, mirrorTransaction } from './paddleMirror.ts'
import { failuresOf, methodFrom, RemoteAdjustment, RemoteSubscription, RemoteTransaction } from './paddleShapes.ts'
import { NOT_SET_UP } from './provider.ts'
import { notifyAdmins } from './notify.ts'
import { notifyOfChange } from './notifyOfChange.ts'

const Envelope = z.looseObject({
  event_id: z.string().min(1).max(200),
  event_type: z.string().max(200),
  occurred_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)),
  data: z.looseObject({ id: z.string().max(200) }),
})

type News = { id: string; type: string; at: Date; /** As it arrived. */ payload: Record<string, unknown> }
type Needs = Pick<Dependencies, 'databases' | 'clock' | 'log'> & { payments: PaddlePayments }

/**
 * Takes one notification from Paddle: checks its signature, stores it, then applies it once. Repeated ones, and those
 * that concern nobody here, change nothing. Throws SIGNATURE_REFUSED; later failures fail the call, so that Paddle
 * sends it again, and the sweep retries it as well.
 */
export async function takeEvent(
  { payments, databases, clock, log }: Dependencies,
  body: string,
  signature: string,
): Promise<void> {
  if (!isPaddle(payments)) throw fail('PAYMENT_REFUSED', { detail: NOT_SET_UP })
  if (!(await payments.isSigned(body, signature))) throw fail('SIGNATURE_REFUSED')
  const raw: unknown = JSON.parse(body)
  const { event_id: id, event_type: type, occurred_at: at } = Envelope.parse(raw)
  const known = await asSystem(databases.system, async (tx) => {
    await tx
      .insertInto('provider_event')
      .values({ id, provider: 'paddle', type, occurred_at: at, received_at: clock.now(), payload: body })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
    return await tx.selectFrom('provider_event').select('outcome').where('id', '=', id).executeTakeFirstOrThrow()
  })
  // checked by the envelope: an object
  if (known.outcome === null)
    await applyEvent({ payments, databases, clock, log }, { id, type, at, payload: raw as Record<string, unknown> })
}

/**
 * Applies what was stored and not applied, such as when the database became unavailable in between: all of it, oldest
 * first, so that those that fail again and again keep no later one waiting.
 */
export async function sweepEvents(needs: Needs, signal: AbortSignal): Promise<void> {
  const open = await asSystem(needs.databases.system, (tx) =>
    tx
      .selectFrom('provider_event')
      .select('id')
      .where('outcome', 'is', null)
      .orderBy('occurred_at')
      .orderBy('id')
      .execute(),
  )
  for (const { id } of open) {
    if (signal.aborted) return
    await applyStored(needs, id).catch((error: unknown) =>
      needs.log.warn({ err: error, event: id }, 'applying a notification from Paddle failed'),
    )
  }
}

async function applyStored(needs: Needs, id: string): Promise<void> {
  const row = await asSystem(needs.databases.system, (tx) =>
    tx
      .selectFrom('provider_event')
      .select(['type', 'occurred_at', 'payload'])
      .where('id', '=', id)
      .where('outcome', 'is', null)
      .executeTakeFirst(),
  )
  // stored by takeEvent, which checked it
  if (row)
    await applyEvent(needs, {
      id,
      type: row.type,
      at: row.occurred_at,
      payload: row.payload as Record<string, unknown>,
    })
}

async function applyEvent(needs: Needs, news: News): Promise<void> {
  const read = await readNews(needs.payments, news)
  const outcome = read === undefined ? 'skipped' : await applyRead(needs, news, read)
  await asSystem(needs.databases.system, (tx) =>
    tx
      .updateTable('provider_event')
      .set({ outcome, settled_at: needs.clock.now() })
      .where('id', '=', news.id)
      .where('outcome', 'is', null)
      .execute(),
  )
}

type Read = {
  subscription: RemoteSubscription | null
  transaction: RemoteTransaction | null
  adjustment: RemoteAdjustment | null
  subscriptionId: string | null
}

/** What is read of a notification, through the SDK's own names; undefined for kinds that mean nothing here. */
async function readNews(payments: PaddlePayments, { type, payload }: News): Promise<Read | undefined> {
  const data = await payments.read(payload)
  if (type.startsWith('subscription.')) {
    const subscription = RemoteSubscription.parse(data)
    return { subscription, transaction: null, adjustment: null, subscriptionId: subscription.id }
  }
  if (type.startsWith('transaction.')) {
    const transaction = RemoteTransaction.parse(data)
    return { subscription: null, transaction, adjustment: null, subscriptionId: transaction.subscriptionId ?? null }
  }
  if (!type.startsWith('adjustment.')) return undefined
  const adjustment = RemoteAdjustment.parse(data)
  return adjustment.status === 'approved'
    ? { subscription: null, transaction: null, adjustment, subscriptionId: null }
    : undefined
}

async function applyRead(
  needs: Needs,
  news: Pick<News, 'id' | 'at'>,
  read: Read,
): Promise<'applied' | 'skipped' | 'unknown'> {
  const { databases, payments, clock } = needs
  const { id, at } = news
  const { subscription, transaction, adjustment, subscriptionId } = read
  const orgId = await asSystem(databases.system, (tx) =>
    ownerOf(tx, [transaction?.id, subscription?.transactionId, adjustment?.transactionId], subscriptionId),
  )
  if (orgId === undefined) return 'unknown'
  if (adjustment) return await asSystem(databases.system, (tx) => adjust(needs, tx, orgId, adjustment))
  const before = await asSystem(databases.system, (tx) => lockSubscription(tx, orgId))
  const isOurs = before.subscriptionId === subscriptionId
  // news of another subscription than the stored one, outdated news, and news only about money: Paddle's current state
  // decides
  const isNewer = subscription !== null && isOurs && before.eventAt !== null && at > before.eventAt
  const isMoney =
    transaction !== null &&
    isOurs &&
    transaction.status !== 'paid' &&
    transaction.status !== 'completed' &&
    transaction.status !== 'past_due'
  const truth = subscriptionId === null || isNewer || isMoney ? null : await payments.truth(subscriptionId)
  const surplus =
    truth !== null && !isOurs && before.provider === 'paddle' && isPaid(before.state) && truth.status !== 'canceled'
  const changed = await asSystem(databases.system, async (tx) => {
    await tx.updateTable('provider_event').set({ org_id: orgId }).where('id', '=', id).execute()
    const held = await lockSubscription(tx, orgId)
    // other news, or an admin's change, came in between, so decisions based on the earlier state don't count
    if (!isUntouched(before, held)) return 'again'
    const books = transaction ? await mirrorTransaction(tx, orgId, transaction, at) : false
    const method = transaction ? methodFrom(transaction) : null
    if (surplus) await markSurplus(tx, orgId, [transaction?.id, subscription?.transactionId], clock.now())
    const remote = isNewer ? subscription : truth
    const after =
      remote && !surplus && (isOurs || truth?.status !== 'canceled')
        ? await follow(needs, tx, held, remote, {
            at: isNewer ? at : remote.updatedAt,
            method,
            chooser: await buyerOf(tx, orgId, [transaction?.id, subscription?.transactionId]),
          })
        : undefined
    const tried =
      isOurs && transaction?.status === 'past_due'
        ? await countFailures(tx, after ?? held, failuresOf(transaction), clock.now())
        : false
    return books || after !== undefined || tried
  })
  if (changed === 'again') return await applyRead(needs, news, read)
  if (surplus && subscriptionId !== null) {
    needs.log.error(
      { orgId, subscriptionId },
      'a second subscription was bought and canceled; refund its payment at Paddle',
    )
    await payments.end(subscriptionId)
  }
  return changed || isNewer ? 'applied' : 'skipped'
}

/** Makes our state match Paddle's, with its audit entry, and notifies the admins. */
async function follow(
  { payments: { catalog }, clock }: Needs,
  tx: Tx,
  held: SubscriptionRecord,
  remote: RemoteSubscription,
  { at, method, chooser = null }: { at: Date; method: ReturnType<typeof methodFrom>; chooser?: string | null },
): Promise<SubscriptionRecord | undefined> {
  const now = clock.now()
  const after = await mirrorSubscription(tx, held, remote, { catalog, at, now, paymentMethod: method, chooser })
  if (!after) return undefined
  await writeAudit(
    tx,
    [
      {
        orgId: held.orgId,
        projectId: null,
        personId: null,
        action: 'changed',
        entity: 'plan',
        entityId: held.orgId,
        detail: changeOf(held.state, after.state),
      },
    ],
    now,
  )
  await notifyOfChange(tx, held, after, now)
  return after
}

/**
 * A further try of an overdue payment failed: the admins are notified of each. The first one is announced when the plan
 * becomes overdue.
 */
async function countFailures(tx: Tx, held: SubscriptionRecord, failures: number, now: Date): Promise<boolean> {
  const { orgId, state } = held
  if (!state.overdue || failures - 1 <= state.overdue.retries) return false
  const next = { ...state, overdue: { ...state.overdue, retries: failures - 1 } }
  const after = await saveSubscription(tx, held, next, { provider: 'paddle', dueAt: dueAtPaddle(next) }, now)
  await writeAudit(
    tx,
    [
      {
        orgId,
        projectId: null,
        personId: null,
        action: 'unpaid',
        entity: 'plan',
        entityId: orgId,
        detail: changeOf(state, next),
      },
    ],
    now,
  )
  await notifyOfChange(tx, held, after, now)
  return true
}

/**
 * Which organization it belongs to: by a transaction that we started or know, or by the stored subscription. Custom
 * data written by strangers doesn't count.
 */
async function ownerOf(
  tx: Tx,
  transactionIds: readonly (string | null | undefined)[],
  subscriptionId: string | null,
): Promise<string | undefined> {
  if (subscriptionId !== null) {
    const held = await tx
      .selectFrom('subscription')
      .select('org_id')
      .where('id', '=', subscriptionId)
      .executeTakeFirst()
    if (held) return held.org_id
  }
  const ids = transactionIds.filter((one) => typeof one === 'string')
  if (ids.length === 0) return undefined
  return (
    await tx
      .selectFrom('billing_transaction')
      .select('org_id')
      .where('id', 'in', ids)
      .where('provider', '=', 'paddle')
      .executeTakeFirst()
  )?.org_id
}

/** Who started a checkout; null if none of these was started here. */
async function buyerOf(tx: Tx, orgId: string, ids: readonly (string | null | undefined)[]): Promise<string | null> {
  const begun = ids.filter((one) => typeof one === 'string')
  if (begun.length === 0) return null
  return (
    (
      await tx
        .selectFrom('billing_transaction')
        .select('person_id')
        .where('org_id', '=', orgId)
        .where('id', 'in', begun)
        .where('person_id', 'is not', null)
        .executeTakeFirst()
    )?.person_id ?? null
  )
}

/** Records that these paid for nothing, and tells the admins: a person makes the refund at Paddle. */
async function markSurplus(
  tx: Tx,
  orgId: string,
  ids: readonly (string | null | undefined)[],
  now: Date,
): Promise<void> {
  const marked = await tx
    .updateTable('billing_transaction')
    .set({ surplus: true })
    .where('org_id', '=', orgId)
    .where(
      'id',
      'in',
      ids.filter((one) => typeof one === 'string'),
    )
    .where('surplus', '=', false)
    .returning('id')
    .execute()
  for (const { id } of marked)
    await notifyAdmins(
      tx,
      orgId,
      {
        dedupeKey: `paid-twice:${id}`,
        kind: 'paid-twice',
        params: { transactionId: id },
      },
      now,
    )
}

/** Money was refunded. A partial refund leaves the payment paid: its invoice stays valid. */
async function adjust(
  { clock, log }: Needs,
  tx: Tx,
  orgId: string,
  { action, type, transactionId }: RemoteAdjustment,
): Promise<'applied' | 'skipped'> {
  if (action === 'refund' && type === 'full') return await markRefunded(tx, orgId, transactionId, clock.now())
  if (action === 'refund') log.info({ orgId, transactionId }, 'a payment was partially refunded at Paddle')
  if (action !== 'chargeback') return 'skipped'
  log.error({ orgId, transactionId }, "a buyer's bank reversed a payment: handle it in Paddle's dashboard")
  await notifyAdmins(
    tx,
    orgId,
    {
      dedupeKey: `charged-back:${transactionId}`,
      kind: 'charged-back',
      params: { transactionId },
    },
    clock.now(),
  )
  return 'applied'
}

async function markRefunded(tx: Tx, orgId: string, transactionId: string, now: Date): Promise<'applied' | 'skipped'> {
  const done = await tx
    .updateTable('billing_transaction')
    .set({ status: 'refunded' })
    .where('org_id', '=', orgId)
    .where('id', '=', transactionId)
    .where('status', '=', 'paid')
    .returning('id')
    .executeTakeFirst()
  if (!done) return 'skipped'
  await emit(tx, { orgId, projectId: null, kind: 'plan', ref: orgId }, now)
  return 'applied'
}

/** For how many hours we look after a started checkout without being notified, and how many of one organization. */
const CHECKOUT_HOURS = 24
const CHECKOUTS_OF_ONE = 5
const CHECKOUTS_AT_ONCE = 100
/** How long one run may ask, in milliseconds; if Paddle is unavailable, each request takes its whole timeout. */
const ASKING_MS = 120_000

/**
 * Reads the current state of the last day's checkouts without news: if Paddle can't reach this installation, there
 * never is any. Includes those of a second subscription, until it's known to have ended. Each organization's newest
 * first, so that many of one don't delay those of others.
 */
export async function readCheckouts(needs: Needs): Promise<void> {
  const since = new Date(needs.clock.now().getTime() - CHECKOUT_HOURS * 3_600_000)
  const { rows: open } = await asSystem(needs.databases.system, (tx) =>
    sql<{ id: string }>`
    select id from (select id, created_at, row_number() over (partition by org_id order by created_at desc, id desc) as place from billing_transaction where provider = 'paddle' and (status = 'pending' or (surplus and status = 'paid')) and created_at > ${since}) t
    where place <= ${CHECKOUTS_OF_ONE} order by place, created_at limit ${CHECKOUTS_AT_ONCE}`.execute(tx),
  )
  await each(
    needs,
    open.map(({ id }) => id),
    async (id) => {
      const transaction = await needs.payments.transaction(id)
      // between paid and completed, Paddle may not have created the subscription yet: then we look again
      if ((transaction.status !== 'paid' && transaction.status !== 'completed') || !transaction.subscriptionId) return
      await applyRead(
        needs,
        { id: '', at: transaction.updatedAt },
        { subscription: null, transaction, adjustment: null, subscriptionId: transaction.subscriptionId },
      )
    },
  )
}

/**
 * Reads the current state of subscriptions without news although some was due, and ends those unpaid for two weeks:
 * Paddle may be set to try for longer.
 */
export async function readLate(needs: Needs, orgIds: readonly string[]): Promise<void> {
  await each(needs, orgIds, async (orgId) => {
    const before = await asSystem(needs.databases.system, (tx) => lockSubscription(tx, orgId))
    const { subscriptionId, state } = before
    if (subscriptionId === null) return
    let remote = await needs.payments.truth(subscriptionId)
    if (remote.status === 'past_due' && state.overdue && endsUnpaid(state.overdue.since) <= needs.clock.now()) {
      await needs.payments.end(subscriptionId)
      remote = await needs.payments.truth(subscriptionId)
    }
    await asSystem(needs.databases.system, async (tx) => {
      const held = await lockSubscription(tx, orgId)
      // looked at again in an hour, unless news arrives
      await tx
        .updateTable('subscription')
        .set({ due_at: new Date(needs.clock.now().getTime() + 3_600_000) })
        .where('org_id', '=', orgId)
        .execute()
      if (isUntouched(before, held)) await follow(needs, tx, held, remote, { at: remote.updatedAt, method: null })
    })
  })
}

/**
 * One after the other, as long as a run may take. Failures are logged and don't stop others; the next run retries them.
 */
export async function each(needs: Needs, ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  const began = needs.clock.now().getTime()
  for (const id of ids) {
    if (needs.clock.now().getTime() - began > ASKING_MS) return
    await work(id).catch((error: unknown) =>
      needs.log.warn({ err: error, id }, "Paddle's current state couldn't be read"),
    )
  }
}
