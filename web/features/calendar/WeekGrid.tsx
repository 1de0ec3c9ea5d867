import { clsx } from 'clsx'
import { memo } from 'react'
import Plus from 'lucide-react/icons/plus'
import type { CalendarPost } from '#contract/postLists.ts'
import { longDay, shortWeekday, type Day } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { shownTimeOf } from '#web/lib/shownTime.ts'
import { DraftChannels } from '#web/ui/DraftChannels.tsx'
import { PlatformIcon } from '#web/ui/PlatformIcon.tsx'
import { PostCover } from '#web/ui/PostCover.tsx'
import { figuresOf } from './figures.ts'
import type { GridProps } from './MonthGrid.tsx'
import { PostMark, SeriesIcon, Unseen } from './PostChip.tsx'
import { useCalendarGrid } from './useCalendarGrid.ts'

const none: readonly CalendarPost[] = []

/** Seven days side by side with room for the text of posts. */
export function WeekGrid({ days, date, today, zone, posts, openId, isMovable, mayCreate, events }: GridProps) {
  const { root, active } = useCalendarGrid(days, date, false, events)
  return (
    <div
      ref={root}
      role="grid"
      aria-label={`Posts in the week of ${longDay(days[0] ?? date)}`}
      className="tnum mx-5 mb-5 flex min-h-0 flex-1 flex-col overflow-auto rounded-lg border border-line bg-surface"
    >
      <div role="row" className="sticky top-0 z-2 grid min-w-210 shrink-0 grid-cols-7 border-b border-line">
        {days.map((day) => (
          <div
            key={day}
            role="columnheader"
            aria-label={longDay(day)}
            className="flex h-9 items-center gap-1.5 border-line bg-sunken not-first:border-l px-2.25 text-sm font-semibold text-ink-muted"
          >
            {shortWeekday(day)}
            <span
              className={
                day === today
                  ? 'grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1 font-bold text-on-accent'
                  : 'text-ink'
              }
            >
              {Number(day.slice(8))}
            </span>
          </div>
        ))}
      </div>
      <div role="row" className="grid min-w-210 flex-1 grid-cols-7">
        {days.map((day) => {
          const list = posts.get(day) ?? none
          return (
            <WeekDay
              key={day}
              day={day}
              posts={list}
              zone={zone}
              today={day === today}
              reachable={day === active}
              openId={openId && list.some((post) => post.postId === openId) ? openId : undefined}
              isMovable={isMovable}
              mayCreate={mayCreate && day >= today}
            />
          )
        })}
      </div>
    </div>
  )
}

type DayProps = Pick<GridProps, 'zone' | 'openId' | 'isMovable' | 'mayCreate'> & {
  day: Day
  posts: readonly CalendarPost[]
  today: boolean
  reachable: boolean
}

const WeekDay = memo(function WeekDay({ day, posts, zone, today, reachable, openId, isMovable, mayCreate }: DayProps) {
  return (
    <div
      role="gridcell"
      data-day={day}
      tabIndex={reachable ? 0 : -1}
      aria-label={`${longDay(day)}${today ? ', today' : ''}, ${posts.length === 0 ? 'no posts' : `${count(posts.length, 'post')}: ${figuresOf(posts)}`}`}
      className="group/day flex min-w-0 flex-col gap-1.5 border-line bg-surface p-1.5 not-first:border-l contain-content focus-visible:z-1 focus-visible:-outline-offset-2 data-drop:bg-accent-soft"
    >
      {posts.map((post) => (
        <WeekCard key={post.postId} post={post} zone={zone} open={post.postId === openId} movable={isMovable(post)} />
      ))}
      {mayCreate ? (
        <button
          type="button"
          tabIndex={-1}
          data-add={day}
          aria-label={`Create post on ${longDay(day)}`}
          className="grid h-7 w-full shrink-0 place-items-center rounded-md border border-dashed border-line-strong text-ink-muted opacity-0 group-hover/day:opacity-100 group-focus/day:opacity-100 hover:bg-hover"
        >
          <Plus size={14} aria-hidden />
        </button>
      ) : null}
    </div>
  )
})

const WeekCard = memo(function WeekCard({
  post,
  zone,
  open,
  movable,
}: {
  post: CalendarPost
  zone: string
  open: boolean
  movable: boolean
}) {
  const past = post.status === 'PUBLISHED' || post.status === 'DELETED'
  return (
    <button
      type="button"
      tabIndex={-1}
      data-post={post.postId}
      data-movable={movable || undefined}
      aria-expanded={open}
      className="grid w-full min-w-0 shrink-0 gap-1 rounded-md border border-line bg-surface px-2 py-1.5 text-left text-sm select-none [contain-intrinsic-size:auto_84px] [content-visibility:auto] hover:border-line-strong focus-visible:-outline-offset-2 aria-expanded:border-accent aria-expanded:bg-accent-soft data-dragged:opacity-40"
    >
      <span className="flex items-center gap-1">
        {post.channel ? <PlatformIcon platform={post.channel.platformName} size={15} /> : null}
        <span className="grow text-xs whitespace-nowrap text-ink-muted">{shownTimeOf(post, zone)}</span>
        <SeriesIcon post={post} />
        <PostMark post={post} />
      </span>
      <span dir="auto" className={clsx('line-clamp-3 leading-snug', past ? 'text-ink-muted' : '')}>
        {post.excerpt || 'No text'}
      </span>
      <PostCover post={post} className="h-16 w-full" />
      <span dir="auto" className="truncate text-xs text-ink-muted">
        {post.channel ? post.channel.channelName : <DraftChannels channels={post.draftChannels} />}
      </span>
      <Unseen post={post} />
    </button>
  )
})
