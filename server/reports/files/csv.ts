import { harmless, writeCsv } from '#contract/csv.ts'
import type { DocumentBlock } from '../document.ts'
import { tablesOf } from './tables.ts'

/**
 * The figures of a block as CSV (RFC 4180) with a byte order mark for spreadsheets; empty if it has none. Numbers are written in
 * full, gaps are empty. Several tables have an empty line between them.
 */
export function csvOfBlock(block: DocumentBlock): string {
  const tables = tablesOf(block)
  if (tables.length === 0) return ''
  const records = tables.map(({ columns, rows }) => [
    columns.map(({ title }) => harmless(title)),
    ...rows.map((row) => row.map((cell) => (typeof cell === 'string' ? harmless(cell) : String(cell ?? '')))),
  ])
  return `\uFEFF${records.map(writeCsv).join('\r\n')}`
}
