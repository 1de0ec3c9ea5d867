import * as calls from '#contract/reports/files.ts'
import { fail } from '../errors.ts'
import { handleBytes, handleDetached, type Bytes, type Route } from '../http/route.ts'
import { OutOfBounds } from '../typesetting/typeset.ts'
import { mustHaveGate } from '../plans/gates.ts'
import { seeReport, type Asker } from './access.ts'
import { fileHeaders, fileNameOf } from './downloads.ts'
import { csvOfBlock } from './files/csv.ts'
import { pdfOf } from './files/pdf.ts'
import { previewOf } from './files/preview.ts'
import { workbookOf } from './files/workbook.ts'
import { documentsOf } from './make.ts'

/** Previews and files of reports: read in one transaction, drawn after it. */
export function reportFileRoutes(deps: Parameters<typeof documentsOf>[0]): Route[] {
  const { make, read: readSource, withPictures } = documentsOf(deps)
  /** A saved report as the caller sees it, without pictures. Throws NOT_FOUND, PLAN_LIMIT. */
  const read = async (c: Asker, reportId: string) => {
    mustHaveGate(c, 'analytics')
    const { row, content } = await seeReport(c, reportId)
    return await readSource(c, { name: row.name, content })
  }
  return [
    handleDetached(calls.previewReport, async (c) => {
      mustHaveGate(c, 'analytics')
      const { reportName: name, content } = c.body
      const document = await make((fn) => c.inTenant(fn), { name, content })
      const { pages, pageCount, blocks, missing } = await withinBounds(() => previewOf(document, c.org.orgId))
      const notes = new Map(document.blocks.map((block) => [block.blockId, block.notes]))
      return {
        range: document.range,
        pageCount,
        pages,
        blocks: blocks.map(({ blockId, page }) => ({ blockId, page, notes: [...(notes.get(blockId) ?? [])] })),
        unshown: [...missing],
      }
    }),
    handleBytes(calls.reportPdf, async (c) => {
      const found = await read(c, c.params.reportId)
      return async () => {
        const document = await withPictures(found)
        const { pdf } = await withinBounds(() => pdfOf(document, c.org.orgId))
        return file(pdf, 'application/pdf', fileNameOf(document.title, document.range.to, 'pdf'))
      }
    }),
    handleBytes(calls.reportXlsx, async (c) => {
      const { document } = await read(c, c.params.reportId)
      return async () => file(await workbookOf(document), XLSX, fileNameOf(document.title, document.range.to, 'xlsx'))
    }),
    handleBytes(calls.reportBlockCsv, async (c) => {
      const { document } = await read(c, c.params.reportId)
      const place = document.blocks.findIndex(({ blockId }) => blockId === c.query.blockId)
      const block = document.blocks[place]
      if (!block) throw fail('NOT_FOUND')
      const name = `${document.title} ${block.heading ?? place + 1}`
      return file(Buffer.from(csvOfBlock(block)), 'text/csv; charset=utf-8', fileNameOf(name, document.range.to, 'csv'))
    }),
  ]
}

/** Says so where a document is beyond its bounds: that isn't a defect of ours, and trying again doesn't help. */
async function withinBounds<T>(make: () => Promise<T>): Promise<T> {
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof OutOfBounds)) throw error
    throw fail('LIMIT_EXCEEDED', {
      detail: 'This report has too much in it for a PDF. Nothing was lost. Choose fewer rows, days or blocks.',
    })
  }
}

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

const file = (bytes: Buffer, contentType: string, name: string): Bytes => ({
  bytes,
  contentType,
  length: bytes.length,
  headers: fileHeaders(name),
})
