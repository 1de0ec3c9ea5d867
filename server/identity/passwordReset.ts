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
import { assertWithinLimit, count, forgetCount, networkOf } from '../http/attempts.ts'
import { assertHuman } from './login.ts'
import { passwordChangedMail, RESET_HOURS, resetMail } from './mails.ts'
import { withOwnPassword, wrongPassword } from './ownPassword.ts'
import { passkeysOf } from './passkeys.ts'
import { hashNewPassword } from './passwords.ts'
import { endSessions } from '../people/sessions.ts'

/**
 * Emails a link to set a new password, if there is such an account. It's looked up after the response, so that timing
 * reveals nothing. After 3 requests in an hour from a client or for an address, the human check is required; beyond 10
 * emails in an hour, the response is the same and nothing is sent.
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
    // locked, so that a change of address either comes before, and there's no such person, or after, and ends the link
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

/**
 * Creates a link to set a new password, which works once within an hour, and returns it. Only the token's hash is
 * stored.
 */
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
 * Sets a new password with an emailed link, which works once. Ends every session, every other link and a pending change
 * of address. A second factor stays on, because a mailbox isn't a second factor. Confirms the address, and clears this
 * client's wrong attempts. Throws RESET_LINK_INVALID, RATE_LIMITED, and BAD_INPUT for a common password.
 */
export async function resetPassword(
  deps: Dependencies,
  { token, password, address, now }: { token: string; password: string; address: string; now: Date },
): Promise<void> {
  await assertKnownLink(deps, token, address, now)
  const passwordHash = await hashNewPassword(password)
  const person = await asSystem(deps.databases.system, async (tx) => {
    const link = await tx
      .selectFrom('reset_link')
      .select('person_id')
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst()
    if (!link) return undefined
    // before anything else: a login with the old password has either opened its session by then, or won't
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
    // someone who guessed at the second factor knew the password, and no longer does
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
    // only this client proved that it has the mailbox: the wrong attempts of others, and of all together, stay counted
    await forgetCount(tx, limits.loginPair, `${owner.email} ${networkOf(address)}`)
    return { ...owner, id: used.person_id, passkeys: (await passkeysOf(tx, used.person_id)).length }
  })
  if (!person) throw fail('RESET_LINK_INVALID')
  deps.security.record({ event: 'password.reset', address, personId: person.id })
  deps.mailer.post(passwordChangedMail(person.email, person.first_name, person.passkeys, deps.env.publicUrl))
}

/**
 * Throws RESET_LINK_INVALID for a link that we never sent, before a password is hashed for it; RATE_LIMITED for a client
 * with too many of them, whose real links keep working.
 */
async function assertKnownLink({ databases }: Dependencies, token: string, address: string, now: Date): Promise<void> {
  const guesses = await asSystem(databases.system, async (tx) => {
    const known = await tx
      .selectFrom('reset_link')
      .select('person_id')
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirst()
    return known ? undefined : await count(tx, limits.guesses, networkOf(address), now)
  })
  if (!guesses) return
  assertWithinLimit(guesses)
  throw fail('RESET_LINK_INVALID')
}

/**
 * Changes the caller's password; other sessions end. Throws PASSWORD_WRONG for a wrong one, including one that was
 * replaced in the meantime; RATE_LIMITED after five; BAD_INPUT for a new one that is common or the same.
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
    // only replaces the password that was checked: an emailed link may have set another one since
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
