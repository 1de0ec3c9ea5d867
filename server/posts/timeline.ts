import { randomUUIDv7 } from 'node:crypto'
import type { TimelineEntry } from '#contract/posts.ts'
import { insertMany } from '../db/insertMany.ts'
import type { Tx } from '../db/kysely.ts'

export type Happening = { postId: string; kind: TimelineEntry['kind']; personId?: string | null; dueAt?: Date | null; note?: string | null }

/** Notes what happened to posts, in the given order, in the changing transaction. */
export async function note(tx: Tx, orgId: string, at: Date, happenings: readonly Happening[]): Promise<void> {
  if (happenings.length === 0) return
  // ids order what happens at one instant
  const ids = happenings.map(() => randomUUIDv7()).toSorted()
  const rows = happenings.map(({ postId, kind, personId = null, dueAt = null, note: words = null }, i) => ({ org_id: orgId, post_id: postId, id: ids[i] ?? randomUUIDv7(), kind, at, person_id: personId, due_at: dueAt, note: words }))
  await insertMany(tx, 'post_event', rows)
}
