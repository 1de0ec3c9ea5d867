import { COLUMNS, takesWhole, widthOf, blockWidths, rowsOf, type BlockWidth } from '#contract/reports/layout.ts'
import type { ReportBlock } from '#contract/reports/content.ts'

/** Where a block is in the grid: its row, 0 first, and its first column, 1 first. */
export type Place = { row: number; column: number; width: BlockWidth }

/** The places of blocks, in their order. */
export const placesOf = (blocks: readonly ReportBlock[]): Place[] =>
  rowsOf(blocks).flatMap((row, at) => {
    let column = 1
    return row.map((block) => {
      const width = widthOf(block)
      const place = { row: at, column, width }
      column += width
      return place
    })
  })

/** The width that a block has if its right edge is dragged there, in parts of the whole grid. */
export function snapped(share: number): BlockWidth {
  const columns = share * COLUMNS
  return blockWidths.reduce((best, one) => (Math.abs(one - columns) < Math.abs(best - columns) ? one : best))
}

/** The next wider or narrower one; itself at the end. */
export function nextWidth(width: BlockWidth, by: 1 | -1): BlockWidth {
  return blockWidths[blockWidths.indexOf(width) + by] ?? width
}

export const canBeSized = (block: ReportBlock): boolean => !takesWhole(block)
