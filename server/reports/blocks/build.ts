import { spanText } from '#contract/days.ts'
import type { ReportBlock, ReportContent } from '#contract/reports/content.ts'
import { widthOf } from '#contract/reports/layout.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { DocumentBlock, ReportDocument } from '../document.ts'
import type { Built } from './block.ts'
import { readBio } from './bio.ts'
import { readCampaigns } from './campaigns.ts'
import { readChart } from './chart.ts'
import { readCompetitors } from './competitors.ts'
import { readFigures } from './figures.ts'
import { readFiltered } from './filtered.ts'
import { readInbox } from './inbox.ts'
import { readNotFinal } from './notFinal.ts'
import { openPictures, type ReadPictures, type WantedPicture } from './pictures.ts'
import { readPostRows } from './posts.ts'
import { openReading, type ReadDeps, type Reading, type ReportReader } from './reading.ts'
import { aiTextOf, coverOf, textOf } from './texts.ts'
import { fitting } from './room.ts'
import { readTopPosts } from './topPosts.ts'

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

/** A document without its pictures, and which ones it has. */
export type ReadReport = { document: ReportDocument; orgId: string; pictures: readonly WantedPicture[] }

/**
 * Reads everything that a report shows, for one reader: with the insights' own verbs, so that each figure is the one that the
 * screens show. Throws PLAN_LIMIT on plans without analytics.
 */
async function readDocument(c: ReportReader, source: ReportSource, deps: ReadDeps): Promise<ReadReport> {
  const reading = await openReading(c, source, deps)
  const { content, range } = reading
  const filtered = await readFiltered(reading)
  const blocks: DocumentBlock[] = []
  const pictures: WantedPicture[] = []
  const asFarAsItFits = fitting()
  for (const block of content.blocks) {
    const {
      about = null,
      wanted = [],
      ...built
    }: Built = await asFarAsItFits(block.kind, () => readBlock(reading, block, { source, filtered }))
    const { blockId, kind } = block
    const hasNone = kind === 'cover' || kind === 'pageBreak'
    const heading = hasNone ? null : block.heading || built.heading
    pictures.push(...wanted)
    blocks.push({ blockId, kind, width: widthOf(block), ...built, heading, about })
  }
  const document: ReportDocument = {
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
  return { document, orgId: c.org.orgId, pictures }
}

/** Adds the pictures that could be had, outside of any transaction. Never throws: posts whose picture is missing have none. */
async function withPictures({ document, orgId, pictures }: ReadReport, read: ReadPictures): Promise<ReportDocument> {
  const found = await read(orgId, pictures)
  const has = (key: string | null) => (key !== null && found.has(key) ? key : null)
  return {
    ...document,
    blocks: document.blocks.map((block) => ({
      ...block,
      parts: block.parts.map((part) =>
        part.kind === 'posts'
          ? { ...part, posts: part.posts.map((post) => ({ ...post, picture: has(post.picture) })) }
          : part,
      ),
    })),
    pictures: new Map([...document.pictures, ...found]),
  }
}

/** How documents are made here: everything but the pictures is read in a transaction, and these after it. */
export function documentBuilder(deps: Pick<Dependencies, 'env' | 'databases' | 'fetch' | 'media' | 'clock'>) {
  const pictures = openPictures(deps)
  const accepted = deps.env.analyticsTerms
  return {
    read: (c: ReportReader, source: ReportSource): Promise<ReadReport> => readDocument(c, source, { accepted }),
    withPictures: (read: ReadReport): Promise<ReportDocument> => withPictures(read, pictures),
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
      return await readPostRows(reading, block)
    case 'topPosts':
      return await readTopPosts(reading, block)
    case 'inbox':
      return await readInbox(reading)
    case 'campaigns':
      return await readCampaigns(reading, block)
    case 'competitors':
      return await readCompetitors(reading, block)
    case 'bio':
      return await readBio(reading, block)
    case 'pageBreak':
    default:
      return { heading: null, parts: [], notes: [] }
  }
}
