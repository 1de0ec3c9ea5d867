import { createHmac, timingSafeEqual } from 'node:crypto'
import type { offeredPicture } from '#contract/channels.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Bytes, Context } from '../http/route.ts'
import { assertWithinLimit, count, type Limit } from '../http/attempts.ts'
import { fetchAccountPicture } from '../media/accountPicture.ts'
import type { Dependencies } from '../dependencies.ts'
import { installationSecret } from '../secret.ts'
import { pictureHeaders, pictureSource } from './pictures.ts'

/*
 * Pictures of accounts that aren't connected: those offered while connecting, and people found in a lookup. They aren't
 * stored: the server fetches them for a signed URL of ours, valid for an hour or two, so that browsers never contact a
 * platform.
 */

const HOUR_MS = 3_600_000
/** A node caches this many drawn pictures, about 4 kB each, for ten minutes. */
const KEPT_MOST = 500
const KEPT_MS = 10 * 60_000

/** Pictures that are fetched for one organization's lookups and offers. */
const fetches = { name: 'offered-pictures', most: 5_000, seconds: 3600 } as const satisfies Limit

type LinkDeps = Pick<Dependencies, 'env'>
const keyOf = ({ env }: LinkDeps): string => installationSecret(env, 'pictures of accounts')

/** Binds a URL to the organization that may see it, and to its expiry. */
const signatureOf = (key: string, orgId: string, address: string, until: number): Buffer =>
  createHmac('sha256', key).update(`${orgId} ${until} ${address}`).digest()

/**
 * Creates our own URL for a platform's picture, for members of the organization; null for one that may not be fetched.
 */
export type PictureLink = (orgId: string, url: string | null, now: Date) => string | null

/** URLs are valid for one to two hours and stay the same within an hour, so that browsers request them once. */
export function pictureLinks(deps: LinkDeps): PictureLink {
  const key = keyOf(deps)
  return (orgId, url, now) => {
    const address = pictureSource(url)
    if (address === null) return null
    const until = (Math.floor(now.getTime() / HOUR_MS) + 2) * HOUR_MS
    const signature = signatureOf(key, orgId, address, until).toString('base64url')
    return `/api/${orgId}/account-picture?${new URLSearchParams({ address, until: String(until), signature }).toString()}`
  }
}

/** Returns what `pictureLinks` signed. Throws NOT_FOUND for any other URL and if there's no picture, RATE_LIMITED. */
export function openForeignPictures(
  deps: Pick<Dependencies, 'env' | 'fetch' | 'databases'>,
): (c: Context<typeof offeredPicture>) => Promise<() => Promise<Bytes>> {
  const key = keyOf(deps)
  const kept = new Map<string, { until: number; bytes: Promise<Buffer | undefined> }>()

  async function load(orgId: string, address: string, now: Date): Promise<Buffer | undefined> {
    assertWithinLimit(await asSystem(deps.databases.system, (tx) => count(tx, fetches, orgId, now)))
    return await fetchAccountPicture(deps.fetch, address, orgId)
  }

  /** Cached before it arrives, so that two simultaneous requests ask the platform once. Failures are cached too. */
  function find(orgId: string, address: string, now: Date): Promise<Buffer | undefined> {
    const name = `${orgId} ${address}`
    const known = kept.get(name)
    if (known && known.until > now.getTime()) return known.bytes
    kept.delete(name)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_MOST && oldest !== undefined) kept.delete(oldest)
    const bytes = load(orgId, address, now)
    kept.set(name, { until: now.getTime() + KEPT_MS, bytes })
    bytes.catch(() => kept.delete(name))
    return bytes
  }

  return async ({ org: { orgId }, query: { address, until, signature }, now }) => {
    const given = Buffer.from(signature, 'base64url')
    const expected = signatureOf(key, orgId, address, until)
    if (given.length !== expected.length || !timingSafeEqual(given, expected) || until <= now.getTime())
      throw fail('NOT_FOUND')
    return async () => {
      const bytes = await find(orgId, address, now)
      if (!bytes) throw fail('NOT_FOUND')
      return {
        bytes,
        contentType: 'image/webp',
        length: bytes.length,
        headers: pictureHeaders('private, max-age=3600'),
      }
    }
  }
}
