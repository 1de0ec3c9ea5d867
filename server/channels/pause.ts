import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'
import { pauseLane, resumeLane } from '../publishing/lane.ts'
import type { ChannelRow } from './access.ts'

/** Pauses a channel: its scheduled and queued posts wait. Answers how many. */
export async function disable(tx: Tx, channel: ChannelRow): Promise<number> {
  await tx.updateTable('channel').set({ enabled: false }).where('org_id', '=', channel.org_id).where('id', '=', channel.id).execute()
  await pauseLane(tx, channel.org_id, channel.id)
  return await waitingPosts(tx, channel)
}

/** Resumes a channel; one whose token is dead goes on once it is reconnected. Answers how many posts are scheduled. */
export async function enable(tx: Tx, channel: ChannelRow): Promise<number> {
  await tx.updateTable('channel').set({ enabled: true }).where('org_id', '=', channel.org_id).where('id', '=', channel.id).execute()
  if (channel.status === 'CONNECTED') await resumeLane(tx, channel.org_id, channel.id)
  return await waitingPosts(tx, channel)
}

async function waitingPosts(tx: Tx, channel: ChannelRow): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from post where org_id = ${channel.org_id} and channel_id = ${channel.id} and state in ('SCHEDULED', 'QUEUED')`.execute(tx)
  return rows[0]?.n ?? 0
}
