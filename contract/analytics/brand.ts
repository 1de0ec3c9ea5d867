import { z } from 'zod'
import { Id, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { ComparisonReason, InsightsRange, insightsQuery } from './filter.ts'

/*
 * Brand Spotlight: what people say about the brand in the inbox, and whose posts they engage with. Only conversations of the kinds
 * and channels that the caller's role includes; messages are between two people and count nowhere.
 */

export const MOST_BRAND_AUTHORS = 10
/** What people wrote is counted for at most so many days, and against as many: each call counts every item. */
export const TALK_MOST_DAYS = 92

/**
 * What people wrote, by how: `mentions` name, quote or tag the account, or are on its page; `comments` answer its posts; `reviews`
 * have stars.
 */
const Spoken = z.object({ mentions: z.int(), comments: z.int(), reviews: z.int() })
/** Conversations by how they sound. `notJudged`: nothing in their texts tells. */
const Sounds = z.object({ positive: z.int(), neutral: z.int(), negative: z.int(), notJudged: z.int() })
export type BrandSounds = z.infer<typeof Sounds>

/** What was written in the days of the range. */
export const BrandTalk = z.object({
  /**
   * Of all platforms whose terms let it be added up; `before` is null if nothing is compared. The change is that of channels which were
   * connected before the days compared, on the days that are over; or the reason why there's none.
   */
  total: z.object({
    value: z.int(),
    before: z.int().nullable(),
    changePercent: z.number().nullable(),
    whyNotComparable: ComparisonReason.nullable(),
  }),
  /** One for each day of the range, of the same platforms. */
  days: z.array(Spoken.extend({ date: z.iso.date() })),
  /** Each platform on its own, the most first; `before` is null if nothing is compared. */
  platforms: z.array(
    Spoken.extend({
      platform: PlatformKey,
      before: z.int().nullable(),
      /** Null where the platform's terms forbid working anything out of what its members write. */
      sounds: Sounds.nullable(),
    }),
  ),
  /** Of the platforms that allow it. */
  sounds: Sounds,
  /** Who wrote most, of the people whose names may still be kept. */
  authors: z.array(
    z.object({
      platform: PlatformKey,
      name: z.string(),
      handle: z.string(),
      pictureUrl: z.string().nullable(),
      profileUrl: z.string().nullable(),
      count: z.int(),
    }),
  ),
  /** Platforms that are in no total, no sentiment and no list of people, by their terms. */
  apart: z.array(PlatformKey),
  /** Platforms of these channels whose conversations aren't judged here, by their terms. */
  notJudged: z.array(PlatformKey),
})
export type BrandTalk = z.infer<typeof BrandTalk>

/** Engagements on posts that were published in the range, of own channels and competitors of a platform. */
export const BrandVoice = z.object({
  platform: PlatformKey,
  parts: z.array(
    z.object({
      /** Of the competitor; null for all own channels together. */
      competitorId: Id.nullable(),
      name: z.string(),
      /** Both null of an account that can't be read: that nothing is known of it isn't 0. */
      posts: z.int().nullable(),
      engagements: z.int().nullable(),
      /** In percent of all parts that are known, with two decimals; null without own channels, and unless the posts of all are known on the same days. */
      sharePercent: z.number().nullable(),
      /** The days of the range of which its posts are known. */
      knownDays: z.int(),
    }),
  ),
})
export type BrandVoice = z.infer<typeof BrandVoice>

export const insightsBrand = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/brand',
  summary:
    'Get what people said about the brand, who said most, and its share of the engagements beside its competitors',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['conversation', 'channel', 'competitor'],
  params: ProjectParams,
  query: insightsQuery({}),
  reply: z.object({
    range: InsightsRange,
    talk: BrandTalk.nullable(),
    /**
     * Why there's no talk: `role` for roles that see no comments in the inbox, `tooLong` if the range, or the days to compare with, are
     * more than 92 days.
     */
    noTalk: z.enum(['role', 'tooLong']).nullable(),
    /** Platforms with competitors, as far as their terms allow adding up. */
    voice: z.array(BrandVoice),
  }),
  errors: ['PLAN_LIMIT'],
  audit: null,
})
