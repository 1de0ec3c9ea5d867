import type { Caller } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { acceptOnSignUp } from '../invites/acceptOnSignUp.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Dependencies } from '../dependencies.ts'
import { askedTooSoon, assertRight, issueCode, tryCode, type CodeKey, type CodeOutcome } from './codes.ts'
import { limits } from './limits.ts'
import { count, networkOf } from '../http/attempts.ts'
import { codeMail, firstPasswordMail } from './mails.ts'
import { issueResetLink } from './passwordReset.ts'
import { voidPassword } from './passwords.ts'
import { endSessions } from '../people/sessions.ts'

type Who = { email: string } | { personId: string }
type Asking = { address: string; now: Date; caller: Caller | null }

const find = (tx: Tx, who: Who) => {
  const people = tx.selectFrom('person').select(['id', 'email', 'first_name', 'confirmed_at', 'signup_invite_id'])
  return 'email' in who ? people.where('email', '=', who.email) : people.where('id', '=', who.personId)
}

/**
 * Confirms an address with the code that was emailed to it. Opens no session; the caller's own counts as confirmed from
 * the next request, and all others of the account end. Without a session of the account, its password becomes void,
 * because it may belong to someone who signed up with an address that isn't theirs, and a link to set one is emailed
 * (`passwordVoid`). With one, the invitation that the account was created from is accepted. Throws CODE_MISMATCH,
 * EXPIRED_CODE, LIMIT_EXCEEDED, USER_ALREADY_CONFIRMED, INVALID_CODE; without a session of that person always
 * CODE_MISMATCH, or LIMIT_EXCEEDED for the client itself.
 */
export async function confirmAddress(
  deps: Dependencies,
  key: CodeKey,
  who: Who,
  code: string,
  { address, now, caller }: Asking,
): Promise<{ passwordVoid: boolean }> {
  const { outcome, tells, mail, joins } = await asSystem(deps.databases.system, async (tx): Promise<Tried> => {
    // locked, so that nobody signs up over the account between reading the session and confirming
    const person = await find(tx, who).forUpdate().executeTakeFirst()
    const session = person && (await sessionOf(tx, person.id, caller))
    // with a session, the five attempts at each code are the limit, whatever others behind the same address do
    if (session === undefined && !(await count(tx, limits.guesses, networkOf(address), now)).allowed)
      return { outcome: 'LIMIT_EXCEEDED', tells: true }
    if (!person) return { outcome: 'INVALID_CODE', tells: false }
    const tried = await tryCode(tx, key, person, code, now)
    if (tried !== 'right') return { outcome: tried, tells: session !== undefined }
    await endSessions(tx, person.id, { except: session }, now)
    const { id: personId, email, signup_invite_id: inviteId } = person
    if (session !== undefined) {
      await tx.updateTable('person').set({ signup_invite_id: null }).where('id', '=', personId).execute()
      return { outcome: tried, tells: true, ...(inviteId !== null && { joins: { personId, email, inviteId } }) }
    }
    // the person who signed up may be a stranger, so the owner of the address decides about the invitation
    await tx
      .updateTable('person')
      .set({ password_hash: await voidPassword(), signup_invite_id: null })
      .where('id', '=', person.id)
      .execute()
    const link = await issueResetLink(tx, deps.env, person.id, now)
    return { outcome: tried, tells: true, mail: firstPasswordMail(person.email, person.first_name, link) }
  })
  if (!tells) throw fail('CODE_MISMATCH')
  assertRight(outcome)
  if (joins) await acceptOnSignUp(deps, { ...joins, address, now })
  if (mail) deps.mailer.post(mail)
  return { passwordVoid: mail !== undefined }
}

/** `tells` is whether the caller may learn which outcome it was. */
type Tried = {
  outcome: CodeOutcome
  tells: boolean
  mail?: Mail
  /** The invitation that this confirmation accepts. */
  joins?: { personId: string; email: string; inviteId: string }
}

/** The caller's session if it is one of that person and still open. */
async function sessionOf(tx: Tx, personId: string, caller: Caller | null): Promise<string | undefined> {
  if (caller?.personId !== personId) return undefined
  const session = await tx
    .selectFrom('session')
    .select('id')
    .where('id', '=', caller.sessionId)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return session?.id
}

/**
 * Emails a new code. Without a session of that person, this happens after the response, which is always the same:
 * neither it nor its timing reveals who has an account. Throws LIMIT_EXCEEDED (for a person at most one a minute and
 * five an hour; without a session, for a client), USER_ALREADY_CONFIRMED.
 */
export async function sendCode(
  deps: Dependencies,
  key: CodeKey,
  who: Who,
  { address, now, caller }: Asking,
): Promise<void> {
  const { asked, own } = await asSystem(deps.databases.system, async (tx) => {
    const isCallers = await isOwn(tx, who, caller)
    return { own: isCallers, asked: isCallers ? undefined : await count(tx, limits.guesses, networkOf(address), now) }
  })
  if (asked?.allowed === false) throw fail('LIMIT_EXCEEDED', { meta: { retryAfterSeconds: asked.retryAfterSeconds } })
  const write = () => asSystem(deps.databases.system, (tx) => writeCode(tx, key, who, now))
  if (!own) {
    deps.mailer.post(async () => (await write()).mail ?? null)
    return
  }
  const { mail, confirmed, wait } = await write()
  if (confirmed) throw fail('USER_ALREADY_CONFIRMED')
  if (wait !== undefined) throw askedTooSoon(wait)
  if (mail) deps.mailer.post(mail)
}

async function isOwn(tx: Tx, who: Who, caller: Caller | null): Promise<boolean> {
  if (!caller) return false
  if ('personId' in who) return who.personId === caller.personId
  const person = await find(tx, { personId: caller.personId }).executeTakeFirst()
  return person?.email === who.email
}

/** An email with a new code, or why there is none: confirmed, seconds to wait, or no such person. */
async function writeCode(
  tx: Tx,
  key: CodeKey,
  who: Who,
  now: Date,
): Promise<{ mail?: Mail; confirmed?: boolean; wait?: number }> {
  const person = await find(tx, who).executeTakeFirst()
  if (!person) return {}
  if (person.confirmed_at) return { confirmed: true }
  const issued = await issueCode(tx, key, person, now)
  return 'wait' in issued ? { wait: issued.wait } : { mail: codeMail(person.email, person.first_name, issued.code) }
}
