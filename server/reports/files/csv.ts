import { harmless, writeCsv } from '#contract/csv.ts'
import type { DocumentBlock } from '../document.ts'
import { tablesOf, type FileTable } from './tables.ts'

/**
 * The figures of a block as CSV (RFC 4180) with a byte order mark for spreadsheets; empty if it has none. Numbers are written in
 * full, gaps are empty. Several tables have an empty line
 * between them; totals and medians of more than a table's rows are one.
 */
export function csvOfBlock(block: DocumentBlock): string {
  const tables = tablesOf(block)
  if (tables.length === 0) return ''
  const cells = (row: FileTable['rows'][number]) =>
    row.map((cell) => (typeof cell === 'string' ? harmless(cell) : String(cell ?? '')))
  const records = tables.flatMap(({ columns, rows, foot }) => [
    [columns.map(({ title }) => harmless(title)), ...rows.map(cells)],
    // apart, so that nobody adds them to what they're the sum of
    ...(foot ? [foot.map(cells)] : []),
  ])
  return `\uFEFF${records.map(writeCsv).join('\r\n')}`
}
