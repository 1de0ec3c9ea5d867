import type { SafeFetch } from '../platforms/safeFetch.ts'
import { squarePicture } from './image.ts'

/** The size of an account's picture in pixels: the largest that a screen shows, on a high-density display. */
const SIDE = 128
/** The maximum download, in bytes. Account pictures have at most 2 MB on every platform. */
const MOST_BYTES = 3_000_000
const MOST_PIXELS = 16_000_000
const TIMEOUT_MS = 8_000
const REDIRECTS = 3

/**
 * Fetches a picture from a platform, such as an account's, and redraws it as a small square WebP, so that only its pixels are kept.
 * Undefined if it isn't an image, is too large or too slow, or is at an address that can't be reached. Never throws.
 * `whose`: the organization that waits for it. `side` is in
 * pixels.
 */
export async function fetchAccountPicture(
  fetch: SafeFetch,
  url: string,
  whose: string,
  { signal, side = SIDE }: { signal?: AbortSignal; side?: number } = {},
): Promise<Buffer | undefined> {
  const found = await fetchPictureFile(fetch, url, signal ? { signal } : {})
  if (!found) return undefined
  // too many of the organization's images may be waiting: an account without a picture is still an account
  const drawn = await squarePicture(found, side, { firstFrame: true, pixels: MOST_PIXELS, whose }).catch(
    () => undefined,
  )
  return drawn?.kind === 'picture' ? drawn.bytes : undefined
}

/** The file of a picture on a platform, as it is there; undefined if it's too large or too slow, or can't be reached. Never throws. */
export async function fetchPictureFile(
  fetch: SafeFetch,
  url: string,
  { signal, timeoutMs = TIMEOUT_MS }: { signal?: AbortSignal; timeoutMs?: number } = {},
): Promise<Uint8Array | undefined> {
  const answer = await fetch(url, {
    headers: { accept: 'image/webp,image/png,image/jpeg,image/*;q=0.5', 'accept-encoding': 'identity' },
    timeoutMs,
    maxBytes: MOST_BYTES,
    redirects: REDIRECTS,
    ...(signal && { signal }),
  })
  return answer.kind === 'answer' && answer.status === 200 ? answer.body : undefined
}
