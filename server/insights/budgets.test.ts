import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Budget, Metrics, Platform } from '../platforms/platform.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { quietLog, testKeys } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform, type Scripted } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { readDueMetrics } from './readMetrics.ts'

/*
 * Reading metrics beside publishing, on two nodes with one database: a platform's rate limits apply to both together.
 */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
beforeEach(() => room.clear())
afterEach(() => room.stopAll())
afterAll(() => room.close())

const slow = {
  kind: 'retry',
  afterSeconds: 7200,
  closesBudget: true,
  reason: saying('Slow down.', 'Wait.'),
} as const
const TWO_HOURS = 7200
const budget = (more: Partial<Budget> = {}): Budget => ({
  name: 'calls',
  per: 'credentials',
  windowSeconds: TWO_HOURS,
  tokens: 20,
  cost: { send: 1, metrics: 1 },
  ...more,
})

function readable(
  platform: Scripted,
  read: (remoteIds: string[]) => Awaited<ReturnType<Metrics['read']>> = (ids) => ({
    kind: 'metrics',
    of: new Map(ids.map((id) => [id, { reactions: 1 }])),
  }),
) {
  const asked: string[] = []
  const metrics: Metrics = {
    most: 1,
    read: async (_reach, _secret, _account, posts) => {
      const ids = posts.map(({ remoteId }) => remoteId)
      asked.push(...ids)
      return read(ids)
    },
  }
  return { ...platform, metrics, readings: asked }
}
const run = (platform: Platform) =>
  readDueMetrics(
    {
      platforms: (key) => (key === 'bluesky' ? platform : undefined),
      secrets: testKeys,
      fetch: createSafeFetch({ allow: [] }),
      apps: { ofChannel: async () => undefined },
    },
    { databases: room.database.databases, clock: room.clock, log: quietLog, signal: new AbortController().signal },
  )

const states = async (ids: readonly string[]) => await Promise.all(ids.map(async (id) => (await room.row(id)).state))

async function twoNodes(platform: Platform): Promise<void> {
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
}

test('lets two nodes read no more than the window has left, keeping a fifth of it for posts', async () => {
  const platform = readable(scriptedPlatform({ budgets: [budget()] }))
  await twoNodes(platform)
  const other = await room.moreChannels()
  const ids = await room.posts(
    Array.from({ length: 12 }, (_, i) => ({
      minutes: 0,
      text: `post ${i}`,
      ...(i % 2 && { channelId: other.channelId }),
    })),
  )
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  room.clock.advance({ hours: 1, minutes: 1 })
  const written = await Promise.all([run(platform), run(platform)])
  expect(written.reduce((sum, n) => sum + n)).toBe(4)
  expect(platform.readings).toHaveLength(4)
  // what was left for posts is available to them, and no more
  await room.database.owner.query('update channel set lateness_minutes = 600')
  const more = await room.posts(Array.from({ length: 5 }, (_, i) => ({ minutes: 0, text: `later ${i}` })))
  await until(async () => platform.there.length === 16)
  await until(async () => (await states(more)).filter((state) => state === 'PUBLISHED').length === 4)
  expect(await run(platform)).toBe(0)
  expect(platform.readings).toHaveLength(4)
  // the window ends
  room.clock.advance({ hours: 1 })
  for (const id of more) await room.reaches(id, 'PUBLISHED')
  expect(platform.there).toHaveLength(17)
  expect(await run(platform)).toBeGreaterThan(0)
})

test('closes a platform for posts if it closes for readings, and opens it for both', async () => {
  let limited = true
  const platform = readable(scriptedPlatform({ budgets: [budget({ per: 'channel' })] }), (ids) =>
    limited ? slow : { kind: 'metrics', of: new Map(ids.map((id) => [id, { reactions: 1 }])) },
  )
  await twoNodes(platform)
  const [first = '', second = ''] = await room.posts([
    { minutes: 0, text: 'first' },
    { minutes: 0, text: 'second' },
  ])
  await room.reaches(first, 'PUBLISHED')
  await room.reaches(second, 'PUBLISHED')
  room.clock.advance({ hours: 1, minutes: 1 })
  expect(await run(platform)).toBe(0)
  // one request informed both nodes
  expect(platform.readings).toHaveLength(1)
  await room.database.owner.query('update channel set lateness_minutes = 600')
  const [waits = ''] = await room.posts([{ minutes: 0, text: 'waits' }])
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.inMinutes(60)])).rowCount === 1,
  )
  expect(platform.there.map(({ text }) => text).toSorted()).toEqual(['first', 'second'])
  limited = false
  room.clock.advance({ hours: 2, minutes: 1 })
  await room.reaches(waits, 'PUBLISHED')
  expect(await run(platform)).toBe(2)
})

test("doesn't read from a platform that a post found closed until it opens", async () => {
  let limited = false
  const sent = (text: string) => ({ kind: 'sent', remoteId: text, progress: {} }) as const
  const platform = readable(
    scriptedPlatform({
      budgets: [budget({ per: 'channel' })],
      send: async (_reach, _secret, _account, post) => (limited ? slow : sent(post.sendKey)),
    }),
  )
  await twoNodes(platform)
  const published = await room.post(0, 'published')
  await room.reaches(published, 'PUBLISHED')
  room.clock.advance({ hours: 1, minutes: 1 })
  limited = true
  await room.post(0, 'refused')
  await until(
    async () =>
      (await room.database.owner.query('select 1 from budget where closed_until > $1', [room.inMinutes(100)]))
        .rowCount === 1,
  )
  expect(await run(platform)).toBe(0)
  expect(platform.readings).toEqual([])
  // postponed until the platform opens, and read then
  const { rows } = await room.database.owner.query('select metrics_at from measured_post where id = $1', [published])
  expect(rows).toEqual([{ metrics_at: expect.any(Date) }])
  limited = false
  room.clock.advance({ hours: 2, minutes: 1 })
  expect(await run(platform)).toBe(1)
})

test("continues uses that a rate limit doesn't count", async () => {
  const platform = readable(scriptedPlatform({ budgets: [budget({ tokens: 1, cost: { send: 1 } })] }), () => slow)
  await room.start({ platforms: [platform] })
  await room.reaches(await room.post(0, 'only'), 'PUBLISHED')
  room.clock.advance({ hours: 1, minutes: 1 })
  expect(await run(platform)).toBe(0)
  expect(platform.readings).toHaveLength(1)
  expect((await room.database.owner.query('select 1 from budget where closed_until is not null')).rowCount).toBe(0)
})
