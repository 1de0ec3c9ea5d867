import type { ReportDocument } from '../document.ts'

/** The figures of a report as a workbook (XLSX): a sheet per block that has some. */
export function workbookOf(document: ReportDocument): Promise<Buffer> {
  return Promise.reject(new Error(`not built yet: the workbook of ${document.title}`))
}
