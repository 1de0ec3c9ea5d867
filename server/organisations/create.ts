import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { TRIAL_DAYS } from '#contract/constants.ts'
import type { orgTypes } from '#contract/organisations.ts'
import type { Tx } from '../db/kysely.ts'

export type NewOrganisation = { personId: string; name: string; orgType: (typeof orgTypes)[number]; orgSize: string }

/**
 * Sets an organisation up with its creator as admin and its trial of 14 days with Team's features. Leaves the
 * transaction inside the new organisation. Answers its id.
 */
export async function createOrganisation(
  tx: Tx,
  { personId, name, orgType, orgSize }: NewOrganisation,
  now: Date,
): Promise<string> {
  const orgId = randomUUIDv7()
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
  await tx
    .insertInto('organisation')
    .values({ org_id: orgId, name, org_type: orgType, org_size: orgSize, created_at: now, created_by: personId })
    .execute()
  const trialEndsAt = new Date(now.getTime() + TRIAL_DAYS * 86_400_000)
  await tx
    .insertInto('plan')
    .values({ org_id: orgId, plan_id: 'team', status: 'TRIAL_ACTIVE', trial_ends_at: trialEndsAt, changed_at: now })
    .execute()
  await tx
    .insertInto('member')
    .values({ org_id: orgId, person_id: personId, is_admin: true, added_at: now, removed_at: null })
    .execute()
  return orgId
}
