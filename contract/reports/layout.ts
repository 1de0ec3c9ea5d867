/*
 * Where the blocks of a report stand: side by side in a grid of six columns, in their order. The editor, the PDF and the shared page
 * use the same rows.
 */

export const COLUMNS = 6
/** A third, half, two thirds, or all of the page's width, in columns. */
export const blockWidths = [2, 3, 4, 6] as const
export type BlockWidth = (typeof blockWidths)[number]

type Sized = { kind: string; width: BlockWidth }

/** Kinds that always have the page's whole width: on less, nobody could read them. */
const WHOLE: ReadonlySet<string> = new Set(['cover', 'postTable', 'topPosts', 'campaigns', 'competitors', 'pageBreak'])
export const isWhole = (kind: string): boolean => WHOLE.has(kind)
export const widthOf = ({ kind, width }: Sized): BlockWidth => (isWhole(kind) ? COLUMNS : width)

/** The rows of blocks: each as many as fit side by side. */
export function rowsOf<B extends Sized>(blocks: readonly B[]): B[][] {
  const rows: B[][] = []
  let left = 0
  for (const block of blocks) {
    const width = widthOf(block)
    const row = rows.at(-1)
    if (row && width <= left) {
      row.push(block)
      left -= width
    } else {
      rows.push([block])
      left = COLUMNS - width
    }
  }
  return rows
}
