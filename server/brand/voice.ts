import type { BrandVoice } from '#contract/analytics/brand.ts'
import type { ComparedAccount } from '#contract/analytics/competitors.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'

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
    const parts: BrandVoice['parts'] = theirs.map((account) => ({
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
    return [{ platform, parts: own.length > 0 ? [ours, ...parts] : parts }]
  })
}
