import type { insightsCompetitorSeries } from '#contract/analytics/competitors.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { Reader, Scope } from '../analytics/scope.ts'
import { listDays, readFollowers } from './levels.ts'

/** Followers by day: a line for each of the caller's channels of the platform, and for each competitor. */
export async function readSeriesOf(
  c: Reader,
  { range, channels }: Scope,
  platform: PlatformKey,
): Promise<ReplyOf<typeof insightsCompetitorSeries>> {
  const theirs = await c.tx
    .selectFrom('competitor')
    .select('id')
    .where('org_id', '=', c.org.orgId)
    .where('project_id', '=', c.project.projectId)
    .where('platform', '=', platform)
    .where('removed_at', 'is', null)
    .orderBy('added_at')
    .orderBy('id')
    .execute()
  const own = channels.flatMap(({ channelId, deleted }) => (deleted ? [] : [channelId]))
  const lines = [
    ...(await readFollowers(c, { table: 'channel_figure', key: 'channel_id', ids: own }, range)),
    ...(await readFollowers(
      c,
      { table: 'competitor_figure', key: 'competitor_id', ids: theirs.map(({ id }) => id) },
      range,
    )),
  ]
  const isOwn = new Set(own)
  return {
    range,
    days: listDays(range),
    series: lines.map(([id, values]) => ({ id, isOwn: isOwn.has(id), values })),
  }
}
