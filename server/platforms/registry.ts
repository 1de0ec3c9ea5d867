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

/** What adapters are told of the installation. */
export type PlatformSettings = {
  /** The directory of accounts of the AT Protocol. */
  plcDirectory: string
  /** The address of the video service of the AT Protocol's network, or `none`; Bluesky's where it isn't said. */
  videoService?: string
  /** The address of the simulated server of the AT Protocol, which is its own video service. */
  simulatedBluesky?: string
  /** The address that the outside reaches, for platforms that sign people in on their own page; without it there are none. */
  publicUrl?: string
  /** The installation's own key at a platform that asks for one; without it, it is a client that anyone could be. */
  clientKey?: (key: PlatformKey) => () => Promise<ClientKey>
  /** Where apps at single servers are kept, for federated platforms. */
  instanceApps?: (key: PlatformKey) => InstanceApps
}

/** Every platform that can be published to, held to the rules that are the same for all: answers the adapter of a key, or undefined where there is none yet. */
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

/** Every host that adapters speak to or send a browser to, federated servers aside. */
export function hostsOf(platforms: (key: PlatformKey) => Platform | undefined): string[] {
  return [...new Set(platformKeys.flatMap((key) => platforms(key)?.hosts ?? []))]
}
