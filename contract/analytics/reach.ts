import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { AsOf, ComparedFigure, InsightsRange, insightsQuery } from './filter.ts'
import { MissingReason } from './overview.ts'

/*
 * How many different people a channel reached in several days, as its platform counts them together. People can't be added up: not
 * over days, because someone who comes back would count again, and not over channels, because someone may see two of them.
 */

const Span = z.object({ from: z.iso.date(), to: z.iso.date() })

/** The newest days of that length that are final and end with the range or up to a week before it. */
const ChannelReach = Span.extend({
  channelId: Id,
  /** Compared with `before`, as many days: as long before as the days compared are before the range. */
  figure: ComparedFigure,
  before: Span.nullable(),
})
export type ChannelReach = z.infer<typeof ChannelReach>

export const InsightsReach = z.object({
  range: InsightsRange,
  /** The days that the platform counts together: as many as the range has. Null if it counts none of that length: then nothing follows. */
  days: z.int().nullable(),
  /** Channels with a value; never their sum. */
  channels: z.array(ChannelReach),
  /** Channels whose platform counts it and that have none, and since when it's read of them: the last day of the first value. */
  missing: z.array(z.object({ channelId: Id, reason: MissingReason, since: z.iso.date().nullable() })),
  asOf: AsOf,
})
export type InsightsReach = z.infer<typeof InsightsReach>

export const insightsReach = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/reach',
  summary: 'Get how many different people each channel reached in 7 or 28 days',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: insightsQuery({}),
  reply: InsightsReach,
  errors: ['PLAN_LIMIT'],
  audit: null,
})
