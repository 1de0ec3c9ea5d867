import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { readAndCommit } from '../db/transaction.ts'
import { fail } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { countedIn, counting, forgetAttempts, limits, networkOf } from './limits.ts'
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
  const attempts = [[limits.loginPair, `${email} ${network}`], [limits.loginClient, network], [limits.loginAddress, email]] as const
  // two round trips, and the disk is not waited for: a login should cost little more than its hash
  const { counted, person } = await asSystem(
    system,
    async (tx, rows) => {
      const [found] = await readAndCommit(tx, tx.selectFrom('person').select(['id', 'password_hash']).where('email', '=', email))
      return { counted: countedIn(rows, attempts, now), person: found }
    },
    { first: counting(attempts, now), durable: false },
  )
  const [pair, client, byAddress] = counted
  const refused = [pair, client].find((one) => !one.allowed)
  if (refused) throw fail('RATE_LIMITED', { meta: { retryAfterSeconds: refused.retryAfterSeconds } })
  if (!byAddress.allowed) await assertHuman(parts, token, now)

  const right = await isPassword(person?.password_hash, password)
  if (!person || !right) throw fail('LOGIN_FAILED')
  const opened = await asSystem(
    system,
    async (tx, rows) => {
      const [still] = StillRows.parse(rows)
      if (!still) throw fail('LOGIN_FAILED')
      if (still.has_app) return { challenge: await issueChallenge(tx, person.id, now) }
      const token = await openSessionInstead(tx, person.id, browser)
      // the count of the client is shared by everybody behind its network, and locked from here to the commit
      await forgetAttempts(tx, email, network)
      return { token }
    },
    { first: { text: STILL, values: [person.id, person.password_hash] } },
  )
  if ('challenge' in opened) throw fail('SECOND_FACTOR_REQUIRED', { meta: { challenge: opened.challenge } })
  return opened.token
}

// a new password since then ended every session: none may open with the one before
const STILL = 'select totp_confirmed_at is not null as has_app from person where id = $1 and password_hash = $2 for share'
const StillRows = z.array(z.object({ has_app: z.boolean() }))

/** Throws unless the token solves the human check: HUMAN_CHECK_REQUIRED without one, HUMAN_CHECK_FAILED for a wrong one. */
export async function assertHuman(parts: Parts, token: string | undefined, now: Date): Promise<void> {
  if (token === undefined) throw fail('HUMAN_CHECK_REQUIRED')
  if (!(await parts.human.accepts(token, now))) throw fail('HUMAN_CHECK_FAILED')
}
