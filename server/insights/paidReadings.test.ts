import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { because } from '#contract/failures/catalog.ts'
import { setPlatformCost } from '#contract/inbox/costs.ts'
import type { Metrics, Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { readDueMetrics } from './readMetrics.ts'

/* Posts' figures on a platform that charges for each post it shows: X, half a cent. */

const PRICE = 5_000
const HOUR = 3_600_000

let app: TestApp
let home: TestHome
let channelId: string
/** The posts that the platform showed, and so charged for. */
let shown: string[]
let answer: (ids: readonly string[]) => Awaited<ReturnType<Metrics['read']>>

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('update measured_post set metrics_at = null')
  shown = []
  answer = all
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home, { platform: 'x' })
})

const all: typeof answer = (ids) => ({ kind: 'metrics', of: new Map(ids.map((id) => [id, { impressions: 7 }])) })
const x: Platform = {
  ...testPlatform(),
  key: 'x',
  budgets: [],
  metrics: {
    most: 100,
    read: async (_reach, _secret, _account, posts) => {
      const told = answer(posts.map(({ remoteId }) => remoteId))
      if (told.kind === 'metrics') shown.push(...told.of.keys())
      return told
    },
  },
}
async function publish(posts: number): Promise<void> {
  const builders = figuresOn(app.database)
  for (let i = 0; i < posts; i += 1)
    await builders.published(home, channelId, new Date(app.clock.now().getTime() - HOUR).toISOString())
  await app.database.owner.query('update measured_post set metrics_at = $2 where channel_id = $1', [
    channelId,
    app.clock.now(),
  ])
}
const limit = (monthlyLimit: number | null) =>
  app.call(
    setPlatformCost,
    { params: { orgId: home.orgId }, body: { platformName: 'x', monthlyLimit } },
    { as: home.person },
  )
const run = (signal = new AbortController().signal) =>
  readDueMetrics(
    {
      platforms: (key) => (key === 'x' ? x : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal },
  )
const spent = async () =>
  (
    await app.database.owner.query<{ spent: number }>('select spent::int from inbox_cost where org_id = $1', [
      home.orgId,
    ])
  ).rows[0]?.spent
const due = async () =>
  (
    await app.database.owner.query<{ n: number }>(
      'select count(*)::int as n from measured_post where channel_id = $1 and metrics_at <= $2',
      [channelId, app.clock.now()],
    )
  ).rows[0]?.n

describe("posts' figures that cost money", () => {
  it('are read once someone set a limit, and stay due until then', async () => {
    await publish(3)
    expect(await run()).toBe(0)
    expect(shown).toEqual([])
    expect(await due()).toBe(3)
    await limit(1)
    expect(await run()).toBe(3)
    expect(await spent()).toBe(3 * PRICE)
    expect(await due()).toBe(0)
  })

  it("aren't read once the plan has ended, and stay due until there's one again", async () => {
    await limit(1)
    await publish(2)
    const { plan, endPlan } = teamOn(app)
    await endPlan(home)
    expect(await run()).toBe(0)
    expect([shown, await spent(), await due()]).toEqual([[], 0, 2])
    await plan(home, 'team')
    expect(await run()).toBe(2)
  })

  it('cost at most the limit, and the rest is read in the next month', async () => {
    await publish(210)
    await limit(1)
    expect((await run()) + (await run())).toBe(200)
    expect(await spent()).toBe(200 * PRICE)
    expect(await due()).toBe(10)
    expect(await run()).toBe(0)
    expect(shown).toHaveLength(200)
    app.clock.set(new Date('2027-01-01T00:05:00Z'))
    await app.database.owner.query(
      'update measured_post set metrics_at = null where channel_id = $1 and metrics_at > $2',
      [channelId, new Date('2026-12-15T00:00:00Z')],
    )
    expect(await run()).toBeGreaterThanOrEqual(10)
    expect(new Set(shown).size).toBe(210)
  })

  it('cost nothing for posts that the platform no longer shows, and for refused calls', async () => {
    await publish(4)
    await limit(1)
    answer = (ids) => ({ kind: 'metrics', of: new Map(ids.slice(0, 1).map((id) => [id, { impressions: 7 }])) })
    await run()
    expect(await spent()).toBe(PRICE)
    await publish(2)
    answer = () => ({ kind: 'retry', reason: because('slow-down', { platform: 'X' }) })
    await run()
    expect(await spent()).toBe(PRICE)
  })

  it('count as charged when the response was lost', async () => {
    await publish(2)
    await limit(1)
    answer = () => ({ kind: 'retry', reason: because('answer-lost', { doing: 'show-figures', platform: 'X' }) })
    await run()
    expect(await spent()).toBe(2 * PRICE)
  })

  const { runs, seed, timeout } = modelRuns('paid readings')
  it('never cost more than the limit, however many nodes read and die', { timeout }, async () => {
    const step = fc.record({
      posts: fc.integer({ min: 1, max: 60 }),
      nodes: fc.integer({ min: 1, max: 3 }),
      ends: fc.constantFrom('well', 'killed', 'lost', 'slow'),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        await app.database.owner.query('update measured_post set metrics_at = null')
        home = await app.signedInOwner()
        channelId = await contentOn(app.parts).channel(home, { platform: 'x' })
        shown = []
        await limit(1)
        for (const { posts, nodes, ends } of steps) {
          await publish(posts)
          answer = (ids) => {
            const told = all(ids)
            // the platform has shown the posts, and the worker dies before it knows
            if (ends === 'killed') {
              shown.push(...ids)
              throw new Error('killed')
            }
            if (ends === 'lost') {
              shown.push(...ids)
              return { kind: 'retry', reason: because('answer-lost', { doing: 'show-figures', platform: 'X' }) }
            }
            return ends === 'slow' ? { kind: 'retry', reason: because('slow-down', { platform: 'X' }) } : told
          }
          await Promise.all(Array.from({ length: nodes }, () => run()))
          expect(shown.length * PRICE).toBeLessThanOrEqual(1_000_000)
          expect(await spent()).toBeGreaterThanOrEqual(shown.length * PRICE)
          expect(await spent()).toBeLessThanOrEqual(1_000_000)
          app.clock.advance({ hours: 1 })
        }
      }),
      { numRuns: runs, seed, endOnFailure: true },
    )
  })
})
