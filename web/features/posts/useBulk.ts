import { useState } from 'react'
import { bulkPosts, type BulkAction } from '#contract/bulkPosts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { type PostRow } from '#contract/postLists.ts'
import { isFailure } from '#web/lib/failure.ts'
import { FALLBACK_MESSAGE } from '#web/lib/onFailure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { undoneMessage, undoRequests } from './undoRequest.ts'

type Reply = ReplyOf<typeof bulkPosts>
type Result = Pick<Reply['results'][number], 'postId' | 'ok' | 'reason'>
export type Refused = { post: PostRow | undefined; reason: string }

/**
 * One action on many posts: successful changes can be undone for 10 s, and failures are reported with their reasons.
 */
export function useBulk() {
  const ids = useProjectIds()
  const send = useSend(bulkPosts)
  const undo = useSend(bulkPosts, { handles: true })
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
    const id = `bulk-${body.action}`
    // what can no longer be undone is reported after clicking
    if (undoRequests(done, body).length > 0) toast.undo(reply.message, () => void takeBack(done, body, id), { id })
    else if (reply.failed > 0) toast.warning(reply.message, { id })
    else toast.success(reply.message, { id })
    tellRefused(posts, reply.results)
    return true
  }

  const tellRefused = (posts: readonly PostRow[], results: readonly Result[]) =>
    setRefused(
      results
        .filter(({ ok }) => !ok)
        .map(({ postId, reason }) => ({ post: posts.find((one) => one.postId === postId), reason: reason ?? '' })),
    )

  /** Continues after a refusal, and reports how many stayed unchanged. */
  const takeBack = async (done: readonly PostRow[], body: BulkAction, id: string): Promise<void> => {
    const answered: Result[] = []
    for (const way of undoRequests(done, body))
      answered.push(
        ...(await undo.mutateAsync({ params: ids, body: way }).then(
          ({ results }) => results,
          (error: unknown) => way.postIds.map((postId) => ({ postId, ok: false, reason: reasonOf(error) })),
        )),
      )
    const stay =
      body.action === 'reschedule'
        ? done
            .filter(({ postId }) => !answered.some((one) => one.postId === postId))
            .map(({ postId }) => ({ postId, ok: false, reason: 'It had no earlier time.' }))
        : []
    const results = [...answered, ...stay]
    const failed = results.filter(({ ok }) => !ok).length
    const words = undoneMessage(done.length - failed, done.length, body)
    if (failed > 0) toast.warning(words, { id })
    else toast.success(words, { id })
    tellRefused(done, results)
  }

  return { run, busy: send.isPending, refused, setRefused }
}

const reasonOf = (error: unknown): string => (isFailure(error) ? (error.detail ?? error.title) : FALLBACK_MESSAGE)
