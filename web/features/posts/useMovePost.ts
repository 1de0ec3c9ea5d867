import { useQueryClient } from '@tanstack/react-query'
import { errorCatalogue } from '#contract/errors.ts'
import { getPost, listPosts, postStatistics, reschedulePost, type PostRow } from '#contract/posts.ts'
import { instantOfMoment, momentWords, scheduleAt, type Moment } from '#web/lib/moment.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { showChanged } from './cachedPosts.ts'
import { momentOfPost } from './moving.ts'

type Movable = Pick<PostRow, 'postId' | 'status' | 'dueAt' | 'at' | 'timezone'>

/**
 * Moves a post to another time: shown at once, taken back with the server's reason when refused, undone for 10 s from
 * its toast, which begins with `verb`. A time that has passed is refused here and says so. Answers whether the move was begun.
 */
export function useMovePost(verb = 'Moved to'): (post: Movable, to: Moment) => boolean {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const { mutateAsync } = useSend(reschedulePost, { refreshes: [getPost, postStatistics] })

  const send = async (post: Movable, to: Moment): Promise<boolean> => {
    await queries.cancelQueries({ queryKey: [listPosts.path] })
    const dueAt = instantOfMoment(to).toISOString()
    const takeBack = showChanged(queries, post.postId, { dueAt, at: dueAt, timezone: to.zone, ...(post.status === 'FAILED' ? { status: 'SCHEDULED', failure: null } : {}) })
    try {
      const reply = await mutateAsync({ params: { ...ids, postId: post.postId }, body: { schedule: scheduleAt(to) } })
      // the lists show it already; their next reading comes with the live event
      showChanged(queries, post.postId, { status: reply.status, version: reply.version, ...(reply.dueAt ? { dueAt: reply.dueAt, at: reply.dueAt } : {}) })
      return true
    } catch {
      // the reason has been shown by the global handling of failures
      takeBack()
      return false
    }
  }
  const moveWithUndo = async (post: Movable, to: Moment): Promise<void> => {
    if (!(await send(post, to))) return
    const id = `move-${post.postId}`
    const words = `${verb} ${momentWords(to)}`
    // a time that had passed is nothing to go back to
    if (!post.dueAt || hasPassed(new Date(post.dueAt))) return toast.success(words, { id })
    const before = momentOfPost(post)
    const undo = async () => {
      if (await send({ ...post, dueAt: instantOfMoment(to).toISOString() }, before)) toast.success(`Back at ${momentWords(before)}`, { id })
    }
    toast.undo(words, () => void undo(), { id })
  }

  return (post, to) => {
    if (hasPassed(instantOfMoment(to))) {
      toast.warning(errorCatalogue.TIME_PASSED.detail)
      return false
    }
    void moveWithUndo(post, to)
    return true
  }
}

/** Up to an hour back still means "now" to the server; a calendar should not send posts by a slip of the hand. */
function hasPassed(at: Date): boolean {
  return at.getTime() <= Date.now()
}

