import { sql } from 'kysely'
import { z } from 'zod'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { notifyUnusual, type AlertedProject } from './notify.ts'

/** Says once a day what was out of the ordinary on the last final day, in a transaction for each project. */
export const alertJobs = ({
  env: { analyticsTerms: accepted },
}: {
  env: { analyticsTerms: readonly PlatformKey[] }
}): AnyJob[] => [
  defineJob({
    name: 'insights.alerts',
    payload: z.object({}),
    every: '50 5 * * *',
    run: async (context) => {
      const { databases, clock } = context
      const projects = await asSystem(databases.system, async (tx) => {
        const { rows } = await sql<AlertedProject>`
          select p.org_id, p.id, p.zone from project p join organization o on o.org_id = p.org_id
          where p.deleted_at is null and o.deletes_at is null and exists (select from channel c where c.org_id = p.org_id and c.project_id = p.id and c.deleted_at is null and c.status = 'CONNECTED')
          order by p.org_id, p.id`.execute(tx)
        return rows
      })
      await eachAlone(
        context,
        projects,
        { name: ({ id: projectId }) => ({ projectId }), failed: "a project's unusual figures couldn't be looked for" },
        async (project) =>
          await asSystem(
            databases.system,
            async (tx) => await notifyUnusual(tx, project, { now: clock.now(), accepted }),
          ),
      )
    },
  }),
]
