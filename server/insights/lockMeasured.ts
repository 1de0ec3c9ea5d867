import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/**
 * Locks the measured posts `m` that fit, in the order in which everyone who locks several does, so that lists, readings and
 * publishing wait for each other and never in a circle. Who writes figures first takes their project's days, as a recount does.
 */
export async function lockMeasured(tx: Tx, orgId: string, which: RawBuilder<boolean>): Promise<void> {
  await sql`
    select lock_days(p.project_id, false) from (
      select distinct m.project_id from measured_post m where m.org_id = ${orgId} and ${which} order by 1
    ) p`.execute(tx)
  await sql`select from measured_post m where m.org_id = ${orgId} and ${which} order by m.id for no key update`.execute(
    tx,
  )
}
