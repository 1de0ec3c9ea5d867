import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { figureText } from '#contract/analytics/labels.ts'
import { dayText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'

/** How much of these days a figure covers, and its change compares, in one short line; undefined if that's everything. */
export function coverageText({ value, coverage, compared }: ComparedFigure): string | undefined {
  const { days, reportedDays, comparedDays, asOfDay, channels } = coverage
  if (value === null) return undefined
  if (compared === null)
    return asOfDay !== null
      ? `Oldest value of ${dayText(asOfDay)}`
      : reportedDays !== null && reportedDays < days
        ? `${reportedDays} of ${days} days reported`
        : undefined
  const all = channels.both + channels.onlyNow + channels.notComparable
  const parts = [
    ...(comparedDays !== null && comparedDays < days ? [`${comparedDays} of ${days} days`] : []),
    ...(channels.both < all ? [`${channels.both} of ${count(all, 'channel')}`] : []),
  ]
  return parts.length > 0
    ? `${parts.join(', ')} compared`
    : asOfDay !== null
      ? `Oldest value of ${dayText(asOfDay)}`
      : undefined
}

/** What a figure covers and what its change compares, a sentence each. */
export function coverageSentences(
  { name, base, coverage, compared, quotient }: ComparedFigure,
  than: string,
): string[] {
  const { days, reportedDays, comparedDays, channels, finalUntil, asOfDay } = coverage
  const { onlyNow, onlyBefore, notComparable } = channels
  const left = [
    [onlyNow, 'only has these days'],
    [onlyBefore, 'only has the days before'],
    [notComparable, base === 'postsPublished' ? 'has posts that are too new' : 'has too few days in common'],
  ] as const
  const sides = compared && `${figureText(name, compared.value)} against ${figureText(name, compared.before)}`
  return [
    ...(reportedDays !== null ? [`Reported on ${reportedDays} of ${count(days, 'day')}.`] : []),
    ...(asOfDay !== null ? [`The oldest value in it is of ${dayText(asOfDay)}.`] : []),
    ...(base === 'inTheseDays' && finalUntil !== null ? [`Final up to ${dayText(finalUntil)}.`] : []),
    ...(quotient
      ? [
          `${quotient.part.toLocaleString('en')} engagements of ${quotient.whole.toLocaleString('en')} views or impressions.`,
        ]
      : []),
    ...(sides
      ? [
          comparedDays !== null && comparedDays < days
            ? `Compared: the first ${count(comparedDays, 'day')}, ${sides} (${than.replace(/^than /, '')}).`
            : `Compared: ${sides} (${than.replace(/^than /, '')}).`,
        ]
      : []),
    ...(compared
      ? left.flatMap(([n, words]) => (n > 0 ? [`Not compared: ${count(n, 'channel')} that ${words}.`] : []))
      : []),
  ]
}
