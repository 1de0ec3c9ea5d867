import type { DocumentBlock } from '../document.ts'

/** The figures of a block as CSV; empty if it has none. */
export function csvOfBlock({ blockId }: DocumentBlock): string {
  throw new Error(`not built yet: CSV of ${blockId}`)
}
