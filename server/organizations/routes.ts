import * as settings from '#contract/orgSettings.ts'
import * as contract from '#contract/organizations.ts'
import { entitlements, limitOf } from '#contract/plans.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'
import { fail } from '../errors.ts'
import { count, type Limit } from '../http/attempts.ts'
import { handle, type CallerOrg, type Route } from '../http/route.ts'
import type { Dependencies } from '../dependencies.ts'
import { countWithoutSecondFactor } from '../identity/secondFactor.ts'
import { countSeats } from '../members/seats.ts'
import { createOrganization, ownOrganization } from './create.ts'
import { readHome } from './home.ts'
import { keepInbox, readOrganization, requireSecondFactor, updateOrganization } from './settings.ts'

export function organizationRoutes(deps: Dependencies): Route[] {
  return [
    handle(contract.home, (c) =>
      asSystem(deps.databases.system, (tx) =>
        readHome(tx, c.caller, { ai: deps.env.AI_BASE_URL !== undefined }, c.now),
      ),
    ),

    handle(contract.createOrganization, async (c) => {
      const { orgName: name, orgType, orgSize, first } = c.body
      const own = first ? await ownOrganization(c.tx, deps.databases, c.caller.personId) : undefined
      if (own !== undefined) {
        await c.audit([])
        return { orgId: own }
      }
      await countOrganization(deps.databases, c.caller.personId, c.now)
      const orgId = await createOrganization(c.tx, { personId: c.caller.personId, name, orgType, orgSize }, c.now)
      await c.audit({ orgId, entityId: orgId, detail: { orgType } })
      return { orgId }
    }),

    handle(settings.organization, async (c) => ({
      ...(await readOrganization(c)),
      withoutSecondFactor: await asSystem(deps.databases.system, (tx) => countWithoutSecondFactor(tx, c.org.orgId)),
    })),
    handle(settings.updateOrganization, async (c) => {
      const before = await updateOrganization(c, c.body)
      await c.audit({ entityId: c.org.orgId, detail: { before, after: c.body } })
      await c.emit({ kind: 'organization', ref: c.org.orgId })
      return { message: 'Organization Details updated successfully' }
    }),

    handle(settings.setSecurity, async (c) => {
      const required = c.body.requireSecondFactor
      const before = await requireSecondFactor(c, required)
      await c.audit({
        entityId: c.org.orgId,
        detail: {
          before: { requireSecondFactor: before },
          after: { requireSecondFactor: required },
        },
      })
      // open streams check again who may listen
      await c.emit([
        { kind: 'member', ref: c.org.orgId, projectId: null },
        { kind: 'organization', ref: c.org.orgId, projectId: null },
      ])
      return { message: 'Organization Details updated successfully' }
    }),

    handle(settings.setInboxKeeping, async (c) => {
      const { inboxKeepDays } = c.body
      const before = await keepInbox(c, inboxKeepDays)
      await c.audit({
        entityId: c.org.orgId,
        detail: { before: { inboxKeepDays: before }, after: { inboxKeepDays } },
      })
      await c.emit({ kind: 'organization', ref: c.org.orgId })
      return { message: 'Organization Details updated successfully' }
    }),

    handle(contract.plan, async (c) => {
      // disabled channels count as well; those being deleted don't, the same as when connecting another
      const { channels, resting } = await c.tx
        .selectFrom('channel')
        .select((e) => [
          e.fn.countAll<number>().filterWhere('plan_locked', '=', false).as('channels'),
          e.fn.countAll<number>().filterWhere('plan_locked', '=', true).as('resting'),
        ])
        .where('org_id', '=', c.org.orgId)
        .where('deleted_at', 'is', null)
        .where('deleting_at', 'is', null)
        .executeTakeFirstOrThrow()
      const { projects } = await c.tx
        .selectFrom('project')
        .select((e) => e.fn.countAll<number>().as('projects'))
        .where('org_id', '=', c.org.orgId)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
      return presentPlan(
        c.org,
        { channels, resting, projects, users: await countSeats(c.tx, c.org.orgId, c.now) },
        c.now,
      )
    }),
  ]
}

function presentPlan(
  { plan }: CallerOrg,
  current: { channels: number; resting: number; users: number; projects: number },
  now: Date,
) {
  const { valid, channels, users, projects, scheduledCap, closed } = entitlements(plan, now)
  return {
    planId: plan.planId,
    // a trial ends on its date, even before its row changes
    planStatus: plan.status === 'TRIAL_ACTIVE' && !valid ? ('TRIAL_EXPIRED' as const) : plan.status,
    // of a plan that was bought or chosen since, it says nothing
    trailEndsAt: plan.status.startsWith('TRIAL_') ? (plan.trialEndsAt?.toISOString() ?? null) : null,
    currentChannels: current.channels,
    restingChannels: current.resting,
    maxChannels: channels,
    currentUsers: current.users,
    maxUsers: limitOf(users),
    currentProjects: current.projects,
    maxProjects: limitOf(projects),
    scheduledCap,
    valid,
    closed: [...closed],
  }
}

/** Each comes with a trial, AI credits and emails: nobody needs many of them in a day. */
const organizations = { name: 'organizations', most: 10, seconds: 24 * 3600 } as const satisfies Limit

/** Counts an organization that a person is about to create. Throws RATE_LIMITED. */
async function countOrganization({ system }: Pick<Databases, 'system'>, personId: string, now: Date): Promise<void> {
  const { allowed, retryAfterSeconds } = await asSystem(system, (tx) => count(tx, organizations, personId, now))
  if (!allowed)
    throw fail('RATE_LIMITED', {
      detail: "You've created too many organizations today. Try again tomorrow.",
      meta: { retryAfterSeconds },
    })
}
