import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { IMPORTED_ON_REQUEST, type CollectingChannel } from '#contract/analytics/collecting.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { iso } from '../posts/rowJson.ts'
import { fail } from '../errors.ts'
import { readChannels, type Reader } from './scope.ts'

const nothing = {
  problem: null,
  backfilledTo: null,
  backfillUntil: null,
  imported: null,
  wanted: null,
  lastReadAt: null,
  nextReadAt: null,
}
type Row = CollectingChannel['readings'][number] & { channel_id: string }

/** What is read of each channel of the caller's role, and what is in the way. `lists`: the platforms that list an account's posts. */
export async function readCollecting(c: Reader, lists: ReadonlySet<PlatformKey>): Promise<CollectingChannel[]> {
  const channels = (await readChannels(c, {})).filter(({ deleted }) => !deleted)
  const { rows } = await sql<Row>`
    select s.channel_id, s.kind, s.state, s.problem ->> 'code' as problem, s.read_to as "backfilledTo", s.until_day as "backfillUntil", s.imported, s.wanted, ${iso('s.read_at')} as "lastReadAt", ${iso('s.next_at')} as "nextReadAt"
    from insight_sync s where s.org_id = ${c.org.orgId} and s.channel_id = any(${channels.map(({ channelId }) => channelId)}::uuid[]) order by s.kind`.execute(
    c.tx,
  )
  return channels.map(({ channelId, channelName, platformName, status, missingRights }) => ({
    channelId,
    channelName,
    platformName,
    status,
    readings: [
      ...rows.filter((row) => row.channel_id === channelId),
      ...(lists.has(platformName) ? [] : [{ ...nothing, kind: 'posts', state: 'unavailable' }]),
    ],
    missingRights: (platformFigures[platformName].needs ?? []).filter((right) => missingRights.includes(right)),
  }))
}

/**
 * Asks for more of a channel's posts than the first import found: it continues where that one ended, or begins again if the list had
 * no more. NOT_FOUND outside of the caller's role. Returns whether there's something to ask for.
 */
export async function askForMorePosts(c: Reader, channelId: string): Promise<boolean> {
  const [channel] = await readChannels(c, { channelIds: [channelId] })
  if (!channel || channel.deleted) throw fail('NOT_FOUND')
  const { rows } = await sql`
    update insight_sync s set wanted = ${IMPORTED_ON_REQUEST}, imported = case when s.cursor is null then 0 else s.imported end, next_at = least(s.next_at, ${c.now}), state = case when s.state = 'done' then 'waiting' else s.state end
    where s.org_id = ${c.org.orgId} and s.channel_id = ${channelId} and s.kind = 'posts' and s.wanted < ${IMPORTED_ON_REQUEST} returning s.channel_id`.execute(
    c.tx,
  )
  return rows.length > 0
}
