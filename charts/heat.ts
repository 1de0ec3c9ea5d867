import { valueText } from '#contract/values.ts'
import type { HeatData, Size } from './data.ts'
import { textElement, type Element } from './elements.ts'
import { round } from './numbers.ts'
import type { ColorName } from './palettes.ts'
import { textWidth } from './text.ts'

const HEAD = 20
const GAP = 2
/**
 * How much of the color each shade of a value above zero has. No shade is between what dark and what light text is readable on, in
 * either theme: text has at least 4.5:1 on all of them.
 */
export const heatShades = [0.14, 0.34, 0.54, 1] as const
/** Shades from 1; 0 is zero. */
const HEAT_LEVELS = heatShades.length

export type HeatDrawing = Size & {
  rowLabels: readonly { y: number; text: string }[]
  columnLabels: readonly { x: number; text: string }[]
  cells: readonly {
    row: number
    column: number
    x: number
    y: number
    width: number
    height: number
    /** 0 to HEAT_LEVELS; null for a gap. */ level: number | null
  }[]
}

/** Cells whose shade is their share of the highest value. Negative values are shaded like zero. */
export function drawHeat({ rows, columns, values }: HeatData, size: Size): HeatDrawing {
  const left = Math.max(0, ...rows.map(textWidth)) + 8
  const [width, height] = [
    Math.max(1, (size.width - left) / Math.max(1, columns.length)),
    Math.max(1, (size.height - HEAD) / Math.max(1, rows.length)),
  ]
  const most = Math.max(0, ...values.flat().map((value) => value ?? 0))
  const levelOf = (value: number | null) =>
    value === null ? null : value <= 0 ? 0 : Math.max(1, Math.ceil((value / most) * HEAT_LEVELS))
  const every = Math.max(1, Math.ceil((Math.max(0, ...columns.map(textWidth)) + 6) / width))
  return {
    ...size,
    rowLabels: rows.map((text, i) => ({ y: round(HEAD + (i + 0.5) * height), text })),
    columnLabels: columns
      .map((text, i) => ({ x: round(left + (i + 0.5) * width), text, i }))
      .filter(({ i }) => i % every === 0)
      .map(({ x, text }) => ({ x, text })),
    cells: rows.flatMap((_, row) =>
      columns.map((__, column) => ({
        row,
        column,
        x: round(left + column * width),
        y: round(HEAD + row * height),
        width: round(Math.max(1, width - GAP)),
        height: round(Math.max(1, height - GAP)),
        level: levelOf(values[row]?.[column] ?? null),
      })),
    ),
  }
}

/** How much of the color a cell's edge has: at least 3:1 on the surface, which the first shades don't have. */
export const HEAT_EDGE = 0.7

/** The cells, the more the darker, with an edge and their names. Zero is an empty cell, and a gap none. */
export const heatElements = (
  { rowLabels, columnLabels, cells }: HeatDrawing,
  { data, paint }: { data: HeatData; paint: (color: ColorName) => string },
): Element[] => [
  ...rowLabels.map(({ y, text }) => textElement(text, 0, y, { dy: '0.32em', fill: paint('ink-muted') })),
  ...columnLabels.map(({ x, text }) =>
    textElement(text, x, HEAD - 8, { textAnchor: 'middle', fill: paint('ink-muted') }),
  ),
  ...cells.map(({ row, column, level, ...box }): Element => {
    const shade: Element['attributes'] =
      level === null
        ? { fill: 'none' }
        : level === 0
          ? { fill: paint('line'), stroke: paint('line-strong') }
          : {
              fill: paint('accent'),
              fillOpacity: heatShades[level - 1] ?? 1,
              stroke: paint('accent'),
              strokeOpacity: HEAT_EDGE,
            }
    return {
      tag: 'rect',
      attributes: { ...box, rx: round(Math.min(2, box.width / 4)), ...shade },
      children: [{ tag: 'title', attributes: {}, children: heatText(data, row, column) }],
    }
  }),
  ...cells.flatMap(({ row, column, level, x, y, width, height }): Element[] => {
    const posts = data.posts?.[row]?.[column] ?? 0
    if (posts === 0 || textWidth(String(posts)) + 4 > width || height < LINE) return []
    const color = level === HEAT_LEVELS ? 'surface' : 'ink'
    const at = { dy: '0.32em', textAnchor: 'middle', fill: paint(color) }
    return [textElement(String(posts), round(x + width / 2), round(y + height / 2), at)]
  }),
]

/** A line of text. */
const LINE = 12

export type HeatScale = {
  /** The values at the ends of the shades: zero, and the highest one. Null if no cell has one above zero. */
  ends: { from: string; to: string } | null
  /** Whether some cells have posts, but too few for a value. */ hasFew: boolean
}

/** What the shades mean. */
export function heatScale({ values, posts, unit }: HeatData): HeatScale {
  const most = Math.max(0, ...values.flat().map((value) => value ?? 0))
  return {
    ends: most > 0 ? { from: valueText(0, unit), to: valueText(most, unit) } : null,
    hasFew: values.some((row, i) => row.some((value, j) => value === null && (posts?.[i]?.[j] ?? 0) > 0)),
  }
}

/** What a cell says: "Tue, 09: 31, 12 posts". */
export function heatText({ rows, columns, values, posts, unit }: HeatData, row: number, column: number): string {
  const value = values[row]?.[column] ?? null
  const count = posts?.[row]?.[column]
  const of = count === undefined ? '' : `, ${count.toLocaleString('en')} ${count === 1 ? 'post' : 'posts'}`
  return `${rows[row]}, ${columns[column]}: ${valueText(value, unit)}${of}`
}
