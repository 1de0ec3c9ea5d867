import { randomUUIDv7 } from 'node:crypto'
import type { TimelineEntry } from '#contract/posts.ts'
import type { TimelineDetail } from '#contract/timeline.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'

/** A line of a post's timeline. Its id is made once, so that writing it twice writes it once. */
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
 * Records what happened to posts, in the given order and after what was recorded before, in the changing transaction; with
 * `insertWithCommit` at its end, where nothing of it reads them.
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

/** Ids order what happens at one instant: each is later than all that this process gave before. */
function laterId(): string {
  const id = randomUUIDv7()
  last = id > last ? id : successorOf(last)
  return last
}

function successorOf(id: string): string {
  const hex = (BigInt(`0x${id.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
