import type { PlatformKey } from '#contract/platforms/rules.ts'
import { createBluesky } from './bluesky/adapter.ts'
import type { Platform } from './platform.ts'

/** What adapters are told of the installation. */
export type PlatformSettings = { /** The directory of accounts of the AT Protocol. */ plcDirectory: string }

/** Every platform that can be published to: answers the adapter of a key, or undefined where there is none yet. */
export function composePlatforms({ plcDirectory }: PlatformSettings): (key: PlatformKey) => Platform | undefined {
  const platforms: Partial<Record<PlatformKey, Platform>> = { bluesky: createBluesky({ plcDirectory }) }
  return (key) => platforms[key]
}
