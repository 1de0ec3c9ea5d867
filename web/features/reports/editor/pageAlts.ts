import type { ReportBlock } from '#contract/reports/content.ts'
import { kindWords } from './blockWords.ts'
import type { Drawn } from './usePreview.ts'

/** What is on each page, for people who don't see it: "Page 2 of 3: Chart, Top posts". A block is named on the page it starts on. */
export function pageAlts(
  { pages, pageCount, blocks }: Pick<Drawn, 'pages' | 'pageCount' | 'blocks'>,
  edited: readonly ReportBlock[],
): string[] {
  const byId = new Map(edited.map((block) => [block.blockId, block]))
  return pages.map((_, i) => {
    const names = blocks
      .filter(({ page }) => page === i + 1)
      .flatMap(({ blockId }) => {
        const block = byId.get(blockId)
        return block && block.kind !== 'pageBreak' ? [block.heading.trim() || kindWords[block.kind].name] : []
      })
    return `Page ${i + 1} of ${pageCount}${names.length > 0 ? `: ${names.join(', ')}` : ''}`
  })
}
