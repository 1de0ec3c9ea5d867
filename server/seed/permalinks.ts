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

/** A seeded post's URL in its platform's form. */
export function permalinkOf(
  { platform, remoteId }: { platform: PlatformKey; remoteId: string },
  postId: string,
): string {
  const hex = postId.replaceAll('-', '')
  return addresses[platform](encodeURIComponent(remoteId), {
    key: hex.slice(-11),
    digits: String(Number.parseInt(hex.slice(-12), 16)),
  })
}
