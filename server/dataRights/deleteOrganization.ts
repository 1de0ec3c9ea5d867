import { sql } from 'kysely'
import { resumeSubscription, cancelAtPeriodEnd } from '../billing/organizationDeletion.ts'
import { stopBoostsOf } from '../boosts/onChannelRemoved.ts'
import type { Tx } from '../db/kysely.ts'
import { fail } from '../errors.ts'

/** How long the deletion of an organization can be canceled, in days. */
const GRACE_DAYS = 7
export const DAY_MS = 86_400_000

type DeletionContext = { tx: Tx; now: Date; caller: { personId: string }; org: { orgId: string } }
export type Letter = { orgName: string; admins: { email: string }[] }

/**
 * Deletes an organization: nothing of it is published or paid for from this commit on, its promotions end, and only its
 * admins can open it (enter()). A job deletes its data after seven days. Repeating it changes nothing.
 */
export async function deleteOrganization({
  tx,
  now,
  caller,
  org,
}: DeletionContext): Promise<Letter & { deletesAt: Date; isNew: boolean }> {
  await lockPlan(tx, org.orgId)
  const { name, deletes_at: before } = await tx
    .selectFrom('organization')
    .select(['name', 'deletes_at'])
    .where('org_id', '=', org.orgId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const deletesAt = before ?? new Date(now.getTime() + GRACE_DAYS * DAY_MS)
  if (before === null) {
    await tx.updateTable('organization').set({ deletes_at: deletesAt }).where('org_id', '=', org.orgId).execute()
    await sql`select stop_organization(${now})`.execute(tx)
    await cancelAtPeriodEnd(tx, { orgId: org.orgId, personId: caller.personId }, now)
    const channels = await tx
      .selectFrom('channel')
      .select('id')
      .where('org_id', '=', org.orgId)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()
    for (const { id: channelId } of channels) await stopBoostsOf(tx, { orgId: org.orgId, channelId }, now)
  }
  return { orgName: name, admins: await adminsOf(tx, org.orgId), deletesAt, isNew: before === null }
}

/**
 * Cancels the deletion: members can open it again, the plan continues, and waiting posts are published if they're still
 * within their limits; promotions stay ended. Repeating it changes nothing. Throws NOT_FOUND when it's too late.
 */
export async function keepOrganization({
  tx,
  now,
  caller,
  org,
}: DeletionContext): Promise<Letter & { wasDeleting: boolean }> {
  await lockPlan(tx, org.orgId)
  // locked: the job that deletes locks it too, and checks again
  const { name, deletes_at: before } = await tx
    .selectFrom('organization')
    .select(['name', 'deletes_at'])
    .where('org_id', '=', org.orgId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  if (before !== null && before <= now) throw fail('NOT_FOUND')
  await tx.updateTable('organization').set({ deletes_at: null }).where('org_id', '=', org.orgId).execute()
  await sql`select release_organization()`.execute(tx)
  if (before !== null) await resumeSubscription(tx, { orgId: org.orgId, personId: caller.personId }, now)
  return { orgName: name, admins: await adminsOf(tx, org.orgId), wasDeleting: before !== null }
}

/**
 * Before the organization's row, as when taking a seat or buying: they lock the plan, then write rows that lock that
 * one.
 */
const lockPlan = (tx: Tx, orgId: string) =>
  tx.selectFrom('plan').select('plan_id').where('org_id', '=', orgId).forUpdate().execute()

/**
 * Who receives emails about the organization's deletion; `shutOut`: those who were its admins when the deletion began.
 */
export async function adminsOf(tx: Tx, orgId: string, { shutOut = false } = {}): Promise<{ email: string }[]> {
  const { rows } = await sql<{
    email: string
  }>`select p.email from member m join person p on p.id = m.person_id where m.org_id = ${orgId} and m.is_admin and (${shutOut} or m.removed_at is null) order by p.email`.execute(
    tx,
  )
  return rows
}
