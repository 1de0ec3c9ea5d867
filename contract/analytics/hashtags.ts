import { z } from 'zod'
import { Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { HASHTAG } from './filter.ts'

/*
 * Public posts of others by hashtag, read through a channel of the project whose platform lets apps do that: Instagram, of accounts that
 * are connected through Facebook (Instagram Platform, Hashtag Search). It tells what was posted and not who did, and nothing of it is
 * kept: each call reads it again.
 */

/** An account may ask for so many different hashtags in so many days; asking for one of them again doesn't count. */
export const MOST_HASHTAGS = 30
export const HASHTAG_DAYS = 7
/** So many posts of each list are read. */
export const HASHTAG_POSTS = 25

const Counts = z.object({
  /** Null where the account hides them. */
  likes: z.int().nullable(),
  comments: z.int().nullable(),
})

export const HashtagPost = Counts.extend({
  postId: z.string(),
  type: z.enum(['picture', 'video', 'carousel']),
  excerpt: z.string(),
  permalink: z.url().nullable(),
  publishedAt: Instant.nullable(),
})
export type HashtagPost = z.infer<typeof HashtagPost>

/** At most 25 posts, in the platform's order, and the median of the counts that they have; null where none has one. */
export const HashtagPosts = z.object({
  posts: z.array(HashtagPost),
  median: z.object({ likes: z.number().nullable(), comments: z.number().nullable() }),
})
export type HashtagPosts = z.infer<typeof HashtagPosts>

/**
 * Why there are no posts:
 * - `notPossible`: the channel's platform doesn't let apps search
 * - `signedOut`: the channel isn't connected
 * - `rights`: it isn't connected through Facebook, or the app has no permission
 * - `limit`: it may not ask for another hashtag yet
 * - `none`: the platform tells nothing of this hashtag: it doesn't exist, or is sensitive
 */
export const noHashtagReasons = ['notPossible', 'signedOut', 'rights', 'limit', 'none'] as const
export type NoHashtagReason = (typeof noHashtagReasons)[number]

export const insightsHashtags = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/hashtags',
  summary: `Get the posts of others with a hashtag, through a channel that may ask for ${MOST_HASHTAGS} hashtags in ${HASHTAG_DAYS} days. One that doesn't count yet needs insights: create`,
  access: can('insights', 'view'),
  cost: 'preview',
  reads: ['channel'],
  params: ProjectParams,
  query: z.object({
    channelId: Id,
    /** With or without the `#`, ignoring case. Without it, only what was used is told. */
    hashtag: z.string().trim().regex(HASHTAG, 'Not a hashtag').optional(),
  }),
  reply: z.object({
    /** The most popular posts, and those of the last 24 hours. */
    found: z.object({ hashtag: z.string(), top: HashtagPosts, recent: HashtagPosts }).nullable(),
    why: z.enum(noHashtagReasons).nullable(),
    used: z.object({
      /** Different hashtags that the channel asked for in the last 7 days, and from when each doesn't count any more; first the next one. */
      hashtags: z.array(z.object({ hashtag: z.string(), until: Instant })),
      most: z.int(),
    }),
  }),
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'FORBIDDEN', 'RATE_LIMITED', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE'],
  audit: null,
})
