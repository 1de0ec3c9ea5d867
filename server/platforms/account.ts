import type { AudienceBreakdown } from '#contract/analytics/catalog/define.ts'
import type { FigureName } from '#contract/analytics/catalog/names.ts'
import type { AccountRef, Reach, Refusal, Secret } from './calls.ts'

/*
 * What an account's own figures are, as an adapter reads them. Nothing here changes anything at the platform, so every call may be
 * repeated.
 */

/** Figures of one day, in whole units. What the platform doesn't report of the day is missing, never 0; gains can be negative. */
export type Figures = { [Name in FigureName]?: number }
/** The figures that a platform reported; null and undefined are what it didn't. */
export const reported = (values: { [Name in FigureName]?: number | null | undefined }): Figures =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value != null))
/** The platform's own day, as YYYY-MM-DD. */
export type FigureDay = { day: string; figures: Figures }
/** `value` is people, or hundredths of a percent where the platform only reports shares. */
export type AudienceBucket = { breakdown: AudienceBreakdown; bucket: string; value: number }

/** The sign-in lacks rights, named in the platform's words: a person has to reconnect for these figures, and for nothing else. */
export type LacksRights = { kind: 'rights'; missing: readonly string[] }

type Ask = [reach: Reach, secret: Secret, account: AccountRef]

export type AccountFigures = {
  /** Figures by day; absent where the platform only knows the current ones. */
  series?: {
    /** The days that one reading takes at most. */
    mostDays: number
    /** The calls that a reading of so many days makes, for rate limits. */
    calls: (days: number) => number
    /** From one day to another, both included. */
    read: (
      ...ask: [...Ask, range: { from: string; to: string }]
    ) => Promise<{ kind: 'series'; days: readonly FigureDay[] } | LacksRights | Refusal>
  }
  /** What the platform counts over several days together, such as how many different people saw something; by the last of them. */
  windows?: {
    /** The calls that a reading makes, for rate limits. */
    calls: number
    read: (...ask: [...Ask, day: string]) => Promise<{ kind: 'windows'; figures: Figures } | LacksRights | Refusal>
  }
  /** The current values, such as followers. One call. */
  snapshot?: (...ask: Ask) => Promise<{ kind: 'snapshot'; figures: Figures } | LacksRights | Refusal>
  /** Who follows or watches the account now, on the platform's day `today`; empty where there are too few. */
  audience?: (
    ...ask: [...Ask, today: string]
  ) => Promise<{ kind: 'audience'; buckets: readonly AudienceBucket[] } | LacksRights | Refusal>
}
