import { z } from 'zod'
import type { PaymentMethod } from '#contract/billing.ts'
import type { Invoice } from '#contract/invoicing.ts'
import type { PaidPlan } from '#contract/subscription.ts'
import { planIds } from '#contract/plans.ts'

/* What we read of Paddle's answers and notifications, as the SDK names it. Amounts are text in minor units. */

const amount = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number)
const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text))

const Totals = z.object({
  subtotal: amount,
  tax: amount,
  total: amount,
  credit: amount,
  creditToBalance: amount,
  grandTotal: amount,
})
const Details = z.object({
  totals: Totals.nullable(),
  lineItems: z.array(
    z.object({
      quantity: z.int(),
      totals: z.object({ subtotal: amount }).nullish(),
      product: z.object({ name: z.string() }).nullish(),
    }),
  ),
})
const Card = z.object({
  type: z.string(),
  last4: z.string(),
  expiryMonth: z.int(),
  expiryYear: z.int(),
  cardholderName: z.string().nullish(),
})

export const RemoteSubscription = z.object({
  id: z.string().min(1),
  status: z.enum(['active', 'canceled', 'past_due', 'paused', 'trialing']),
  customerId: z.string(),
  updatedAt: instant,
  canceledAt: instant.nullish(),
  currentBillingPeriod: z.object({ startsAt: instant, endsAt: instant }).nullish(),
  scheduledChange: z.object({ action: z.enum(['cancel', 'pause', 'resume']), effectiveAt: instant }).nullish(),
  items: z.array(
    z.object({
      quantity: z.int(),
      price: z.object({ id: z.string(), unitPrice: z.object({ amount, currencyCode: z.string() }) }).nullish(),
    }),
  ),
  /** In the first notification of a subscription: the checkout that it came from. */
  transactionId: z.string().nullish(),
})
export type RemoteSubscription = z.infer<typeof RemoteSubscription>

export const RemoteTransaction = z.object({
  id: z.string().min(1),
  status: z.enum(['draft', 'ready', 'billed', 'paid', 'completed', 'canceled', 'past_due']),
  origin: z.string(),
  subscriptionId: z.string().nullish(),
  customerId: z.string().nullish(),
  invoiceNumber: z.string().nullish(),
  currencyCode: z.string(),
  createdAt: instant,
  updatedAt: instant,
  billedAt: instant.nullish(),
  billingPeriod: z.object({ startsAt: instant, endsAt: instant }).nullish(),
  details: Details.nullish(),
  payments: z.array(
    z.object({ status: z.string(), methodDetails: z.object({ type: z.string(), card: Card.nullish() }).nullish() }),
  ),
})
export type RemoteTransaction = z.infer<typeof RemoteTransaction>

export const RemotePreview = z.object({
  currencyCode: z.string(),
  nextBilledAt: instant.nullish(),
  currentBillingPeriod: z.object({ endsAt: instant }).nullish(),
  immediateTransaction: z.object({ details: Details }).nullish(),
  updateSummary: z.object({ credit: z.object({ amount }), charge: z.object({ amount }) }).nullish(),
})
export type RemotePreview = z.infer<typeof RemotePreview>

/** Money that is returned: by the seller's refund, or because the buyer's bank took it. */
export const RemoteAdjustment = z.object({
  action: z.string(),
  type: z.enum(['full', 'partial']),
  status: z.string(),
  transactionId: z.string(),
})
export type RemoteAdjustment = z.infer<typeof RemoteAdjustment>

export const RemotePrice = z.object({ id: z.string(), unitPrice: z.object({ amount, currencyCode: z.string() }) })

/** What each of Paddle's prices means, in both directions. */
export type Catalog = {
  idOf(planId: PaidPlan, interval: 'monthly' | 'annual', part: 'price' | 'addon'): string
  all: readonly { id: string; planId: PaidPlan; interval: 'monthly' | 'annual'; part: 'price' | 'addon' }[]
}

/** Reads PADDLE_PRICES. Throws one sentence that names what is wrong or missing. */
export function readCatalog(pairs: readonly string[]): Catalog {
  const ids = new Map(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
  )
  const all = planIds.flatMap((planId) =>
    planId === 'free'
      ? []
      : (['monthly', 'annual'] as const).flatMap((interval) =>
          (['price', 'addon'] as const).map((part) => ({
            planId,
            interval,
            part,
            id: ids.get(nameOf(planId, interval, part)) ?? '',
          })),
        ),
  )
  const missing = all.filter(({ id }) => id === '').map((one) => nameOf(one.planId, one.interval, one.part))
  if (missing.length > 0)
    throw new Error(`PADDLE_PRICES: ${missing.join(', ')} is missing. Name it as ${missing[0] ?? ''}=pri_...`)
  return {
    all,
    idOf: (planId, interval, part) =>
      all.find((one) => one.planId === planId && one.interval === interval && one.part === part)?.id ?? '',
  }
}
const nameOf = (planId: string, interval: string, part: string): string =>
  `${planId}.${interval}${part === 'addon' ? '.addon' : ''}`

type Amounts = z.infer<typeof Details>

/** Paddle's amounts as an invoice of ours: the credit is the difference between the total and what is really paid. */
export function invoiceFrom(
  details: Amounts | null | undefined,
  currencyCode: string,
  billed: RemoteTransaction['billingPeriod'] = null,
): Invoice {
  const totals = details?.totals ?? { subtotal: 0, tax: 0, total: 0, grandTotal: 0 }
  const credit = totals.total - totals.grandTotal
  const lines = (details?.lineItems ?? []).map(({ quantity, totals: of, product }) => ({
    kind: 'other' as const,
    name: product?.name ?? 'Subscription',
    quantity,
    subtotal: of?.subtotal ?? 0,
    tax: 0,
  }))
  const subtotal = totals.total - totals.tax
  return {
    currencyCode,
    taxRate: subtotal === 0 ? 0 : totals.tax / subtotal,
    lines,
    subtotal,
    tax: totals.tax,
    grandTotal: totals.total,
    creditUsed: Math.max(0, credit),
    creditAdded: Math.max(0, -credit),
    charged: totals.grandTotal,
    period: billed ? { from: billed.startsAt, to: billed.endsAt } : null,
    refersTo: [],
  }
}

/** What a preview costs. If nothing is charged immediately, what is refunded is in the summary only. */
export function invoiceOfPreview({ immediateTransaction, updateSummary, currencyCode }: RemotePreview): Invoice {
  if (immediateTransaction) return invoiceFrom(immediateTransaction.details, currencyCode)
  const credit = Math.abs(updateSummary?.credit.amount ?? 0) - Math.abs(updateSummary?.charge.amount ?? 0)
  return {
    currencyCode,
    taxRate: 0,
    lines: credit > 0 ? [{ kind: 'other', name: 'Unused time', quantity: 1, subtotal: -credit, tax: 0 }] : [],
    subtotal: 0 - credit,
    tax: 0,
    grandTotal: 0 - credit,
    creditUsed: 0,
    creditAdded: Math.max(0, credit),
    charged: Math.max(0, -credit),
    period: null,
    refersTo: [],
  }
}

/** How often a transaction was tried unsuccessfully. */
export const failuresOf = ({ payments }: Pick<RemoteTransaction, 'payments'>): number =>
  payments.filter(({ status }) => status === 'error').length

/** The card that a transaction was paid with, if any. */
export function methodFrom({ payments }: Pick<RemoteTransaction, 'payments'>): PaymentMethod | null {
  const details = payments.find(({ status }) => status === 'captured' || status === 'authorized')?.methodDetails
  if (!details) return null
  const { type, card } = details
  return {
    type,
    card: card
      ? {
          type: card.type,
          last4: card.last4,
          expiryMonth: card.expiryMonth,
          expiryYear: card.expiryYear,
          cardholderName: card.cardholderName ?? '',
        }
      : null,
  }
}
