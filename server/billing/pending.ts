import { createHash } from 'node:crypto'
import { z } from 'zod'
import { BillingInterval, type ChangePreview } from '#contract/billing.ts'
import type { PriceList } from '#contract/priceList.ts'
import type { Invoice, Subscription } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import { StoredInvoice, type Held } from './held.ts'
import type { Agreed, Change } from './provider.ts'

const StoredChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('addons'), addonQuantity: z.int() }),
  z.object({ kind: z.literal('annual') }),
  z.object({ kind: z.literal('team'), interval: BillingInterval, addonQuantity: z.int() }),
])

/** Minutes that a preview may be agreed to: what is charged is what was shown, reckoned at that moment. */
const PREVIEW_MINUTES = 30

export type Pending = { wanted: Change; invoice: Invoice; madeAt: Date }

/** Names a preview by what it says and when it was made: two that are named alike are alike. */
const previewIdOf = ({ wanted, invoice, madeAt }: Pending): string =>
  createHash('sha256')
    .update(JSON.stringify([madeAt, StoredChange.parse(wanted), StoredInvoice.parse(invoice)]))
    .digest('base64url')

/** Keeps what a person was shown, in place of what they were shown before. Answers its name. */
export async function keepPending(
  tx: Tx,
  { held, personId, wanted, invoice }: { held: Held; personId: string; wanted: Change; invoice: Invoice },
  now: Date,
): Promise<string> {
  const row = {
    subscription_id: held.subscriptionId ?? '',
    version: held.version,
    wanted: JSON.stringify(wanted),
    invoice: JSON.stringify(invoice),
    made_at: now,
  }
  await tx
    .insertInto('pending_change')
    .values({ org_id: held.orgId, person_id: personId, kind: wanted.kind, ...row })
    .onConflict((conflict) => conflict.columns(['org_id', 'person_id', 'kind']).doUpdateSet(row))
    .execute()
  return previewIdOf({ wanted, invoice, madeAt: now })
}

const STALE = 'The plan changed since this preview. Look at a new one.'

/** Takes the person's last preview of the kind, which can be agreed to once. Throws STALE_VERSION, also where another one is named; PLAN_ACTION_REFUSED without one. */
export async function takePending(
  tx: Tx,
  held: Held,
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
  if (!row) throw fail('PLAN_ACTION_REFUSED', { detail: 'Look at the preview of this change first.' })
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
    invoice: StoredInvoice.parse(row.invoice),
    madeAt: row.made_at,
  }
  if (previewId !== undefined && previewId !== previewIdOf(pending))
    throw stale('Another preview of this change was made meanwhile. Look at this one again.')
  return pending
}

/** The refusal of a change whose preview does not hold any more: made for another version, too long ago, or not the last one. */
export const stale = (detail = STALE) => fail('STALE_VERSION', { detail })

/** What a person is shown before they confirm. Amounts in minor units. */
export function presentPreview({
  subscriptionId,
  previewId,
  next,
  invoice,
  prices,
}: {
  subscriptionId: string
  previewId: string
  next: Subscription
  invoice: Invoice
  prices: PriceList
}): ChangePreview {
  return {
    subscriptionId,
    previewId,
    planName: prices.plans[next.planId].planName,
    items: invoice.lines.map(({ name, quantity, subtotal }) => ({ name, quantity, total: { subtotal } })),
    total: {
      currencyCode: prices.currencyCode,
      subtotal: invoice.subtotal,
      tax: invoice.tax,
      taxRate: prices.taxRate,
      credit: invoice.creditUsed,
      grandTotal: invoice.charged,
    },
    creditLeft: next.credit,
    nextBillingDate: (next.periodEnd ?? new Date(0)).toISOString(),
  }
}
