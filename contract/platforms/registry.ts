import { bluesky } from './bluesky.ts'
import type { PlatformKey, PlatformRules, PostRules, PostType } from './rules.ts'

/** Rules of the platforms that can be published to today; others join with their adapters. */
export const platformRules: Partial<Record<PlatformKey, PlatformRules>> = { bluesky }

/** The rules of one post type on one platform, or undefined where the platform has no such type. */
export function rulesFor(platform: PlatformKey, postType: PostType): PostRules | undefined {
  return platformRules[platform]?.posts.find((rules) => rules.postType === postType)
}
