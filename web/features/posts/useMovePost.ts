import { useQueryClient } from '@tanstack/react-query'
import type { ReplyOf } from '#contract/endpoint.ts'
import { errorCatalog } from '#contract/errors.ts'
import { listPosts, postStatistics, type PostRow } from '#contract/postLists.ts'
import { getPost, reschedulePost, type Scope } from '#contract/posts.ts'
import type { Schedule } from '#contract/submit.ts'
import { count } from '#web/lib/format.ts'
import { instantOfMoment, momentWords, scheduleAt, type Moment } from '#web/lib/moment.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { refresh, useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { showChanged } from './cachedPosts.ts'
import { undoRequest } from './undoRequest.ts'

type Reply = ReplyOf<typeof reschedulePost>
type Movable = Pick<PostRow, 'postId' | 'status' | 'dueAt' | 'at' | 'timezone'>

/**
 * Moves a post to another time: shown immediately, reverted with the server's reason if it's refused, and can be undone
 * for 10 s from its toast, which starts with `verb`. With a scope, the others of its series move by the same number of
 * days. A time in the past is refused here with a message. Returns whether the move was started.
 */
export function useMovePost(verb = 'Moved to'): (post: Movable, to: Moment, scope?: Scope) => boolean {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const { mutateAsync } = useSend(reschedulePost, { refreshes: [getPost, postStatistics] })

  const send = async (
    postId: string,
    schedule: Schedule,
    shown: Partial<PostRow>,
    scope: Scope,
  ): Promise<Reply | undefined> => {
    await queries.cancelQueries({ queryKey: [listPosts.path] })
    const takeBack = showChanged(queries, postId, shown)
    try {
      const reply = await mutateAsync({ params: { ...ids, postId }, body: { schedule, scope } })
      if (scope !== 'this') refresh(queries, listPosts)
      // the lists show it already; their next reading comes with the live event
      showChanged(queries, postId, {
        status: reply.status,
        version: reply.version,
        ...(reply.dueAt ? { dueAt: reply.dueAt, at: reply.dueAt } : {}),
      })
      return reply
    } catch {
      // the reason has been shown by the global handling of failures
      takeBack()
      return undefined
    }
  }
  const moveWithUndo = async (post: Movable, to: Moment, scope: Scope): Promise<void> => {
    const { postId } = post
    const dueAt = instantOfMoment(to).toISOString()
    const reply = await send(
      postId,
      scheduleAt(to),
      {
        dueAt,
        at: dueAt,
        timezone: to.zone,
        ...(post.status === 'FAILED' ? { status: 'SCHEDULED', failure: null } : {}),
      },
      scope,
    )
    if (!reply) return
    const id = `move-${postId}`
    const words = `${verb} ${momentWords(to)}${othersOf(reply)}`
    // the others of a series were in no queue: they can't go back to one
    const way = scope !== 'this' && post.status === 'QUEUED' ? undefined : undoRequest(post)
    if (!way) return toast.success(words, { id })
    const undo = async () => {
      const back = await send(postId, way.schedule, { dueAt: post.dueAt, at: post.at, timezone: post.timezone }, scope)
      if (back) toast.success(`${way.words}${othersOf(back)}`, { id })
    }
    toast.undo(words, () => void undo(), { id })
  }

  return (post, to, scope = 'this') => {
    if (hasPassed(instantOfMoment(to))) {
      toast.warning(errorCatalog.TIME_PASSED.detail)
      return false
    }
    void moveWithUndo(post, to, scope)
    return true
  }
}

/** Up to an hour back still means "now" to the server; a calendar shouldn't send posts by a slip of the hand. */
function hasPassed(at: Date): boolean {
  return at.getTime() <= Date.now()
}

/** What a change of a series did besides this post: ", and 4 others of its series; 1 stays as it is". */
export function othersOf({ changed, kept }: Pick<Reply, 'changed' | 'kept'>): string {
  const others = Math.max(0, changed - 1)
  const moved = others > 0 ? `, and ${count(others, 'other')} of its series` : ''
  return kept.length > 0 ? `${moved}; ${count(kept.length, "wasn't", "weren't")} changed` : moved
}
