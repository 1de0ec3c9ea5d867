import { z } from 'zod'
import { PREVIEW_PAGES } from '#contract/reports/files.ts'
import { typesetPages } from '../../typesetting/typeset.ts'
import type { ReportDocument } from '../document.ts'
import { template } from './pdf.ts'
import { printedOf } from './printed.ts'
import { smallerPictures } from './smallerPictures.ts'

export type Preview = {
  /** SVG of each page, at most PREVIEW_PAGES. */
  pages: string[]
  pageCount: number
  /** The page that each block starts on, 1 first; null if it has nothing to show. */
  blocks: { blockId: string; page: number | null }[]
  missing: readonly string[]
}

/** What the template says of each block. */
const Mark = z.object({ id: z.string(), page: z.int() })

/** The pages of a report as pictures, as the PDF has them. */
export async function previewOf(document: ReportDocument, whose: string): Promise<Preview> {
  const order = { ...printedOf(document, await smallerPictures(document.pictures, whose)), most: PREVIEW_PAGES }
  const { pages, count, marks, missing } = await typesetPages(template, order, whose)
  const started = new Map(marks.map((mark) => Mark.parse(mark)).map(({ id, page }) => [id, page]))
  return {
    pages,
    pageCount: count,
    blocks: document.blocks.map(({ blockId }) => ({ blockId, page: started.get(blockId) ?? null })),
    missing,
  }
}
