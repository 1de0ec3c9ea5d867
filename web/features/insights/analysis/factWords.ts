import type { AnalysisFact, AnalysisFacts, FactGroup } from '#contract/analytics/analysis.ts'
import { cardTitle } from '#contract/analytics/labels.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'
import type { InsightsFilters } from '../insightsSearch.ts'
import { pathOf } from '../sections.ts'

/** What a group of facts is called above its table. */
export const groupTitles: Record<FactGroup, string> = {
  total: 'All channels together',
  platform: 'By platform',
  channel: 'By channel',
  post: 'Posts with the most engagements',
}

/** Whose figure it is; empty for all channels together. */
export function factSubject({ group, platform, channel, post }: AnalysisFact): string {
  const on = platform ? platformName(platform) : ''
  if (group === 'post') return `Post ${post?.place ?? ''} (${on})`
  return group === 'channel' ? `${channel?.channelName ?? ''} (${on})` : on
}

/** The figure's name where both bases are beside each other. */
export const factTitle = ({ group, base, name }: AnalysisFact): string =>
  cardTitle(group === 'post' ? 'inTheseDays' : base, name)

/** Where the fact's figure is shown, with the same days and filters. */
export function factPlace(
  { group, base, name, platform, channel, post }: AnalysisFact,
  { apart, platforms }: Pick<AnalysisFacts, 'apart' | 'platforms'>,
  filters: InsightsFilters,
): { path: string; search: InsightsFilters & { figure?: string } } {
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
