import type { Gate } from '#contract/plans.ts'
import { problem } from '#contract/postProblems.ts'
import { fail } from '../errors.ts'
import type { ProjectContext } from '../http/route.ts'

/** Nothing is published once the trial or the plan has ended. Throws PLAN_LIMIT. */
export function mustHavePlan(c: Pick<ProjectContext, 'org'>): void {
  if (!c.org.entitlements.valid)
    throw fail('PLAN_LIMIT', {
      problem: problem('plan-ended', { isAdmin: c.org.isAdmin }),
      meta: { gate: 'plan_expired' },
    })
}

/**
 * For what changes something, or costs something, in a feature that stays readable after the plan has ended: the plan has the feature, and
 * hasn't ended. Throws PLAN_LIMIT.
 */
export function mustHaveRunning(c: Pick<ProjectContext, 'org'>, gate: Gate): void {
  mustHaveGate(c, gate)
  if (!c.org.entitlements.valid)
    throw fail('PLAN_LIMIT', {
      problem: problem('plan-ended-read-only', { isAdmin: c.org.isAdmin }),
      meta: { gate: 'plan_expired' },
    })
}

/** Throws PLAN_LIMIT with the gate's name when the plan lacks the feature. */
export function mustHaveGate(c: Pick<ProjectContext, 'org'>, gate: Gate): void {
  if (c.org.entitlements.closed.includes(gate))
    throw fail('PLAN_LIMIT', { problem: problem('not-in-plan', { gate }), meta: { gate } })
}
