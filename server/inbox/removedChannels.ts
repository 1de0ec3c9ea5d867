import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { asSystem } from '../db/system.ts'
import { lockCursors } from './lockCursors.ts'
import { eachAlone } from '../jobs/eachAlone.ts'
import type { JobContext } from '../jobs/job.ts'
import { emit } from '../live/emit.ts'

/** Conversations of one transaction, with everything in them. */
const BATCH = 200
const CHANNELS = 20

type Removed = { org_id: string; channel_id: string; project_id: string }

/** Deletes what people wrote to channels that were deleted here. Returns how many channels it emptied. */
export async function eraseRemovedChannels(
  context: Pick<JobContext, 'databases' | 'clock' | 'signal'> & Partial<Pick<JobContext, 'log'>>,
): Promise<number> {
  const { databases, clock, signal } = context
  const removed = await asSystem(databases.system, findRemoved)
  await eachAlone(
    context,
    removed,
    {
      name: ({ channel_id: channelId }) => ({ channelId }),
      failed: "conversations of a deleted channel couldn't be deleted",
    },
    async (channel) => {
      for (let deleted = BATCH; deleted === BATCH && !signal.aborted;)
        deleted = await asSystem(databases.system, (tx) => deleteSome(tx, channel))
      if (!signal.aborted) await asSystem(databases.system, (tx) => deleteRest(tx, channel, clock.now()))
    },
  )
  return removed.length
}

async function findRemoved(tx: Tx): Promise<Removed[]> {
  const { rows } = await sql<Removed>`
    select c.org_id, c.id as channel_id, c.project_id from channel c
    where c.deleted_at is not null and (
      exists (select from inbox_cursor i where i.org_id = c.org_id and i.channel_id = c.id)
      or exists (select from conversation v where v.org_id = c.org_id and v.channel_id = c.id))
    order by random() limit ${CHANNELS}`.execute(tx)
  return rows
}

async function deleteSome(tx: Tx, { org_id: orgId, channel_id: channelId }: Removed): Promise<number> {
  // what a node is sending at this moment is refused when it comes back
  await tx
    .deleteFrom('delivery')
    .where('org_id', '=', orgId)
    .where('channel_id', '=', channelId)
    .where('subject', 'in', ['reply', 'reply-change', 'item-change'])
    .execute()
  const { rows } = await sql`
    delete from conversation where org_id = ${orgId} and id in (
      select id from conversation where org_id = ${orgId} and channel_id = ${channelId} order by id limit ${BATCH}
    ) returning id`.execute(tx)
  return rows.length
}

async function deleteRest(tx: Tx, { org_id: orgId, channel_id: channelId, project_id: projectId }: Removed, now: Date) {
  await lockCursors(tx, { orgId, channelId })
  for (const table of ['inbox_person', 'inbox_tombstone', 'inbox_cursor'] as const)
    await tx.deleteFrom(table).where('org_id', '=', orgId).where('channel_id', '=', channelId).execute()
  await emit(tx, { kind: 'conversation', ref: channelId, orgId, projectId }, now)
}
