import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { inspectAgain } from './inspectAgain.ts'
import { forgetImports } from './limits.ts'
import { sweepDeleted, sweepUploads } from './sweep.ts'
import type { UploadContext } from './uploads.ts'

/**
 * The background work of media: every hour, it removes unfinished uploads and deleted files that nothing needs, and
 * reads files again whose facts are of an earlier version.
 */
export function mediaJobs(context: UploadContext): AnyJob[] {
  return [
    defineJob({
      name: 'media.sweep',
      payload: z.object({}),
      every: '41 * * * *',
      run: async ({ log }) => {
        const forgotten = await sweepUploads({ ...context, log })
        if (forgotten > 0) log.info({ forgotten }, 'abandoned uploads were removed')
        await asSystem(context.databases.system, (tx) => forgetImports(tx, context.clock.now()))
        const removed = await sweepDeleted({ ...context, log })
        if (removed > 0) log.info({ removed }, 'deleted files that no post needs were removed')
      },
    }),
    defineJob({
      name: 'media.inspectAgain',
      payload: z.object({}),
      every: '19 * * * *',
      run: async ({ log, signal }) => {
        const read = await inspectAgain({ ...context, log, signal })
        if (read > 0) log.info({ read }, 'files were read again for facts that earlier versions had not kept')
      },
    }),
  ]
}
