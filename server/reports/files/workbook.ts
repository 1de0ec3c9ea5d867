import { ZipFile } from 'yazl'
import type { DocumentBlock, ReportDocument } from '../document.ts'
import { introOf } from './shared.ts'
import { tablesOf } from './tables.ts'
import { workbookFiles, type Sheet, type SheetRow } from './xlsx.ts'

/** The figures of a report as a workbook (XLSX): what it covers, and a sheet per block that has figures. */
export async function workbookOf(document: ReportDocument): Promise<Buffer> {
  const { title, organization, createdAt } = document
  const sheets = [coverSheet(document), ...document.blocks.flatMap((block) => sheetOf(block) ?? [])]
  const files = workbookFiles(sheets, { title, creator: organization, created: createdAt })
  return await zipped(files, createdAt)
}

function coverSheet(document: ReportDocument): Sheet {
  const { title, organization, project, days, range, createdAt } = document
  const rows: SheetRow[] = [
    { cells: [title], isHead: true },
    { cells: ['Days', days] },
    ...(range.compare ? [{ cells: ['Compared with', `${range.compare.from} to ${range.compare.to}`] }] : []),
    { cells: ['Organization', organization] },
    { cells: ['Project', project] },
    { cells: ['Made on', createdAt.toISOString().slice(0, 10)] },
    ...introOf(document).map((text) => ({ cells: [text] })),
  ]
  return { name: 'Report', rows, frozen: 0 }
}

function sheetOf(block: DocumentBlock): Sheet | null {
  const tables = tablesOf(block)
  if (tables.length === 0) return null
  const rows = tables.flatMap(({ title, columns, rows: body, foot = [] }, i): SheetRow[] => {
    const units = columns.map(({ unit }) => unit)
    return [
      ...(tables.length > 1 ? [...(i > 0 ? [{ cells: [] }] : []), { cells: [title], isHead: true }] : []),
      { cells: columns.map((column) => column.title), isHead: true },
      ...body.map((cells) => ({ cells, units })),
      ...(foot.length > 0 ? [{ cells: [] }, ...foot.map((cells) => ({ cells, units }))] : []),
    ]
  })
  const said = [...(block.about === null ? [] : [block.about]), ...block.notes]
  const notes = said.length === 0 ? [] : [{ cells: [] }, ...said.map((text) => ({ cells: [text] }))]
  return { name: block.heading ?? block.kind, rows: [...rows, ...notes], frozen: tables.length === 1 ? 1 : 0 }
}

async function zipped(files: ReadonlyMap<string, string>, mtime: Date): Promise<Buffer> {
  const zip = new ZipFile()
  for (const [name, text] of files) zip.addBuffer(Buffer.from(text), name, { mtime })
  zip.end()
  const chunks: Buffer[] = []
  // a stream of bytes
  for await (const chunk of zip.outputStream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
