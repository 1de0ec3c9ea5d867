import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boostAccounts, boostAudiences, postBoosts, startBoost, stopBoost, type StartBoost } from '#contract/boosts.ts'
import { postActivity } from '#contract/postNotes.ts'
import type { ApiFailure } from '../testing/client.ts'
import { ONE_OF_EACH, PromotionHarness } from '../testing/promotionHarness.ts'

/* Promotions on the simulated Facebook: what a person can start, and who can't. */

let room: PromotionHarness
beforeAll(async () => {
  room = await PromotionHarness.open()
})
beforeEach(() => room.clear())
afterAll(() => room.close())

describe('a promotion', () => {
  it('is set up paused, started last, reviewed, shown and ended, with its figures', async () => {
    const { postId, boostId } = await room.begun()
    expect(await room.boost(postId)).toMatchObject({
      boostId,
      status: 'PENDING',
      budget: 2500,
      days: 5,
      currency: 'USD',
      minorUnits: 100,
      startedBy: { name: 'Olive Owner' },
      adAccount: { name: 'Northlight Coffee' },
      audience: { name: 'Coffee lovers nearby' },
      spent: null,
    })
    expect(await room.run()).toBe(1)
    expect(await room.boost(postId)).toMatchObject({
      status: 'IN_REVIEW',
      endsAt: new Date(room.app.clock.now().getTime() + 5 * 86_400_000).toISOString(),
    })
    expect(room.counted()).toEqual(ONE_OF_EACH)
    expect(
      room.facebook.calls
        .filter((call) => call.startsWith('POST graph') && !call.includes('oauth'))
        .map((call) => call.split('/').at(-1)?.replace(/^\d+$/, 'id')),
    ).toEqual(['campaigns', 'adsets', 'adcreatives', 'ads', 'id'])
    expect(room.things().map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => `Rookery ${boostId}`))
    expect(room.facebook.violations).toEqual([])
    expect(room.facebook.mistakes).toEqual([])
    await room.pass(10)
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    room.app.clock.advance({ days: 2 })
    await room.run()
    const halfway = await room.boost(postId)
    expect(halfway).toMatchObject({ status: 'ACTIVE' })
    expect(halfway.spent).toBeGreaterThan(900)
    expect(halfway.spent).toBeLessThan(2500)
    expect(halfway.impressions).toBeGreaterThan(0)
    room.app.clock.advance({ days: 3, minutes: 2 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'ENDED', spent: 2500 })
    // checked once more, and then never again
    room.app.clock.advance({ days: 2 })
    expect(await room.run()).toBe(1)
    room.app.clock.advance({ days: 9 })
    expect(await room.run()).toBe(0)
    expect(
      (await room.app.call(postActivity, { params: { ...room.home.params, postId } }, room.as())).activity.map(
        ({ action }) => action,
      ),
    ).toContain('promoted')
  })

  it('runs only once at a time per post, and is the same one for the same ID', async () => {
    const postId = await room.published(await room.connect())
    const body = await room.choice(postId)
    const params = { ...room.home.params, postId }
    const [one, other] = await Promise.all([
      room.app.call(startBoost, { params, body }, room.as()),
      room.app.call(startBoost, { params, body }, room.as()),
    ])
    expect(one.boostId).toBe(other.boostId)
    await expect(
      room.app.call(startBoost, { params, body: { ...body, boostId: randomUUID() } }, room.as()),
    ).rejects.toMatchObject({ code: 'BOOST_RUNNING' })
    expect((await room.read(postId)).boosts).toHaveLength(1)
    // an ID that belongs to another post's
    const another = await room.published(
      (await room.app.database.owner.query('select channel_id from post where id = $1', [postId])).rows[0].channel_id,
    )
    await expect(
      room.app.call(startBoost, { params: { ...room.home.params, postId: another }, body }, room.as()),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('names the invalid field and stores nothing', async () => {
    const postId = await room.published(await room.connect())
    const body = await room.choice(postId)
    const params = { ...room.home.params, postId }
    const { accounts } = await room.app.call(boostAccounts, { params }, room.as())
    expect(accounts.map(({ currency, problem }) => [currency, problem !== null])).toEqual([
      ['USD', false],
      ['JPY', false],
      ['EUR', true],
      ['EUR', true],
    ])
    const refused = (more: Partial<StartBoost>) =>
      room.app
        .call(startBoost, { params, body: { ...body, ...more } }, room.as())
        .catch(({ code, problem }: ApiFailure) => [code, ...Object.keys(problem.errors ?? {})])
    expect(await refused({ budget: 499 })).toEqual(['BAD_INPUT', 'budget'])
    expect(await refused({ budget: 0 })).toEqual(['BAD_INPUT', 'budget'])
    expect(await refused({ days: 31 })).toEqual(['BAD_INPUT', 'days'])
    expect(await refused({ adAccountId: 'act_1' })).toEqual(['BAD_INPUT', 'adAccountId'])
    expect(await refused({ adAccountId: accounts[2]?.adAccountId ?? '' })).toEqual(['BAD_INPUT', 'adAccountId'])
    expect(await refused({ audienceId: '1' })).toEqual(['BAD_INPUT', 'audienceId'])
    expect((await room.read(postId)).boosts).toEqual([])
    await expect(
      room.app.call(boostAudiences, { params, query: { adAccountId: '../me' } }, room.as()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('counts whole units in currencies without smaller ones', async () => {
    const postId = await room.published(await room.connect())
    const params = { ...room.home.params, postId }
    const yen = (await room.app.call(boostAccounts, { params }, room.as())).accounts[1]?.adAccountId ?? ''
    const { audiences } = await room.app.call(boostAudiences, { params, query: { adAccountId: yen } }, room.as())
    await room.app.call(
      startBoost,
      {
        params,
        body: {
          boostId: randomUUID(),
          adAccountId: yen,
          audienceId: audiences[0]?.audienceId ?? '',
          budget: 3000,
          days: 2,
        },
      },
      room.as(),
    )
    await room.run()
    expect(room.things().find(({ kind }) => kind === 'adSet')?.more).toMatchObject({ lifetime_budget: 3000 })
    await room.pass(10)
    room.app.clock.advance({ days: 2 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ currency: 'JPY', minorUnits: 1, spent: 3000 })
  })
})

describe('a promotion is refused', () => {
  it("without Ad Manager, without a permission, with an ended sign-in, for a post that isn't live, and for a story", async () => {
    const obstacle = async (postId: string) => (await room.read(postId)).obstacle
    const channelId = await room.connect('page')
    const postId = await room.published(channelId)
    expect(await room.read(postId)).toMatchObject({
      offered: true,
      channelId,
      obstacle: { text: expect.stringContaining('Ad Manager'), advice: 'Reconnect as Ad Manager.', reconnect: true },
    })
    await expect(
      room.app.call(boostAccounts, { params: { ...room.home.params, postId } }, room.as()),
    ).rejects.toMatchObject({ code: 'BOOST_REFUSED', problem: { meta: { reconnect: true } } })
    await expect(
      room.app.call(
        startBoost,
        {
          params: { ...room.home.params, postId },
          body: { boostId: randomUUID(), adAccountId: 'a', audienceId: 'b', budget: 1, days: 1 },
        },
        room.as(),
      ),
    ).rejects.toMatchObject({ code: 'BOOST_REFUSED' })
    await room.connect('ads', ['ads_management'])
    expect(await obstacle(postId)).toMatchObject({
      text: "Facebook didn't let Rookery promote posts.",
      reconnect: true,
    })
    await room.connect('ads')
    expect(await obstacle(postId)).toBeNull()
    await room.app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channelId])
    expect(await obstacle(postId)).toMatchObject({ reconnect: true })
    expect(await obstacle(await room.published(channelId, { state: 'FAILED', remote_id: null }))).toMatchObject({
      reconnect: false,
    })
    expect(await obstacle(await room.published(channelId, { post_type: 'story' }))).toMatchObject({
      text: "Facebook doesn't promote a story once it's published.",
    })
  })

  it("to roles that can't publish, who can only look, and not found from another project", async () => {
    const { postId, boostId } = await room.begun()
    const looker = await room.app.colleague(room.home, 'none')
    room.underHttps(looker)
    expect(
      (await room.app.call(postBoosts, { params: { ...room.home.params, postId } }, { as: looker })).boosts,
    ).toHaveLength(1)
    await expect(
      room.app.call(stopBoost, { params: { ...room.home.params, boostId } }, { as: looker }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const other = await room.app.signedInOwner()
    room.underHttps(other.person)
    await expect(
      room.app.call(stopBoost, { params: { ...other.params, boostId } }, { as: other.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      room.app.call(postBoosts, { params: { ...other.params, postId } }, { as: other.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const elsewhere = await room.app.colleague(room.home, 'editor', { channelIds: [randomUUID()] })
    room.underHttps(elsewhere)
    await expect(
      room.app.call(stopBoost, { params: { ...room.home.params, boostId } }, { as: elsewhere }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('once the plan has ended, although stopping one is always possible', async () => {
    const { postId, boostId } = await room.begun()
    await room.run()
    await room.app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [room.home.orgId])
    await expect(
      room.app.call(
        startBoost,
        {
          params: { ...room.home.params, postId },
          body: { boostId: randomUUID(), adAccountId: 'a', audienceId: 'b', budget: 1, days: 1 },
        },
        room.as(),
      ),
    ).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
    expect(await room.app.call(stopBoost, { params: { ...room.home.params, boostId } }, room.as())).toMatchObject({
      status: 'STOPPING',
    })
  })
})
