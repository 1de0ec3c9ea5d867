import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { LabelColor } from '../labels.ts'
import { PlatformKey, PostType } from '../platforms/rules.ts'
import { InsightsRange, insightsQuery } from './filter.ts'
import type { FigureKey } from './names.ts'

/*
 * What worked: posts published in the range, grouped by what they have in common, with the spread of one of their figures to date.
 * There are no averages: one post that went viral would decide them.
 */

/** What posts are grouped by. Days and hours are those of the project's zone. */
export const workedBy = [
  'format',
  'label',
  'weekday',
  'hour',
  'weekdayHour',
  'length',
  'dayPart',
  'weekdayPart',
] as const
/** Those that the panel What worked offers and analyses tell of. The others are coarser times, for channels with few posts. */
export const offeredBy = [
  'format',
  'label',
  'weekday',
  'hour',
  'weekdayHour',
  'length',
] as const satisfies readonly (typeof workedBy)[number][]
/** The hours of a part of the day, the first part beginning at midnight. */
export const DAY_PART_HOURS = 6
export const WorkedBy = z.enum(workedBy)
export type WorkedBy = z.infer<typeof WorkedBy>

/** The figures that posts are compared by. */
export const workedFigures = [
  'viewsAndImpressions',
  'engagements',
  'engagementRate',
  'reactions',
  'comments',
  'shares',
  'saves',
  'clicks',
] as const satisfies readonly FigureKey[]
export const WorkedFigure = z.enum(workedFigures)
export type WorkedFigure = z.infer<typeof WorkedFigure>

/** Posts of the last days, today included, don't have most of what they get yet: they're counted, but not compared. */
export const WORKED_LEAST_DAYS = 7
/** Groups with fewer posts have no spread: a quartile of two posts says nothing. */
export const WORKED_LEAST_POSTS = 3
/** How many formats or labels a reply has: those with the most posts. */
export const WORKED_MOST_GROUPS = 50

/** The bands of a text's length, in characters; the last one has no end. */
export const lengthBands = [
  { from: 0, to: 0 },
  { from: 1, to: 99 },
  { from: 100, to: 279 },
  { from: 280, to: 499 },
  { from: 500, to: 999 },
  { from: 1000, to: null },
] as const

/** What kind of media a post has. `pictures`: several; `mixed`: pictures and videos. */
export const PostMediaKind = z.enum(['text', 'picture', 'pictures', 'video', 'document', 'mixed'])
export type PostMediaKind = z.infer<typeof PostMediaKind>

/**
 * What the middle half of the posts has, from `q1` to `q3`, and all of them. Each is the value of a post (PostgreSQL's
 * `percentile_disc`): `q1` is the smallest that at least a quarter of the posts don't exceed; the median, half of them; `q3`, three
 * quarters. The engagement rate is in percent.
 */
export const Spread = z.object({
  least: z.number(),
  q1: z.number(),
  median: z.number(),
  q3: z.number(),
  most: z.number(),
})
export type Spread = z.infer<typeof Spread>

const compared = {
  /** Posts in the comparison: those of the group that have the figure. */
  posts: z.int(),
  /** Null with fewer than 3 posts. */
  spread: Spread.nullable(),
}

/** What the posts of a group have in common. Null stands for what isn't known of them, or for posts without a label. */
const WorkedGroup = z.discriminatedUnion('by', [
  z.object({
    by: z.literal('format'),
    platform: PlatformKey,
    postType: PostType,
    /** Only known of posts that were published from here. */
    media: PostMediaKind.nullable(),
    ...compared,
  }),
  z.object({
    by: z.literal('label'),
    /** A post with several labels is in the group of each. */
    label: z.object({ labelId: Id, labelName: z.string(), color: LabelColor }).nullable(),
    ...compared,
  }),
  z.object({
    by: z.literal('weekday'),
    /** 1 is Monday, 7 is Sunday. */
    weekday: z.int().min(1).max(7),
    ...compared,
  }),
  z.object({ by: z.literal('hour'), hour: z.int().min(0).max(23), ...compared }),
  z.object({
    by: z.literal('weekdayHour'),
    weekday: z.int().min(1).max(7),
    hour: z.int().min(0).max(23),
    ...compared,
  }),
  z.object({
    by: z.literal('dayPart'),
    /** The hour that a part of the day begins at: 0, 6, 12 or 18. */
    from: z.int().min(0).max(23),
    ...compared,
  }),
  z.object({
    by: z.literal('weekdayPart'),
    weekday: z.int().min(1).max(7),
    from: z.int().min(0).max(23),
    ...compared,
  }),
  z.object({
    by: z.literal('length'),
    /** One of `lengthBands`: the characters of all texts of the post. Not known of some posts that were published elsewhere. */
    length: z.object({ from: z.int(), to: z.int().nullable() }).nullable(),
    ...compared,
  }),
])
export type WorkedGroup = z.infer<typeof WorkedGroup>

export const Worked = z.object({
  range: InsightsRange,
  /** All posts in the comparison. */
  all: z.object(compared),
  /**
   * Formats and labels with the most posts first; times and lengths in their order. What has no post isn't there. Formats are those
   * of one platform; the other groups mix the platforms of the filter.
   */
  groups: z.array(WorkedGroup),
  /** Posts of the range that were published on the last 7 days, today included. They aren't compared yet. */
  tooYoung: z.int(),
  /** Older posts that the figure isn't reported for. */
  withoutFigure: z.int(),
  /** Platforms of the filter whose terms forbid comparing: their posts are in none of these numbers. */
  apart: z.array(PlatformKey),
})
export type Worked = z.infer<typeof Worked>

export const insightsWorked = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/worked',
  summary: 'Compare posts by format, label, time or length: median and quartiles of a figure, with the number of posts',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['post', 'channel', 'taxonomy'],
  params: ProjectParams,
  query: insightsQuery({ by: WorkedBy, figure: WorkedFigure.default('engagements') }),
  reply: Worked,
  errors: ['PLAN_LIMIT'],
  audit: null,
})
