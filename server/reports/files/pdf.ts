import type { ReportDocument } from '../document.ts'

/** A report's PDF. `missing`: scripts and characters that no font here can show; the PDF names them. */
export type ReportPdf = { pdf: Buffer; pages: number; missing: readonly string[] }

/**
 * A report as a tagged PDF.
 *
 * @param whose the organization that waits for it (LIMIT_EXCEEDED when it waits for 20 others)
 */
export function pdfOf(document: ReportDocument, whose: string): Promise<ReportPdf> {
  return Promise.reject(new Error(`not built yet: the PDF of ${document.title} for ${whose}`))
}
