import { sql } from 'kysely'
import { z } from 'zod'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { defineJob } from '../jobs/job.ts'

/** Frees addresses that were kept for 90 days after a rename or a deletion. Returns how many. */
export async function freeSlugs({ system }: Pick<Databases, 'system'>, now: Date): Promise<number> {
  return await asSystem(system, async (tx) => {
    const { numAffectedRows = 0n } = await sql`delete from bio_slug where kept_until <= ${now}`.execute(tx)
    return Number(numAffectedRows)
  })
}

export const slugJob = defineJob({
  name: 'linkInBio.slugs',
  payload: z.object({}),
  every: '17 * * * *',
  run: async ({ databases, clock }) => {
    await freeSlugs(databases, clock.now())
  },
})
