import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { overrule } from '../delivery/overrule.ts'
import type { DeliveryStep } from '../delivery/steps.ts'

/** What the actions on posts need to know about a post's delivery. */
export type PostDelivery = {
  /** The next step for the post itself; null for none. */
  step: DeliveryStep | null
  sentAt: Date | null
  sendKey: string | null
  /** The adapter's saved progress. */
  progress: Record<string, unknown>
  /** Whether one of its follow-ups is still being published. */
  goesOn: boolean
}

const Progress = z.record(z.string(), z.unknown())
const NONE: PostDelivery = { step: null, sentAt: null, sendKey: null, progress: {}, goesOn: false }

/** The delivery progress of posts, by ID; `NONE` for one that was never scheduled. */
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

/** Ends the engine's work on the post itself; whatever it's reading of the post right now is rejected by the fence. */
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
