import { PRICE_LIST } from '#contract/priceList.ts'
import { wish } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { recordBill } from './transactions.ts'
import { methodOf } from './cards.ts'
import { saveSubscription, lockSubscription } from './subscriptionRecord.ts'

/** A Team plan of the demo organization, bought with a test card, with its first invoice. */
export async function buyForDemo(
  tx: Tx,
  { orgId, personId, holder }: { orgId: string; personId: string; holder: string },
  now: Date,
): Promise<void> {
  const held = await lockSubscription(tx, orgId)
  const outcome = wish(
    held.state,
    { kind: 'buy', planId: 'team', interval: 'monthly', addonQuantity: 0 },
    now,
    PRICE_LIST,
    { channels: 0, projects: 0 },
  )
  if ('refused' in outcome) throw new Error('the demo organization could not buy a plan')
  const paymentMethod = methodOf({
    cardNumber: '4242424242424242',
    expiryMonth: 12,
    expiryYear: now.getUTCFullYear() + 4,
    cardholderName: holder,
    confirmed: false,
  })
  const { next, ...bill } = outcome
  const { paidItems } = await recordBill(
    tx,
    {
      orgId,
      kind: 'checkout',
      bill,
      seller: { lines: ['Rookery'] },
      personId,
      wanted: { planId: 'team', interval: 'monthly', addonQuantity: 0 },
      paymentMethod,
    },
    next.paidItems,
    now,
  )
  await saveSubscription(tx, held, { ...next, paidItems }, { provider: 'local', paymentMethod }, now)
}
