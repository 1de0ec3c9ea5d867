import type { BrandVoice } from '#contract/analytics/brand.ts'
import type { ComparedAccount } from '#contract/analytics/competitors.ts'
import { rateOf } from '../analytics/likeWithLike.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

type Part = Omit<BrandVoice['parts'][number], 'sharePercent'>

/**
 * With the share of each, if the posts of all that are known are known on as many days: otherwise some would look smaller than
 * they are. Without own channels there are none.
 */
function withShares(parts: readonly Part[], hasOwn: boolean): BrandVoice['parts'] {
  const known = parts.filter(({ engagements }) => engagements !== null)
  const whole = known.reduce((sum, { engagements }) => sum + (engagements ?? 0), 0)
  const isFair = hasOwn && known.length > 1 && new Set(known.map(({ knownDays }) => knownDays)).size === 1
  return parts.map((part) => ({
    ...part,
    sharePercent: isFair && part.engagements !== null ? rateOf({ part: part.engagements, whole }) : null,
  }))
}

/** Whether nothing is known of an account in these days, because it can't be read. */
const isUnknown = ({ reading, posts }: ComparedAccount): boolean => UNREADABLE.has(reading?.state ?? '') && !posts.value
const UNREADABLE: ReadonlySet<string> = new Set(['gone', 'private', 'rights', 'signedOut'])

/**
 * Engagements on posts of the range, per platform: of own channels together, and of each competitor. Only platforms whose terms let
 * them be added up, and accounts whose engagements are told.
 */
export function voiceOf(accounts: readonly ComparedAccount[], apart: readonly PlatformKey[]): BrandVoice[] {
  const told = accounts.filter(
    ({ platformName, engagements }) => engagements.value !== null && !apart.includes(platformName),
  )
  return [...Map.groupBy(told, ({ platformName }) => platformName)].flatMap(([platform, all]) => {
    const [own, theirs] = [all.filter(({ isOwn }) => isOwn), all.filter(({ isOwn }) => !isOwn)]
    if (theirs.length === 0) return []
    const sum = (of: (account: ComparedAccount) => number | null) =>
      own.reduce((total, one) => total + (of(one) ?? 0), 0)
    const parts = theirs.map((account) => ({
      competitorId: account.id,
      name: account.name,
      posts: isUnknown(account) ? null : (account.posts.value ?? 0),
      engagements: isUnknown(account) ? null : (account.engagements.value ?? 0),
      knownDays: account.knownDays,
    }))
    const ours = {
      competitorId: null,
      name: '',
      posts: sum(({ posts }) => posts.value),
      engagements: sum(({ engagements }) => engagements.value),
      knownDays: Math.max(0, ...own.map(({ knownDays }) => knownDays)),
    }
    return [{ platform, parts: withShares(own.length > 0 ? [ours, ...parts] : parts, own.length > 0) }]
  })
}
