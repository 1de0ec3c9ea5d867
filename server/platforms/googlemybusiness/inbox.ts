import { z } from 'zod'
import { isGone, readingRefused } from '../google.ts'
import type { Inbox, InboxChange, ReadAnswer, RemoteItem, RemoteMedia } from '../inbox.ts'
import type { Refusal } from '../platform.ts'
import { call, refusalOf, withSecret } from './client.ts'
import { replies, replyIdOf } from './replies.ts'
import { Review, Reviews, type BusinessSecret } from './schemas.ts'

/*
 * Reviews of a location, those changed last first. Further pages may lack some (Google's known issue of 2026-06-17), so a
 * review counts as deleted only when Google says so by its name. Each page is one call.
 */

const PAGE = 50
/** Once a day, all pages since the first reading are read again, for replies that were written on Google. */
const WHOLE_MS = 24 * 3_600_000
const DEEPEST = 10
/** Reviews that are missing from where they were and looked at by name, in one reading. */
const LOOKS = 10

const Step = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list'), page: z.string().optional(), depth: z.int() }),
  z.object({ do: z.literal('look'), id: z.string() }),
])
type Step = z.infer<typeof Step>

const Cursor = z.object({
  todo: z.array(Step).catch([]),
  /** Milliseconds since 1970. */
  wholeAt: z.number().catch(0),
  /** Reviews of the newest page, when each was changed, and the id of its reply. */
  known: z.record(z.string(), z.object({ at: z.number(), reply: z.string().nullable() })).catch({}),
})
type Cursor = z.infer<typeof Cursor>

const read: Inbox['read'] = withSecret(
  async (reach, own, _account, { cursor, since, now }): Promise<ReadAnswer | Refusal> => {
    const kept = Cursor.parse(cursor ?? {})
    const at = kept.todo.length > 0 ? kept : begin(kept, now)
    const [step, ...todo] = at.todo
    if (!step) throw new Error('a reading without a call')
    if (step.do === 'look') {
      const seen = await call(reach, own, { path: `${own.parent}/reviews/${step.id}`, reply: Review })
      if (seen.kind !== 'ok' && !isGone(seen)) return refusalOf(seen, asking)
      const changes: InboxChange[] =
        seen.kind === 'ok'
          ? changesOf(seen.value, at.known[step.id]?.reply, own, now)
          : [{ change: 'deleted', remoteId: step.id, at: now }]
      return { kind: 'read', changes, cursor: { ...at, todo }, more: todo.length > 0 }
    }
    const list = await call(reach, own, {
      path: `${own.parent}/reviews`,
      query: { pageSize: String(PAGE), orderBy: 'updateTime desc', pageToken: step.page },
      reply: Reviews,
    })
    if (list.kind !== 'ok') return readingRefused(refusalOf(list, asking))
    const { reviews, nextPageToken: next } = list.value
    const changes = reviews.flatMap((review) => changesOf(review, at.known[review.reviewId]?.reply, own, now))
    const oldest = Math.min(...reviews.map(changedAt))
    // what changed since the newest that is known may go on behind this page
    const newest = Math.max(0, ...Object.values(at.known).map((one) => one.at))
    const goesOn =
      next !== undefined &&
      next !== step.page &&
      reviews.length > 0 &&
      oldest >= since.getTime() &&
      (step.depth > 1 || oldest > newest)
    const isFirst = step.page === undefined
    const now50 = new Map(
      reviews.map((one) => [one.reviewId, { at: changedAt(one), reply: replyIdOf(one.reviewId, one.reviewReply) }]),
    )
    const missing = isFirst
      ? Object.entries(at.known).filter(([id, one]) => !now50.has(id) && (next === undefined || one.at > oldest))
      : []
    const looks = missing.slice(0, LOOKS).map(([id]) => ({ do: 'look' as const, id }))
    const further = goesOn ? [{ ...step, page: next, depth: Math.max(1, step.depth - 1) }] : []
    // those that weren't looked at are missing again next time
    const left = Object.fromEntries(missing.slice(LOOKS))
    return {
      kind: 'read',
      changes,
      cursor: {
        ...at,
        known: isFirst ? { ...left, ...Object.fromEntries(now50) } : at.known,
        todo: [...further, ...todo, ...looks],
      },
      more: further.length + todo.length + looks.length > 0,
    }
  },
)

const asking = { doing: 'show-inbox', irreversible: false } as const

function begin(at: Cursor, now: Date): Cursor {
  const isWhole = now.getTime() - at.wholeAt >= WHOLE_MS
  return {
    ...at,
    todo: [{ do: 'list', depth: isWhole ? DEEPEST : 1 }],
    ...(isWhole && { wholeAt: now.getTime() }),
  }
}

const changedAt = ({ updateTime, createTime }: Review): number => (updateTime ?? createTime)?.getTime() ?? 0
const stars: Partial<Record<string, number>> = { ONE: 1, TWO: 2, THREE: 3, FOUR: 4, FIVE: 5 }

/** The review, its reply, and that the reply before is gone. */
function changesOf(
  review: Review,
  replyBefore: string | null | undefined,
  own: BusinessSecret,
  now: Date,
): InboxChange[] {
  const { reviewId: id, reviewer, reviewReply: reply } = review
  const at = review.createTime ?? now
  const isEdited = review.updateTime !== null && review.updateTime > at
  const common = {
    change: 'item',
    threadKey: id,
    conversation: 'review',
    counterpart: null,
    hidden: false,
    url: own.mapsUri,
    subject: null,
  } as const
  const item: RemoteItem = {
    ...common,
    remoteId: id,
    type: 'REVIEW',
    parentRemoteId: null,
    // Google names no ids of people: each review is someone of its own
    author: {
      remoteId: `review ${id}`,
      name: reviewer.isAnonymous ? 'A Google user' : reviewer.displayName,
      handle: '',
      pictureUrl: reviewer.isAnonymous ? null : reviewer.profilePhotoUrl,
      url: null,
    },
    isOurs: false,
    text: review.comment,
    media: review.reviewMediaItems.map(({ thumbnailUrl: url, videoUrl }): RemoteMedia =>
      videoUrl === null
        ? { kind: 'image', url, name: null, altText: null }
        : { kind: 'video', url: videoUrl, name: null, altText: null },
    ),
    at,
    version: (review.updateTime ?? at).getTime(),
    editedAt: isEdited ? review.updateTime : null,
    rating: stars[review.starRating] ?? null,
  }
  const replyId = replyIdOf(id, reply)
  const before: InboxChange[] =
    replyBefore !== undefined && replyBefore !== null && replyBefore !== replyId
      ? [{ change: 'deleted', remoteId: replyBefore, at: now }]
      : []
  if (reply === null || replyId === null) return [item, ...before]
  const answer: RemoteItem = {
    ...common,
    remoteId: replyId,
    type: 'REPLY',
    parentRemoteId: id,
    author: null,
    isOurs: true,
    text: reply.comment,
    media: [],
    at: reply.updateTime ?? now,
    version: 0,
    editedAt: null,
    // nobody sees what Google rejected
    hidden: reply.reviewReplyState === 'REJECTED',
    rating: null,
  }
  return [item, ...before, answer]
}

export const inbox: Inbox = { reads: [['review']], read, replies }
