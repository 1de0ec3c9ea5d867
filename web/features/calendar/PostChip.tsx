import { clsx } from 'clsx'
import { memo } from 'react'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { PostRow } from '#contract/posts.ts'
import { timeOf, tinyTimeOf } from '#web/lib/format.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { postStatusLook } from '#web/ui/postStatus.ts'
import { StatusMark } from '#web/ui/StatusBadge.tsx'

type Props = { post: PostRow; zone: string; open: boolean; movable: boolean }

/** "11:00 AM, Bluesky, Northlight: Winter roast is back. Scheduled": what a screen reader says of a post. */
export function spoken(post: PostRow, zone: string): string {
  const where = post.channel ? `${platformName(post.channel.platformName)}, ${post.channel.channelName}` : 'no channel'
  return `${timeOf(post.at, zone)}, ${where}: ${post.excerpt || 'no text'}. ${postStatusLook[post.status].word}${post.failure ? `. ${post.failure.reason}` : ''}`
}

/** The state of a post, or that it waits for a person although its state is none of trouble. */
export function PostMark({ post }: { post: PostRow }) {
  if (!post.failure || post.status === 'FAILED') return <StatusMark status={post.status} />
  return (
    <span role="img" aria-label={post.failure.reason} title={post.failure.reason} className="inline-grid shrink-0 place-items-center text-wait">
      <TriangleAlert size={13} aria-hidden />
    </span>
  )
}

/** One post in a cell of the month: time, platform, words, state. Clicks, keys and dragging are the grid's. */
export const PostChip = memo(function PostChip({ post, zone, open, movable }: Props) {
  const past = post.status === 'PUBLISHED' || post.status === 'DELETED'
  return (
    <button
      type="button"
      tabIndex={-1}
      data-post={post.postId}
      data-movable={movable || undefined}
      aria-expanded={open}
      aria-label={spoken(post, zone)}
      className="group/chip grid h-5.75 w-full min-w-0 shrink-0 grid-cols-[2.5rem_auto_minmax(0,1fr)_auto] items-center gap-1 rounded-[6px] pr-1.25 pl-1 text-left text-sm select-none hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:bg-accent-soft aria-expanded:inset-ring aria-expanded:inset-ring-accent data-dragged:opacity-40"
    >
      <span className="tnum text-xs whitespace-nowrap text-ink-muted">{tinyTimeOf(post.at, zone)}</span>
      {post.channel ? <PlatformIcon platform={post.channel.platformName} named size={15} /> : <span />}
      <span className={clsx('truncate', past ? 'text-ink-muted' : '')}>{post.excerpt || 'No text'}</span>
      <PostMark post={post} />
    </button>
  )
})
