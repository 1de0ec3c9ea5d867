import type { ReportDocument } from '../document.ts'

/** Where a shared page's files are: paths of the same host. */
export type PageLinks = { pdfPath: string; picturePath: (key: string) => string }

/** A report as a page without scripts. `policy` is what its Content-Security-Policy header has to say. */
export function pageOf(document: ReportDocument, { pdfPath }: PageLinks): { html: string; policy: string } {
  throw new Error(`not built yet: the page of ${document.title} beside ${pdfPath}`)
}
