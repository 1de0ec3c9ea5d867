import { sentenceOf } from '#contract/failures/catalog.ts'
import { clsx } from 'clsx'
import { memo } from 'react'
import Repeat from 'lucide-react/icons/repeat'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { CalendarPost } from '#contract/postLists.ts'
import { shownTimeOf, tinyShownTimeOf } from '#web/lib/shownTime.ts'
import { PlatformIcon, platformName } from '#web/ui/PlatformIcon.tsx'
import { StatusMark } from '#web/ui/StatusBadge.tsx'

type Props = { post: CalendarPost; zone: string; open: boolean; movable: boolean }

/** What screen readers announce about a post after the visible text, so that its name begins with that text. */
export function Unseen({
  post,
  where = false,
}: {
  post: CalendarPost
  /** Its channel isn't shown either. */ where?: boolean
}) {
  const { channel, draftChannels, series, failure, status } = post
  const platforms = [...new Set(draftChannels.map(({ platformName: platform }) => platformName(platform)))].join(', ')
  const facts = [
    where ? (channel ? channel.channelName : platforms || 'no channel') : '',
    series && series.count > 1 ? `${series.index + 1} of ${series.count} of a series` : '',
    // a failure that its mark doesn't show
    failure && status === 'FAILED' ? sentenceOf(failure) : '',
  ].filter(Boolean)
  return facts.length > 0 ? <span className="sr-only">{`, ${facts.join(', ')}`}</span> : null
}

/** The state of a post, or that it waits for a person although its state isn't an error. */
export function PostMark({ post }: { post: CalendarPost }) {
  if (!post.failure || post.status === 'FAILED') return <StatusMark status={post.status} />
  return (
    <span
      role="img"
      aria-label={sentenceOf(post.failure)}
      title={sentenceOf(post.failure)}
      className="inline-grid shrink-0 place-items-center text-wait"
    >
      <TriangleAlert size={13} aria-hidden />
    </span>
  )
}

/** Marks a post of a series; Unseen has the words for it. */
export function SeriesIcon({ post }: { post: CalendarPost }) {
  return post.series && post.series.count > 1 ? (
    <Repeat size={11} aria-hidden className="shrink-0 text-ink-faint" />
  ) : null
}

/** One post in a cell of the month: time, platform, text, state. The grid handles clicks, keys and dragging. */
export const PostChip = memo(function PostChip({ post, zone, open, movable }: Props) {
  const past = post.status === 'PUBLISHED' || post.status === 'DELETED'
  return (
    <button
      type="button"
      tabIndex={-1}
      data-post={post.postId}
      data-movable={movable || undefined}
      aria-expanded={open}
      className="group/chip grid h-5.75 w-full min-w-0 shrink-0 grid-cols-[2.5rem_auto_minmax(0,1fr)_auto] max-[1152px]:grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-1 rounded-[6px] pr-1.25 pl-1 text-left text-sm select-none hover:bg-hover focus-visible:-outline-offset-2 aria-expanded:bg-accent-soft aria-expanded:inset-ring aria-expanded:inset-ring-accent data-dragged:opacity-40"
    >
      {/* narrow cells keep only the text: a time and a letter wouldn't tell posts apart any better */}
      <span className="sr-only">{`${shownTimeOf(post, zone)} `}</span>
      <span aria-hidden className="tnum text-xs whitespace-nowrap text-ink-muted max-[1152px]:hidden">
        {tinyShownTimeOf(post, zone)}
      </span>
      {post.channel ? <PlatformIcon platform={post.channel.platformName} size={15} /> : <span />}
      <span className={clsx('flex min-w-0 items-center gap-1', past ? 'text-ink-muted' : '')}>
        <SeriesIcon post={post} />
        <span dir="auto" className="truncate">
          {post.excerpt || 'No text'}
        </span>
      </span>
      <PostMark post={post} />
      <Unseen post={post} where />
    </button>
  )
})
