import { bluesky } from './bluesky.ts'
import { facebook } from './facebook.ts'
import { googlemybusiness } from './googlemybusiness.ts'
import { instagram } from './instagram.ts'
import { withLimits, type ChannelLimits } from './limits.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import { pinterest } from './pinterest.ts'
import type { PlatformKey, PlatformRules, PostRules, PostType } from './rules.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

/** What each platform takes. */
export const platformRules: Record<PlatformKey, PlatformRules> = {
  facebook,
  instagram,
  linkedin,
  x,
  youtube,
  pinterest,
  tiktok,
  threads,
  mastodon,
  bluesky,
  googlemybusiness,
}

/** The rules of one post type on one platform, or undefined where the platform has no such type. `limits` are those of one account. */
export function rulesFor(
  platform: PlatformKey,
  postType: PostType,
  limits?: ChannelLimits | null,
): PostRules | undefined {
  const rules = platformRules[platform].posts.find((one) => one.postType === postType)
  return rules && withLimits(rules, limits)
}
