import { dateText, money } from '#contract/format.ts'
import { endsUnpaid } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import type { SubscriptionRecord } from './subscriptionRecord.ts'
import { notifyAdmins } from './notify.ts'

/**
 * Tells the admins, in the app and by mail, when a payment failed, at each further try, and when the plan has ended. Other
 * changes they made themselves.
 */
export async function tellOfChange(
  tx: Tx,
  { state: before }: SubscriptionRecord,
  { orgId, state, version }: SubscriptionRecord,
  now: Date,
): Promise<void> {
  if (state.status === 'PAST_DUE' && state.overdue) {
    const { nextAttemptAt, since, invoice } = state.overdue
    const owed = invoice.charged > 0 ? ` You owe ${money(invoice.charged, invoice.currencyCode)}.` : ''
    const again = nextAttemptAt ? ` We'll try the card again on ${dateText(nextAttemptAt, 'UTC')}.` : ''
    await notifyAdmins(
      tx,
      orgId,
      {
        matter: `payment:${since.toISOString()}:${version}`,
        kind: 'payment-failed',
        title: 'A payment for your plan failed',
        body: `To avoid interruptions to your account, please complete your payment as soon as possible.${owed}${again} Without a payment your plan ends on ${dateText(endsUnpaid(since), 'UTC')}.`,
      },
      now,
    )
  } else if (state.status === 'CANCELLED' && before.status !== 'CANCELLED') {
    const unpaid = before.status === 'PAST_DUE'
    await notifyAdmins(
      tx,
      orgId,
      {
        matter: `plan-ended:${version}`,
        kind: 'plan-ended',
        title: 'Your plan has ended',
        body: `${unpaid ? "Its payment didn't go through. " : ''}Nothing is published or connected until you choose a plan, such as Free. Scheduled posts wait, nothing is deleted, and you can still read everything.`,
      },
      now,
    )
  }
}
