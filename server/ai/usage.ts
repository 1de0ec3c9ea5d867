import { sql } from 'kysely'
import { entitlements, PlanId, PlanStatus, type Entitlements } from '#contract/plans.ts'
import type { Tx } from '../db/kysely.ts'

/** The first day of the month in UTC, which credits are counted by. */
export const monthOf = (now: Date): string => `${now.toISOString().slice(0, 7)}-01`

/** What the organization's plan allows at `now`. */
export async function planRights(tx: Tx, orgId: string, now: Date): Promise<Entitlements> {
  const plan = await tx.selectFrom('plan').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow()
  return entitlements(
    {
      planId: PlanId.parse(plan.plan_id),
      status: PlanStatus.parse(plan.status),
      addonQuantity: plan.addon_quantity,
      trialEndsAt: plan.trial_ends_at,
    },
    now,
  )
}

/**
 * Takes credits of a month, all or none, in one statement: two simultaneous calls can't exceed `limit` together.
 * Returns how many are used then; undefined if there weren't enough.
 */
export async function takeCredits(
  tx: Tx,
  orgId: string,
  { month, credits, limit }: { month: string; credits: number; limit: number },
): Promise<number | undefined> {
  const { rows } = await sql<{ used: number }>`
    insert into ai_usage as u (org_id, month, used) select ${orgId}::uuid, ${month}::date, ${credits}::int where ${credits}::int <= ${limit}::int
    on conflict (org_id, month) do update set used = u.used + excluded.used where u.used + excluded.used <= ${limit}::int
    returning u.used`.execute(tx)
  return rows[0]?.used
}

/** Returns credits to the month they were taken from. */
export async function giveBackCredits(
  tx: Tx,
  orgId: string,
  { month, credits }: { month: string; credits: number },
): Promise<void> {
  await tx
    .updateTable('ai_usage')
    .set((eb) => ({ used: eb('used', '-', credits) }))
    .where('org_id', '=', orgId)
    .where('month', '=', month)
    .execute()
}
