import { z } from 'zod'
import { waitText } from '#contract/format.ts'
import { asSystem, asSystemInOneTrip } from '../db/system.ts'
import { fail, type Failure } from '../errors.ts'
import type { Dependencies } from '../dependencies.ts'
import { attemptsOf, FORGET_ATTEMPTS, forgetAttempts, keysOfAttempts } from './limits.ts'
import { countedIn, counting, networkOf, type Counted } from '../http/attempts.ts'
import { issueChallenge } from './loginChallenge.ts'
import { isPassword } from './passwords.ts'
import { newSession, openSessionInstead, type Browser } from '../people/sessions.ts'

type Asking = Browser & { email: string; password: string; token?: string | undefined }

/**
 * Opens a session and returns its token; the browser's earlier session ends. Every attempt is counted before the
 * password is checked. Throws RATE_LIMITED, HUMAN_CHECK_REQUIRED and HUMAN_CHECK_FAILED, and LOGIN_FAILED, which is the
 * same and takes the same time for a wrong password and an unknown address. If a second factor is on, opens nothing and
 * throws SECOND_FACTOR_REQUIRED with `meta.challenge`; the attempt stays counted until that factor was right too.
 */
export async function logIn(
  deps: Dependencies,
  { email, password, token: humanToken, ...browser }: Asking,
): Promise<string> {
  const { address, now } = browser
  const { system } = deps.databases
  const network = networkOf(address)
  const attempts = attemptsOf(email, network)
  // one round trip, without waiting for the disk: a login should cost little more than its hash
  const [countedRows, personRows] = await asSystemInOneTrip(
    system,
    [counting(attempts, now), { text: PERSON, values: [email] }],
    { durable: false },
  )
  const counted = countedIn(countedRows, attempts, now)
  const [person] = PersonRows.parse(personRows)
  const [pair, client, byAddress] = counted
  const tell = (event: string) => deps.security.record({ event, address, personId: person?.id ?? null })
  if (!pair.allowed) {
    tell('login.throttled')
    throw lockedOut(pair)
  }
  // not refused: the client may be an office, where everyone would be locked out by the wrong passwords of one
  if (!client.allowed || !byAddress.allowed)
    await assertHuman(deps, humanToken, now).catch((refused: unknown) => {
      tell('login.throttled')
      throw refused
    })

  const right = await isPassword(person?.password_hash, password)
  if (!person || !right) {
    tell('login.failed')
    throw fail('LOGIN_FAILED')
  }
  const proven = { personId: person.id, passwordHash: person.password_hash, email, network, browser }
  const opened = browser.previous === null ? await openAtOnce(deps, proven) : undefined
  const token = opened ?? (await openOrChallenge(deps, proven))
  tell('login.succeeded')
  return token
}

/** A person who just entered the right password. */
type Proven = { personId: string; passwordHash: string; email: string; network: string; browser: Browser }

const PERSON = 'select id, password_hash from person where email = $1'
const PersonRows = z.array(z.object({ id: z.string(), password_hash: z.string() }))
// a new password since then has ended every session: none may open with the old one
const STILL =
  'select id, totp_confirmed_at is not null as has_app from person where id = $1 and password_hash = $2 for share'
const StillRows = z.array(z.object({ has_app: z.boolean() }))

/** Covers most logins, in one statement. */
const OPEN = `
  with still as (${STILL}),
  opened as (
    insert into session (id, token_hash, person_id, created_at, last_seen_at, expires_at, client)
    select $3, $4, still.id, $5, $5, $6, $7 from still where not has_app returning id
  ),
  ${FORGET_ATTEMPTS('$8', 'exists (select from opened)')}
  select has_app from still`

/** Opens a session and returns its token, or undefined if a second factor is required. Throws LOGIN_FAILED. */
async function openAtOnce(
  { databases }: Dependencies,
  { personId, passwordHash, email, network, browser }: Proven,
): Promise<string | undefined> {
  const { token, row } = newSession(personId, browser.client, browser.now)
  const values = [
    personId,
    passwordHash,
    row.id,
    row.token_hash,
    row.created_at,
    row.expires_at,
    row.client,
    keysOfAttempts(email, network),
  ]
  const [rows] = await asSystemInOneTrip(databases.system, [{ text: OPEN, values }])
  const [still] = StillRows.parse(rows)
  if (!still) throw fail('LOGIN_FAILED')
  return still.has_app ? undefined : token
}

/** The same step by step: if there's an earlier session to replace, or a second factor to request. */
async function openOrChallenge(
  { databases }: Dependencies,
  { personId, passwordHash, email, network, browser }: Proven,
): Promise<string> {
  const opened = await asSystem(
    databases.system,
    async (tx, rows) => {
      const [still] = StillRows.parse(rows)
      if (!still) throw fail('LOGIN_FAILED')
      if (still.has_app) return { challenge: await issueChallenge(tx, personId, browser.now) }
      const token = await openSessionInstead(tx, personId, browser)
      // everyone in the client's network shares its count, which is locked from here to the commit
      await forgetAttempts(tx, email, network)
      return { token }
    },
    { first: { text: STILL, values: [personId, passwordHash] } },
  )
  if ('challenge' in opened) throw fail('SECOND_FACTOR_REQUIRED', { meta: { challenge: opened.challenge } })
  return opened.token
}

/** A new password set with an emailed link removes this limit, see `resetPassword`, so we mention it. */
const lockedOut = ({ retryAfterSeconds }: Counted): Failure =>
  fail('RATE_LIMITED', {
    detail: `Too many wrong passwords. Try again in ${waitText(retryAfterSeconds)}, or reset your password.`,
    meta: { retryAfterSeconds },
  })

/**
 * Throws unless the token solves the human check: HUMAN_CHECK_REQUIRED without one, HUMAN_CHECK_FAILED for a wrong one.
 */
export async function assertHuman(deps: Dependencies, token: string | undefined, now: Date): Promise<void> {
  if (token === undefined) throw fail('HUMAN_CHECK_REQUIRED')
  if (!(await deps.human.accepts(token, now))) throw fail('HUMAN_CHECK_FAILED')
}
