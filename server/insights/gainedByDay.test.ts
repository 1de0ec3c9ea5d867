import { afterAll, beforeAll, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { foldCounts } from '../dashboard/fold.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn, gainedDays } from '../testing/figures.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { readDueMetrics } from './readMetrics.ts'

/*
 * What a day's figures say against what happened: posts gain views along a curve that a platform counts to the second, and the job
 * reads them as the reading plan says.
 */

const HOUR = 3_600_000
const DAY = 24 * HOUR
const ZONE = 'America/New_York'
/** Midnight in New York: 05:00 in UTC. */
const START = Date.parse('2026-11-22T05:00:00Z')
const DAYS = 40

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

/** Views of a post by its age: most on its first day, and a long tail. */
const seenBy = (age: number, reach: number): number =>
  age <= 0 ? 0 : Math.floor(reach * (0.8 * (1 - Math.exp(-age / (14 * HOUR))) + 0.2 * (1 - Math.exp(-age / (9 * DAY)))))

it('say nearly what happened on each day, and in the morning what happened the day before', async () => {
  const home = await app.signedInOwner()
  const { owner } = app.database
  await owner.query('update project set zone = $2 where id = $1', [home.projectId, ZONE])
  const channelId = await contentOn(app.parts).channel(home, { platform: 'facebook' })
  const posts: { at: number; reach: number; remoteId: string }[] = []
  const calls = new Map<string, number>()
  const facebook: Platform = {
    ...testPlatform(),
    key: 'facebook' satisfies PlatformKey,
    budgets: [],
    metrics: {
      most: 50,
      read: async (_reach, _secret, _account, asked) => ({
        kind: 'metrics',
        of: new Map(
          asked.map(({ remoteId }) => {
            const post = posts.find((one) => one.remoteId === remoteId)
            calls.set(remoteId, (calls.get(remoteId) ?? 0) + 1)
            return [remoteId, { views: post ? seenBy(app.clock.now().getTime() - post.at, post.reach) : 0 }]
          }),
        ),
      }),
    },
  }
  const run = () =>
    readDueMetrics(
      { ...app.parts, platforms: (key) => (key === 'facebook' ? facebook : undefined) },
      { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
    )
  for (let hour = 0; hour < DAYS * 24; hour += 1) {
    const now = START + hour * HOUR
    app.clock.set(new Date(now))
    // a post in the morning, at noon or in the evening of each day
    if (hour % 24 === [9, 13, 19][Math.floor(hour / 24) % 3]) {
      const id = await figuresOn(app.database).published(home, channelId, new Date(now).toISOString())
      const { rows } = await owner.query<{ remote_id: string }>('select remote_id from post where id = $1', [id])
      posts.push({ at: now, reach: 900 + (hour % 7) * 100, remoteId: rows[0]?.remote_id ?? '' })
    }
    // late enough for everything that is due within the hour
    app.clock.set(new Date(now + 59 * 60_000))
    await run()
  }
  await foldCounts({ databases: app.parts.databases, signal: new AbortController().signal })
  const { rows } = await owner.query<{ day: string; gain: number }>(
    `select day::text, sum(gain)::int as gain from ${gainedDays} where channel_id = $1 and name = 'views' group by day order by day`,
    [channelId],
  )
  const trueGain = (day: number) =>
    posts.reduce(
      (sum, { at, reach }) => sum + seenBy(START + (day + 1) * DAY - at, reach) - seenBy(START + day * DAY - at, reach),
      0,
    )
  // all days that are over, the last one only since midnight
  const days = Array.from({ length: DAYS - 1 }, (_, day) => ({
    shown: rows[day]?.gain ?? 0,
    happened: trueGain(day),
  }))
  for (const { shown, happened } of days) expect(Math.abs(shown - happened)).toBeLessThan(happened * 0.05)
  const difference = days.reduce((sum, { shown, happened }) => sum + Math.abs(shown - happened), 0)
  expect(difference).toBeLessThan(days.reduce((sum, { happened }) => sum + happened, 0) * 0.02)
  // 1, 6 and 24 hours, 31 midnights, and one of the weekly ones
  expect(calls.get(posts[0]?.remoteId ?? '')).toBe(35)
})

it.each([
  'Atlantic/Azores',
  'America/Havana',
  'America/Santiago',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
])('are divided into the days of %s without a rest, whatever its clocks do', async (zone) => {
  const { rows: days } = await app.database.owner.query(
    `select d.day from (select generate_series('2026-01-01', '2027-12-31', interval '1 day')::date as day) d cross join lateral (select day_begins(d.day, $1) as at) b
       where (b.at at time zone $1)::date <> d.day or ((b.at - interval '1 microsecond') at time zone $1)::date >= d.day`,
    [zone],
  )
  expect(days).toEqual([])
  // from every third hour of a year, over 1 to 50 hours
  const { rows: spans } = await app.database.owner.query(
    `select s.since, sum(part_of(1000, d.low, d.high, d.length)) as gain from (
         select at as since, at + (1 + extract(epoch from at)::bigint / 10800 % 50) * interval '1 hour' as until from generate_series('2026-01-01'::timestamptz, '2027-01-01', interval '3 hours') at
       ) s cross join lateral days_of_span(s.since, s.until, $1) d
       group by s.since having sum(part_of(1000, d.low, d.high, d.length)) <> 1000 or min(part_of(1000, d.low, d.high, d.length)) < 0`,
    [zone],
  )
  expect(spans).toEqual([])
})
