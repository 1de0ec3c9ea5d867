import type { Unit } from '#contract/values.ts'
import type { Look } from './style.ts'

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
  /** The days of its values, if they aren't those of the axis: what is compared has days of its own. */
  days?: readonly string[]
  /** The look of what it shows, such as a platform; else its place among the series decides. */
  look?: Look
  /** Its own unit, if it isn't that of the chart, such as a number of posts beside rates. Only tables have such series. */
  unit?: Unit
}

/** From this key of the axis on, values were counted in another way. */
type Break = { at: string; text: string }

/**
 * What happened on days of the axis: posts that were published, and a campaign from its first to its last day; null where it
 * has no such day.
 */
type AxisEvent =
  | { kind: 'posts'; at: string; count: number }
  | { kind: 'campaign'; from: string | null; to: string | null; name: string }

export type ChartData = {
  /** Days are `2026-11-20`, in order. */
  axis: { kind: 'days' | 'names'; keys: readonly string[] }
  series: readonly Series[]
  unit?: Unit
  adds?: Adds
  /** The name on the axis that all others are parts of, such as all posts. */
  whole?: string
  breaks?: readonly Break[]
  /** The last day whose values are final; null if none is. Without it, all are. */
  finalUntil?: string | null
  events?: readonly AxisEvent[]
}

/** Hours by weekdays, for example. A value is null where nothing is known. */
export type HeatData = {
  rows: readonly string[]
  columns: readonly string[]
  values: readonly (readonly (number | null)[])[]
  /** How many posts a value is made of: written in its cell where there's room, and in its name. */
  posts?: readonly (readonly number[])[]
  unit?: Unit
}

/** Parts of a whole. Only positive ones are drawn. */
export type ShareData = { parts: readonly { key: string; name: string; value: number | null }[]; unit?: Unit }

export type Size = { width: number; height: number }
export type Box = { left: number; top: number; right: number; bottom: number }
export type Tick = { at: number; text: string; anchor: 'start' | 'middle' | 'end' }

/**
 * What is drawn, in pixels of the chart's size. `series` is the key of the series that gives the color; `compared` is
 * what that one is compared with. `open` can still change: it's drawn lighter.
 */
export type Mark = { series: string; compared?: true; open?: true } & (
  | { kind: 'line'; d: string }
  | { kind: 'area'; d: string }
  | { kind: 'dot'; x: number; y: number }
  | { kind: 'bar'; x: number; y: number; width: number; height: number }
)

/** Something on the axis, below the plot. A campaign that begins before it or ends after it runs to the edge. */
export type EventMark = { text: string } & (
  | { kind: 'posts'; x: number; size: number }
  | { kind: 'campaign'; x: number; to: number; begins: boolean; ends: boolean }
)

export type Drawing = Size & {
  plot: Box
  /** Where zero is; null if it isn't in the chart. */
  baseline: number | null
  yTicks: readonly Tick[]
  xTicks: readonly Tick[]
  marks: readonly Mark[]
  breaks: readonly { x: number; text: string }[]
  /** The days whose values can still change, and the sentence about them. */
  open: { x: number; width: number; text: string } | null
  /** The height of what is on the axis, and what it is. */
  eventsAt: number
  events: readonly EventMark[]
  /** The names of lines at their ends, where there's room for them; `text` is what fits of one. */
  ends: readonly { series: string; x: number; y: number; text: string; name: string }[]
  /** The middle of each key of the axis. */
  positions: readonly number[]
  /** Where each series has its value at each key, for the pointer and the keyboard. */
  heights: readonly { series: string; ys: readonly (number | null)[] }[]
}
