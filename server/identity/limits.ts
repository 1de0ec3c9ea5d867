import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

export type Limit = { name: string; most: number; seconds: number }

const MINUTE = 60
const HOUR = 3600

/** The limits of decisions.md, Identity, and our own where it names none. */
export const limits = {
  loginPair: { name: 'login', most: 5, seconds: 15 * MINUTE },
  loginClient: { name: 'login-client', most: 100, seconds: HOUR },
  /** Past this the human check is asked for; never a lock-out. */
  loginAddress: { name: 'login-address', most: 50, seconds: HOUR },
  codeMinute: { name: 'code-minute', most: 1, seconds: MINUTE },
  codeHour: { name: 'code-hour', most: 5, seconds: HOUR },
  /** Past this the human check is asked for. */
  forgot: { name: 'forgot', most: 3, seconds: HOUR },
  /** Guesses at codes and links, and requests for codes, per client. */
  guesses: { name: 'guesses', most: 100, seconds: HOUR },
  signUpClient: { name: 'signup-client', most: 50, seconds: HOUR },
  /** Wrong guesses at the own password by somebody who is signed in. */
  oldPassword: { name: 'old-password', most: 5, seconds: 15 * MINUTE },
  /** Wrong second factors of a person, over all their logins: a right password alone buys no more guesses. */
  secondFactor: { name: 'second-factor', most: 10, seconds: HOUR },
  /** Codes of an authenticator app that is being set up. */
  totpSetup: { name: 'totp-setup', most: 10, seconds: HOUR },
  /** Codes to a new address, per person; for the address itself `codeHour` counts too. */
  changeMinute: { name: 'change-minute', most: 1, seconds: MINUTE },
  changeHour: { name: 'change-hour', most: 5, seconds: HOUR },
  /** The login page asks for one each time it is opened. */
  passkeyClient: { name: 'passkey-client', most: 300, seconds: HOUR },
} as const satisfies Record<string, Limit>

export type Counted = { allowed: boolean; used: number; retryAfterSeconds: number }

/** Which subjects a limit counts; hashed, so that no address stands in the table of counts. */
const keyOf = (limit: Limit, subject: string) => `${limit.name}:${createHash('sha256').update(subject).digest('base64url')}`

/**
 * What counts as one client: an address of IPv4, or the first 64 bits of one of IPv6, since whoever has one of those has
 * all 2^64 behind it. An IPv4 address that came mapped into IPv6 is itself.
 */
export function networkOf(address: string): string {
  const [bare = ''] = address.split('%')
  if (isIP(bare) !== 6) return address
  // the URL parser writes every spelling alike: lower case, the longest run of zeros as ::, no dotted tail
  const [head = '', tail] = new URL(`http://[${bare}]/`).hostname.slice(1, -1).split('::')
  const before = head ? head.split(':') : []
  const after = tail ? tail.split(':') : []
  const groups = tail === undefined ? before : [...before, ...Array<string>(8 - before.length - after.length).fill('0'), ...after]
  const numbers = groups.map((group) => Number.parseInt(group, 16))
  const [high = 0, low = 0] = numbers.slice(6)
  if (numbers.slice(0, 5).every((number) => number === 0) && numbers[5] === 0xffff) return [high >> 8, high & 255, low >> 8, low & 255].join('.')
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Counts one attempt in one statement, so that attempts at the same time are all counted. Windows begin with their first attempt. */
export async function count(tx: Tx, limit: Limit, subject: string, now: Date): Promise<Counted> {
  const ends = new Date(now.getTime() + limit.seconds * 1000)
  const { rows } = await sql<{ used: number; window_ends_at: Date }>`
    insert into budget (key, window_ends_at, used) values (${keyOf(limit, subject)}, ${ends}, 1)
    on conflict (key) do update set
      used = case when budget.window_ends_at <= ${now} then 1 else budget.used + 1 end,
      window_ends_at = case when budget.window_ends_at <= ${now} then excluded.window_ends_at else budget.window_ends_at end
    returning used, window_ends_at`.execute(tx)
  const { used, window_ends_at: until } = rows[0] ?? { used: 1, window_ends_at: ends }
  return { allowed: used <= limit.most, used, retryAfterSeconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)) }
}

/** Takes a counted attempt back: it was the right one. */
export async function uncount(tx: Tx, limit: Limit, subject: string): Promise<void> {
  await tx.updateTable('budget').set((e) => ({ used: e('used', '-', 1) })).where('key', '=', keyOf(limit, subject)).where('used', '>', 0).execute()
}

/** Forgets the attempts of a subject. */
export async function forgetCount(tx: Tx, limit: Limit, subject: string): Promise<void> {
  await tx.deleteFrom('budget').where('key', '=', keyOf(limit, subject)).execute()
}

/** The login was right: it does not count among the attempts, and the wrong ones of this client for this address are forgotten. */
export async function forgetAttempts(tx: Tx, email: string, network: string): Promise<void> {
  await forgetCount(tx, limits.loginPair, `${email} ${network}`)
  await uncount(tx, limits.loginClient, network)
  await uncount(tx, limits.loginAddress, email)
}
