import { z } from 'zod'
import { ComparedFigure } from './analytics/filter.ts'
import type { FigureKey } from './analytics/names.ts'
import { connectionStates } from './channels.ts'
import { Id, Instant, pageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PlatformKey } from './platforms/rules.ts'
import { listOf } from './postLists.ts'
import { PostState } from './postStates.ts'

/*
 * The dashboard's sections. Days are those of the project's zone. Every figure covers the caller's channels, and comes
 * from counts that are updated with each change: `asOf` says when it was true.
 */

export const rangeTypes = ['today', 'seven', 'thirty'] as const
export const RangeType = z.enum(rangeTypes)
export type RangeType = z.infer<typeof RangeType>
/** Days of each range, including today. */
export const rangeDays: Record<RangeType, number> = { today: 1, seven: 7, thirty: 30 }
const RangeQuery = z.object({ rangeType: RangeType.default('seven') })

/** A range's days and as many before it, as dates in the project's zone, inclusive. */
export const Range = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  compareFrom: z.iso.date(),
  compareTo: z.iso.date(),
})
export type Range = z.infer<typeof Range>

/**
 * What is compared: posts of the days that are over, and of as many from the start of the days before. Null if none of the range is
 * over: a part of a day isn't compared with a whole one.
 */
const OverDays = z.object({ count: z.int(), before: z.int() }).nullable()

export const DashboardChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  handle: z.string(),
  profileUrl: z.string().nullable(),
  status: z.enum(connectionStates),
  enabled: z.boolean(),
  simulated: z.boolean(),
  /**
   * Scheduled, queued and being published, as the tile Scheduled counts them. Posts waiting for approval don't count.
   * Null for roles that can't view posts.
   */
  scheduledPosts: z.int().nullable(),
})
export type DashboardChannel = z.infer<typeof DashboardChannel>
const ListQuery = pageQuery(10)
export const dashboardChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/channels',
  summary: 'List connected accounts (paginated)',
  access: can('channel', 'view'),
  cost: 'list',
  reads: ['channel', 'post', 'plan'],
  params: ProjectParams,
  query: ListQuery,
  reply: z.object({ channels: z.array(DashboardChannel), pagination: Pagination }),
  audit: null,
})

/** States in which a post waits for the engine or for someone: their number matters whatever the day. */
export const standingStates = [
  'DRAFTS',
  'NEEDS_APPROVAL',
  'REJECTED',
  'APPROVED',
  'SCHEDULED',
  'QUEUED',
  'PROCESSING',
  'UNCONFIRMED',
  'FAILED',
] as const satisfies readonly PostState[]
export const dashboardPostStatus = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/postStatus',
  summary: 'Count posts by status, without deleted ones',
  access: can('post', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    /** Posts whose day is in the range, and in the days before it. States without any are left out. */
    counts: z.array(z.object({ status: PostState, count: z.int(), before: z.int(), over: OverDays })),
    /** Posts that wait in a state, whatever their day. */
    standing: z.array(z.object({ status: PostState, count: z.int() })),
    asOf: Instant,
  }),
  audit: null,
})
export const dashboardPostChart = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/postChart',
  summary: 'Get Publishing Behavior: posts published, failed and planned by day and platform',
  access: can('post', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    /** Every day of the range, in order. */
    days: z.array(z.object({ date: z.iso.date(), published: z.int(), failed: z.int(), scheduled: z.int() })),
    /** Platforms with posts published in the range or in the days before it, the busiest first. */
    platforms: z.array(z.object({ platformName: PlatformKey, published: z.int(), before: z.int(), over: OverDays })),
    asOf: Instant,
  }),
  audit: null,
})

/** What Brand Engagement shows, of the figures of the insights. */
export const engagementFigures = [
  'viewsAndImpressions',
  'reactions',
  'comments',
  'shares',
] as const satisfies readonly FigureKey[]
export type EngagementFigure = (typeof engagementFigures)[number]
const ValueOfDay = z.int().nullable()
export const dashboardBrandEngagement = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/brandEngagement',
  summary: 'Get Brand Engagement: the same figures of these days as in the insights. Free: up to the last 7 days',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    totals: z.object({
      viewsAndImpressions: ComparedFigure,
      reactions: ComparedFigure,
      comments: ComparedFigure,
      shares: ComparedFigure,
    }),
    /** Every day of the range, in order; null where nothing was reported. A value is negative if reactions were taken back. */
    days: z.array(
      z.object({
        date: z.iso.date(),
        viewsAndImpressions: ValueOfDay,
        reactions: ValueOfDay,
        comments: ValueOfDay,
        shares: ValueOfDay,
      }),
    ),
    /** When the newest reading of the range was taken. */
    asOf: Instant.nullable(),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
export const dashboardInboxStats = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/inboxStats',
  summary: 'Count what was received and answered in the inbox, and conversations by sentiment',
  access: can('inbox', 'view'),
  cost: 'list',
  reads: ['conversation', 'channel'],
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    /** Received messages, comments, mentions and reviews of the range. */
    received: z.int(),
    /** Those that were followed by a reply. */
    answered: z.int(),
    /** Conversations with something received in the range whose sentiment is known. */
    sentiment: z.object({ positive: z.int(), neutral: z.int(), negative: z.int() }),
    /** The others, for which neither stars nor text gave a sentiment. */
    notJudged: z.int(),
    /** Platforms whose conversations are in neither, because their terms forbid adding up what is worked out. */
    apart: z.array(PlatformKey),
    asOf: Instant,
  }),
  audit: null,
})

/** `text` is the start of the post; `aiPostId` is set for a first draft written by AI. */
const DashboardPost = z.object({
  postId: Id,
  aiPostId: Id.nullable(),
  text: z.string(),
  thumbnailUrl: z.string().nullable(),
  platformName: PlatformKey.nullable(),
  channelName: z.string().nullable(),
  /** How many channels a draft is for; 1 for every other post. */
  channelCount: z.int(),
  status: PostState,
  at: Instant,
  /** Null if it has no time yet. */
  dueAt: Instant.nullable(),
})
const lists = {
  method: 'GET',
  access: can('post', 'view'),
  cost: 'list',
  params: ProjectParams,
  reply: z.object({ posts: z.array(DashboardPost), pagination: Pagination }),
  audit: null,
} as const
const Statuses = listOf(PostState).pipe(z.array(PostState).min(1))
export const dashboardPosts = endpoint({
  ...lists,
  reads: ['post', 'channel', 'taxonomy'],
  path: '/api/:orgId/project/:projectId/dashboard/posts',
  summary:
    'List posts by one or more comma-separated statuses. Upcoming posts come soonest first, all others newest first',
  query: ListQuery.extend({ status: Statuses.default(['SCHEDULED']) }),
})
export const dashboardDraftPosts = endpoint({
  ...lists,
  reads: ['post'],
  path: '/api/:orgId/project/:projectId/dashboard/draftPosts',
  summary: 'List drafts and the first drafts written for the project',
  query: ListQuery.extend({ status: Statuses.default(['DRAFTS']) }),
})
