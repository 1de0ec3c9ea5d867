import { z } from 'zod'
import { Id, Instant } from '../common.ts'
import { LabelColor } from '../labels.ts'
import { PlatformKey, PostType } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { AsOf, InsightsRange, insightsQuery } from './filter.ts'
import { FigureKey } from './names.ts'

/* The post table: every published post of a range with its latest figures; and one post since it was published. */

export const POST_TABLE_PAGE = 50
const POST_TABLE_MOST_COLUMNS = 40

/**
 * The post table's query. `sort` is `publishedAt` or a figure's name; posts without that figure come last, newest first.
 * Posts of platforms whose terms forbid rankings come with them, unless the filter only leaves that platform.
 */
export const PostTableQuery = insightsQuery({
  sort: z.enum(['publishedAt', ...FigureKey.options]).default('publishedAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
  /** `next` of the page before. Only valid with the same filters, sort and order. */
  cursor: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'Not the cursor of a page')
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(POST_TABLE_PAGE),
  /** The figures to return, of all that were read; all of them by default. */
  columns: listOf(FigureKey)
    .pipe(z.array(FigureKey).max(POST_TABLE_MOST_COLUMNS, `Choose at most ${POST_TABLE_MOST_COLUMNS} columns`))
    .optional(),
})
export type PostTableQuery = z.infer<typeof PostTableQuery>

export const PostTableRow = z.object({
  postId: Id,
  channelId: Id,
  postType: PostType,
  publishedAt: Instant,
  excerpt: z.string(),
  thumbnailUrl: z.string().nullable(),
  permalink: z.string().nullable(),
  labelIds: z.array(Id),
  campaignIds: z.array(Id),
  /** What the platform told last, since publishing; what it doesn't tell is left out. `engagementRate` in percent. */
  figures: z.partialRecord(FigureKey, z.number()),
  /** Null before the first reading. */
  readAt: Instant.nullable(),
})
export type PostTableRow = z.infer<typeof PostTableRow>

export const PostTable = z.object({
  range: InsightsRange,
  posts: z.array(PostTableRow),
  /** The channels, labels and campaigns that the rows name. */
  channels: z.array(
    z.object({ channelId: Id, channelName: z.string(), platformName: PlatformKey, profileUrl: z.string().nullable() }),
  ),
  labels: z.array(z.object({ labelId: Id, labelName: z.string(), color: LabelColor })),
  campaigns: z.array(z.object({ campaignId: Id, name: z.string() })),
  /** How many posts match, on the first page only. */
  total: z.int().nullable(),
  /** The next page's cursor; null on the last one. */
  next: z.string().nullable(),
  asOf: AsOf,
})
export type PostTable = z.infer<typeof PostTable>

/** One post's figures since it was published. */
export const PostInsights = z.object({
  postId: Id,
  channelId: Id,
  platformName: PlatformKey,
  postType: PostType,
  publishedAt: Instant,
  excerpt: z.string(),
  permalink: z.string().nullable(),
  /** Each kept reading, oldest first: the figures since publishing, and what was gained since the reading before. */
  readings: z.array(
    z.object({
      readAt: Instant,
      figures: z.partialRecord(FigureKey, z.number()),
      gains: z.partialRecord(FigureKey, z.number()),
    }),
  ),
  /** The latest, with `engagements` and `engagementRate`; null before the first reading. */
  figures: z.partialRecord(FigureKey, z.number()).nullable(),
  /** Null if the caller's role doesn't show these conversations. */
  conversations: z.object({ count: z.int(), open: z.int() }).nullable(),
  boost: z
    .object({
      state: z.string(),
      currency: z.string(),
      minorUnits: z.int(),
      budget: z.int(),
      spent: z.int().nullable(),
      impressions: z.int().nullable(),
      reach: z.int().nullable(),
      endsAt: Instant.nullable(),
    })
    .nullable(),
  /** When the figures are read next; null if they no longer are. */
  nextReadAt: Instant.nullable(),
})
export type PostInsights = z.infer<typeof PostInsights>
