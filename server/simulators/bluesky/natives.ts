import { z } from 'zod'
import { systemClock } from '../../clock.ts'
import { momentsOf } from '../natives.ts'
import type { Accounts } from './accounts.ts'

/* Posts that people publish in Bluesky's own app, as `POST /sim/publish` and `/sim/delete` of the other platforms. */

export const Natives = z.object({
  /** The account's handle or DID. */
  from: z.string(),
  text: z.string(),
  count: z.number().int().min(1).max(5000).default(1),
  days: z.number().min(0).max(3650).default(0),
})
export const Deleted = z.object({ id: z.string() })

/** Publishes them, oldest first; returns their URIs in this order. */
export function publishNatives(accounts: Accounts, { from, text, count, days }: z.infer<typeof Natives>): string[] {
  const account = accounts.named(from)
  return momentsOf({ count, days }, systemClock.now().getTime()).map((at, nth) => {
    const rkey = keyAt(at, nth)
    account.records.set(rkey, {
      cid: 'bafyreisimulated',
      record: {
        $type: 'app.bsky.feed.post',
        text: count === 1 ? text : `${text} ${nth + 1}`,
        createdAt: new Date(at).toISOString(),
      },
    })
    return `at://${account.did}/app.bsky.feed.post/${rkey}`
  })
}

export function deleteNative(accounts: Accounts, { id }: z.infer<typeof Deleted>): void {
  const [, did = '', rkey = ''] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(id) ?? []
  accounts.known(did)?.records.delete(rkey)
}

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/** A timestamp identifier: 53 bits of microseconds and 10 more, in a base 32 that sorts by time (atproto.com/specs/tid). */
function keyAt(at: number, nth: number): string {
  const value = (BigInt(at * 1000 + (nth % 1000)) << 10n) | BigInt(nth % 1024)
  return Array.from({ length: 13 }, (_, place) => DIGITS[Number((value >> BigInt(60 - place * 5)) & 31n)]).join('')
}
