import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv } from 'ajv'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import * as billing from '#contract/billing.ts'
import { listNotices } from '#contract/notices.ts'
import { asSystem } from '../db/system.ts'
import { readEnv } from '../env.ts'
import { paddleHarness } from '../testing/billing.ts'
import { contentOn } from '../testing/content.ts'
import { sign } from '../testing/paddle.ts'
import type { TestHome } from '../testing/people.ts'
import { descriptionsFolder } from '../simulators/descriptions.ts'
import { readSubscription } from './subscriptionRecord.ts'
import { isPaddle } from './paddle.ts'
import { stateFrom } from './paddleMirror.ts'
import { readCatalog } from './paddleShapes.ts'

type Stage = Awaited<ReturnType<typeof paddleHarness>>
let stage: Stage
beforeAll(async () => {
  stage = await paddleHarness()
})
afterAll(() => stage.close())
beforeEach(() => stage.clear())

/** For a test that needs a fixture that nobody has used, or leaves one that nobody can use. */
async function withNewStage(): Promise<void> {
  const shared = stage
  stage = await paddleHarness()
  onTestFinished(async () => {
    await stage.close()
    stage = shared
  })
}

const as = (home: TestHome) => ({ as: home.person })
const status = (home: TestHome) => stage.app.call(billing.billingStatus, { params: home.params }, as(home))
const begin = async (home: TestHome, more: object = {}) =>
  (
    await stage.app.call(
      billing.checkout,
      {
        params: home.params,
        body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 1, ...more },
      },
      as(home),
    )
  ).transactionId

async function bought(): Promise<TestHome> {
  const home = await stage.app.signedInOwner()
  await stage.pay(home, await begin(home), 'pays')
  await stage.settle()
  return home
}

/** Everything stored about an organization's money. */
async function books(home: TestHome) {
  const of = async (table: string) =>
    (
      await stage.app.database.owner.query(
        `select to_jsonb(t) - 'event_at' as row from ${table} t where org_id = $1 order by 1`,
        [home.orgId],
      )
    ).rows
  return {
    plan: await of('plan'),
    subscription: await of('subscription'),
    transactions: await of('billing_transaction'),
    audit: await of('audit'),
    notices: await of('notice'),
  }
}
const notices = async (home: TestHome) => (await stage.app.call(listNotices, { params: home.params }, as(home))).notices

/** What exceeds the plan, by ids. */
async function locked(home: TestHome) {
  const { channels, users } = await stage.app.call(billing.excess, { params: home.params }, as(home))
  return {
    channels: channels.items.flatMap((one) => (one.locked ? [one.channelId] : [])).toSorted(),
    users: users.items.flatMap((one) => (one.locked ? [one.userId] : [])),
  }
}
const outcomes = async () =>
  (
    await stage.app.database.owner.query<{ outcome: string | null; n: number }>(
      'select outcome, count(*)::int as n from provider_event group by 1 order by 1',
    )
  ).rows

describe('a notification of Paddle', () => {
  it('without its signature, with another secret or with another body is refused and not stored', async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'pays')
    const [first] = stage.paddle.notifications()
    if (!first) throw new Error('no event was sent')
    const forged = [
      { ...first, signature: '' },
      { ...first, signature: 'ts=1;h1=00' },
      sign(first.body, '', 'another secret'),
      { ...first, body: first.body.replace('USD', 'EUR') },
      sign(first.body, '', undefined, Date.now() - 60_000),
    ]
    expect(await stage.deliver(forged)).toEqual([401, 401, 401, 401, 401])
    expect(await outcomes()).toEqual([])
    expect(await status(home)).toMatchObject({ planStatus: 'TRIAL_ACTIVE' })
    expect(await stage.deliver([first])).toEqual([200])
  })

  it('counts once, however often it arrives, even at the same time', async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'pays')
    const news = stage.paddle.notifications()
    await stage.deliver(news)
    const before = await books(home)
    expect(await status(home)).toMatchObject({
      planId: 'individual',
      planStatus: 'ACTIVE',
      maxChannels: 11,
      lastPaymentMethod: { card: { last4: '4242' } },
    })
    for (let time = 0; time < 50; time++) await stage.deliver(news)
    await Promise.all(Array.from({ length: 50 }, () => stage.deliver(news.toReversed())))
    expect(await books(home)).toEqual(before)
    expect(before.audit.filter((row) => JSON.stringify(row).includes('"changed"'))).toHaveLength(1)
  })

  it('that is older than the stored state is stored and skipped, and the current state is read', async () => {
    const home = await bought()
    stage.app.clock.advance({ hours: 1 })
    await stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as(home))
    const canceled = stage.paddle.notifications()
    stage.app.clock.advance({ hours: 1 })
    await stage.app.call(billing.resumePlan, { params: home.params, body: {} }, as(home))
    await stage.settle()
    const before = await books(home)
    const asked = stage.paddle.calls.length
    expect(await stage.deliver(canceled)).toEqual(canceled.map(() => 200))
    expect(stage.paddle.calls.slice(asked)).toEqual([expect.stringMatching(/^GET \/subscriptions\/sub_/)])
    expect(await books(home)).toEqual(before)
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE' })
    expect((await outcomes()).find(({ outcome }) => outcome === 'skipped')?.n).toBeGreaterThan(0)
  })

  it('of a subscription that nobody here started is ignored, whatever its custom data says', async () => {
    const home = await bought()
    const victim = await bought()
    const before = await books(victim)
    await stage.pay(home, await begin(await stage.app.signedInOwner()), 'pays')
    const news = stage.paddle
      .notifications()
      .map(({ body, type }) =>
        sign(
          body
            .replaceAll(/txn_\w+/g, 'txn_unknown')
            .replaceAll(/"custom_data":(?:null|\{[^}]*\})/g, `"custom_data":{"orgId":"${victim.orgId}"}`),
          type,
        ),
      )
    expect(new Set(await stage.deliver(news))).toEqual(new Set([200]))
    expect(await books(victim)).toEqual(before)
    expect((await outcomes()).map(({ outcome }) => outcome)).toContain('unknown')
  })

  it("is applied later by the job if Paddle couldn't be asked", async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'pays')
    const news = stage.paddle.notifications()
    await stage.app.database.owner.query(
      "insert into provider_event (id, provider, type, occurred_at, received_at, payload) select e ->> 'event_id', 'paddle', e ->> 'event_type', (e ->> 'occurred_at')::timestamptz, now(), e from json_array_elements($1::json) e",
      [`[${news.map(({ body }) => body).join(',')}]`],
    )
    expect(await status(home)).toMatchObject({ planStatus: 'TRIAL_ACTIVE' })
    await stage.jump(60)
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE' })
    expect((await outcomes()).map(({ outcome }) => outcome)).not.toContain(null)
  })

  it('is applied by the job however many earlier ones fail again and again', async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'pays')
    const news = stage.paddle.notifications()
    await stage.app.database.owner.query(
      `insert into provider_event (id, provider, type, occurred_at, received_at, payload)
       select 'evt_broken' || n, 'paddle', 'subscription.updated', '2020-01-01', now(), '{"event_type": "subscription.updated"}' from generate_series(1, 510) n`,
    )
    await stage.app.database.owner.query(
      "insert into provider_event (id, provider, type, occurred_at, received_at, payload) select e ->> 'event_id', 'paddle', e ->> 'event_type', (e ->> 'occurred_at')::timestamptz, now(), e from json_array_elements($1::json) e",
      [`[${news.map(({ body }) => body).join(',')}]`],
    )
    await stage.jump(5)
    const { rows } = await stage.app.database.owner.query<{ id: string }>(
      'select id from provider_event where outcome is null',
    )
    expect(rows).toHaveLength(510)
    expect(rows.filter(({ id }) => !id.startsWith('evt_broken'))).toEqual([])
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE' })
    await stage.app.database.owner.query("delete from provider_event where id like 'evt_broken%'")
  })

  it("isn't needed for a checkout: if Paddle can't reach us, the job asks", async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'pays')
    stage.paddle.notifications()
    await stage.jump(60)
    expect(await status(home)).toMatchObject({ planId: 'individual', planStatus: 'ACTIVE' })
    expect((await stage.app.call(billing.transactions, { params: home.params }, as(home))).transactions).toMatchObject([
      { transactionStatus: 'paid' },
    ])
  })

  it("is asked for per organization: one's many checkouts, and those unknown to Paddle, don't block others", async () => {
    const [greedy, home] = [await stage.app.signedInOwner(), await stage.app.signedInOwner()]
    const columns = "'paddle', 'checkout', 'pending', '[]', 'USD', 0, 0, 0, 0, 0"
    await stage.app.database.owner.query(
      `insert into billing_transaction (org_id, id, provider, kind, status, items, currency_code, tax_rate, subtotal, tax, credit, grand_total, created_at, occurred_at) select $1, 'txn_nobody' || n, ${columns}, $2, $2 from generate_series(1, 120) n`,
      [greedy.orgId, stage.app.clock.now()],
    )
    await stage.pay(home, await begin(home), 'pays')
    stage.paddle.notifications()
    await stage.jump(60)
    expect(await status(home)).toMatchObject({ planId: 'individual', planStatus: 'ACTIVE' })
  })

  it("of add-ons at another plan's price adds none", async () => {
    const home = await bought()
    const { rows } = await stage.app.database.owner.query<{ id: string }>(
      'select id from subscription where org_id = $1',
      [home.orgId],
    )
    const { payments } = stage.app.parts
    if (!isPaddle(payments)) throw new Error('when you use Paddle')
    const remote = await payments.truth(rows[0]?.id ?? '')
    const { state } = await asSystem(stage.app.database.databases.system, (tx) => readSubscription(tx, home.orgId))
    const PRICED = { unitPrice: { amount: 100, currencyCode: 'USD' } }
    const mixed = {
      ...remote,
      items: [
        {
          ...remote.items[0],
          quantity: 1,
          price: { ...PRICED, id: payments.catalog.idOf('team', 'monthly', 'price') },
        },
        {
          ...remote.items[0],
          quantity: 20,
          price: { ...PRICED, id: payments.catalog.idOf('individual', 'monthly', 'addon') },
        },
      ],
    }
    expect(stateFrom(mixed, state, payments.catalog)).toMatchObject({ planId: 'team', addonQuantity: 0 })
  })

  it('that never arrived is made up for: after a due renewal, the current state is read', async () => {
    const home = await bought()
    stage.app.clock.advance({ days: 31 })
    stage.paddle.passTime()
    stage.paddle.notifications()
    await stage.jump(3600)
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE', currentStartDate: '2026-12-21T10:00:00.000Z' })
  })
})

describe('Paddle', () => {
  it('ends a second subscription bought at the same time, and keeps the first one', async () => {
    const home = await stage.app.signedInOwner()
    const [first, second] = [await begin(home), await begin(home, { basePlanId: 'team' })]
    await stage.pay(home, first, 'pays')
    await stage.settle()
    await stage.pay(home, second, 'pays')
    await stage.settle()
    expect(await status(home)).toMatchObject({ planId: 'individual', planStatus: 'ACTIVE' })
    expect(stage.paddle.calls.filter((call) => call.endsWith('/cancel')).length).toBeGreaterThan(0)
  })

  it('tells the admins about the payment to be refunded, once, until it was', async () => {
    const home = await stage.app.signedInOwner()
    const [first, second] = [await begin(home), await begin(home, { basePlanId: 'team' })]
    expect((await status(home)).surplus).toEqual([])
    await stage.pay(home, first, 'pays')
    await stage.settle()
    await stage.pay(home, second, 'pays')
    await stage.settle()
    expect((await status(home)).surplus).toEqual([
      { transactionId: second, date: expect.any(String), amount: 5300, currencyCode: 'USD' },
    ])
    expect((await notices(home)).filter(({ kind }) => kind === 'paid-twice')).toMatchObject([
      { count: 1, body: expect.stringContaining(second) },
    ])
    stage.paddle.giveBack(second)
    await stage.settle()
    expect((await status(home)).surplus).toEqual([])
    expect((await stage.app.call(billing.transactions, { params: home.params }, as(home))).transactions).toContainEqual(
      expect.objectContaining({ transactionId: second, transactionStatus: 'refunded' }),
    )
  })

  it("limits a bought plan by what exists when it's paid, and the person who bought it stays active", async () => {
    const home = await stage.app.signedInOwner()
    const buyer = await stage.app.colleague(home, 'editor')
    await stage.app.database.owner.query('update member set is_admin = true where org_id = $1 and person_id = $2', [
      home.orgId,
      buyer.personId,
    ])
    const channels: string[] = []
    const connect = async (n: number) => {
      for (let i = 0; i < n; i++) channels.push(await contentOn(stage.app.parts).channel(home))
    }
    await connect(10)
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 } },
      { as: buyer },
    )
    await connect(2)
    await stage.pay(home, transactionId, 'pays')
    await stage.settle()
    const { channels: held, users } = await stage.app.call(billing.excess, { params: home.params }, { as: buyer })
    expect(held.items.flatMap((one) => (one.locked ? [one.channelId] : [])).toSorted()).toEqual(
      channels.slice(10).toSorted(),
    )
    expect(users.items.flatMap((one) => (one.locked ? [one.userId] : []))).toEqual([home.person.personId])
    expect(
      (await stage.app.call(listNotices, { params: home.params }, { as: buyer })).notices.filter(
        ({ kind }) => kind === 'plan-shrank',
      ),
    ).toMatchObject([{ body: expect.stringContaining('2 channels are paused. 1 user can only read now.') }])
  })

  it('keeps active what a plan made smaller at Paddle includes: the oldest, and admins before others', async () => {
    const home = await stage.app.signedInOwner()
    const writer = await stage.app.colleague(home, 'editor')
    const transactionId = await begin(home, { basePlanId: 'team', addonQuantity: 0 })
    await stage.pay(home, transactionId, 'pays')
    await stage.settle()
    const channels: string[] = []
    for (let i = 0; i < 13; i++) channels.push(await contentOn(stage.app.parts).channel(home))
    // a signed-out one is no loss
    await stage.app.database.owner.query("update channel set status = 'DISCONNECTED' where id = $1", [channels[0]])
    stage.app.clock.advance({ hours: 1 })
    stage.paddle.turnInto(transactionId, { planId: 'individual', addonQuantity: 1 })
    await stage.settle()

    expect(await locked(home)).toEqual({
      channels: channels.filter((_, i) => i === 0 || i === 12).toSorted(),
      users: [writer.personId],
    })
    expect((await notices(home)).filter(({ kind }) => kind === 'plan-shrank')).toMatchObject([
      {
        body: expect.stringContaining('2 channels are paused. 1 user can only read now.'),
        link: expect.stringContaining('excess=choose'),
      },
    ])
    const { rows } = await stage.app.database.owner.query(
      "select detail from audit where org_id = $1 and action = 'locked'",
      [home.orgId],
    )
    expect(rows).toEqual([{ detail: { locked: { channels: 2, users: 1, projects: 0 } } }])

    // the admin chooses otherwise, and that stays
    const kept = channels.slice(2)
    await stage.app.call(
      billing.keepActive,
      {
        params: home.params,
        body: { channelIds: kept, userIds: [home.person.personId], projectIds: [home.projectId] },
      },
      as(home),
    )
    stage.app.clock.advance({ hours: 1 })
    await stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as(home))
    await stage.settle()
    expect((await locked(home)).channels).toEqual(channels.slice(0, 2).toSorted())

    // made larger again, everything is as it was
    stage.app.clock.advance({ hours: 1 })
    stage.paddle.turnInto(transactionId, { planId: 'team', addonQuantity: 0 })
    await stage.settle()
    expect(await locked(home)).toEqual({ channels: [], users: [] })
  })

  it('lets a plan of test payments be canceled, and refuses to change it', async () => {
    const home = await bought()
    await stage.app.database.owner.query("update subscription set provider = 'local' where org_id = $1", [home.orgId])
    stage.paddle.forget()
    await expect(
      stage.app.call(billing.previewAddons, { params: home.params, body: { addonQuantity: 5 } }, as(home)),
    ).rejects.toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
      problem: { detail: expect.stringContaining('test payments') },
    })
    await stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as(home))
    expect(await status(home)).toMatchObject({ planStatus: 'CANCEL_SCHEDULED' })
    await stage.advance({ days: 31 })
    expect(await status(home)).toMatchObject({ planStatus: 'CANCELLED' })
  })

  it("declines a change that the card doesn't pay, and nothing changes", async () => {
    const home = await stage.app.signedInOwner()
    await stage.pay(home, await begin(home), 'runs out')
    await stage.settle()
    stage.app.clock.advance({ days: 12 })
    const { subscriptionId } = await stage.app.call(
      billing.previewAddons,
      { params: home.params, body: { addonQuantity: 9 } },
      as(home),
    )
    await expect(
      stage.app.call(billing.confirmAddons, { params: home.params, body: { subscriptionId } }, as(home)),
    ).rejects.toMatchObject({ code: 'PAYMENT_DECLINED', status: 402 })
    expect(await status(home)).toMatchObject({ addonQuantity: 1 })
  })

  it("that can't be reached is reported as such, and the stored state can still be seen", async () => {
    await withNewStage()
    const home = await bought()
    await stage.app.call(billing.pricing, { params: home.params }, as(home))
    await stage.paddle.stop()
    await expect(stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as(home))).rejects.toMatchObject(
      { code: 'PAYMENT_REFUSED', problem: { detail: "We couldn't reach Paddle. Try again in a moment." } },
    )
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE', provider: 'paddle' })
  })

  it('has its own amounts, invoices and overlay', async () => {
    const home = await bought()
    expect(await stage.app.call(billing.publicPricing, {})).toMatchObject({
      provider: 'paddle',
      taxRate: null,
      paddle: { clientToken: 'test_simulated', environment: 'sandbox' },
      plans: [
        { planId: 'free' },
        { prices: [{ price: 1500 }, { price: 15_000 }] },
        { prices: [{ addonPrice: 400 }, { addonPrice: 4000 }] },
      ],
    })
    const { transactions } = await stage.app.call(billing.transactions, { params: home.params }, as(home))
    const [{ transactionId, invoiceNumber } = { transactionId: '', invoiceNumber: '' }] = transactions
    expect(invoiceNumber).toMatch(/^7-/)
    expect(await stage.app.call(billing.invoice, { params: { ...home.params, transactionId } }, as(home))).toEqual({
      url: `https://paddle.example/invoices/${transactionId}.pdf`,
    })
    expect(
      await stage.app.call(billing.paymentResult, { params: { ...home.params, transactionId } }, as(home)),
    ).toMatchObject({ transactionStatus: 'paid', amount: 1800, isTest: false })
    await expect(
      stage.app.call(billing.localCheckout, { params: { ...home.params, transactionId } }, as(home)),
    ).rejects.toMatchObject({ code: 'PAYMENT_REFUSED' })
  })

  const folder = descriptionsFolder()
  it.runIf(folder !== undefined)('is simulated in the shapes that its own SDK describes', async () => {
    await withNewStage()
    const home = await bought()
    await stage.app.call(billing.cancelPlan, { params: home.params, body: {} }, as(home))
    await stage.settle()
    await stage.advance({ days: 32 })
    // JSON from a file of the platform
    const schema = JSON.parse(
      readFileSync(join(folder ?? '', 'paddle/paddle-wire-types.schema.json'), 'utf8'),
    ) as object
    const ajv = new Ajv({ strict: false, allErrors: true })
    ajv.addSchema(schema, 'paddle')
    const names = new Set(stage.paddle.said.map(({ definition }) => definition))
    expect([...names].toSorted()).toEqual([
      'IPriceResponse',
      'ISubscriptionCreatedNotificationResponse',
      'ISubscriptionNotificationResponse',
      'ISubscriptionResponse',
      'ITransactionNotificationResponse',
      'ITransactionResponse',
    ])
    for (const { definition, value } of stage.paddle.said) {
      const validate = ajv.getSchema(`paddle#/definitions/${definition}`)
      expect(validate?.(JSON.parse(JSON.stringify(value))), `${definition}: ${ajv.errorsText(validate?.errors)}`).toBe(
        true,
      )
    }
  })
})

describe('the configuration of Paddle', () => {
  it('names what is missing', () => {
    expect(() => readEnv({ PADDLE_API_KEY: 'x' })).toThrow('set all three, or none')
    expect(() =>
      readEnv({ PADDLE_API_KEY: 'x', PADDLE_WEBHOOK_SECRET: 'y', PADDLE_CLIENT_TOKEN: 'z', PAYMENTS: 'local' }),
    ).toThrow('PAYMENTS')
    expect(() => readCatalog(['individual.monthly=pri_1'])).toThrow(
      'individual.monthly.addon, individual.annual, individual.annual.addon',
    )
  })
})
