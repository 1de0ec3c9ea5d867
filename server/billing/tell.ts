import { dateText, money } from '#contract/format.ts'
import { endsUnpaid } from '#contract/subscription.ts'
import type { Tx } from '../db/kysely.ts'
import { raiseNotice } from '../notices/raise.ts'
import type { Held } from './held.ts'

/**
 * Tells the admins, in the app and by mail, when a payment failed, at each further try, and when the plan has ended. Other
 * changes they made themselves.
 */
export async function tellOfChange(
  tx: Tx,
  { state: before }: Held,
  { orgId, state, version }: Held,
  now: Date,
): Promise<void> {
  const common = {
    orgId,
    projectId: null,
    link: await settingsOf(tx, orgId, 'tab=billing'),
    people: 'org-admins',
    channelIds: null,
    once: true,
  } as const
  if (state.status === 'PAST_DUE' && state.overdue) {
    const { nextAttemptAt, since, invoice } = state.overdue
    const owed = invoice.charged > 0 ? ` You owe ${money(invoice.charged, invoice.currencyCode)}.` : ''
    const again = nextAttemptAt ? ` We'll try the card again on ${dateText(nextAttemptAt, 'UTC')}.` : ''
    await raiseNotice(
      tx,
      {
        ...common,
        matter: `payment:${since.toISOString()}:${version}`,
        kind: 'payment-failed',
        title: 'A payment for your plan failed',
        body: `To avoid interruptions to your account, please complete your payment as soon as possible.${owed}${again} Without a payment your plan ends on ${dateText(endsUnpaid(since), 'UTC')}.`,
      },
      now,
    )
  } else if (state.status === 'CANCELLED' && before.status !== 'CANCELLED') {
    const unpaid = before.status === 'PAST_DUE'
    await raiseNotice(
      tx,
      {
        ...common,
        matter: `plan-ended:${version}`,
        kind: 'plan-ended',
        title: 'Your plan has ended',
        body: `${unpaid ? "Its payment didn't go through. " : ''}Nothing is published or connected until you choose a plan, such as Free. Scheduled posts wait, nothing is deleted, and you can still read everything.`,
      },
      now,
    )
  }
}

/** The address of the organisation's settings, with what stands behind the question mark; null while it has no project. */
export async function settingsOf(tx: Tx, orgId: string, search: string): Promise<string | null> {
  const project = await tx
    .selectFrom('project')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return project ? `/${orgId}/project/${project.id}/org-settings?${search}` : null
}
