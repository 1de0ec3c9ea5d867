import type { AnyJob } from '../jobs/job.ts'
import { landJob, type LandingParts } from './landing.ts'

/** The background work of bulk schedule: posts are made of confirmed rows, and taken back. */
export const bulkJobs = (parts: LandingParts): AnyJob[] => [landJob(parts)]
