import type { ReportDocument } from '../document.ts'

export type Preview = {
  /** SVG of each page, at most PREVIEW_PAGES. */
  pages: string[]
  pageCount: number
  /** The page that each block starts on, 1 first; null if it has nothing to show. */
  blocks: { blockId: string; page: number | null }[]
  missing: readonly string[]
}

/** The pages of a report as pictures, as the PDF has them. */
export function previewOf(document: ReportDocument, whose: string): Promise<Preview> {
  return Promise.reject(new Error(`not built yet: the preview of ${document.title} for ${whose}`))
}
