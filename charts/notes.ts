import { shortDay } from './days.ts'
import type { ChartData } from './data.ts'

/* What charts and their tables say in words about days: whether they're final, and what happened. */

/** The first key that isn't final; undefined if all are. */
export function firstOpen({ axis, finalUntil }: Pick<ChartData, 'axis' | 'finalUntil'>): number | undefined {
  if (axis.kind !== 'days' || finalUntil === undefined) return undefined
  const first = finalUntil === null ? 0 : axis.keys.findIndex((day) => day > finalUntil)
  return first < 0 || axis.keys.length === 0 ? undefined : first
}

/** "Not final after 26 Nov": what the hatching of a chart means. */
export function finalWords(data: Pick<ChartData, 'axis' | 'finalUntil'>): string | null {
  const first = firstOpen(data)
  if (first === undefined) return null
  return first === 0 || typeof data.finalUntil !== 'string'
    ? 'None of these days is final yet'
    : `Not final after ${shortDay(data.finalUntil)}`
}

export const postsText = (count: number): string => `${count} ${count === 1 ? 'post' : 'posts'} published`

/** What is to say about one key besides its values: whether it's final, and what happened. */
export function notesOf(data: ChartData, index: number): string[] {
  const key = data.axis.keys[index]
  if (key === undefined) return []
  const first = firstOpen(data)
  const { events = [], breaks = [] } = data
  return [
    ...(first !== undefined && index >= first ? ['Not final'] : []),
    ...events.flatMap((event) => {
      if (event.kind === 'posts') return event.at === key ? [postsText(event.count)] : []
      if (event.from === event.to) return event.from === key ? [`${event.name} on this day`] : []
      return event.from === key ? [`${event.name} begins`] : event.to === key ? [`${event.name} ends`] : []
    }),
    ...breaks.flatMap(({ at, text }) => (at === key ? [text] : [])),
  ]
}
