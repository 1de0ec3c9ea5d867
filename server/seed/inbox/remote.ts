import { createHash } from 'node:crypto'
import type { ConversationKind } from '#contract/inbox/terms.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { RemotePerson } from '../../platforms/inbox.ts'
import { Accounts, pictureOf } from '../../simulators/bluesky/accounts.ts'
import { convoOf } from '../../simulators/bluesky/people.ts'
import type { SeededChannel } from '../seededProject.ts'

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

/** What an id of something written follows from. */
export type Written = {
  kind: ConversationKind
  /** The author's id. */
  by: string
  /** Unique in the channel. */
  place: string
  at: Date
  /** The conversation's first item, and what it's about; null where there is none. */
  root: string | null
  subject: string | null
}

/** The platform's id of what was written, as its adapter reads it. Later ones are greater, and below the simulators' own. */
export function itemId(
  { platform, remoteId }: Pick<SeededChannel, 'platform' | 'remoteId'>,
  { kind, by, place, at, root, subject }: Written,
): string {
  const digits = numberAt(at, `${remoteId} ${place}`)
  if (platform === 'bluesky')
    return kind === 'message' ? `message${digits}` : `at://${by}/app.bsky.feed.post/3${digits.padStart(15, '2')}`
  if (platform === 'linkedin')
    return kind === 'mention' && root === null
      ? `urn:li:share:${digits}`
      : `urn:li:comment:(${(kind === 'mention' ? root : subject) ?? ''},${digits})`
  if (platform === 'googlemybusiness') return root === null ? `AbFvOq${digits}` : `${root}/reply@${at.getTime()}`
  return digits
}

/** The id of a post of the channel that the seed has no row for. */
export const postIdOf = ({ remoteId }: Pick<SeededChannel, 'remoteId'>, about: string): string =>
  digitsOf(`${remoteId} ${about}`)

/** What the adapters name a conversation by; `root` is its first item. */
export function threadKeyOf(
  { platform, remoteId }: Pick<SeededChannel, 'platform' | 'remoteId'>,
  { kind, root, subject, person }: { kind: ConversationKind; root: string; subject: string | null; person: string },
): string {
  if (platform === 'x' && kind !== 'message') return `${subject ?? root}:${person}`
  if (kind !== 'message') return root
  if (platform === 'bluesky') return convoOf(remoteId, person)
  return platform === 'x' ? [remoteId, person].toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)).join('-') : person
}

/** Fourteen digits that begin with the time. */
const numberAt = (at: Date, text: string): string =>
  String(Math.floor(at.getTime() / 1000) * 8000 + (Number(digitsOf(text).slice(-6)) % 8000))

/** Sixteen digits that follow from a text. */
const digitsOf = (text: string): string =>
  String(
    1_000_000_000_000_000 +
      Number(createHash('sha256').update(text).digest().readBigUInt64BE() % 8_999_999_999_999_999n),
  )
