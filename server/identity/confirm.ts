import type { Caller } from '../http/route.ts'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import type { Parts } from '../parts.ts'
import { assertRight, issueCode, tryCode, type CodeKey } from './codes.ts'
import { count, limits } from './limits.ts'
import { codeMail } from './mails.ts'
import { endSessions } from './sessions.ts'

type Who = { email: string } | { personId: string }
type Asking = { address: string; now: Date; caller: Caller | null }

const find = (tx: Tx, who: Who) => {
  const people = tx.selectFrom('person').select(['id', 'email', 'first_name', 'confirmed_at'])
  return ('email' in who ? people.where('email', '=', who.email) : people.where('id', '=', who.personId)).executeTakeFirst()
}

/**
 * Confirms an address by the code that was mailed to it. Opens no session; the caller's own counts as confirmed from
 * the next request. Any other session of the account ends: it may belong to somebody who signed up with an address
 * that is not theirs. Throws CODE_MISMATCH, EXPIRED_CODE, LIMIT_EXCEEDED, USER_ALREADY_CONFIRMED, INVALID_CODE.
 */
export async function confirmAddress(parts: Parts, key: CodeKey, who: Who, code: string, { address, now, caller }: Asking): Promise<void> {
  const outcome = await asSystem(parts.databases.system, async (tx) => {
    if (!(await count(tx, limits.guesses, address, now)).allowed) return 'LIMIT_EXCEEDED'
    const person = await find(tx, who)
    if (!person) return 'INVALID_CODE'
    const tried = await tryCode(tx, key, person, code, now)
    if (tried === 'right') await endSessions(tx, person.id, { except: caller?.personId === person.id ? caller.sessionId : undefined }, now)
    return tried
  })
  assertRight(outcome)
}

/**
 * Mails a new code. An unknown address gets the same answer and no mail. Throws LIMIT_EXCEEDED (at most one a minute
 * and five an hour), USER_ALREADY_CONFIRMED.
 */
export async function sendCode(parts: Parts, key: CodeKey, who: Who, { address, now }: Asking): Promise<void> {
  const outcome = await asSystem(parts.databases.system, async (tx) => {
    const asked = await count(tx, limits.guesses, address, now)
    if (!asked.allowed) return { wait: asked.retryAfterSeconds }
    const person = await find(tx, who)
    if (!person) return 'unknown'
    if (person.confirmed_at) return 'confirmed'
    const issued = await issueCode(tx, key, person, now)
    return 'wait' in issued ? issued : { mail: codeMail(person.email, person.first_name, issued.code) }
  })
  if (outcome === 'confirmed') throw fail('USER_ALREADY_CONFIRMED')
  if (outcome === 'unknown') return
  if ('wait' in outcome) throw fail('LIMIT_EXCEEDED', { detail: `A code was sent a moment ago. Request a new one in ${waitInWords(outcome.wait)}.`, meta: { retryAfterSeconds: outcome.wait } })
  parts.mailer.post(outcome.mail)
}

function waitInWords(seconds: number): string {
  if (seconds <= 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
