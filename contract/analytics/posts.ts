import { z } from 'zod'
import { Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { LabelColor } from '../labels.ts'
import { PlatformKey, PostType } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { AsOf, InsightsRange, insightsQuery } from './filter.ts'
import { FigureKey } from './names.ts'
import { PostMediaKind } from './worked.ts'

/*
 * The post table: every post of a range, published from here or elsewhere, with its latest figures; and one post since it was
 * published.
 */

const POST_TABLE_PAGE = 50
const POST_TABLE_MOST_COLUMNS = 40

/**
 * The post table's query. `sort` is `publishedAt` or a figure's name; posts without that figure come last, newest first.
 * Posts of platforms whose terms forbid rankings come with them, unless the filter only leaves that platform.
 */
const order = {
  sort: z.enum(['publishedAt', ...FigureKey.options]).default('publishedAt'),
  order: z.enum(['asc', 'desc']).default('desc'),
  /** The figures to return, of all that were read; all of them by default. */
  columns: listOf(FigureKey)
    .pipe(z.array(FigureKey).max(POST_TABLE_MOST_COLUMNS, `Choose at most ${POST_TABLE_MOST_COLUMNS} columns`))
    .optional(),
}
const PostTableQuery = insightsQuery({
  ...order,
  /** `next` of the page before. Only valid with the same filters, sort and order. */
  cursor: z
    .string()
    .regex(/^[\w-]{1,200}$/, 'Not the cursor of a page')
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(POST_TABLE_PAGE),
})

/** Whether a post was published from here, or in the platform's own app or with another tool. */
export const PostOrigin = z.enum(['here', 'elsewhere'])

export const PostTableRow = z.object({
  /** Of a post that was published elsewhere: only the calls of the insights know it. */
  postId: Id,
  origin: PostOrigin,
  channelId: Id,
  postType: PostType,
  /** Only known of posts that were published from here. */
  media: PostMediaKind.nullable(),
  publishedAt: Instant,
  excerpt: z.string(),
  /** A small picture; null if it has none, and, of a post that was published from here, if the role can't view posts. */
  thumbnailUrl: z.string().nullable(),
  permalink: z.string().nullable(),
  /** When the platform no longer had the post; null as far as we know it's there. Its figures stay. */
  goneAt: Instant.nullable(),
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

export const insightsPosts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/posts',
  summary: 'List published posts with their latest figures, sorted by any of them. Free: the last 7 days',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: PostTableQuery,
  reply: PostTable,
  errors: ['PLAN_LIMIT', 'BAD_INPUT'],
  audit: null,
})
export const insightsPostsCsv = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/posts.csv',
  summary: 'Export all published posts of the table as CSV (streamed)',
  access: can('insights', 'view'),
  cost: 'export',
  reads: [],
  params: ProjectParams,
  query: insightsQuery(order),
  reply: 'bytes',
  errors: ['PLAN_LIMIT'],
  audit: null,
})

/** A figure of all posts of the table together. */
export const PostMedian = z.object({
  name: FigureKey,
  /** How many posts have it. */
  posts: z.int(),
  /** Of the posts that have it; between the two in the middle, if they're an even number. */
  median: z.number(),
  /** The sum, of what can be added up; of `engagementRate`, all engagements divided by all views. Else null. */
  total: z.number().nullable(),
})
export type PostMedian = z.infer<typeof PostMedian>
/** Of more posts, medians would take seconds. */
export const MEDIANS_MOST_POSTS = 50_000
export const insightsPostMedians = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/posts/medians',
  summary: 'Get the medians and totals of the post table. Free: the last 7 days',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: insightsQuery({ columns: order.columns }),
  reply: z.object({
    /** Only figures that a post has; null for more than 50,000 posts. */
    medians: z.array(PostMedian).nullable(),
    /** Platforms whose posts are in none of them, because their terms forbid it. */
    without: z.array(PlatformKey),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

/** One post's figures since it was published. */
export const PostInsights = z.object({
  postId: Id,
  origin: PostOrigin,
  channelId: Id,
  platformName: PlatformKey,
  postType: PostType,
  /** Only known of posts that were published from here. */
  media: PostMediaKind.nullable(),
  publishedAt: Instant,
  excerpt: z.string(),
  thumbnailUrl: z.string().nullable(),
  permalink: z.string().nullable(),
  goneAt: Instant.nullable(),
  /** Each kept reading, oldest first: the figures since publishing, and what was gained since the reading before. */
  readings: z.array(
    z.object({
      readAt: Instant,
      figures: z.partialRecord(FigureKey, z.number()),
      gains: z.partialRecord(FigureKey, z.number()),
    }),
  ),
  /** The latest, with `engagements` and `engagementRate`; null before the first reading and without clicks that we counted. */
  figures: z.partialRecord(FigureKey, z.number()).nullable(),
  /** Whether the platform's terms allow comparing it with others and working out totals and rates. */
  compares: z.boolean(),
  /** What it had at the ages that it has reached; averages and shares aren't in it. */
  curve: z.object({
    /** Hours since it was published. */
    ages: z.array(z.number()),
    figures: z.array(
      z.object({
        name: FigureKey,
        /** One per age; null where it isn't known. */
        values: z.array(z.number().nullable()),
        /**
         * The median of the other posts at each age, if at least half of them and at least 3 are known at it: of a few only, the
         * line would follow which ones these are. Null if the platform's terms forbid it.
         */
        medians: z.array(z.number().nullable()).nullable(),
        /** How many other posts are known at each age. */
        known: z.array(z.int()).nullable(),
      }),
    ),
    /** How many posts of the same channel and type there are to compare with, at most 50; null like `medians`. */
    others: z.int().nullable(),
  }),
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
export const insightsPost = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/post/:postId',
  summary: "Get a published post's figures since it was published, its conversations and its promotion",
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['post', 'conversation'],
  params: ProjectParams.extend({ postId: Id }),
  reply: PostInsights,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})

/** So many posts a project can have read again in a day on platforms that charge for it. */
export const PAID_READINGS_A_DAY = 20

export const insightsReadPost = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/insights/post/:postId/read',
  summary: `Read the figures of a post again that is too old to be read by itself, at most once a day. Where the platform charges for it, it needs insights: create, and a project can ask for ${PAID_READINGS_A_DAY} a day`,
  access: can('insights', 'view'),
  cost: 'light',
  changes: [],
  params: ProjectParams.extend({ postId: Id }),
  /** When its figures are read next; null if they aren't: the last reading is too new, or the platform no longer has the post. */
  reply: z.object({ nextReadAt: Instant.nullable() }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED'],
  audit: { none: 'only when figures are read again' },
})
