import { CompiledQuery } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { keyOf, type Limit } from '../http/attempts.ts'

const MINUTE = 60
const HOUR = 3600

/** Limits on guessing and on emails. */
export const limits = {
  loginPair: { name: 'login', most: 5, seconds: 15 * MINUTE },
  /** Beyond these two, the human check is required; never a lockout, because others share the client or the address. */
  loginClient: { name: 'login-client', most: 100, seconds: HOUR },
  loginAddress: { name: 'login-address', most: 50, seconds: HOUR },
  codeMinute: { name: 'code-minute', most: 1, seconds: MINUTE },
  codeHour: { name: 'code-hour', most: 5, seconds: HOUR },
  /** Beyond this, the human check is required. */
  forgot: { name: 'forgot', most: 3, seconds: HOUR },
  /**
   * Reset links to one address, no matter who asks and how many puzzles they solve. Each link works for an hour, so its
   * owner has some.
   */
  resetMails: { name: 'reset-mails', most: 10, seconds: HOUR },
  /**
   * Unknown links, responses with wrong passkeys or unknown challenges, and codes without a session of their person, per
   * client. What is right by itself isn't refused because others behind the same address guessed.
   */
  guesses: { name: 'guesses', most: 100, seconds: HOUR },
  /** Solved human checks. */
  signUpClient: { name: 'signup-client', most: 50, seconds: HOUR },
  /** Wrong guesses at the current password by someone with a session. */
  oldPassword: { name: 'old-password', most: 5, seconds: 15 * MINUTE },
  /** Wrong second factors of a person, over all logins: a correct password alone doesn't buy more guesses. */
  secondFactor: { name: 'second-factor', most: 10, seconds: HOUR },
  /** Codes of an authenticator app during setup. */
  totpSetup: { name: 'totp-setup', most: 10, seconds: HOUR },
  /** Codes to a new address, per person; `codeHour` also counts per address. */
  changeMinute: { name: 'change-minute', most: 1, seconds: MINUTE },
  changeHour: { name: 'change-hour', most: 5, seconds: HOUR },
  /** Pictures that a person sets, because each costs CPU time. */
  picture: { name: 'picture', most: 30, seconds: HOUR },
  /** Failed logins and refusals of one person or client that an audit log records. */
  auditedRefusals: { name: 'audited-refusals', most: 10, seconds: HOUR },
} as const satisfies Record<string, Limit>

/** What a login counts, in the order in which rows are counted and locked. */
export const attemptsOf = (email: string, network: string) =>
  [
    [limits.loginPair, `${email} ${network}`],
    [limits.loginClient, network],
    [limits.loginAddress, email],
  ] as const

/** The rows of `attemptsOf`, for FORGET_ATTEMPTS. */
export const keysOfAttempts = (email: string, network: string): string[] =>
  attemptsOf(email, network).map(([limit, subject]) => keyOf(limit, subject))

/**
 * Parts of a statement by which a successful login stops counting: its client's wrong attempts for its address are
 * forgotten, and the other two counts are decreased. `keys` is a parameter with `keysOfAttempts`; `when` selects rows.
 * Rows are locked in the order in which attempts are counted, to avoid deadlocks.
 */
export const FORGET_ATTEMPTS = (keys: string, when: string): string => `
  attempts as (select b.key, a.n from unnest(${keys}::text[]) with ordinality as a(key, n) join budget b on b.key = a.key where ${when} order by a.n for update of b),
  forgotten as (delete from budget where key in (select key from attempts where n = 1)),
  taken_back as (update budget set used = used - 1 where used > 0 and key in (select key from attempts where n > 1))`

/** A successful login doesn't count as an attempt. */
export async function forgetAttempts(tx: Tx, email: string, network: string): Promise<void> {
  await tx.executeQuery(
    CompiledQuery.raw(`with ${FORGET_ATTEMPTS('$1', 'true')} select 1`, [keysOfAttempts(email, network)]),
  )
}
