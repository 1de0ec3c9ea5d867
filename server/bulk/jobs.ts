import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { LAND, landJob, type LandingDeps } from './landing.ts'

/** The background work of Bulk Schedule. Imports that lost their job, such as after a restore, are restarted. */
export function bulkJobs(deps: LandingDeps): AnyJob[] {
  return [
    landJob(deps),
    defineJob({
      name: 'bulk.remind',
      payload: z.object({}),
      every: '*/30 * * * *',
      run: async ({ databases }) => {
        await asSystem(databases.system, async (tx) => {
          // all of them: of a fixed number, one organization's could take every place
          const left = await tx
            .selectFrom('bulk_row')
            .select(['org_id', 'import_id'])
            .distinct()
            .where('state', 'in', ['waiting', 'undoing'])
            .execute()
          for (const { org_id: orgId, import_id: importId } of left)
            await enqueue(tx, LAND, { orgId, importId }, { key: importId })
        })
      },
    }),
  ]
}
