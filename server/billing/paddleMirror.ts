import type { Amount, PaymentMethod } from '#contract/billing.ts'
import type { PlanStatus } from '#contract/plans.ts'
import { invoiceOf } from '#contract/invoicing.ts'
import { endsUnpaid, isPaid, type PaidPlan, type Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { saveSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import {
  invoiceFrom,
  methodFrom,
  type Catalog,
  type RemoteSubscription,
  type RemoteTransaction,
} from './paddleShapes.ts'

/** Paddle handles renewals itself; an hour after one should have happened, its state is read in case no news came. */
const LATE_NEWS = 3_600_000

/** What Paddle charges at the next renewal, before tax; null if nothing renews. */
function renewsFrom({ items, status }: RemoteSubscription): Amount | null {
  const priced = items.flatMap(({ quantity, price }) => (price ? [{ ...price.unitPrice, quantity }] : []))
  const [first] = priced
  if (!first || status === 'canceled') return null
  const { currencyCode } = first
  return { currencyCode, amount: priced.reduce((sum, { amount, quantity }) => sum + amount * quantity, 0) }
}

/** What Paddle's subscription means here. Undefined if it has none of our prices. */
export function stateFrom(
  remote: RemoteSubscription,
  before: Subscription,
  catalog: Catalog,
): Subscription | undefined {
  const parts = remote.items.flatMap(({ quantity, price }) =>
    catalog.all.filter(({ id }) => id === price?.id).map((known) => ({ ...known, quantity })),
  )
  const base = parts.find(({ part }) => part === 'price')
  if (!base) return undefined
  const status = statusOf(remote)
  const cancels = remote.scheduledChange?.action === 'cancel'
  return {
    planId: base.planId,
    status,
    interval: base.interval,
    // another plan's add-ons cost less than this one's
    addonQuantity:
      parts.find((one) => one.part === 'addon' && one.planId === base.planId && one.interval === base.interval)
        ?.quantity ?? 0,
    anchor: before.anchor ?? remote.currentBillingPeriod?.startsAt ?? null,
    periodStart: remote.currentBillingPeriod?.startsAt ?? before.periodStart,
    periodEnd:
      remote.currentBillingPeriod?.endsAt ??
      (status === 'CANCELLED' ? (remote.canceledAt ?? before.periodEnd) : before.periodEnd),
    trialEndsAt: null,
    canceledAt: remote.canceledAt ?? (cancels ? (before.canceledAt ?? remote.updatedAt) : null),
    // Paddle keeps the customer's balance and what was paid for, and plans no other items
    credits: {},
    paidItems: [],
    planned: null,
    overdue:
      status === 'PAST_DUE'
        ? {
            invoice:
              before.overdue?.invoice ??
              invoiceOf([], {}, { currencyCode: renewsFrom(remote)?.currencyCode ?? 'USD', taxRate: 0 }),
            since: before.overdue?.since ?? remote.updatedAt,
            retries: before.overdue?.retries ?? 0,
            nextAttemptAt: null,
          }
        : null,
  }
}

function statusOf({ status, scheduledChange }: RemoteSubscription): PlanStatus {
  if (status === 'past_due') return 'PAST_DUE'
  if (status === 'canceled' || status === 'paused') return 'CANCELLED'
  return scheduledChange?.action === 'cancel' ? 'CANCEL_SCHEDULED' : 'ACTIVE'
}

/**
 * Makes our state match Paddle's, under the lock of `held`. Returns the stored state then; undefined if nothing
 * changed.
 */
export async function mirrorSubscription(
  tx: Tx,
  held: SubscriptionRecord,
  remote: RemoteSubscription,
  {
    catalog,
    at,
    now,
    paymentMethod,
    chooser = null,
  }: { catalog: Catalog; at: Date; now: Date; paymentMethod?: PaymentMethod | null; chooser?: string | null },
): Promise<SubscriptionRecord | undefined> {
  const next = stateFrom(
    remote,
    held.subscriptionId === remote.id ? held.state : { ...held.state, anchor: null, canceledAt: null, overdue: null },
    catalog,
  )
  if (!next) return undefined
  // a plan that was chosen after this one ended stays
  const isOver = next.status === 'CANCELLED' && !isPaid(held.state) && held.state.status !== 'CANCELLED'
  const eventAt = held.eventAt && held.eventAt > at && held.subscriptionId === remote.id ? held.eventAt : at
  const method = paymentMethod ?? held.paymentMethod
  const isSame =
    held.subscriptionId === remote.id &&
    JSON.stringify(next) === JSON.stringify(held.state) &&
    JSON.stringify(method) === JSON.stringify(held.paymentMethod) &&
    JSON.stringify(renewsFrom(remote)) === JSON.stringify(held.renews)
  if (isOver || isSame) {
    await tx
      .updateTable('subscription')
      .set({ event_at: eventAt })
      .where('org_id', '=', held.orgId)
      .where('id', '=', remote.id)
      .execute()
    return undefined
  }
  return await saveSubscription(
    tx,
    held,
    next,
    {
      provider: 'paddle',
      subscriptionId: remote.id,
      customerId: remote.customerId,
      eventAt,
      dueAt: dueAtPaddle(next),
      paymentMethod: method,
      renews: renewsFrom(remote),
      chooser,
    },
    now,
  )
}

/**
 * When Paddle's state is read without news: after a renewal should have happened, and when an overdue plan has to end.
 */
export function dueAtPaddle(state: Subscription): Date | null {
  if (state.overdue) return endsUnpaid(state.overdue.since)
  return isPaid(state) && state.periodEnd ? new Date(state.periodEnd.getTime() + LATE_NEWS) : null
}

type Status = 'pending' | 'paid' | 'failed'
const statuses: Readonly<Record<RemoteTransaction['status'], Status>> = {
  draft: 'pending',
  ready: 'pending',
  billed: 'pending',
  paid: 'paid',
  completed: 'paid',
  canceled: 'failed',
  past_due: 'failed',
}
const kinds: Readonly<Record<string, string>> = {
  subscription_recurring: 'renewal',
  subscription_update: 'change',
  subscription_charge: 'change',
  subscription_payment_method_change: 'method',
}
const ranks: Readonly<Record<string, number>> = { pending: 0, failed: 1, paid: 2, refunded: 3 }

/**
 * Records a transaction of Paddle: what is paid stays paid, whatever arrives late. Returns whether anything changed.
 */
export async function mirrorTransaction(tx: Tx, orgId: string, remote: RemoteTransaction, at: Date): Promise<boolean> {
  const known = await tx
    .selectFrom('billing_transaction')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', remote.id)
    .forUpdate()
    .executeTakeFirst()
  const status = statuses[remote.status]
  if (!known && remote.status === 'canceled') return false
  if (
    known &&
    ((ranks[known.status] ?? 0) > (ranks[status] ?? 0) ||
      (known.status === status && (known.event_at ?? at) >= at && known.event_at !== null))
  )
    return false
  const invoice = invoiceFrom(remote.details, remote.currencyCode, remote.billingPeriod)
  const method = methodFrom(remote)
  const row = {
    status,
    invoice_number: status === 'paid' ? (remote.invoiceNumber ?? null) : null,
    items: JSON.stringify(invoice.lines.map(({ name, quantity, subtotal }) => ({ name, quantity, subtotal }))),
    currency_code: remote.currencyCode,
    tax_rate: invoice.taxRate,
    service_from: invoice.period?.from ?? null,
    service_to: invoice.period?.to ?? null,
    subtotal: invoice.subtotal,
    tax: invoice.tax,
    credit: invoice.creditUsed - invoice.creditAdded,
    grand_total: invoice.charged,
    payment_method: method && JSON.stringify(method),
    occurred_at: remote.billedAt ?? at,
    event_at: at,
  }
  if (known)
    await tx
      .updateTable('billing_transaction')
      .set(row)
      .where('org_id', '=', orgId)
      .where('id', '=', remote.id)
      .execute()
  else
    await tx
      .insertInto('billing_transaction')
      .values({
        org_id: orgId,
        id: remote.id,
        provider: 'paddle',
        kind: kinds[remote.origin] ?? 'checkout',
        created_at: remote.createdAt,
        ...row,
      })
      .execute()
  return true
}

/** The items of a plan at Paddle. */
export const itemsOf = (
  catalog: Catalog,
  { planId, interval, addonQuantity }: { planId: PaidPlan; interval: 'monthly' | 'annual'; addonQuantity: number },
) => [
  { priceId: catalog.idOf(planId, interval, 'price'), quantity: 1 },
  ...(addonQuantity > 0 ? [{ priceId: catalog.idOf(planId, interval, 'addon'), quantity: addonQuantity }] : []),
]
