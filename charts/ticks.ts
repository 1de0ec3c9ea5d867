import { scaleLinear, type ScaleLinear } from 'd3-scale'
import { duration, shortNumber } from '#contract/format.ts'
import type { Unit } from '#contract/values.ts'
import type { Box, ChartData, Tick } from './data.ts'
import { dateOf, shortDay } from './days.ts'
import { textWidth } from './text.ts'

/** Pixels between two labels below the chart. */
const GAP = 14
/** Pixels between two lines. */
const LINE = 44

export type ValueScale = { y: ScaleLinear<number, number>; ticks: readonly Tick[]; left: number }

/**
 * The scale of the values with its labels, and the room these need. `fromZero` holds zero in the chart, as bars and
 * areas require; without it, a line that hardly changes fills the chart.
 */
export function valueScale(
  values: readonly number[],
  { top, bottom }: Pick<Box, 'top' | 'bottom'>,
  { fromZero, unit = 'count' }: { fromZero: boolean; unit?: Unit },
): ValueScale {
  const [least, most] = extentOf(values, fromZero)
  const wanted = Math.max(2, Math.floor((bottom - top) / LINE))
  const step = stepOf((most - least) / wanted, unit)
  const domain = [Math.floor(least / step) * step, Math.ceil(most / step) * step] as const
  const y = scaleLinear().domain(domain).range([bottom, top])
  const count = Math.round((domain[1] - domain[0]) / step)
  // multiples of a decimal step would show its rounding errors
  const at = Array.from({ length: count + 1 }, (_, i) => Number((domain[0] + i * step).toPrecision(12)))
  const texts = tickTexts(at, unit)
  const left = Math.ceil(Math.max(...texts.map(textWidth))) + 12
  return { y, left, ticks: at.map((value, i) => ({ at: y(value), text: texts[i] ?? '', anchor: 'end' })) }
}

function extentOf(values: readonly number[], fromZero: boolean): readonly [number, number] {
  let [least, most] = fromZero || values.length === 0 ? [0, 0] : [Infinity, -Infinity]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  if (least === most) return fromZero ? [Math.min(0, least), Math.max(1, most)] : [least - 1, most + 1]
  return [least, most]
}

/** Round steps of a clock. */
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600]

/** The next round step: 1, 2 or 5 times a power of ten, whole unless it's a percentage. */
function stepOf(rough: number, unit: Unit): number {
  if (unit === 'seconds') {
    const step = SECONDS.find((one) => one >= rough)
    return step ?? 3600 * stepOf(rough / 3600, 'count')
  }
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = ([1, 2, 5, 10].find((one) => one * power >= rough * 0.999_999) ?? 10) * power
  return unit === 'count' ? Math.max(1, step) : step
}

function tickTexts(values: readonly number[], unit: Unit): readonly string[] {
  if (unit === 'percent') return values.map((value) => `${value.toLocaleString('en')}%`)
  if (unit === 'seconds')
    return values.every((value) => value % 3600 === 0)
      ? values.map((value) => `${shortNumber(value / 3600)} h`)
      : values.map((value) => (values.every((one) => one < 60) ? `${value} s` : duration(value)))
  const short = values.map(shortNumber)
  // 10,020 and 10,040 would both be 10K
  return new Set(short).size === short.length ? short : values.map((value) => value.toLocaleString('en'))
}

/** The labels below a chart, as many as fit beside each other. */
export function keyTicks(axis: ChartData['axis'], positions: readonly number[], plot: Box, width: number): Tick[] {
  const chosen = axis.kind === 'days' ? dayLabels(axis.keys, plot) : nameLabels(axis.keys, plot)
  return chosen.map(({ index, text }) => {
    const at = positions[index] ?? 0
    const half = textWidth(text) / 2
    // a label at the edge stays inside
    if (at + half > width) return { at: width, text, anchor: 'end' }
    if (at - half < 0) return { at: 0, text, anchor: 'start' }
    return { at, text, anchor: 'middle' }
  })
}

type Label = { index: number; text: string }

function dayLabels(days: readonly string[], plot: Box): Label[] {
  const room = plot.right - plot.left
  const last = days.length - 1
  for (const every of [1, 2, 7, 14]) {
    const labels = days
      .map((day, index) => ({ index, text: shortDay(day) }))
      // counted back from the last: people look for today
      .filter(({ index }) => (last - index) % every === 0)
    if (labels.length * (textWidth('15 Nov') + GAP) <= room) return labels
  }
  const firsts = days.map((day, index) => ({ index, day })).filter(({ day }) => day.endsWith('-01'))
  for (const every of [1, 2, 3, 6, 12]) {
    const labels = firsts
      .filter(({ day }) => (Number(day.slice(5, 7)) - 1) % every === 0)
      .map(({ index, day }) => ({ index, text: dateOf(day).slice(3) }))
    if (labels.length > 0 && labels.length * (textWidth('Nov 2026') + GAP) <= room) return labels
  }
  return [{ index: last, text: shortDay(days[last] ?? '') }]
}

function nameLabels(names: readonly string[], plot: Box): Label[] {
  const widest = Math.max(0, ...names.map(textWidth)) + GAP
  const every = Math.max(1, Math.ceil((names.length * widest) / (plot.right - plot.left)))
  return names.map((text, index) => ({ index, text })).filter(({ index }) => index % every === 0)
}
