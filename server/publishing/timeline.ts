import { randomUUIDv7 } from 'node:crypto'
import type { TimelineEntry } from '#contract/posts.ts'
import type { TimelineDetail } from '#contract/timeline.ts'

/** A line of a post's timeline. Its id is made once, so that writing it twice writes it once. */
export type PostEvent = { id: string; kind: TimelineEntry['kind']; at: Date; detail: TimelineDetail | null }

export const event = (kind: TimelineEntry['kind'], at: Date, detail: TimelineDetail | null = null): PostEvent => ({
  id: randomUUIDv7(),
  kind,
  at,
  detail,
})
