import { BulkCells, bulkColumnNames, bulkColumns, BULK_ROWS_MOST, type BulkColumn } from '#contract/bulk.ts'
import { withLink } from '#contract/platforms/sentText.ts'
import { fail } from '../errors.ts'
import { headerOf, usualSources, type Source } from './columns.ts'
import { readCsv } from './csv.ts'

type SourceRow = { row: number; cells: BulkCells }
export type SourceRows = { rows: SourceRow[]; unknownColumns: string[] }

/** How many errors of a file are reported at once. */
const TOLD_MOST = 20

/** As wide as spreadsheets are. */
const WIDEST = 16_384

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

/**
 * The rows of a file or of pasted cells, with or without a header. Rows are numbered as in a spreadsheet; empty ones
 * are left out. Throws BAD_INPUT at `source` if the text isn't a table, contains too much, or lacks a required column.
 */
export function readRows(source: string): SourceRows {
  if (/^\s*<(?:!doctype\s|html[\s>]|head[\s>])/i.test(source))
    throw refused([
      'This is a web page, not a table. Download the table itself as CSV, or copy and paste its rows here.',
    ])
  const table = readCsv(source)
  if ('message' in table) throw refused([`Row ${table.row}, cell ${table.cell}: ${table.message}`])
  const wide = table.records.findIndex(({ length }) => length > WIDEST)
  if (wide >= 0) throw refused([`Row ${wide + 1} has more than ${WIDEST.toLocaleString('en')} cells.`])
  const [first = [], ...others] = table.records
  const header = headerOf(first)
  if (header && 'faults' in header) throw refused(header.faults)
  const columns = header?.sources ?? usualSources(table.records)
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

function cellsOf(
  row: number,
  cells: readonly string[],
  columns: readonly (Source | undefined)[],
  faults: string[],
): BulkCells {
  if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
    faults.push(
      `Row ${row} has ${cells.length} cells, but there are ${columns.length} columns. Put text that contains a separator in quotation marks.`,
    )
  const all = (source: Source): string[] =>
    columns.flatMap((column, at) => (column === source ? [cells[at] ?? ''] : [])).filter((cell) => cell.trim() !== '')
  const named = { ...noCells }
  for (const column of bulkColumns) named[column] = tidy(column, all(column).join('\n'))
  for (const link of all('link')) named.text = withLink(named.text, link.trim())
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
