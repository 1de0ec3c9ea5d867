import type { AnyJob } from '../jobs/job.ts'
import { deleteChannelJob, type DeletionParts } from './delete.ts'

/** The background work of channels. */
export function channelJobs(parts: DeletionParts): AnyJob[] {
  return [deleteChannelJob(parts)]
}
