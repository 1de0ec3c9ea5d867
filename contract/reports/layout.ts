/*
 * Where the blocks of a report stand: side by side in a grid of six columns, in their order. The editor, the PDF and the shared page
 * use the same rows.
 */

export const COLUMNS = 6
/** A third, half, two thirds, or all of the page's width, in columns. */
export const blockWidths = [2, 3, 4, 6] as const
export type BlockWidth = (typeof blockWidths)[number]

/** `by` is that of figures: with a row per channel or platform they're a table. */
type Sized = { kind: string; width: BlockWidth; by?: string }

/** Kinds that always have the page's whole width: on less, nobody could read them. */
const WHOLE: ReadonlySet<string> = new Set(['cover', 'postTable', 'topPosts', 'campaigns', 'competitors', 'pageBreak'])
export const isWhole = (kind: string): boolean => WHOLE.has(kind)
/** Whether the block has the page's whole width, whatever its own is: because of its kind, or as a table of figures. */
export const takesWhole = ({ kind, by = 'total' }: Omit<Sized, 'width'>): boolean =>
  isWhole(kind) || (kind === 'figures' && by !== 'total')
export const widthOf = (block: Sized): BlockWidth => (takesWhole(block) ? COLUMNS : block.width)

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
