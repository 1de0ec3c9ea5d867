import type { Dependencies } from '../dependencies.ts'
import type { AnyJob } from '../jobs/job.ts'
import { ownOrigins } from './ownOrigins.ts'
import { pictureJob } from './pictures.ts'
import { showPostJob } from './showPosts.ts'
import { upkeepJob } from './upkeep.ts'

/** `env` says where the installation is. */
export const linkInBioJobs = (deps: Pick<Dependencies, 'env' | 'fetch' | 'media'>): AnyJob[] => [
  showPostJob(ownOrigins(deps.env)),
  pictureJob(deps),
  upkeepJob,
]
