import type { PlatformKey } from '#contract/platforms/rules.ts'
import { createBluesky } from './bluesky/adapter.ts'
import type { Platform } from './platform.ts'

/** What adapters are told of the installation. */
export type PlatformSettings = {
  /** The directory of accounts of the AT Protocol. */
  plcDirectory: string
  /** The address that the outside reaches, for platforms that sign people in on their own page; without it there are none. */
  publicUrl?: string
}

/** Every platform that can be published to: answers the adapter of a key, or undefined where there is none yet. */
export function composePlatforms(settings: PlatformSettings): (key: PlatformKey) => Platform | undefined {
  const platforms: Partial<Record<PlatformKey, Platform>> = { bluesky: createBluesky(settings) }
  return (key) => platforms[key]
}
