import { typeset } from '../../typesetting/typeset.ts'
import type { ReportDocument } from '../document.ts'
import { printedOf } from './printed.ts'

export const template = new URL('report.typ', import.meta.url)

/** A report's PDF. `missing`: scripts and characters that no font here can show; the PDF names them. */
export type ReportPdf = { pdf: Buffer; pages: number; missing: readonly string[] }

/**
 * A report as a tagged PDF.
 *
 * @param whose the organization that waits for it (LIMIT_EXCEEDED when it waits for 20 others)
 */
export async function pdfOf(document: ReportDocument, whose: string): Promise<ReportPdf> {
  const order = { ...printedOf(document, document.pictures), createdAt: document.createdAt }
  const { pdf, count, missing } = await typeset(template, order, whose)
  return { pdf, pages: count, missing }
}
