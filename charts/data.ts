import type { Unit } from '#contract/values.ts'

/*
 * What a chart is made of. Pure data: the module knows neither the browser nor the server, so that a screen, a PDF and
 * an email draw the same chart.
 */

/**
 * How values of several keys become one number for the chart's name: their sum, the last one (followers), or neither
 * (unique people), in which case the lowest and the highest are named.
 */
type Adds = 'sum' | 'last' | 'none'

export type Series = {
  key: string
  name: string
  /** One for each key of the axis; null where nothing is known, which is drawn as a gap and never as zero. */
  values: readonly (number | null)[]
  /** The key of the series that this one is compared with: drawn dashed, in its color. */
  comparedWith?: string
}

/** From this key of the axis on, values were counted in another way. */
type Break = { at: string; text: string }

export type ChartData = {
  /** Days are `2026-11-20`, in order. */
  axis: { kind: 'days' | 'names'; keys: readonly string[] }
  series: readonly Series[]
  unit?: Unit
  adds?: Adds
  breaks?: readonly Break[]
}

/** Hours by weekdays, for example. A value is null where nothing is known. */
export type HeatData = {
  rows: readonly string[]
  columns: readonly string[]
  values: readonly (readonly (number | null)[])[]
  unit?: Unit
}

/** Parts of a whole. Only positive ones are drawn. */
export type ShareData = { parts: readonly { key: string; name: string; value: number | null }[]; unit?: Unit }

export type Size = { width: number; height: number }
export type Box = { left: number; top: number; right: number; bottom: number }
export type Tick = { at: number; text: string; anchor: 'start' | 'middle' | 'end' }

/** What is drawn, in pixels of the chart's size. `series` is the key of the series that gives the color. */
export type Mark =
  | { kind: 'line'; series: string; d: string; dashed: boolean }
  | { kind: 'area'; series: string; d: string }
  | { kind: 'dot'; series: string; x: number; y: number }
  | { kind: 'bar'; series: string; x: number; y: number; width: number; height: number }

export type Drawing = Size & {
  plot: Box
  /** Where zero is; null if it isn't in the chart. */
  baseline: number | null
  yTicks: readonly Tick[]
  xTicks: readonly Tick[]
  marks: readonly Mark[]
  breaks: readonly { x: number; text: string }[]
  /** The middle of each key of the axis. */
  positions: readonly number[]
  /** Where each series has its value at each key, for the pointer and the keyboard. */
  heights: readonly { series: string; ys: readonly (number | null)[] }[]
}

/** Room for a chart's labels. */
export const plotOf = (size: Size, left: number): Box => ({
  left,
  top: 10,
  right: Math.max(left + 1, size.width - 6),
  bottom: Math.max(11, size.height - 22),
})
