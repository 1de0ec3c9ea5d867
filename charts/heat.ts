import type { HeatData, Size } from './data.ts'
import { textWidth } from './text.ts'

const HEAD = 20
const GAP = 2
/** Shades of a value above zero, from 1; 0 is zero. */
const HEAT_LEVELS = 5

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
    rowLabels: rows.map((text, i) => ({ y: HEAD + (i + 0.5) * height, text })),
    columnLabels: columns
      .map((text, i) => ({ x: left + (i + 0.5) * width, text, i }))
      .filter(({ i }) => i % every === 0)
      .map(({ x, text }) => ({ x, text })),
    cells: rows.flatMap((_, row) =>
      columns.map((__, column) => ({
        row,
        column,
        x: left + column * width,
        y: HEAD + row * height,
        width: Math.max(1, width - GAP),
        height: Math.max(1, height - GAP),
        level: levelOf(values[row]?.[column] ?? null),
      })),
    ),
  }
}
