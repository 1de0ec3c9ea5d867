import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { count, forgetCount, limits, networkOf, uncount } from './limits.ts'
import { isPassword } from './passwords.ts'
import { endSessions, openSession } from './sessions.ts'

type Asking = { email: string; password: string; token?: string | undefined; address: string; client: string; now: Date; /** The session that this browser held before. */ previous: { personId: string; sessionId: string } | null }

/**
 * Opens a session and answers its token; the browser's earlier session ends. Every attempt is counted before the
 * password is looked at. Throws RATE_LIMITED, HUMAN_CHECK_REQUIRED, HUMAN_CHECK_FAILED, and LOGIN_FAILED: the same
 * and after the same time for a wrong password and an unknown address.
 */
export async function logIn(parts: Parts, { email, password, token, address, client, now, previous }: Asking): Promise<string> {
  const { system } = parts.databases
  const network = networkOf(address)
  const pair = `${email} ${network}`
  const counted = await asSystem(system, async (tx) => ({
    pair: await count(tx, limits.loginPair, pair, now),
    client: await count(tx, limits.loginClient, network, now),
    address: await count(tx, limits.loginAddress, email, now),
  }))
  const refused = [counted.pair, counted.client].find((one) => !one.allowed)
  if (refused) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds: refused.retryAfterSeconds } })
  if (!counted.address.allowed) await assertHuman(parts, token, now)

  const person = await asSystem(system, (tx) => tx.selectFrom('person').select(['id', 'password_hash']).where('email', '=', email).executeTakeFirst())
  const right = await isPassword(person?.password_hash, password)
  if (!person || !right) throw fail('LOGIN_FAILED')
  return await asSystem(system, async (tx) => {
    // a new password since then ended every session: none may open with the one before
    const still = await tx.selectFrom('person').select('id').where('id', '=', person.id).where('password_hash', '=', person.password_hash).forShare().executeTakeFirst()
    if (!still) throw fail('LOGIN_FAILED')
    await forgetCount(tx, limits.loginPair, pair)
    await uncount(tx, limits.loginClient, network)
    await uncount(tx, limits.loginAddress, email)
    if (previous) await endSessions(tx, previous.personId, { only: previous.sessionId }, now)
    return await openSession(tx, person.id, client, now)
  })
}

/** Throws unless the token solves the human check: HUMAN_CHECK_REQUIRED without one, HUMAN_CHECK_FAILED for a wrong one. */
export async function assertHuman(parts: Parts, token: string | undefined, now: Date): Promise<void> {
  if (token === undefined) throw fail('HUMAN_CHECK_REQUIRED')
  if (!(await parts.human.accepts(token, now))) throw fail('HUMAN_CHECK_FAILED')
}
