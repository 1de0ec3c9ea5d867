import { z } from 'zod'
import { asSystem } from '../db/system.ts'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { forgetImports } from './limits.ts'
import { sweepDeleted, sweepUploads } from './sweep.ts'
import type { UploadDesk } from './uploads.ts'

/** The background work of media: every hour, uploads that were never finished are forgotten and deleted files that nothing needs are removed. */
export function mediaJobs(desk: UploadDesk): AnyJob[] {
  return [
    defineJob({
      name: 'media.sweep',
      payload: z.object({}),
      every: '41 * * * *',
      run: async ({ log }) => {
        const forgotten = await sweepUploads(desk)
        if (forgotten > 0) log.info({ forgotten }, 'uploads that were never finished were forgotten')
        await asSystem(desk.databases.system, (tx) => forgetImports(tx, desk.clock.now()))
        const removed = await sweepDeleted(desk)
        if (removed > 0) log.info({ removed }, 'deleted files that no post needs were removed')
      },
    }),
  ]
}
