import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { CODE } from '#contract/constants.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { waitText } from '#contract/format.ts'
import type { Tx } from '../db/kysely.ts'
import { fail, type Failure } from '../errors.ts'
import { limits } from './limits.ts'
import { count } from '../http/attempts.ts'

/** Signs codes, so that a copy of the database doesn't reveal them: there are only a million. */
export type CodeKey = string

const hashOf = (key: CodeKey, personId: string, code: string) =>
  createHmac('sha256', key).update(`${personId} ${code}`).digest()

/**
 * Creates a code for a person, which replaces the previous one. At most one a minute and five an hour; beyond that,
 * returns the seconds to wait instead.
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

/** Stores a code in place of the previous one and returns it. Callers apply the limits. */
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

/** Stores random bytes that no digits match, so that trying a code looks the same. */
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

/**
 * Tries the code of an unconfirmed address. A valid one confirms the person. Doesn't throw, because the count must
 * commit.
 */
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
 * Tries the code that was emailed to the address. The statement that reads the code also counts the attempt, so that
 * simultaneous guesses can't exceed the limit. A valid code is used up. Doesn't throw, because the count must commit.
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

/** Throws the outcome's error; returns for a valid code. */
export function assertRight(outcome: CodeOutcome): void {
  if (outcome !== 'right') throw fail(outcome, words[outcome] ? { detail: words[outcome] } : {})
}

/** The message for requesting a code too early; `wait` in seconds. */
export function askedTooSoon(wait: number): Failure {
  return fail('LIMIT_EXCEEDED', {
    detail: `We just sent a code. You can request a new one in ${waitText(wait)}.`,
    meta: { retryAfterSeconds: wait },
  })
}
