import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { countAll, forgetAttempts, limits, networkOf } from './limits.ts'
import { issueChallenge } from './loginChallenge.ts'
import { isPassword } from './passwords.ts'
import { openSessionInstead, type Browser } from './sessions.ts'

type Asking = Browser & { email: string; password: string; token?: string | undefined }

/**
 * Opens a session and answers its token; the browser's earlier session ends. Every attempt is counted before the
 * password is looked at. Throws RATE_LIMITED, HUMAN_CHECK_REQUIRED, HUMAN_CHECK_FAILED, and LOGIN_FAILED: the same
 * and after the same time for a wrong password and an unknown address. Where a second factor is on, opens nothing and
 * throws SECOND_FACTOR_REQUIRED with `meta.challenge`; the attempt stays counted until that factor was right too.
 */
export async function logIn(parts: Parts, { email, password, token, ...browser }: Asking): Promise<string> {
  const { address, now } = browser
  const { system } = parts.databases
  const network = networkOf(address)
  const [[pair, client, byAddress], person] = await asSystem(
    system,
    (tx) =>
      Promise.all([
        countAll(tx, [[limits.loginPair, `${email} ${network}`], [limits.loginClient, network], [limits.loginAddress, email]], now),
        tx.selectFrom('person').select(['id', 'password_hash']).where('email', '=', email).executeTakeFirst(),
      ]),
    { durable: false },
  )
  const refused = [pair, client].find((one) => !one.allowed)
  if (refused) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds: refused.retryAfterSeconds } })
  if (!byAddress.allowed) await assertHuman(parts, token, now)

  const right = await isPassword(person?.password_hash, password)
  if (!person || !right) throw fail('LOGIN_FAILED')
  const opened = await asSystem(system, async (tx) => {
    // a new password since then ended every session: none may open with the one before
    const still = await tx.selectFrom('person').select(['id', 'totp_confirmed_at']).where('id', '=', person.id).where('password_hash', '=', person.password_hash).forShare().executeTakeFirst()
    if (!still) throw fail('LOGIN_FAILED')
    if (still.totp_confirmed_at) return { challenge: await issueChallenge(tx, person.id, now) }
    // the count of the client is shared by everybody behind its network, and locked from here to the commit
    const [opened] = await Promise.all([openSessionInstead(tx, person.id, browser), forgetAttempts(tx, email, network)])
    return { token: opened }
  })
  if ('challenge' in opened) throw fail('SECOND_FACTOR_REQUIRED', { meta: { challenge: opened.challenge } })
  return opened.token
}

/** Throws unless the token solves the human check: HUMAN_CHECK_REQUIRED without one, HUMAN_CHECK_FAILED for a wrong one. */
export async function assertHuman(parts: Parts, token: string | undefined, now: Date): Promise<void> {
  if (token === undefined) throw fail('HUMAN_CHECK_REQUIRED')
  if (!(await parts.human.accepts(token, now))) throw fail('HUMAN_CHECK_FAILED')
}
