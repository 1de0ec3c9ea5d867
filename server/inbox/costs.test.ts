import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { platformCosts, setPlatformCost } from '#contract/inbox/costs.ts'
import { inboxChannels } from '#contract/inbox/conversations.ts'
import { because } from '#contract/failures/catalog.ts'
import { asSystem } from '../db/system.ts'
import type { ReadAnswer, ReadAsk } from '../platforms/inbox.ts'
import type { Platform, Refusal } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { figuresOn } from '../testing/figures.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { setAside, settle } from './costs.ts'
import { readDueInboxes, readWatchedSooner } from './read.ts'

/* What reading X costs: nothing without a limit, and never more than it. */

let app: TestApp
let home: TestHome
let asked: ReadAsk[]
let answer: (ask: ReadAsk) => ReadAnswer | Refusal | Promise<ReadAnswer | Refusal>
beforeAll(async () => {
  app = await startApp({ platforms: { x: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from inbox_cursor')
  await app.database.owner.query('update channel set enabled = false')
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  asked = []
  answer = () => ({ kind: 'read', changes: [], cursor: {}, more: false, charged: 0 })
})

const PRICE = 0.025
const channel = () => contentOn(app.parts).channel(home, { platform: 'x' })
const limit = (monthlyLimit: number | null) =>
  app.call(
    setPlatformCost,
    { params: { orgId: home.orgId }, body: { platformName: 'x', monthlyLimit } },
    { as: home.person },
  )
const cost = async () => {
  const { platforms } = await app.call(platformCosts, { params: { orgId: home.orgId } }, { as: home.person })
  return platforms.find(({ platformName }) => platformName === 'x')
}
const paying = (): Platform => ({
  ...testPlatform(),
  key: 'x',
  budgets: [],
  inbox: {
    reads: [['mention', 'comment']],
    pays: { most: 10, least: 5 },
    read: async (_reach, _secret, _account, ask) => {
      asked.push(ask)
      return await answer(ask)
    },
  },
})
const read = () =>
  readDueInboxes(
    {
      platforms: (key) => (key === 'x' ? paying() : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
  )
const state = async () => {
  const { channels } = await app.call(inboxChannels, { params: home.params }, { as: home.person })
  return channels[0]?.kinds.find(({ kind }) => kind === 'mention')
}
const of = () => ({ orgId: home.orgId, platform: 'x' }) as const
const take = (least = 5) =>
  asSystem(app.parts.databases.system, (tx) => setAside(tx, of(), { price: PRICE, most: 10, least }, app.clock.now()))

describe('a platform that charges for reading', () => {
  it("isn't read until an admin sets a limit, which says so, and is read at once then", async () => {
    await channel()
    await read()
    expect(asked).toEqual([])
    expect(await state()).toMatchObject({ state: 'none', reason: { code: 'inbox-spending-off' } })
    await limit(20)
    await read()
    expect(asked).toHaveLength(1)
    expect(await state()).toMatchObject({ state: 'reading' })
  })

  it('is asked for no more than what is left, and stops with the reason when nothing is', async () => {
    await channel()
    await limit(1.2)
    answer = ({ most = 0 }) => ({ kind: 'read', changes: [], cursor: {}, more: true, charged: most })
    await read()
    // $1.20 is 48 items: four pages of ten, and one of eight
    expect(asked.map(({ most }) => most)).toEqual([10, 10, 10, 10, 8])
    expect(await cost()).toMatchObject({ spent: 1.2, monthlyLimit: 1.2, channels: 1 })
    expect(await state()).toMatchObject({ state: 'late', reason: { code: 'inbox-spending-used-up' } })
    await limit(2)
    await read()
    expect(asked.length).toBeGreaterThan(5)
  })

  it("isn't asked once the plan has ended, and says so", async () => {
    await channel()
    await limit(20)
    await teamOn(app).endPlan(home)
    await read()
    expect(asked).toEqual([])
    expect(await state()).toMatchObject({ state: 'late', reason: { code: 'inbox-spending-ended' } })
    await teamOn(app).plan(home, 'team')
    app.clock.advance({ hours: 25 })
    await read()
    expect(asked).toHaveLength(1)
  })

  it("isn't asked sooner for a post or a member while the limit is used up", async () => {
    const channelId = await channel()
    await limit(1.2)
    await read()
    app.clock.advance({ hours: 7 })
    answer = ({ most = 0 }) => ({ kind: 'read', changes: [], cursor: {}, more: true, charged: most })
    await read()
    const before = asked.length
    app.clock.advance({ hours: 2 })
    await figuresOn(app.database).published(home, channelId, app.clock.now().toISOString())
    await app.database.owner.query('update session set last_seen_at = $1', [app.clock.now()])
    await readWatchedSooner(
      { platforms: (key) => (key === 'x' ? paying() : undefined) },
      {
        databases: app.parts.databases,
        clock: app.clock,
      },
    )
    expect(await read()).toBe(0)
    expect(asked).toHaveLength(before)
    expect(await state()).toMatchObject({ reason: { code: 'inbox-spending-used-up' } })
  })

  it('gives back what a call did not cost, and takes a lost answer as charged', async () => {
    await channel()
    await limit(20)
    answer = () => ({ kind: 'read', changes: [], cursor: {}, more: false, charged: 2 })
    await read()
    expect(await cost()).toMatchObject({ spent: 0.05 })
    app.clock.advance({ hours: 7 })
    answer = () => ({ kind: 'retry', reason: because('slow-down', { platform: 'X' }), closesBudget: true })
    await read()
    expect(await cost()).toMatchObject({ spent: 0.05 })
    app.clock.advance({ hours: 7 })
    answer = () => ({ kind: 'retry', reason: because('answer-lost', { platform: 'X', doing: 'show-inbox' }) })
    await read()
    expect(await cost()).toMatchObject({ spent: 0.3 })
  })

  it('never costs more than the limit, however many nodes read at once', async () => {
    await limit(1)
    const taken = await Promise.all(Array.from({ length: 30 }, () => take()))
    const items = taken.reduce((sum, one) => sum + (one.kind === 'allowed' ? one.most : 0), 0)
    expect(items).toBe(40)
    expect(taken.filter(({ kind }) => kind === 'used-up')).not.toEqual([])
    expect((await cost())?.spent).toBeLessThanOrEqual(1)
  })

  it('starts at zero each month in UTC, and refunds nothing to another month', async () => {
    await limit(1)
    for (let i = 0; i < 4; i++) await take()
    expect(await take()).toMatchObject({ kind: 'used-up' })
    const month = `${app.clock.now().toISOString().slice(0, 7)}-01`
    app.clock.advance({ days: 31 })
    const taken = await take()
    expect(taken).toMatchObject({ kind: 'allowed', most: 10 })
    const before = { kind: 'allowed', most: 10, setAside: 250_000, month } as const
    await asSystem(app.parts.databases.system, (tx) => settle(tx, of(), before, { items: 0, price: PRICE }))
    const { rows } = await app.database.owner.query('select spent from inbox_cost where org_id = $1', [home.orgId])
    expect(rows).toEqual([{ spent: 250_000 }])
  })
})

describe('the limit', () => {
  it('takes dollars and cents of platforms that charge, and is kept in the audit', async () => {
    for (const wrong of [0, -1, 0.5, 10_001, 1.005])
      await expect(limit(wrong)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    const free = { platformName: 'mastodon', monthlyLimit: 5 } as const
    await expect(
      app.call(setPlatformCost, { params: { orgId: home.orgId }, body: free }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await cost()).toMatchObject({ monthlyLimit: null, spent: 0, readPrice: PRICE })
    await limit(12.5)
    expect(await cost()).toMatchObject({ monthlyLimit: 12.5 })
    await limit(null)
    expect(await cost()).toMatchObject({ monthlyLimit: null })
    const { rows } = await app.database.owner.query(
      "select detail from audit where org_id = $1 and entity = 'inbox_costs' order by at",
      [home.orgId],
    )
    expect(rows.map(({ detail }) => detail)).toMatchObject([
      { before: { monthlyLimit: null }, after: { monthlyLimit: 12.5 } },
      { before: { monthlyLimit: 12.5 }, after: { monthlyLimit: null } },
    ])
  })
})
