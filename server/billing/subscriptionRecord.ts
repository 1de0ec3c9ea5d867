import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { BillingInterval, PaymentMethod, type Amount } from '#contract/billing.ts'
import { PlanId, PlanStatus } from '#contract/plans.ts'
import { nextDue, type Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { emit } from '../live/emit.ts'
import { rewakeLane } from '../delivery/lane.ts'
import { openWhereAllFits, wakeWhatFits } from './locks.ts'
import { isLarger, settleShrink } from './shrink.ts'

const instant = z.iso.datetime().transform((text) => new Date(text))
/** An invoice in a JSON column. */
export const StoredInvoice = z.object({
  currencyCode: z.string(),
  taxRate: z.number(),
  lines: z.array(
    z.object({
      kind: z.enum(['plan', 'addons', 'other']),
      name: z.string(),
      quantity: z.int(),
      subtotal: z.int(),
      tax: z.int(),
    }),
  ),
  subtotal: z.int(),
  tax: z.int(),
  grandTotal: z.int(),
  creditUsed: z.int(),
  creditAdded: z.int(),
  charged: z.int(),
  period: z.object({ from: instant, to: instant }).nullable(),
  refersTo: z.array(z.string()),
})
const StoredCredits = z.record(z.string(), z.int())
const StoredItems = z.array(
  z.object({
    kind: z.enum(['plan', 'addons']),
    quantity: z.int(),
    net: z.int(),
    tax: z.int(),
    taxRate: z.number(),
    currencyCode: z.string(),
    from: instant,
    until: instant,
    invoiceNumber: z.string().nullable(),
  }),
)
const StoredAmount = z.object({ currencyCode: z.string(), amount: z.int() }).nullable()
const StoredPlanned = z.object({ planId: z.literal('individual'), addonQuantity: z.int() }).nullable()
const StoredOverdue = z.object({
  invoice: StoredInvoice,
  since: instant,
  retries: z.int(),
  nextAttemptAt: instant.nullable(),
})

/** An organization's plan and how it's paid, including what only the books know. */
export type SubscriptionRecord = {
  orgId: string
  state: Subscription
  /** Null until the first purchase. */
  subscriptionId: string | null
  provider: string | null
  version: number
  paymentMethod: PaymentMethod | null
  overdueTransaction: string | null
  customerId: string | null
  eventAt: Date | null
  /** The provider's next charge, before tax, if it calculates the amounts itself. */ renews: Amount | null
}

/**
 * The subscription under the plan row's lock: until the transaction ends, nobody else changes plan, seats or channels.
 */
export async function lockSubscription(tx: Tx, orgId: string): Promise<SubscriptionRecord> {
  await tx.selectFrom('plan').select('plan_id').where('org_id', '=', orgId).forUpdate().execute()
  return await readSubscription(tx, orgId)
}

/** The subscription without a lock, for display. */
export async function readSubscription(tx: Tx, orgId: string): Promise<SubscriptionRecord> {
  const plan = await tx.selectFrom('plan').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow()
  const row = await tx.selectFrom('subscription').selectAll().where('org_id', '=', orgId).executeTakeFirst()
  return {
    orgId,
    state: {
      planId: PlanId.parse(plan.plan_id),
      status: PlanStatus.parse(plan.status),
      interval: BillingInterval.nullable().parse(row?.billing_interval ?? null),
      addonQuantity: plan.addon_quantity,
      anchor: row?.anchor ?? null,
      periodStart: row?.period_start ?? null,
      periodEnd: row?.period_end ?? null,
      trialEndsAt: plan.trial_ends_at,
      canceledAt: row?.canceled_at ?? null,
      credits: StoredCredits.parse(row?.credits ?? {}),
      paidItems: StoredItems.parse(row?.paid_items ?? []),
      planned: StoredPlanned.parse(row?.planned ?? null),
      overdue: StoredOverdue.nullable().parse(row?.overdue ?? null),
    },
    subscriptionId: row?.id ?? null,
    provider: row?.provider ?? null,
    version: row?.version ?? 0,
    paymentMethod: PaymentMethod.nullable().parse(row?.payment_method ?? null),
    overdueTransaction: row?.overdue_transaction ?? null,
    customerId: row?.customer_id ?? null,
    eventAt: row?.event_at ?? null,
    renews: StoredAmount.parse(row?.renews ?? null),
  }
}

/** Whether nothing was applied between two reads: neither a change nor news that only repeated the state. */
export const isUntouched = (before: SubscriptionRecord, now: SubscriptionRecord): boolean =>
  before.version === now.version && before.eventAt?.getTime() === now.eventAt?.getTime()

export type Kept = Partial<
  Pick<
    SubscriptionRecord,
    'subscriptionId' | 'paymentMethod' | 'overdueTransaction' | 'customerId' | 'eventAt' | 'renews'
  >
> & {
  provider: 'local' | 'paddle'
  /** The admin who chose the change, if any: if the plan includes fewer people, they stay. */ chooser?: string | null
  /** The next deadline; null for providers that handle deadlines themselves. */ dueAt?: Date | null
}

/**
 * Stores the subscription's new state, under the lock that `held` was read with: raises its version, reactivates
 * channels and members that the plan includes and pauses those it doesn't, wakes posts that waited for a plan, and
 * notifies open screens.
 */
export async function saveSubscription(
  tx: Tx,
  held: SubscriptionRecord,
  next: Subscription,
  { chooser = null, ...kept }: Kept,
  now: Date,
): Promise<SubscriptionRecord> {
  const after: SubscriptionRecord = {
    ...held,
    // nobody else charges anything for an organization's test payments
    ...(kept.provider === 'local' && { renews: null }),
    ...kept,
    state: next,
    subscriptionId: kept.subscriptionId ?? held.subscriptionId ?? newId('sub'),
    version: held.version + 1,
  }
  const { orgId } = held
  await tx
    .updateTable('plan')
    .set({
      plan_id: next.planId,
      status: next.status,
      addon_quantity: next.addonQuantity,
      trial_ends_at: next.trialEndsAt,
      changed_at: now,
    })
    .where('org_id', '=', orgId)
    .execute()
  const row = {
    id: after.subscriptionId ?? newId('sub'),
    provider: kept.provider,
    version: after.version,
    billing_interval: next.interval,
    anchor: next.anchor,
    period_start: next.periodStart,
    period_end: next.periodEnd,
    canceled_at: next.canceledAt,
    credits: JSON.stringify(next.credits),
    paid_items: JSON.stringify(next.paidItems),
    planned: next.planned && JSON.stringify(next.planned),
    overdue: next.overdue && JSON.stringify(next.overdue),
    overdue_transaction: after.overdueTransaction,
    due_at: kept.dueAt === undefined ? nextDue(next) : kept.dueAt,
    payment_method: after.paymentMethod && JSON.stringify(after.paymentMethod),
    customer_id: after.customerId,
    event_at: after.eventAt,
    renews: after.renews && JSON.stringify(after.renews),
    changed_at: now,
  }
  await tx
    .insertInto('subscription')
    .values({ org_id: orgId, ...row })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(row))
    .execute()
  if (isLarger(held.state, next, now)) await wakeWhatFits(tx, orgId, next, now)
  await openWhereAllFits(tx, orgId, next, now)
  await settleShrink(tx, orgId, { before: held.state, after: next, version: after.version, chooser }, now)
  const channels = await tx
    .selectFrom('channel')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .execute()
  for (const { id } of channels) await rewakeLane(tx, orgId, id)
  await emit(tx, { orgId, projectId: null, kind: 'plan', ref: orgId }, now)
  return after
}

/** An id of ours in the form that providers use. */
export const newId = (kind: 'sub' | 'txn'): string => `${kind}_${randomUUIDv7().replaceAll('-', '')}`
