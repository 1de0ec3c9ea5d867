import { CsvError, parse } from 'csv-parse/sync'
import { z } from 'zod'

export type Separator = ',' | ';' | '\t' | '|'
/** A table: its records in order, including empty lines, so that the nth record is the nth row of the spreadsheet. */
export type CsvTable = { separator: Separator; records: string[][] }
/** What is wrong with the text itself. `row` and `cell` count from 1. */
export type CsvFault = { row: number; cell: number; message: string }

/**
 * The separator of the first record, outside of quoted cells: a tab if there is one, otherwise the more frequent of `,`
 * and `;`.
 */
export function separatorOf(text: string): Separator {
  const record = text.replaceAll(/(?<=^|[\t;,])"(?:[^"]|"")*"/g, '').split(/[\r\n]/, 1)[0] ?? ''
  if (record.includes('\t')) return '\t'
  return record.split(';').length > record.split(',').length ? ';' : ','
}

const separators = [',', ';', '\t', '|'] as const
const separatorLine = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i

/**
 * Reads a table strictly by RFC 4180: a quotation mark within an unquoted cell, text after a closing one and one that
 * never closes are errors, and the first one is returned. A byte order mark at the start is removed, and so is a line such
 * as `sep=;` that names the separator.
 */
export function readCsv(source: string, separator?: Separator): CsvTable | CsvFault {
  const whole = source.replace(/^\uFEFF/, '')
  // a line for Excel, which doesn't show it
  const [said = '', named] = separatorLine.exec(whole) ?? []
  const text = whole.slice(said.length)
  const by = separator ?? separators.find((one) => one === named) ?? separatorOf(text)
  if (by === '\t') return { separator: by, records: pastedCells(text) }
  try {
    const records = parse(text, {
      delimiter: by,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: false,
      max_record_size: LONGEST_ROW,
    })
    return { separator: by, records }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return faultOf(error)
  }
}

/** Characters; twice what all cells of a row may have together. */
const LONGEST_ROW = 250_000

const faults: Partial<Record<CsvError['code'], string>> = {
  CSV_MAX_RECORD_SIZE: 'the row is too long. Does it have a quotation mark that is never closed?',
  CSV_QUOTE_NOT_CLOSED: 'the cell opens with a quotation mark that is never closed.',
  CSV_INVALID_CLOSING_QUOTE:
    'there is text after the closing quotation mark. Double the quotation marks within the cell.',
  INVALID_OPENING_QUOTE:
    'there is a quotation mark within the cell. Put the whole cell in quotation marks and double those within it.',
}

function faultOf(error: CsvError): CsvFault {
  const { records, column } = z.object({ records: z.number(), column: z.number() }).parse(error)
  return { row: records + 1, cell: column + 1, message: faults[error.code] ?? error.message }
}

/**
 * Spreadsheets only quote a pasted cell if it contains a tab or a line break; otherwise quotation marks are literal.
 */
function pastedCells(text: string): string[][] {
  const records: string[][] = []
  let isNewRecord = true
  for (const [, quoted, plain = '', end = ''] of text.matchAll(
    /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/g,
  )) {
    if (isNewRecord && end === '' && quoted === undefined && plain === '') break
    if (isNewRecord) records.push([])
    records.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain)
    isNewRecord = end !== '\t'
    if (end === '') break
  }
  return records
}
