/*
 * Tables as text, by RFC 4180: commas, or semicolons as spreadsheets of many countries write them, or tabs as they are
 * pasted; quoted cells hold separators, line ends and doubled quotes. A byte order mark at the beginning is taken off.
 */

export type Separator = ',' | ';' | '\t'
/** A table: its records in order, empty lines among them, so that the n-th record is the n-th row of the spreadsheet. */
export type CsvTable = { separator: Separator; records: string[][] }
/** What is wrong with the text as such. `row` and `cell` count from 1. */
export type CsvFault = { row: number; cell: number; message: string }

const separators: readonly Separator[] = ['\t', ';', ',']

/** The separator of the first record, outside of quoted cells: a tab where it holds any, else that which it holds most of. */
export function separatorOf(text: string): Separator {
  const counts = new Map<string, number>()
  let isQuoted = false
  let before = ''
  for (const sign of text) {
    if (isQuoted) isQuoted = sign !== '"'
    // a mark within a cell is no quotation
    else if (sign === '"') isQuoted = before === '' || before === '"' || separators.some((one) => one === before)
    else if (sign === '\n' || sign === '\r') break
    else counts.set(sign, (counts.get(sign) ?? 0) + 1)
    before = sign
  }
  if (counts.has('\t')) return '\t'
  return (counts.get(';') ?? 0) > (counts.get(',') ?? 0) ? ';' : ','
}

/**
 * Reads a table, strictly: a quote within an unquoted cell, words after a closing quote and a quote that never closes are
 * faults, and the first one is answered. In pasted text, which has tabs, quotes mean something only around a whole cell:
 * spreadsheets leave them as they are elsewhere.
 */
export function readCsv(source: string, separator?: Separator): CsvTable | CsvFault {
  const text = source.replace(/^\uFEFF/, '')
  const by = separator ?? separatorOf(text)
  const reader = new Reader(text, by)
  return reader.fault ?? { separator: by, records: reader.records }
}

class Reader {
  readonly records: string[][] = []
  fault: CsvFault | undefined
  readonly #text: string
  readonly #separator: Separator
  #at = 0

  constructor(text: string, separator: Separator) {
    this.#text = text
    this.#separator = separator
    while (this.#at < text.length && !this.fault) this.#record()
  }

  #record(): void {
    const cells: string[] = []
    this.records.push(cells)
    for (;;) {
      cells.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain())
      if (this.fault || this.#text[this.#at] !== this.#separator) break
      this.#at += 1
    }
    if (this.#text.startsWith('\r\n', this.#at)) this.#at += 2
    else this.#at += 1
  }

  #plain(): string {
    const from = this.#at
    while (this.#at < this.#text.length && !this.#isEnd(this.#at)) {
      if (this.#text[this.#at] === '"' && this.#separator !== '\t')
        this.#complain(
          'a quotation mark stands within the cell. Put the whole cell in quotation marks and double those within it.',
        )
      this.#at += 1
    }
    return this.#text.slice(from, this.#at)
  }

  #quoted(): string {
    const from = this.#at
    let cell = ''
    for (;;) {
      const close = this.#text.indexOf('"', this.#at + 1)
      if (close < 0) return this.#literal(from, 'a quotation mark opens the cell and none closes it.')
      cell += this.#text.slice(this.#at + 1, close)
      this.#at = close + 1
      if (this.#text[this.#at] !== '"') break
      cell += '"'
    }
    if (this.#at >= this.#text.length || this.#isEnd(this.#at)) return cell
    return this.#literal(from, 'words follow the closing quotation mark. Double quotation marks within a cell.')
  }

  /** A cell that only looked quoted: pasted text keeps it as it is, a file is at fault. */
  #literal(from: number, why: string): string {
    if (this.#separator !== '\t') this.#complain(why)
    this.#at = from
    return this.#plain()
  }

  #complain(message: string): void {
    this.fault ??= { row: this.records.length, cell: (this.records.at(-1)?.length ?? 0) + 1, message }
  }

  #isEnd(at: number): boolean {
    const sign = this.#text[at]
    return sign === this.#separator || sign === '\n' || sign === '\r'
  }
}

/** Writes a table with commas and CRLF; cells are quoted where they have to be. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return records
    .map((cells) => `${cells.map((cell, i) => quote(cell, cells.length === 1 && i === 0)).join(',')}\r\n`)
    .join('')
}

// a lone empty cell would read as an empty line, and one that begins with the mark would lose it
const quote = (cell: string, isAlone: boolean): string =>
  /[",;\t\r\n\uFEFF]/.test(cell) || (isAlone && cell === '') ? `"${cell.replaceAll('"', '""')}"` : cell
