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
  googlemybusiness: (account, { digits }) => `${account}/localPosts/${digits}`,
}

type SeededAccount = { platform: PlatformKey; remoteId: string }

/** A seeded post's URL in its platform's form. */
export const permalinkOf = ({ platform, remoteId }: SeededAccount, postId: string): string =>
  addresses[platform](encodeURIComponent(remoteId), namesOf(postId))

/** A seeded post's id in its platform's form. */
export const remoteIdOf = ({ platform, remoteId }: SeededAccount, postId: string): string =>
  (remoteIds[platform] ?? ((_, { digits }) => digits))(remoteId, namesOf(postId))

function namesOf(postId: string): { key: string; digits: string } {
  const hex = postId.replaceAll('-', '')
  return { key: hex.slice(-11), digits: String(Number.parseInt(hex.slice(-12), 16)) }
}
