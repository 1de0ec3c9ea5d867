import { clsx } from 'clsx'
import { memo } from 'react'
import Plus from 'lucide-react/icons/plus'
import type { CalendarPost } from '#contract/postLists.ts'
import { dayText, longDay, type Day } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { inkTone } from '#web/ui/tones.ts'
import { postStatusLook } from '#web/ui/postStatus.ts'
import { fitting } from './days.ts'
import { figuresOf } from './figures.ts'
import { PostChip } from './PostChip.tsx'

type Props = {
  day: Day
  posts: readonly CalendarPost[]
  zone: string
  /** Not in the month that is shown. */
  outside: boolean
  today: boolean
  /** The one cell that Tab reaches. */
  reachable: boolean
  /** Phone: dots instead of chips. */
  dots: boolean
  selected: boolean
  height: number
  openId: string | undefined
  isMovable: (post: CalendarPost) => boolean
  mayCreate: boolean
}

const DOTS = 8

export const DayCell = memo(function DayCell({
  day,
  posts,
  zone,
  outside,
  today,
  reachable,
  dots,
  selected,
  height,
  openId,
  isMovable,
  mayCreate,
}: Props) {
  const shown = dots ? 0 : fitting(posts.length, height)
  const number = Number(day.slice(8))
  return (
    <div
      role="gridcell"
      data-day={day}
      tabIndex={reachable ? 0 : -1}
      aria-label={`${longDay(day)}${today ? ', today' : ''}, ${posts.length === 0 ? 'no posts' : `${count(posts.length, 'post')}: ${figuresOf(posts)}`}`}
      aria-selected={selected || undefined}
      className={clsx(
        'group/day relative flex min-w-0 flex-col border-t border-line not-first:border-l gap-0.5 overflow-hidden contain-strict focus-visible:z-1 focus-visible:-outline-offset-2 data-drop:bg-accent-soft',
        dots ? 'cursor-pointer items-center px-0.5 py-0.75' : 'px-1.25 pt-1.25 pb-1',
        selected ? 'bg-accent-soft' : outside ? 'bg-sunken' : 'bg-surface',
      )}
    >
      <div
        aria-hidden
        className={clsx(
          'flex h-5 shrink-0 items-center gap-1.5 text-sm font-semibold',
          dots ? '' : 'px-1',
          outside ? 'text-ink-faint' : 'text-ink-muted',
        )}
      >
        <span
          className={
            today ? 'grid h-5 min-w-5 place-items-center rounded-full bg-accent px-0.5 font-bold text-on-accent' : ''
          }
        >
          {number}
        </span>
        {number === 1 && !dots ? dayText(day).slice(3, 6) : null}
      </div>
      {dots ? (
        <span aria-hidden className="flex max-w-9 flex-wrap justify-center gap-0.75">
          {posts.slice(0, DOTS).map((post) => (
            <i
              key={post.postId}
              className={clsx('size-1.5 rounded-full bg-current', inkTone[postStatusLook[post.status].tone])}
            />
          ))}
        </span>
      ) : (
        <>
          {mayCreate ? (
            <button
              type="button"
              tabIndex={-1}
              data-add={day}
              aria-label={`Create post on ${longDay(day)}`}
              className="absolute top-1 right-1 grid size-6 place-items-center rounded-md text-ink-muted opacity-0 group-hover/day:opacity-100 group-focus/day:opacity-100 hover:bg-hover hover:text-ink pointer-coarse:hidden"
            >
              <Plus size={14} aria-hidden />
            </button>
          ) : null}
          {posts.slice(0, shown).map((post) => (
            <PostChip
              key={post.postId}
              post={post}
              zone={zone}
              open={post.postId === openId}
              movable={isMovable(post)}
            />
          ))}
          {posts.length > shown ? (
            <button
              type="button"
              tabIndex={-1}
              data-more={day}
              data-hides={posts
                .slice(shown)
                .map(({ postId }) => postId)
                .join(' ')}
              className="tnum h-5 shrink-0 rounded-[6px] px-1.5 text-left text-xs font-semibold text-ink-muted hover:bg-hover hover:text-ink"
            >
              {posts.length - shown} more
            </button>
          ) : null}
        </>
      )}
    </div>
  )
})
