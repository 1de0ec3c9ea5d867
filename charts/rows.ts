import { scaleLinear } from 'd3-scale'
import { valueText } from '#contract/values.ts'
import type { ChartData } from './data.ts'
import { textElement, type Element } from './elements.ts'
import { round } from './numbers.ts'
import type { Looks } from './looks.ts'
import type { ColorName } from './palettes.ts'
import { lookAt } from './style.ts'
import { LARGER, shortened, textWidth } from './text.ts'

/** The height of one bar with the space below it. */
const ROW = 28
const BAR = 14
const GAP = 10
/** The widest name beside a bar, as a share of the chart. In narrower charts, longer names are above their bars, in rows of this height. */
const WIDEST = 0.4
const NARROW = 420
const STACKED = 42

export type RowsDrawing = {
  width: number
  height: number
  baseline: number
  /** The key of the series; undefined without one. */
  series: string | undefined
  rows: readonly {
    key: string
    /** Shortened if it's too long for its column. */ label: string
    /** The middle of its bar. */ y: number
    /** That of the label: above the bar in a narrow chart with long names. */ labelY: number
    bar: { x: number; y: number; width: number; height: number } | null
    value: { x: number; text: string }
  }[]
}

/** One bar to the right for each name, for the first series; a gap has no bar. */
export function drawRows({ axis, series, unit }: ChartData, width: number): RowsDrawing {
  const values = axis.keys.map((_, i) => series[0]?.values[i] ?? null)
  const texts = values.map((value) => valueText(value, unit))
  // what fits isn't shortened by the rounding of its width
  const room = Math.ceil(Math.max(0, ...axis.keys.map(textWidth)) * LARGER)
  const isStacked = width < NARROW && room + GAP > width * WIDEST
  const names = isStacked ? 0 : Math.min(width * WIDEST, room + GAP)
  const row = isStacked ? STACKED : ROW
  const valueRoom = Math.ceil(Math.max(0, ...texts.map(textWidth)) * LARGER) + GAP
  const known = values.filter((value) => value !== null)
  const x = scaleLinear()
    .domain([Math.min(0, ...known), Math.max(Math.min(0, ...known) < 0 ? 0 : 1, ...known)])
    .range([names, Math.max(names + 1, width - valueRoom)])
  return {
    width,
    height: Math.max(row, axis.keys.length * row),
    baseline: round(x(0)),
    series: series[0]?.key,
    rows: axis.keys.map((key, i) => {
      const value = values[i] ?? null
      const y = i * row + (isStacked ? STACKED - 12 : ROW / 2)
      const [from, to] = [x(Math.min(0, value ?? 0)), x(Math.max(0, value ?? 0))]
      return {
        key,
        label: shortened(key, (isStacked ? width : names - GAP) / LARGER),
        y,
        labelY: isStacked ? y - BAR - 2 : y,
        bar:
          value === null
            ? null
            : { x: round(from), y: y - BAR / 2, width: round(Math.max(value === 0 ? 0 : 1, to - from)), height: BAR },
        value: { x: round((value === null ? x(0) : to) + 6), text: texts[i] ?? '' },
      }
    }),
  }
}

/** The bars with their names and values written beside them, so that they need no pointer. */
export function rowsElements(
  { rows, baseline, height, series }: RowsDrawing,
  { looks, paint }: { looks: Looks; paint: (color: ColorName) => string },
): Element[] {
  const { color } = looks.get(series ?? '') ?? lookAt(0)
  return [
    { tag: 'line', attributes: { x1: baseline, x2: baseline, y1: 0, y2: height, stroke: paint('line-strong') } },
    ...rows.map(({ key, label, labelY, y, bar, value }): Element => ({
      tag: 'g',
      attributes: {},
      children: [
        { tag: 'title', attributes: {}, children: key },
        textElement(label, 0, labelY, { dy: '0.35em', fill: paint('ink-muted') }),
        ...(bar ? [{ tag: 'rect', attributes: { ...bar, rx: 2, fill: paint(color) } } as const] : []),
        textElement(value.text, value.x, y, { dy: '0.35em', fill: paint('ink') }),
      ],
    })),
  ]
}
