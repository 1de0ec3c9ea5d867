import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { fail, type Failure } from '../errors.ts'
import { takeAllowance } from '../plans/allowance.ts'

/** Seats in use: members, and addresses of others with an open invitation; each person once. */
export async function countSeats(tx: Tx, orgId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select p.email from member m join person p on p.id = m.person_id where m.org_id = ${orgId} and m.removed_at is null
      union
      select i.email from invite i where i.org_id = ${orgId} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}
    ) seats`.execute(tx)
  return rows[0]?.n ?? 0
}

/** What the plan allows and what is used, under the lock. */
export type Seats = { allowed: number; taken: number }

/**
 * The seats, read under the plan row's lock: until the transaction ends, nobody else invites, joins, or changes the
 * plan. Call it before locking invitations.
 */
export async function lockSeats(tx: Tx, orgId: string, now: Date): Promise<Seats> {
  const { entitlements } = await takeAllowance(tx, orgId, now)
  return { allowed: entitlements.users, taken: await countSeats(tx, orgId, now) }
}

/**
 * Throws PLAN_LIMIT if more seats are used than before, and more than the plan allows. Call it after the change, in the
 * transaction of lockSeats: what uses no new seat passes, even if the organization has too many.
 */
export async function mustHaveSeats(tx: Tx, orgId: string, { allowed, taken }: Seats, now: Date): Promise<void> {
  const by = await countSeats(tx, orgId, now)
  if (by > allowed && by > taken) throw noSeat(allowed)
}

/** The refusal if the plan has no seat left. */
export function noSeat(allowed: number): Failure {
  return fail('PLAN_LIMIT', {
    detail: allowed === 1 ? 'Your plan includes one user.' : `Your plan includes ${allowed} users.`,
    meta: { gate: 'users' },
  })
}
