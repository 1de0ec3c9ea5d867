import type { PlatformKey } from '#contract/platforms/rules.ts'
import { bluesky } from './bluesky/adapter.ts'
import type { Platform } from './platform.ts'

/** Every platform that can be published to. */
const platforms: Partial<Record<PlatformKey, Platform>> = { bluesky }

/** The adapter of a platform, or undefined where there is none yet. */
export function platformFor(key: PlatformKey): Platform | undefined {
  return platforms[key]
}
