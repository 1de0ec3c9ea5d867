import type { ProjectContext } from '../http/route.ts'
import type { Selectable } from 'kysely'
import type { Database } from '../db/schema.ts'
import { fail } from '../errors.ts'

export type CampaignRow = Selectable<Database['campaign']>
type Asker = Pick<ProjectContext, 'tx' | 'org' | 'project'>

const campaignQuery = ({ tx, org, project }: Asker, campaignId: string) =>
  tx
    .selectFrom('campaign')
    .selectAll()
    .where('org_id', '=', org.orgId)
    .where('project_id', '=', project.projectId)
    .where('id', '=', campaignId)

/** The campaign for a verb that reads it. NOT_FOUND if it doesn't exist or belongs to another project. */
export async function seeCampaign(c: Asker, campaignId: string): Promise<CampaignRow> {
  const campaign = await campaignQuery(c, campaignId).executeTakeFirst()
  if (!campaign) throw fail('NOT_FOUND')
  return campaign
}

/** The campaign, locked: no post can join it before the transaction ends. Same refusal. */
export async function loadCampaign(c: Asker, campaignId: string): Promise<CampaignRow> {
  const campaign = await campaignQuery(c, campaignId).forUpdate().executeTakeFirst()
  if (!campaign) throw fail('NOT_FOUND')
  return campaign
}
