import { endsUnpaid } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { notifyAdmins } from './notify.ts'
import type { SubscriptionRecord } from './subscriptionRecord.ts'

/**
 * Notifies the admins when a payment failed, at each further try, and when the plan has ended. They made other changes
 * themselves.
 */
export async function notifyOfChange(
  tx: Tx,
  { state: before }: SubscriptionRecord,
  { orgId, state, version }: SubscriptionRecord,
  now: Date,
): Promise<void> {
  if (state.status === 'PAST_DUE' && state.overdue) {
    const { nextAttemptAt, since, invoice } = state.overdue
    await notifyAdmins(
      tx,
      orgId,
      {
        dedupeKey: `payment:${since.toISOString()}:${version}`,
        kind: 'payment-failed',
        params: {
          owed: { amount: invoice.charged, currencyCode: invoice.currencyCode },
          nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
          endsAt: endsUnpaid(since).toISOString(),
        },
      },
      now,
    )
  } else if (state.status === 'CANCELLED' && before.status !== 'CANCELLED') {
    const unpaid = before.status === 'PAST_DUE'
    await notifyAdmins(tx, orgId, { dedupeKey: `plan-ended:${version}`, kind: 'plan-ended', params: { unpaid } }, now)
  }
}
