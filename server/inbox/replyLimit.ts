import type { ReplyRules } from '#contract/platforms/inboxRules.ts'
import type { ChannelLimits } from '#contract/platforms/limits.ts'
import { platformRules } from '#contract/platforms/registry.ts'
import type { PlatformKey, TextLimit } from '#contract/platforms/rules.ts'

/** How long a reply can be: the account's own limit, where the platform counts replies as it counts posts. */
export function replyLimit(
  platform: PlatformKey,
  { limit }: Pick<ReplyRules, 'limit'>,
  limits: ChannelLimits | null,
): TextLimit {
  const isAsPosts = limit.unit === platformRules[platform].posts[0]?.text.limits[0]?.unit
  const addressLength = limits?.addressLength ?? limit.addressLength
  return {
    ...limit,
    max: (isAsPosts ? limits?.text : undefined) ?? limit.max,
    ...(addressLength !== undefined && { addressLength }),
  }
}
