import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { createBluesky } from './bluesky/adapter.ts'
import { videoServiceFor } from './bluesky/video.ts'
import { createFacebook } from './facebook/adapter.ts'
import { createGooglemybusiness } from './googlemybusiness/adapter.ts'
import { createInstagram } from './instagram/adapter.ts'
import { createLinkedIn } from './linkedin/adapter.ts'
import { createMastodon } from './mastodon/adapter.ts'
import { createPinterest } from './pinterest/adapter.ts'
import type { ClientKey, InstanceApps, Platform } from './platform.ts'
import { createThreads } from './threads/adapter.ts'
import { createTiktok } from './tiktok/adapter.ts'
import { createX } from './x/adapter.ts'
import { withUploadGuard } from './uploadGuard.ts'
import { createYoutube } from './youtube/adapter.ts'

/** What adapters need to know about the installation. */
export type PlatformSettings = {
  /** The AT Protocol's directory of accounts. */
  plcDirectory: string
  /** The URL of the AT Protocol network's video service, or `none`; Bluesky's by default. */
  videoService?: string
  /** The URL of the simulated AT Protocol server, which is its own video service. */
  simulatedBluesky?: string
  /** The public URL, for platforms with a sign-in page; without it, those aren't available. */
  publicUrl?: string
  /** The installation's own key for platforms that ask for one; without it, it's a public client. */
  clientKey?: (key: PlatformKey) => () => Promise<ClientKey>
  /** Where apps at single servers are stored, for federated platforms. */
  instanceApps?: (key: PlatformKey) => InstanceApps
}

/**
 * Every platform's adapter, with the rules that are the same for all. Returns a function from key to adapter; undefined
 * if there is none yet.
 */
export function composePlatforms({
  clientKey,
  videoService,
  simulatedBluesky,
  ...settings
}: PlatformSettings): (key: PlatformKey) => Platform | undefined {
  const platforms: Partial<Record<PlatformKey, Platform>> = {
    bluesky: createBluesky({
      ...settings,
      videoService: videoServiceFor(videoService, simulatedBluesky),
      ...(clientKey && { clientKey: clientKey('bluesky') }),
    }),
    facebook: createFacebook(),
    googlemybusiness: createGooglemybusiness(),
    instagram: createInstagram(),
    linkedin: createLinkedIn(),
    mastodon: createMastodon({ apps: settings.instanceApps?.('mastodon') }),
    pinterest: createPinterest(),
    threads: createThreads(),
    tiktok: createTiktok(),
    x: createX(),
    youtube: createYoutube(),
  }
  const guarded = new Map(
    platformKeys.flatMap((key) => {
      const platform = platforms[key]
      return platform ? [[key, withUploadGuard(platform)] as const] : []
    }),
  )
  return (key) => guarded.get(key)
}

/** Every host that adapters call or send a browser to, except federated servers. */
export function hostsOf(platforms: (key: PlatformKey) => Platform | undefined): string[] {
  return [...new Set(platformKeys.flatMap((key) => platforms(key)?.hosts ?? []))]
}
