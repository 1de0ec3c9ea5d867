import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { plan } from '#contract/organizations.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: { PAYMENTS: 'local' } })
})
afterAll(() => app.close())

const card = {
  cardNumber: '4242 4242 4242 4242',
  expiryMonth: 12,
  expiryYear: 2030,
  securityCode: '123',
  cardholderName: 'Olive Owner',
}
const status = (home: TestHome) => app.call(billing.billingStatus, { params: home.params }, { as: home.person })
const begin = (home: TestHome, more: object = {}) =>
  app.call(
    billing.checkout,
    { params: home.params, body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 2, ...more } },
    { as: home.person },
  )
const pay = (home: TestHome, transactionId: string, more: object = {}) =>
  app.call(
    billing.payLocally,
    { params: { ...home.params, transactionId }, body: { ...card, ...more } },
    { as: home.person },
  )

describe('a checkout with a test card', () => {
  it('changes nothing when it begins, is paid once, and gives what was paid for', async () => {
    const home = await app.signedInOwner()
    const { transactionId } = await begin(home)
    expect(await status(home)).toMatchObject({
      planStatus: 'TRIAL_ACTIVE',
      subscriptionId: null,
      provider: 'local',
      lastPaymentMethod: null,
    })
    expect(
      await app.call(billing.localCheckout, { params: { ...home.params, transactionId } }, { as: home.person }),
    ).toMatchObject({ purpose: 'pay', status: 'pending', totals: { grandTotal: 2100 } })
    expect(await Promise.all([pay(home, transactionId), pay(home, transactionId)])).toEqual([
      { outcome: 'paid' },
      { outcome: 'paid' },
    ])
    expect(await status(home)).toMatchObject({
      planId: 'individual',
      planStatus: 'ACTIVE',
      billingPeriod: 'monthly',
      addonQuantity: 2,
      maxChannels: 12,
      nextBillingDate: '2026-12-21T10:00:00.000Z',
      trialExpiresAt: null,
      lastPaymentMethod: { card: { last4: '4242', cardholderName: 'Olive Owner' } },
    })
    expect(await app.call(plan, { params: home.params }, { as: home.person })).toMatchObject({
      planId: 'individual',
      planStatus: 'ACTIVE',
      maxChannels: 12,
      trailEndsAt: null,
    })
    const { transactions } = await app.call(billing.transactions, { params: home.params }, { as: home.person })
    expect(transactions).toMatchObject([
      {
        transactionId,
        transactionStatus: 'paid',
        invoiceNumber: expect.stringMatching(/^TEST-\d{6}$/),
        lastTransactionTotals: { currencyCode: 'USD', subtotal: 2100, tax: 0, credit: 0, grandTotal: 2100 },
      },
    ])
    expect(
      await app.call(billing.paymentResult, { params: { ...home.params, transactionId } }, { as: home.person }),
    ).toMatchObject({
      transactionStatus: 'paid',
      paymentMethod: 'Visa ending in 4242',
      amount: 2100,
      email: home.person.email,
      isTest: true,
    })
    const { rows } = await app.database.owner.query(
      "select action, count(*)::int as n from audit where org_id = $1 and entity in ('plan', 'checkout') group by 1 order by 1",
      [home.orgId],
    )
    expect(rows).toEqual([
      { action: 'paid', n: 2 },
      { action: 'started', n: 1 },
    ])
  })

  it('stores no card number', async () => {
    const home = await app.signedInOwner()
    await pay(home, (await begin(home)).transactionId)
    const { rows } = await app.database.owner.query<{ all: string }>(
      'select (select json_agg(t)::text from billing_transaction t) || (select json_agg(s)::text from subscription s) || (select json_agg(a)::text from audit a) as all',
    )
    expect(rows[0]?.all).not.toContain('42424242')
  })

  it('is declined, asks to confirm, or refuses an expired card', async () => {
    const home = await app.signedInOwner()
    const { transactionId } = await begin(home)
    await expect(pay(home, transactionId, { cardNumber: '4000000000000002' })).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
      status: 402,
    })
    await expect(pay(home, transactionId, { expiryMonth: 10, expiryYear: 2026 })).rejects.toMatchObject({
      code: 'PAYMENT_DECLINED',
    })
    expect(await pay(home, transactionId, { cardNumber: '4000000000003220' })).toEqual({ outcome: 'confirm' })
    expect(await status(home)).toMatchObject({ planStatus: 'TRIAL_ACTIVE' })
    expect(await pay(home, transactionId, { cardNumber: '4000000000003220', confirmed: true })).toEqual({
      outcome: 'paid',
    })
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE' })
  })

  it('for a plan bought in the meantime costs nothing', async () => {
    const home = await app.signedInOwner()
    const [first, second] = [await begin(home), await begin(home, { basePlanId: 'team' })]
    const both = await Promise.allSettled([pay(home, first.transactionId), pay(home, second.transactionId)])
    expect(both.map(({ status: how }) => how).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
      problem: { detail: 'You already have a plan. Change it instead.' },
    })
    const { rows } = await app.database.owner.query(
      "select count(*)::int as n from billing_transaction where org_id = $1 and status = 'paid'",
      [home.orgId],
    )
    expect(rows).toEqual([{ n: 1 }])
  })

  it('has a numbered invoice as a PDF; numbers have no gap, even if payments fail', async () => {
    const homes = await Promise.all(Array.from({ length: 4 }, () => app.signedInOwner()))
    const ids = await Promise.all(homes.map(async (home) => (await begin(home)).transactionId))
    await Promise.allSettled(
      homes.map((home, i) => pay(home, ids[i] ?? '', i === 1 ? { cardNumber: '4000000000000002' } : {})),
    )
    const { rows } = await app.database.owner.query<{ first: number; last: number; n: number }>(
      'select min(right(invoice_number, 6)::int) as first, max(right(invoice_number, 6)::int) as last, count(*)::int as n from billing_transaction where invoice_number is not null',
    )
    expect(rows[0]).toEqual({ first: 1, last: rows[0]?.n, n: rows[0]?.n })
    const [home] = homes
    if (!home) throw new Error('no home')
    const { url } = await app.call(
      billing.invoice,
      { params: { ...home.params, transactionId: ids[0] ?? '' } },
      { as: home.person },
    )
    const file = await app.send({ ...billing.invoicePdf, path: url as '/api/' }, {}, { as: home.person })
    expect(file.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining('TEST-'),
    })
    expect(file.rawPayload.subarray(0, 5).toString()).toBe('%PDF-')
    await expect(
      app.call(billing.invoice, { params: { ...home.params, transactionId: ids[1] ?? '' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it("is refused if payments are off; the free plan isn't", async () => {
    const other = await startApp()
    const home = await other.signedInOwner()
    const call = () =>
      other.call(
        billing.checkout,
        { params: home.params, body: { basePlanId: 'team', billingInterval: 'annual', addonQuantity: 0 } },
        { as: home.person },
      )
    await expect(call()).rejects.toMatchObject({
      code: 'PAYMENT_REFUSED',
      status: 409,
      problem: { detail: expect.stringContaining("Payments aren't set up") },
    })
    expect(await other.call(billing.pricing, { params: home.params }, { as: home.person })).toMatchObject({
      provider: 'none',
      currentPlan: { planId: null },
    })
    expect(await other.call(billing.switchToFree, { params: home.params, body: {} }, { as: home.person })).toEqual({
      message: 'Switched to free plan successfully.',
    })
    expect(await other.call(billing.billingStatus, { params: home.params }, { as: home.person })).toMatchObject({
      planId: 'free',
      planStatus: 'ACTIVE',
      maxChannels: 3,
    })
    await other.close()
    const alone = await startApp({ env: { PUBLIC_URL: 'http://localhost:3000' } })
    expect(alone.parts.payments.kind).toBe('local')
    await alone.close()
    const open = await startApp({ env: { PUBLIC_URL: 'http://localhost:3000', HOST: '0.0.0.0' } })
    expect(open.parts.payments.kind).toBe('none')
    await open.close()
  })
})
