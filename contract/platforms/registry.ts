import { bluesky } from './bluesky.ts'
import { facebook } from './facebook.ts'
import { googlemybusiness } from './googlemybusiness.ts'
import { instagram } from './instagram.ts'
import { withLimits, type ChannelLimits } from './limits.ts'
import { linkedin } from './linkedin.ts'
import { mastodon } from './mastodon.ts'
import { pinterest } from './pinterest.ts'
import {
  platformKeys,
  type AppKey,
  type AppSetup,
  type PlatformKey,
  type PlatformRules,
  type PostRules,
  type PostType,
} from './rules.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { x } from './x.ts'
import { youtube } from './youtube.ts'

/** The rules of each platform. */
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

/** The platform's name, or its key if this version doesn't know it. */
export const platformLabel = (platform: PlatformKey): string => platformRules[platform]?.label ?? platform

/**
 * The platform that an app is registered with, its name, and how to set it up; `setup` is null where nothing needs to
 * be set up.
 */
export function appNamed(key: AppKey): { platform: PlatformKey; label: string; setup: AppSetup | null } {
  for (const platform of platformKeys) {
    const { label, app, otherApps = [] } = platformRules[platform]
    if (platform === key) return { platform, label: app?.label ?? label, setup: app }
    const other = otherApps.find((one) => one.key === key)
    if (other) return { platform, label: other.setup.label ?? label, setup: other.setup }
  }
  throw new Error(`no platform has the app ${key}`)
}

/** What people call a post of this type: "Reel". Without a platform that publishes it from here, the type itself: "Video". */
export const postTypeLabel = (platform: PlatformKey | undefined, postType: PostType): string =>
  (platform && rulesFor(platform, postType)?.label) ?? `${postType.charAt(0).toUpperCase()}${postType.slice(1)}`

/**
 * The rules of one post type on one platform, or undefined if the platform has no such type. `limits` are those of one
 * account.
 */
export function rulesFor(
  platform: PlatformKey,
  postType: PostType,
  limits?: ChannelLimits | null,
): PostRules | undefined {
  const rules = platformRules[platform].posts.find((one) => one.postType === postType)
  return rules && withLimits(rules, limits)
}
