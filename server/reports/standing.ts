import { sql } from 'kysely'
import { allows } from '#contract/permissions.ts'
import type { Tx } from '../db/kysely.ts'
import type { Entered } from '../db/tenant.ts'
import { orgOf, projectOf } from '../http/access.ts'
import type { CallerOrg, CallerProject } from '../http/route.ts'

/** What someone may see of a project, as a request of theirs would find it. */
export type Standing = { org: CallerOrg; project: CallerProject }
type Whose = { orgId: string; projectId: string; personId: string; now: Date }

type Row = Pick<
  Entered,
  | 'org_id'
  | 'is_org_admin'
  | 'plan_id'
  | 'plan_status'
  | 'addon_quantity'
  | 'trial_ends_at'
  | 'project_id'
  | 'zone'
  | 'role_id'
  | 'role_name'
  | 'permissions'
  | 'publishing'
  | 'channel_ids'
>

/**
 * What a person may see now without a session of theirs: for links and schedules, which show what the role of their owner shows.
 * The same as enter.sql finds for a request; null for people who aren't in the project any more, and while the organization is being
 * deleted. The transaction is the tenant's.
 */
export async function standingOf(tx: Tx, { orgId, projectId, personId, now }: Whose): Promise<Standing | null> {
  const { rows } = await sql<Row>`
    select m.org_id, m.is_admin as is_org_admin, pl.plan_id, pl.status as plan_status, pl.addon_quantity, pl.trial_ends_at,
      pr.id as project_id, pr.zone, r.id as role_id, r.name as role_name, r.permissions, pm.publishing, pm.channel_ids
    from member m
    join plan pl on pl.org_id = m.org_id
    join organization o on o.org_id = m.org_id and o.deletes_at is null
    join project pr on pr.org_id = m.org_id and pr.id = ${projectId} and pr.deleted_at is null
    left join project_member pm on pm.org_id = m.org_id and pm.project_id = pr.id and pm.person_id = m.person_id
    left join role r on r.org_id = pr.org_id and r.id = pm.role_id
    where m.org_id = ${orgId} and m.person_id = ${personId} and m.removed_at is null
      and (m.is_admin or m.locked_admin or pm.person_id is not null)`.execute(tx)
  const [row] = rows
  const org = row && orgOf(row, now)
  const project = org && projectOf(row, org)
  return org && project ? { org, project } : null
}

/** Whether they may see insights at all; whether the plan has them is another question. */
export const seesInsights = ({ project }: Pick<Standing, 'project'>): boolean =>
  allows(project.permissions, 'insights', 'view')
