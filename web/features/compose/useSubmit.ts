import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { editPost, getPost } from '#contract/posts.ts'
import { submitPost, type Submit } from '#contract/submit.ts'
import { newIdempotencyKey } from '#web/lib/client.ts'
import { useSend } from '#web/lib/queries.ts'

const shownHere = ['BAD_INPUT', 'POST_REFUSED', 'TIME_PASSED', 'SCHEDULE_CAP', 'STALE_VERSION', 'NOT_FOUND'] as const

/** Sends a new batch. The same content sent again carries the same key, so that a lost answer never posts twice. */
export function useSubmit() {
  const { mutateAsync, ...rest } = useSend(submitPost, { handles: [...shownHere, 'POST_LOCKED'] })
  const queries = useQueryClient()
  const last = useRef<{ content: string; key: string }>(undefined)
  return {
    ...rest,
    submit: async (params: { orgId: string; projectId: string }, body: Submit) => {
      const content = JSON.stringify(body)
      if (last.current?.content !== content) last.current = { content, key: newIdempotencyKey() }
      const reply = await mutateAsync({ params, body, idempotencyKey: last.current.key })
      if (body.draftId) queries.removeQueries({ queryKey: [getPost.path, { ...params, postId: body.draftId }] })
      return reply
    },
  }
}

/** Saves changes of a post that is planned or failed. */
export function useEdit() {
  return useSend(editPost, { handles: shownHere })
}
