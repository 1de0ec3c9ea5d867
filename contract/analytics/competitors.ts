import { z } from 'zod'
import { Done, Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PostMetrics } from '../metrics.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { InsightsRange, insightsQuery } from './filter.ts'

/*
 * Accounts of others beside one's own. They're read once a day through one of the project's own channels, as far as each platform
 * lets apps do that (`competitors` in its file of the catalog).
 */

export const MOST_COMPETITORS = 20
/** So many of an account's newest posts are read each day. */
export const COMPETITOR_POSTS = 25
/** Nothing more is read after this many days in which no one opened the competitors. */
export const COMPETITORS_UNSEEN_DAYS = 30
/** How long a removed one can be brought back. */
export const RESTORE_MINUTES = 60

export const MOST_BEST_POSTS = 10

/**
 * How the last reading of an account ended:
 * - `waiting`: it hasn't been read yet
 * - `read`: with figures
 * - `late`: the platform couldn't be asked or refused; it's tried again
 * - `gone`: the platform doesn't have it any more, or not for apps
 * - `private`: it doesn't show its posts to the channel
 * - `rights`: no channel of the project has the permissions
 * - `signedOut`: no channel of its platform is connected
 */
export const competitorStates = ['waiting', 'read', 'late', 'gone', 'private', 'rights', 'signedOut'] as const
export const CompetitorState = z.enum(competitorStates)
export type CompetitorState = z.infer<typeof CompetitorState>

/** A figure of the range, and of the days compared; null where it isn't known. */
const Sides = z.object({ value: z.number().nullable(), before: z.number().nullable() })

/** One of the project's channels, or a competitor, with what both tell in the same way. */
export const ComparedAccount = z.object({
  /** Of the channel, or of the competitor. */
  id: Id,
  isOwn: z.boolean(),
  platformName: PlatformKey,
  name: z.string(),
  handle: z.string(),
  pictureUrl: z.string().nullable(),
  /** Where people see it on the platform. */
  profileUrl: z.string().nullable(),
  /** The last number of followers at or before the end of the range, and its day, at most 7 days before the end. */
  followers: Sides,
  followersDay: z.iso.date().nullable(),
  /** Followers at the end of the last day less those at the end of the day before the first one (`growth.ts`). */
  growth: Sides,
  /** The day that the growth is counted from, if it's later, because the followers before the range aren't known. */
  growthSince: z.iso.date().nullable(),
  /** The growth in percent of the followers before the first day. */
  growthPercent: Sides,
  /** Posts published in the range, as far as they're known. */
  posts: Sides,
  /** The same a week; null if less than half of the range is known, or less than 14 days. */
  postsPerWeek: Sides,
  /** The median of reactions, comments and shares of these posts, to date: only what the platform tells of everyone's posts. */
  medianEngagements: Sides,
  /** The same added up. */
  engagements: Sides,
  /** Days of the range of which the posts are known. */
  knownDays: z.int(),
  /** How it's read; null for channels. */
  reading: z
    .object({
      state: CompetitorState,
      /** The code of a refusal, worded by the web. */
      problem: z.string().nullable(),
      lastReadAt: Instant.nullable(),
      nextReadAt: Instant.nullable(),
      addedAt: Instant,
    })
    .nullable(),
})
export type ComparedAccount = z.infer<typeof ComparedAccount>

export const CompetitorPost = z.object({
  postId: z.string(),
  competitorId: Id,
  publishedAt: Instant,
  excerpt: z.string(),
  permalink: z.string().nullable(),
  /** To date, by the catalog's names. */
  figures: PostMetrics,
  /** Reactions, comments and shares together; null where terms forbid adding them up. */
  engagements: z.int().nullable(),
})
export type CompetitorPost = z.infer<typeof CompetitorPost>

const path = '/api/:orgId/project/:projectId/insights/competitors'
const CompetitorParams = ProjectParams.extend({ competitorId: Id })
/** A handle, or the address of a profile. */
const Query = z.string().trim().min(1, 'Enter a handle or a profile link').max(300, 'This is too long for a handle')

export const insightsCompetitors = endpoint({
  method: 'GET',
  path,
  summary: "Compare the project's channels with their competitors",
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel', 'competitor'],
  params: ProjectParams,
  query: insightsQuery({}),
  reply: z.object({
    range: InsightsRange,
    /** Own channels of platforms with competitors, then the competitors, in the order in which they were added. */
    accounts: z.array(ComparedAccount),
    /** Per platform, the competitors' posts of the range with the most engagements; of platforms in `apart`, the newest ones. */
    posts: z.array(CompetitorPost),
    /** Platforms of which nothing is worked out: no growth, median or order. */
    apart: z.array(PlatformKey),
    /** Platforms with a connected channel of the caller's role, through which competitors can be found. */
    connected: z.array(PlatformKey),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

export const insightsCompetitorSeries = endpoint({
  method: 'GET',
  path: `${path}/series`,
  summary: 'Get the followers of channels and competitors of a platform by day',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel', 'competitor'],
  params: ProjectParams,
  query: insightsQuery({ platform: PlatformKey }),
  reply: z.object({
    range: InsightsRange,
    days: z.array(z.iso.date()),
    /** A value per day; null where nothing was read: a gap, never 0. */
    series: z.array(z.object({ id: Id, isOwn: z.boolean(), values: z.array(z.number().nullable()) })),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

export const FoundCompetitor = z.object({
  platformName: PlatformKey,
  name: z.string(),
  handle: z.string(),
  pictureUrl: z.string().nullable(),
  profileUrl: z.string().nullable(),
  followers: z.int().nullable(),
  /** It's among the project's competitors already. */
  isAdded: z.boolean(),
})
export type FoundCompetitor = z.infer<typeof FoundCompetitor>

/** Why there's no account to add. */
export const notFoundReasons = ['gone', 'private', 'rights', 'signedOut', 'spending', 'notPossible'] as const

export const findCompetitor = endpoint({
  method: 'GET',
  path: `${path}/find`,
  summary:
    'Look up an account by its handle or the address of its profile, through a connected channel of its platform',
  access: can('insights', 'create'),
  cost: 'preview',
  reads: ['competitor', 'channel'],
  params: ProjectParams,
  query: z.object({ platform: PlatformKey, query: Query }),
  reply: z.object({
    account: FoundCompetitor.nullable(),
    /** Without an account: why. */
    why: z.enum(notFoundReasons).nullable(),
  }),
  errors: ['PLAN_LIMIT', 'CHANNEL_REFUSED', 'CHANNEL_UNREACHABLE'],
  audit: null,
})

export const addCompetitor = endpoint({
  method: 'POST',
  path,
  summary: `Add an account to the project's competitors, of which it has at most ${MOST_COMPETITORS}`,
  access: can('insights', 'create'),
  cost: 'preview',
  changes: ['competitor'],
  params: ProjectParams,
  body: z.object({ platform: PlatformKey, query: Query }),
  reply: Done.extend({ competitorId: Id }),
  errors: [
    'PLAN_LIMIT',
    'COMPETITOR_MISSING',
    'COMPETITOR_THERE',
    'COMPETITORS_FULL',
    'CHANNEL_REFUSED',
    'CHANNEL_UNREACHABLE',
  ],
  audit: { action: 'added', entity: 'competitor' },
})

export const removeCompetitor = endpoint({
  method: 'DELETE',
  path: `${path}/:competitorId`,
  summary: `Remove a competitor; its figures are deleted after ${RESTORE_MINUTES} minutes`,
  access: can('insights', 'delete'),
  cost: 'light',
  changes: ['competitor'],
  params: CompetitorParams,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: { action: 'removed', entity: 'competitor' },
})

export const restoreCompetitor = endpoint({
  method: 'POST',
  path: `${path}/:competitorId/restore`,
  summary: `Bring back a competitor within ${RESTORE_MINUTES} minutes of its removal`,
  access: can('insights', 'create'),
  cost: 'light',
  changes: ['competitor'],
  params: CompetitorParams,
  reply: Done,
  errors: ['PLAN_LIMIT', 'NOT_FOUND', 'COMPETITOR_THERE', 'COMPETITORS_FULL'],
  audit: { action: 'restored', entity: 'competitor' },
})

export const seeCompetitors = endpoint({
  method: 'POST',
  path: `${path}/seen`,
  summary: `Keep reading the competitors for ${COMPETITORS_UNSEEN_DAYS} more days, because someone looked at them`,
  access: can('insights', 'view'),
  cost: 'light',
  changes: [],
  params: ProjectParams,
  reply: Done,
  errors: ['PLAN_LIMIT'],
  audit: { none: 'it only says that someone looked' },
})
