import type { Tx } from '../db/kysely.ts'

/** For how many days an organization keeps what others wrote, where the platform's terms don't say less. */
export async function readKeepDays(tx: Tx, orgId: string): Promise<number> {
  const { inbox_keep_days: days } = await tx
    .selectFrom('organization')
    .select('inbox_keep_days')
    .where('org_id', '=', orgId)
    .executeTakeFirstOrThrow()
  return days
}

const HOUR = 3_600_000

/**
 * Until when something may be kept. A platform's own bound counts from the moment at which we read it, so reading it again
 * extends it; ours counts from when it was written.
 */
export function keptUntil(days: number, hours: number | undefined, at: Date, now: Date): Date {
  const ours = new Date(at.getTime() + days * 24 * HOUR)
  if (hours === undefined) return ours
  const theirs = new Date(now.getTime() + hours * HOUR)
  return theirs < ours ? theirs : ours
}
