import { COLUMNS, widthOf } from '#contract/reports/layout.ts'
import type { DocumentBlock, Part } from '../document.ts'
import { textPoints } from './letters.ts'

/* How much room things need on paper, roughly, in points: what fits beside each other, and what stays together. */

/** Between the margins of an A4 page, upright and turned. */
export const ACROSS = { upright: 493, turned: 740 }
export const GUTTER = 14

/** A block's width in points. */
export const pointsOf = (block: Pick<DocumentBlock, 'kind' | 'width'>): number =>
  ((ACROSS.upright + GUTTER) * widthOf(block)) / COLUMNS - GUTTER

/** More than this may be divided between pages; less stays on one. */
const TOGETHER = 380

/** Whether a row of blocks may begin on one page and end on the next. */
export const isTall = (blocks: readonly DocumentBlock[]): boolean => Math.max(...blocks.map(blockHeight)) > TOGETHER

function blockHeight(block: DocumentBlock): number {
  const width = pointsOf(block)
  const lines = (texts: readonly string[], size: number) =>
    texts.reduce(
      (sum, text) => sum + (Math.ceil(textPoints(text, size) / width) + text.split('\n').length) * size * 1.4,
      0,
    )
  const parts = block.parts.reduce((sum, part) => sum + partHeight(part, width, lines), 0)
  return 40 + parts + lines(block.notes, 7.5)
}

function partHeight(part: Part, width: number, lines: (texts: readonly string[], size: number) => number): number {
  switch (part.kind) {
    case 'text':
      return lines(
        part.paragraphs.flatMap((one) => ('list' in one ? one.list : [one.text])),
        9.5,
      )
    case 'figures':
      return Math.ceil(part.figures.length / cardsAcross(width, part.figures.length)) * 85
    case 'chart':
      return 260
    case 'table':
      return 30 + part.rows.length * 18
    case 'posts':
      return 300
    case 'cover':
    case 'nothing':
    default:
      return 40
  }
}

/** How many cards of figures fit beside each other: no row with a single one if it can be helped. */
export function cardsAcross(width: number, count: number): number {
  const most = Math.max(1, Math.floor(width / 118))
  if (count <= most) return Math.max(count, Math.min(most, 2))
  return most > 2 && count % most === 1 ? most - 1 : most
}

/** Languages whose lines break anywhere, or by rules of their own. */
const BREAKS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u
/** How much wider the same text can be in bold. */
const BOLDER = 1.1
const segments = new Intl.Segmenter('en')

/**
 * A text whose words fit into a width: longer ones may break anywhere. Without what can't be printed.
 *
 * @param size of the font, in points
 */
export function fitting(text: string, width: number, size: number, { isBold = true } = {}): string {
  return printable(text).replaceAll(/\S+/g, (word) => {
    if (textPoints(word, size) * (isBold ? BOLDER : 1) < width || BREAKS.test(word)) return word
    return [...segments.segment(word)].map(({ segment }) => segment).join('\u200B')
  })
}

/**
 * Control characters have no shape, and tabs are spaces. Marks of direction and soft hyphens would spoil the text that programs read
 * from the PDF (krilla writes what they belong to as /ActualText, which not all of them know).
 */
export const printable = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\t\v\f\r\u2028\u2029]/g, ' ')
    .replaceAll(/(?!\n)\p{Cc}|[\u00ad\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')

/** Whether nothing of a text can be seen on paper. */
export const isBlank = (text: string): boolean => printable(text).trim() === ''

/** By its first letter, as report.typ decides for longer texts. */
export const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text)
