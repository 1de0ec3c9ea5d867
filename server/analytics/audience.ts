import { sql } from 'kysely'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import type { AudienceBreakdown } from '#contract/analytics/catalog/define.ts'
import type { InsightsAudience, MissingReason } from '#contract/analytics/overview.ts'
import { fail } from '../errors.ts'
import { readSyncs, whyNotRead } from './missing.ts'
import { readChannels, type Reader, type ScopeChannel } from './scope.ts'

/** A channel's audience as its platform told it last, per breakdown. NOT_FOUND outside of the caller's role. */
export async function readAudience(c: Reader, channelId: string): Promise<InsightsAudience> {
  const [channel] = await readChannels(c, { channelIds: [channelId] })
  if (!channel || channel.deleted) throw fail('NOT_FOUND')
  const { rows } = await sql<Omit<InsightsAudience['breakdowns'][number], 'unit'> & { breakdown: AudienceBreakdown }>`
    select a.breakdown, a.day, json_agg(json_build_object('bucket', a.bucket, 'value', a.value) order by a.value desc, a.bucket) as buckets
    from audience a
    where a.org_id = ${c.org.orgId} and a.channel_id = ${channelId}
      and a.day = (select max(l.day) from audience l where l.org_id = a.org_id and l.channel_id = a.channel_id and l.breakdown = a.breakdown)
    group by a.breakdown, a.day order by a.breakdown`.execute(c.tx)
  const { units = {} } = platformFigures[channel.platformName].audience ?? {}
  const breakdowns = rows.map((row) => ({ ...row, unit: units[row.breakdown] ?? ('people' as const) }))
  return { channelId, breakdowns, missing: rows.length > 0 ? null : await whyNone(c, channel) }
}

/** Why there's no audience of a channel. */
async function whyNone(c: Reader, channel: ScopeChannel): Promise<MissingReason> {
  const { audience } = platformFigures[channel.platformName]
  if (!audience) return 'notReported'
  const syncs = await readSyncs(c, [channel], 'audience')
  const { rows } = await sql<{ value: number }>`
    select f.value from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ${channel.channelId} and f.name = 'followers' order by f.day desc limit 1`.execute(
    c.tx,
  )
  return whyNotRead(channel, {
    sync: syncs.get(channel.channelId),
    followers: rows[0]?.value ?? null,
    leastFollowers: audience.leastFollowers,
  })
}
