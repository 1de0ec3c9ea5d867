import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob, type JobContext } from '../jobs/job.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Dependencies } from '../dependencies.ts'
import type { ExportFiles } from './files.ts'
import { exportJob, MAKE_EXPORT } from './makeExport.ts'
import { purgeOrganizations } from './purge.ts'
import { deletionMailJob } from './notify.ts'

const Nothing = z.object({})
/** An export that nobody has worked on for this long is restarted. */
const FORGOTTEN_MS = 3_600_000

export function dataRightsJobs({
  media,
  mailer,
  env,
  payments,
  exports,
}: Pick<Dependencies, 'media' | 'mailer' | 'env' | 'payments' | 'exports'>): AnyJob[] {
  const parts = { media, mailer, env, payments, exports }
  return [
    exportJob(parts),
    deletionMailJob(parts),
    defineJob({
      name: 'dataRights.sweep',
      payload: Nothing,
      every: '41 * * * *',
      run: (context) => sweepExports(parts.exports, context),
    }),
    defineJob({
      name: 'dataRights.purge',
      payload: Nothing,
      every: '*/10 * * * *',
      run: async (context) => {
        await purgeOrganizations(parts, context)
      },
    }),
  ]
}

/** Removes expired exports and leftovers; restarts abandoned ones, such as after a restore. */
export async function sweepExports(files: ExportFiles, context: JobContext): Promise<void> {
  const { databases, clock } = context
  const now = clock.now()
  // read first: an export that starts in the meantime has its row before its folder
  const there = await files.list()
  await asSystem(databases.system, (tx) =>
    tx
      .updateTable('org_export')
      .set({ status: 'gone' })
      .where('status', '=', 'ready')
      .where('expires_at', '<=', now)
      .execute(),
  )
  const kept = await asSystem(databases.system, async (tx) => {
    const rows = await tx
      .selectFrom('org_export')
      .select(['org_id', 'id', 'status', 'requested_at'])
      .where('status', 'in', ['waiting', 'running', 'ready'])
      .execute()
    for (const { org_id: orgId, id: exportId, status, requested_at: at } of rows)
      if (status === 'waiting' && at.getTime() < now.getTime() - FORGOTTEN_MS)
        await enqueue(tx, { name: MAKE_EXPORT }, { orgId, exportId }, { key: exportId })
    return rows
  })
  const needed = new Set(kept.map(({ id }) => id))
  const over = there.filter((id) => !needed.has(id))
  const failed = "the files of an export couldn't be removed"
  await eachAlone(context, over, { name: (exportId) => ({ exportId }), failed }, (id) => files.removeAll([id]))
}
