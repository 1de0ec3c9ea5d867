import { sql } from 'kysely'
import { dateText, money } from '#contract/format.ts'
import type { Invoice } from '#contract/invoicing.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import { nextInvoice } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { readSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import { notifyAdmins } from './notify.ts'

/** Days before an annual renewal at which the admins are reminded of it. */
const RENEWAL_DAYS = 14
/** Days before a renewal, or before the end of the card, at which the admins are warned of a card that won't pay it. */
const CARD_DAYS = 30

/** A receipt of what was paid here. Paddle sends its own. What was paid from credit alone has none. */
export async function sendReceipt(
  tx: Tx,
  { orgId, number, invoice }: { orgId: string; number: string; invoice: Invoice },
  now: Date,
): Promise<void> {
  if (invoice.charged === 0) return
  const paid = money(invoice.charged, invoice.currencyCode)
  const items = invoice.lines.map(({ name, quantity }) => (quantity > 1 ? `${name} × ${quantity}` : name))
  await notifyAdmins(
    tx,
    orgId,
    {
      matter: `receipt:${number}`,
      kind: 'payment-received',
      title: `Receipt for ${paid}`,
      body: `We received ${paid} for ${new Intl.ListFormat('en').format(items)}. You can download invoice ${number} in your organization settings. This was a test payment: no money moved.`,
    },
    now,
  )
}

/**
 * Reminds the admins of an annual renewal 14 days before it, and warns them of a card that ends before the next renewal,
 * 30 days before either. Doing it again, or beside another worker, sends nothing again.
 */
export async function remind({
  databases,
  clock,
  log,
}: Pick<JobContext, 'databases' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now()
  const { rows } = await asSystem(databases.system, (tx) =>
    sql<{ org_id: string; card_ends: Date | null }>`
      select org_id, case when card_ends <= period_end and least(card_ends, period_end) <= ${inDays(now, CARD_DAYS)}::timestamptz then card_ends end as card_ends
      from (
        select s.org_id, s.period_end, s.billing_interval,
          make_timestamptz((s.payment_method->'card'->>'expiryYear')::int, (s.payment_method->'card'->>'expiryMonth')::int, 1, 0, 0, 0, 'UTC') + interval '1 month' as card_ends
        from subscription s join plan p on p.org_id = s.org_id and p.status = 'ACTIVE' and p.plan_id <> 'free'
        where s.period_end > ${now}::timestamptz
      ) t
      where (billing_interval = 'annual' and period_end <= ${inDays(now, RENEWAL_DAYS)}::timestamptz)
        or (card_ends <= period_end and least(card_ends, period_end) <= ${inDays(now, CARD_DAYS)}::timestamptz)`.execute(
      tx,
    ),
  )
  for (const { org_id: orgId, card_ends: cardEnds } of rows)
    await asSystem(databases.system, async (tx) => {
      const held = await readSubscription(tx, orgId)
      await remindOfRenewal(tx, held, now)
      if (cardEnds) await warnOfCard(tx, held, cardEnds, now)
    }).catch((error: unknown) => log.error({ err: error, orgId }, 'the reminders of a subscription could not be sent'))
}

async function remindOfRenewal(tx: Tx, held: SubscriptionRecord, now: Date): Promise<void> {
  const { interval, periodEnd } = held.state
  if (interval !== 'annual' || !periodEnd || periodEnd > inDays(now, RENEWAL_DAYS)) return
  const invoice = nextInvoice(held.state, PRICE_LIST)
  const next =
    held.provider === 'paddle'
      ? held.renews && `${money(held.renews.amount, held.renews.currencyCode)} plus tax`
      : invoice && money(invoice.charged, invoice.currencyCode)
  if (!next) return
  await notifyAdmins(
    tx,
    held.orgId,
    {
      matter: `plan-renews:${periodEnd.toISOString()}`,
      kind: 'plan-renews',
      title: `Your plan renews on ${dateText(periodEnd, 'UTC')}`,
      body: `We'll charge ${next} for another year. To change or cancel your plan before then, open Billing & Invoice in your organization settings.`,
    },
    now,
  )
}

async function warnOfCard(
  tx: Tx,
  { orgId, state, paymentMethod }: SubscriptionRecord,
  cardEnds: Date,
  now: Date,
): Promise<void> {
  const card = paymentMethod?.card
  if (!card || !state.periodEnd) return
  const lastDay = new Date(cardEnds.getTime() - 1)
  await notifyAdmins(
    tx,
    orgId,
    {
      matter: `card-ends:${card.last4}:${cardEnds.toISOString()}`,
      kind: 'card-ends',
      title: `Your card ending in ${card.last4} expires on ${dateText(lastDay, 'UTC')}`,
      body: `It won't pay the renewal on ${dateText(state.periodEnd, 'UTC')}. Update the payment method in your organization settings to keep your plan.`,
    },
    now,
  )
}

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)
