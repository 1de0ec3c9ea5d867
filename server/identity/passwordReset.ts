import { randomBytes } from 'node:crypto'
import { webLinks } from '#contract/webLinks.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'
import { hashToken } from '../http/session.ts'
import type { Mail } from '../mail/mailer.ts'
import type { Dependencies } from '../dependencies.ts'
import { limits } from './limits.ts'
import { count, forgetCount, networkOf } from '../http/attempts.ts'
import { assertHuman } from './login.ts'
import { passwordChangedMail, RESET_HOURS, resetMail } from './mails.ts'
import { withOwnPassword, wrongPassword } from './ownPassword.ts'
import { passkeysOf } from './passkeys.ts'
import { hashNewPassword } from './passwords.ts'
import { endSessions } from './sessions.ts'

/**
 * Mails a link that sets a new password, when there is such an account: looked up after the answer, so that its time
 * tells nothing. After 3 requests in an hour from a client or for an address the human check is asked for; past 10 mails
 * in an hour the answer is the same and nothing is sent.
 */
export async function requestReset(
  deps: Dependencies,
  { email, token, address, now }: { email: string; token?: string | undefined; address: string; now: Date },
): Promise<void> {
  const [byClient, byAddress] = await asSystem(
    deps.databases.system,
    async (tx) =>
      [
        await count(tx, limits.forgot, `client ${networkOf(address)}`, now),
        await count(tx, limits.forgot, `address ${email}`, now),
      ] as const,
  )
  if (!byClient.allowed || !byAddress.allowed) await assertHuman(deps, token, now)
  deps.mailer.post(() => writeResetMail(deps, email, now))
}

async function writeResetMail({ databases, env }: Dependencies, email: string, now: Date): Promise<Mail | null> {
  return await asSystem(databases.system, async (tx) => {
    // locked, so that a change of address comes before, and there is no such person, or after, and ends the link
    const person = await tx
      .selectFrom('person')
      .select(['id', 'first_name'])
      .where('email', '=', email)
      .forShare()
      .executeTakeFirst()
    if (!person || !(await count(tx, limits.resetMails, email, now)).allowed) return null
    return resetMail(email, person.first_name, await issueResetLink(tx, env, person.id, now))
  })
}

/** Makes a link that sets a new password, once and within the hour, and returns it. Stored is only the token's hash. */
export async function issueResetLink(
  tx: Tx,
  { publicUrl }: Pick<Env, 'publicUrl'>,
  personId: string,
  now: Date,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('reset_link')
    .values({
      token_hash: hashToken(token),
      person_id: personId,
      expires_at: new Date(now.getTime() + RESET_HOURS * 3_600_000),
      used_at: null,
    })
    .execute()
  return `${publicUrl}${webLinks.resetPassword(token)}`
}

/**
 * Sets a new password by a mailed link, which works once. Ends every session, every other link and a change of address
 * under way; a second factor stays on, since a mailbox is no second factor. Whoever reads the mailbox has confirmed the
 * address. The wrong passwords that this
 * client tried before count no more. Throws RESET_LINK_INVALID, RATE_LIMITED, and BAD_INPUT for a common password.
 */
export async function resetPassword(
  deps: Dependencies,
  { token, password, address, now }: { token: string; password: string; address: string; now: Date },
): Promise<void> {
  const asked = await asSystem(deps.databases.system, (tx) => count(tx, limits.guesses, networkOf(address), now))
  if (!asked.allowed) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds: asked.retryAfterSeconds } })
  const passwordHash = await hashNewPassword(password)
  const person = await asSystem(deps.databases.system, async (tx) => {
    const link = await tx
      .selectFrom('reset_link')
      .select('person_id')
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst()
    if (!link) return undefined
    // before anything else: a login that still holds the old password has opened its session by then, or will not
    await tx.selectFrom('person').select('id').where('id', '=', link.person_id).forUpdate().execute()
    const used = await tx
      .updateTable('reset_link')
      .set({ used_at: now })
      .where('token_hash', '=', hashToken(token))
      .where('used_at', 'is', null)
      .where('expires_at', '>', now)
      .returning('person_id')
      .executeTakeFirst()
    if (!used) return undefined
    await tx
      .updateTable('reset_link')
      .set({ used_at: now })
      .where('person_id', '=', used.person_id)
      .where('used_at', 'is', null)
      .execute()
    await tx.deleteFrom('verification_code').where('person_id', '=', used.person_id).execute()
    // whoever guessed at the second factor knew the password: they no longer do
    await forgetCount(tx, limits.secondFactor, used.person_id)
    await forgetCount(tx, limits.oldPassword, used.person_id)
    await endSessions(tx, used.person_id, {}, now)
    const owner = await tx
      .updateTable('person')
      .set((e) => ({
        password_hash: passwordHash,
        pending_email: null,
        confirmed_at: e.fn.coalesce('confirmed_at', e.val(now)),
      }))
      .where('id', '=', used.person_id)
      .returning(['email', 'first_name'])
      .executeTakeFirstOrThrow()
    // the mailbox was proven from this client alone: the wrong passwords of others, and of all together, stay counted
    await forgetCount(tx, limits.loginPair, `${owner.email} ${networkOf(address)}`)
    return { ...owner, id: used.person_id, passkeys: (await passkeysOf(tx, used.person_id)).length }
  })
  if (!person) throw fail('RESET_LINK_INVALID')
  deps.security.record({ event: 'password.reset', address, personId: person.id })
  deps.mailer.post(passwordChangedMail(person.email, person.first_name, person.passkeys, deps.env.publicUrl))
}

/**
 * Changes the own password; the other sessions end. Throws PASSWORD_WRONG for a wrong old one, also for one that was
 * replaced meanwhile; RATE_LIMITED after five; BAD_INPUT for a new one that is common or the same.
 */
export async function changePassword(
  deps: Dependencies,
  caller: { personId: string; sessionId: string },
  { oldPassword, password, now }: { oldPassword: string; password: string; now: Date },
): Promise<void> {
  const person = await withOwnPassword(deps, caller.personId, oldPassword, now, 'oldPassword')
  if (password === oldPassword)
    throw fail('BAD_INPUT', { errors: { password: ["Choose a password that's different from your current one"] } })
  const passwordHash = await hashNewPassword(password)
  const passkeys = await asSystem(deps.databases.system, async (tx) => {
    // only the password that was looked at: a mailed link may have set another one since
    const changed = await tx
      .updateTable('person')
      .set({ password_hash: passwordHash })
      .where('id', '=', caller.personId)
      .where('password_hash', '=', person.password_hash)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw wrongPassword('oldPassword')
    await tx
      .updateTable('reset_link')
      .set({ used_at: now })
      .where('person_id', '=', caller.personId)
      .where('used_at', 'is', null)
      .execute()
    await forgetCount(tx, limits.secondFactor, caller.personId)
    await endSessions(tx, caller.personId, { except: caller.sessionId }, now)
    return await passkeysOf(tx, caller.personId)
  })
  deps.mailer.post(passwordChangedMail(person.email, person.first_name, passkeys.length, deps.env.publicUrl))
}
