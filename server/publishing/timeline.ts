import { randomUUIDv7 } from 'node:crypto'
import type { TimelineEntry } from '#contract/posts.ts'
import type { TimelineDetail } from '#contract/timeline.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'

/** An entry of a post's timeline. Its ID is made once, so that writing it twice has no effect. */
export type PostEvent = { id: string; kind: TimelineEntry['kind']; at: Date; detail: TimelineDetail | null }

export const event = (kind: TimelineEntry['kind'], at: Date, detail: TimelineDetail | null = null): PostEvent => ({
  id: randomUUIDv7(),
  kind,
  at,
  detail,
})

export type NewTimelineEvent = {
  postId: string
  kind: TimelineEntry['kind']
  personId?: string | null
  dueAt?: Date | null
  detail?: TimelineDetail | null
}

/**
 * Records what happened to posts, in the given order and after earlier entries, in the transaction that changes them;
 * with `insertWithCommit` at its end, where the transaction itself doesn't read the entries.
 */
export async function addTimelineEvent(
  tx: Tx,
  orgId: string,
  at: Date,
  events: readonly NewTimelineEvent[],
  insert: typeof insertMany = insertMany,
): Promise<void> {
  const rows = events.map(({ postId, kind, personId = null, dueAt = null, detail = null }) => ({
    org_id: orgId,
    post_id: postId,
    id: laterId(),
    kind,
    at,
    person_id: personId,
    due_at: dueAt,
    detail,
  }))
  await insert(tx, 'post_event', rows)
}

let last = ''

/** IDs order events of the same instant: each is later than all that this process created before. */
function laterId(): string {
  const id = randomUUIDv7()
  last = id > last ? id : successorOf(last)
  return last
}

function successorOf(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
