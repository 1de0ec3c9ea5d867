import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { TRIAL_DAYS } from '#contract/constants.ts'
import type { orgTypes } from '#contract/organizations.ts'
import type { Tx } from '../db/kysely.ts'
import type { Databases } from '../db/pools.ts'
import { asSystem } from '../db/system.ts'

export type NewOrganization = { personId: string; name: string; orgType: (typeof orgTypes)[number]; orgSize: string }

/**
 * The organization that the person created and still administers, if any. Until `tx` ends, others asking the same for
 * this person wait, so that the second of two simultaneous calls finds what the first created.
 */
export async function ownOrganization(
  tx: Tx,
  { system }: Pick<Databases, 'system'>,
  personId: string,
): Promise<string | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`own organization ${personId}`}, 0))`.execute(tx)
  // a transaction outside of all organizations sees none of them
  const own = await asSystem(system, (all) =>
    all
      .selectFrom('organization')
      .innerJoin('member', 'member.org_id', 'organization.org_id')
      .select('organization.org_id')
      .where('organization.created_by', '=', personId)
      .where('organization.deletes_at', 'is', null)
      .where('member.person_id', '=', personId)
      .where('member.is_admin', '=', true)
      .where('member.removed_at', 'is', null)
      .orderBy('organization.created_at')
      .limit(1)
      .executeTakeFirst(),
  )
  return own?.org_id
}

/**
 * Creates an organization with its creator as admin and its 14-day trial with Team's features. Leaves the transaction
 * inside the new organization. Returns its id.
 */
export async function createOrganization(
  tx: Tx,
  { personId, name, orgType, orgSize }: NewOrganization,
  now: Date,
): Promise<string> {
  const orgId = randomUUIDv7()
  await sql`select set_config('app.org_id', ${orgId}, true)`.execute(tx)
  await tx
    .insertInto('organization')
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
