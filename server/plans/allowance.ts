import { entitlements, PlanId, PlanStatus, type Entitlements, type PlanFacts } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'

/**
 * The plan and what it allows at `now`, read under its row's lock, which covers everything that plans limit: until the
 * transaction ends, nobody else changes the plan or uses up part of it. What the request read before it waited for the
 * lock may be from a larger plan.
 */
export async function takeAllowance(
  tx: Tx,
  orgId: string,
  now: Date,
): Promise<{ plan: PlanFacts; entitlements: Entitlements }> {
  const row = await tx.selectFrom('plan').selectAll().where('org_id', '=', orgId).forUpdate().executeTakeFirstOrThrow()
  const plan = {
    planId: PlanId.parse(row.plan_id),
    status: PlanStatus.parse(row.status),
    addonQuantity: row.addon_quantity,
    trialEndsAt: row.trial_ends_at,
  }
  return { plan, entitlements: entitlements(plan, now) }
}
