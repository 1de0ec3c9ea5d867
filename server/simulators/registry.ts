import { facebookSimulator } from './facebook.ts'
import { googleMyBusinessSimulator } from './googlemybusiness.ts'
import { instagramSimulator } from './instagram.ts'
import { linkedinSimulator } from './linkedin.ts'
import { mastodonSimulator } from './mastodon.ts'
import { pinterestSimulator } from './pinterest.ts'
import type { Surroundings } from './pull.ts'
import { threadsSimulator } from './threads.ts'
import { tiktokSimulator } from './tiktok.ts'
import type { PlatformSimulator } from './world.ts'
import { xSimulator } from './x.ts'
import { youtubeSimulator } from './youtube.ts'

/** Every simulated platform. If two share a host, the one that recognizes its own calls comes first. */
export function simulators(around: Surroundings): PlatformSimulator[] {
  const facebook = facebookSimulator(around)
  const youtube = youtubeSimulator()
  return [
    instagramSimulator(around, facebook.world),
    facebook,
    threadsSimulator(around),
    xSimulator(),
    youtube,
    googleMyBusinessSimulator(around, youtube.world),
    linkedinSimulator(),
    pinterestSimulator(around),
    tiktokSimulator(around),
    mastodonSimulator(),
  ]
}
