import { platformLabel } from '#contract/platforms/registry.ts'
import { withUnit, type Unit } from '#contract/values.ts'
import { tableOf as chartTable } from '../../../charts/table.ts'
import type { DocumentBlock, DocumentFigure, DocumentPost, Part } from '../document.ts'

/* The figures of a block as tables of bare numbers, for files that other programs calculate with. */

/** A text or a number; null where nothing is known. */
type FileCell = string | number | null
export type FileTable = {
  title: string
  /** Units are in the titles: "Watch time (seconds)". */
  columns: readonly { title: string; unit: Unit | null }[]
  rows: readonly (readonly FileCell[])[]
  /** Totals and medians of more than these rows. */
  foot?: readonly (readonly FileCell[])[]
}

/** The tables of a block, in its order; none of a text. */
export const tablesOf = (block: DocumentBlock): FileTable[] => block.parts.flatMap((part) => tableOf(part, block) ?? [])

function tableOf(part: Part, { heading }: DocumentBlock): FileTable | null {
  const title = heading ?? ''
  switch (part.kind) {
    case 'figures':
      return part.figures.length === 0 ? null : { title, ...figuresTable(part.figures) }
    case 'chart':
      return { title: part.label, ...linesTable(part.data) }
    case 'table':
      return part.columns.length === 0 ? null : { title, ...rowsTable(part) }
    case 'posts':
      return part.posts.length === 0 ? null : { title, ...postsTable(part.posts) }
    case 'cover':
    case 'text':
    case 'nothing':
    default:
      return null
  }
}

/** In percent of what it's compared with; of percentages, in points. */
const CHANGE = { title: 'Change (% or points)', unit: 'percent' } as const
const text = (title: string) => ({ title, unit: null })
const units: Record<Unit, string> = { count: 'count', seconds: 'seconds', percent: '%' }

const figuresTable = (figures: readonly DocumentFigure[]): Omit<FileTable, 'title'> => ({
  columns: [text('Figure'), text('Covers'), { title: 'Value', unit: 'count' }, text('Unit'), CHANGE, text('Note')],
  rows: figures.map(({ title, base, value, changeValue, note }) => [
    title,
    base,
    value.value,
    units[value.unit],
    changeValue,
    note ?? '',
  ]),
})

function linesTable(data: Extract<Part, { kind: 'chart' }>['data']): Omit<FileTable, 'title'> {
  const { head, rows } = chartTable(data)
  const [first = '', ...titles] = head
  return {
    // a column of notes, if there's one, comes after those of the series
    columns: [text(first), ...titles.map((title, i) => ({ title, unit: unitAt(data, i) }))],
    rows: rows.map(({ name, values, notes }) => [name, ...values, ...(notes === undefined ? [] : [notes])]),
  }
}
const unitAt = ({ series, unit = 'count' }: Extract<Part, { kind: 'chart' }>['data'], i: number): Unit | null => {
  const one = series[i]
  return one ? (one.unit ?? unit) : null
}

/** Where cells lead, a column of their addresses is beside them. */
function rowsTable({ columns, rows, foot = [] }: Extract<Part, { kind: 'table' }>): Omit<FileTable, 'title'> {
  const linked = columns.map((_, i) => rows.some((row) => row[i]?.link !== undefined))
  const cellsOf = (row: (typeof rows)[number]) =>
    columns.flatMap((_, i) => {
      const cell = row[i]
      const own = cell?.value === undefined ? (cell?.text ?? '') : cell.value
      return linked[i] ? [own, cell?.link ?? ''] : [own]
    })
  return {
    columns: columns.flatMap(({ title, unit }, i) => [
      { title: withUnit(title, unit ?? 'count'), unit },
      ...(linked[i] ? [text('Link')] : []),
    ]),
    rows: rows.map(cellsOf),
    ...(foot.length > 0 && { foot: foot.map(cellsOf) }),
  }
}

/** Posts of different platforms have different figures: all of them are columns. */
function postsTable(posts: readonly DocumentPost[]): Omit<FileTable, 'title'> {
  const figures = new Map(
    posts.flatMap((post) => post.figures.map(({ title, value: { unit } }) => [title, unit] as const)),
  )
  return {
    columns: [
      ...['Published', 'Channel', 'Platform', 'Post', 'Link'].map(text),
      ...[...figures].map(([title, unit]) => ({ title: withUnit(title, unit), unit })),
    ],
    rows: posts.map(({ published, channel, platform, excerpt, link, figures: own }) => [
      published,
      channel,
      platformLabel(platform),
      excerpt,
      link ?? '',
      ...[...figures.keys()].map((title) => own.find((one) => one.title === title)?.value.value ?? null),
    ]),
  }
}
