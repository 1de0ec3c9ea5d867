import type { AnalysisFact, AnalysisFacts, FactGroup } from '#contract/analytics/analysis.ts'
import { baseTerm, cardTitle, figureText } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { WorkedFigure, type WorkedBy } from '#contract/analytics/worked.ts'
import { nameOnPlatform } from '#contract/channelNames.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { InsightsFilters } from '../insightsSearch.ts'
import { coverageText } from '#contract/analytics/coverageText.ts'
import { pathOf } from '../sections.ts'
import { WHAT_WORKED } from '../worked/workedWords.ts'

type Search = InsightsFilters & { figure?: string; workedBy?: WorkedBy; worked?: WorkedFigure }

/** What a group of facts is called above its table. */
export const groupTitles: Record<FactGroup, string> = {
  total: 'All channels together',
  platform: 'By platform',
  channel: 'By channel',
  post: 'Posts with the most engagements',
  worked: 'What worked',
}

/** Whose figure it is; empty for all channels together. */
export function factSubject({ group, platform, channel, post, worked }: AnalysisFact): string {
  if (worked) return `${worked.high.name}, against ${worked.low.name}`
  const on = platform ? platformName(platform) : ''
  if (post) return `Post ${post.place}${post.excerpt === '' ? '' : `, “${post.excerpt}”`} (${on})`
  return group === 'channel' && channel && platform ? nameOnPlatform(channel.channelName, platform) : on
}

/** The figure's name where both bases are beside each other; in a platform's word, if all facts are of one. */
export function factTitle(
  { group, base, name }: AnalysisFact,
  { platforms: [platform, ...others], apart }: Pick<AnalysisFacts, 'platforms' | 'apart'>,
): string {
  const title = (group === 'post' ? baseTerm : cardTitle)(base, name, others.length > 0 ? undefined : platform)
  // elsewhere, this counts the posts of all platforms
  return group === 'total' && name === 'published' && apart.length > 0
    ? `${title}, without ${apart.map(platformName).join(' and ')}`
    : title
}

/** How much of these days the fact covers, and its change compares; undefined if that's everything. */
export const factCoverage = (
  { coverage, ...fact }: AnalysisFact,
  { range }: Pick<AnalysisFacts, 'range'>,
): string | undefined => (coverage === null ? undefined : coverageText({ ...fact, coverage }, range))

/** What it was on the days compared, and what that is compared against, if it isn't the fact's value: "900", "against 1,040". */
export function beforeTexts({ name, value, compared }: AnalysisFact): { before: string; against: string | undefined } {
  return {
    before: figureText(name, compared?.before),
    against: compared === null || compared.value === value ? undefined : `against ${figureText(name, compared.value)}`,
  }
}

/** What the middle half of each group has, and of how many posts: "usually 120 to 300 (34 posts), against 10 to 40 (51 posts)". */
export const workedText = (name: FigureKey, { high, low }: NonNullable<AnalysisFact['worked']>): string =>
  `usually ${[high, low]
    .map(({ q1, q3, posts }) => `${figureText(name, q1)} to ${figureText(name, q3)} (${count(posts, 'post')})`)
    .join(', against ')}`

/** Where the fact's figure is shown, with the same days and filters. */
export function factPlace(
  { group, base, name, platform, channel, post, worked }: AnalysisFact,
  { apart, platforms }: Pick<AnalysisFacts, 'apart' | 'platforms'>,
  filters: InsightsFilters,
): { path: string; hash?: string; search: Search } {
  // it compares the posts of the same platforms
  if (worked)
    return {
      path: 'insights',
      hash: WHAT_WORKED,
      search: { ...filters, workedBy: worked.by, worked: WorkedFigure.parse(name) },
    }
  if (post) return { path: pathOf({ key: 'post', postId: post.postId }), search: filters }
  const search = { ...filters, figure: `${base}.${name}` }
  if (group === 'channel' && channel) return { path: pathOf({ key: 'profile', channelId: channel.channelId }), search }
  if (group === 'platform' && platform) return { path: pathOf({ key: 'platform', platform }), search }
  // the hub counts posts of all platforms; these facts don't
  return { path: 'insights', search: apart.length > 0 ? { ...search, platforms } : search }
}

/** The last day up to which all of these figures are final, if some of the range aren't. */
export function finalUntil({ facts, range }: Pick<AnalysisFacts, 'facts' | 'range'>): string | undefined {
  const days = facts.flatMap((fact) => (fact.finalUntil === null ? [] : [fact.finalUntil])).toSorted()
  return days[0] !== undefined && days[0] < range.to ? days[0] : undefined
}
