/** Writes a table with commas and CRLF; cells are quoted if necessary. */
export function writeCsv(records: readonly (readonly string[])[]): string {
  return records
    .map((cells) => `${cells.map((cell, i) => quote(cell, cells.length === 1 && i === 0)).join(',')}\r\n`)
    .join('')
}

// a single empty cell would be parsed as an empty line, and a text that starts with a byte order mark would lose it
const quote = (cell: string, isAlone: boolean): string =>
  /[",;\t\r\n\uFEFF]/.test(cell) || (isAlone && cell === '') ? `"${cell.replaceAll('"', '""')}"` : cell

/** A cell that a spreadsheet would run as a formula gets a leading apostrophe (OWASP, CSV injection). */
export const harmless = (cell: string): string =>
  /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/.test(cell) ? `'${cell}` : cell
