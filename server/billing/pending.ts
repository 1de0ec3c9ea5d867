import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BillingInterval, type ChangePreview } from '#contract/billing.ts'
import type { Waking } from '#contract/plans.ts'
import type { PriceList } from '#contract/priceList.ts'
import { chargedOf, type Bill } from '#contract/invoicing.ts'
import type { Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { StoredInvoice, type SubscriptionRecord } from './subscriptionRecord.ts'
import type { Agreed, Change } from './provider.ts'

const StoredChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('addons'), addonQuantity: z.int() }),
  z.object({ kind: z.literal('annual') }),
  z.object({ kind: z.literal('team'), interval: BillingInterval, addonQuantity: z.int() }),
])

/** How many minutes a preview can be confirmed: what is charged is what was shown, calculated for that moment. */
const PREVIEW_MINUTES = 30

const StoredBill = z.object({ invoice: StoredInvoice.nullable(), creditNotes: z.array(StoredInvoice) })

export type Pending = { wanted: Change; bill: Bill; madeAt: Date }

/** A bill as JSON that is the same for the same bill. */
const billText = (bill: Bill): string => JSON.stringify(StoredBill.parse(JSON.parse(JSON.stringify(bill))))
export const isSameBill = (one: Bill, other: Bill): boolean => billText(one) === billText(other)

/** Names a preview by its content and time: equal names mean equal previews. */
const previewIdOf = ({ wanted, bill, madeAt }: Pending): string =>
  createHash('sha256')
    .update(JSON.stringify([madeAt, StoredChange.parse(wanted), billText(bill)]))
    .digest('base64url')

/** Stores what a person was shown, in place of the previous preview. Returns its name. */
export async function keepPending(
  tx: Tx,
  { held, personId, wanted, bill }: { held: SubscriptionRecord; personId: string; wanted: Change; bill: Bill },
  now: Date,
): Promise<string> {
  const row = {
    subscription_id: held.subscriptionId ?? '',
    version: held.version,
    wanted: JSON.stringify(wanted),
    bill: JSON.stringify(bill),
    made_at: now,
  }
  await tx
    .insertInto('pending_change')
    .values({ org_id: held.orgId, person_id: personId, kind: wanted.kind, ...row })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'kind']).doUpdateSet(row))
    .execute()
  return previewIdOf({ wanted, bill, madeAt: now })
}

const STALE = 'Your plan has changed since this preview. Preview the change again.'

/**
 * Takes the person's last preview of the kind, which can be confirmed once. Throws STALE_VERSION, also if another one
 * is named; PLAN_ACTION_REFUSED without one.
 */
export async function takePending(
  tx: Tx,
  held: SubscriptionRecord,
  { personId, kind, agreed: { subscriptionId, previewId } }: { personId: string; kind: Change['kind']; agreed: Agreed },
  now: Date,
): Promise<Pending> {
  const row = await tx
    .deleteFrom('pending_change')
    .where('org_id', '=', held.orgId)
    .where('person_id', '=', personId)
    .where('kind', '=', kind)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw fail('PLAN_ACTION_REFUSED', { detail: 'Preview this change first.' })
  const isOld = now.getTime() - row.made_at.getTime() > PREVIEW_MINUTES * 60_000
  if (
    subscriptionId !== held.subscriptionId ||
    row.subscription_id !== subscriptionId ||
    row.version !== held.version ||
    isOld
  )
    throw stale()
  const pending = {
    wanted: StoredChange.parse(row.wanted),
    bill: StoredBill.parse(row.bill),
    madeAt: row.made_at,
  }
  if (previewId !== undefined && previewId !== previewIdOf(pending))
    throw stale('Someone else previewed this change in the meantime. Preview it again.')
  return pending
}

/**
 * The refusal of a change whose preview is no longer valid: made for another version, too long ago, or not the last
 * one.
 */
export const stale = (detail = STALE) => fail('STALE_VERSION', { detail })

/** What a person is shown before they confirm. Amounts in minor units. */
export function presentPreview({
  subscriptionId,
  previewId,
  next,
  bill,
  prices,
  wakes,
}: {
  subscriptionId: string
  previewId: string
  next: Subscription
  bill: Bill
  prices: PriceList
  wakes: Waking
}): ChangePreview {
  const { invoice, creditNotes } = bill
  const currencyCode = invoice?.currencyCode ?? creditNotes[0]?.currencyCode ?? prices.currencyCode
  // a refund in another currency stays in that one: it doesn't change what is paid now
  const notes = creditNotes.filter((note) => note.currencyCode === currencyCode)
  const documents = [...(invoice ? [invoice] : []), ...notes]
  const sum = (pick: (one: (typeof documents)[number]) => number) =>
    documents.reduce((total, one) => total + pick(one), 0)
  return {
    subscriptionId,
    previewId,
    planName: prices.plans[next.planId].planName,
    items: documents.flatMap(({ lines }) =>
      lines.map(({ name, quantity, subtotal }) => ({ name, quantity, total: { subtotal } })),
    ),
    total: {
      currencyCode,
      subtotal: sum((one) => one.subtotal),
      tax: sum((one) => one.tax),
      taxRate: invoice?.taxRate ?? notes[0]?.taxRate ?? prices.taxRate,
      credit: Math.max(0, (invoice?.creditUsed ?? 0) - notes.reduce((total, note) => total + note.creditAdded, 0)),
      grandTotal: chargedOf(bill),
    },
    wakes,
    creditsLeft: presentCredits(next.credits),
    nextBillingDate: (next.periodEnd ?? new Date(0)).toISOString(),
  }
}

/** Credit balances as the API returns them, by currency code. */
export const presentCredits = (credits: Subscription['credits']) =>
  Object.entries(credits)
    .map(([currencyCode, amount]) => ({ currencyCode, amount }))
    .toSorted((one, other) => one.currencyCode.localeCompare(other.currencyCode))
