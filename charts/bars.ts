import { scaleBand } from 'd3-scale'
import type { Box, ChartData, Drawing, Mark, Series, Size } from './data.ts'
import { breaksIn, eventsOn, heightsOf, openBand } from './frame.ts'
import { firstOpen } from './notes.ts'
import { round, steps } from './numbers.ts'
import { runsOf } from './thin.ts'
import { keyTicks, valueScale } from './ticks.ts'

/** The widest bar, in pixels. */
const WIDEST = 36
/** A bar of a value that isn't zero is at least this high. */
const LOWEST = 1

/**
 * Values as bars from zero: on top of each other, negative ones below zero, or beside each other. What they're compared
 * with is a step over each bar.
 */
export function drawBars(data: ChartData, size: Size, { grouped = false }: { grouped?: boolean } = {}): Drawing {
  const { axis, unit } = data
  const series = data.series.filter(({ comparedWith }) => comparedWith === undefined)
  const compared = data.series.filter((one) => !series.includes(one))
  const stacks = axis.keys.map((_, i) => (grouped ? besideEachOther(series, i) : stacked(series, i)))
  const ends = [
    ...stacks.flatMap((parts) => parts.flatMap(({ from, to }) => [from, to])),
    ...compared.flatMap(({ values }) => values.filter((value) => value !== null)),
  ]
  const heights = heightsOf(data, size)
  const { y, ticks, left } = valueScale(ends, heights, { fromZero: true, ...(unit ? { unit } : {}) })
  const plot: Box = { ...heights, left, right: Math.max(left + 1, size.width - 6) }
  const x = scaleBand<number>()
    .domain(axis.keys.map((_, i) => i))
    .range([plot.left, plot.right])
    .paddingInner(0.28)
    .paddingOuter(0.14)
  const at = (index: number) => (x(index) ?? plot.left) + x.bandwidth() / 2
  const positions = axis.keys.map((_, i) => at(i))
  const beside = grouped ? Math.max(1, series.length) : 1
  const whole = Math.min(x.bandwidth(), WIDEST * beside)
  const bar = whole / beside
  const open = firstOpen(data) ?? Infinity

  const bars = drawnKeys(stacks, plot.right - plot.left).flatMap((index) =>
    (stacks[index] ?? []).flatMap(({ key, order, from, to }): Mark[] => {
      if (from === to) return []
      const [high, low] = [y(Math.max(from, to)), y(Math.min(from, to))]
      return [
        {
          kind: 'bar',
          series: key,
          ...(index >= open ? { open: true } : {}),
          x: round(at(index) - whole / 2 + (grouped ? order * bar : 0)),
          width: round(Math.max(1, bar)),
          y: round(high),
          height: round(Math.max(LOWEST, low - high)),
        },
      ]
    }),
  )
  const before = compared.flatMap(({ comparedWith = '', values }) =>
    runsOf(values).map((run): Mark => ({
      kind: 'line',
      series: comparedWith,
      compared: true,
      d: steps(
        run,
        ({ index }) => at(index),
        ({ value }) => y(value),
        x.step(),
      ),
    })),
  )
  return {
    ...size,
    plot,
    baseline: y(0),
    yTicks: ticks,
    xTicks: keyTicks(axis, positions, plot, size.width),
    marks: [...bars, ...before],
    breaks: breaksIn(data, at),
    open: openBand(data, plot, positions),
    eventsAt: plot.bottom + 9,
    events: eventsOn(data, plot, positions),
    ends: [],
    positions,
    heights: data.series.map(({ key, values, comparedWith }) => ({
      series: key,
      ys: stacks.map((parts, i) => {
        const value = comparedWith === undefined ? parts.find((one) => one.key === key)?.to : values[i]
        return value === undefined || value === null ? null : y(value)
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
