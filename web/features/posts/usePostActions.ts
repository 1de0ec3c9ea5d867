import { useQueryClient } from '@tanstack/react-query'
import { deleteDraft } from '#contract/drafts.ts'
import { type PostRow } from '#contract/postLists.ts'
import { deletePost, reschedulePost, restorePost, retryPost, settlePost, type Scope } from '#contract/posts.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { isFailure, type FailureCode } from '#web/lib/failure.ts'
import { useSend } from '#web/lib/queries.ts'
import { toast } from '#web/ui/toast.ts'
import { showChanged } from './cachedPosts.ts'
import { othersOf } from './useMovePost.ts'

/** Failures that bring no words of their own. */
const wordless: FailureCode[] = ['UNREADABLE', 'INTERNAL']

type Target = Pick<PostRow, 'postId' | 'status'>

/** A person's actions on a post besides moving and editing it. Each reports its result; failures show their reason. */
export function usePostActions() {
  const ids = useProjectIds()
  const queries = useQueryClient()
  const unsaid = (words: string) => ({
    handles: wordless,
    onError: (error: Error) => (isFailure(error, ...wordless) ? toast.error(words) : undefined),
  })
  const retry = useSend(retryPost, {
    ...unsaid('Failed to publish post'),
    onSuccess: (reply) => toast.success(reply.message ?? 'Post sent for processing'),
  })
  const sendNow = useSend(reschedulePost, {
    ...unsaid('Failed to publish post'),
    onSuccess: (reply) => toast.success(reply.message ?? 'Post sent for processing'),
  })
  const settle = useSend(settlePost, {
    ...unsaid('Failed to update post'),
    onSuccess: (reply) => toast.success(reply.message ?? 'Post updated successfully'),
  })
  const restore = useSend(restorePost, { onSuccess: () => toast.success('Post restored') })
  const remove = useSend(deletePost, { ...unsaid('Failed to delete post') })
  const removeDraft = useSend(deleteDraft, { ...unsaid('Failed to delete post') })

  const paramsOf = (post: Target) => ({ ...ids, postId: post.postId })
  const showing = async (post: Target, change: Partial<PostRow>, call: () => Promise<unknown>) => {
    const takeBack = showChanged(queries, post.postId, change)
    try {
      await call()
      return true
    } catch {
      // the reason has been shown by the global handling of failures
      takeBack()
      return false
    }
  }

  return {
    busy: retry.isPending || sendNow.isPending || settle.isPending,
    retry: (post: Target) =>
      showing(post, { status: 'PROCESSING', failure: null }, () => retry.mutateAsync({ params: paramsOf(post) })),
    /** What was to follow a live post: it stays published meanwhile. */
    retryRest: (post: Target) => showing(post, {}, () => retry.mutateAsync({ params: paramsOf(post) })),
    sendNow: (post: Target) =>
      showing(post, { status: 'PROCESSING', failure: null }, () =>
        sendNow.mutateAsync({ params: paramsOf(post), body: { schedule: { type: 'NOW' } } }),
      ),
    settle: (post: Target, outcome: 'published' | 'send_again' | 'failed') =>
      showing(post, outcome === 'send_again' && post.status !== 'PUBLISHED' ? { status: 'PROCESSING' } : {}, () =>
        settle.mutateAsync({ params: paramsOf(post), body: { outcome } }),
      ),
    /** Gone at once, back for 10 s from the toast. One that was deleted on the platform too can't come back there. */
    remove: (
      post: Target,
      { platform = 'keep', scope = 'this' }: { platform?: 'keep' | 'delete'; scope?: Scope } = {},
    ) =>
      showing(post, { status: 'DELETED' }, async () => {
        const single = post.status === 'DRAFTS' && scope === 'this'
        const reply = single
          ? { ...(await removeDraft.mutateAsync({ params: paramsOf(post) })), changed: 1, kept: [] }
          : await remove.mutateAsync({ params: paramsOf(post), query: { platform, scope } })
        const words = `${reply.message ?? 'Post deleted successfully'}${scope === 'this' ? '' : othersOf(reply)}`
        if (platform === 'delete') toast.success(words)
        else
          toast.undo(words, () => restore.mutate({ params: paramsOf(post), query: { scope } }), {
            id: `delete-${post.postId}`,
          })
      }),
  }
}
