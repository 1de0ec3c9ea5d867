import { BulkCells, bulkColumnNames, bulkColumns, BULK_ROWS_MOST, type BulkColumn } from '#contract/bulk.ts'
import { readCsv } from './csv.ts'
import { fail } from '../errors.ts'

type SourceRow = { row: number; cells: BulkCells }
export type SourceRows = { rows: SourceRow[]; unknownColumns: string[] }

/** How many errors of a file are reported at once. */
const TOLD_MOST = 20

/** Other tools' column names, besides those in the template; without case, spaces and punctuation. */
const otherNames: Record<BulkColumn, readonly string[]> = {
  text: ['caption', 'content', 'message', 'post', 'copy', 'description'],
  channel: ['channels', 'account', 'accounts', 'profile', 'profiles', 'page', 'socialaccount'],
  date: ['day', 'postdate', 'publishdate', 'scheduleddate', 'datetime', 'scheduledat'],
  time: ['hour', 'posttime', 'publishtime', 'scheduledtime'],
  timezone: ['zone', 'tz'],
  media: [
    'media',
    'mediaurl',
    'image',
    'images',
    'imageurl',
    'imageurls',
    'picture',
    'pictures',
    'pictureurl',
    'video',
    'videourl',
    'file',
    'files',
  ],
  labels: ['label', 'tag', 'tags'],
  campaign: ['campaigns', 'campaignname'],
  firstComment: ['comment'],
  title: ['headline', 'posttitle'],
  postType: ['type', 'format', 'kind'],
}

/** A row of which nothing is stored yet. */
const noCells: BulkCells = {
  text: '',
  channel: '',
  date: '',
  time: '',
  timezone: '',
  media: '',
  labels: '',
  campaign: '',
  firstComment: '',
  title: '',
  postType: '',
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
const columnsByName = new Map(
  bulkColumns.flatMap((column) =>
    [bulkColumnNames[column], column, ...otherNames[column]].map((name): [string, BulkColumn] => [plain(name), column]),
  ),
)

/**
 * The rows of a file or of pasted cells, with or without a header. Rows are numbered as in a spreadsheet; empty ones
 * are left out. Throws BAD_INPUT at `source` if the text isn't a table, contains too much, or lacks a required column.
 */
export function readRows(source: string): SourceRows {
  const table = readCsv(source)
  if ('message' in table) throw refused([`Row ${table.row}, cell ${table.cell}: ${table.message}`])
  const [first = [], ...others] = table.records
  const header = headerOf(first)
  const columns = header?.columns ?? [...bulkColumns]
  const records = (header ? others : table.records)
    .map((cells, i) => ({ row: i + (header ? 2 : 1), cells }))
    .filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (records.length === 0) throw refused(['It has no rows.'])
  if (records.length > BULK_ROWS_MOST)
    throw refused([
      `You can schedule up to ${BULK_ROWS_MOST} rows at once. You have ${records.length.toLocaleString('en')}.`,
    ])
  const faults: string[] = []
  const rows = records.map(({ row, cells }) => ({ row, cells: cellsOf(row, cells, columns, faults) }))
  if (faults.length > TOLD_MOST)
    throw refused([...faults.slice(0, TOLD_MOST), `${faults.length - TOLD_MOST} more rows have errors like these.`])
  if (faults.length > 0) throw refused(faults)
  return { rows, unknownColumns: header?.unknown ?? [] }
}

const refused = (messages: string[]) => fail('BAD_INPUT', { detail: messages[0] ?? '', errors: { source: messages } })

/** The columns of a header; undefined if the first record is a row. */
function headerOf(record: readonly string[]): { columns: (BulkColumn | undefined)[]; unknown: string[] } | undefined {
  const columns = record.map((name) => columnsByName.get(plain(name)))
  const known = new Set(columns.filter((column) => column !== undefined))
  if (known.size < 2) return undefined
  const twice = columns.find((column, i) => column !== undefined && columns.indexOf(column) !== i)
  if (twice) throw refused([`Two columns are named ${bulkColumnNames[twice]}. Remove one of them.`])
  const missing = (['channel', 'date'] as const).filter((column) => !known.has(column))
  if (!known.has('text') && !known.has('media')) throw refused([`The column ${bulkColumnNames.text} is missing.`])
  if (missing.length > 0) throw refused(missing.map((column) => `The column ${bulkColumnNames[column]} is missing.`))
  return {
    columns,
    unknown: record
      .filter((name, i) => columns[i] === undefined && name.trim() !== '')
      .map((name) => name.trim().slice(0, 100)),
  }
}

function cellsOf(
  row: number,
  cells: readonly string[],
  columns: readonly (BulkColumn | undefined)[],
  faults: string[],
): BulkCells {
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    faults.push(
      `Row ${row} has ${cells.length} cells, but there are ${columns.length} columns. Put text that contains a separator in quotation marks.`,
    )
  const named = {
    ...noCells,
    ...Object.fromEntries(
      columns.flatMap((column, at) => (column === undefined ? [] : [[column, tidy(column, cells[at] ?? '')]])),
    ),
  }
  const parsed = BulkCells.safeParse(named)
  if (parsed.success) return parsed.data
  for (const { path, message } of parsed.error.issues) {
    const column = bulkColumns.find((one) => one === path[0])
    faults.push(`Row ${row}${column ? `, ${bulkColumnNames[column]}` : ''}: ${message}.`)
  }
  return noCells
}

/** A text's line breaks are its own; other cells lose surrounding spaces. */
export const tidy = (column: BulkColumn, cell: string): string =>
  column === 'text' || column === 'firstComment' ? cell.replaceAll(/\r\n?/g, '\n').trimEnd() : cell.trim()
