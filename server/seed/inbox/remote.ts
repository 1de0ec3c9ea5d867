import { createHash } from 'node:crypto'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { RemotePerson } from '../../platforms/inbox.ts'
import { Accounts, pictureOf } from '../../simulators/bluesky/accounts.ts'
import type { SeededChannel } from '../posts.ts'

/* People and what they write, under ids as each platform gives them. */

const people = new Accounts(() => 7200)

const profiles: Record<PlatformKey, (handle: string, id: string) => string | null> = {
  bluesky: (handle) => `https://bsky.app/profile/${handle}`,
  mastodon: (handle) => `https://birdhouse.simulated/@${handle}`,
  facebook: (handle) => `https://www.facebook.com/${handle}`,
  instagram: (handle) => `https://www.instagram.com/${handle}/`,
  threads: (handle) => `https://www.threads.com/@${handle}`,
  linkedin: (handle) => `https://www.linkedin.com/in/${handle}`,
  x: (handle) => `https://x.com/${handle}`,
  youtube: (handle) => `https://www.youtube.com/@${handle}`,
  googlemybusiness: (_, id) => `https://www.google.com/maps/contrib/${id}`,
  tiktok: () => null,
  pinterest: () => null,
}

/** Someone by their name, the same on every channel of a platform. */
export function personNamed(platform: PlatformKey, name: string): RemotePerson {
  const digits = digitsOf(`${platform} ${name}`)
  const letters = name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '')
  const handle = letters || `user${digits.slice(-6)}`
  if (platform === 'bluesky') {
    const account = people.named(`${handle}.sim.test`)
    return {
      remoteId: account.did,
      name,
      handle: `@${account.handle}`,
      pictureUrl: pictureOf(account),
      url: profiles.bluesky(account.handle, digits),
    }
  }
  return {
    remoteId: platform === 'linkedin' ? `urn:li:person:${digits}` : digits,
    name,
    // reviews show names only
    handle: platform === 'googlemybusiness' ? '' : `@${handle}`,
    pictureUrl: `https://${platform}.simulated/pictures/${handle}.png`,
    url: profiles[platform](handle, digits),
  }
}

/** The platform's id of what was written: the same for the same place. `by`: the author's. */
export function itemId(
  { platform, remoteId }: Pick<SeededChannel, 'platform' | 'remoteId'>,
  kind: ConversationKind,
  by: string,
  place: string,
): string {
  const digits = digitsOf(`${remoteId} ${place}`)
  if (platform === 'bluesky')
    return kind === 'message' ? `message${digits}` : `at://${by}/app.bsky.feed.post/3${digits.slice(0, 12)}`
  if (platform === 'linkedin') return `urn:li:comment:(urn:li:activity:${digitsOf(place)},${digits})`
  if (platform === 'googlemybusiness') return `${remoteId}/reviews/${digits}`
  return digits
}

/** Sixteen digits that follow from a text. */
const digitsOf = (text: string): string =>
  String(
    1_000_000_000_000_000 +
      Number(createHash('sha256').update(text).digest().readBigUInt64BE() % 8_999_999_999_999_999n),
  )
