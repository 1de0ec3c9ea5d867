import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { CalendarPost } from '#contract/postLists.ts'
import { dayText, shortWeekday, type Day } from '#web/lib/dates.ts'
import { figuresOf } from './figures.ts'
import { DayList } from './PostLine.tsx'

type Props = {
  days: readonly Day[]
  today: Day
  zone: string
  posts: ReadonlyMap<Day, readonly CalendarPost[]>
  openId: string | undefined
  onOpen: (postId: string) => void
  children?: ReactNode
}

/** The list view: the days that have posts, one after another. `children` come first, such as fresh drafts. */
export function Agenda({ days, today, zone, posts, openId, onOpen, children }: Props) {
  const next = useRef<HTMLElement>(null)
  const first = days.find((day) => day >= today && (posts.get(day)?.length ?? 0) > 0)
  // people come for what is next; earlier days are above
  useLayoutEffect(() => {
    if (first) next.current?.scrollIntoView({ block: 'start' })
  }, [first])
  return (
    <div className="mx-5 mb-5 grid min-h-0 flex-1 content-start gap-4 overflow-y-auto">
      {children}
      {days
        .filter((day) => (posts.get(day)?.length ?? 0) > 0)
        .map((day) => (
          <section key={day} ref={day === first && day !== days[0] ? next : undefined} aria-labelledby={`day-${day}`}>
            <h2 id={`day-${day}`} className="tnum sticky top-0 z-1 bg-canvas pb-1.5 text-sm font-semibold">
              {shortWeekday(day)} {dayText(day)}
              {day === today ? <span className="ml-2 font-medium text-accent">Today</span> : null}
              <span className="ml-2 font-medium text-ink-muted">{figuresOf(posts.get(day) ?? [])}</span>
            </h2>
            <div className="overflow-hidden rounded-lg border border-line bg-surface">
              <DayList posts={posts.get(day) ?? []} zone={zone} openId={openId} onOpen={onOpen} />
            </div>
          </section>
        ))}
    </div>
  )
}
