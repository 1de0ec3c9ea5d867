import { addDays, dayText, shortDay, spanText } from '../days.ts'
import { count } from '../format.ts'
import { platformLabel } from '../platforms/registry.ts'
import { NORMAL_PERIODS, type ComparedFigure, type InsightsRange, type NormalRange } from './filter.ts'
import { breakText, finalSentence } from './insightWords.ts'
import { addsOf, figureText } from './labels.ts'
import type { FigureKey } from './names.ts'

type Covered = Pick<ComparedFigure, 'name' | 'base' | 'value' | 'posts' | 'compared' | 'whyNotComparable' | 'coverage'>

/** How much of these days a figure covers, and its change compares, in one short line; undefined if that's everything. */
export function coverageText(figure: Covered, range: InsightsRange): string | undefined {
  const [days, posts] = [daysText(figure, range), postsText(figure)]
  return posts !== undefined && days !== undefined ? `${posts}. ${days}` : (posts ?? days)
}

/** "20 of 29 posts have it, without 7 on YouTube": of what is published, if not all. */
function postsText({ value, posts }: Covered): string | undefined {
  if (value === null || posts === undefined) return undefined
  const apart = (posts.apart ?? []).map(({ platform, posts: n }) => [n, platformLabel(platform)] as const)
  const have =
    posts.known < posts.all ? `${posts.known.toLocaleString('en')} of ${count(posts.all, 'post')} have it` : ''
  const without = apart.map(([n, name]) => `${have ? n.toLocaleString('en') : count(n, 'post')} on ${name}`)
  const left = without.length > 0 ? `without ${without.join(' and ')}` : ''
  return capitalized([have, left].filter(Boolean).join(', ')) || undefined
}

/** The same in full: of which posts it isn't known, and which aren't in it by their platform's terms. */
function postsSentences({ value, posts }: Covered): string[] {
  if (value === null || posts === undefined) return []
  const known = `${posts.known.toLocaleString('en')} of ${count(posts.all, 'post')} have it`
  return [
    ...(posts.known < posts.all ? [`${known}: of the others, it isn't reported, or not yet.`] : []),
    ...(posts.apart ?? []).map(
      ({ platform, posts: n }) =>
        `Doesn't include ${count(n, 'post')} on ${platformLabel(platform)}, whose terms don't allow adding its figures to others'. Published posts counts them.`,
    ),
  ]
}

function daysText(figure: Covered, range: InsightsRange): string | undefined {
  const { days, reportedDays, leastReportedDays, comparedDays, leastComparedDays, asOfDay, channels } = figure.coverage
  if (figure.value === null) return undefined
  if (addsOf(figure.name) === 'last') return levelText(figure)
  if (!isCompared(figure))
    return asOfDay !== null
      ? latestText(asOfDay)
      : leastReportedDays !== null && leastReportedDays < days
        ? figure.base === 'postsPublished'
          ? knownPostsText(figure.coverage)
          : capitalized(
              `${span(leastReportedDays, reportedDays)} of ${count(days, 'day')} known${byChannel(leastReportedDays, reportedDays)}`,
            )
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
  const differs = byChannel(leastComparedDays, comparedDays)
  if (final !== undefined) return capitalized(`${compared} compared${differs}, ${final}`)
  return parts.length > 0 ? capitalized(`${compared} compared${differs}`) : undefined
}

/** Of which days all posts are known: of days before a channel was connected, there may have been others. */
const knownPostsText = ({ days, reportedDays, leastReportedDays }: Covered['coverage']): string =>
  reportedDays === 0
    ? 'Not all posts of these days are known'
    : `All posts of ${span(leastReportedDays, reportedDays)} of ${count(days, 'day')} known${byChannel(leastReportedDays, reportedDays)}`

/** "On 29 Nov": a number at one moment, such as followers, isn't one of all these days. */
function levelText(figure: Covered): string | undefined {
  const { asOfDay, finalUntil, channels } = figure.coverage
  const all = channels.both + channels.onlyNow + channels.notComparable
  const on = asOfDay !== null ? latestText(asOfDay) : finalUntil !== null ? `On ${shortDay(finalUntil)}` : ''
  const some = isCompared(figure) && channels.both < all ? `${channels.both} of ${count(all, 'channel')} compared` : ''
  return [on, some].filter(Boolean).join(', ') || undefined
}

/** Whether its change is shown. Both sides are known of a figure that was 0 before, too. */
export const isCompared = ({ compared, whyNotComparable }: Pick<Covered, 'compared' | 'whyNotComparable'>): boolean =>
  compared !== null && whyNotComparable === null

/** Until when the values are final, if days that are compared come after it. */
function finalText({ base, coverage: { comparedDays, finalUntil } }: Covered, { from }: InsightsRange) {
  if (base !== 'inTheseDays' || comparedDays === null || comparedDays === 0) return undefined
  if (finalUntil === null || finalUntil < from) return 'none final yet'
  return finalUntil < addDays(from, comparedDays - 1) ? `final up to ${shortDay(finalUntil)}` : undefined
}

/** "4 of 7 are known": of how many days there are values, if that isn't all of them. */
export const knownText = ({
  days,
  reportedDays,
  leastReportedDays,
}: Pick<ComparedFigure['coverage'], 'days' | 'reportedDays' | 'leastReportedDays'>): string | undefined =>
  leastReportedDays === null || leastReportedDays >= days
    ? undefined
    : `${span(leastReportedDays, reportedDays)} of ${days} are known${byChannel(leastReportedDays, reportedDays)}`

/** "5", or "between 2 and 5" where channels differ. */
const span = (least: number | null, most: number | null): string =>
  isSame(least, most) ? String(most) : `between ${least} and ${most}`
const byChannel = (least: number | null, most: number | null): string =>
  isSame(least, most) ? '' : ', depending on the channel'
const isSame = (least: number | null, most: number | null): boolean => least === null || least === most
const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

/** Of a number at one moment, such as followers, which wasn't reported on the last day of all channels. */
const latestText = (oldest: string): string => `Latest known values, the oldest of ${dayText(oldest)}`

/** The day of such a number, unless the sentence about the oldest of them names it. */
const onDaySentence = ({ asOfDay, finalUntil }: ComparedFigure['coverage']): string | undefined =>
  asOfDay === null && finalUntil !== null ? `The value on ${dayText(finalUntil)}.` : undefined

/** "Usually 1,200 to 1,900": where a value is unusual; undefined otherwise. */
export const unusualText = ({ name, normal }: Pick<ComparedFigure, 'name' | 'normal'>): string | undefined =>
  normal && normal.standing !== 'within' ? `Usually ${usualText(name, normal)}` : undefined

const usualText = (name: FigureKey, { low, high }: NormalRange): string =>
  `${figureText(name, low)} to ${figureText(name, high)}`

/** "Usually 1,200 to 1,900 in 7 days, judging by the 8 weeks before." */
function normalSentence(name: FigureKey, normal: NormalRange, days: number): string {
  const { value, periods } = normal
  const usual = usualText(name, normal)
  const weeks = `${periods < NORMAL_PERIODS ? `${periods} of ` : ''}the ${NORMAL_PERIODS} weeks before`
  const judged = `judging by ${days <= 7 ? weeks : `${periods} earlier periods of ${days} days with the same weekdays`}`
  return normal.days < days
    ? `Usually ${usual} on ${normal.days} of ${count(days, 'day')}, ${judged}. Now it's ${figureText(name, value)}.`
    : `Usually ${usual} in ${count(days, 'day')}, ${judged}.`
}

/** Of which days the posts are known, if not of all: those before a channel was connected are only as far as its list was read. */
const knownPostsSentences = ({
  days,
  reportedDays,
  leastReportedDays,
}: Pick<ComparedFigure['coverage'], 'days' | 'reportedDays' | 'leastReportedDays'>): string[] =>
  leastReportedDays === null || leastReportedDays >= days
    ? []
    : [
        `Posts of ${span(leastReportedDays, reportedDays)} of ${count(days, 'day')} are known${byChannel(leastReportedDays, reportedDays)}: of days before a channel was connected, only those that its platform still lists.`,
      ]

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
      base === 'postsPublished'
        ? name === 'published'
          ? 'whose earlier posts we know too little of'
          : 'without posts that are old enough on both sides'
        : 'with too few days in common',
    ],
  ] as const
  const sides = compared && `${figureText(name, compared.value)} against ${figureText(name, compared.before)}`
  return [
    ...(base === 'postsPublished'
      ? knownPostsSentences(coverage)
      : reportedDays !== null
        ? [
            `Known on ${span(leastReportedDays, reportedDays)} of ${count(days, 'day')}${byChannel(leastReportedDays, reportedDays)}.${(leastReportedDays ?? 0) < days ? " Days that aren't reported yet, or no longer, aren't in it." : ''}`,
          ]
        : []),
    ...postsSentences(figure),
    ...(asOfDay !== null
      ? [`${latestText(asOfDay)}: what wasn't reported on the last day counts as it was last, for up to a week.`]
      : []),
    ...(base === 'inTheseDays' && finalUntil !== null
      ? [addsOf(name) === 'last' ? onDaySentence(coverage) : finalSentence(finalUntil)].filter(
          (sentence) => sentence !== undefined,
        )
      : []),
    ...(quotient
      ? [
          `${quotient.part.toLocaleString('en')} engagements of ${quotient.whole.toLocaleString('en')} views or impressions.`,
        ]
      : []),
    ...(sides
      ? [
          leastComparedDays !== null && leastComparedDays < days
            ? `Compared: ${sides}. Both are ${name === 'engagementRate' ? 'the rates' : 'sums'} of the days that both sides have, ${span(leastComparedDays, comparedDays)} of ${days}${byChannel(leastComparedDays, comparedDays)}, counted from the first day of each.`
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
    ...(changed ? [`${platformLabel(changed.platform)}, ${dayText(changed.date)}: ${breakText(changed.note)}`] : []),
    ...(compared
      ? left.flatMap(([n, words]) => (n > 0 ? [`Not compared: ${count(n, 'channel')} ${words}.`] : []))
      : []),
  ]
}
