import { asSystem } from '../../db/system.ts'
import type { Dependencies } from '../../dependencies.ts'
import { count, type Limit } from '../../http/attempts.ts'
import { fetchPictureFile } from '../../media/accountPicture.ts'
import { jpegInside } from '../../media/image.ts'
import { readSmall } from '../../media/preview.ts'

/** A picture of a post, by its key in the document: in the media store, or at an address on its platform. */
export type WantedPicture = { key: string } & ({ storeKey: string } | { address: string })

/** In pixels: sharp on paper, small on the wire. */
const SIDE = 640
/** A report has at most so many pictures; and it waits so long for all of them. */
const MOST = 60
const WAIT_MS = 10_000
const AT_ONCE = 6
/** A platform's picture is kept for previews that are drawn again after each change. */
const KEPT_MOST = 200
const KEPT_MS = 10 * 60_000

/** Pictures that are fetched from platforms for one organization's reports. */
const fetches = { name: 'report-pictures', most: 5_000, seconds: 3600 } as const satisfies Limit

type Deps = Pick<Dependencies, 'databases' | 'fetch' | 'media' | 'clock'>
/** Reads pictures as JPEG, by key. What can't be had in time is left out. Never throws. */
export type ReadPictures = (orgId: string, wanted: readonly WantedPicture[]) => Promise<Map<string, Uint8Array>>

/** Opens the reader of reports' pictures. No transaction may be open while it reads. */
export function openPictures({ databases, fetch, media, clock }: Deps): ReadPictures {
  const kept = new Map<string, { until: number; bytes: Promise<Uint8Array | undefined> }>()

  async function load(orgId: string, address: string, timeoutMs: number): Promise<Uint8Array | undefined> {
    const { allowed } = await asSystem(databases.system, (tx) => count(tx, fetches, orgId, clock.now()))
    const file = allowed ? await fetchPictureFile(fetch, address, { timeoutMs }) : undefined
    return file && (await drawn(file, orgId))
  }

  function find(orgId: string, address: string, timeoutMs: number): Promise<Uint8Array | undefined> {
    const name = `${orgId} ${address}`
    const now = clock.monotonic()
    const known = kept.get(name)
    if (known && known.until > now) return known.bytes
    kept.delete(name)
    const [oldest] = kept.keys()
    if (kept.size >= KEPT_MOST && oldest !== undefined) kept.delete(oldest)
    const bytes = load(orgId, address, timeoutMs)
    kept.set(name, { until: now + KEPT_MS, bytes })
    // what failed may work for the next document
    const forget = () => kept.delete(name)
    bytes.then((found) => found ?? forget(), forget)
    return bytes
  }

  return async (orgId, wanted) => {
    const until = clock.monotonic() + WAIT_MS
    const found = new Map<string, Uint8Array>()
    const left = [...new Map(wanted.map((one) => [one.key, one])).values()].slice(0, MOST)
    const work = async () => {
      for (let one = left.shift(); one; one = left.shift()) {
        const timeoutMs = until - clock.monotonic()
        if (timeoutMs <= 0) return
        const reading =
          'address' in one
            ? find(orgId, one.address, timeoutMs)
            : readSmall({ key: one.storeKey, orgId }, media).then((file) => drawn(file, orgId))
        // a report without one of its pictures is still a report
        const bytes = await reading.catch(() => undefined)
        if (bytes) found.set(one.key, bytes)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    return found
  }
}

async function drawn(file: Uint8Array, whose: string): Promise<Uint8Array | undefined> {
  const picture = await jpegInside(file, { width: SIDE, height: SIDE }, { firstFrame: true, whose })
  return picture.kind === 'picture' ? picture.bytes : undefined
}
