import { z } from 'zod'
import { Id, Instant, PageQuery, Pagination, ProjectParams } from './common.ts'
import { can, endpoint } from './endpoint.ts'
import { PlatformKey } from './platforms/rules.ts'
import { PostState } from './postStates.ts'

/* The dashboard's sections. Days are those of the project's zone. Every figure is of the channels that the caller reaches, and comes from rollups: `asOf` says how fresh. */

export const rangeTypes = ['today', 'seven', 'thirty'] as const
export const RangeType = z.enum(rangeTypes)
export type RangeType = z.infer<typeof RangeType>
const RangeQuery = z.object({ rangeType: RangeType.default('seven') })

/** The days that a range covers and those before it, as dates in the project's zone, both ends included. */
export const Range = z.object({ from: z.iso.date(), to: z.iso.date(), compareFrom: z.iso.date(), compareTo: z.iso.date() })

export const DashboardChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  platformName: PlatformKey,
  handle: z.string(),
  profileUrl: z.string().nullable(),
  status: z.string(),
  enabled: z.boolean(),
  simulated: z.boolean(),
  scheduledPosts: z.int(),
})
export const dashboardChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/channels',
  summary: 'Connected accounts, paginated',
  access: can('channel', 'view'),
  params: ProjectParams,
  query: PageQuery,
  reply: z.object({ channels: z.array(DashboardChannel), pagination: Pagination }),
  audit: null,
})
export const dashboardPostStatus = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/postStatus',
  summary: 'How many posts stand where',
  access: can('post', 'view'),
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({ range: Range, counts: z.array(z.object({ status: PostState, count: z.int(), before: z.int() })), asOf: Instant }),
  audit: null,
})
export const dashboardPostChart = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/postChart',
  summary: 'Publishing Behavior: posts published, failed and planned by day and by platform',
  access: can('post', 'view'),
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    days: z.array(z.object({ date: z.iso.date(), published: z.int(), failed: z.int(), scheduled: z.int() })),
    platforms: z.array(z.object({ platformName: PlatformKey, published: z.int(), before: z.int() })),
    asOf: Instant,
  }),
  audit: null,
})
const Change = z.object({ value: z.int(), before: z.int(), /** Percent with two decimals; null when there is nothing to compare with. */ changePercent: z.number().nullable() })
export const dashboardBrandEngagement = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/brandEngagement',
  summary: 'Brand Engagement: what people did with published posts, by day',
  access: can('insights', 'view'),
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({
    range: Range,
    totals: z.object({ impressions: Change, reactions: Change, comments: Change, shares: Change }),
    days: z.array(z.object({ date: z.iso.date(), impressions: z.int(), reactions: z.int(), comments: z.int(), shares: z.int() })),
    /** Posts whose figures were read in the range; 0 means that there is nothing to show yet. */
    posts: z.int(),
    asOf: Instant.nullable(),
  }),
  audit: null,
})
export const dashboardInboxStats = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/dashboard/inboxStats',
  summary: 'The inbox in figures; `available` is false while there is no inbox here',
  access: can('inbox', 'view'),
  params: ProjectParams,
  query: RangeQuery,
  reply: z.object({ range: Range, available: z.boolean(), received: z.int(), answered: z.int(), sentiment: z.object({ positive: z.int(), neutral: z.int(), negative: z.int() }), asOf: Instant.nullable() }),
  audit: null,
})
const DashboardPost = z.object({ postId: Id, aiPostId: Id.nullable(), text: z.string(), thumbnailUrl: z.string().nullable(), platformName: PlatformKey.nullable(), channelName: z.string().nullable(), status: PostState, at: Instant.nullable() })
const lists = { method: 'GET', access: can('post', 'view'), params: ProjectParams, reply: z.object({ posts: z.array(DashboardPost), pagination: Pagination }), audit: null } as const
export const dashboardPosts = endpoint({ ...lists, path: '/api/:orgId/project/:projectId/dashboard/posts', summary: 'Posts of one state, soonest or newest first', query: PageQuery.extend({ status: PostState.default('SCHEDULED') }) })
export const dashboardDraftPosts = endpoint({ ...lists, path: '/api/:orgId/project/:projectId/dashboard/draftPosts', summary: 'Drafts, and the first drafts that were written for the project', query: PageQuery.extend({ status: PostState.default('DRAFTS') }) })

