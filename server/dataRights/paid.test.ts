import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { deleteOrganization, keepOrganization } from '#contract/dataRights.ts'
import { billingJobs } from '../billing/jobs.ts'
import { isPaddle } from '../billing/paddle.ts'
import { localHarness, paddleHarness, type BillingHarness, type CardKind } from '../testing/billing.ts'
import type { TestHome } from '../testing/people.ts'
import { runJobs } from '../testing/runJobs.ts'
import { purgeOrganizations } from './purge.ts'

/* Deleting an organization ends its payments. The same with each provider. */
describe.each([
  ['local', localHarness],
  ['paddle', paddleHarness],
] as const)('with %s payments', (_, begin) => {
  let stage: BillingHarness
  beforeAll(async () => {
    stage = await begin()
  })
  afterAll(() => stage.close())
  beforeEach(() => stage.clear())

  const as = (home: TestHome) => ({ as: home.person })
  const at = (home: TestHome) => ({ params: home.params, body: {} })
  const status = async (home: TestHome) =>
    (await stage.app.call(billing.billingStatus, { params: home.params }, as(home))).planStatus
  const payments = async (home: TestHome) =>
    (
      await stage.app.call(billing.transactions, { params: home.params, query: { limit: 100 } }, as(home))
    ).transactions.map((one) => one.transactionStatus)
  const jobs = () => runJobs(stage.app, billingJobs(stage.app.parts))
  const remove = async (home: TestHome) => {
    await stage.app.call(deleteOrganization, { params: home.params }, as(home))
    await jobs()
  }
  const keep = async (home: TestHome) => {
    await stage.app.call(keepOrganization, at(home), as(home))
    await jobs()
  }
  const purge = (how = stage.app.parts.payments) =>
    purgeOrganizations(
      { media: stage.app.parts.media, exports: stage.app.parts.exports, payments: how },
      {
        databases: stage.app.parts.databases,
        clock: stage.app.clock,
        log: stage.app.parts.log,
        signal: new AbortController().signal,
      },
    )

  async function bought(card: CardKind = 'pays'): Promise<TestHome> {
    const home = await stage.app.signedInOwner()
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 } },
      as(home),
    )
    await stage.pay(home, transactionId, card)
    await stage.settle()
    return home
  }

  it('charges no renewal within the 7 days', async () => {
    const home = await bought()
    await stage.advance({ days: 27 })
    await remove(home)
    expect(await status(home)).toBe('CANCEL_SCHEDULED')
    await stage.advance({ days: 6 })
    expect(await payments(home)).toEqual(['paid'])
    expect(await status(home)).toBe('CANCELLED')
    // kept after its period, its plan is chosen again
    await keep(home)
    await stage.advance({ days: 40 })
    expect(await payments(home)).toEqual(['paid'])
  })

  it('retries no overdue payment, and ends the plan immediately', async () => {
    const home = await bought('runs out')
    await stage.advance({ days: 31 })
    expect(await status(home)).toBe('PAST_DUE')
    await remove(home)
    expect(await status(home)).toBe('CANCELLED')
    await stage.advance({ days: 6 })
    expect(await payments(home)).toEqual(['failed', 'paid'])
  })

  it('continues the plan if the deletion is canceled, unless an admin had canceled the plan', async () => {
    const [home, other] = [await bought(), await bought()]
    await stage.app.call(billing.cancelPlan, at(other), as(other))
    for (const one of [home, other]) {
      await remove(one)
      expect(await status(one)).toBe('CANCEL_SCHEDULED')
      await keep(one)
    }
    await stage.settle()
    expect([await status(home), await status(other)]).toEqual(['ACTIVE', 'CANCEL_SCHEDULED'])
    await stage.advance({ days: 31 })
    expect([await payments(home), await payments(other)]).toEqual([['paid', 'paid'], ['paid']])
  })

  it("follows the final state when it's canceled and deleted again at once", async () => {
    const home = await bought()
    const erase = () => stage.app.call(deleteOrganization, { params: home.params }, as(home))
    await erase()
    await stage.app.call(keepOrganization, at(home), as(home))
    await erase()
    await jobs()
    expect(await status(home)).toBe('CANCEL_SCHEDULED')
    await keep(home)
    expect(await status(home)).toBe('ACTIVE')
  })

  it('allows no purchases for an organization being deleted', async () => {
    const [home, onTrial] = [await bought(), await stage.app.signedInOwner()]
    for (const one of [home, onTrial]) await remove(one)
    const refusal = {
      code: 'PLAN_ACTION_REFUSED',
      problem: { detail: 'This organization is being deleted. Cancel the deletion first.' },
    }
    await expect(stage.app.call(billing.resumePlan, at(home), as(home))).rejects.toMatchObject(refusal)
    await expect(
      stage.app.call(
        billing.checkout,
        { params: onTrial.params, body: { basePlanId: 'team', billingInterval: 'annual', addonQuantity: 0 } },
        as(onTrial),
      ),
    ).rejects.toMatchObject(refusal)
  })

  it("ends the subscription permanently before its rows are deleted, and keeps nothing of the provider's data", async () => {
    const home = await bought()
    await remove(home)
    stage.app.clock.advance({ days: 7 })
    const subscriptions = async () =>
      (await stage.app.database.owner.query('select from subscription where org_id = $1', [home.orgId])).rowCount
    const { payments: whole } = stage.app.parts
    if (isPaddle(whole)) {
      const away = { ...whole, end: () => Promise.reject(new Error('Paddle is away')) }
      expect(await purge(away)).toEqual([])
      expect(await subscriptions()).toBe(1)
    }
    expect(await purge()).toEqual([home.orgId])
    expect(await subscriptions()).toBe(0)
    expect(
      (
        await stage.app.database.owner.query('select from provider_event where org_id = $1 or payload::text like $2', [
          home.orgId,
          `%${home.orgId}%`,
        ])
      ).rowCount,
    ).toBe(0)
    await stage.advance({ days: 60 })
    expect(
      (await stage.app.database.owner.query("select from provider_event where type like 'transaction.%'")).rowCount,
    ).toBe(0)
  })
})

describe('Paddle', () => {
  let stage: Awaited<ReturnType<typeof paddleHarness>>
  beforeAll(async () => {
    stage = await paddleHarness()
  })
  afterAll(() => stage.close())
  beforeEach(() => stage.clear())

  it('is asked until it agrees, even if the job was given up', async () => {
    const home = await stage.app.signedInOwner()
    const as = { as: home.person }
    const status = async () => (await stage.app.call(billing.billingStatus, { params: home.params }, as)).planStatus
    const giveUp = () => stage.app.database.owner.query('delete from graphile_worker._private_jobs')
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 } },
      as,
    )
    await stage.pay(home, transactionId, 'pays')
    await stage.settle()
    await stage.app.call(deleteOrganization, { params: home.params }, as)
    await giveUp()
    expect(await status()).toBe('ACTIVE')
    await stage.jump(300)
    expect(await status()).toBe('CANCEL_SCHEDULED')
    await stage.app.call(keepOrganization, { params: home.params, body: {} }, as)
    await giveUp()
    await stage.jump(300)
    expect(await status()).toBe('ACTIVE')
  })
  it("isn't asked about what is gone, and counts an unknown subscription as ended", async () => {
    const home = await stage.app.signedInOwner()
    const as = { as: home.person }
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 } },
      as,
    )
    await stage.pay(home, transactionId, 'pays')
    await stage.settle()
    await stage.app.call(deleteOrganization, { params: home.params }, as)
    stage.app.clock.advance({ days: 7 })
    stage.paddle.forget()
    const { media, payments, databases, log } = stage.app.parts
    expect(
      await purgeOrganizations(
        { media, payments, exports: stage.app.parts.exports },
        { databases, clock: stage.app.clock, log, signal: new AbortController().signal },
      ),
    ).toEqual([home.orgId])
    // the deletion's job, which nobody had taken until now
    expect(await runJobs(stage.app, billingJobs(stage.app.parts))).toBe(1)
  })
})
