import { drawBars } from './bars.ts'
import type { ChartData, Drawing, Size } from './data.ts'
import { drawLine } from './line.ts'

export type Shape = 'line' | 'bars' | 'grouped'

/** More bars are thinner than people can tell apart. */
const MOST_BARS = 31

/** What suits the data: bars for what is counted on each of a month's days, else lines. */
export function shapeOf({ axis, series, adds = 'sum' }: ChartData): Shape {
  const own = series.filter(({ comparedWith }) => comparedWith === undefined)
  return axis.kind === 'names' || (adds === 'sum' && own.length <= 1 && axis.keys.length <= MOST_BARS) ? 'bars' : 'line'
}

export const draw = (data: ChartData, size: Size, shape: Shape = shapeOf(data)): Drawing =>
  shape === 'line' ? drawLine(data, size) : drawBars(data, size, { grouped: shape === 'grouped' })
