import type { CalendarPost } from '#contract/postLists.ts'
import { shownTimeOf } from '#web/lib/shownTime.ts'
import { DraftChannels } from '#web/ui/DraftChannels.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { PostCover } from '#web/ui/PostCover.tsx'
import { StatusBadge } from '#web/ui/StatusBadge.tsx'

/** One post in the list of a day: time, text, account, state. */
function PostLine({
  post,
  zone,
  open,
  onOpen,
}: {
  post: CalendarPost
  zone: string
  open: boolean
  onOpen: (postId: string) => void
}) {
  return (
    <button
      type="button"
      data-post={post.postId}
      aria-expanded={open}
      onClick={() => onOpen(post.postId)}
      className="grid w-full min-w-0 grid-cols-[4.5rem_auto_minmax(0,1fr)_auto] items-center gap-2.5 px-3 py-2 text-left [contain-intrinsic-size:auto_48px] [content-visibility:auto] hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:bg-accent-soft max-md:grid-cols-[auto_minmax(0,1fr)_auto]"
    >
      <span className="tnum text-sm text-ink-muted max-md:hidden">{shownTimeOf(post, zone)}</span>
      {post.channel ? <PlatformIcon platform={post.channel.platformName} size={18} /> : <span />}
      <span className="min-w-0">
        <span dir="auto" className="line-clamp-1">
          {post.excerpt || 'No text'}
        </span>
        <span className="tnum block truncate text-sm text-ink-muted">
          <span className="md:hidden">{shownTimeOf(post, zone)} · </span>
          {post.channel ? post.channel.channelName : <DraftChannels channels={post.draftChannels} />}
          {post.channel?.simulated ? ' (simulated)' : ''}
        </span>
      </span>
      <span className="flex items-center gap-3">
        <PostCover post={post} className="h-8 w-11 max-md:hidden" />
        <span className="flex justify-end md:min-w-32">
          <StatusBadge status={post.status} />
        </span>
      </span>
    </button>
  )
}

/** The posts of one day, one below the other. */
export function DayList({
  posts,
  zone,
  openId,
  onOpen,
}: {
  posts: readonly CalendarPost[]
  zone: string
  openId: string | undefined
  onOpen: (postId: string) => void
}) {
  return (
    <ul className="divide-y divide-line">
      {posts.map((post) => (
        <li key={post.postId}>
          <PostLine post={post} zone={zone} open={post.postId === openId} onOpen={onOpen} />
        </li>
      ))}
    </ul>
  )
}
