import { entitlements, PlanId, PlanStatus, type Entitlements, type PlanFacts } from '#contract/plans.ts'
import type { Selectable } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { Database } from '../db/schema.ts'

/**
 * The plan and what it allows at `now`, read under its row's lock, which covers everything that plans limit: until the
 * transaction ends, nobody else changes the plan or uses up part of it. What the request read before it waited for the
 * lock may be from a larger plan.
 */
export async function takeAllowance(tx: Tx, orgId: string, now: Date): Promise<Allowance> {
  const row = await tx.selectFrom('plan').selectAll().where('org_id', '=', orgId).forUpdate().executeTakeFirstOrThrow()
  return allowanceOf(row, now)
}

/** The plan and what it allows at `now`, to look at: it may change at any moment. */
export async function readAllowance(tx: Tx, orgId: string, now: Date): Promise<Allowance> {
  const row = await tx.selectFrom('plan').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow()
  return allowanceOf(row, now)
}

type Allowance = { plan: PlanFacts; entitlements: Entitlements }

function allowanceOf(row: Selectable<Database['plan']>, now: Date): Allowance {
  const plan = {
    planId: PlanId.parse(row.plan_id),
    status: PlanStatus.parse(row.status),
    addonQuantity: row.addon_quantity,
    trialEndsAt: row.trial_ends_at,
  }
  return { plan, entitlements: entitlements(plan, now) }
}
