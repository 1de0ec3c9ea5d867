import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { CollectingChannel } from '#contract/analytics/collecting.ts'
import { iso } from '../posts/rowJson.ts'
import { readChannels, type Reader } from './scope.ts'

type Row = CollectingChannel['readings'][number] & { channel_id: string }

/** What is read of each channel of the caller's role, and what is in the way. */
export async function readCollecting(c: Reader): Promise<CollectingChannel[]> {
  const channels = (await readChannels(c, {})).filter(({ deleted }) => !deleted)
  const { rows } = await sql<Row>`
    select s.channel_id, s.kind, s.state, s.problem ->> 'code' as problem, s.read_to as "backfilledTo", s.until_day as "backfillUntil", ${iso('s.read_at')} as "lastReadAt", ${iso('s.next_at')} as "nextReadAt"
    from insight_sync s where s.org_id = ${c.org.orgId} and s.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[]) order by s.kind`.execute(
    c.tx,
  )
  return channels.map(({ channelId, channelName, platformName, missingRights }) => ({
    channelId,
    channelName,
    platformName,
    readings: rows.filter((row) => row.channel_id === channelId),
    missingRights: (platformFigures[platformName].needs ?? []).filter((right) => missingRights.includes(right)),
  }))
}
