import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { InsightsFilter, InsightsRange } from './filter.ts'

/** On longer ranges, posts by day would cover the axis. */
export const EVENTS_MOST_DAYS = 92

/** What explains a peak: the posts of each day, and the campaigns. */
export const insightsEvents = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/events',
  summary: 'Get what charts mark on their axis: posts published on each day, and campaigns',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: InsightsFilter,
  reply: z.object({
    range: InsightsRange,
    /** Days with posts of the filter, in the project's zone; none for ranges of more than 92 days. */
    posts: z.array(z.object({ day: z.iso.date(), count: z.int().min(1) })),
    /** Campaigns with dates in the range and posts of the filter, whenever published; an open end is null. */
    campaigns: z.array(
      z.object({ campaignId: Id, name: z.string(), from: z.iso.date().nullable(), to: z.iso.date().nullable() }),
    ),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
