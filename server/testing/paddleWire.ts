import { randomBytes } from 'node:crypto'
import { billingIntervals, PaidPlanId, type BillingInterval } from '#contract/billing.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import { invoiceOf, type Bill, type Invoice, type Line } from '#contract/invoicing.ts'
import type { Subscription, Wish } from '#contract/subscription.ts'

/* What the simulated Paddle stores, and the formats of Paddle's API. */

export type Card = { ends: Date }
export type Sub = {
  id: string
  customerId: string
  state: Subscription
  card: Card
  createdAt: Date
  updatedAt: Date
  overdue: string | null
  canceledAt: Date | null
  from: string
}
export type Txn = {
  id: string
  status: string
  origin: string
  subId: string | null
  customerId: string
  wanted: Extract<Wish, { kind: 'buy' }> | null
  invoice: Invoice
  number: string | null
  createdAt: Date
  billedAt: Date | null
  paidWith: Card | null
  /** Failed retries. */ failures: number
  customData: unknown
}

/** A change as Paddle bills it: credits and purchases in one transaction. */
export const billed = ({ invoice, creditNotes }: Bill, before: Subscription): Invoice =>
  invoiceOf([...(invoice?.lines ?? []), ...creditNotes.flatMap(({ lines }) => lines)], before.credits, PRICE_LIST)

/** A new ID in Paddle's format. */
export const id = (kind: string): string => `${kind}_${randomBytes(13).toString('hex')}`

/** The prices of the catalog. */
export const parts = (['individual', 'team'] as const).flatMap((planId) =>
  billingIntervals.flatMap((interval) =>
    (['price', 'addon'] as const).map((part) => ({ planId, interval, part, id: `pri_${planId}_${interval}_${part}` })),
  ),
)
/** The product's PADDLE_PRICES. */
export const SIMULATED_PRICES = parts
  .map((one) => `${one.planId}.${one.interval}${one.part === 'addon' ? '.addon' : ''}=${one.id}`)
  .join(',')

/** A subscription as `ISubscriptionResponse`. */
export function subWire(sub: Sub) {
  const { state, id: subId, customerId, createdAt, updatedAt, canceledAt } = sub
  const isOver = state.status === 'CANCELLED'
  return {
    id: subId,
    status: isOver ? 'canceled' : state.status === 'PAST_DUE' ? 'past_due' : 'active',
    customer_id: customerId,
    address_id: 'add_simulated',
    business_id: null,
    currency_code: 'USD',
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    started_at: createdAt.toISOString(),
    first_billed_at: createdAt.toISOString(),
    next_billed_at: isOver || state.status === 'CANCEL_SCHEDULED' ? null : (state.periodEnd?.toISOString() ?? null),
    paused_at: null,
    canceled_at: canceledAt?.toISOString() ?? null,
    discount: null,
    collection_mode: 'automatic',
    billing_details: null,
    current_billing_period: isOver ? null : periodOf(state),
    billing_cycle: { interval: state.interval === 'annual' ? 'year' : 'month', frequency: 1 },
    scheduled_change:
      state.status === 'CANCEL_SCHEDULED'
        ? { action: 'cancel', effective_at: state.periodEnd?.toISOString() ?? '', resume_at: null }
        : null,
    management_urls: { update_payment_method: null, cancel: 'https://paddle.example/cancel' },
    custom_data: null,
    import_meta: null,
    items: itemsOf(state).map(({ priceId, quantity }) => ({
      status: 'active',
      quantity,
      recurring: true,
      created_at: createdAt.toISOString(),
      updated_at: updatedAt.toISOString(),
      previously_billed_at: null,
      next_billed_at: null,
      trial_dates: null,
      price: priceWire(priceId),
      product: productWire('Rookery'),
    })),
  }
}

/** A transaction as `ITransactionResponse`. */
export function txnWire(txn: Txn, now: Date) {
  return {
    id: txn.id,
    status: txn.status,
    customer_id: txn.customerId,
    address_id: 'add_simulated',
    business_id: null,
    custom_data: txn.customData,
    currency_code: 'USD',
    origin: txn.origin,
    subscription_id: txn.subId,
    invoice_id: txn.number && `inv_${txn.number}`,
    invoice_number: txn.number,
    collection_mode: 'automatic',
    discount_id: null,
    billing_details: null,
    billing_period: null,
    items: txn.invoice.lines.map(({ quantity }) => ({
      price: priceWire('pri_individual_monthly_price'),
      quantity,
      proration: null,
    })),
    details: detailsOf(txn.invoice, txn.id),
    payments: [
      ...(txn.paidWith ? [attemptWire(txn, 'captured', txn.paidWith, now)] : []),
      ...Array.from({ length: txn.failures }, () => attemptWire(txn, 'error', { ends: now }, now)),
    ],
    checkout: { url: 'https://rookery.example/pay' },
    created_at: txn.createdAt.toISOString(),
    updated_at: now.toISOString(),
    billed_at: txn.billedAt?.toISOString() ?? null,
    revised_at: null,
  }
}

/** The last month of a card, which is valid until its end. */
function expiryOf({ ends }: Card) {
  const last = new Date(ends.getTime() - 1)
  return { expiry_month: last.getUTCMonth() + 1, expiry_year: last.getUTCFullYear() }
}

const attemptWire = ({ invoice }: Txn, status: 'captured' | 'error', card: Card, now: Date) => ({
  payment_attempt_id: id('att'),
  stored_payment_method_id: id('pay'),
  payment_method_id: id('paymtd'),
  amount: String(invoice.charged),
  status,
  error_code: status === 'error' ? 'declined' : null,
  method_details: {
    type: 'card',
    card: {
      type: 'visa',
      last4: '4242',
      ...expiryOf(card),
      cardholder_name: 'Olive Owner',
    },
    paypal: null,
    south_korea_local_card: null,
    underlying_details: null,
  },
  created_at: now.toISOString(),
  captured_at: status === 'captured' ? now.toISOString() : null,
})

/** What these prices buy; undefined if they aren't in the catalog, or name no plan. */
export function wantedOf(
  items: readonly { price_id: string; quantity: number }[],
): Extract<Wish, { kind: 'buy' }> | undefined {
  const known = items.flatMap((item) =>
    parts.filter((one) => one.id === item.price_id).map((one) => ({ ...one, quantity: item.quantity })),
  )
  const base = known.find(({ part }) => part === 'price')
  return base && known.length === items.length
    ? {
        kind: 'buy',
        planId: base.planId,
        interval: base.interval,
        addonQuantity: known.find(({ part }) => part === 'addon')?.quantity ?? 0,
      }
    : undefined
}

function itemsOf({ planId, interval, addonQuantity }: Subscription): { priceId: string; quantity: number }[] {
  const paidPlan = PaidPlanId.parse(planId)
  const find = (part: 'price' | 'addon', every: BillingInterval | null) =>
    parts.find((one) => one.planId === paidPlan && one.interval === every && one.part === part)?.id ?? ''
  return [
    { priceId: find('price', interval), quantity: 1 },
    ...(addonQuantity > 0 ? [{ priceId: find('addon', interval), quantity: addonQuantity }] : []),
  ]
}

export const periodOf = ({ periodStart, periodEnd }: Subscription) => ({
  starts_at: periodStart?.toISOString() ?? '',
  ends_at: periodEnd?.toISOString() ?? '',
})
const BORN = '2026-01-01T00:00:00Z'
const productWire = (name: string) => ({
  id: 'pro_simulated',
  name,
  type: 'standard',
  description: null,
  tax_category: 'standard',
  image_url: null,
  custom_data: null,
  status: 'active',
  created_at: BORN,
  updated_at: BORN,
  import_meta: null,
})

/** A price as `IPriceResponse`. */
export function priceWire(priceId: string) {
  const one = parts.find((part) => part.id === priceId)
  if (!one) throw new Error('there is no such price')
  const amounts = PRICE_LIST.plans[one.planId].prices[one.interval]
  return {
    id: priceId,
    product_id: 'pro_simulated',
    description: `${one.planId} ${one.interval} ${one.part}`,
    type: 'standard',
    name: null,
    billing_cycle: { interval: one.interval === 'annual' ? 'year' : 'month', frequency: 1 },
    trial_period: null,
    tax_mode: 'account_setting',
    unit_price: { amount: String(one.part === 'price' ? amounts.price : amounts.addonPrice), currency_code: 'USD' },
    unit_price_overrides: [],
    quantity: { minimum: 1, maximum: 100 },
    status: 'active',
    created_at: BORN,
    updated_at: BORN,
    custom_data: null,
    import_meta: null,
  }
}

/** An invoice as the details of a transaction. With `lineIds`, those of an existing one. */
export function detailsOf(
  { lines, subtotal, tax, grandTotal, creditUsed, creditAdded, charged }: Invoice,
  lineIds = '',
) {
  const money = String
  const lineOf = ({ name, quantity, subtotal: of }: Line, i: number) => {
    const totals = {
      subtotal: money(of),
      discount: '0',
      tax: money(invoiceOf([{ name, quantity, subtotal: of }], {}, PRICE_LIST).tax),
      total: money(of),
    }
    return {
      ...(lineIds && { id: `txnitm_${lineIds.slice(4)}${i}` }),
      price_id: 'pri_individual_monthly_price',
      quantity,
      proration: null,
      tax_rate: '0',
      unit_totals: totals,
      totals,
      product: productWire(name),
    }
  }
  return {
    tax_rates_used: [
      {
        tax_rate: '0',
        totals: { subtotal: money(subtotal), discount: '0', tax: money(tax), total: money(grandTotal) },
      },
    ],
    totals: {
      subtotal: money(subtotal),
      discount: '0',
      tax: money(tax),
      total: money(grandTotal),
      credit: money(creditUsed),
      credit_to_balance: money(creditAdded),
      balance: '0',
      grand_total: money(charged),
      grand_total_tax: '0',
      fee: null,
      earnings: null,
      currency_code: 'USD',
    },
    ...(lineIds && { adjusted_totals: null, payout_totals: null, adjusted_payout_totals: null }),
    line_items: lines.map((line, i) => lineOf(line, i)),
  }
}
