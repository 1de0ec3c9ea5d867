import { scalePoint } from 'd3-scale'
import type { Box, ChartData, Drawing, Mark, Series, Size } from './data.ts'
import { endsOf, namedAtEnd, roomForEnds } from './ends.ts'
import { breaksIn, eventsOn, heightsOf, openBand } from './frame.ts'
import { firstOpen } from './notes.ts'
import { round, straight } from './numbers.ts'
import { runsOf, thinned, type Point } from './thin.ts'
import { keyTicks, valueScale } from './ticks.ts'

/** So few points also have dots. */
const DOTTED = 14

/**
 * Values over days as straight lines. Gaps stay open. Zero is in the chart unless the values are a stock such as
 * followers, whose change would be invisible from there.
 */
export function drawLine(data: ChartData, size: Size): Drawing {
  const { axis, series, unit, adds = 'sum' } = data
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const fromZero = adds !== 'last'
  const heights = heightsOf(data, size)
  const { y, ticks, left } = valueScale(known, heights, { fromZero, ...(unit ? { unit } : {}) })
  const named = namedAtEnd(series, size)
  const plot: Box = { ...heights, left, right: Math.max(left + 1, size.width - 6 - roomForEnds(named, size)) }
  const x = scalePoint<number>()
    .domain(axis.keys.map((_, i) => i))
    .range([plot.left, plot.right])
    .padding(0.3)
  const positions = axis.keys.map((_, i) => x(i) ?? plot.left)
  const at = (index: number) => positions[index] ?? plot.left
  const baseline = fromZero ? y(0) : null
  const solid = series.filter(({ comparedWith }) => comparedWith === undefined)
  const open = firstOpen(data) ?? Infinity
  const [px, py] = [({ index }: Point) => at(index), ({ value }: Point) => y(value)]

  const marksOf = ({ key, values, comparedWith }: Series): Mark[] => {
    const compared = comparedWith !== undefined
    const as = { series: comparedWith ?? key, ...(compared ? { compared } : {}) }
    return runsOf(values).flatMap((run) => {
      const points = thinned(run, Math.max(1, Math.floor((plot.right - plot.left) / 2)))
      const dots = points.map((point): Mark => ({
        kind: 'dot',
        ...as,
        x: round(px(point)),
        y: round(py(point)),
        ...(!compared && point.index >= open ? { open: true as const } : {}),
      }))
      if (points.length === 1) return dots
      const marks = splitAt(compared ? Infinity : open, points).flatMap(([part, isOpen]): Mark[] => {
        const line: Mark & { d: string } = {
          kind: 'line',
          ...as,
          ...(isOpen ? { open: true } : {}),
          d: straight(part, px, py),
        }
        // under several lines, areas would hide each other
        if (baseline === null || solid.length > 1 || compared) return [line]
        const [first, last] = [part[0], part.at(-1)]
        if (!first || !last) return [line]
        const d = `${line.d}L${round(px(last))},${round(baseline)}L${round(px(first))},${round(baseline)}Z`
        return [{ kind: 'area', ...as, ...(isOpen ? { open: true } : {}), d }, line]
      })
      return axis.keys.length <= DOTTED && !compared ? [...marks, ...dots] : marks
    })
  }

  return {
    ...size,
    plot,
    baseline,
    yTicks: ticks,
    xTicks: keyTicks(axis, positions, plot, size.width),
    // what is compared with lies below
    marks: [...series.filter((one) => !solid.includes(one)), ...solid].flatMap(marksOf),
    breaks: breaksIn(data, at),
    open: openBand(data, plot, positions),
    eventsAt: plot.bottom + 9,
    events: eventsOn(data, plot, positions),
    ends: endsOf(named, size, plot, y),
    positions,
    heights: series.map(({ key, values }) => ({
      series: key,
      ys: values.map((value) => (value === null ? null : y(value))),
    })),
  }
}

/** A run's part that is final, and the rest with the point before it. */
function splitAt(open: number, points: readonly Point[]): [part: readonly Point[], isOpen: boolean][] {
  const first = points.findIndex(({ index }) => index >= open)
  if (first < 0) return [[points, false]]
  if (first === 0) return [[points, true]]
  const parts: [readonly Point[], boolean][] = [[points.slice(first - 1), true]]
  return first === 1 ? parts : [[points.slice(0, first), false], ...parts]
}
