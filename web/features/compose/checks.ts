import { fitLinkCard, mediaErrors, postErrors, type MediaFacts, type PostError } from '#contract/checkPost.ts'
import type { AdditionalDetails } from '#contract/posts.ts'
import type { Channel } from '#contract/channels.ts'
import { MEDIA_FALLBACK } from '#contract/constants.ts'
import { platformRules, rulesFor } from '#contract/platforms/registry.ts'
import { countText, type PlatformRules, type PostRules, type PostType, type TextLimit } from '#contract/platforms/rules.ts'

/** The kind of post that a channel gets; the first of its platform until kinds can be chosen. */
export function postTypeFor(channel: Pick<Channel, 'platformName'>): PostType {
  return platformRules[channel.platformName].posts[0]?.postType ?? 'post'
}

export function rulesOf(channel: Pick<Channel, 'platformName'>): PostRules | undefined {
  return rulesFor(channel.platformName, postTypeFor(channel))
}

/** Each platform of the chosen channels once. */
export function platformsOf(channels: readonly Pick<Channel, 'platformName'>[]): PlatformRules[] {
  return [...new Set(channels.map((channel) => channel.platformName))].map((key) => platformRules[key])
}

/** Why nothing can be sent to the channel, in words; `now` when it would have to go out at once. */
export function channelTrouble(channel: Pick<Channel, 'enabled' | 'status' | 'handle' | 'problem'>, now: boolean): string | undefined {
  if (!channel.enabled) return `${channel.handle} is disabled. Enable the channel to post to it.`
  if (now && channel.status !== 'CONNECTED') return channel.problem ?? `${channel.handle} is not connected any more. Reconnect the channel first.`
  return undefined
}

export type ChannelErrors = { channel: Channel; errors: { field: string; message: string; rule?: string }[] }

/** Everything that the post breaks, by channel, with the same sentences as the server's. */
export function errorsByChannel(channels: readonly Channel[], content: { text: string; media: readonly MediaFacts[]; card: AdditionalDetails['linkCard'] }, now: boolean): ChannelErrors[] {
  return channels.flatMap((channel) => {
    const rules = rulesOf(channel)
    const trouble = channelTrouble(channel, now)
    const errors = [
      ...(trouble ? [{ field: 'channelId', message: trouble }] : []),
      ...(rules ? postErrors(rules, [{ text: content.text, media: content.media }], { details: { linkCard: content.card && fitLinkCard(rules, content.card) }, findSpans: platformRules[channel.platformName].findSpans }) : [{ field: 'postType', message: `${channel.handle} cannot take a post of the kind "post".` }]),
    ]
    return errors.length > 0 ? [{ channel, errors }] : []
  })
}

/** The rules that a file breaks on any of the chosen platforms, each sentence once. */
export function fileErrors(channels: readonly Pick<Channel, 'platformName'>[], file: MediaFacts): PostError[] {
  const errors = platformsOf(channels).flatMap((platform) => (platform.posts[0] ? mediaErrors(platform.posts[0], file, 'media') : []))
  return errors.filter((error, i) => errors.findIndex((other) => other.message === error.message) === i)
}

/** How many pictures all chosen platforms take. */
export function mostImages(channels: readonly Pick<Channel, 'platformName'>[]): number {
  const limits = platformsOf(channels).map((platform) => platform.posts[0]?.images.most ?? MEDIA_FALLBACK.images)
  return limits.length > 0 ? Math.min(...limits) : MEDIA_FALLBACK.images
}

export type Count = { label: string; unit: TextLimit['unit']; used: number; max: number }

/** How long the text is by each platform's own count. Bytes only speak up when they come near their limit. */
export function countsOf(platforms: readonly PlatformRules[], text: string): Count[] {
  const trimmed = text.trim()
  return platforms.flatMap((platform) =>
    (platform.posts[0]?.text.limits ?? []).flatMap((limit, i) => {
      const used = countText(trimmed, limit.unit)
      return i === 0 || used > limit.max * NEAR ? [{ label: platform.label, unit: limit.unit, used, max: limit.max }] : []
    }),
  )
}
export const NEAR = 0.8

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Where the text passes the first limit that it passes, as an index into it; undefined while it fits. */
export function overflowAt(platforms: readonly PlatformRules[], text: string): number | undefined {
  const limits = platforms.flatMap((platform) => platform.posts[0]?.text.limits ?? [])
  if (limits.every((limit) => countText(text.trim(), limit.unit) <= limit.max)) return undefined
  const used = limits.map(() => 0)
  // the server counts the trimmed text, so blanks in front cost nothing
  const lead = text.length - text.trimStart().length
  for (const { segment, index } of segmenter.segment(text.slice(lead))) {
    for (const [i, limit] of limits.entries()) used[i] = (used[i] ?? 0) + countText(segment, limit.unit)
    if (limits.some((limit, i) => (used[i] ?? 0) > limit.max)) return lead + index
  }
  return undefined
}
