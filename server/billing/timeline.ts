import { withInvoiceNumber } from '#contract/invoicing.ts'
import { due, paid, unpaid, type Due, type Subscription } from '#contract/subscription.ts'
import { writeAudit } from '../audit/write.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { JobContext } from '../jobs/job.ts'
import { recordTransaction, markPaid } from './transactions.ts'
import { paysUnseen } from './cards.ts'
import { saveSubscription, lockSubscription, type SubscriptionRecord, type Kept } from './subscriptionRecord.ts'
import { changeOf, type Terms } from './local.ts'
import { notifyOfChange } from './notifyOfChange.ts'
import { sendReceipt } from './reminders.ts'

/** Organizations whose subscription has a deadline by now. */
export async function dueOrganizations(
  { databases, clock }: Pick<JobContext, 'databases' | 'clock'>,
  provider: 'local' | 'paddle',
): Promise<string[]> {
  const rows = await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('subscription')
      .select('org_id')
      .where('provider', '=', provider)
      .where('due_at', '<=', clock.now())
      .orderBy('due_at')
      .execute(),
  )
  return rows.map((row) => row.org_id)
}

/**
 * Renews what is due, retries unpaid amounts, ends canceled plans: everything due until now, in one transaction per
 * organization under its plan's lock. Safe to repeat, also next to another worker. If test payments are off, nothing is
 * paid. Failures are logged and don't stop others.
 */
export async function runTimeline(
  { databases, clock, log }: Pick<JobContext, 'databases' | 'clock' | 'log'>,
  terms: Terms & { pays: boolean },
): Promise<void> {
  for (const orgId of await dueOrganizations({ databases, clock }, 'local')) {
    await asSystem(databases.system, (tx) => catchUp(tx, orgId, terms, clock.now())).catch((error: unknown) =>
      log.error({ err: error, orgId }, "processing a subscription's deadline failed"),
    )
  }
}

async function catchUp(tx: Tx, orgId: string, terms: Terms & { pays: boolean }, now: Date): Promise<void> {
  const { prices } = terms
  let held = await lockSubscription(tx, orgId)
  for (
    let asked = due(held.state, now, prices);
    asked && held.provider === 'local';
    asked = due(held.state, now, prices)
  ) {
    const { next, kept } = await answer(tx, held, asked, terms, now)
    const after = await saveSubscription(tx, held, next, { provider: 'local', ...kept }, now)
    await writeAudit(
      tx,
      [
        {
          orgId,
          projectId: null,
          personId: null,
          action: actionOf(asked, next),
          entity: 'plan',
          entityId: orgId,
          detail: changeOf(held.state, next),
        },
      ],
      now,
    )
    await notifyOfChange(tx, held, after, now)
    held = after
  }
}

const actionOf = (asked: Due, next: Subscription): string =>
  asked.kind === 'ends' || next.status === 'CANCELLED' ? 'ended' : next.status === 'PAST_DUE' ? 'unpaid' : 'renewed'

async function answer(
  tx: Tx,
  held: SubscriptionRecord,
  asked: Due,
  { pays, seller }: Terms & { pays: boolean },
  now: Date,
): Promise<{ next: Subscription; kept: Omit<Kept, 'provider'> }> {
  if (asked.kind === 'ends') return { next: asked.next, kept: {} }
  const { orgId, paymentMethod } = held
  const { invoice } = asked
  const isPaid = invoice.charged === 0 || (pays && paysUnseen(paymentMethod, now))
  const entry = { orgId, kind: 'renewal', invoice, seller, personId: null, paymentMethod } as const
  if (isPaid && paymentMethod) {
    const number =
      held.overdueTransaction === null
        ? (await recordTransaction(tx, { ...entry, status: 'paid' }, now)).number
        : await markPaid(tx, { orgId, id: held.overdueTransaction, invoice, seller, paymentMethod }, now)
    if (number !== null) await sendReceipt(tx, { orgId, number, invoice }, now)
    const next = paid(held.state, invoice)
    return {
      next: { ...next, paidItems: withInvoiceNumber(next.paidItems, number ?? '') },
      kept: { overdueTransaction: null },
    }
  }
  const next = unpaid(held.state, invoice, now)
  const overdueTransaction =
    held.overdueTransaction ?? (await recordTransaction(tx, { ...entry, status: 'failed' }, now)).id
  return { next, kept: { overdueTransaction: next.status === 'CANCELLED' ? null : overdueTransaction } }
}
