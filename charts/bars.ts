import { scaleBand } from 'd3-scale'
import { plotOf, type ChartData, type Drawing, type Mark, type Series, type Size } from './data.ts'
import { breaksIn } from './line.ts'
import { keyTicks, valueScale } from './ticks.ts'

/** The widest bar, in pixels. */
const WIDEST = 36
/** A bar of a value that isn't zero is at least this high. */
const LOWEST = 1

/** Values as bars from zero: on top of each other, negative ones below zero, or beside each other. */
export function drawBars(
  { axis, series, unit, breaks = [] }: ChartData,
  size: Size,
  { grouped = false }: { grouped?: boolean } = {},
): Drawing {
  const stacks = axis.keys.map((_, i) => (grouped ? besideEachOther(series, i) : stacked(series, i)))
  const ends = stacks.flatMap((parts) => parts.flatMap(({ from, to }) => [from, to]))
  const { y, ticks, left } = valueScale(ends, size, { fromZero: true, ...(unit ? { unit } : {}) })
  const plot = plotOf(size, left)
  const x = scaleBand<number>()
    .domain(axis.keys.map((_, i) => i))
    .range([plot.left, plot.right])
    .paddingInner(0.28)
    .paddingOuter(0.1)
  const at = (index: number) => (x(index) ?? plot.left) + x.bandwidth() / 2
  const positions = axis.keys.map((_, i) => at(i))
  const whole = Math.min(x.bandwidth(), WIDEST * (grouped ? Math.max(1, series.length) : 1))
  const bar = whole / (grouped ? Math.max(1, series.length) : 1)

  const marks = drawnKeys(stacks, plot.right - plot.left).flatMap((index) =>
    (stacks[index] ?? []).flatMap(({ key, order, from, to }): Mark[] => {
      if (from === to) return []
      const [high, low] = [y(Math.max(from, to)), y(Math.min(from, to))]
      return [
        {
          kind: 'bar',
          series: key,
          x: at(index) - whole / 2 + (grouped ? order * bar : 0),
          width: Math.max(1, bar),
          y: high,
          height: Math.max(LOWEST, low - high),
        },
      ]
    }),
  )
  return {
    ...size,
    plot,
    baseline: y(0),
    yTicks: ticks,
    xTicks: keyTicks(axis, positions, plot, size.width),
    marks,
    breaks: breaksIn(axis.keys, breaks, at),
    positions,
    heights: series.map(({ key }) => ({
      series: key,
      ys: stacks.map((parts) => {
        const part = parts.find((one) => one.key === key)
        return part ? y(part.to) : null
      }),
    })),
  }
}

type Part = { key: string; order: number; from: number; to: number }

function besideEachOther(series: readonly Series[], index: number): Part[] {
  return series.flatMap(({ key, values }, order) => {
    const value = values[index] ?? null
    return value === null ? [] : [{ key, order, from: 0, to: value }]
  })
}

function stacked(series: readonly Series[], index: number): Part[] {
  let [above, below] = [0, 0]
  return series.flatMap(({ key, values }, order) => {
    const value = values[index] ?? null
    if (value === null) return []
    const from = value < 0 ? below : above
    const to = from + value
    if (value < 0) below = to
    else above = to
    return [{ key, order, from, to }]
  })
}

/** Where bars would be thinner than a pixel, the one that reaches furthest of those that share a pixel. */
function drawnKeys(stacks: readonly (readonly Part[])[], pixels: number): number[] {
  const each = Math.ceil(stacks.length / Math.max(1, pixels))
  const reach = (index: number) => Math.max(0, ...(stacks[index] ?? []).map(({ to }) => Math.abs(to)))
  const keys = stacks.map((_, i) => i)
  if (each <= 1) return keys
  return keys
    .filter((i) => i % each === 0)
    .map((first) =>
      keys.slice(first, first + each).reduce((best, index) => (reach(index) > reach(best) ? index : best), first),
    )
}
