import type { Unit } from '#contract/values.ts'
import { asXml } from '../../../charts/svgFile.ts'

/*
 * A workbook (Office Open XML, ECMA-376) of plain tables. Texts are inline strings, so none of them is a formula, whatever it begins
 * with.
 */

type SheetCell = string | number | null
export type SheetRow = {
  cells: readonly SheetCell[]
  /** Of its numbers, by column. */
  units?: readonly (Unit | null)[]
  isHead?: boolean
}
export type Sheet = {
  name: string
  rows: readonly SheetRow[]
  /** Rows at the top that stay when the others are scrolled. */
  frozen: number
}

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** The files that a workbook consists of, by their names in it. */
export function workbookFiles(
  sheets: readonly Sheet[],
  { title, creator, created }: { title: string; creator: string; created: Date },
): Map<string, string> {
  const names = namesOf(sheets.map(({ name }) => name))
  const part = (i: number) => `sheet${i + 1}`
  const at = created.toISOString().replace(/\.\d+Z$/, 'Z')
  return new Map([
    [
      '[Content_Types].xml',
      `${HEAD}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${TYPE}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${TYPE}.styles+xml"/><Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>${sheets.map((_, i) => `<Override PartName="/xl/worksheets/${part(i)}.xml" ContentType="${TYPE}.worksheet+xml"/>`).join('')}</Types>`,
    ],
    [
      '_rels/.rels',
      relations([
        [`${OFFICE}/officeDocument`, 'xl/workbook.xml'],
        [`${PACKAGE}/relationships/metadata/core-properties`, 'docProps/core.xml'],
      ]),
    ],
    [
      'docProps/core.xml',
      `${HEAD}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>${asXml(title)}</dc:title><dc:creator>${asXml(creator)}</dc:creator><dcterms:created xsi:type="dcterms:W3CDTF">${at}</dcterms:created></cp:coreProperties>`,
    ],
    [
      'xl/workbook.xml',
      `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${names.map((name, i) => `<sheet name="${asXml(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`).join('')}</sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relations([
        ...sheets.map((_, i) => [`${OFFICE}/worksheet`, `worksheets/${part(i)}.xml`] as const),
        [`${OFFICE}/styles`, 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', STYLES],
    ...sheets.map((sheet, i) => [`xl/worksheets/${part(i)}.xml`, sheetXml(sheet)] as const),
  ])
}

const relations = (targets: readonly (readonly [string, string])[]): string =>
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${targets.map(([type, target], i) => `<Relationship Id="rId${i + 1}" Type="${type}" Target="${target}"/>`).join('')}</Relationships>`

/** By their places: a text, a heading, whole numbers with separators, numbers with two decimals. */
const STYLE = { text: 0, head: 1, whole: 2, decimals: 3 }
const STYLES = `${HEAD}<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="4"><xf xfId="0"/><xf xfId="0" fontId="1" applyFont="1"/><xf xfId="0" numFmtId="3" applyNumberFormat="1"/><xf xfId="0" numFmtId="4" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`

function sheetXml({ rows, frozen }: Sheet): string {
  const pane =
    frozen > 0 ? `<pane ySplit="${frozen}" topLeftCell="A${frozen + 1}" activePane="bottomLeft" state="frozen"/>` : ''
  const widths = widthsOf(rows)
  const cols = widths
    .map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
    .join('')
  const data = rows
    .map((row, r) => `<row r="${r + 1}">${row.cells.map((cell, c) => cellXml(cell, row, [r, c])).join('')}</row>`)
    .join('')
  return `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">${pane}</sheetView></sheetViews>${cols && `<cols>${cols}</cols>`}<sheetData>${data}</sheetData></worksheet>`
}

function cellXml(cell: SheetCell, { isHead, units }: SheetRow, [r, c]: readonly [number, number]): string {
  const at = `${columnName(c)}${r + 1}`
  if (cell === null || cell === '' || (typeof cell === 'number' && !Number.isFinite(cell))) return ''
  if (typeof cell === 'number') {
    const style = units?.[c] === 'percent' || !Number.isInteger(cell) ? STYLE.decimals : STYLE.whole
    return `<c r="${at}" s="${style}"><v>${cell}</v></c>`
  }
  return `<c r="${at}" s="${isHead ? STYLE.head : STYLE.text}" t="inlineStr"><is><t xml:space="preserve">${textXml(cell)}</t></is></c>`
}

/** A cell has at most so many characters. */
const LONGEST = 32_767
/** Spreadsheets read _x0041_ as a character, so its underscore is written in the same way. */
const textXml = (text: string): string =>
  asXml(text.slice(0, LONGEST).toWellFormed()).replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')

/** A, B … Z, AA. */
const columnName = (c: number): string =>
  (c < 26 ? '' : columnName(Math.floor(c / 26) - 1)) + String.fromCodePoint(65 + (c % 26))

/** In characters: as wide as what is in the columns, within reason. */
function widthsOf(rows: readonly SheetRow[]): number[] {
  const widths: number[] = []
  for (const { cells } of rows)
    for (const [i, cell] of cells.entries())
      widths[i] = Math.max(widths[i] ?? 8, Math.min(60, String(cell ?? '').length + 2))
  return widths
}

/** Names that spreadsheets take: at most 31 characters, some of which they refuse, each once whatever its case. */
export function namesOf(wanted: readonly string[]): string[] {
  const used = new Set<string>()
  return wanted.map((name) => {
    const plain = cut(
      name
        .toWellFormed()
        .replaceAll(/[[\]:*?/\\\p{Cc}]/gu, ' ')
        .replaceAll(/\s+/g, ' '),
      31,
    )
    const base = plain === '' || plain.toLowerCase() === 'history' ? 'Block' : plain
    let free = base
    for (let n = 2; used.has(free.toLowerCase()); n += 1) free = `${cut(base, 31 - ` (${n})`.length)} (${n})`
    used.add(free.toLowerCase())
    return free
  })
}
/** Without apostrophes at its ends, which are refused too. */
const cut = (text: string, most: number): string =>
  text
    .trim()
    .slice(0, most)
    .toWellFormed()
    .replaceAll(/^['\s]+|['\s\ufffd]+$/g, '')
