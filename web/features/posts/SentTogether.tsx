import { clsx } from 'clsx'
import { Link } from '@tanstack/react-router'
import { listPosts } from '#contract/postLists.ts'
import type { Post } from '#contract/posts.ts'
import { useProjectIds } from '#web/lib/project.ts'
import { usePostList } from '#web/lib/postLists.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'

/** As many as one call returns: the times of a series on each of its channels. */
const MOST = 300

/** The posts that were created with this one for other channels at the same time, with their statuses. */
export function SentTogether({ post }: { post: Pick<Post, 'postId' | 'batchId' | 'series'> }) {
  const { batchId } = post
  const together = usePostList(
    listPosts,
    { params: useProjectIds(), query: { ...(batchId !== null && { batchId }), limit: MOST } },
    { enabled: batchId !== null },
  )
  const posts = (together.data?.posts ?? []).filter(({ series }) => series?.index === post.series?.index)
  if (posts.length < 2) return null
  return (
    <section aria-label="Together" className="grid gap-1.5">
      <p className="text-sm font-semibold text-ink-muted">On {posts.length} channels</p>
      <ul className="flex flex-wrap gap-1.5">
        {posts.map(({ postId, channel, status }) => (
          <li key={postId} className="min-w-0">
            <Link
              to="."
              search={(before) => ({ ...before, post: postId })}
              aria-current={postId === post.postId ? 'true' : undefined}
              className={clsx(
                'flex min-h-7 items-center gap-1.5 rounded-md border px-2 text-sm pointer-coarse:min-h-10',
                postId === post.postId ? 'border-accent bg-accent-soft' : 'border-line bg-surface hover:bg-hover',
              )}
            >
              {channel ? <PlatformIcon platform={channel.platformName} size={14} /> : null}
              <span dir="auto" className="max-w-28 truncate">
                {channel?.channelName ?? 'No channel'}
              </span>
              {channel ? <span className="sr-only"> on {platformName(channel.platformName)}</span> : null}
              <StatusMark status={status} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
