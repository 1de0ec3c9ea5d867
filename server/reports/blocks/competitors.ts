import { stateText } from '#contract/analytics/accountWords.ts'
import type { ComparedAccount } from '#contract/analytics/competitors.ts'
import { shortDay } from '#contract/days.ts'
import { platformLabel } from '#contract/platforms/registry.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { BlockOf } from '#contract/reports/content.ts'
import { valueText } from '#contract/values.ts'
import { readAccounts } from '../../competitors/read.ts'
import { daysIn } from '../../rangeDays.ts'
import type { Part } from '../document.ts'
import { narrowedText, nothing, type Built } from './block.ts'
import type { Reading } from './reading.ts'

type Table = Extract<Part, { kind: 'table' }>
type Cell = Table['rows'][number][number]
const HEADING = 'Competitors'

/** The report's channels beside competitors of their platforms. */
export async function readCompetitors(reading: Reading, block: BlockOf<'competitors'>): Promise<Built> {
  const { c, content, range } = reading
  const scope = reading.scopeOf(block)
  const both = [content.platforms, block.platforms].filter((one) => one !== null)
  const platforms =
    both.length === 0 ? undefined : (both[0] ?? []).filter((one) => both.every((all) => all.includes(one)))
  const accounts = await readAccounts(c, scope, () => null, platforms)
  if (accounts.every(({ isOwn }) => isOwn)) return nothing(HEADING, 'There are no competitors to compare with.')
  const days = daysIn({ from: range.from, to: range.to < scope.today ? range.to : scope.today })
  return {
    heading: HEADING,
    about: narrowedText(reading, { platforms: block.platforms }),
    parts: [
      {
        kind: 'table',
        columns: [
          { title: 'Account', align: 'start', unit: null },
          { title: 'Platform', align: 'start', unit: null },
          { title: 'Whose', align: 'start', unit: null },
          ...columns.map(({ title, unit }) => ({ title, align: 'end' as const, unit })),
        ],
        // accounts of a platform together, the own ones first
        rows: [...Map.groupBy(accounts, ({ platformName }) => platformName).values()].flat().map(rowOf),
      },
    ],
    notes: accountNotes(accounts, { to: range.to, days, apart: scope.apart }),
  }
}

const columns = [
  { title: 'Followers', unit: 'count', of: ({ followers }: ComparedAccount) => followers.value },
  { title: 'Growth', unit: 'count', of: ({ growth }: ComparedAccount) => growth.value },
  { title: 'Growth in percent', unit: 'percent', of: ({ growthPercent }: ComparedAccount) => growthPercent.value },
  { title: 'Posts', unit: 'count', of: ({ posts }: ComparedAccount) => posts.value },
  { title: 'Posts a week', unit: 'count', of: ({ postsPerWeek }: ComparedAccount) => postsPerWeek.value },
  {
    title: 'Median engagements',
    unit: 'count',
    of: ({ medianEngagements }: ComparedAccount) => medianEngagements.value,
  },
] as const

function rowOf(account: ComparedAccount): Cell[] {
  const { name, handle, profileUrl, platformName, isOwn } = account
  const isLink = profileUrl !== null && profileUrl.startsWith('https://') && URL.canParse(profileUrl)
  const text = isOwn || handle === '' || name === handle ? name : `${name} (${handle})`
  return [
    { text, ...(isLink ? { link: profileUrl } : {}) },
    { text: platformLabel(platformName) },
    { text: isOwn ? 'Own' : 'Competitor' },
    ...columns.map(({ unit, of }): Cell => {
      const value = of(account)
      return { text: valueText(value, unit), value }
    }),
  ]
}

/** What has to be known of these accounts: what is in the way, and of which days something is known. */
function accountNotes(
  accounts: readonly ComparedAccount[],
  { to, days, apart }: { to: string; days: number; apart: readonly PlatformKey[] },
): string[] {
  const byTerms = [...new Set(accounts.map(({ platformName }) => platformName))].filter((one) => apart.includes(one))
  const of = (which: (account: ComparedAccount) => string | undefined) =>
    accounts.flatMap((account) => {
      const text = which(account)
      return text === undefined ? [] : [`${account.name} (${text})`]
    })
  const sentence = (start: string, found: readonly string[]) =>
    found.length === 0 ? [] : [`${start}: ${found.join(', ')}.`]
  return [
    ...byTerms.map(
      (platform) =>
        `${platformLabel(platform)}'s terms don't allow comparing or ranking, so its own figures are shown and nothing is worked out of them.`,
    ),
    ...sentence(
      'Followers of an earlier day',
      of(({ followersDay }) => (followersDay !== null && followersDay < to ? shortDay(followersDay) : undefined)),
    ),
    ...sentence(
      'Growth counted since a later day',
      of(({ growthSince }) => (growthSince === null ? undefined : shortDay(growthSince))),
    ),
    ...sentence(
      'Posts not known of all days',
      of(({ knownDays, posts }) =>
        knownDays < days && posts.value !== null ? `${knownDays} of ${days} days` : undefined,
      ),
    ),
    ...accounts.flatMap((account) => {
      const why = stateText(account)
      return why === undefined ? [] : [`${account.name}: ${why}`]
    }),
    "Median engagements are reactions, comments and shares of a post to date, as far as the platform tells of everyone's posts.",
  ]
}
