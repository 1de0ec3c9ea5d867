import { needsText, spendingText } from '#contract/analytics/accountWords.ts'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { CompetitorReason } from '#contract/analytics/catalog/define.ts'
import {
  COMPETITOR_POSTS,
  COMPETITORS_UNSEEN_DAYS,
  type ComparedAccount,
  type findCompetitor,
} from '#contract/analytics/competitors.ts'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { rulesFor } from '#contract/platforms/registry.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { valueText } from '#contract/values.ts'
import { shortDay } from '#charts/days.ts'
import { daysBetween, type Day } from '#web/lib/dates.ts'
import { count } from '#web/lib/format.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/** The platforms whose accounts can be compared, in their usual order. */
export const comparablePlatforms: readonly PlatformKey[] = platformKeys.filter(
  (key) => platformFigures[key].competitors.isPossible,
)

const whys: Record<CompetitorReason, (platforms: string, isOne: boolean) => string> = {
  ownOnly: (platforms, isOne) => `${platforms} only ${isOne ? 'tells' : 'tell'} apps about accounts that you manage.`,
  researchOnly: (platforms, isOne) =>
    `${platforms} only ${isOne ? 'shows' : 'show'} other accounts to non-profit researchers.`,
}

/** Why accounts of some platforms can't be compared, and of which. */
export const impossible: readonly { reason: CompetitorReason; platforms: readonly PlatformKey[]; why: string }[] = [
  ...Map.groupBy(platformKeys, (key) => {
    const { competitors } = platformFigures[key]
    return competitors.isPossible ? undefined : competitors.reason
  }),
].flatMap(([reason, platforms]) =>
  reason === undefined
    ? []
    : [{ reason, platforms, why: whys[reason](list(platforms.map(platformName)), platforms.length === 1) }],
)

/** What people enter to find an account. */
export function exampleOf(platform: PlatformKey): string {
  const { competitors } = platformFigures[platform]
  return competitors.isPossible ? competitors.example : ''
}

/** Whether the platform tells apps how people engage with other accounts' posts. */
export const tellsEngagements = (platform: PlatformKey): boolean => {
  const { competitors } = platformFigures[platform]
  return (
    competitors.isPossible &&
    ['reactions', 'comments', 'shares'].some((one) => competitors.post.some((told) => told === one))
  )
}

/** What has to be known of a platform's figures, a sentence each. */
export function notesOf(platform: PlatformKey, isApart: boolean): string[] {
  const { competitors, readPrices } = platformFigures[platform]
  if (!competitors.isPossible) return []
  const name = platformName(platform)
  const engaged = ['reactions', 'comments', 'shares'].filter((one) => competitors.post.some((told) => told === one))
  return [
    isApart
      ? `${name}'s terms don't allow comparing or ranking, so its own figures are shown and nothing is worked out of them. They're deleted after 30 days.`
      : `Growth is from the day before these days to the last one. ${
          engaged.length === 0
            ? `${name} doesn't tell apps how people engage with other accounts' posts, so only followers and posts are compared.`
            : `Engagements are ${list(engaged)} to date, which is what ${name} tells of everyone's posts. Newer posts have had less time to get them than those of the days before.`
        }`,
    ...(!isApart && rulesFor(platform, 'story')
      ? [`Your stories aren't counted here, because ${name} doesn't tell apps about others' stories.`]
      : []),
    ...(readPrices
      ? [
          `Each reading costs up to $${readPrices.account + COMPETITOR_POSTS * readPrices.post}, within your monthly limit.`,
        ]
      : []),
    `Accounts are read once a day while someone opens this page at least every ${COMPETITORS_UNSEEN_DAYS} days.`,
  ]
}

/** Below a growth: by how much in percent there are more followers, or since when it's counted if that's later than the beginning of the days. */
export function growthNote({ growth, growthSince, growthPercent }: Grown): string | undefined {
  if (growth.value === null) return undefined
  if (growthSince !== null) return `since ${shortDay(growthSince)}`
  const { value } = growthPercent
  return value === null
    ? undefined
    : `followers ${value > 0 ? '+' : ''}${valueText(value, 'percent').replace('-', '\u2212')}`
}
type Grown = Pick<ComparedAccount, 'growth' | 'growthSince' | 'growthPercent'>

/** Below a number of posts: in how many days, as far as they're known, and how many a week that is, from two weeks on. */
export function postsNote(
  { posts, postsPerWeek, knownDays }: Pick<ComparedAccount, 'posts' | 'postsPerWeek' | 'knownDays'>,
  { from, to }: Pick<InsightsRange, 'from' | 'to'>,
  today: Day,
): string | undefined {
  if (posts.value === null) return undefined
  const days = daysBetween(from, to < today ? to : today) + 1
  const known = knownDays < days ? `in ${knownDays} of ${count(days, 'day')}` : `in ${count(days, 'day')}`
  return postsPerWeek.value === null ? known : `${known}, ${postsPerWeek.value} a week`
}

function list(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
}

export type MissingReason = NonNullable<ReplyOf<typeof findCompetitor>['why']>
/** Why nothing was found. */
export function missingText(why: MissingReason, platform: PlatformKey): string {
  const name = platformName(platform)
  switch (why) {
    case 'gone':
      return `We couldn't find this account on ${name}. It may be misspelled, or ${name} doesn't show it to apps.`
    case 'private':
      return `This account hides itself from your ${name} channel.`
    case 'rights':
      return needsText(platform)
    case 'signedOut':
      return `Connect a ${name} channel first: accounts are looked up with its sign-in.`
    case 'spending':
      return spendingText(name)
    case 'notPossible':
    default:
      return `${name} doesn't let apps compare accounts.`
  }
}
