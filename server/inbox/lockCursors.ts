import { sql } from 'kysely'
import type { Tx } from '../db/kysely.ts'

/**
 * Locks a channel's cursors, to change several. All who lock several do it in the order of organization, channel and kind:
 * two transactions that lock the same ones in different orders would wait for each other.
 */
export async function lockCursors(tx: Tx, { orgId, channelId }: { orgId: string; channelId: string }): Promise<void> {
  await sql`select from inbox_cursor where org_id = ${orgId} and channel_id = ${channelId} order by kind for update`.execute(
    tx,
  )
}
