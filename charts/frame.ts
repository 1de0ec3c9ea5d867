import type { Box, ChartData, Drawing, EventMark, Size } from './data.ts'
import { finalWords, firstOpen, postsText } from './notes.ts'
import { round } from './numbers.ts'

/*
 * What is around the values of every chart over an axis: the room for labels, the days that aren't final, what happened on
 * the axis, and where platforms changed how they count.
 */

/** Above the plot, for markers of breaks. */
const TOP = 10
/** Below the plot, for the labels of the axis. */
const BOTTOM = 22
/** For what happened on the axis, above its labels. */
const EVENTS = 14

/** The plot's top and bottom, without what is beside it. */
export function heightsOf({ events = [] }: ChartData, { height }: Size): Pick<Box, 'top' | 'bottom'> {
  return { top: TOP, bottom: Math.max(TOP + 1, height - BOTTOM - (events.length > 0 ? EVENTS : 0)) }
}

/** The breaks within the chart, at the first key that they apply to. */
export const breaksIn = ({ axis, breaks = [] }: ChartData, at: (index: number) => number): Drawing['breaks'] =>
  breaks.flatMap((one) => {
    const index = axis.keys.indexOf(one.at)
    return index < 0 ? [] : [{ x: round(at(index)), text: one.text }]
  })

/** The band behind the days that aren't final, from halfway after the last one that is. */
export function openBand(data: ChartData, plot: Box, positions: readonly number[]): Drawing['open'] {
  const first = firstOpen(data)
  const text = finalWords(data)
  if (first === undefined || text === null) return null
  const [before, at] = [positions[first - 1], positions[first] ?? plot.left]
  const x = before === undefined ? plot.left : (before + at) / 2
  return { x: round(x), width: round(Math.max(0, plot.right - x)), text }
}

/** Posts and campaigns on the days of the axis. */
export function eventsOn({ axis, events = [] }: ChartData, plot: Box, positions: readonly number[]): EventMark[] {
  const { keys } = axis
  const [first, last] = [keys[0], keys.at(-1)]
  if (axis.kind !== 'days' || first === undefined || last === undefined) return []
  return events.flatMap((event): EventMark[] => {
    if (event.kind === 'posts') {
      const x = positions[keys.indexOf(event.at)]
      if (x === undefined) return []
      const size = Math.min(4, 1.5 + Math.sqrt(event.count) * 0.7)
      return [{ kind: 'posts', x: round(x), size: round(size), text: postsText(event.count) }]
    }
    const { from, to, name: text } = event
    if ((to ?? last) < first || (from ?? first) > last) return []
    const [begin, end] = [positions[keys.indexOf(from ?? '')], positions[keys.indexOf(to ?? '')]]
    const at = { x: round(begin ?? plot.left), to: round(end ?? plot.right) }
    return [{ kind: 'campaign', ...at, begins: begin !== undefined, ends: end !== undefined, text }]
  })
}
