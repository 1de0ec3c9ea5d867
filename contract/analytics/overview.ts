import { z } from 'zod'
import { connectionStates } from '../channels.ts'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { audienceUnits } from './catalog/define.ts'
import { AsOf, ComparedFigure, InsightsRange, insightsQuery } from './filter.ts'
import { FigureBase, FigureKey, FigureKeys, FigureSubject } from './names.ts'
import { figureSources } from './sources.ts'

/*
 * Insights over a range: totals with their change, lines by day, and one row per channel. Each figure says its base: what happened
 * in these days, or posts published in these days with their figures to date. What counts each person once, such as reach, is
 * never added: it has no total.
 */

/**
 * Why a channel is missing from a figure:
 * - `notReported`: its platform has no such figure, or not in a way that fits
 * - `countedDifferently`: its platform has both sides of the rate, but counts them in different ways
 * - `notReadYet`: nothing was ever read, or the first reading is due
 * - `nothingReported`: it was read, and the platform had nothing for these days
 * - `noPosts`: nothing was published in these days
 * - `rightsMissing`: a permission is missing that reconnecting asks for
 * - `off`: reading costs money and no monthly limit is set
 * - `termsForbid`: the platform's terms forbid adding it to others'
 * - `tooFewFollowers`: the platform only reports it for accounts with more followers
 * - `disconnected`: the channel is signed out, so nothing new is read
 */
export const missingReasons = [
  'notReported',
  'countedDifferently',
  'notReadYet',
  'nothingReported',
  'noPosts',
  'rightsMissing',
  'off',
  'termsForbid',
  'tooFewFollowers',
  'disconnected',
] as const
export const MissingReason = z.enum(missingReasons)
export type MissingReason = z.infer<typeof MissingReason>

/** A total of everything that may be added. There's one for each figure that a platform of the filter reports, other than those of `apart`. */
export const InsightsCard = ComparedFigure.extend({
  /** Platforms whose figures are in the value: their own terms, and where they come from. */
  holds: z.array(z.object({ platform: PlatformKey, source: z.enum(figureSources), terms: z.array(z.string()) })),
})
export type InsightsCard = z.infer<typeof InsightsCard>

/** Channels of one platform that are missing from some figures, all for the same reason. */
export const MissingChannels = z.object({
  platform: PlatformKey,
  reason: MissingReason,
  channelIds: z.array(Id),
  figures: z.partialRecord(FigureBase, z.array(FigureKey)),
})
export type MissingChannels = z.infer<typeof MissingChannels>

const SummaryQuery = insightsQuery({
  /** Only these figures, in each base that has them; all by default. */
  names: FigureKeys.optional(),
  /** Only these figures of posts published in these days; `names` by default. */
  postNames: FigureKeys.optional(),
  /** Figures to return of each platform as well, in each base that has them. */
  byPlatform: FigureKeys.optional(),
  /** The same of posts published in these days; `byPlatform` by default. */
  postsByPlatform: FigureKeys.optional(),
  /** Says what is usual of figures in these days, for up to 30 of them. */
  normal: z.stringbool().default(false),
})

export const insightsSummary = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/summary',
  summary: 'Get the totals of a range with their change',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  revisioned: 'figures',
  params: ProjectParams,
  query: SummaryQuery,
  reply: z.object({
    range: InsightsRange,
    asOf: AsOf,
    cards: z.array(InsightsCard),
    /** Which channels of the filter aren't in which cards. */
    missing: z.array(MissingChannels),
    /** Each platform's channels together, if `byPlatform` asks for it; of those of `apart` only their number of posts. */
    platforms: z.array(z.object({ platform: PlatformKey, channels: z.int(), figures: z.array(ComparedFigure) })),
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
 * Figures by day, where each figure of a channel comes from the source that `holds` of the summary names. With the base
 * `postsPublished`, posts' figures to date by the day of publishing. `subject` post: only what posts gained. `by` channel or platform gives a line each, with the channel's id or the platform's key as `key`;
 * `total` is one line of all that may be added. What can't be added (reach, averages) only has lines of channels.
 */
export const SeriesQuery = insightsQuery({
  base: FigureBase.default('inTheseDays'),
  subject: FigureSubject.default('channel'),
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
  revisioned: 'figures',
  params: ProjectParams,
  query: SeriesQuery,
  reply: z.object({
    range: InsightsRange,
    days: z.array(z.iso.date()),
    /**
     * Each line has one value per day, in the order of `days`; null where nothing is reported: a gap, never 0. A level such as
     * followers keeps its last value, up to 7 days after it, in lines of several channels.
     */
    series: z.array(z.object({ key: z.string(), name: FigureKey, values: z.array(z.number().nullable()) })),
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
/** The most channels that `most` asks for. */
const CHANNELS_MOST = 100
export const insightsChannels = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/channels',
  summary: "Compare channels with each other, their own past, and their platform's median and quartiles",
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  revisioned: 'figures',
  params: ProjectParams,
  query: insightsQuery({
    names: FigureKeys.optional(),
    /** Only figures of this base; both by default. */
    base: FigureBase.optional(),
    /**
     * Only so many channels: those with the most followers. Channels of platforms whose terms forbid ranking come after all others,
     * as do those without followers.
     */
    most: z.coerce.number().int().min(1).max(CHANNELS_MOST).optional(),
  }),
  reply: z.object({
    range: InsightsRange,
    channels: z.array(InsightsChannel),
    /** How many channels there are, with those that `most` leaves out. */
    total: z.int(),
    /** Which of them lack which figures, and why. */
    missing: z.array(MissingChannels),
    /** Platforms whose terms forbid comparing: their channels have no rank. */
    apart: z.array(PlatformKey),
    /**
     * The median and the quartiles of the range per platform and figure, of at least 3 channels that have it. Organization admins get
     * them over all channels of the organization, everyone else over the channels of their role in this project; the filter
     * for channels doesn't narrow them. None for platforms whose terms forbid comparing.
     */
    medians: z.array(
      z.object({
        platform: PlatformKey,
        base: FigureBase,
        name: FigureKey,
        value: z.number(),
        /** A quarter of the channels is below `q1`, and a quarter above `q3`; between two channels' values, in proportion. */
        q1: z.number(),
        q3: z.number(),
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
      /** What the values are; a `share` is in hundredths of a percent. */
      unit: z.enum(audienceUnits),
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
