import type { Access } from '#contract/endpoint.ts'
import { allows, effective, Permissions, systemRoles } from '#contract/permissions.ts'
import { entitlements, PlanId, PlanStatus, viewOnlyText } from '#contract/plans.ts'
import type { Entered } from '../db/tenant.ts'
import { fail } from '../errors.ts'
import type { Caller, CallerOrg, CallerProject } from './route.ts'

type EnteredOrg = Pick<
  Entered,
  'org_id' | 'is_org_admin' | 'plan_id' | 'plan_status' | 'addon_quantity' | 'trial_ends_at'
>
type EnteredProject = Pick<
  Entered,
  'project_id' | 'zone' | 'role_id' | 'role_name' | 'permissions' | 'publishing' | 'channel_ids'
>

export type Grant = { caller: Caller | null; org: CallerOrg | null; project: CallerProject | null }

/** A project role doesn't help here, so the message names the right admins. */
const FOR_ORG_ADMINS = 'Only organization admins can do this. Ask one of them.'

/**
 * Decides from what `enter` found whether the endpoint may be called, and with which permissions. Throws UNAUTHORIZED,
 * USER_NOT_CONFIRMED, SECOND_FACTOR_NEEDED, IDENTIFIERS_ERROR (unknown and foreign look alike) or FORBIDDEN.
 */
export function admit(access: Access, entered: Entered, now: Date): Grant {
  const caller = callerOf(entered)
  if (access.kind === 'public') return { caller, org: null, project: null }
  if (!caller) throw fail('UNAUTHORIZED')
  if (access.kind === 'session') return { caller, org: null, project: null }
  if (!caller.confirmed) throw fail('USER_NOT_CONFIRMED')
  if (access.kind === 'user') return { caller, org: null, project: null }
  if (entered.second_factor_missing) throw fail('SECOND_FACTOR_NEEDED')
  const org = orgOf(entered, now)
  if (!org) throw fail('IDENTIFIERS_ERROR', { detail: 'Organization ID not found' })
  if (access.kind === 'member') return { caller, org, project: null }
  if (access.kind === 'orgAdmin') {
    if (!org.isAdmin) throw entered.locked_admin ? viewOnly(org) : fail('FORBIDDEN', { detail: FOR_ORG_ADMINS })
    return { caller, org, project: null }
  }
  const project = projectOf(entered, org)
  if (!project) throw fail('IDENTIFIERS_ERROR')
  const isAllowed = [access, ...(access.or ?? [])].some(({ resource, anyOf }) =>
    anyOf.some((action) => allows(project.permissions, resource, action)),
  )
  if (access.anyOf.length > 0 && !isAllowed) throw entered.plan_locked ? viewOnly(org) : fail('FORBIDDEN')
  return { caller, org, project }
}

/** The refusal of a member whose role would allow it, if the plan had a place for them. */
const viewOnly = ({ entitlements: { users } }: CallerOrg) => fail('FORBIDDEN', { detail: viewOnlyText(users) })

function callerOf(entered: Entered): Caller | null {
  if (!entered.session_id || !entered.person_id) return null
  return {
    sessionId: entered.session_id,
    personId: entered.person_id,
    confirmed: entered.confirmed === true,
    secondFactor: entered.second_factor === true,
  }
}

/** The organization that was entered, with what its plan allows; null if none was. */
export function orgOf(entered: EnteredOrg, now: Date): CallerOrg | null {
  if (!entered.org_id) return null
  const plan = {
    planId: PlanId.parse(entered.plan_id),
    status: PlanStatus.parse(entered.plan_status),
    addonQuantity: entered.addon_quantity ?? 0,
    trialEndsAt: entered.trial_ends_at,
  }
  return { orgId: entered.org_id, isAdmin: entered.is_org_admin === true, plan, entitlements: entitlements(plan, now) }
}

/** Organization admins are Admin in every project; a member without a role can only view. */
export function projectOf(entered: EnteredProject, org: CallerOrg): CallerProject | null {
  if (!entered.project_id) return null
  const publishing = org.isAdmin ? 'full' : (entered.publishing ?? 'full')
  return {
    projectId: entered.project_id,
    zone: entered.zone ?? 'UTC',
    roleId: entered.role_id,
    roleName: org.isAdmin ? systemRoles.admin.name : entered.role_name,
    permissions: org.isAdmin
      ? systemRoles.admin.permissions
      : effective(entered.permissions === null ? null : Permissions.parse(entered.permissions), publishing),
    publishing,
    channelIds: org.isAdmin ? null : entered.channel_ids,
  }
}
