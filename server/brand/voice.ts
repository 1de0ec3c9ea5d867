import type { BrandVoice } from '#contract/analytics/brand.ts'
import type { ComparedAccount } from '#contract/analytics/competitors.ts'
import { rateOf } from '../analytics/likeWithLike.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

type Part = Omit<BrandVoice['parts'][number], 'sharePercent'>

/** With the share of each, if the posts of all are known on as many days: otherwise some would look smaller than they are. */
function withShares(parts: readonly Part[]): BrandVoice['parts'] {
  const whole = parts.reduce((sum, { engagements }) => sum + engagements, 0)
  const isFair = new Set(parts.map(({ knownDays }) => knownDays)).size === 1
  return parts.map((part) => ({
    ...part,
    sharePercent: isFair ? rateOf({ part: part.engagements, whole }) : null,
  }))
}

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
      posts: account.posts.value ?? 0,
      engagements: account.engagements.value ?? 0,
      knownDays: account.knownDays,
    }))
    const ours = {
      competitorId: null,
      name: '',
      posts: sum(({ posts }) => posts.value),
      engagements: sum(({ engagements }) => engagements.value),
      knownDays: Math.max(0, ...own.map(({ knownDays }) => knownDays)),
    }
    return [{ platform, parts: withShares(own.length > 0 ? [ours, ...parts] : parts) }]
  })
}
