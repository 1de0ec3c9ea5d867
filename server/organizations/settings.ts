import type { z } from 'zod'
import type { Organization } from '#contract/orgSettings.ts'
import { orgTypes, type NewOrganization } from '#contract/organizations.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'
import type { Caller } from '../http/route.ts'

type Asker = { tx: Tx; org: { orgId: string } }

/** The organization as its settings show it. */
export async function readOrganization({ tx, org }: Asker): Promise<Omit<Organization, 'withoutSecondFactor'>> {
  const row = await tx.selectFrom('organization').selectAll().where('org_id', '=', org.orgId).executeTakeFirstOrThrow()
  return {
    orgId: row.org_id,
    orgName: row.name,
    orgSize: row.org_size,
    orgType: orgTypes.find((type) => type === row.org_type) ?? 'organization',
    createdAt: row.created_at.toISOString(),
    deletesAt: row.deletes_at?.toISOString() ?? null,
    requireSecondFactor: row.requires_second_factor,
    inboxKeepDays: row.inbox_keep_days,
  }
}

/**
 * Turns the required second factor on or off. Returns the previous setting. Throws SECOND_FACTOR_NEEDED for a caller
 * without one.
 */
export async function requireSecondFactor(c: Asker & { caller: Caller }, required: boolean): Promise<boolean> {
  if (required && !c.caller.secondFactor)
    throw fail('SECOND_FACTOR_NEEDED', {
      detail: 'Set up two-factor authentication for your own account first, then log in with it.',
    })
  const { requireSecondFactor: before } = await readOrganization(c)
  await c.tx
    .updateTable('organization')
    .set({ requires_second_factor: required })
    .where('org_id', '=', c.org.orgId)
    .execute()
  return before
}

/** Changes for how many days the inbox is kept; returns the previous number. What is stored is brought in line by a job. */
export async function keepInbox(c: Asker, days: number): Promise<number> {
  const { inboxKeepDays: before } = await readOrganization(c)
  await c.tx.updateTable('organization').set({ inbox_keep_days: days }).where('org_id', '=', c.org.orgId).execute()
  return before
}

/** Changes name, type and size; returns the previous ones. */
export async function updateOrganization(
  c: Asker,
  { orgName, orgType, orgSize }: z.output<typeof NewOrganization>,
): Promise<z.output<typeof NewOrganization>> {
  const before = await readOrganization(c)
  await c.tx
    .updateTable('organization')
    .set({ name: orgName, org_type: orgType, org_size: orgSize })
    .where('org_id', '=', c.org.orgId)
    .execute()
  return { orgName: before.orgName, orgType: before.orgType, orgSize: before.orgSize }
}
