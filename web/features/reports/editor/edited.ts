import type { ReportBlock, ReportContent } from '#contract/reports/content.ts'
import type { Report } from '#contract/reports/reports.ts'

/** Everything of a report that's saved together. */
export type EditedReport = { reportName: string; content: ReportContent }
export type ContentPart = Omit<ReportContent, 'blocks'>

export const editedOf = ({ reportName, content }: Report): EditedReport => ({ reportName, content })

export const blockOf = ({ content }: EditedReport, blockId: string | undefined): ReportBlock | undefined =>
  content.blocks.find((block) => block.blockId === blockId)

const partWords = {
  name: 'name',
  days: 'days',
  filters: 'filters',
  blocks: 'blocks',
} as const
export type Part = keyof typeof partWords
// the keys of the object above
const parts = Object.keys(partWords) as Part[]

/** What differs between two states of a report. */
export const differences = (one: EditedReport, other: EditedReport): Part[] =>
  one === other ? [] : parts.filter((part) => textOf(one, part) !== textOf(other, part))

/** "name, blocks" */
export const wordsOf = (changed: readonly Part[]): string => changed.map((part) => partWords[part]).join(', ')

/** A part as text, by which states are compared. The order of keys isn't part of it. */
function textOf({ reportName, content }: EditedReport, part: Part): string {
  const { days, blocks, ...filters } = content
  switch (part) {
    case 'name':
      return reportName.trim()
    case 'days':
      return sorted(days)
    case 'blocks':
      return sorted(blocks)
    case 'filters':
    default:
      return sorted(filters)
  }
}

const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'string'
      ? part.trim()
      : part !== null && typeof part === 'object' && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
  )
