import { z } from 'zod'
import { rest } from '../jsonCalls.ts'
import { reported, type AccountFigures, type FigureName, type Reach } from '../platform.ts'
import { call, READ_TIMEOUT_MS, refusalOf, withSecret } from './client.ts'
import { ChannelCounts, type YoutubeSecret } from './schemas.ts'

export const ANALYTICS_HOST = 'youtubeanalytics.googleapis.com'
const RIGHT = 'https://www.googleapis.com/auth/yt-analytics.readonly'
const showing = { doing: 'show-figures', irreversible: false } as const

/** What a value is multiplied with to get the catalog's whole units. */
const NAMES: Record<string, { name: FigureName; by: number }> = {
  views: { name: 'views', by: 1 },
  engagedViews: { name: 'engagedViews', by: 1 },
  estimatedMinutesWatched: { name: 'watchSeconds', by: 60 },
  averageViewDuration: { name: 'averageWatchMs', by: 1000 },
  averageViewPercentage: { name: 'averageWatchedShare', by: 100 },
  likes: { name: 'reactions', by: 1 },
  comments: { name: 'comments', by: 1 },
  shares: { name: 'shares', by: 1 },
  subscribersGained: { name: 'followersGained', by: 1 },
  subscribersLost: { name: 'followersLost', by: 1 },
}

/** A table: days without data have no row. */
const Table = z.object({
  columnHeaders: z.array(z.object({ name: z.string() })),
  rows: z.array(z.array(z.union([z.string(), z.number()]))).default([]),
})

const report = (reach: Reach, own: YoutubeSecret, query: Record<string, string>) =>
  rest(reach, {
    url: `https://${ANALYTICS_HOST}/v2/reports`,
    query: { ids: 'channel==MINE', ...query },
    token: own.accessToken,
    reply: Table,
    timeoutMs: READ_TIMEOUT_MS,
  })

/** By day, 48 to 72 hours behind (YouTube Analytics API, reports.query). */
export const accountFigures: AccountFigures = {
  series: {
    mostDays: 365,
    calls: () => 1,
    read: withSecret(async (reach, own, _account, { from, to }) => {
      if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
      const metrics = Object.keys(NAMES).join()
      const found = await report(reach, own, { startDate: from, endDate: to, metrics, dimensions: 'day' })
      if (found.kind !== 'ok') return refusalOf(found, showing)
      const columns = found.value.columnHeaders.map(({ name }) => name)
      const days = found.value.rows.map((row) => ({
        day: String(row[columns.indexOf('day')]),
        figures: Object.fromEntries(
          columns.flatMap((column, i) => {
            const [known, value] = [NAMES[column], row[i]]
            return known && typeof value === 'number' ? [[known.name, Math.round(value * known.by)]] : []
          }),
        ),
      }))
      return { kind: 'series', days }
    }),
  },
  snapshot: withSecret(async (reach, own) => {
    const found = await call(reach, own, {
      path: '/channels',
      query: { part: 'statistics', id: own.channelId },
      reply: ChannelCounts,
    })
    if (found.kind !== 'ok') return refusalOf(found, showing)
    const counts = found.value.items[0]?.statistics
    return {
      kind: 'snapshot',
      // a channel can hide its subscribers
      figures: reported({
        followers: counts?.hiddenSubscriberCount ? null : counts?.subscriberCount,
        posts: counts?.videoCount,
      }),
    }
  }),
  audience: withSecret(async (reach, own, _account, today) => {
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const day = (back: number) => new Date(Date.parse(today) - back * 86_400_000).toISOString().slice(0, 10)
    const range = { startDate: day(31), endDate: day(3) }
    const buckets = []
    for (const { breakdown, dimensions, metrics, by } of [
      { breakdown: 'age', dimensions: 'ageGroup', metrics: 'viewerPercentage', by: 100 },
      { breakdown: 'gender', dimensions: 'gender', metrics: 'viewerPercentage', by: 100 },
      { breakdown: 'country', dimensions: 'country', metrics: 'views', by: 1 },
      { breakdown: 'trafficSource', dimensions: 'insightTrafficSourceType', metrics: 'views', by: 1 },
    ] as const) {
      const found = await report(reach, own, { ...range, dimensions, metrics })
      if (found.kind !== 'ok') return refusalOf(found, showing)
      for (const [bucket, value] of found.value.rows)
        if (typeof value === 'number')
          buckets.push({ breakdown, bucket: String(bucket), value: Math.round(value * by) })
    }
    return { kind: 'audience', buckets }
  }),
}
