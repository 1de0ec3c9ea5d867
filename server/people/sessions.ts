import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { hashToken, SESSION_DAYS, SESSION_MOST_DAYS } from '../http/session.ts'
import type { Dependencies } from '../dependencies.ts'

const expiry = (now: Date) => new Date(now.getTime() + SESSION_DAYS * 86_400_000)

/** A new session and its token, of which only the hash is stored. */
export function newSession(personId: string, userAgent: string, now: Date, secondFactor = false) {
  const token = randomBytes(32).toString('base64url')
  return {
    token,
    row: {
      id: randomUUIDv7(),
      token_hash: hashToken(token),
      person_id: personId,
      created_at: now,
      last_seen_at: now,
      expires_at: expiry(now),
      client: describeClient(userAgent),
      second_factor: secondFactor,
    },
  }
}

/** Opens a session and returns its token. `secondFactor`: whether one was used. */
export async function openSession(
  tx: Tx,
  personId: string,
  userAgent: string,
  now: Date,
  secondFactor = false,
): Promise<string> {
  const { token, row } = newSession(personId, userAgent, now, secondFactor)
  await tx.insertInto('session').values(row).execute()
  return token
}

/** Where a login comes from: the client's address, its browser, and the session that it had before. */
export type Browser = {
  address: string
  client: string
  now: Date
  previous: { personId: string; sessionId: string } | null
}

/** Replaces the browser's session, so that a planted token is useless. */
export async function openSessionInstead(
  tx: Tx,
  personId: string,
  { client, now, previous }: Browser,
  secondFactor = false,
): Promise<string> {
  if (previous) await endSessions(tx, previous.personId, { only: previous.sessionId }, now)
  return await openSession(tx, personId, client, now, secondFactor)
}

/** A second factor was just set up in this session, so the session counts as opened with it. */
export async function markSecondFactor(tx: Tx, sessionId: string): Promise<void> {
  await tx.updateTable('session').set({ second_factor: true }).where('id', '=', sessionId).execute()
}

/** Without a second factor, a person's sessions no longer count as opened with one. */
export async function unmarkWithoutFactors(tx: Tx, personId: string): Promise<void> {
  await sql`
    update session set second_factor = false where person_id = ${personId} and second_factor
      and not exists (select from person p where p.id = session.person_id and p.totp_confirmed_at is not null)
      and not exists (select from passkey k where k.person_id = session.person_id)`.execute(tx)
}

/**
 * Ends a person's sessions (all, one, or all but one) and closes their live streams. Ending more than one also ends
 * logins waiting for their second factor. Returns how many sessions ended.
 */
export async function endSessions(
  tx: Tx,
  personId: string,
  which: { only?: string; except?: string | undefined },
  now: Date,
): Promise<number> {
  let ending = tx.deleteFrom('session').where('person_id', '=', personId)
  if (which.only !== undefined) ending = ending.where('id', '=', which.only)
  if (which.except !== undefined) ending = ending.where('id', '!=', which.except)
  if (which.only === undefined) await tx.deleteFrom('login_challenge').where('person_id', '=', personId).execute()
  const { numDeletedRows } = await ending.executeTakeFirstOrThrow()
  // their open streams check their permissions again
  await tx
    .insertInto('event')
    .columns(['at', 'org_id', 'project_id', 'person_id', 'kind', 'ref'])
    .expression((e) =>
      e
        .selectFrom('member')
        .select([
          e.val(now).as('at'),
          'org_id',
          e.val<string | null>(null).as('project_id'),
          'person_id',
          e.val('member').as('kind'),
          e.val(personId).as('ref'),
        ])
        .where('person_id', '=', personId)
        .where('removed_at', 'is', null),
    )
    .execute()
  return Number(numDeletedRows)
}

/**
 * Whether the caller's session still exists. Call it under the person's lock, which a new password takes before it ends
 * sessions: a verb that began in a session that has since ended must not complete.
 */
export async function isOpen(
  tx: Tx,
  { personId, sessionId }: { personId: string; sessionId: string },
): Promise<boolean> {
  return (
    (await tx
      .selectFrom('session')
      .select('id')
      .where('id', '=', sessionId)
      .where('person_id', '=', personId)
      .executeTakeFirst()) !== undefined
  )
}

/** Extends a session in use: 30 days from now, and at most 90 from its start. */
export async function keepSession({ databases, clock }: Dependencies, sessionId: string): Promise<void> {
  const now = clock.now()
  await asSystem(databases.system, (tx) =>
    tx
      .updateTable('session')
      .set({
        last_seen_at: now,
        expires_at: sql<Date>`least(${expiry(now)}::timestamptz, created_at + make_interval(days => ${SESSION_MOST_DAYS}))`,
      })
      .where('id', '=', sessionId)
      .execute(),
  )
}

/** A person's open sessions, most recently used first. */
export async function sessionsOf({ databases, clock }: Dependencies, personId: string) {
  return await asSystem(databases.system, (tx) =>
    tx
      .selectFrom('session')
      .select(['id', 'created_at', 'last_seen_at', 'client'])
      .where('person_id', '=', personId)
      .where('expires_at', '>', clock.now())
      .orderBy('last_seen_at', 'desc')
      .orderBy('id')
      .execute(),
  )
}

const browsers: [RegExp, string][] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
]

/** `Firefox on Linux`: enough to recognize a session. */
function describeClient(userAgent: string): string {
  const browser = browsers.find(([pattern]) => pattern.test(userAgent))?.[1]
  const system = systems.find(([pattern]) => pattern.test(userAgent))?.[1]
  if (browser && system) return `${browser} on ${system}`
  return browser ?? system ?? userAgent.split('/')[0]?.slice(0, 40) ?? ''
}
