import { PlatformKey } from '#contract/platforms/rules.ts'
import type { Tx } from '../db/kysely.ts'
import { channelToDrafts } from '../posts/toDrafts.ts'
import { pauseLane } from '../publishing/lane.ts'
import type { ChannelRow } from './access.ts'

/**
 * Disconnects a channel: its token is wiped, what was scheduled becomes drafts, what was published stays; what was taken
 * and not yet read back is published with a warning. The same account can be connected again and finds its history. Answers the posts that became drafts.
 */
export async function disconnect(tx: Tx, channel: ChannelRow, personId: string, now: Date): Promise<string[]> {
  const { org_id: orgId, id: channelId, project_id: projectId } = channel
  const drafted = await channelToDrafts(tx, { orgId, projectId, channelId, platform: PlatformKey.parse(channel.platform), personId, words: `${channel.handle} was disconnected.` }, now)
  await tx.updateTable('channel').set({ deleted_at: now, status: 'DISCONNECTED', enabled: false }).where('org_id', '=', orgId).where('id', '=', channelId).execute()
  await tx.deleteFrom('channel_secret').where('org_id', '=', orgId).where('channel_id', '=', channelId).execute()
  await pauseLane(tx, orgId, channelId)
  return drafted
}
