import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import type { SubjectKind } from './steps.ts'

/*
 * The only places outside of the engine's own statements that raise a fence, so that whatever a node is doing with
 * the delivery at that moment is rejected. To be used in the caller's own transaction, with the subject's row locked
 * before and the lane after; as a statement of its own or in a `with`.
 */

/** An update of `delivery d`: what is set, and from where and which. */
export const overrule = (set: RawBuilder<unknown>, which: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`update delivery d set fence = d.fence + 1, ${set} ${which}`

/** The delivery of something that a job works on, created with the subject's row: the publishing nodes never find it due. */
export async function openDelivery(
  tx: Tx,
  of: { orgId: string; channelId: string; subject: SubjectKind; subjectId: string },
): Promise<void> {
  await tx
    .insertInto('delivery')
    .values({ org_id: of.orgId, channel_id: of.channelId, subject: of.subject, subject_id: of.subjectId })
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** An upsert of deliveries: `rows` are columns and their values, `set` may use `excluded`. */
export const putDeliveries = (rows: RawBuilder<unknown>, set: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`insert into delivery as d ${rows} on conflict (org_id, subject_id, subject, key) do update set fence = d.fence + 1, ${set}`
