import { z } from 'zod'
import { Id, Instant, Pagination, ProjectParams, Zone } from './common.ts'
import { PAGE_SIZE } from './constants.ts'
import { can, endpoint } from './endpoint.ts'
import { StoredReason } from './failures/define.ts'
import { LabelColor, TaxonomyState } from './labels.ts'
import { PlatformKey, PostType } from './platforms/rules.ts'
import { PostState } from './postStates.ts'

export const PostParams = ProjectParams.extend({ postId: Id })

export const failureClasses = ['retry', 'reconnect', 'permanent', 'unknown', 'late', 'plan', 'paused'] as const
/**
 * Why a post wasn't published, as a code of `failures/catalog.ts`, and the one action that resolves it. The catalog
 * words both.
 */
export const PostFailure = StoredReason.extend({
  class: z.enum(failureClasses),
  action: z.enum(['retry', 'reconnect', 'edit', 'reschedule', 'upgrade', 'none']),
})
export type PostFailure = z.infer<typeof PostFailure>

/** How a post is named by the beginning of its text. */
export const excerptText = (excerpt: string): string => excerpt || 'A post without text'

export const PostChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  handle: z.string(),
  platformName: PlatformKey,
  profileUrl: z.string().nullable(),
  simulated: z.boolean(),
})

const PostAuthor = z.object({ userId: Id, name: z.string() })
const PostLabel = z.object({ labelId: Id, labelName: z.string(), color: LabelColor })
const PostCampaign = z.object({ campaignId: Id, name: z.string() })
/** Its position in the series that it was created in, from 0, and how many posts were created. */
const PostSeries = z.object({ seriesId: Id, index: z.int(), count: z.int() })

/** A post with the names of everything that belongs to it. */
export const PostRow = z.object({
  postId: Id,
  batchId: Id.nullable(),
  status: PostState,
  postType: PostType,
  /**
   * The due time of a scheduled post, the publishing time of a published one, the last change of a draft without a
   * time.
   */
  at: Instant,
  dueAt: Instant.nullable(),
  timezone: z.string(),
  /** The first 160 characters of the title, or of the text if there is none. */
  excerpt: z.string(),
  images: z.int(),
  channel: PostChannel.nullable(),
  /** The channels of a draft for several of them, in the chosen order; empty for every other post. */
  draftChannels: z.array(PostChannel),
  author: PostAuthor.nullable(),
  labels: z.array(PostLabel),
  campaigns: z.array(PostCampaign),
  series: PostSeries.nullable(),
  permalink: z.string().nullable(),
  failure: PostFailure.nullable(),
  /** The first version of its text was written by AI. */
  ai: z.boolean(),
  version: z.int(),
})
export type PostRow = z.infer<typeof PostRow>

/** What the calendar shows of a post. */
export type CalendarPost = Pick<
  PostRow,
  | 'postId'
  | 'status'
  | 'at'
  | 'dueAt'
  | 'timezone'
  | 'excerpt'
  | 'images'
  | 'version'
  | 'channel'
  | 'draftChannels'
  | 'series'
  | 'failure'
>

/** The name's index in its array next to the posts, from 0. */
const Place = z.int().nonnegative()

/**
 * A post in a list. Channels, people, labels and campaigns are listed once next to the posts and referred to here by
 * index. What a post doesn't have is left out. The calendar's views (a whole range with `view` month, week or list)
 * also leave out what they don't show: everything from `batchId` on.
 */
export const PostItem = z.object({
  postId: Id,
  status: PostState,
  /** Of published posts in the month: whole seconds. */
  at: Instant,
  /** Left out where it's the same as `at`, and for published posts in the month; null for a post without a time. */
  dueAt: Instant.nullable().optional(),
  /** Left out if it's the same as the list's. */
  timezone: z.string().optional(),
  /** The first 160 characters of the title, or of the text if there is none; 40 in the month. */
  excerpt: z.string(),
  channel: Place.optional(),
  /** The channels of a draft for several of them, in the chosen order. */
  draftChannels: z.array(Place).optional(),
  images: z.int().optional(),
  /** In the calendar only for posts with images. */
  version: z.int().optional(),
  series: PostSeries.optional(),
  failure: PostFailure.optional(),
  batchId: Id.optional(),
  /** Left out for a plain post. */
  postType: PostType.optional(),
  author: Place.optional(),
  labels: z.array(Place).optional(),
  campaigns: z.array(Place).optional(),
  permalink: z.string().optional(),
  /** The first version of its text was written by AI. */
  ai: z.literal(true).optional(),
})

/** Posts with the names of what they refer to, each once. */
export const NamedPosts = z.object({
  posts: z.array(PostItem),
  channels: z.array(PostChannel),
  people: z.array(PostAuthor),
  labels: z.array(PostLabel),
  campaigns: z.array(PostCampaign),
  /** The time zone of posts that don't name one. */
  timezone: z.string(),
})
export type NamedPosts = z.infer<typeof NamedPosts>

/** The posts of a list with their names joined to them. What a view left out is empty: see CalendarPost. */
export function rowsOf({ posts, channels, people, labels, campaigns, timezone }: NamedPosts): PostRow[] {
  return posts.map((item) => {
    const at = new Date(item.at).toISOString()
    return {
      batchId: null,
      postType: 'post',
      timezone,
      images: 0,
      series: null,
      permalink: null,
      failure: null,
      ai: false,
      version: 1,
      ...item,
      at,
      dueAt: item.dueAt === undefined ? at : item.dueAt && new Date(item.dueAt).toISOString(),
      channel: channels[item.channel ?? -1] ?? null,
      draftChannels: placed(channels, item.draftChannels),
      author: people[item.author ?? -1] ?? null,
      labels: placed(labels, item.labels),
      campaigns: placed(campaigns, item.campaigns),
    }
  })
}

const placed = <T>(names: readonly T[], places: readonly number[] = []): T[] =>
  places.flatMap((place) => names[place] ?? [])

/** A list in a URL, separated by commas. */
export const listOf = <T extends z.ZodType>(item: T) =>
  z.preprocess((value) => (typeof value === 'string' ? value.split(',').filter(Boolean) : value), z.array(item))

/**
 * Filters of lists and the calendar; with `from` and `to` the whole range is returned, at most 2,000 posts (`truncated`
 * says if there are more), or with `view=pages` page by page as without them.
 */
export const PostFilter = z.object({
  from: Instant.optional(),
  to: Instant.optional(),
  view: z.enum(['list', 'month', 'week', 'pages']).optional(),
  status: listOf(PostState).optional(),
  platform: listOf(PlatformKey).optional(),
  /** The same as `platform`. */
  platforms: listOf(PlatformKey).optional(),
  channelId: listOf(Id).optional(),
  /** The same as `channelId`. */
  channelIds: listOf(Id).optional(),
  author: listOf(Id).optional(),
  /** The same as `author`. */
  userIds: listOf(Id).optional(),
  /** Posts with any of these labels, or all of them, depending on `labelMatch`. */
  labels: listOf(Id).optional(),
  labelMatch: z.enum(['any', 'all']).default('any'),
  /** Posts in any of these campaigns. */
  campaign: listOf(Id).optional(),
  /** The same as `campaign`. */
  campaigns: listOf(Id).optional(),
  /** Posts that were submitted together. */
  batchId: Id.optional(),
  /** Who wrote the first version of the text. */
  origin: z.enum(['person', 'ai']).optional(),
  /** Posts whose text, title or image descriptions contain each of these words, or a word that begins with it. */
  q: z.string().trim().min(1).max(100).optional(),
  page: z.coerce.number().int().min(1).default(1),
  limit: z.coerce.number().int().min(1).max(300).default(PAGE_SIZE.default),
})
export const PostList = NamedPosts.extend({
  /** What the list is as of: `since` of its changes. */
  revision: z.string(),
  pagination: Pagination,
  /** The range has more than the 2,000 posts given here. */
  truncated: z.boolean(),
})
export type PostList = z.infer<typeof PostList>

/** What lists of posts are built from. */
export const listReads = ['post', 'channel', 'taxonomy', 'member'] as const
export const listPosts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post',
  summary: 'List posts with filters',
  access: can('post', 'view'),
  cost: 'list',
  reads: listReads,
  revisioned: 'posts',
  params: ProjectParams,
  query: PostFilter,
  reply: PostList,
  audit: null,
})
/** What changed in a list since a revision. */
export const PostChanges = NamedPosts.extend({
  revision: z.string(),
  /**
   * Too much changed, it was too long ago, or what the caller may see changed: read the list again. Nothing else is
   * returned then.
   */
  reset: z.boolean(),
  /** Changed posts that aren't in the list, or that the caller may not see. */
  gone: z.array(Id),
})
export type PostChanges = z.infer<typeof PostChanges>
export const listPostChanges = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/changes',
  summary: 'List the posts that changed since the revision of a list with the same filters, whatever their page',
  access: can('post', 'view'),
  cost: 'list',
  reads: listReads,
  params: ProjectParams,
  query: PostFilter.extend({
    /** The revision of the list, or of its last changes. */
    since: z.string().regex(/^\d{1,19}\.[0-9a-f]{8}\.\d{1,9}\.[\w-]{12}$/, 'Not the revision of a list'),
  }),
  reply: PostChanges,
  audit: null,
})
export const draftQuery = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/draft/query',
  summary: 'List drafts, newest first',
  access: can('post', 'view'),
  cost: 'list',
  reads: listReads,
  revisioned: 'posts',
  params: ProjectParams,
  query: PostFilter,
  reply: PostList,
  audit: null,
})
export const postStatistics = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/post/statistics',
  summary: 'Count posts by status, in total and by date',
  access: can('post', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: z.object({ from: Instant.optional(), to: Instant.optional(), timezone: Zone.optional() }),
  reply: z.object({
    total: z.partialRecord(PostState, z.int()),
    days: z.array(z.object({ date: z.string(), status: PostState, count: z.int() })),
  }),
  audit: null,
})
/** The people, channels and so on that lists can be filtered by. */
export const postFilters = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/filter',
  summary: 'List the authors, labels, campaigns and channels to filter by, including archived ones',
  access: can('post', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'member', 'taxonomy'],
  params: ProjectParams,
  reply: z.object({
    authors: z.array(PostAuthor),
    labels: z.array(PostLabel.extend({ state: TaxonomyState })),
    campaigns: z.array(PostCampaign.extend({ state: TaxonomyState })),
    channels: z.array(PostChannel),
  }),
  audit: null,
})
