import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { CompiledQuery } from 'kysely'
import { z } from 'zod'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

/** At most this many attempts within a window of this many seconds. */
export type Limit = { name: string; most: number; seconds: number }

export type Counted = { allowed: boolean; used: number; retryAfterSeconds: number }

/** The subjects of a limit; hashed, so that the table of counts contains no addresses. */
export const keyOf = (limit: Limit, subject: string) =>
  `${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`

/**
 * What counts as one client: an IPv4 address, or the first 64 bits of an IPv6 address, because anyone who has one of
 * those has all 2^64 behind it. An IPv4 address mapped into IPv6 counts as itself.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address
  // the URL parser normalizes every form: lower case, the longest run of zeros as ::, no dotted tail
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const groups =
    tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  const [high = 0, low = 0] = numbers.slice(6)
  if (numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff)
    return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Counts one attempt, see `countAll`. */
export async function count(tx: Tx, limit: Limit, subject: string, now: Date): Promise<Counted> {
  const [counted] = await countAll(tx, [[limit, subject]], now)
  return counted
}

/**
 * Counts one attempt for each limit and subject, all in one statement, so that simultaneous attempts are all counted.
 * Windows begin with their first attempt. Rows are locked in the given order, so the same limits must have the same
 * order everywhere.
 */
async function countAll<const T extends Attempts>(tx: Tx, attempts: T, now: Date): Promise<CountedOf<T>> {
  const { text, values } = counting(attempts, now)
  return countedIn((await tx.executeQuery(CompiledQuery.raw(text, values))).rows, attempts, now)
}

type Attempts = readonly (readonly [Limit, string])[]
type CountedOf<T extends Attempts> = { [K in keyof T]: Counted }

const COUNT = `
  insert into budget (key, window_ends_at, used)
  select a.key, a.ends, 1 from unnest($1::text[], $2::timestamptz[]) with ordinality as a(key, ends, n) order by a.n
  on conflict (key) do update set
    used = case when budget.window_ends_at <= $3 then 1 else budget.used + 1 end,
    window_ends_at = case when budget.window_ends_at <= $3 then excluded.window_ends_at else budget.window_ends_at end
  returning key, used, window_ends_at`
const CountedRows = z.array(z.object({ key: z.string(), used: z.int(), window_ends_at: z.date() }))

/** The statement of `countAll`, for callers that send it with their `begin`; `countedIn` reads its rows. */
export function counting(attempts: Attempts, now: Date): { text: string; values: unknown[] } {
  return {
    text: COUNT,
    values: [
      attempts.map(([limit, subject]) => keyOf(limit, subject)),
      attempts.map(([limit]) => new Date(now.getTime() + limit.seconds * 1000)),
      now,
    ],
  }
}

/** The results of `counting`, one per attempt in order. Throws if one is missing. */
export function countedIn<const T extends Attempts>(answered: unknown, attempts: T, now: Date): CountedOf<T> {
  const rows = CountedRows.parse(answered)
  const counted = attempts.map(([limit, subject]): Counted => {
    const key = keyOf(limit, subject)
    const row = rows.find((one) => one.key === key)
    // the statement returns every key that it was given
    if (!row) throw new Error(`the limit ${limit.name} was not counted`)
    return {
      allowed: row.used <= limit.most,
      used: row.used,
      retryAfterSeconds: Math.max(1, Math.ceil((row.window_ends_at.getTime() - now.getTime()) / 1000)),
    }
  })
  // one for each attempt, in their order
  return counted as CountedOf<T>
}

/** Throws RATE_LIMITED if what was counted exceeds its limit. */
export function assertWithinLimit({ allowed, retryAfterSeconds }: Counted): void {
  if (!allowed) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds } })
}

/** Forgets the attempts of a subject. */
export async function forgetCount(tx: Tx, limit: Limit, subject: string): Promise<void> {
  await tx.deleteFrom('budget').where('key', '=', keyOf(limit, subject)).execute()
}
