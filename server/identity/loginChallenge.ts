import { randomBytes } from 'node:crypto'
import type { ErrorCode } from '#contract/errors.ts'
import { waitText } from '#contract/format.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail, type Failure } from '../errors.ts'
import { hashToken } from '../http/session.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Dependencies } from '../dependencies.ts'
import { forgetAttempts, limits } from './limits.ts'
import { count, forgetCount, networkOf } from '../http/attempts.ts'
import { recoveryCodeUsedMail, secondFactorGuessedMail } from './mails.ts'
import { recoveryCodesLeft, useRecoveryCode } from './recoveryCodes.ts'
import { openSessionInstead, type Browser } from '../people/sessions.ts'
import { openTotp, stepOfCode } from './totp.ts'

const MINUTES = 5
const ATTEMPTS = 5

/** Creates the token that finishes a login with a correct password: valid once, for 5 minutes and 5 attempts. */
export async function issueChallenge(tx: Tx, personId: string, now: Date): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('login_challenge')
    .values({
      token_hash: hashToken(token),
      person_id: personId,
      expires_at: new Date(now.getTime() + MINUTES * 60_000),
    })
    .execute()
  return token
}

/**
 * Finishes a login with a code from the authenticator app or a recovery code; returns the session's token. Attempts are
 * counted for the challenge, the person and the client before the code is checked. Throws CODE_MISMATCH (also for a
 * used code), EXPIRED_CODE (also for an unknown or used challenge), LIMIT_EXCEEDED.
 */
export async function finishLogin(
  deps: Dependencies,
  { challenge, code, ...browser }: Browser & { challenge: string; code: string },
): Promise<string> {
  const tried = await asSystem(deps.databases.system, (tx) => tryFactor(tx, deps, challenge, code, browser))
  if (tried.mail) deps.mailer.post(tried.mail)
  const event = 'token' in tried ? 'login.succeeded' : tried.wait === undefined ? 'login.failed' : 'login.throttled'
  deps.security.record({ event, address: browser.address, personId: tried.personId ?? null })
  if ('token' in tried) return tried.token
  throw refusalOf(tried)
}

type Outcome = Extract<ErrorCode, 'CODE_MISMATCH' | 'EXPIRED_CODE' | 'LIMIT_EXCEEDED'>
/** `wait`: seconds until the limit ends, if waiting helps. */
type Refused = { outcome: Outcome; wait?: number }
type Tried = ({ token: string } | Refused) & { personId?: string; mail?: Mail }

const details: Record<Outcome, string> = {
  CODE_MISMATCH: 'That code is wrong or was already used. Enter the newest one from your app.',
  EXPIRED_CODE: 'This login took too long. Enter your password again.',
  LIMIT_EXCEEDED: 'Too many wrong codes. Log in again.',
}

const refusalOf = ({ outcome, wait }: Refused): Failure =>
  wait === undefined
    ? fail(outcome, { detail: details[outcome] })
    : fail(outcome, {
        detail: `Too many wrong codes. Try again in ${waitText(wait)}.`,
        meta: { retryAfterSeconds: wait },
      })

/** Doesn't throw, because the counts must commit. */
async function tryFactor(
  tx: Tx,
  deps: Dependencies,
  challenge: string,
  code: string,
  browser: Browser,
): Promise<Tried> {
  const { now } = browser
  const network = networkOf(browser.address)
  const asked = await tx
    .selectFrom('login_challenge')
    .select('person_id')
    .where('token_hash', '=', hashToken(challenge))
    .executeTakeFirst()
  if (!asked) {
    const guesses = await count(tx, limits.guesses, network, now)
    return guesses.allowed
      ? { outcome: 'EXPIRED_CODE' }
      : { outcome: 'LIMIT_EXCEEDED', wait: guesses.retryAfterSeconds }
  }
  // the person before the challenge, the order in which a new password locks them too, and challenges end with it
  const person = await tx
    .selectFrom('person')
    .select(['id', 'email', 'first_name', 'totp_sealed', 'totp_key_id'])
    .where('id', '=', asked.person_id)
    .forUpdate()
    .executeTakeFirst()
  const known = await tx
    .updateTable('login_challenge')
    .set((e) => ({ attempts: e('attempts', '+', 1) }))
    .where('token_hash', '=', hashToken(challenge))
    .returning(['expires_at', 'attempts'])
    .executeTakeFirst()
  if (!person || !known || known.expires_at <= now) return { outcome: 'EXPIRED_CODE' }
  if (known.attempts > ATTEMPTS) return { outcome: 'LIMIT_EXCEEDED', personId: person.id }
  const counted = await count(tx, limits.secondFactor, person.id, now)
  if (counted.used === limits.secondFactor.most + 1)
    return {
      outcome: 'LIMIT_EXCEEDED',
      wait: counted.retryAfterSeconds,
      personId: person.id,
      mail: secondFactorGuessedMail(person.email, person.first_name, deps.env.publicUrl),
    }
  if (!counted.allowed) return { outcome: 'LIMIT_EXCEEDED', wait: counted.retryAfterSeconds, personId: person.id }
  const byRecovery = code.length > 6
  const right = byRecovery
    ? await useRecoveryCode(tx, person.id, code, now)
    : await useTotp(tx, deps, person, code, now)
  if (!right) return { outcome: 'CODE_MISMATCH', personId: person.id }
  await tx.deleteFrom('login_challenge').where('token_hash', '=', hashToken(challenge)).execute()
  await forgetCount(tx, limits.secondFactor, person.id)
  const token = await openSessionInstead(tx, person.id, browser, true)
  await forgetAttempts(tx, person.email, network)
  return byRecovery
    ? {
        token,
        personId: person.id,
        mail: recoveryCodeUsedMail(
          person.email,
          person.first_name,
          await recoveryCodesLeft(tx, person.id),
          deps.env.publicUrl,
        ),
      }
    : { token, personId: person.id }
}

/** Whether the code is the app's, for a later step than the last one used. */
async function useTotp(
  tx: Tx,
  { secrets }: Dependencies,
  person: { id: string; totp_sealed: Buffer | null; totp_key_id: string | null },
  code: string,
  now: Date,
): Promise<boolean> {
  if (!person.totp_sealed || person.totp_key_id === null) return false
  const step = stepOfCode(
    openTotp(secrets, person.id, { sealed: person.totp_sealed, keyId: person.totp_key_id }),
    code,
    now,
  )
  if (step === undefined) return false
  const taken = await tx
    .updateTable('person')
    .set({ totp_last_step: step })
    .where('id', '=', person.id)
    .where((e) => e.or([e('totp_last_step', 'is', null), e('totp_last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst()
  return taken !== undefined
}
