import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startBoost, stopBoost } from '#contract/boosts.ts'
import { deletePost } from '#contract/posts.ts'
import { ONE_OF_EACH, PromotionHarness } from '../testing/promotionHarness.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* How promotions end, and what happens to those that can't be queried. */

let room: PromotionHarness
beforeAll(async () => {
  room = await PromotionHarness.open()
})
beforeEach(() => room.clear())
afterAll(() => room.close())

describe('a promotion ends', () => {
  const stop = (boostId: string) => room.app.call(stopBoost, { params: { ...room.home.params, boostId } }, room.as())

  it("when a person stops it: it's paused on the platform, with its figures; stopping it again changes nothing", async () => {
    const { postId, boostId } = await room.begun()
    await room.run()
    await room.pass(10)
    expect(await stop(boostId)).toMatchObject({ status: 'STOPPING' })
    expect(await stop(boostId)).toMatchObject({ status: 'STOPPING' })
    room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop: 'before', times: 2 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'STOPPING' })
    await room.pass(5)
    expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
    expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
    await expect(stop(boostId)).rejects.toMatchObject({ code: 'BOOST_REFUSED' })
    // another one can follow
    await room.app.call(
      startBoost,
      { params: { ...room.home.params, postId }, body: await room.choice(postId) },
      room.as(),
    )
    expect((await room.read(postId)).boosts.map(({ status }) => status)).toEqual(['PENDING', 'STOPPED'])
  })

  it('before it started: nothing was created, or what was is deleted', async () => {
    const { postId, boostId } = await room.begun()
    await stop(boostId)
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(room.things()).toEqual([])
    const second = await room.app.call(
      startBoost,
      { params: { ...room.home.params, postId }, body: await room.choice(postId) },
      room.as(),
    )
    room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/adsets', drop: 'after' })
    await room.run()
    await stop(second.boostId)
    await room.pass(3)
    expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(room.counted()).toMatchObject({ campaign: 0 })
  })

  it('when the platform ends it: rejected in review, out of money, or refused at once', async () => {
    room.facebook.state.switches.add('disapproved')
    const { postId, boostId } = await room.begun()
    await room.run()
    await room.pass(2)
    expect(await room.boost(postId)).toMatchObject({
      status: 'REJECTED',
      problem: { text: expect.stringContaining('promises more') },
    })
    const notices = async () =>
      (await storedNotifications(room.app.database.owner, 'dedupe_key = $1', [`boost:${boostId}`])).map(
        ({ title, read }) => ({ title, read }),
      )
    expect(await notices()).toEqual([{ title: 'A promotion on Facebook was rejected', read: false }])
    // an appeal succeeded
    room.facebook.state.switches.clear()
    room.app.clock.advance({ days: 1 })
    await room.run()
    room.app.clock.advance({ days: 1 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    expect(await notices()).toMatchObject([{ read: true }])
    room.facebook.state.switches.add('unpaid')
    room.app.clock.advance({ hours: 1 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({
      status: 'HELD',
      problem: { text: 'The ad account has no valid payment method.' },
    })
  })

  it("with the platform's reason when it fails, and what was created is deleted", async () => {
    const { postId } = await room.begun()
    room.facebook.faults.add({
      on: 'POST graph.facebook.com/v25.0/act_*/ads',
      answer: {
        status: 400,
        json: { error: { code: 100, message: 'No', error_user_msg: 'Your business is not verified' } },
      },
    })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({
      status: 'FAILED',
      problem: { text: expect.stringContaining('Your business is not verified') },
    })
    await room.pass(1)
    expect(room.counted()).toMatchObject({ campaign: 0 })
    room.facebook.state.switches.add('ineligible')
    const again = await room.begun()
    await room.run()
    expect(await room.boost(again.postId)).toMatchObject({
      status: 'FAILED',
      problem: { text: "Facebook doesn't allow this post to be promoted." },
    })
  })

  it('when it is deleted in Ads Manager, and continues if it was resumed there', async () => {
    const { postId, boostId } = await room.begun()
    await room.run()
    await room.pass(10)
    await stop(boostId)
    await room.run()
    const campaign = room.things().find(({ kind }) => kind === 'campaign')
    if (campaign) campaign.status = 'ACTIVE'
    await room.pass(10)
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
    for (const thing of room.things()) thing.status = 'DELETED'
    room.app.clock.advance({ hours: 2 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({
      status: 'STOPPED',
      problem: { text: 'This promotion was deleted in Ads Manager.' },
    })
  })

  it("with its post, once the post's deletion can no longer be undone", async () => {
    const { postId } = await room.begun()
    await room.run()
    await room.pass(10)
    await room.app.call(deletePost, { params: { ...room.home.params, postId }, query: {} }, room.as())
    room.app.clock.advance({ seconds: 50 })
    await room.run()
    expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'ACTIVE' })
    room.app.clock.advance({ seconds: 10 })
    await room.run()
    expect(room.things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
    expect(await room.boost(postId)).toMatchObject({
      status: 'STOPPED',
      problem: { text: 'The post was deleted, so we stopped its promotion.' },
    })
  })
})

describe("a promotion that can't be queried", () => {
  it('reports an expired token, and is fixed by reconnecting', async () => {
    const { postId } = await room.begun()
    room.facebook.state.expireTokens()
    for (const token of room.facebook.state.tokens.values()) if (token.kind === 'page') token.expiresAt = null
    await room.run()
    expect(await room.boost(postId)).toMatchObject({
      status: 'PENDING',
      problem: { advice: 'Reconnect the channel as Ad Manager.' },
    })
    await room.connect()
    await room.pass(20)
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    expect(room.counted()).toEqual(ONE_OF_EACH)
  })

  it("is given up with its reason if it couldn't be set up for a day", async () => {
    const { postId } = await room.begun()
    for (const token of room.facebook.state.tokens.values()) if (token.kind === 'long') token.revoked = true
    await room.run()
    room.app.clock.advance({ hours: 25 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({
      status: 'FAILED',
      problem: { advice: 'Reconnect the channel as Ad Manager.' },
    })
    expect(room.things()).toEqual([])
  })

  it('keeps its figures with a notice if its channel was disconnected, until its time is over', async () => {
    const { postId, channelId } = await room.begun()
    await room.run()
    await room.pass(10)
    await room.app.database.owner.query('update channel set deleted_at = $2 where id = $1', [
      channelId,
      room.app.clock.now(),
    ])
    room.app.clock.advance({ hours: 1 })
    await room.run()
    expect(await room.read(postId)).toMatchObject({
      obstacle: { text: "This post's channel was disconnected." },
      boosts: [{ status: 'ACTIVE', problem: { text: expect.stringContaining("can't see this promotion") } }],
    })
    room.app.clock.advance({ days: 7 })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'ENDED' })
    expect(await room.run()).toBe(0)
  })

  it('waits as long as the platform asks', async () => {
    const { postId } = await room.begun()
    room.facebook.faults.add({
      on: 'POST graph.facebook.com/v25.0/act_*/campaigns',
      answer: {
        status: 400,
        json: { error: { code: 17, message: 'Slow down' } },
        headers: { 'x-business-use-case-usage': JSON.stringify({ 1: [{ estimated_time_to_regain_access: 30 }] }) },
      },
    })
    await room.run()
    await room.pass(29)
    expect(room.things()).toEqual([])
    await room.pass(12)
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })
})
