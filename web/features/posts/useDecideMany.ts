import { useState } from 'react'
import { approvePost } from '#contract/workflows.ts'
import { type PostRow } from '#contract/postLists.ts'
import { isFailure } from '#web/lib/failure.ts'
import { count } from '#web/lib/format.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { Refused } from './useBulk.ts'

/**
 * Approves the chosen posts one after the other, each in the version that the list shows: what was changed meanwhile is not
 * approved unseen. Answers those that were refused.
 */
export function useApproveMany() {
  const ids = useProjectIds()
  const send = useSend(approvePost, { handles: true, changes: 'post' })
  const [at, setAt] = useState<{ done: number; of: number }>()
  const run = async (posts: readonly PostRow[]): Promise<Refused[]> => {
    const refused: Refused[] = []
    let kept = 0
    for (const [i, post] of posts.entries()) {
      setAt({ done: i, of: posts.length })
      try {
        const { status } = await send.mutateAsync({
          params: { ...ids, postId: post.postId },
          body: { version: post.version, comment: '' },
        })
        if (status === 'APPROVED') kept += 1
      } catch (error) {
        refused.push({
          post,
          reason: isFailure(error, 'STALE_VERSION')
            ? 'It was changed meanwhile. Look at it again.'
            : isFailure(error)
              ? (error.detail ?? error.title)
              : 'Something went wrong. Please Try again later.',
        })
      }
    }
    setAt(undefined)
    const approved = posts.length - refused.length
    if (approved > 0)
      toast.success(
        `${count(approved, 'post')} approved.${kept > 0 ? ` ${kept === approved ? (kept === 1 ? 'It does' : 'They do') : `${kept} of them ${kept === 1 ? 'does' : 'do'}`} not go out yet: open Approved to see why.` : ''}`,
      )
    return refused
  }
  return { run, /** How many of them have been decided while it runs. What is decided leaves the list. */ at }
}
