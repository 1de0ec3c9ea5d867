import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SecretKeys } from '../sealing.ts'
import { limits } from './limits.ts'
import { count, forgetCount } from '../http/attempts.ts'
import { securityMail } from './mails.ts'
import { withOwnPassword } from './ownPassword.ts'
import { passkeysOf } from './passkeys.ts'
import { dropRecoveryCodes, keepRecoveryCodes, makeRecoveryCodes, recoveryCodesLeft } from './recoveryCodes.ts'
import { withSecondFactor } from '../people/person.ts'
import { endSessions, isOpen, markSecondFactor, unmarkWithoutFactors } from '../people/sessions.ts'
import { makeTotp, openTotp, sealTotp, stepOfCode } from './totp.ts'

type Caller = { personId: string; sessionId: string }

/** How long the setup of an app waits for its first code. */
const SETUP_MINUTES = 30

/** Which second factors someone has. In a system transaction. */
export async function readSecurity(tx: Tx, personId: string) {
  const { totp_confirmed_at: since } = await tx
    .selectFrom('person')
    .select('totp_confirmed_at')
    .where('id', '=', personId)
    .executeTakeFirstOrThrow()
  const passkeys = await passkeysOf(tx, personId)
  return { totp: since !== null, recoveryCodesLeft: await recoveryCodesLeft(tx, personId), passkeys }
}

/** How many members of an organization have neither. In a system transaction. */
export async function countWithoutSecondFactor(tx: Tx, orgId: string): Promise<number> {
  const members = await tx
    .selectFrom('member')
    .select('person_id')
    .where('org_id', '=', orgId)
    .where('removed_at', 'is', null)
    .execute()
  const ids = members.map((row) => row.person_id)
  return ids.length - (await withSecondFactor(tx, ids)).size
}

/**
 * A new secret for an authenticator app, shown once. Nothing changes before `confirmTotp`; an active app stays active
 * until then. Throws PASSWORD_WRONG, RATE_LIMITED.
 */
export async function beginTotp(
  deps: Dependencies,
  { personId }: Caller,
  password: string,
  now: Date,
): Promise<{ secret: string; uri: string }> {
  const person = await withOwnPassword(deps, personId, password, now)
  const made = makeTotp(person.email)
  const { sealed, keyId } = sealTotp(deps.secrets, personId, made.secret)
  await asSystem(deps.databases.system, (tx) =>
    tx
      .updateTable('person')
      .set({ totp_pending_sealed: sealed, totp_pending_key_id: keyId, totp_pending_at: now })
      .where('id', '=', personId)
      .execute(),
  )
  return made
}

/**
 * Turns the app on with its first code, replacing any other; returns ten recovery codes. Other sessions end, because
 * they were opened without it. Throws CODE_MISMATCH, LIMIT_EXCEEDED, and INVALID_CODE if none is being set up.
 */
export async function confirmTotp(deps: Dependencies, caller: Caller, code: string, now: Date): Promise<string[]> {
  const tried = await asSystem(deps.databases.system, async (tx) => {
    const counted = await count(tx, limits.totpSetup, caller.personId, now)
    if (!counted.allowed)
      return { failed: fail('LIMIT_EXCEEDED', { meta: { retryAfterSeconds: counted.retryAfterSeconds } }) }
    const person = await tx
      .selectFrom('person')
      .select(['email', 'first_name', 'totp_pending_sealed', 'totp_pending_key_id', 'totp_pending_at'])
      .where('id', '=', caller.personId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (!(await isOpen(tx, caller))) return { failed: fail('UNAUTHORIZED') }
    const { totp_pending_sealed: sealed, totp_pending_key_id: keyId, totp_pending_at: at } = person
    if (!sealed || keyId === null || !at || now.getTime() - at.getTime() >= SETUP_MINUTES * 60_000)
      return {
        failed: fail('INVALID_CODE', { detail: 'The setup of your authenticator app has expired. Start again.' }),
      }
    const step = stepOfCode(openTotp(deps.secrets, caller.personId, { sealed, keyId }), code, now)
    if (step === undefined)
      return {
        failed: fail('CODE_MISMATCH', {
          detail: 'That code is wrong. Enter the newest one from your app.',
          errors: { code: ['That code is wrong. Enter the newest one from your app.'] },
        }),
      }
    const on = { totp_sealed: sealed, totp_key_id: keyId, totp_confirmed_at: now, totp_last_step: step }
    await tx
      .updateTable('person')
      .set({ ...on, totp_pending_sealed: null, totp_pending_key_id: null, totp_pending_at: null })
      .where('id', '=', caller.personId)
      .execute()
    await forgetCount(tx, limits.totpSetup, caller.personId)
    await endSessions(tx, caller.personId, { except: caller.sessionId }, now)
    await markSecondFactor(tx, caller.sessionId)
    const { codes, hashes } = await makeRecoveryCodes(caller.personId)
    await keepRecoveryCodes(tx, caller.personId, hashes)
    return { person, codes }
  })
  if (tried.failed) throw tried.failed
  deps.mailer.post(
    securityMail(
      tried.person.email,
      tried.person.first_name,
      'An authenticator app was turned on for your account.',
      deps.env.publicUrl,
    ),
  )
  return tried.codes
}

/** Turns the app off; recovery codes and pending logins are void. Throws PASSWORD_WRONG, RATE_LIMITED. */
export async function disableTotp(
  deps: Dependencies,
  { personId }: Caller,
  password: string,
  now: Date,
): Promise<void> {
  const person = await withOwnPassword(deps, personId, password, now)
  const wasOn = await asSystem(deps.databases.system, async (tx) => {
    const { totp_confirmed_at: since } = await tx
      .selectFrom('person')
      .select('totp_confirmed_at')
      .where('id', '=', personId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await dropTotp(tx, personId)
    await unmarkWithoutFactors(tx, personId)
    return since !== null
  })
  if (wasOn)
    deps.mailer.post(
      securityMail(
        person.email,
        person.first_name,
        'The authenticator app was turned off for your account.',
        deps.env.publicUrl,
      ),
    )
}

async function dropTotp(tx: Tx, personId: string): Promise<void> {
  const off = {
    totp_sealed: null,
    totp_key_id: null,
    totp_confirmed_at: null,
    totp_last_step: null,
    totp_pending_sealed: null,
    totp_pending_key_id: null,
    totp_pending_at: null,
  }
  await tx.updateTable('person').set(off).where('id', '=', personId).execute()
  await dropRecoveryCodes(tx, personId)
  await tx.deleteFrom('login_challenge').where('person_id', '=', personId).execute()
}

/**
 * Removes every second factor from an address's account and ends its sessions, for an operator who verified the person.
 * Returns whether the account exists.
 */
export async function dropSecondFactors(tx: Tx, email: string, now: Date): Promise<boolean> {
  const person = await tx.selectFrom('person').select('id').where('email', '=', email).forUpdate().executeTakeFirst()
  if (!person) return false
  await dropTotp(tx, person.id)
  await tx.deleteFrom('passkey').where('person_id', '=', person.id).execute()
  await forgetCount(tx, limits.secondFactor, person.id)
  await endSessions(tx, person.id, {}, now)
  return true
}

/**
 * Replaces the recovery codes with ten new ones. Throws PASSWORD_WRONG, RATE_LIMITED, and INVALID_CODE if no app is on.
 */
export async function renewRecoveryCodes(
  deps: Dependencies,
  { personId }: Caller,
  password: string,
  now: Date,
): Promise<string[]> {
  const person = await withOwnPassword(deps, personId, password, now)
  const { codes, hashes } = await makeRecoveryCodes(personId)
  const kept = await asSystem(deps.databases.system, async (tx) => {
    const on = await tx
      .selectFrom('person')
      .select('id')
      .where('id', '=', personId)
      .where('totp_confirmed_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (on) await keepRecoveryCodes(tx, personId, hashes)
    return on !== undefined
  })
  if (!kept) throw fail('INVALID_CODE', { detail: 'Turn on the authenticator app first.' })
  deps.mailer.post(
    securityMail(
      person.email,
      person.first_name,
      'New recovery codes were created for your account. The old ones no longer work.',
      deps.env.publicUrl,
    ),
  )
  return codes
}

/**
 * Re-encrypts up to `limit` secrets of other keys with the newest one, as the system role; the setup of an app starts
 * over. Returns how many; the command that rotates keys repeats until it's 0.
 */
export async function resealTotp(tx: Tx, keys: SecretKeys, limit = 100): Promise<number> {
  const [{ id: newest }] = keys
  await tx
    .updateTable('person')
    .set({ totp_pending_sealed: null, totp_pending_key_id: null, totp_pending_at: null })
    .where('totp_pending_key_id', '!=', newest)
    .execute()
  const rows = await tx
    .selectFrom('person')
    .select(['id', 'totp_sealed', 'totp_key_id'])
    .where('totp_key_id', '!=', newest)
    .limit(limit)
    .forUpdate()
    .execute()
  for (const { id, totp_sealed: sealed, totp_key_id: keyId } of rows) {
    if (!sealed || keyId === null) continue
    const again = sealTotp(keys, id, openTotp(keys, id, { sealed, keyId }))
    await tx
      .updateTable('person')
      .set({ totp_sealed: again.sealed, totp_key_id: again.keyId })
      .where('id', '=', id)
      .execute()
  }
  return rows.length
}
