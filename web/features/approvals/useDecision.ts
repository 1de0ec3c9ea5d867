import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Post } from '#contract/posts.ts'
import { approvePost, rejectPost } from '#contract/workflows.ts'
import { invalidate } from '#web/lib/cacheInvalidation.ts'
import type { ApiFailure } from '#web/lib/failure.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import type { Verdict } from './DecisionForm.tsx'

/**
 * Decides on the version of a post that is on screen. A refusal is shown next to the buttons, and the post is loaded
 * again.
 */
export function useDecision(post: Pick<Post, 'postId' | 'version'>) {
  const ids = useProjectIds()
  const [refused, setRefused] = useState<ApiFailure>()
  const options = {
    handles: ['STALE_VERSION', 'POST_LOCKED', 'FORBIDDEN', 'BAD_INPUT'],
    onSuccess: ({ message }: { message?: string | undefined }) => {
      setRefused(undefined)
      toast.success(message ?? 'Decision saved')
    },
  } as const
  const queries = useQueryClient()
  const onError = (failure: ApiFailure) => {
    setRefused(failure)
    // show the current content before anyone decides again
    invalidate(queries, [{ kind: 'post', ref: post.postId }])
  }
  const approve = useSend(approvePost, { ...options, onError })
  const reject = useSend(rejectPost, { ...options, onError })
  const sending: Verdict | undefined = approve.isPending ? 'approved' : reject.isPending ? 'rejected' : undefined
  return {
    refused,
    sending,
    decide: (decision: Verdict, comment: string) =>
      (decision === 'approved' ? approve : reject).mutate({
        params: { ...ids, postId: post.postId },
        body: { version: post.version, comment },
      }),
  }
}
