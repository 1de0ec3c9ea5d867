import { saying } from '../testing/reasons.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { postReport } from '#contract/insights.ts'
import type { PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { NOW, postsOn } from '../testing/posts.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { readDueMetrics } from './readMetrics.ts'

let app: TestApp
let home: TestHome
let channelId: string
let asked: string[][] = []
let held: (remoteIds: string[]) => Promise<unknown> = async () => undefined
let answer: (remoteIds: string[]) => Awaited<ReturnType<Metrics['read']>>

const figures = (impressions: number): PostMetrics => ({ impressions })
const all = (n: number) => (remoteIds: string[]) => ({
  kind: 'metrics' as const,
  of: new Map(remoteIds.map((id) => [id, figures(n)])),
})

beforeAll(async () => {
  const metrics: Metrics = {
    most: 2,
    read: async (_reach, _secret, _account, posts) => {
      const ids = posts.map(({ remoteId }) => remoteId)
      asked.push(ids)
      await held(ids)
      return answer(ids)
    },
  }
  app = await startApp({ platforms: { bluesky: { ...testPlatform({}), metrics } } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('update measured_post set metrics_at = null')
  asked = []
  held = async () => undefined
  answer = all(5)
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
})

async function published(remoteId: string): Promise<string> {
  const posts = postsOn(app, app.database)
  const id = await posts.post(home, channelId, { schedule: NOW })
  await posts.put(id, 'PUBLISHED', { remote_id: remoteId, published_at: app.clock.now() })
  return id
}
const run = () =>
  readDueMetrics(app.parts, {
    databases: app.parts.databases,
    clock: app.clock,
    log: app.parts.log,
    signal: new AbortController().signal,
  })
const report = (postId: string) => app.call(postReport, { params: { ...home.params, postId } }, { as: home.person })

describe('figures', () => {
  it('keep what was last reported when the platform reports nothing', async () => {
    const id = await published('quiet')
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(1)
    app.clock.advance({ hours: 23 })
    answer = (ids) => ({ kind: 'metrics', of: new Map(ids.map((remoteId) => [remoteId, {}])) })
    expect(await run()).toBe(0)
    expect(await report(id)).toMatchObject({ figures: { impressions: 5 } })
  })

  it('are stored by day, and the report has them', async () => {
    const id = await published('a')
    expect(await run()).toBe(0)
    expect(await report(id)).toEqual({ postId: id, told: true, figures: null, readAt: null, days: [] })
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(1)
    const first = app.clock.now().toISOString()
    expect(await report(id)).toMatchObject({
      figures: { impressions: 5 },
      readAt: first,
      days: [{ date: first.slice(0, 10), figures: { impressions: 5 } }],
    })
    // nothing more is due
    expect(await run()).toBe(0)
    answer = all(9)
    app.clock.advance({ hours: 23 })
    expect(await run()).toBe(1)
    expect((await report(id)).days.map(({ figures: { impressions } }) => impressions)).toEqual([5, 9])
    expect(asked).toEqual([['a'], ['a']])
  })

  it('are requested for as many posts at a time as the platform accepts', async () => {
    for (const id of ['a', 'b', 'c', 'd', 'e']) await published(id)
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(5)
    expect(asked.map((ids) => ids.length)).toEqual([2, 2, 1])
  })

  it("of one channel are read while another one’s server doesn't respond", async () => {
    const [slow, quick] = [
      await published('slow'),
      await (async () => {
        channelId = await contentOn(app.parts).channel(home)
        return await published('quick')
      })(),
    ]
    app.clock.advance({ hours: 1 })
    let release: () => void = () => {}
    const silence = new Promise<void>((resolve) => (release = resolve))
    held = async (ids) => (ids.includes('slow') ? await silence : undefined)
    const running = run()
    const kept = async () =>
      (
        await app.database.owner.query<{ id: string }>(
          'select post_id as id from post_metric where post_id = any($1)',
          [[slow, quick]],
        )
      ).rows.map(({ id }) => id)
    await until(async () => (await kept()).length > 0)
    expect(await kept()).toEqual([quick])
    release()
    expect(await running).toBe(2)
  })

  it('wait as long as a platform asks, and nothing more is requested in the meantime', async () => {
    for (const id of ['a', 'b', 'c']) await published(id)
    app.clock.advance({ hours: 1 })
    answer = () => ({
      kind: 'retry',
      afterSeconds: 7200,
      closesBudget: true,
      reason: saying('Slow down.'),
    })
    expect(await run()).toBe(0)
    expect(asked).toHaveLength(1)
    answer = all(1)
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(0)
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(3)
  })

  it("aren't read for a post deleted on the platform, nor for a signed-out channel", async () => {
    const [gone, kept] = [await published('gone'), await published('kept')]
    await app.database.owner.query("update post set state = 'DELETED', remote_id = null where id = $1", [gone])
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channelId])
    app.clock.advance({ hours: 1 })
    expect(await run()).toBe(0)
    await app.database.owner.query("update channel set status = 'CONNECTED' where id = $1", [channelId])
    expect(await run()).toBe(1)
    expect(asked).toEqual([['kept']])
    expect((await report(kept)).figures).toMatchObject({ impressions: 5 })
  })
})
