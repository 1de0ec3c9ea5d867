import { entitlements } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'
import type { ProjectContext } from '../http/route.ts'
import { openApprovals } from '../approvals/open.ts'

type Sent = { orgId: string; projectId: string; zone: string; /** Who sent them. */ sender: string }

const team = { planId: 'team', status: 'ACTIVE', addonQuantity: 0, trialEndsAt: null } as const

/** Posts waiting for approval were sent through the project's first workflow: its admins are asked, and can decide. */
export async function seedApprovals(tx: Tx, { orgId, projectId, zone, sender }: Sent, now: Date): Promise<void> {
  const waiting = await tx
    .selectFrom('post')
    .select('id as postId')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('state', '=', 'NEEDS_APPROVAL')
    .execute()
  const workflow = await tx
    .selectFrom('workflow')
    .select('id')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('is_default', '=', true)
    .executeTakeFirstOrThrow()
  const nothing = async () => undefined
  const c: ProjectContext = {
    tx,
    now,
    caller: { sessionId: '', personId: sender, confirmed: true, secondFactor: false },
    org: { orgId, isAdmin: false, plan: team, entitlements: entitlements(team, now) },
    project: { projectId, zone, roleId: null, roleName: null, permissions: {}, publishing: 'full', channelIds: null },
    audit: nothing,
    emit: nothing,
  }
  await openApprovals(c, waiting, workflow.id)
}
