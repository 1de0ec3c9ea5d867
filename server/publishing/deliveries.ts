import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { overrule } from '../delivery/overrule.ts'
import type { DeliveryStep } from '../delivery/steps.ts'

/** What posts' verbs ask of the machine about a post. */
export type PostDelivery = {
  /** What is done with the post itself next; null for nothing. */
  step: DeliveryStep | null
  sentAt: Date | null
  sendKey: string | null
  /** What the adapter kept of it. */
  progress: Record<string, unknown>
  /** Whether something that follows it is still being published. */
  goesOn: boolean
}

const Progress = z.record(z.string(), z.unknown())
const NONE: PostDelivery = { step: null, sentAt: null, sendKey: null, progress: {}, goesOn: false }

/** How far the publishing of posts is, by their ids; `NONE` for one that was never scheduled. */
export async function deliveriesOf(
  tx: Tx,
  orgId: string,
  postIds: readonly string[],
): Promise<(postId: string) => PostDelivery> {
  const found = new Map<string, PostDelivery>()
  if (postIds.length > 0) {
    const rows = await tx
      .selectFrom('delivery')
      .select(['subject', 'subject_id', 'step', 'sent_at', 'send_key', 'progress'])
      .where('org_id', '=', orgId)
      .where('subject_id', 'in', [...postIds])
      .execute()
    for (const row of rows) {
      const known = found.get(row.subject_id) ?? NONE
      found.set(
        row.subject_id,
        row.subject === 'post'
          ? {
              ...known,
              // the column's check allows nothing else
              step: row.step as DeliveryStep | null,
              sentAt: row.sent_at,
              sendKey: row.send_key,
              progress: Progress.catch({}).parse(row.progress),
            }
          : { ...known, goesOn: known.goesOn || (row.subject === 'follow-up' && row.step !== null) },
      )
    }
  }
  return (postId) => found.get(postId) ?? NONE
}

/** Ends what the machine does with the post itself; what it reads of it at this moment is refused by the fence. */
export async function endDelivery(
  tx: Tx,
  orgId: string,
  postId: string,
  state: 'sent' | 'failed' | 'unsure',
): Promise<void> {
  await overrule(
    sql`state = ${state}, step = null, step_at = null, absent_at = null`,
    sql`where d.org_id = ${orgId} and d.subject_id = ${postId} and d.subject = 'post'`,
  ).execute(tx)
}
