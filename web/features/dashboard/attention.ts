import type { Channel } from '#contract/channels.ts'
import { listPosts } from '#contract/postLists.ts'
import { usePostList } from '#web/lib/postLists.ts'
import type { ProjectIds } from '#web/lib/project.ts'
import { useCode } from '#web/lib/useCode.ts'

const SHOWN_FAILURES = 4

const loadNeedsYou = () => import('./NeedsYou.tsx')

/**
 * The posts that failed or weren't confirmed (with `enabled`, for people who see posts), the channels that are disconnected, and the code that shows them: it
 * words every failure, so it's loaded only if there are any.
 */
export function useAttention(ids: ProjectIds, channels: readonly Channel[], { enabled }: { enabled: boolean }) {
  const failed = usePostList(
    listPosts,
    { params: ids, query: { status: ['FAILED' as const, 'UNCONFIRMED' as const], limit: SHOWN_FAILURES } },
    { enabled },
  )
  const disconnected = channels.filter((channel) => channel.enabled && channel.status !== 'CONNECTED')
  const isNeeded = disconnected.length > 0 || (failed.data?.posts.length ?? 0) > 0
  const { code, failed: isMissing } = useCode(loadNeedsYou, isNeeded)
  return {
    posts: failed.data?.posts ?? [],
    total: failed.data?.pagination.totalCount ?? 0,
    disconnected,
    isPending: (enabled && failed.isPending) || (isNeeded && !code && !isMissing),
    NeedsYou: isNeeded ? code?.NeedsYou : undefined,
  }
}
