import type { BulkAction } from '#contract/bulkPosts.ts'
import type { PostRow } from '#contract/postLists.ts'
import type { Schedule } from '#contract/submit.ts'
import { momentAt, momentWords, scheduleAt } from '#web/lib/moment.ts'
import { takingBack } from './bulkLabels.ts'
import { momentOfPost } from './moving.ts'

type Movable = Pick<PostRow, 'postId' | 'status' | 'dueAt' | 'at' | 'timezone'>

/**
 * The request that undoes a move of this post, and its message. Undefined if it can't be undone: its time has passed or
 * it has none, or the move changes its status (a failed or approved post becomes scheduled).
 */
export function undoRequest(post: Movable, now = Date.now()): { schedule: Schedule; words: string } | undefined {
  if (post.status === 'QUEUED')
    return {
      schedule: { type: 'QUEUE', details: { position: 'LAST', ...(post.dueAt && { slot: post.dueAt }) } },
      words: 'Back in the queue',
    }
  if (post.status !== 'SCHEDULED' && post.status !== 'NEEDS_APPROVAL' && post.status !== 'DRAFTS') return undefined
  if (post.dueAt === null || Date.parse(post.dueAt) <= now) return undefined
  const before = momentOfPost(post)
  return { schedule: scheduleAt(before), words: `Back at ${momentWords(before)}` }
}

/** The requests that undo an action on many posts, in order: none if nothing can be undone. */
export function undoRequests(done: readonly PostRow[], body: BulkAction, now = Date.now()): BulkAction[] {
  if (body.action === 'delete' && done.length > 0)
    return [{ action: 'restore', postIds: done.map(({ postId }) => postId) }]
  if (body.action === 'label') return takingBack(done, body).map((back) => ({ action: 'label', ...back }))
  return body.action === 'reschedule' ? movesBack(done, now) : []
}

/** Those that return to the same time together; the soonest first, so that each queued one finds its place. */
function movesBack(done: readonly PostRow[], now: number): BulkAction[] {
  const groups = new Map<string, { schedule: Schedule; postIds: string[] }>()
  for (const post of done.toSorted((a, b) => Date.parse(a.dueAt ?? a.at) - Date.parse(b.dueAt ?? b.at))) {
    const request = undoRequest(post, now)
    if (!request) continue
    const key = JSON.stringify(request.schedule)
    const group = groups.get(key)
    if (group) group.postIds.push(post.postId)
    else groups.set(key, { schedule: request.schedule, postIds: [post.postId] })
  }
  return [...groups.values()].map((group) => ({ action: 'reschedule', ...group }))
}

/**
 * The message after an undo, with the number of posts: "19 of 20 taken back, the other one stays at Wed 25 Nov, 09:00
 * AM".
 */
export function undoneMessage(back: number, of: number, body: BulkAction): string {
  if (back === of) return 'Undone'
  const { schedule } = body.action === 'reschedule' ? body : { schedule: undefined }
  const stay =
    schedule?.type === 'ONCE'
      ? ` at ${momentWords(momentAt(new Date(schedule.details.utc), schedule.details.timezone))}`
      : ` as ${of - back === 1 ? 'it is' : 'they are'}`
  return `${back} of ${of} undone, ${of - back === 1 ? 'the other one stays' : 'the others stay'}${stay}`
}
