import { useState } from 'react'
import { bulkPosts, type BulkAction } from '#contract/bulkPosts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { draftQuery, listPosts, postStatistics, type PostRow } from '#contract/postLists.ts'
import { getPost, reschedulePost } from '#contract/posts.ts'
import { campaignPosts } from '#contract/campaigns.ts'
import { listLabels } from '#contract/labels.ts'
import { scheduleAt } from '#web/lib/moment.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { takingBack } from './bulkLabels.ts'
import { momentOfPost } from './moving.ts'

const refreshes = [listPosts, draftQuery, campaignPosts, getPost, postStatistics, listLabels]
type Reply = ReplyOf<typeof bulkPosts>
export type Refused = { post: PostRow | undefined; reason: string }

/** One thing done to many posts: what went through can be undone for 10 s, and what did not is told with its reason. */
export function useBulk() {
  const ids = useProjectIds()
  const send = useSend(bulkPosts, { refreshes })
  const reschedule = useSend(reschedulePost, { refreshes })
  const [refused, setRefused] = useState<readonly Refused[]>([])

  const run = async (posts: readonly PostRow[], body: BulkAction): Promise<boolean> => {
    let reply: Reply
    try {
      reply = await send.mutateAsync({ params: ids, body })
    } catch {
      // the reason has been shown by the global handling of failures
      return false
    }
    const done = posts.filter(({ postId }) => reply.results.some((result) => result.postId === postId && result.ok))
    const undo = body.action === 'retry' || body.action === 'restore' || done.length === 0 ? undefined : () => undoing(done, body)
    const id = `bulk-${body.action}`
    if (undo) toast.undo(reply.message, () => void undo().catch(() => undefined), { id })
    else if (reply.failed > 0) toast.warning(reply.message, { id })
    else toast.success(reply.message, { id })
    tellRefused(posts, reply)
    return true
  }

  const tellRefused = (posts: readonly PostRow[], reply: Reply) => setRefused(reply.results.filter(({ ok }) => !ok).map(({ postId, reason }) => ({ post: posts.find((one) => one.postId === postId), reason: reason ?? '' })))

  const undoing = async (done: readonly PostRow[], body: BulkAction): Promise<void> => {
    if (body.action === 'delete') {
      const back = await send.mutateAsync({ params: ids, body: { action: 'restore', postIds: done.map(({ postId }) => postId) } })
      tellRefused(done, back)
      if (back.failed > 0) {
        toast.warning(back.message, { id: `bulk-${body.action}` })
        return
      }
    }
    if (body.action === 'reschedule') {
      // a time that had passed, or none, is nothing to go back to
      const back = done.filter(({ dueAt }) => dueAt !== null && Date.parse(dueAt) > Date.now())
      for (const post of back) await reschedule.mutateAsync({ params: { ...ids, postId: post.postId }, body: { schedule: scheduleAt(momentOfPost(post)) } })
    }
    if (body.action === 'label') for (const back of takingBack(done, body)) await send.mutateAsync({ params: ids, body: { action: 'label', ...back } })
    toast.success('Taken back', { id: `bulk-${body.action}` })
  }

  return { run, busy: send.isPending, refused, setRefused }
}
