import { z } from 'zod'
import { PREVIEW_PAGES } from '#contract/reports/files.ts'
import { rowsOf } from '#contract/reports/layout.ts'
import { OutOfBounds, typesetPages } from '../../typesetting/typeset.ts'
import type { Part, ReportDocument } from '../document.ts'
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

/** Rows of tables that fill the pages of a preview: at least 14.4 points each, on pages of 700. */
const MOST_ROWS = PREVIEW_PAGES * 50

/** The pages of a report as pictures, as the PDF has them. */
export async function previewOf(document: ReportDocument, whose: string): Promise<Preview> {
  const pictures = await smallerPictures(document.pictures, whose)
  const set = (shown: ReportDocument, most: number, total: number | null) => {
    const { data, files } = printedOf(shown, pictures)
    return typesetPages(template, { data: { ...data, total }, files, most }, whose)
  }
  const drawn = async () => {
    const beginning = firstRows(document)
    const all = beginning === null ? await unlessTooLarge(() => set(document, PREVIEW_PAGES, null)) : undefined
    if (all) return all
    // what is never drawn is only counted: Typst draws all pages of a document or none
    const whole = await set(document, 0, null)
    const first = beginning ?? startedOn(document, whole.marks)
    return { ...whole, pages: (await set(first, PREVIEW_PAGES, whole.count)).pages }
  }
  const whole = await drawn()
  const started = new Map(whole.marks.map((mark) => Mark.parse(mark)).map(({ id, page }) => [id, page]))
  return {
    pages: whole.pages,
    pageCount: whole.count,
    blocks: document.blocks.map(({ blockId }) => ({ blockId, page: started.get(blockId) ?? null })),
    missing: whole.missing,
  }
}

/** Undefined where the document needs too much memory. */
async function unlessTooLarge<T>(make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make()
  } catch (error) {
    if (error instanceof OutOfBounds && error.bound === 'size') return undefined
    throw error
  }
}

/** A report's blocks up to the last one that starts on a preview's pages. */
function startedOn(document: ReportDocument, marks: readonly unknown[]): ReportDocument {
  const shown = new Set(
    marks
      .map((mark) => Mark.parse(mark))
      .filter(({ page }) => page <= PREVIEW_PAGES)
      .map(({ id }) => id),
  )
  const last = document.blocks.findLastIndex(({ blockId }) => shown.has(blockId))
  return { ...document, blocks: document.blocks.slice(0, last + 1) }
}

/** A report's blocks as far as they can be on a preview's pages; null if that's all of them. */
function firstRows(document: ReportDocument): ReportDocument | null {
  let rows = 0
  const kept = rowsOf(document.blocks).filter((blocks) => {
    const fits = rows < MOST_ROWS
    rows += Math.max(...blocks.map(({ parts }) => parts.reduce((sum, part) => sum + rowsIn(part), 0)))
    return fits
  })
  const blocks = kept.flat()
  return blocks.length === document.blocks.length ? null : { ...document, blocks }
}
const rowsIn = (part: Part): number => (part.kind === 'table' ? part.rows.length : 0)
