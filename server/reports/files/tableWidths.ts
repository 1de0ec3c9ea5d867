import { isWhole } from '#contract/reports/layout.ts'
import type { DocumentBlock, Part } from '../document.ts'
import { textPoints } from './letters.ts'
import { ACROSS, pointsOf } from './room.ts'

export type TablePart = Extract<Part, { kind: 'table' }>

const SIZE = 7.5
const SMALLEST = 5.5
/** A title's width as a share of the same text's in a cell: bold, but smaller. */
const HEAD = 1.02
/** Widths are estimates. */
const SLACK = 1.03
/** Left and right of a cell's text. */
export const INSET = 8
/** Texts that are narrower stay on one line; longer ones get at least this much. */
const SHORT = 105
const LEAST = 60
/** How much of a table's width columns of numbers may take. */
const NUMBERS = 0.62

/** How many points the columns want: their longest text, of which long ones are folded. */
function wantedBy({ columns, rows, foot }: TablePart): { width: number; isNumber: boolean }[] {
  return columns.map(({ title, align }, i) => {
    const longest = [...rows, ...(foot ?? [])].reduce(
      (most, row) => Math.max(most, textPoints(row[i]?.text ?? '', SIZE)),
      0,
    )
    const words = title.split(/\s+/).map((word) => textPoints(word, SIZE * HEAD))
    const head = Math.max(0, ...words)
    return align === 'end'
      ? { width: Math.max(longest, head) * SLACK + INSET, isNumber: true }
      : { width: Math.min(Math.max(longest, head, 30) * SLACK, 230) + INSET, isNumber: false }
  })
}

/** Whether the block needs a turned page: its table has more columns of numbers than fit on an upright one. */
export function isTurned(block: DocumentBlock): boolean {
  if (!isWhole(block.kind)) return false
  const width = pointsOf(block)
  return block.parts.some((part) => part.kind === 'table' && numbersOf(wantedBy(part)) > width * NUMBERS)
}
const numbersOf = (wanted: ReturnType<typeof wantedBy>): number =>
  wanted.reduce((sum, { width, isNumber }) => sum + (isNumber ? width : 0), 0)

/**
 * The widths of a table's columns, which fill the room, and the size of its font: smaller where numbers wouldn't fit.
 *
 * @param room in points; null: a turned page
 */
export function tableWidths(part: TablePart, room: number | null): { widths: number[]; size: number } {
  const all = room ?? ACROSS.turned
  const wanted = wantedBy(part)
  const numbers = numbersOf(wanted)
  const hasTexts = wanted.some(({ isNumber }) => !isNumber)
  const most = hasTexts ? all * NUMBERS : all
  // letters get smaller, the space between them doesn't
  const insets = wanted.filter(({ isNumber }) => isNumber).length * INSET
  const shrink = Math.min(1, Math.max(SMALLEST / SIZE, (most - insets) / Math.max(1, numbers - insets)))
  const size = SIZE * shrink
  const left = Math.max(0, all - insets - (numbers - insets) * shrink)
  const texts = textWidths(
    wanted.filter(({ isNumber }) => !isNumber).map(({ width }) => width * (size / SIZE)),
    left,
  )
  // a table without texts fills its room too
  const rest = hasTexts ? 0 : Math.max(0, left) / Math.max(1, wanted.length)
  const widths = wanted.map(({ width, isNumber }) =>
    isNumber ? (width - INSET) * shrink + INSET + rest : (texts.shift() ?? 0),
  )
  return { widths: widths.map((width) => Math.floor(width * 10) / 10), size }
}

/** What is short, such as dates, stays on one line if there's room for it; long texts share the rest. */
function textWidths(wanted: readonly number[], room: number): number[] {
  const isShort = (width: number) => width <= SHORT
  const short = wanted.filter(isShort).reduce((sum, width) => sum + width, 0)
  const long = wanted.filter((width) => !isShort(width))
  const all = wanted.reduce((sum, width) => sum + width, 0)
  const shares = long.reduce((sum, width) => sum + shareOf(width), 0)
  if (long.length === 0 || room - short < long.length * LEAST) return wanted.map((width) => (width / all) * room)
  return wanted.map((width) => (isShort(width) ? width : (shareOf(width) / shares) * (room - short)))
}

/** Names need more than their share beside long texts. */
const shareOf = (width: number): number => width ** 0.75
