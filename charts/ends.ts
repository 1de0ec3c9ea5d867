import type { Box, Drawing, Series, Size } from './data.ts'
import { round } from './numbers.ts'
import { shortened, textWidth } from './text.ts'

/** So many names fit beside a chart; the others are in the legend. */
export const MOST_ENDS = 8
/** The height of a name. */
const LINE = 13
/** From the plot to the name: a piece of the line, and the space around it. */
const SAMPLE = 24
/** Narrower charts have names in the legend only. */
const NARROWEST = 560
/** The widest name, as a share of the chart. */
const WIDEST = 0.3

/** The lines that get a name at their end: the highest, if there are several. */
export function namedAtEnd(series: readonly Series[], { width }: Size): readonly Series[] {
  const own = series.filter(({ comparedWith }) => comparedWith === undefined)
  if (own.length < 2 || width < NARROWEST) return []
  return own
    .flatMap((one) => {
      const end = lastOf(one.values)
      return end === undefined ? [] : [{ one, value: end.value }]
    })
    .toSorted((a, b) => b.value - a.value)
    .slice(0, MOST_ENDS)
    .map(({ one }) => one)
}

/** How much room the names need to the right of the plot. */
export const roomForEnds = (named: readonly Series[], { width }: Size): number =>
  named.length === 0
    ? 0
    : SAMPLE + Math.ceil(Math.min(width * WIDEST, Math.max(...named.map(({ name }) => textWidth(name)))))

const lastOf = (values: readonly (number | null)[]): { index: number; value: number } | undefined => {
  const index = values.findLastIndex((value) => value !== null)
  const value = values[index]
  return value === null || value === undefined ? undefined : { index, value }
}

/** Names at the height of their last values, moved apart where they'd overlap. */
export function endsOf(
  named: readonly Series[],
  { width }: Size,
  plot: Box,
  y: (value: number) => number,
): Drawing['ends'] {
  const wanted = named
    .flatMap(({ key, name, values }) => {
      const end = lastOf(values)
      return end ? [{ series: key, name, text: shortened(name, width * WIDEST), y: y(end.value) }] : []
    })
    .toSorted((one, other) => one.y - other.y)
  const placed = apart(
    wanted.map((one) => one.y),
    plot,
  )
  return wanted.map(({ series, name, text }, i) => ({
    series,
    name,
    text,
    x: plot.right + 6,
    y: round(placed[i] ?? 0),
  }))
}

/** Heights in order, at least a line apart, within the plot if they fit there. */
function apart(heights: readonly number[], { top, bottom }: Box): number[] {
  const down: number[] = []
  for (const height of heights) down.push(Math.max(height, (down.at(-1) ?? top - LINE) + LINE))
  const placed: number[] = []
  for (const height of down.toReversed()) placed.unshift(Math.min(height, (placed[0] ?? bottom + LINE) - LINE))
  return placed
}
