import type { ReportBlock } from '#contract/reports/content.ts'
import type { DocumentBlock, Part } from '../document.ts'

/*
 * How much of figures fits into one report. What is beyond would take seconds of a node's only thread for each page and file, and more
 * memory than setting a PDF may have.
 */

/** So many values of charts; a cell of a table costs as much as three of them. Four tables of 500 posts, or ten charts of two years. */
const MOST = 100_000
const CELL = 3

const TOO_MUCH =
  'This block is left out, because the report has more figures than fit into one. Choose fewer days, rows or columns, or put it in a report of its own.'

/** What the parts of a block take of it. */
export const roomOf = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + roomOfPart(part), 0)

function roomOfPart(part: Part): number {
  if (part.kind === 'table') return CELL * part.columns.length * (part.rows.length + (part.foot?.length ?? 0))
  return part.kind === 'chart' ? part.data.series.reduce((sum, { values }) => sum + values.length, 0) : 0
}

/** Kinds that have no figures, and of those that have, the ones that are always small. */
const SMALL: ReadonlySet<ReportBlock['kind']> = new Set(['cover', 'text', 'ai', 'pageBreak', 'topPosts', 'inbox'])

/** Blocks as far as they fit: after the first that doesn't, only small ones are read. */
export function fitting() {
  let left = MOST
  return async <B extends Pick<DocumentBlock, 'heading' | 'parts' | 'notes'>>(
    kind: ReportBlock['kind'],
    read: () => Promise<B>,
  ): Promise<B | Pick<DocumentBlock, 'heading' | 'parts' | 'notes'>> => {
    if (SMALL.has(kind)) return await read()
    const found = left > 0 ? await read() : undefined
    left -= roomOf(found?.parts ?? [])
    if (found && left >= 0) return found
    left = 0
    return { heading: found?.heading ?? null, parts: [{ kind: 'nothing', text: TOO_MUCH }], notes: [] }
  }
}
