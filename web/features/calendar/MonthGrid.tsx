import { clsx } from 'clsx'
import { useLayoutEffect, useState, type RefObject } from 'react'
import type { CalendarPost } from '#contract/postLists.ts'
import { longDay, monthName, shortWeekday, type Day } from '#web/lib/dates.ts'
import { DayCell } from './DayCell.tsx'
import { useCalendarGrid, type GridEvents } from './useCalendarGrid.ts'

export type GridProps = {
  days: readonly Day[]
  /** The date that the page was opened for. */
  date: Day
  today: Day
  zone: string
  posts: ReadonlyMap<Day, readonly CalendarPost[]>
  openId: string | undefined
  isMovable: (post: CalendarPost) => boolean
  mayCreate: boolean
  /** Phone: dots, with the selected day's posts below. */
  dots: boolean
  events: GridEvents
}

const HEAD = 26
const none: readonly CalendarPost[] = []

/** The month (or the week on phones) in cells of one day, weeks from Sunday. */
export function MonthGrid({ days, date, today, zone, posts, openId, isMovable, mayCreate, dots, events }: GridProps) {
  const { root, active } = useCalendarGrid(days, date, true, events)
  const weeks = Array.from({ length: days.length / 7 }, (_, i) => days.slice(i * 7, i * 7 + 7))
  const height = useCellHeight(root, weeks.length)
  return (
    <div
      ref={root}
      role="grid"
      aria-label={`Posts in ${monthName(date)}`}
      style={{
        gridTemplateRows: dots
          ? `24px repeat(${weeks.length}, 62px)`
          : `${HEAD}px repeat(${weeks.length}, minmax(76px, 1fr))`,
      }}
      className={clsx(
        'tnum grid shrink-0 overflow-hidden border-line bg-surface',
        dots ? '-mx-3.5 border-y md:-mx-5' : 'mx-5 mb-5 min-h-0 flex-1 rounded-lg border',
      )}
    >
      <div role="row" className="grid grid-cols-7">
        {(weeks[0] ?? []).map((day) => (
          <div
            key={day}
            role="columnheader"
            aria-label={longDay(day).split(' ')[0]}
            className={clsx(
              'flex items-center border-line bg-sunken text-xs font-semibold text-ink-muted not-first:border-l',
              dots ? 'justify-center' : 'px-2.25',
            )}
          >
            {shortWeekday(day)}
          </div>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]} role="row" className="grid min-h-0 grid-cols-7">
          {week.map((day) => {
            const list = posts.get(day) ?? none
            return (
              <DayCell
                key={day}
                day={day}
                posts={list}
                zone={zone}
                outside={day.slice(0, 7) !== date.slice(0, 7)}
                today={day === today}
                reachable={day === active}
                dots={dots}
                selected={dots && day === date}
                height={height}
                openId={openId && list.some((post) => post.postId === openId) ? openId : undefined}
                isMovable={isMovable}
                mayCreate={mayCreate && day >= today}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

/** The height of one cell, kept up to date; it determines how many posts a day shows. */
function useCellHeight(root: RefObject<HTMLElement | null>, weeks: number): number {
  const [height, setHeight] = useState(147)
  useLayoutEffect(() => {
    const { current: element } = root
    if (!element) return undefined
    const measure = () => setHeight(Math.floor((element.clientHeight - HEAD) / weeks) - 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [root, weeks])
  return height
}
