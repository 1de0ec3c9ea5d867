import { spanText } from '#contract/days.ts'
import type { ReportBlock, ReportContent } from '#contract/reports/content.ts'
import { widthOf } from '#contract/reports/layout.ts'
import type { DocumentBlock, ReportDocument } from '../document.ts'
import type { Built } from './block.ts'
import { readChart } from './chart.ts'
import { readFigures } from './figures.ts'
import { readFiltered } from './filtered.ts'
import { readNotFinal } from './notFinal.ts'
import { openReading, type ReadDeps, type Reading, type ReportReader } from './reading.ts'
import { aiTextOf, coverOf, textOf } from './texts.ts'

/** What a report is made from: its saved content, and how the organization's reports look. */
export type ReportSource = {
  name: string
  content: ReportContent
  /** The organization's name, and the project's. */
  organization: string
  project: string
  accent: string | null
  /** PNG. */
  logo: Uint8Array | null
  /** The day in the project's zone on which it's made, if that isn't today. */
  today?: string | undefined
}

/**
 * Reads everything that a report shows, for one reader: with the insights' own verbs, so that each figure is the one that the
 * screens show. Throws PLAN_LIMIT on plans without analytics.
 */
export async function readDocument(c: ReportReader, source: ReportSource, deps: ReadDeps): Promise<ReportDocument> {
  const reading = await openReading(c, source, deps)
  const { content, range } = reading
  const filtered = await readFiltered(reading)
  const blocks: DocumentBlock[] = []
  for (const block of content.blocks) {
    const { about = null, ...built } = await readBlock(reading, block, { source, filtered })
    const { blockId, kind } = block
    const hasNone = kind === 'cover' || kind === 'pageBreak'
    const heading = hasNone ? null : block.heading || built.heading
    blocks.push({ blockId, kind, width: widthOf(block), ...built, heading, about })
  }
  return {
    title: source.name,
    organization: source.organization,
    project: source.project,
    days: spanText(range),
    range,
    zone: c.project.zone,
    filtered,
    createdAt: c.now,
    notFinal: await readNotFinal(reading),
    accent: source.accent,
    blocks,
    pictures: new Map(source.logo ? [['logo', source.logo]] : []),
  }
}

type Given = { source: ReportSource; filtered: string | null }

async function readBlock(reading: Reading, block: ReportBlock, { source, filtered }: Given): Promise<Built> {
  const { range, c } = reading
  switch (block.kind) {
    case 'cover':
      return coverOf(block, { name: source.name, range, filtered, logo: source.logo !== null })
    case 'text':
      return textOf(block)
    case 'figures':
      return await readFigures(reading, block)
    case 'chart':
      return await readChart(reading, block)
    case 'ai':
      return aiTextOf(block, { range, channelIds: c.project.channelIds })
    case 'postTable':
    case 'topPosts':
    case 'inbox':
    case 'campaigns':
    case 'competitors':
    case 'bio':
    case 'pageBreak':
    default:
      return { heading: null, parts: [], notes: [] }
  }
}
