import type { Channel } from '#contract/channels.ts'
import type { AdditionalDetails } from '#contract/content.ts'
import { countedLinks } from '#contract/links/apply.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { KnownLinks } from './checks.ts'

/** What happens to the links of each channel's post, for checks and counters: the same object for the same thing. */
export function knownLinks(
  channels: readonly Channel[],
  detailsOf: (channel: Channel, details: AdditionalDetails) => AdditionalDetails,
): KnownLinks {
  const known = new Map<string, ReturnType<KnownLinks>>()
  return (channelId, details) => {
    const channel = channels.find((one) => one.channelId === channelId)
    if (!channel) return undefined
    const { linkTags, shorten, linkFacts } = detailsOf(channel, details)
    const own = { ...(linkTags !== undefined && { linkTags }), ...(shorten !== undefined && { shorten }) }
    const key = JSON.stringify([channel.platformName, own, linkFacts])
    if (!known.has(key)) {
      const links =
        linkFacts && countedLinks({ ...own, linkFacts }, channel.platformName, platformRules[channel.platformName])
      known.set(key, links && { ...links, key })
    }
    return known.get(key)
  }
}
