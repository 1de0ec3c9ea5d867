import { randomUUIDv7 } from 'node:crypto'
import type { z } from 'zod'
import type { SignUp } from '#contract/identity.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { inviteById } from '../invites/access.ts'
import type { Dependencies } from '../dependencies.ts'
import { issueCode, type CodeKey } from './codes.ts'
import { limits } from './limits.ts'
import { assertWithinLimit, count, networkOf } from '../http/attempts.ts'
import { codeMail } from './mails.ts'
import { assertUncommonPassword } from './commonPasswords.ts'
import { hashPassword } from './passwords.ts'
import { endSessions, openSession } from '../people/sessions.ts'

type Asking = { address: string; client: string; now: Date }

/**
 * Creates an unconfirmed account and opens a session for it; returns the session's token. The human check comes first,
 * so that finding out who has an account is costly. An unconfirmed account with the same address is replaced: its
 * password and sessions are void. Throws BAD_INPUT for a common password, HUMAN_CHECK_FAILED, RATE_LIMITED,
 * INVITE_NOT_FOUND, USER_EXISTS.
 */
export async function signUp(
  deps: Dependencies,
  key: CodeKey,
  form: z.output<typeof SignUp>,
  { address, client, now }: Asking,
): Promise<string> {
  // before the puzzle, whose solution works once
  await assertUncommonPassword(form.password)
  if (!(await deps.human.accepts(form.token, now))) throw fail('HUMAN_CHECK_FAILED')
  // after it, so that nobody uses up the sign-ups of everyone behind the same address without solving one for each
  const asked = await asSystem(deps.databases.system, (tx) => count(tx, limits.signUpClient, networkOf(address), now))
  assertWithinLimit(asked)
  if (form.inviteId !== undefined) await assertInvited(deps, form.inviteId, form.email, now)
  const passwordHash = await hashPassword(form.password)
  const made = await asSystem(deps.databases.system, async (tx) => {
    const personId = await keepPerson(tx, form, passwordHash, now)
    // codes are limited per address: a code from a moment ago stays valid and went to the same mailbox
    const issued = await issueCode(tx, key, { id: personId, email: form.email }, now)
    return { token: await openSession(tx, personId, client, now), code: 'code' in issued ? issued.code : undefined }
  })
  if (made.code !== undefined) deps.mailer.post(codeMail(form.email, form.firstName ?? '', made.code))
  return made.token
}

/** Throws INVITE_NOT_FOUND unless the invitation can be accepted now and was sent to this address. */
async function assertInvited({ databases }: Dependencies, inviteId: string, email: string, now: Date): Promise<void> {
  const invite = await asSystem(databases.system, (tx) => inviteById(tx, inviteId, now))
  if (invite?.state !== 'open' || invite.email !== email) throw fail('INVITE_NOT_FOUND')
}

/** Inserts the person, or gives an unconfirmed address's account to the person signing up. */
async function keepPerson(tx: Tx, form: z.output<typeof SignUp>, passwordHash: string, now: Date): Promise<string> {
  const row = {
    password_hash: passwordHash,
    first_name: form.firstName ?? '',
    last_name: form.lastName ?? '',
    signup_invite_id: form.inviteId ?? null,
    created_at: now,
  }
  const inserted = await tx
    .insertInto('person')
    .values({ id: randomUUIDv7(), email: form.email, ...row })
    .onConflict((c) => c.column('email').doUpdateSet(row).where('person.confirmed_at', 'is', null))
    .returning('id')
    .executeTakeFirst()
  if (!inserted) throw fail('USER_EXISTS')
  await endSessions(tx, inserted.id, {}, now)
  return inserted.id
}
