import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/** Seats in use: members of the organisation, and addresses with an open invitation that are not members; each person once. */
export async function countSeats(tx: Tx, orgId: string, now: Date): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from (
      select p.email from member m join person p on p.id = m.person_id where m.org_id = ${orgId} and m.removed_at is null
      union
      select i.email from invite i where i.org_id = ${orgId} and i.accepted_at is null and i.revoked_at is null and i.expires_at > ${now}
    ) seats`.execute(tx)
  return rows[0]?.n ?? 0
}
