import { z } from 'zod'
import { TAG_LETTERS, TAG_OTHERS, TAG_SIGNS } from '../hashtag.ts'
import { Day, Id, Instant } from '../common.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { listOf } from '../postLists.ts'
import { FigureBase, FigureKey, FigureSubject } from './names.ts'

/*
 * What the calls of the insights share: which posts and channels they cover, and for which days. All of them only cover
 * channels that the caller's role includes, in every sum, median and count.
 */

/** The longest range, in days: two years with a leap day. */
export const INSIGHTS_MOST_DAYS = 731
/** No platform is older, and nothing later is asked for. */
export const [FIRST_DAY, LAST_DAY] = ['2000-01-01', '2099-12-31']
/** How many ids one call may name. */
const MOST_IDS = 500

const DAY_MS = 86_400_000
const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS + 1

/** A hashtag with or without its `#`. */
export const HASHTAG = new RegExp(String.raw`^[${TAG_SIGNS}]?[${TAG_LETTERS}${TAG_OTHERS}\p{N}]{1,100}$`, 'u')

const InsightsQuery = z.object({
  /**
   * The first and the last day of the range in the project's zone, inclusive, at most 731 days, in the years 2000 to 2099. Without
   * both: the last 7 days against the 7 before.
   */
  from: Day.optional(),
  to: Day.optional(),
  /** The days to compare with. Without them nothing is compared, unless `from` and `to` are absent too. */
  compareFrom: Day.optional(),
  compareTo: Day.optional(),
  channelIds: listOf(Id).pipe(z.array(Id).max(MOST_IDS, 'Too many channels')).optional(),
  platforms: listOf(PlatformKey).optional(),
  /** Only posts of this campaign. Figures of channels, such as followers, have no value then. */
  campaignId: Id.optional(),
  /** Only posts with this label, likewise. */
  labelId: Id.optional(),
  /** Only posts with this hashtag in their text, likewise. With or without the `#`, ignoring case. */
  hashtag: z.string().trim().regex(HASHTAG, 'Not a hashtag').optional(),
})

/** The query of a call with the filters of the insights and `more` of its own. */
export const insightsQuery = <const T extends z.ZodRawShape>(more: T) =>
  InsightsQuery.extend(more).superRefine((query, context) => {
    // the parts of every query; `more` only adds to them
    const { from, to, compareFrom, compareTo } = query as z.output<typeof InsightsQuery>
    checkDays(context, { from, to })
    checkDays(context, { compareFrom, compareTo })
    if (compareFrom !== undefined && from === undefined)
      context.addIssue({ code: 'custom', path: ['compareFrom'], message: 'Choose the days to compare as well' })
  })

/** Refuses a range that isn't one: its first and last day by the names of their fields, in this order. */
export function checkDays(context: z.RefinementCtx, days: Record<string, string | undefined>): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
  const [[first, start] = [], [last, end] = []] = Object.entries(days)
  if (first === undefined || last === undefined || (start === undefined && end === undefined)) return
  if (start === undefined) return refuse(first, 'The first day is missing')
  if (end === undefined) return refuse(last, 'The last day is missing')
  if (start < FIRST_DAY) return refuse(first, 'Use a year from 2000 on')
  if (end > LAST_DAY) return refuse(last, 'Use a year before 2100')
  if (end < start) return refuse(last, 'The last day is before the first one')
  if (daysBetween(start, end) > INSIGHTS_MOST_DAYS) refuse(last, `Choose at most ${INSIGHTS_MOST_DAYS} days`)
}

/** The filters of every call of the insights. */
export const InsightsFilter = insightsQuery({})
export type InsightsFilter = z.infer<typeof InsightsFilter>

/** The days of a reply, inclusive, in the project's zone; `compare` is null if nothing is compared. */
export const InsightsRange = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  compare: z.object({ from: z.iso.date(), to: z.iso.date() }).nullable(),
})
export type InsightsRange = z.infer<typeof InsightsRange>

/**
 * Why a figure isn't compared:
 * - `notFinal`: too few of its days are final, or too little time has passed since the posts were published
 * - `break`: the platform changed what it counts in these days or since the days compared
 * - `forgotten`: the days compared had to be deleted by the platform's terms
 * - `differentChannels`: no channel has it on both sides
 * - `nothingBefore`: there's nothing, or too little, to compare with
 */
const comparisonReasons = ['notFinal', 'break', 'forgotten', 'differentChannels', 'nothingBefore'] as const
export const ComparisonReason = z.enum(comparisonReasons)
export type ComparisonReason = z.infer<typeof ComparisonReason>

/** How much of the range, and of the days compared, a figure covers. */
const Coverage = z.object({
  /** Days of the range, and of the days compared. */
  days: z.int(),
  daysBefore: z.int().nullable(),
  /** Days with a value, of the channel that has the most. Null for levels such as followers, and for posts' figures to date. */
  reportedDays: z.int().nullable(),
  /** The same of the channel that has the fewest. */
  leastReportedDays: z.int().nullable(),
  reportedDaysBefore: z.int().nullable(),
  /** Days that the change is worked out from, of the channel that has the most: the same ones from the start of each range. */
  comparedDays: z.int().nullable(),
  /** The same of the channel that has the fewest. */
  leastComparedDays: z.int().nullable(),
  /** Channels in the change, and those that aren't: with a value on one side only, or on both without enough days in common. */
  channels: z.object({ both: z.int(), onlyNow: z.int(), onlyBefore: z.int(), notComparable: z.int() }),
  /** The last day of the range up to which the values of all channels that are still read are final; null if none is. */
  finalUntil: z.iso.date().nullable(),
  /** The day of a level's oldest value, if it's more than a day before the end of the range. */
  asOfDay: z.iso.date().nullable(),
})

/** How many earlier periods tell what is usual, how many of them there have to be, and the longest range that has a usual one. */
export const NORMAL_PERIODS = 8
export const NORMAL_LEAST_PERIODS = 6
export const NORMAL_MOST_DAYS = 30

/**
 * What is usual on the days of the range: what the same channels had on the same weekdays of up to 8 earlier periods, which begin
 * whole weeks before it and don't overlap. From `low` to `high` is the distance between the quartiles, and one and a half times
 * as much beyond them; or the square root of the median, if that's more.
 */
export const NormalRange = z.object({
  low: z.number(),
  high: z.number(),
  /** What it's held against: the sum of the range's days that were read after they were over. */
  value: z.number(),
  /** How many days of the range that is, of the channel that has the most. */
  days: z.int(),
  /** Earlier periods that have all of these days, at least 6. */
  periods: z.int(),
  standing: z.enum(['above', 'below', 'within']),
})
export type NormalRange = z.infer<typeof NormalRange>

/**
 * A figure of the range and of the days that it's compared with. Null: not reported, which isn't 0. The change is like with like:
 * the same channels, the same days from the start of each range. It's in percent with two decimals; of rates, in percentage points.
 */
export const ComparedFigure = z.object({
  base: FigureBase,
  subject: FigureSubject,
  name: FigureKey,
  value: z.number().nullable(),
  before: z.number().nullable(),
  changePercent: z.number().nullable(),
  changePoints: z.number().nullable(),
  /** The two sides that the change compares; null if nothing is compared. */
  compared: z.object({ value: z.number(), before: z.number() }).nullable(),
  whyNotComparable: ComparisonReason.nullable(),
  /** Of the reason `break`: which platform changed how it counts, on which day. */
  changed: z.object({ date: z.iso.date(), platform: PlatformKey, note: z.string() }).optional(),
  /** The two sides of a rate's value. */
  quotient: z.object({ part: z.number(), whole: z.number() }).optional(),
  /**
   * Of posts published, in a summary: how many of the same channels' posts have the figure. Of a total, `apart` has the posts of
   * platforms that aren't in it by their terms, if there are any.
   */
  posts: z
    .object({
      known: z.int(),
      all: z.int(),
      apart: z.array(z.object({ platform: PlatformKey, posts: z.int() })).optional(),
    })
    .optional(),
  /** What is usual, if the call was asked for it; null of what doesn't add up, of posts published, and where too little is known. */
  normal: NormalRange.nullable().optional(),
  coverage: Coverage,
})
export type ComparedFigure = z.infer<typeof ComparedFigure>

/** When the newest reading behind a reply was taken; null if there's none. */
export const AsOf = Instant.nullable()
