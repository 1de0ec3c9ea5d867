import { aiRoutes } from './ai/routes.ts'
import { analysisRoutes } from './analysis/routes.ts'
import { analyticsRoutes } from './analytics/routes.ts'
import { workedRoutes } from './analytics/workedRoutes.ts'
import { goalRoutes } from './goals/routes.ts'
import { appRoutes } from './apps/routes.ts'
import { billingRoutes } from './billing/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { brandRoutes } from './brand/routes.ts'
import { boostRoutes } from './boosts/routes.ts'
import { bulkRoutes } from './bulk/routes.ts'
import { competitorRoutes } from './competitors/routes.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { channelRoutes } from './channels/routes.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { dataRightsRoutes } from './dataRights/routes.ts'
import { discussionRoutes } from './discussions/routes.ts'
import { hashtagRoutes } from './hashtags/routes.ts'
import { hashtagSearchRoutes } from './hashtagSearch/routes.ts'
import type { Route } from './http/route.ts'
import { identityRoutes } from './identity/routes.ts'
import { insightRoutes } from './insights/routes.ts'
import { countUnread } from './inbox/counts.ts'
import { replyRoutes } from './inbox/replies/routes.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { inviteRoutes } from './invites/routes.ts'
import { labelRoutes } from './labels/routes.ts'
import { linkInBioRoutes } from './linkInBio/routes.ts'
import { reportRoutes } from './reports/routes.ts'
import { scheduleRoutes } from './reports/schedules/routes.ts'
import { linkRoutes } from './links/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { lookupRoutes } from './channels/lookupRoutes.ts'
import { libraryRoutes } from './media/libraryRoutes.ts'
import { mediaRoutes } from './media/routes.ts'
import { memberRoutes } from './members/routes.ts'
import { noteRoutes } from './notes/routes.ts'
import { writeNote } from './notes/write.ts'
import { notificationRoutes } from './notifications/routes.ts'
import { organizationRoutes } from './organizations/routes.ts'
import type { Dependencies } from './dependencies.ts'
import { findPost } from './posts/access.ts'
import { postRoutes } from './posts/routes.ts'
import { projectRoutes } from './projects/routes.ts'
import { queueRoutes } from './queues/routes.ts'
import { roleRoutes } from './roles/routes.ts'
import { viewRoutes } from './views/routes.ts'
import { workflowRoutes } from './workflows/routes.ts'

/** Every route of the product: one factory per noun, in the order of contract/api.ts. A test compares both lists. */
export function composeRoutes(deps: Dependencies): Route[] {
  return [
    ...identityRoutes(deps),
    ...organizationRoutes(deps),
    ...projectRoutes(deps),
    ...billingRoutes(deps),
    ...auditRoutes(deps),
    ...dataRightsRoutes(deps),
    ...roleRoutes(),
    ...memberRoutes(deps),
    ...inviteRoutes(deps),
    ...channelRoutes(deps),
    ...appRoutes(deps),
    ...lookupRoutes(deps),
    ...aiRoutes(deps),
    ...mediaRoutes(deps, findPost),
    ...libraryRoutes(deps),
    ...postRoutes(deps),
    ...bulkRoutes(deps),
    ...linkRoutes(deps),
    ...labelRoutes(),
    ...hashtagRoutes(),
    ...campaignRoutes(),
    ...discussionRoutes(writeNote),
    ...noteRoutes(),
    ...viewRoutes(),
    ...queueRoutes(),
    ...workflowRoutes(deps),
    ...liveRoutes(deps),
    ...notificationRoutes(deps, countUnread),
    ...insightRoutes(deps),
    ...boostRoutes(deps),
    ...dashboardRoutes(deps),
    ...analyticsRoutes(deps),
    ...workedRoutes(deps),
    ...goalRoutes(deps),
    ...competitorRoutes(deps),
    ...hashtagSearchRoutes(deps),
    ...brandRoutes(deps),
    ...analysisRoutes(deps),
    ...linkInBioRoutes(deps),
    ...reportRoutes(deps),
    ...scheduleRoutes(deps),
    ...inboxRoutes(deps),
    ...replyRoutes(deps),
  ]
}
