import { alertJobs } from './alerts/jobs.ts'
import { aiJobs } from './ai/writeDrafts.ts'
import { auditJobs } from './audit/jobs.ts'
import { billingJobs } from './billing/jobs.ts'
import { boostJobs } from './boosts/jobs.ts'
import { bulkJobs } from './bulk/jobs.ts'
import { channelJobs } from './channels/jobs.ts'
import { clickJobs } from './clicks/jobs.ts'
import { competitorJobs } from './competitors/jobs.ts'
import { dashboardJobs } from './dashboard/fold.ts'
import { dataRightsJobs } from './dataRights/jobs.ts'
import { inboxJobs } from './inbox/jobs.ts'
import { insightJobs } from './insights/jobs.ts'
import { linkInBioJobs } from './linkInBio/jobs.ts'
import { mediaJobs } from './media/jobs.ts'
import { notificationJobs } from './notifications/jobs.ts'
import { trialJobs } from './organizations/trials.ts'
import { reportMakers } from './reports/schedules/documents.ts'
import { scheduleJobs } from './reports/schedules/jobs.ts'
import { upkeepJobs } from './upkeep/jobs.ts'
import { workflowJobs } from './workflows/jobs.ts'
import type { Dependencies } from './dependencies.ts'
import type { AnyJob } from './jobs/job.ts'

/**
 * Every background job of the product. A test shows for each that handles rows of many organizations that a row that
 * can't be handled stops none of the others (poisonedRows.test.ts).
 */
export const composeJobs = (deps: Dependencies): AnyJob[] => [
  ...upkeepJobs,
  ...auditJobs,
  ...dataRightsJobs(deps),
  ...mediaJobs(deps.uploads),
  ...channelJobs(deps),
  ...insightJobs(deps),
  ...alertJobs(deps),
  ...competitorJobs(deps),
  ...inboxJobs(deps),
  ...boostJobs(deps),
  ...dashboardJobs,
  ...clickJobs,
  ...aiJobs(deps),
  ...notificationJobs(deps),
  ...trialJobs,
  ...billingJobs(deps),
  ...workflowJobs(deps),
  ...bulkJobs(deps),
  ...linkInBioJobs(deps),
  ...scheduleJobs(deps, reportMakers(deps)),
]
