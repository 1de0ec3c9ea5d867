import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { listNotices } from '#contract/notices.ts'
import { paddleHarness } from '../testing/billing.ts'
import { sign } from '../testing/paddle.ts'
import type { TestHome } from '../testing/people.ts'

/* What Paddle says at odd moments: two things at once, a late answer, half of a payment, refunds. */

type Stage = Awaited<ReturnType<typeof paddleHarness>>
let stage: Stage
let home: TestHome
beforeAll(async () => {
  stage = await paddleHarness()
})
afterAll(() => stage.close())
beforeEach(async () => {
  await stage.clear()
  home = await stage.app.signedInOwner()
})

const as = {
  get as() {
    return home.person
  },
}
const status = () => stage.app.call(billing.billingStatus, { params: home.params }, as)
const entries = async () => (await stage.app.call(billing.transactions, { params: home.params }, as)).transactions
const begin = async (more: object = {}) =>
  (
    await stage.app.call(
      billing.checkout,
      {
        params: home.params,
        body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 1, ...more },
      },
      as,
    )
  ).transactionId
const noticesOf = async (wanted: string) =>
  (await stage.app.call(listNotices, { params: home.params }, as)).notices.filter(({ kind }) => kind === wanted)
const ended = () => stage.paddle.calls.filter((call) => call.startsWith('POST') && call.endsWith('/cancel')).length
async function bought(): Promise<string> {
  const transactionId = await begin()
  await stage.pay(home, transactionId, 'pays')
  return transactionId
}

describe("if Paddle can't reach us", () => {
  const later = async () => {
    stage.paddle.notifications()
    await stage.jump(300)
  }

  it("looks again at a checkout that is paid, but whose subscription isn't created yet", async () => {
    const transactionId = await begin()
    stage.paddle.takeMoney(transactionId, { ends: new Date('2100-01-01') })
    await later()
    expect(await status()).toMatchObject({ planStatus: 'TRIAL_ACTIVE' })
    await stage.pay(home, transactionId, 'pays')
    await later()
    expect(await status()).toMatchObject({ planId: 'individual', planStatus: 'ACTIVE' })
  })

  it('ends a second subscription, however often that fails, and then leaves it alone', async () => {
    const [first, second] = [await begin(), await begin({ basePlanId: 'team' })]
    await stage.pay(home, first, 'pays')
    await later()
    await stage.pay(home, second, 'pays')
    stage.paddle.refuseNext('POST subscriptions cancel')
    await later()
    expect(ended()).toBe(1)
    await later()
    await later()
    expect(ended()).toBe(2)
    expect((await status()).surplus).toMatchObject([{ transactionId: second }])
  })
})

describe('of two simultaneous events', () => {
  const signed = (news: { body: string; type: string } | undefined) => sign(news?.body ?? '', news?.type)

  it('two paid checkouts leave one subscription', async () => {
    const ids = [await begin(), await begin({ basePlanId: 'team' })]
    for (const id of ids) await stage.pay(home, id, 'pays')
    const news = stage.paddle.notifications()
    const paid = ids.map((id) => news.find(({ type, body }) => type === 'transaction.completed' && body.includes(id)))
    const holds = ids.map(() => stage.paddle.hold('GET subscriptions'))
    const delivered = Promise.all(paid.map((one) => stage.deliver([signed(one)])))
    for (const { arrived } of holds) await arrived
    for (const { release } of holds) release()
    expect(await delivered).toEqual([[200], [200]])
    expect(ended()).toBe(1)
    for (const one of news) await stage.deliver([signed(one)])
    await stage.settle()
    expect(ended()).toBe(1)
    const { planId, planStatus, surplus } = await status()
    expect(planStatus).toBe('ACTIVE')
    expect(surplus.map(({ transactionId }) => transactionId)).toEqual([planId === 'individual' ? ids[1] : ids[0]])
  })

  it("an earlier state doesn't undo later news", async () => {
    const transactionId = await bought()
    const news = stage.paddle.notifications()
    for (const one of news) await stage.deliver([signed(one)])
    const again = news.find(({ type }) => type === 'transaction.completed')
    const held = stage.paddle.hold('GET subscriptions')
    const late = stage.deliver([sign((again?.body ?? '').replace(/evt_\w+/, 'evt_again'), again?.type)])
    await held.arrived
    stage.app.clock.advance({ hours: 1 })
    stage.paddle.turnInto(transactionId, { planId: 'individual', addonQuantity: 5 })
    await stage.settle()
    held.release()
    expect(await late).toEqual([200])
    expect(await status()).toMatchObject({ addonQuantity: 5 })
  })

  it("an answer to a change that arrives after later news doesn't undo it", async () => {
    const transactionId = await bought()
    await stage.settle()
    const held = stage.paddle.hold('POST subscriptions cancel')
    const canceled = stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as)
    await held.arrived
    stage.app.clock.advance({ hours: 1 })
    stage.paddle.turnInto(transactionId, { planId: 'individual', addonQuantity: 5 })
    await stage.settle()
    held.release()
    await canceled
    expect(await status()).toMatchObject({ planStatus: 'CANCEL_SCHEDULED', addonQuantity: 5 })
  })

  it("an earlier state that the job read doesn't undo later news", async () => {
    const transactionId = await bought()
    await stage.settle()
    const held = stage.paddle.hold('GET subscriptions')
    await stage.app.database.owner.query('update subscription set due_at = $2 where org_id = $1', [
      home.orgId,
      stage.app.clock.now(),
    ])
    const read = stage.jump(60)
    await held.arrived
    stage.paddle.turnInto(transactionId, { planId: 'individual', addonQuantity: 5 })
    await stage.settle()
    held.release()
    await read
    expect(await status()).toMatchObject({ addonQuantity: 5 })
  })
})

describe('a refund', () => {
  it("in full marks the payment as refunded and keeps its invoice; a partial one doesn't", async () => {
    const transactionId = await bought()
    await stage.settle()
    stage.paddle.giveBack(transactionId, { type: 'partial' })
    await stage.settle()
    expect(await entries()).toMatchObject([{ transactionStatus: 'paid' }])
    stage.paddle.giveBack(transactionId)
    await stage.settle()
    expect(await entries()).toMatchObject([{ transactionStatus: 'refunded', invoiceNumber: expect.any(String) }])
    expect(await stage.app.call(billing.invoice, { params: { ...home.params, transactionId } }, as)).toEqual({
      url: expect.stringContaining(transactionId),
    })
  })

  it('taken by a bank is reported to the admins, once', async () => {
    const transactionId = await bought()
    await stage.settle()
    stage.paddle.giveBack(transactionId, { action: 'chargeback' })
    stage.paddle.giveBack(transactionId, { action: 'chargeback' })
    await stage.settle()
    expect(await noticesOf('charged-back')).toMatchObject([{ count: 1, body: expect.stringContaining(transactionId) }])
    expect(await status()).toMatchObject({ planStatus: 'ACTIVE' })
  })
})

it('ends an overdue plan on the announced day, even if Paddle would keep trying', async () => {
  await stage.pay(home, await begin(), 'runs out')
  await stage.settle()
  stage.paddle.keepTrying()
  await stage.advance({ days: 31 })
  const { planStatus, pastDue } = await status()
  expect(planStatus).toBe('PAST_DUE')
  while (stage.app.clock.now() < new Date(new Date(pastDue?.endsAt ?? 0).getTime() - 86_400_000))
    await stage.advance({ days: 1 })
  expect(await status()).toMatchObject({ planStatus: 'PAST_DUE' })
  expect(ended()).toBe(0)
  await stage.advance({ days: 1 })
  expect(await status()).toMatchObject({ planStatus: 'CANCELLED', pastDue: null })
  expect(ended()).toBe(1)
  expect(await noticesOf('plan-ended')).toMatchObject([
    { body: expect.stringContaining("Its payment didn't go through.") },
  ])
})

it("states a change's cost in the currency the buyer pays in", async () => {
  await bought()
  await stage.settle()
  stage.paddle.chargeIn('EUR')
  expect(
    await stage.app.call(billing.previewAddons, { params: home.params, body: { addonQuantity: 2 } }, as),
  ).toMatchObject({ total: { currencyCode: 'EUR' } })
})
