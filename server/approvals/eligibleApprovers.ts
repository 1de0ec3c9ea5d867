import { sql } from 'kysely'
import { memberMay } from '../access/memberMay.ts'
import type { Tx } from '../db/kysely.ts'
import type { EligibleApprover } from './steps.ts'

type Row = {
  person_id: string
  name: string
  is_admin: boolean
  role_id: string | null
  channel_ids: string[] | null
  admin_role_id: string | null
}

/**
 * Everyone whose role in the project allows approving. Organization admins have the role Admin in each of its projects.
 * Works in a tenant and as the system role.
 */
export async function eligibleApprovers(
  tx: Tx,
  { orgId, projectId }: { orgId: string; projectId: string },
): Promise<EligibleApprover[]> {
  const { rows } = await sql<Row>`
    select m.person_id, coalesce(nullif(trim(a.first_name || ' ' || a.last_name), ''), 'Someone') as name, m.is_admin, pm.role_id, pm.channel_ids,
      (select id from role where org_id = m.org_id and project_id = ${projectId} and kind = 'admin') as admin_role_id
    from member m join person a on a.id = m.person_id
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = ${projectId} and pm.person_id = m.person_id
    left join role r on r.org_id = pm.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.removed_at is null and ${memberMay('workflow', 'approve')}
    order by m.person_id`.execute(tx)
  return rows.map((row) => ({
    personId: row.person_id,
    name: row.name,
    isOrgAdmin: row.is_admin,
    roleIds: [row.role_id, row.is_admin ? row.admin_role_id : null].filter((id) => id !== null),
    channelIds: row.is_admin ? null : row.channel_ids,
  }))
}
