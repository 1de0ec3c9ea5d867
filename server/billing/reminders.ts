import { sql } from 'kysely'
import type { Invoice } from '#contract/invoicing.ts'
import { PRICE_LIST } from '#contract/priceList.ts'
import { nextInvoice } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { readSubscription, type SubscriptionRecord } from './subscriptionRecord.ts'
import { notifyAdmins } from './notify.ts'

/** How many days before an annual renewal its admins are reminded. */
const RENEWAL_DAYS = 14
/** How many days before a renewal, or the card's end, admins are warned about a card that won't pay it. */
const CARD_DAYS = 30

/** A receipt for a payment here. Paddle sends its own. Payments from credit alone have none. */
export async function sendReceipt(
  tx: Tx,
  { orgId, number, invoice }: { orgId: string; number: string; invoice: Invoice },
  now: Date,
): Promise<void> {
  if (invoice.charged === 0) return
  await notifyAdmins(
    tx,
    orgId,
    {
      dedupeKey: `receipt:${number}`,
      kind: 'payment-received',
      params: {
        paid: { amount: invoice.charged, currencyCode: invoice.currencyCode },
        items: invoice.lines.map(({ name, quantity }) => ({ name, quantity })),
        invoiceNumber: number,
      },
    },
    now,
  )
}

/**
 * Reminds the admins of an annual renewal 14 days before it, and warns them about a card that expires before the next
 * renewal, 30 days before either. Safe to repeat, also next to another worker.
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
          case when (s.payment_method->'card'->>'expiryMonth')::int between 1 and 12 and (s.payment_method->'card'->>'expiryYear')::int between 2000 and 9999 then make_timestamptz((s.payment_method->'card'->>'expiryYear')::int, (s.payment_method->'card'->>'expiryMonth')::int, 1, 0, 0, 0, 'UTC') + interval '1 month' end as card_ends
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
    }).catch((error: unknown) => log.error({ err: error, orgId }, "a subscription's reminders couldn't be sent"))
}

async function remindOfRenewal(tx: Tx, held: SubscriptionRecord, now: Date): Promise<void> {
  const { interval, periodEnd } = held.state
  if (interval !== 'annual' || !periodEnd || periodEnd > inDays(now, RENEWAL_DAYS)) return
  const invoice = nextInvoice(held.state, PRICE_LIST)
  const price =
    held.provider === 'paddle'
      ? held.renews
      : invoice && { amount: invoice.charged, currencyCode: invoice.currencyCode }
  if (!price) return
  await notifyAdmins(
    tx,
    held.orgId,
    {
      dedupeKey: `plan-renews:${periodEnd.toISOString()}`,
      kind: 'plan-renews',
      params: {
        renewsAt: periodEnd.toISOString(),
        price: { amount: price.amount, currencyCode: price.currencyCode },
        plusTax: held.provider === 'paddle',
      },
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
      dedupeKey: `card-ends:${card.last4}:${cardEnds.toISOString()}`,
      kind: 'card-ends',
      params: { last4: card.last4, expiresAt: lastDay.toISOString(), renewsAt: state.periodEnd.toISOString() },
    },
    now,
  )
}

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * 86_400_000)
