import type { CalendarPost } from '#contract/postLists.ts'
import { addDays, addMonths, dayText, instantAt, monthGrid, monthName, weekOf, type Day } from '#web/lib/dates.ts'

export type View = 'month' | 'week' | 'list'

/** The days that a view shows around a date. The list shows the days of its month. */
export function daysOf(view: View, date: Day): Day[] {
  if (view === 'week') return weekOf(date)
  return view === 'month' ? monthGrid(date) : monthGrid(date).filter((day) => day.slice(0, 7) === date.slice(0, 7))
}

/** One page earlier or later. */
export function stepped(view: View, date: Day, by: 1 | -1): Day {
  return view === 'week' ? addDays(date, 7 * by) : addMonths(date, by)
}

/** "November 2026", or for a week "15 – 21 Nov 2026". */
export function titleOf(view: View, date: Day): string {
  if (view !== 'week') return monthName(date)
  const days = weekOf(date)
  const [from, to] = [dayText(days[0] ?? date), dayText(days[6] ?? date)]
  const [fromDay, fromMonth, fromYear] = from.split(' ')
  const [, toMonth, toYear] = to.split(' ')
  const start = fromYear !== toYear ? from : fromMonth !== toMonth ? `${fromDay} ${fromMonth}` : fromDay
  return `${start} – ${to}`
}

/**
 * Posts by their calendar day in the zone, in the order of their times. Days keep their array while nothing in them
 * changed (pass the last result as `before`), so only cells that did change render again.
 */
export function byDay(
  posts: readonly CalendarPost[],
  days: readonly Day[],
  zone: string,
  before?: ReadonlyMap<Day, readonly CalendarPost[]>,
): Map<Day, readonly CalendarPost[]> {
  // comparing ISO instants with the first instant of each day is far cheaper than converting each post to the zone
  const starts = [...days, addDays(days.at(-1) ?? '1970-01-01', 1)].map((day) =>
    instantAt(day, '00:00', zone).getTime(),
  )
  const lists = days.map((): CalendarPost[] => [])
  for (const post of posts) {
    const at = Date.parse(post.at)
    lists[lastAtOrBefore(starts, at)]?.push(post)
  }
  return new Map(
    days.map((day, i) => {
      const list = (lists[i] ?? []).toSorted((a, b) =>
        a.at === b.at ? (a.postId < b.postId ? -1 : 1) : a.at < b.at ? -1 : 1,
      )
      const known = before?.get(day)
      return [day, known && known.length === list.length && known.every((post, j) => post === list[j]) ? known : list]
    }),
  )
}

/** The index of the last start that isn't after `at`, or -1. */
function lastAtOrBefore(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? Infinity) <= at) low = middle + 1
    else high = middle
  }
  return low - 1
}

/**
 * How many of `count` chips fit in a cell of this height, with a line for "n more" if not all do. Pixels as in
 * MonthGrid's cells.
 */
export function fitting(count: number, cellHeight: number): number {
  const room = cellHeight - CELL_HEAD
  const all = Math.floor(room / CHIP)
  return count <= all ? count : Math.max(0, Math.floor((room - MORE_LINE) / CHIP))
}

const CELL_HEAD = 31
const CHIP = 25
const MORE_LINE = 20
