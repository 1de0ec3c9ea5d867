import { z } from 'zod'
import { connectionStates } from '../channels.ts'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { AsOf, ComparedFigure, InsightsFilter, InsightsRange, insightsQuery } from './filter.ts'
import { FigureKey, FigureSubject } from './names.ts'

/*
 * Insights over a range: totals with their change, lines by day, and one row per channel. Figures of posts are what posts
 * gained in the range, by day of the reading, as Brand Engagement counts. Figures of channels are the platform's own days:
 * they add up, or their last value of the range counts (followers). What counts each person once, such as reach, is never
 * added: it has no total.
 */

/**
 * Why a channel is missing from a figure:
 * - `notReported`: its platform has no such figure
 * - `notReadYet`: nothing was read in the range
 * - `rightsMissing`: a permission is missing that reconnecting asks for
 * - `termsForbid`: the platform's terms forbid adding it to others'
 * - `tooFewFollowers`: the platform only tells it to accounts with more followers
 * - `disconnected`: the channel is signed out, so nothing new is read
 */
export const missingReasons = [
  'notReported',
  'notReadYet',
  'rightsMissing',
  'termsForbid',
  'tooFewFollowers',
  'disconnected',
] as const
export const MissingReason = z.enum(missingReasons)
export type MissingReason = z.infer<typeof MissingReason>

/** A total of everything that may be added. There's one for each figure that a platform of the filter reports. */
export const InsightsCard = ComparedFigure.extend({
  /** Platforms whose figures are in the value, with their own term. */
  holds: z.array(z.object({ platform: PlatformKey, term: z.string() })),
  /** Channels of the filter that aren't in it. */
  missing: z.array(z.object({ channelId: Id, reason: MissingReason })),
})
export type InsightsCard = z.infer<typeof InsightsCard>

export const insightsSummary = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/summary',
  summary: 'Get the totals of a range with their change',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: InsightsFilter,
  reply: z.object({
    range: InsightsRange,
    asOf: AsOf,
    cards: z.array(InsightsCard),
    /** Figures of platforms whose terms forbid adding them to others', under the platform's own names. */
    apart: z.array(z.object({ platform: PlatformKey, figures: z.array(ComparedFigure) })),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

/** A day on which a platform changed how it counts a figure; `note` is the code of the explanation. */
export const InsightsBreak = z.object({
  date: z.iso.date(),
  platform: PlatformKey,
  subject: FigureSubject,
  figure: FigureKey,
  note: z.string(),
})
export type InsightsBreak = z.infer<typeof InsightsBreak>

const SERIES_MOST_NAMES = 12
/**
 * Figures by day. `by` channel or platform gives a line each, with the channel's id or the platform's key as `key`;
 * `total` is one line of all that may be added. What can't be added (reach, averages) only has lines of channels.
 */
export const SeriesQuery = insightsQuery({
  subject: FigureSubject.default('post'),
  names: listOf(FigureKey).pipe(
    z.array(FigureKey).min(1, 'Choose a figure').max(SERIES_MOST_NAMES, `Choose at most ${SERIES_MOST_NAMES} figures`),
  ),
  by: z.enum(['total', 'channel', 'platform']).default('total'),
})
export const insightsSeries = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/series',
  summary: 'Get figures by day',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: SeriesQuery,
  reply: z.object({
    range: InsightsRange,
    days: z.array(z.iso.date()),
    /** Each line has one value per day, in the order of `days`; null where nothing is told: a gap, never 0. */
    series: z.array(
      z.object({ key: z.string(), subject: FigureSubject, name: FigureKey, values: z.array(z.number().nullable()) }),
    ),
    breaks: z.array(InsightsBreak),
    asOf: AsOf,
  }),
  errors: ['PLAN_LIMIT', 'BAD_INPUT'],
  audit: null,
})

export const insightsSeriesCsv = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/series.csv',
  summary: 'Export figures by day as CSV with the same query',
  access: can('insights', 'view'),
  cost: 'export',
  reads: [],
  params: ProjectParams,
  query: SeriesQuery,
  reply: 'bytes',
  errors: ['PLAN_LIMIT', 'BAD_INPUT'],
  audit: null,
})

export const InsightsChannel = z.object({
  channelId: Id,
  channelName: z.string(),
  handle: z.string(),
  platformName: PlatformKey,
  profileUrl: z.string().nullable(),
  status: z.enum(connectionStates),
  simulated: z.boolean(),
  /** The channel was deleted; what it gained until then still counts. */
  deleted: z.boolean(),
  /** Its figures of the range, only those it has. */
  figures: z.array(ComparedFigure),
  asOf: AsOf,
})
export type InsightsChannel = z.infer<typeof InsightsChannel>
export const insightsChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/channels',
  summary: "Compare channels with each other, their own past and their platform's median",
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: InsightsFilter,
  reply: z.object({
    range: InsightsRange,
    channels: z.array(InsightsChannel),
    /**
     * The median of the range per platform and figure, of at least 3 channels that have it. Organization admins get it
     * over all channels of the organization, everyone else over the channels of their role in this project; the filter
     * for channels doesn't narrow it. None for platforms whose terms forbid comparing.
     */
    medians: z.array(
      z.object({
        platform: PlatformKey,
        subject: FigureSubject,
        name: FigureKey,
        value: z.number(),
        channels: z.int().min(3),
      }),
    ),
    mediansOf: z.enum(['organization', 'project']),
    asOf: AsOf,
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})

/** Who a channel's audience is, as its platform last told it, per breakdown: country, city, age, gender and so on. */
export const InsightsAudience = z.object({
  channelId: Id,
  breakdowns: z.array(
    z.object({
      breakdown: z.string(),
      day: z.iso.date(),
      /** The largest first. */
      buckets: z.array(z.object({ bucket: z.string(), value: z.number() })),
    }),
  ),
  /** Why there is none. */
  missing: MissingReason.nullable(),
})
export type InsightsAudience = z.infer<typeof InsightsAudience>
export const insightsAudience = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/audience',
  summary: "Get a channel's audience by age, country and so on, as its platform told it last",
  access: can('insights', 'view'),
  cost: 'light',
  reads: ['channel'],
  params: ProjectParams,
  query: z.object({ channelId: Id }),
  reply: InsightsAudience,
  errors: ['PLAN_LIMIT', 'NOT_FOUND'],
  audit: null,
})
