import type { Break } from '#contract/analytics/catalog/catalog.ts'
import type { ComparedFigure, ComparisonReason, InsightsRange } from '#contract/analytics/filter.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { percentChange } from '#contract/format.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

/*
 * Compares like with like: the same channels on both sides, and of each channel the same days from the start of each range. Pure:
 * the queries add up each channel's days, and this decides what may be compared and what is to be said about it.
 */

/** A value of both ranges that may be divided, from so many days. */
export type Like = { value: number; before: number; days: number }
/** What a channel has of a figure. */
export type ChannelSums = {
  platform: PlatformKey
  value: number | null
  before: number | null
  /** Days with a value; null where values don't belong to days. */
  days: number | null
  daysBefore: number | null
  /** Null if it can't be compared. */
  like: Like | null
  /** The last day of the range whose value is final. */
  finalUntil: string | null
  /** Of a level: the day of its value. */
  day?: string | null
  /** Whether nothing more will come, because the channel isn't read any more. */
  isOver?: boolean
  /** Days until a value is final, and after which it has to be deleted. */
  delayDays: number
  keepDays: number | null
}
/** What a channel's rate is made of, on each side; null if one of the two isn't reported. */
export type Ratio = { part: number; whole: number }
export type ChannelRate = Omit<ChannelSums, 'value' | 'before' | 'like'> & {
  value: Ratio | null
  before: Ratio | null
  like: { value: Ratio; before: Ratio; days: number } | null
}

export type Comparing = {
  range: InsightsRange
  /** Today in the project's zone. */
  today: string
  /** Breaks in how the platforms of the figure count it. */
  breaks: readonly Break[]
}
export type Comparison = Omit<ComparedFigure, 'base' | 'subject' | 'name'>

/**
 * What the days that both sides have in common amount to; null with fewer than half of the days that the fuller side has. Then
 * most of it would be left out.
 */
export function likeOf(
  common: { value: number | null; before: number | null; days: number },
  { days, daysBefore }: { days: number; daysBefore: number },
): Like | null {
  const { value, before } = common
  if (value === null || before === null || common.days === 0) return null
  return common.days * 2 < Math.max(days, daysBefore) ? null : { value, before, days: common.days }
}

/** A figure that is the sum of others of the same channel: each is compared on its own days. */
export function addParts([first, ...others]: readonly ChannelSums[]): ChannelSums | undefined {
  if (!first || others.length === 0) return first
  const parts = [first, ...others]
  const like = parts.flatMap((part) => part.like ?? [])
  return {
    ...first,
    value: sumOf(parts.map(({ value }) => value)),
    before: sumOf(parts.map(({ before }) => before)),
    days: most(parts.map(({ days }) => days)),
    daysBefore: most(parts.map(({ daysBefore }) => daysBefore)),
    like: like.length === 0 ? null : addLike(like),
    finalUntil: earliestFinal(parts.filter(({ value }) => value !== null)),
  }
}

/** The total of a figure over channels, with its change. */
export function compareSums(all: readonly ChannelSums[], comparing: Comparing): Comparison {
  const like = all.flatMap((one) => one.like ?? [])
  const sum = like.length === 0 ? null : addLike(like)
  const facts = factsOf(all, comparing)
  const percent = sum === null || sum.before <= 0 ? undefined : percentChange(sum.value, sum.before)
  const why = facts.why ?? (comparing.range.compare && facts.isThere && percent === undefined ? 'nothingBefore' : null)
  const isCompared = why === null && percent !== undefined
  return {
    value: sumOf(all.map(({ value }) => value)),
    before: sumOf(all.map(({ before }) => before)),
    changePercent: isCompared ? Number(percent) : null,
    changePoints: null,
    compared: sum === null || facts.why !== null ? null : { value: sum.value, before: sum.before },
    whyNotComparable: why,
    ...(why === 'break' && facts.changed && { changed: facts.changed }),
    coverage: facts.coverage,
  }
}

/** The rate of everything together, which isn't the average of the rates. Its change is in percentage points. */
export function compareRates(all: readonly ChannelRate[], comparing: Comparing): Comparison {
  const facts = factsOf(all, comparing)
  const [value, before] = [all.map((one) => one.value), all.map((one) => one.before)].map(addRatios)
  const [now, then] = [all.map((one) => one.like?.value), all.map((one) => one.like?.before)].map(addRatios)
  const [rateNow, rateThen] = [rateOf(now), rateOf(then)]
  const why =
    facts.why ??
    (comparing.range.compare && facts.isThere && (rateNow === null || rateThen === null) ? 'nothingBefore' : null)
  const compared = why === null && rateNow !== null && rateThen !== null ? { value: rateNow, before: rateThen } : null
  return {
    value: rateOf(value),
    before: rateOf(before),
    changePercent: null,
    changePoints: compared && Math.round((compared.value - compared.before) * 100) / 100,
    compared,
    whyNotComparable: why,
    ...(why === 'break' && facts.changed && { changed: facts.changed }),
    ...(value && value.whole > 0 && { quotient: value }),
    coverage: facts.coverage,
  }
}

/** A part of a whole in percent with two decimals; null without a whole, and of one that fell. */
export const rateOf = (ratio: Ratio | null | undefined): number | null =>
  !ratio || ratio.whole <= 0 ? null : Math.round((ratio.part / ratio.whole) * 10_000) / 100

type Sided = Omit<ChannelSums, 'value' | 'before' | 'like'> & {
  value: unknown
  before: unknown
  like: { days: number } | null
}

function factsOf(
  all: readonly Sided[],
  comparing: Comparing,
): {
  coverage: Comparison['coverage']
  why: ComparisonReason | null
  changed: Comparison['changed']
  isThere: boolean
} {
  const { range } = comparing
  const now = all.filter(({ value }) => value !== null)
  const before = all.filter((one) => one.before !== null)
  const both = all.filter(({ like }) => like !== null)
  const sides = {
    both: both.length,
    onlyNow: now.filter((one) => one.before === null).length,
    onlyBefore: before.filter(({ value }) => value === null).length,
    notComparable: now.filter((one) => one.before !== null && one.like === null).length,
  }
  const isThere = now.length > 0 || before.length > 0
  // without anything before, it doesn't matter how that was counted
  const hasBoth = now.length > 0 && before.length > 0
  const changed = breakOf(all, comparing)
  return {
    isThere,
    changed: changed && { date: changed.date, platform: changed.platform, note: changed.note },
    why:
      !range.compare || !isThere ? null : changed && hasBoth ? 'break' : whyNot(all, both.length > 0, sides, comparing),
    coverage: {
      days: daysIn(range),
      daysBefore: range.compare && daysIn(range.compare),
      reportedDays: most(now.map(({ days }) => days)),
      leastReportedDays: least(now.map(({ days }) => days)),
      reportedDaysBefore: range.compare && most(before.map(({ daysBefore }) => daysBefore)),
      comparedDays: now.every(({ days, day }) => days === null && day !== undefined)
        ? null
        : most(both.map(({ like }) => like?.days ?? null)),
      leastComparedDays: now.every(({ days, day }) => days === null && day !== undefined)
        ? null
        : least(both.map(({ like }) => like?.days ?? null)),
      channels: sides,
      finalUntil: earliestFinal(now),
      asOfDay: oldestDay(now, comparing),
    },
  }
}

/** The first change in how a platform counts the figure since the start of the days compared. */
function breakOf(all: readonly Sided[], { range, breaks }: Comparing): Break | undefined {
  const platforms = new Set(all.flatMap((one) => (one.value === null && one.before === null ? [] : one.platform)))
  const [first, last] = rangeOfBoth(range)
  return breaks
    .filter(({ date, platform }) => platforms.has(platform) && date > first && date <= last)
    .toSorted((one, other) => (one.date < other.date ? -1 : 1))[0]
}

/** Why there's no change; null if there is one. */
function whyNot(
  all: readonly Sided[],
  isCompared: boolean,
  { onlyNow, onlyBefore }: { onlyNow: number; onlyBefore: number },
  comparing: Comparing,
): ComparisonReason | null {
  if (isCompared) return null
  const reasons = new Set(all.flatMap((one) => whyNotChannel(one, comparing) ?? []))
  for (const reason of ['forgotten', 'notFinal'] as const) if (reasons.has(reason)) return reason
  return onlyBefore > 0 ? 'differentChannels' : onlyNow > 0 || reasons.size > 0 ? 'nothingBefore' : 'differentChannels'
}

/** Why a channel isn't in the change. */
function whyNotChannel(one: Sided, { range, today }: Comparing): ComparisonReason | null {
  const { value, before, days, daysBefore, like, delayDays, keepDays } = one
  if (!range.compare || like !== null || (value === null && before === null)) return null
  const [now, then] = [value === null ? 0 : (days ?? 1), before === null ? 0 : (daysBefore ?? 1)]
  const isForgotten = (from: string) => keepDays !== null && from < addDays(today, -keepDays)
  if ((then <= now && isForgotten(range.compare.from)) || (now <= then && isForgotten(range.from))) return 'forgotten'
  // days that may still come: with them, it would be enough
  const firstToCome = addDays(today, -delayDays)
  const toCome =
    firstToCome > range.to ? 0 : daysIn({ from: firstToCome > range.from ? firstToCome : range.from, to: range.to })
  return then > 0 && now <= then && toCome > 0 && (now + toCome) * 2 >= then ? 'notFinal' : 'nothingBefore'
}

/** From the earlier first day to the later last one. */
const rangeOfBoth = ({ from, to, compare }: InsightsRange): [first: string, last: string] =>
  compare ? [compare.from < from ? compare.from : from, compare.to > to ? compare.to : to] : [from, to]

function oldestDay(now: readonly Sided[], { range, today }: Comparing): string | null {
  const end = range.to < today ? range.to : today
  const days = now.flatMap(({ day }) => (day && day < addDays(end, -1) ? [day] : []))
  return days.toSorted()[0] ?? null
}

/** The day up to which all of them are final, without those that nothing comes of any more; null if one has no final day. */
function earliestFinal(every: readonly Pick<Sided, 'finalUntil' | 'isOver'>[]): string | null {
  const coming = every.filter(({ isOver }) => isOver !== true)
  const all = coming.length > 0 ? coming : every
  const days = all.flatMap(({ finalUntil }) => finalUntil ?? [])
  return days.length < all.length ? null : (days.toSorted()[0] ?? null)
}

const addLike = (all: readonly Like[]): Like => ({
  value: all.reduce((sum, { value }) => sum + value, 0),
  before: all.reduce((sum, { before }) => sum + before, 0),
  days: Math.max(...all.map(({ days }) => days)),
})

const addRatios = (all: readonly (Ratio | null | undefined)[]): Ratio | null => {
  const known = all.flatMap((one) => one ?? [])
  return known.length === 0
    ? null
    : { part: known.reduce((sum, { part }) => sum + part, 0), whole: known.reduce((sum, { whole }) => sum + whole, 0) }
}

/** The sum of the values that are known; null where none is. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

const most = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}

const least = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.min(...known)
}
