import { useEffect, useRef } from 'react'
import type { Post } from '#contract/posts.ts'
import type { PostState } from '#contract/postStates.ts'
import { toast } from '#web/ui/toast.ts'

const news: Partial<Record<PostState, () => void>> = {
  PUBLISHED: () => toast.success('Post published successfully'),
  FAILED: () => toast.error('Failed to publish post'),
}

/** Announces when the engine is done with the post that is being viewed. The status it had when opened isn't news. */
export function useStatusNews(post: Pick<Post, 'postId' | 'status'> | undefined): void {
  const seen = useRef<{ postId: string; status: PostState }>(undefined)
  const [postId, status] = [post?.postId, post?.status]
  useEffect(() => {
    if (!postId || !status) return
    const before = seen.current
    seen.current = { postId, status }
    if (before?.postId === postId && before.status !== status) news[status]?.()
  }, [postId, status])
}
