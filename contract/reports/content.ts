import { z } from 'zod'
import { HASHTAG } from '../analytics/filter.ts'
import { FigureBase, FigureKey } from '../analytics/names.ts'
import { Day, Id } from '../common.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { blockWidths, COLUMNS } from './layout.ts'
import { REPORTS } from './limits.ts'
import { ReportDays } from './range.ts'

/* What a report consists of, as people save it: which days and channels, and blocks in their order. */

const Heading = z.string().trim().max(REPORTS.heading, `Use at most ${REPORTS.heading} characters`)
const Text = z.string().trim().max(REPORTS.text, `Use at most ${REPORTS.text} characters`)
const Channels = z.array(Id).min(1, 'Choose a channel').max(500, 'Too many channels').nullable().default(null)
const Platforms = z.array(PlatformKey).min(1, 'Choose a platform').nullable().default(null)
const Figures = z
  .array(FigureKey)
  .min(1, 'Choose a figure')
  .max(REPORTS.figures, `Choose at most ${REPORTS.figures} figures`)

/** What every block has. Its ID is the editor's, and its own for as long as the block exists. */
const common = {
  blockId: z.string().regex(/^[a-z0-9]{1,24}$/, 'Not the ID of a block'),
  /** In columns of the grid (layout.ts). */
  width: z.literal(blockWidths).default(COLUMNS),
  /** Above it, in place of the usual heading; empty: the usual one. */
  heading: Heading.default(''),
}
/** What narrows a block of figures down further than the report does. */
const narrowed = { ...common, channelIds: Channels, platforms: Platforms }

const chartHeights = ['s', 'm', 'l'] as const
const shapes = ['line', 'bars'] as const

const blockShapes = {
  /** The title page's content: the heading as title, logo, days, and a line such as whom it's for. */
  cover: z.object({ kind: z.literal('cover'), ...common, subtitle: Heading.default('') }),
  /** Paragraphs, separated by an empty line; lines that start with "- " are a list. */
  text: z.object({ kind: z.literal('text'), ...common, text: Text }),
  /** Figures with their change: as cards, or a row per channel or platform. */
  figures: z.object({
    kind: z.literal('figures'),
    ...narrowed,
    base: FigureBase,
    names: Figures,
    by: z.enum(['total', 'channel', 'platform']).default('total'),
  }),
  /** One figure by day. */
  chart: z.object({
    kind: z.literal('chart'),
    ...narrowed,
    base: FigureBase,
    name: FigureKey,
    by: z.enum(['total', 'channel', 'platform']).default('total'),
    /** Null: what suits it. */
    shape: z.enum(shapes).nullable().default(null),
    height: z.enum(chartHeights).default('m'),
  }),
  /** Published posts with their figures to date. */
  postTable: z.object({
    kind: z.literal('postTable'),
    ...narrowed,
    columns: z
      .array(FigureKey)
      .min(1, 'Choose a column')
      .max(REPORTS.columns, `Choose at most ${REPORTS.columns} columns`),
    sort: z.enum(['publishedAt', ...FigureKey.options]).default('publishedAt'),
    order: z.enum(['asc', 'desc']).default('desc'),
    rows: z.int().min(1).max(REPORTS.tableRows).default(50),
  }),
  /** The posts that have most of a figure, with their pictures. */
  topPosts: z.object({
    kind: z.literal('topPosts'),
    ...narrowed,
    by: FigureKey.default('engagements'),
    count: z.int().min(1).max(REPORTS.topPosts).default(6),
  }),
  /** What was received and answered, how it sounded, and how soon it was answered. */
  inbox: z.object({ kind: z.literal('inbox'), ...common }),
  /** Campaigns side by side; without IDs, those with the most posts. */
  campaigns: z.object({
    kind: z.literal('campaigns'),
    ...narrowed,
    ids: z.array(Id).max(20, 'Choose at most 20').nullable().default(null),
    names: Figures.max(6, 'Choose at most 6 figures'),
  }),
  /** Channels beside competitors of their platforms. */
  competitors: z.object({ kind: z.literal('competitors'), ...common, platforms: Platforms }),
  /** Views, visitors and clicks of a link in bio page. */
  bio: z.object({ kind: z.literal('bio'), ...common, pageId: Id }),
  /** A text that AI wrote from the figures. It's only shown to whom its channels are shown, and says which days it's about. */
  ai: z.object({
    kind: z.literal('ai'),
    ...common,
    text: Text.default(''),
    /** What it was written about: the server sets both when it writes; null before that. */
    about: z
      .object({ from: Day, to: Day, channelIds: z.array(Id).max(2000) })
      .nullable()
      .default(null),
    /** Whether a schedule's run has it written again for its own days, for one AI credit. */
    renew: z.boolean().default(false),
  }),
  pageBreak: z.object({ kind: z.literal('pageBreak'), ...common }),
} as const
export type BlockKind = keyof typeof blockShapes
// the keys of the object above
export const blockKinds = Object.keys(blockShapes) as BlockKind[]

export const ReportBlock = z.discriminatedUnion('kind', [
  blockShapes.cover,
  blockShapes.text,
  blockShapes.figures,
  blockShapes.chart,
  blockShapes.postTable,
  blockShapes.topPosts,
  blockShapes.inbox,
  blockShapes.campaigns,
  blockShapes.competitors,
  blockShapes.bio,
  blockShapes.ai,
  blockShapes.pageBreak,
])
export type ReportBlock = z.infer<typeof ReportBlock>
export type BlockOf<K extends BlockKind> = Extract<ReportBlock, { kind: K }>

export const ReportContent = z
  .object({
    days: ReportDays,
    channelIds: Channels,
    platforms: Platforms,
    campaignId: Id.nullable().default(null),
    labelId: Id.nullable().default(null),
    hashtag: z.string().trim().regex(HASHTAG, 'Not a hashtag').nullable().default(null),
    blocks: z.array(ReportBlock).max(REPORTS.blocks, `A report has at most ${REPORTS.blocks} blocks`),
  })
  .superRefine(({ blocks }, context) => {
    if (new Set(blocks.map(({ blockId }) => blockId)).size < blocks.length)
      context.addIssue({ code: 'custom', path: ['blocks'], message: 'Two blocks have the same ID' })
  })
export type ReportContent = z.infer<typeof ReportContent>

/** The channels that a report or one of its blocks names: people whose role lacks one of them don't find it. */
export const channelsNamed = ({ channelIds, blocks }: ReportContent): string[] => [
  ...new Set([
    ...(channelIds ?? []),
    ...blocks.flatMap((block) => ('channelIds' in block ? (block.channelIds ?? []) : [])),
  ]),
]
