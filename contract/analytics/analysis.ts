import { z } from 'zod'
import { Id, Instant, ProjectParams } from '../common.ts'
import { can, endpoint } from '../endpoint.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { AsOf, ComparedFigure, InsightsRange, insightsQuery } from './filter.ts'
import { FigureBase, FigureKey } from './names.ts'
import { WorkedBy } from './worked.ts'

/*
 * AI Analysis: a closed list of facts from the figures, and a text that a model writes from them. Every number of the text is one of
 * a fact that its sentence names; sentences with other numbers aren't returned.
 */

/** Sentences of a text, and the characters of each. */
export const ANALYSIS_MOST_SENTENCES = 12
export const ANALYSIS_MOST_CHARACTERS = 300
/** What a text costs, in AI credits. */
export const ANALYSIS_CREDITS = 1

/**
 * What a fact is about: all channels, the channels of a platform, one channel, one of the posts with the most engagements, or two
 * groups of posts that "What worked" compares.
 */
export const factGroups = ['total', 'platform', 'channel', 'post', 'worked'] as const
export const FactGroup = z.enum(factGroups)
export type FactGroup = z.infer<typeof FactGroup>

/** A group of posts: what they have in common, how many there are, and what its middle half and the median are. */
const WorkedSide = z.object({ name: z.string(), posts: z.int(), q1: z.number(), median: z.number(), q3: z.number() })

export const AnalysisFact = z.object({
  /** `f1`, `f2` and so on: the same figures of the same range have the same ones. */
  id: z.string(),
  group: FactGroup,
  base: FigureBase,
  name: FigureKey,
  /** Null for all platforms together. */
  platform: PlatformKey.nullable(),
  channel: z.object({ channelId: Id, channelName: z.string() }).nullable(),
  /** A post by its place among those with the most engagements, 1 first, and its first words. People wrote them, so they're only ever text. */
  post: z.object({ postId: Id, place: z.int(), excerpt: z.string() }).nullable(),
  /** Two groups whose middle halves don't overlap, each of at least 8 posts that are a week old. The value is the median of `high`. */
  worked: z.object({ by: WorkedBy, high: WorkedSide, low: WorkedSide }).nullable(),
  value: z.number(),
  /** The two sides that the change is from, of the days that both have: `value` itself if none is missing. Null if nothing is compared. */
  compared: ComparedFigure.shape.compared,
  /** Null of posts and findings, which aren't compared, too. */
  whyNotComparable: ComparedFigure.shape.whyNotComparable,
  /** How much of the days is known and compared; null of posts and findings. */
  coverage: ComparedFigure.shape.coverage.nullable(),
  /** In percent with two decimals; of rates, in percentage points. Like with like, as everywhere in the insights. */
  changePercent: z.number().nullable(),
  changePoints: z.number().nullable(),
  /** The last day up to which its values are final; null if that isn't known. */
  finalUntil: z.iso.date().nullable(),
})
export type AnalysisFact = z.infer<typeof AnalysisFact>

const Facts = z.object({
  range: InsightsRange,
  facts: z.array(AnalysisFact),
  /** Platforms of the filter that are in the facts' scope. */
  platforms: z.array(PlatformKey),
  /** Platforms whose terms forbid this: nothing of them is in the facts. */
  apart: z.array(PlatformKey),
  asOf: AsOf,
})
export type AnalysisFacts = z.infer<typeof Facts>

export const insightsAnalysisFacts = endpoint({
  method: 'GET',
  path: '/api/:orgId/project/:projectId/insights/analysis/facts',
  summary: 'Get the facts that an AI analysis of a range is written from',
  access: can('insights', 'view'),
  cost: 'list',
  reads: ['channel'],
  params: ProjectParams,
  query: insightsQuery({}),
  reply: Facts,
  errors: ['PLAN_LIMIT'],
  audit: null,
})

/** A piece of a sentence: words, a number of a fact, or the name of a fact's channel or post. */
const Run = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('words'), text: z.string() }),
  z.object({ kind: z.literal('number'), text: z.string(), factId: z.string() }),
  z.object({ kind: z.literal('name'), text: z.string(), factId: z.string() }),
])
export type AnalysisRun = z.infer<typeof Run>

export const Analysis = Facts.extend({
  sentences: z
    .array(z.object({ runs: z.array(Run), factIds: z.array(z.string()) }))
    .min(1)
    .max(ANALYSIS_MOST_SENTENCES),
  /** Sentences that aren't returned, because something in them isn't in the facts. */
  leftOut: z.int(),
  madeAt: Instant,
  /** The organization's remaining credits this month. */
  creditsLeft: z.int(),
})
export type Analysis = z.infer<typeof Analysis>

export const insightsAnalysis = endpoint({
  method: 'POST',
  path: '/api/:orgId/project/:projectId/insights/analysis',
  summary: 'Write an analysis of a range from its facts, by AI. Nothing is stored; uses one AI credit',
  access: can('insights', 'create'),
  cost: 'ai',
  changes: [],
  params: ProjectParams,
  body: insightsQuery({}),
  reply: Analysis,
  errors: ['PLAN_LIMIT', 'NO_POSTS_FOUND', 'AI_NOT_SET_UP', 'AI_PROMPT_GENERATION_ERROR'],
  audit: { none: 'nothing is stored' },
})
