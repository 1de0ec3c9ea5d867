import { layersOf } from '#charts/svg.ts'
import { TEXT_SIZE } from '#charts/layers.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { DocumentBlock, Part } from '../document.ts'
import { heightOf, textPoints } from './letters.ts'
import { ACROSS, cardsAcross, fitting, isBlank, isRightToLeft, printable } from './room.ts'
import { chartHeights, excerptOf, pictureText, safeLink, sharedBase } from './shared.ts'
import { INSET, tableWidths, type TablePart } from './tableWidths.ts'

export type PrintContext = {
  files: Record<string, Uint8Array>
  /** Names of files by keys of pictures. */
  pictures: ReadonlyMap<string, string>
}
type Room = {
  /** In points. */ width: number
  /** The same; null on a turned page. */ room: number | null
  /** Whether the block has other parts, so that each needs its name. */ several: boolean
}

/** Points of a pixel of charts. */
const SCALE = 0.72

/** A block as the template prints it; `room`: its width in points, null on a turned page. */
export function printedBlock(block: DocumentBlock, room: number | null, context: PrintContext) {
  const width = room ?? ACROSS.turned
  const several = block.parts.length > 1
  return {
    id: block.blockId,
    width,
    heading: block.heading === null || isBlank(block.heading) ? null : fitting(block.heading, width, 13),
    about: block.about === null ? null : fitting(block.about, width, 7.5),
    parts: block.parts.flatMap((part) => printedPart(part, { width, room, several }, context) ?? []),
    notes: block.notes.map((note) => fitting(note, width, 7.5)),
  }
}

function printedPart(part: Part, room: Room, context: PrintContext): object | null {
  switch (part.kind) {
    case 'text':
      return { kind: 'text', paragraphs: paragraphsOf(part, room) }
    case 'figures':
      return part.figures.length === 0 ? null : figuresOf(part, room)
    case 'chart':
      return chartOf(part, room, context)
    case 'table':
      return part.columns.length === 0 ? null : tableOf(part, room)
    case 'posts':
      return part.posts.length === 0 ? null : postsOf(part, room, context)
    case 'nothing':
      return { kind: 'nothing', text: fitting(part.text, room.width - 20, 9.5) }
    case 'cover':
    default:
      // printed.ts has it on a page of its own
      return null
  }
}

function paragraphsOf({ paragraphs }: Extract<Part, { kind: 'text' }>, { width }: Room) {
  return paragraphs.map((one) =>
    'list' in one
      ? { list: one.list.map((item) => fitting(item, width - 20, 9.5)) }
      : { text: fitting(one.text, width, 9.5) },
  )
}

function figuresOf({ figures }: Extract<Part, { kind: 'figures' }>, { width }: Room) {
  const across = cardsAcross(width, figures.length)
  const card = (width - 6 * (across - 1)) / across - 18
  const base = sharedBase(figures)
  return {
    kind: 'figures',
    across,
    card,
    base,
    figures: figures.map(({ title, value, change, direction, note, base: own }) => ({
      title: fitting(title, card, 8.5),
      value: value.text,
      change,
      direction,
      base: base === null && own !== '' ? own : null,
      note: note === null ? null : fitting(note, card, 7.5),
    })),
  }
}

function chartOf(part: Extract<Part, { kind: 'chart' }>, { width, several }: Room, { files }: PrintContext) {
  const { data, shape, height, label } = part
  const size = { width: Math.floor(width / SCALE), height: chartHeights[height] }
  const drawn = layersOf(data, size, { label, notes: false, ...(shape && { shape }) })
  const file = `/charts/${Object.keys(files).length}.svg`
  files[file] = Buffer.from(drawn.svg)
  return {
    kind: 'chart',
    file,
    label: several ? fitting(label, width, 8.5) : null,
    alt: drawn.description,
    width: drawn.width,
    height: drawn.height,
    scale: SCALE,
    size: TEXT_SIZE,
    texts: drawn.texts.map(({ text, x, y, anchor, color }) => [text, x, y, anchor, color]),
  }
}

/** Rows of larger tables get their height from here: Typst would set each cell twice, and keep both in its memory. */
const LARGE = 100
/** Above and below a cell's text, as in the template. */
const PADDING = 9

function tableOf(part: TablePart, { room }: Room) {
  const { widths, size } = tableWidths(part, room)
  const fitted = (text: string, i: number) =>
    // most cells are short
    textPoints(text, size) < (widths[i] ?? 0) * 0.8
      ? printable(text)
      : fitting(text, (widths[i] ?? 40) - INSET, size, { isBold: false })
  const cellsOf = (row: TablePart['rows'][number]) =>
    part.columns.map((_, i) => {
      const cell = row[i]
      const text = fitted(cell?.text ?? '', i)
      const link = text.trim() === '' ? null : safeLink(cell?.link)
      const [rtl, broken] = [isRightToLeft(text), text.includes('\u200B')]
      return link === null && !rtl && !broken ? text : { text, rtl, broken, link }
    })
  const rowHeight = (row: TablePart['rows'][number]): number | null => {
    const heights = part.columns.map((_, i) => heightOf(row[i]?.text ?? '', (widths[i] ?? 0) - INSET, size))
    const known = heights.filter((height) => height !== null)
    return known.length < heights.length ? null : PADDING + Math.max(...known)
  }
  return {
    kind: 'table',
    size,
    widths,
    titles: part.columns.map(({ title }, i) => fitting(title, Math.max((widths[i] ?? 0) - INSET, 120), size)),
    ends: part.columns.map(({ align }) => align === 'end'),
    // a cell that is longer than a page has to be divided
    tall: part.rows.some((row) => row.some(({ text }) => text.length > 600)),
    rows: part.rows.map(cellsOf),
    heights: part.rows.length > LARGE ? part.rows.map(rowHeight) : [],
    foot: (part.foot ?? []).map(cellsOf),
  }
}

function postsOf({ posts }: Extract<Part, { kind: 'posts' }>, { width }: Room, { pictures }: PrintContext) {
  const across = Math.min(Math.max(1, Math.floor(width / 150)), Math.max(2, posts.length))
  const card = (width - 8 * (across - 1)) / across - 16
  return {
    kind: 'posts',
    across,
    pictured: posts.some(({ picture }) => picture !== null && pictures.has(picture)),
    posts: posts.map((post) => ({
      channel: fitting(post.channel, card, 8),
      platform: platformLabel(post.platform),
      published: post.published,
      excerpt: fitting(excerptOf(post.excerpt), card, 8),
      link: safeLink(post.link),
      picture: post.picture === null ? null : (pictures.get(post.picture) ?? null),
      alt: pictureText(post),
      figures: post.figures.map(({ title, value }) => [fitting(title, card * 0.6, 7.5), value.text]),
    })),
  }
}
