import type { FigureName } from './names.ts'

/** One figure as a platform reports it. */
export type PlatformFigure = {
  name: FigureName
  /** What the platform calls it on its own screens. */
  term: string
  /** Where it's read: the call's field, or the fields that are added. */
  source: string
  /** Hours until a day's value is final; until then it's read again. */
  delayHours: number
  /**
   * How many days back the platform reports it by day; `since` is the first day there is. 0: only its current value, so the history
   * begins with the first reading. For a post: how long it's reported after publishing; null: always.
   */
  historyDays: number | null
  since?: string
  /** The value of a day can be negative, such as likes that were taken back. */
  mayFall?: true
}

/** Who an audience is made of. */
const audienceBreakdowns = ['age', 'gender', 'country', 'city', 'industry', 'seniority', 'trafficSource'] as const
export type AudienceBreakdown = (typeof audienceBreakdowns)[number]
/** What an audience is counted in: followers, views, or only shares, in hundredths of a percent. */
export const audienceUnits = ['people', 'views', 'share'] as const
type AudienceUnit = (typeof audienceUnits)[number]

/** What a platform's terms allow. */
export type FigureTerms = {
  /** Whether its figures may be added to those of other platforms, and be part of rates and rankings. */
  mayBeSummed: boolean
  /** Days after which they have to be read again or deleted; null: no limit. */
  keepDays: number | null
  /** The operator can accept further terms, which lift both: the name of the setting. */
  accepted?: string
}

/** What reading costs, in US dollars: for one post, and for one account. */
type ReadPrices = { post: number; account: number }

/**
 * Why accounts of others can't be compared:
 * - `ownOnly`: the platform tells apps only about accounts that their people manage
 * - `researchOnly`: it tells only researchers
 */
export type CompetitorReason = 'ownOnly' | 'researchOnly'

/** What the platform's terms and its API let an app read about accounts of others. */
type CompetitorAccess =
  | {
      isPossible: true
      /** What it tells of the account, and of each of its posts. */
      account: readonly FigureName[]
      post: readonly FigureName[]
      /** What a person enters to find one. */
      example: string
      /** It needs a channel that was connected in this way of signing in (`app.variants`). */
      variant?: string
      /** The platform has to approve the app for this, which it calls by this name. */
      approval?: string
    }
  | { isPossible: false; reason: CompetitorReason }

export type PlatformFigures = {
  terms: FigureTerms
  /** Accounts of others: docs/insights.md, Competitors. */
  competitors: CompetitorAccess
  readPrices?: ReadPrices
  /** The time zone of the platform's days. */
  zone: string
  post: readonly PlatformFigure[]
  channel: readonly PlatformFigure[]
  audience?: {
    breakdowns: readonly AudienceBreakdown[]
    /** Of those that aren't counted in people. */
    units?: Partial<Record<AudienceBreakdown, AudienceUnit>>
    leastFollowers: number
    source: string
  }
  /** Followers that an account needs before the platform reports anything about it. */
  leastFollowers?: number
  /** Rights that the account's figures need beyond publishing, in the platform's words. */
  needs?: readonly string[]
  /** Kinds of accounts, as connecting names them, that the platform reports nothing about by day. */
  kindsWithoutSeries?: readonly string[]
}

export const freeToUse: FigureTerms = { mayBeSummed: true, keepDays: null }

type Timing = Pick<PlatformFigure, 'delayHours' | 'historyDays'> & Partial<Pick<PlatformFigure, 'since'>>
type Told = readonly [name: FigureName, term: string, source: string, more?: Partial<PlatformFigure>]

/** Figures with the same delay and history. */
export const toldWith = (timing: Timing, told: readonly Told[]): PlatformFigure[] =>
  told.map(([name, term, source, more]) => ({ name, term, source, ...timing, ...more }))
