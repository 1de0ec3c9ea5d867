import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { waitText } from '#contract/format.ts'
import type { Tx } from '../db/kysely.ts'
import { fail, type Failure } from '../errors.ts'
import { limits } from './limits.ts'
import { count } from '../http/attempts.ts'

/** Signs codes, so that a copy of the database doesn't tell them: there are only a million. */
export type CodeKey = string

const hashOf = (key: CodeKey, personId: string, code: string) =>
  createHmac('sha256', key).update(`${personId} ${code}`).digest()

/**
 * Makes a new code for a person, which replaces the one before. At most one a minute and five an hour: past that
 * answers the seconds to wait instead.
 */
export async function issueCode(
  tx: Tx,
  key: CodeKey,
  person: { id: string; email: string },
  now: Date,
): Promise<{ code: string } | { wait: number }> {
  const minute = await count(tx, limits.codeMinute, person.email, now)
  if (!minute.allowed) return { wait: minute.retryAfterSeconds }
  const hour = await count(tx, limits.codeHour, person.email, now)
  if (!hour.allowed) return { wait: hour.retryAfterSeconds }
  return { code: await keepCode(tx, key, person, now) }
}

/** Keeps a new code in place of the one before and returns it. Limits are its caller's. */
export async function keepCode(
  tx: Tx,
  key: CodeKey,
  person: { id: string; email: string },
  now: Date,
): Promise<string> {
  const code = String(randomInt(10 ** CODE.digits)).padStart(CODE.digits, '0')
  await keepHash(tx, person, hashOf(key, person.id, code), now)
  return code
}

/** Keeps what looks like a code to those who try one, and which no digits match. */
export async function keepNoCode(tx: Tx, person: { id: string; email: string }, now: Date): Promise<void> {
  await keepHash(tx, person, randomBytes(32), now)
}

async function keepHash(tx: Tx, person: { id: string; email: string }, codeHash: Buffer, now: Date): Promise<void> {
  const row = {
    code_hash: codeHash,
    email: person.email,
    expires_at: new Date(now.getTime() + CODE.minutes * 60_000),
    attempts: 0,
    issued_at: now,
  }
  await tx
    .insertInto('verification_code')
    .values({ person_id: person.id, ...row })
    .onConflict((c) => c.column('person_id').doUpdateSet(row))
    .execute()
}

export type CodeOutcome =
  | 'right'
  | Extract<ErrorCode, 'CODE_MISMATCH' | 'EXPIRED_CODE' | 'LIMIT_EXCEEDED' | 'USER_ALREADY_CONFIRMED' | 'INVALID_CODE'>

/** Tries the code of an address that nobody confirmed yet. A right one confirms the person. Does not throw: the count must commit. */
export async function tryCode(
  tx: Tx,
  key: CodeKey,
  person: { id: string; email: string; confirmed_at: Date | null },
  code: string,
  now: Date,
): Promise<CodeOutcome> {
  if (person.confirmed_at) return 'USER_ALREADY_CONFIRMED'
  const outcome = await takeCode(tx, key, person, code, now)
  if (outcome === 'right')
    await tx.updateTable('person').set({ confirmed_at: now }).where('id', '=', person.id).execute()
  return outcome
}

/**
 * Tries the code that was mailed to the address. The attempt is counted in the statement that reads the code, so that
 * guesses at the same time can't pass the limit together. A right code is used up. Does not throw: the count must
 * commit.
 */
export async function takeCode(
  tx: Tx,
  key: CodeKey,
  person: { id: string; email: string },
  code: string,
  now: Date,
): Promise<CodeOutcome> {
  const known = await tx
    .updateTable('verification_code')
    .set((e) => ({ attempts: e('attempts', '+', 1) }))
    .where('person_id', '=', person.id)
    .where('email', '=', person.email)
    .returning(['code_hash', 'expires_at', 'attempts'])
    .executeTakeFirst()
  if (!known) return 'INVALID_CODE'
  if (known.expires_at <= now) return 'EXPIRED_CODE'
  if (known.attempts > CODE.attempts) return 'LIMIT_EXCEEDED'
  if (!timingSafeEqual(known.code_hash, hashOf(key, person.id, code))) return 'CODE_MISMATCH'
  await tx.deleteFrom('verification_code').where('person_id', '=', person.id).execute()
  return 'right'
}

const words: Partial<Record<CodeOutcome, string>> = { LIMIT_EXCEEDED: 'Too many wrong codes. Request a new one.' }

/** Throws what the outcome means; returns for the right code. */
export function assertRight(outcome: CodeOutcome): void {
  if (outcome !== 'right') throw fail(outcome, words[outcome] ? { detail: words[outcome] } : {})
}

/** What someone hears who asks for a code before its time; `wait` in seconds. */
export function askedTooSoon(wait: number): Failure {
  return fail('LIMIT_EXCEEDED', {
    detail: `We just sent a code. You can request a new one in ${waitText(wait)}.`,
    meta: { retryAfterSeconds: wait },
  })
}
