import { useState, type ReactNode } from 'react'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Plus from 'lucide-react/icons/plus'
import type { CalendarPost } from '#contract/postLists.ts'
import { dayText, shortWeekday, type Day } from '#web/lib/dates.ts'
import { Button } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/states.tsx'
import { Agenda } from './Agenda.tsx'
import { DayDialog } from './DayDialog.tsx'
import { byDay, type View } from './days.ts'
import { figuresOf } from './figures.ts'
import { MonthGrid } from './MonthGrid.tsx'
import { DayList } from './PostLine.tsx'
import type { GridEvents } from './useCalendarGrid.ts'
import { WeekGrid } from './WeekGrid.tsx'

type Props = {
  view: View
  days: readonly Day[]
  date: Day
  today: Day
  zone: string
  posts: readonly CalendarPost[]
  openId: string | undefined
  /** One column: dots in the grid, the selected day's posts below it. */
  narrow: boolean
  isMovable: (post: CalendarPost) => boolean
  mayCreate: boolean
  onOpen: (postId: string) => void
  /** Returns whether the move was started. */
  onMove: (post: CalendarPost, from: Day, to: Day) => boolean
  onCreate: (day: Day) => void
  /** Another day, on this page or another one. */
  onDate: (day: Day) => void
  onStep: (by: 1 | -1) => void
  /** Shown over a month or a week without posts; absent while posts are known that aren't rendered yet. */
  whenEmpty: string | undefined
  /** Shown above the list, such as fresh drafts. */
  beforeList?: ReactNode
}

/**
 * The posts of some days, in the selected view. It knows nothing about the server and URLs: everything that happens is
 * passed on.
 */
export function Calendar({
  view,
  days,
  date,
  today,
  zone,
  posts,
  openId,
  narrow,
  isMovable,
  mayCreate,
  onOpen,
  onMove,
  onCreate,
  onDate,
  onStep,
  whenEmpty,
  beforeList,
}: Props) {
  const shown = useByDay(posts, days, zone)
  const [dayOpen, setDayOpen] = useState<Day>()
  const events: GridEvents = {
    onOpen,
    onMove: (postId, from, to) => {
      const post = posts.find((one) => one.postId === postId)
      return post ? onMove(post, from, to) : false
    },
    onMore: setDayOpen,
    onCreate,
    onChoose: (day) => (narrow ? onDate(day) : undefined),
    onStep,
    onLeave: onDate,
  }
  const grid = { days, date, today, zone, posts: shown, openId, isMovable, mayCreate, events }
  if (narrow) {
    const list = shown.get(date) ?? []
    return (
      <div>
        <MonthGrid {...grid} dots />
        <section aria-labelledby="chosen-day" className="-mx-3.5 pt-3 md:-mx-5">
          <h2 id="chosen-day" className="tnum px-3.5 pb-1.5 md:px-5 text-sm font-semibold">
            {shortWeekday(date)} {dayText(date)}
            {list.length > 0 ? <span className="ml-2 font-medium text-ink-muted">{figuresOf(list)}</span> : null}
          </h2>
          {list.length > 0 ? (
            <div className="border-y border-line bg-surface">
              <DayList posts={list} zone={zone} openId={openId} onOpen={onOpen} />
            </div>
          ) : (
            <p className="px-3.5 text-ink-muted md:px-5">No posts on this day.</p>
          )}
          {mayCreate && date >= today ? (
            <Button
              icon={<Plus size={15} aria-hidden />}
              className="mx-3.5 mt-3 md:mx-5"
              onClick={() => onCreate(date)}
            >
              Create post on this day
            </Button>
          ) : null}
        </section>
      </div>
    )
  }
  if (view === 'list' && posts.length === 0) {
    return (
      <div className="mx-5 grid content-start gap-4">
        {beforeList}
        <EmptyState icon={<CalendarDays size={20} />} title="No posts in this month">
          No posts match these filters, or nothing is planned yet.
        </EmptyState>
      </div>
    )
  }
  return (
    <>
      {view !== 'list' && posts.length === 0 && whenEmpty !== undefined ? (
        <p className="shrink-0 px-5 pb-2 text-ink-muted">{whenEmpty}</p>
      ) : null}
      {view === 'month' ? <MonthGrid {...grid} dots={false} /> : null}
      {view === 'week' ? <WeekGrid {...grid} dots={false} /> : null}
      {view === 'list' ? (
        <Agenda {...grid} onOpen={onOpen}>
          {beforeList}
        </Agenda>
      ) : null}
      {dayOpen ? (
        <DayDialog
          day={dayOpen}
          posts={shown.get(dayOpen) ?? []}
          zone={zone}
          openId={openId}
          onOpen={onOpen}
          onClose={() => setDayOpen(undefined)}
        />
      ) : null}
    </>
  )
}

/** The posts by day; what didn't change keeps its identity from one response of the server to the next. */
function useByDay(
  posts: readonly CalendarPost[],
  days: readonly Day[],
  zone: string,
): ReadonlyMap<Day, readonly CalendarPost[]> {
  const [kept, setKept] = useState(() => ({ posts, days, zone, shown: byDay(posts, days, zone) }))
  if (kept.posts === posts && kept.days === days && kept.zone === zone) return kept.shown
  const next = { posts, days, zone, shown: byDay(posts, days, zone, kept.shown) }
  setKept(next)
  return next.shown
}
