import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { LabelColor } from '../labels.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { AsOf, ComparedFigure, InsightsRange, insightsQuery } from './filter.ts'
import { FigureKey, FigureKeys } from './names.ts'
import { MissingReason } from './overview.ts'

/* Campaign Insights: campaigns, or labels, side by side, from the latest figures of their posts published in the range. */

export const MOST_COMPARED = 20
/** The campaigns or labels to compare; without `ids`, the ones with the most posts in the range. */
const ComparedQuery = insightsQuery({
  ids: listOf(Id)
    .pipe(z.array(Id).max(MOST_COMPARED, `Choose at most ${MOST_COMPARED}`))
    .optional(),
  /** Only these figures; all by default. */
  names: FigureKeys.optional(),
})

/** Channels of one platform whose posts of the group lack some figures, all for the same reason. */
const GroupMissing = z.object({
  platform: PlatformKey,
  reason: MissingReason,
  channels: z.int(),
  /** The channel, if it's only one. */
  channelId: Id.nullable(),
  names: z.array(FigureKey),
})
export type GroupMissing = z.infer<typeof GroupMissing>

export const ComparedGroup = z.object({
  id: Id,
  name: z.string(),
  color: LabelColor,
  posts: z.int(),
  postsBefore: z.int().nullable(),
  /** Sums of its posts' figures to date, and `engagementRate`; only what can be added. */
  figures: z.array(ComparedFigure),
  /** What its posts published in the range aren't in, and why: of the channels that published some. */
  missing: z.array(GroupMissing),
})
export type ComparedGroup = z.infer<typeof ComparedGroup>
export const ComparedGroups = z.object({ range: InsightsRange, groups: z.array(ComparedGroup), asOf: AsOf })
export type ComparedGroups = z.infer<typeof ComparedGroups>

const compared = {
  method: 'GET',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: ComparedQuery,
  reply: ComparedGroups,
  errors: ['PLAN_LIMIT'],
  audit: null,
} as const
export const insightsCampaigns = endpoint({
  ...compared,
  path: '/api/:orgId/project/:projectId/insights/campaigns',
  summary: 'Compare campaigns by the latest figures of their posts published in the range',
})
export const insightsLabels = endpoint({
  ...compared,
  path: '/api/:orgId/project/:projectId/insights/labels',
  summary: 'Compare labels by the latest figures of their posts published in the range',
})
