import type { PlatformKey } from '#contract/platforms/rules.ts'

type Address = (account: string, id: { key: string; digits: string }) => string

const addresses: Record<PlatformKey, Address> = {
  bluesky: (account, { key }) => `https://bsky.app/profile/${account}/post/${key}`,
  facebook: (account, { digits }) => `https://www.facebook.com/${account}/posts/${digits}`,
  instagram: (_, { key }) => `https://www.instagram.com/p/${key}/`,
  threads: (_, { key }) => `https://www.threads.com/t/${key}`,
  linkedin: (_, { digits }) => `https://www.linkedin.com/feed/update/urn:li:share:${digits}/`,
  x: (_, { digits }) => `https://x.com/i/status/${digits}`,
  mastodon: (account, { digits }) => `https://birdhouse.simulated/@${account}/${digits}`,
  pinterest: (_, { digits }) => `https://www.pinterest.com/pin/${digits}/`,
  tiktok: (account, { digits }) => `https://www.tiktok.com/@${account}/photo/${digits}`,
  youtube: (_, { key }) => `https://www.youtube.com/watch?v=${key}`,
  googlemybusiness: (account, { digits }) => `https://local.google.com/place?id=${account}&use=posts&lpsid=${digits}`,
}

const remoteIds: Partial<Record<PlatformKey, Address>> = {
  bluesky: (account, { key }) => `at://${account}/app.bsky.feed.post/${key}`,
  facebook: (account, { digits }) => `${account}_${digits}`,
  linkedin: (_, { digits }) => `urn:li:share:${digits}`,
  youtube: (_, { key }) => key,
  googlemybusiness: (parent, { digits }) => `${parent}/localPosts/${digits}`,
}

type SeededAccount = { platform: PlatformKey; remoteId: string; parent?: string }
type Published = { postId: string; at: Date }

/** A seeded post's URL in its platform's form. */
export const permalinkOf = ({ platform, remoteId }: SeededAccount, post: Published): string =>
  addresses[platform](encodeURIComponent(remoteId), namesOf(post))

/** A seeded post's id in its platform's form: later ones are greater, and below the simulators' own. */
export const remoteIdOf = ({ platform, remoteId, parent }: SeededAccount, post: Published): string =>
  (remoteIds[platform] ?? ((_, { digits }) => digits))(parent ?? remoteId, namesOf(post))

function namesOf({ postId, at }: Published): { key: string; digits: string } {
  const hex = postId.replaceAll('-', '')
  const number = Math.floor(at.getTime() / 1000) * 8000 + (Number.parseInt(hex.slice(-8), 16) % 8000)
  return { key: hex.slice(-11), digits: String(number) }
}
