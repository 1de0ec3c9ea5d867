import type { ErrorCode } from '#contract/errors.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { codeOf } from '../http/problem.ts'
import { withdrawInvitesToOld } from '../invites/withdraw.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Dependencies } from '../dependencies.ts'
import { askedTooSoon, assertRight, keepCode, keepNoCode, takeCode, type CodeKey, type CodeOutcome } from './codes.ts'
import { limits } from './limits.ts'
import { count } from '../http/attempts.ts'
import { addressChangedMail, addressTakenMail, addressWillChangeMail, newAddressMail } from './mails.ts'
import { withOwnPassword } from './ownPassword.ts'
import { endSessions, isOpen } from '../people/sessions.ts'

/*
 * A change of address: the new address has to prove itself with a code, the old one is notified before and after. Only
 * its owner learns whether an address has an account: responses, limits and attempts are the same for a taken address,
 * whose code nobody has.
 */

type Caller = { personId: string; sessionId: string }
type Asking = { now: Date }
type Person = { id: string; email: string; first_name: string }

/**
 * Requests a change of address. Throws PASSWORD_WRONG, RATE_LIMITED, LIMIT_EXCEEDED, and BAD_INPUT for the current
 * address.
 */
export async function requestEmailChange(
  deps: Dependencies,
  key: CodeKey,
  { personId }: Caller,
  { email, password }: { email: string; password: string },
  now: Date,
): Promise<void> {
  const person = await withOwnPassword(deps, personId, password, now)
  if (person.email === email) throw fail('BAD_INPUT', { errors: { email: ['This is already your email address'] } })
  const asked = await asSystem(deps.databases.system, async (tx) => {
    const wait = await waitOf(tx, personId, now)
    if (wait !== undefined) return { wait }
    await tx.updateTable('person').set({ pending_email: email }).where('id', '=', personId).execute()
    return { mail: await writeCode(tx, deps, key, person, email, now) }
  })
  if (asked.wait !== undefined) throw askedTooSoon(asked.wait)
  if (asked.mail) deps.mailer.post(asked.mail)
  deps.mailer.post(addressWillChangeMail(person.email, person.first_name, email, deps.env.publicUrl))
}

/** Cancels the change; its code is void. Does nothing if there is none. */
export async function cancelEmailChange(deps: Dependencies, { personId }: Caller): Promise<void> {
  await asSystem(deps.databases.system, async (tx) => {
    const pending = await tx
      .selectFrom('person')
      .select('pending_email')
      .where('id', '=', personId)
      .forUpdate()
      .executeTakeFirst()
    if (!pending?.pending_email) return
    await tx
      .deleteFrom('verification_code')
      .where('person_id', '=', personId)
      .where('email', '=', pending.pending_email)
      .execute()
    await tx.updateTable('person').set({ pending_email: null }).where('id', '=', personId).execute()
  })
}

/** The address that waits for its code, if any. */
export async function pendingEmailOf({ databases }: Dependencies, personId: string): Promise<string | null> {
  const person = await asSystem(databases.system, (tx) =>
    tx.selectFrom('person').select('pending_email').where('id', '=', personId).executeTakeFirst(),
  )
  return person?.pending_email ?? null
}

/** Emails a new code to the pending address. Throws LIMIT_EXCEEDED. */
export async function sendNewAddressCode(
  deps: Dependencies,
  key: CodeKey,
  { personId }: Caller,
  now: Date,
): Promise<void> {
  const asked = await asSystem(deps.databases.system, async (tx) => {
    const person = await tx
      .selectFrom('person')
      .select(['id', 'email', 'first_name', 'pending_email'])
      .where('id', '=', personId)
      .executeTakeFirst()
    if (!person?.pending_email) return { mail: undefined }
    const wait = await waitOf(tx, personId, now)
    return wait !== undefined ? { wait } : { mail: await writeCode(tx, deps, key, person, person.pending_email, now) }
  })
  if (asked.wait !== undefined) throw askedTooSoon(asked.wait)
  if (asked.mail) deps.mailer.post(asked.mail)
}

async function waitOf(tx: Tx, personId: string, now: Date): Promise<number | undefined> {
  const minute = await count(tx, limits.changeMinute, personId, now)
  if (!minute.allowed) return minute.retryAfterSeconds
  const hour = await count(tx, limits.changeHour, personId, now)
  return hour.allowed ? undefined : hour.retryAfterSeconds
}

/** The email to the new address: its code, or a note to the owner of a taken one; none after five codes in an hour. */
async function writeCode(
  tx: Tx,
  { env }: Dependencies,
  key: CodeKey,
  person: Person,
  email: string,
  now: Date,
): Promise<Mail | undefined> {
  const owner = await tx
    .selectFrom('person')
    .select('first_name')
    .where('email', '=', email)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const { allowed } = await count(tx, limits.codeHour, email, now)
  if (owner || !allowed) {
    await keepNoCode(tx, { id: person.id, email }, now)
    return allowed && owner ? addressTakenMail(email, owner.first_name, env.publicUrl) : undefined
  }
  return newAddressMail(email, person.first_name, await keepCode(tx, key, { id: person.id, email }, now))
}

/**
 * Makes the pending address the account's, with its code. Other sessions, emailed links, and invitations to the old
 * address where the person is a member end, and the old address is notified. Throws CODE_MISMATCH, EXPIRED_CODE,
 * LIMIT_EXCEEDED, INVALID_CODE; USER_EXISTS if the address was taken in the meantime.
 */
export async function confirmNewEmail(
  deps: Dependencies,
  key: CodeKey,
  caller: Caller,
  code: string,
  { now }: Asking,
): Promise<void> {
  const moved = await asSystem(deps.databases.system, (tx) => moveAccount(tx, key, caller, code, { now })).catch(
    (error: unknown) => {
      // someone signed up with it at this very moment
      if (codeOf(error) === '23505') throw fail('USER_EXISTS')
      throw error
    },
  )
  if (moved.outcome === 'USER_EXISTS' || moved.outcome === 'UNAUTHORIZED') throw fail(moved.outcome)
  assertRight(moved.outcome)
  if (moved.mail) deps.mailer.post(moved.mail)
}

type Moved = { outcome: CodeOutcome | Extract<ErrorCode, 'USER_EXISTS' | 'UNAUTHORIZED'>; mail?: Mail }

/** Doesn't throw for a wrong code, because the counts must commit. */
async function moveAccount(
  tx: Tx,
  key: CodeKey,
  { personId, sessionId }: Caller,
  code: string,
  { now }: Asking,
): Promise<Moved> {
  const person = await tx
    .selectFrom('person')
    .select(['email', 'first_name', 'pending_email'])
    .where('id', '=', personId)
    .forUpdate()
    .executeTakeFirst()
  if (!person?.pending_email) return { outcome: 'INVALID_CODE' }
  // a new password may have ended the session while this waited for the lock
  if (!(await isOpen(tx, { personId, sessionId }))) return { outcome: 'UNAUTHORIZED' }
  const outcome = await takeCode(tx, key, { id: personId, email: person.pending_email }, code, now)
  if (outcome !== 'right') return { outcome }
  if (!(await isFree(tx, person.pending_email))) {
    await tx.updateTable('person').set({ pending_email: null }).where('id', '=', personId).execute()
    return { outcome: 'USER_EXISTS' }
  }
  await tx
    .updateTable('person')
    .set({ email: person.pending_email, pending_email: null })
    .where('id', '=', personId)
    .execute()
  await withdrawInvitesToOld(tx, { personId, email: person.email }, now)
  await tx
    .updateTable('reset_link')
    .set({ used_at: now })
    .where('person_id', '=', personId)
    .where('used_at', 'is', null)
    .execute()
  await endSessions(tx, personId, { except: sessionId }, now)
  return { outcome, mail: addressChangedMail(person.email, person.first_name, person.pending_email) }
}

/**
 * Whether the address is free. An unconfirmed account gives it up to the person who proved that the mailbox is theirs.
 */
async function isFree(tx: Tx, email: string): Promise<boolean> {
  const other = await tx
    .selectFrom('person')
    .select(['id', 'confirmed_at'])
    .where('email', '=', email)
    .forUpdate()
    .executeTakeFirst()
  if (!other) return true
  if (other.confirmed_at) return false
  await tx.deleteFrom('person').where('id', '=', other.id).execute()
  return true
}
