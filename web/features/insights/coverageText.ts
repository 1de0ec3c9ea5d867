import { shortDay } from '#charts/days.ts'
import type { ComparedFigure, InsightsRange, NormalRange } from '#contract/analytics/filter.ts'
import { figureText } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, dayText } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import { spanText } from './insightsSearch.ts'
import { breakText } from './insightWords.ts'

/** How much of these days a figure covers, and its change compares, in one short line; undefined if that's everything. */
export function coverageText(figure: ComparedFigure, range: InsightsRange): string | undefined {
  const { days, reportedDays, leastReportedDays, comparedDays, leastComparedDays, asOfDay, channels } = figure.coverage
  if (figure.value === null) return undefined
  if (!isCompared(figure))
    return asOfDay !== null
      ? `Oldest value of ${dayText(asOfDay)}`
      : leastReportedDays !== null && leastReportedDays < days
        ? `${span(leastReportedDays, reportedDays)} of ${days} days reported`
        : undefined
  const all = channels.both + channels.onlyNow + channels.notComparable
  const parts = [
    ...(leastComparedDays !== null && leastComparedDays < days
      ? [`${span(leastComparedDays, comparedDays)} of ${days} days`]
      : []),
    ...(channels.both < all ? [`${channels.both} of ${count(all, 'channel')}`] : []),
  ]
  const final = finalText(figure, range)
  const compared = parts.length > 0 ? parts.join(', ') : count(days, 'day')
  if (final !== undefined) return `${compared} compared, ${final}`
  if (parts.length > 0) return `${compared} compared`
  return asOfDay === null ? undefined : `Oldest value of ${dayText(asOfDay)}`
}

/** Whether its change is shown. Both sides are known of a figure that was 0 before, too. */
const isCompared = ({ compared, whyNotComparable }: ComparedFigure): boolean =>
  compared !== null && whyNotComparable === null

/** Until when the values are final, if days that are compared come after it. */
function finalText({ base, coverage: { comparedDays, finalUntil } }: ComparedFigure, { from }: InsightsRange) {
  if (base !== 'inTheseDays' || comparedDays === null || comparedDays === 0) return undefined
  if (finalUntil === null || finalUntil < from) return 'none final yet'
  return finalUntil < addDays(from, comparedDays - 1) ? `final up to ${shortDay(finalUntil)}` : undefined
}

/** "5", or "2 to 5" where channels differ. */
const span = (least: number | null, most: number | null): string =>
  least === null || least === most ? String(most) : `${least} to ${most}`

/** "Usually 1,200 to 1,900": where a value is unusual; undefined otherwise. */
export const unusualText = ({ name, normal }: Pick<ComparedFigure, 'name' | 'normal'>): string | undefined =>
  normal && normal.standing !== 'within' ? `Usually ${usualText(name, normal)}` : undefined

const usualText = (name: FigureKey, { low, high }: NormalRange): string =>
  `${figureText(name, low)} to ${figureText(name, high)}`

/** "Usually 1,200 to 1,900 in 7 days (8 weeks before)." */
function normalSentence(name: FigureKey, normal: NormalRange, days: number): string {
  const { value, periods } = normal
  const usual = usualText(name, normal)
  const when =
    days <= 7 ? `${count(periods, 'week')} before` : `${periods} times ${days} days before, with the same weekdays`
  return normal.days < days
    ? `Usually ${usual} on ${normal.days} of ${count(days, 'day')}, now ${figureText(name, value)} (${when}).`
    : `Usually ${usual} in ${count(days, 'day')} (${when}).`
}

/** What a figure covers and what its change compares, a sentence each. */
export function coverageSentences(figure: ComparedFigure, { compare }: InsightsRange): string[] {
  const { name, base, coverage, quotient, whyNotComparable, changed, normal } = figure
  const compared = isCompared(figure) ? figure.compared : null
  const { days, reportedDays, leastReportedDays, comparedDays, leastComparedDays, channels, finalUntil, asOfDay } =
    coverage
  const { onlyNow, onlyBefore, notComparable } = channels
  const left = [
    [onlyNow, 'with figures of these days only'],
    [onlyBefore, 'with figures of the days before only'],
    [
      notComparable,
      base === 'postsPublished' ? 'without posts that are old enough on both sides' : 'with too few days in common',
    ],
  ] as const
  const sides = compared && `${figureText(name, compared.value)} against ${figureText(name, compared.before)}`
  return [
    ...(reportedDays !== null
      ? [
          leastReportedDays === reportedDays
            ? `Reported on ${reportedDays} of ${count(days, 'day')}.`
            : `Reported on ${span(leastReportedDays, reportedDays)} of ${count(days, 'day')}, by channel.`,
        ]
      : []),
    ...(asOfDay !== null ? [`The oldest value in it is of ${dayText(asOfDay)}.`] : []),
    ...(base === 'inTheseDays' && finalUntil !== null ? [`Final up to ${dayText(finalUntil)}.`] : []),
    ...(quotient
      ? [
          `${quotient.part.toLocaleString('en')} engagements of ${quotient.whole.toLocaleString('en')} views or impressions.`,
        ]
      : []),
    ...(sides
      ? [
          leastComparedDays !== null && leastComparedDays < days
            ? `Compared: ${sides}. Both are ${name === 'engagementRate' ? 'the rates' : 'sums'} of the days that both sides have, ${span(leastComparedDays, comparedDays)} of ${days}${leastComparedDays === comparedDays ? '' : ' by channel'}, counted from the first day of each.`
            : `Compared: ${sides}${compare ? ` (${spanText(compare)})` : ''}.`,
        ]
      : []),
    ...(normal ? [normalSentence(figure.name, normal, days)] : []),
    ...(whyNotComparable === 'nothingBefore' && figure.compared
      ? [`It was ${figureText(name, figure.compared.before)} before, so there's no percentage.`]
      : []),
    ...(whyNotComparable === 'notFinal' && base === 'postsPublished'
      ? ['Posts need a week to get most of what they get: at least half of the days have to be a week old.']
      : []),
    ...(changed ? [`${platformName(changed.platform)}, ${dayText(changed.date)}: ${breakText(changed.note)}`] : []),
    ...(compared
      ? left.flatMap(([n, words]) => (n > 0 ? [`Not compared: ${count(n, 'channel')} ${words}.`] : []))
      : []),
  ]
}
