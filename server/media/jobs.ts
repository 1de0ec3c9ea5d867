import { z } from 'zod'
import { defineJob, type AnyJob } from '../jobs/job.ts'
import { sweepUploads } from './sweep.ts'
import type { UploadDesk } from './uploads.ts'

/** The background work of media: every hour, uploads that were never finished are forgotten. */
export function mediaJobs(desk: UploadDesk): AnyJob[] {
  return [
    defineJob({
      name: 'media.sweep',
      payload: z.object({}),
      every: '41 * * * *',
      run: async ({ log }) => {
        const forgotten = await sweepUploads(desk)
        if (forgotten > 0) log.info({ forgotten }, 'uploads that were never finished were forgotten')
      },
    }),
  ]
}
