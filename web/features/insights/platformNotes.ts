import { platformFigures, summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { hasNoSeries } from '#contract/analytics/sources.ts'
import { isClicks } from '#contract/analytics/names.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { platformName } from '#web/ui/PlatformIcon.tsx'

/**
 * Whose days a platform's figures are of, as far as it reports any of such a kind of account, and what reading them costs; a
 * sentence each.
 */
export function platformNotes(platform: PlatformKey, zone: string, kind: string | null = null): string[] {
  const { zone: ownZone, channel, post, readPrices } = platformFigures[platform]
  // current values, such as followers, have no history of days
  const hasDays = !hasNoSeries(platform, kind) && channel.some(({ historyDays }) => historyDays !== 0)
  const hasGains = post.some(({ name }) => summedPostFigures.includes(name) && !isClicks(name))
  return [
    ...(hasDays ? [`${platformName(platform)} counts the channel's own days in ${zoneName(ownZone)}.`] : []),
    ...(hasGains ? [`What posts gained is by day in ${zoneName(zone)}.`] : []),
    ...(readPrices
      ? [`Reading costs $${readPrices.post} a post and $${readPrices.account} an account, up to your monthly limit.`]
      : []),
  ]
}

const zoneName = (zone: string): string => zone.replaceAll('_', ' ')
