import { scalePoint } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { plotOf, type ChartData, type Drawing, type Mark, type Size } from './data.ts'
import { runsOf, thinned, type Point } from './thin.ts'
import { keyTicks, valueScale } from './ticks.ts'

/** So few points also have dots. */
const DOTTED = 14

/**
 * Values over days as lines. Gaps stay open. Zero is in the chart unless the values are a stock such as followers, whose
 * change would be invisible from there.
 */
export function drawLine({ axis, series, unit, adds = 'sum', breaks = [] }: ChartData, size: Size): Drawing {
  const known = series.flatMap(({ values }) => values.filter((value) => value !== null))
  const fromZero = adds !== 'last'
  const { y, ticks, left } = valueScale(known, size, { fromZero, ...(unit ? { unit } : {}) })
  const plot = plotOf(size, left)
  const x = scalePoint<number>()
    .domain(axis.keys.map((_, i) => i))
    .range([plot.left, plot.right])
    .padding(0.3)
  const positions = axis.keys.map((_, i) => x(i) ?? plot.left)
  const at = (index: number) => positions[index] ?? plot.left
  const baseline = fromZero ? y(0) : null
  const solid = series.filter(({ comparedWith }) => comparedWith === undefined)

  const marksOf = ({ key, values, comparedWith }: ChartData['series'][number]): Mark[] => {
    const color = comparedWith ?? key
    const dashed = comparedWith !== undefined
    return runsOf(values).flatMap((run): Mark[] => {
      const points = thinned(run, Math.max(1, Math.floor((plot.right - plot.left) / 2)))
      const dots = points.map(({ index, value }): Mark => ({ kind: 'dot', series: color, x: at(index), y: y(value) }))
      if (points.length === 1) return dots
      const px = ({ index }: Point) => at(index)
      const py = ({ value }: Point) => y(value)
      const d = line<Point>().x(px).y(py).curve(curveMonotoneX)(points) ?? ''
      const marks: Mark[] = [{ kind: 'line', series: color, d, dashed }]
      // under several lines, areas would hide each other
      if (baseline !== null && solid.length === 1 && !dashed)
        marks.unshift({
          kind: 'area',
          series: color,
          d: area<Point>().x(px).y0(baseline).y1(py).curve(curveMonotoneX)(points) ?? '',
        })
      return axis.keys.length <= DOTTED && !dashed ? [...marks, ...dots] : marks
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
    breaks: breaksIn(axis.keys, breaks, at),
    positions,
    heights: series.map(({ key, values }) => ({
      series: key,
      ys: values.map((value) => (value === null ? null : y(value))),
    })),
  }
}

/** The breaks within the chart, at the first key that they apply to. */
export const breaksIn = (
  keys: readonly string[],
  breaks: NonNullable<ChartData['breaks']>,
  at: (index: number) => number,
): Drawing['breaks'] =>
  breaks.flatMap((one) => {
    const index = keys.indexOf(one.at)
    return index < 0 ? [] : [{ x: at(index), text: one.text }]
  })
