import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { localHarness, type BillingHarness } from '../testing/billing.ts'
import type { TestHome } from '../testing/people.ts'

/* Invoices, credit notes and payment requests of test payments, as listed and printed. */

let stage: BillingHarness
beforeAll(async () => {
  stage = await localHarness()
})
afterAll(() => stage.close())

const at = (home: TestHome) => ({ params: home.params })
const as = (home: TestHome) => ({ as: home.person })
const call: BillingHarness['app']['call'] = (...input) => stage.app.call(...input)
const status = (home: TestHome) => call(billing.billingStatus, at(home), as(home))
const listed = async (home: TestHome) => (await call(billing.transactions, at(home), as(home))).transactions

async function bought(
  body: Partial<{
    basePlanId: 'individual' | 'team'
    billingInterval: 'monthly' | 'annual'
    addonQuantity: number
  }> = {},
  card: 'pays' | 'runs out' = 'pays',
): Promise<TestHome> {
  const home = await stage.app.signedInOwner()
  await buy(home, body, card)
  return home
}
async function buy(home: TestHome, body: object = {}, card: 'pays' | 'runs out' = 'pays'): Promise<void> {
  const { transactionId } = await call(
    billing.checkout,
    { ...at(home), body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 2, ...body } },
    as(home),
  )
  if (!(await stage.pay(home, transactionId, card))) throw new Error('the card did not pay')
}
async function fewerAddons(home: TestHome, addonQuantity = 0): Promise<void> {
  const { subscriptionId } = await call(billing.previewAddons, { ...at(home), body: { addonQuantity } }, as(home))
  await call(billing.confirmAddons, { ...at(home), body: { subscriptionId } }, as(home))
}
async function printed(home: TestHome, transactionId: string): Promise<Buffer> {
  const { url } = await call(billing.invoice, { params: { ...home.params, transactionId } }, as(home))
  // the URL of the call itself
  const file = await stage.app.send({ ...billing.invoicePdf, path: url as '/api/' }, {}, as(home))
  expect(file.statusCode).toBe(200)
  return file.rawPayload
}

describe('an invoice', () => {
  it('shows its period, even for four renewals caught up on one day', async () => {
    const home = await bought()
    await stage.jump(124 * 86_400)
    const rows = await listed(home)
    expect(rows.map(({ servicePeriod }) => servicePeriod)).toEqual([
      { from: '2027-03-21', to: '2027-04-21' },
      { from: '2027-02-21', to: '2027-03-21' },
      { from: '2027-01-21', to: '2027-02-21' },
      { from: '2026-12-21', to: '2027-01-21' },
      { from: '2026-11-21', to: '2026-12-21' },
    ])
    expect(new Set(rows.map(({ billedOn }) => billedOn)).size).toBe(2)
  })

  it('stays as it was issued when the organization, its billing details or its people change', async () => {
    const home = await bought()
    const [row] = await listed(home)
    const before = await printed(home, row?.transactionId ?? '')
    await stage.app.database.owner.query("update organization set name = 'Renamed' where org_id = $1", [home.orgId])
    await stage.app.database.owner.query("update person set email = 'new@rook.example' where id = $1", [
      home.person.personId,
    ])
    const details = { name: 'Rook Ltd', email: 'books@rook.example', address: '1 Castle St\nYork', taxId: 'GB123' }
    await call(billing.updateBillingDetails, { ...at(home), body: details }, as(home))
    expect((await printed(home, row?.transactionId ?? '')).equals(before)).toBe(true)
    expect(await status(home)).toMatchObject({ billingDetails: details })
    await stage.advance({ days: 31 })
    const { rows } = await stage.app.database.owner.query(
      "select buyer, seller from billing_transaction where org_id = $1 and kind = 'renewal'",
      [home.orgId],
    )
    expect(rows).toEqual([{ buyer: details, seller: { lines: ['Rookery'] } }])
  })

  it('shows names in Polish, Greek and Cyrillic correctly', async () => {
    const home = await stage.app.signedInOwner()
    const name = 'Żółw Ελλάδα Громадянська'
    await stage.app.database.owner.query('update organization set name = $2 where org_id = $1', [home.orgId, name])
    await buy(home)
    const [row] = await listed(home)
    const pdf = await getDocumentProxy(new Uint8Array(await printed(home, row?.transactionId ?? '')))
    const { text } = await extractText(pdf, { mergePages: true })
    expect(text).toContain(name)
  })

  it('takes billing details only from admins, and only with a valid email address', async () => {
    const home = await bought({ basePlanId: 'team' })
    const colleague = await stage.app.colleague(home, 'editor')
    const details = { name: '', email: '', address: '', taxId: '' }
    await expect(
      call(billing.updateBillingDetails, { ...at(home), body: details }, { as: colleague }),
    ).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(
      call(billing.updateBillingDetails, { ...at(home), body: { ...details, email: 'nowhere' } }, as(home)),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    expect(await status(home)).toMatchObject({ billingDetails: null })
  })
})

describe('credit', () => {
  it('has its own credit note, and the screen shows the balance and what comes next', async () => {
    const home = await bought({ addonQuantity: 10 })
    await stage.advance({ days: 15 })
    await fewerAddons(home)
    const [note, invoice] = await listed(home)
    const given = -(note?.lastTransactionTotals.total ?? 0)
    // about half the price of ten add-ons: months differ
    expect(Math.abs(given - 1500)).toBeLessThan(150)
    expect(note).toMatchObject({
      kind: 'credit_note',
      document: 'credit_note',
      invoiceNumber: expect.stringMatching(/^TEST-CN-\d{6}$/),
      refersTo: [invoice?.invoiceNumber],
      lastTransactionTotals: { total: -given, credit: -given, grandTotal: 0 },
    })
    expect((await printed(home, note?.transactionId ?? '')).subarray(0, 5).toString()).toBe('%PDF-')
    expect(await status(home)).toMatchObject({
      credits: [{ currencyCode: 'USD', amount: given }],
      nextPayment: { amount: Math.max(0, 1500 - given), currencyCode: 'USD', beforeTax: false },
    })
  })

  it('is what was paid according to the books, not the price list', async () => {
    const home = await bought()
    await stage.app.database.owner.query(
      `update subscription set paid_items = jsonb_set(jsonb_set(jsonb_set(jsonb_set(paid_items, '{1,net}', '300'), '{1,tax}', '57'), '{1,taxRate}', '0.19'), '{1,currencyCode}', '"EUR"') where org_id = $1`,
      [home.orgId],
    )
    await fewerAddons(home)
    expect(await status(home)).toMatchObject({ credits: [{ currencyCode: 'EUR', amount: 357 }] })
    const [note] = await listed(home)
    expect(note?.lastTransactionTotals).toMatchObject({ currencyCode: 'EUR', subtotal: -300, tax: -57, total: -357 })
  })
})

describe('an overdue payment', () => {
  it('can be printed as a payment request, and ended by canceling, after which Free can be chosen', async () => {
    const home = await bought({}, 'runs out')
    await stage.advance({ days: 40 })
    const shown = await status(home)
    expect(shown).toMatchObject({ planStatus: 'PAST_DUE', pastDue: { owed: { amount: 2100 } }, nextPayment: null })
    const requestId = shown.pastDue?.requestId ?? ''
    expect((await listed(home))[0]).toMatchObject({
      transactionId: requestId,
      invoiceNumber: null,
      document: 'payment_request',
    })
    expect((await printed(home, requestId)).subarray(0, 5).toString()).toBe('%PDF-')
    await expect(call(billing.switchToFree, { ...at(home), body: {} }, as(home))).rejects.toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
      problem: { detail: 'Cancel the overdue plan first. It ends right away.' },
    })
    await call(billing.cancelPlan, { ...at(home), body: {} }, as(home))
    expect(await status(home)).toMatchObject({ planStatus: 'CANCELLED', pastDue: null })
    await expect(
      call(billing.invoice, { params: { ...home.params, transactionId: requestId } }, as(home)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // nothing is retried
    await stage.advance({ days: 20 })
    expect((await listed(home))[0]).toMatchObject({ transactionStatus: 'failed', document: null })
    await call(billing.switchToFree, { ...at(home), body: {} }, as(home))
    expect(await status(home)).toMatchObject({ planId: 'free', planStatus: 'ACTIVE' })
  })
})

describe('the switch from Team to Individual', () => {
  const plan = (home: TestHome, addonQuantity = 0) =>
    call(billing.planDowngrade, { ...at(home), body: { addonQuantity } }, as(home))

  it('happens at the end of the period, is shown until then, and makes members beyond it view-only', async () => {
    const home = await bought({ basePlanId: 'team', addonQuantity: 0 })
    const colleague = await stage.app.colleague(home, 'editor')
    await plan(home)
    expect(await status(home)).toMatchObject({
      planId: 'team',
      planStatus: 'ACTIVE',
      plannedChange: { planId: 'individual', addonQuantity: 0, startsAt: (await status(home)).currentEndDate },
      nextPayment: { amount: 1500 },
    })
    await stage.advance({ days: 32 })
    expect(await status(home)).toMatchObject({ planId: 'individual', planStatus: 'ACTIVE', plannedChange: null })
    const { users } = await call(billing.excess, at(home), as(home))
    expect(users.items.find(({ userId }) => userId === colleague.personId)).toMatchObject({ locked: true })
  })

  it("can be undone, ends with a cancellation, and is refused if the plan doesn't offer it", async () => {
    const home = await bought({ basePlanId: 'team', addonQuantity: 0 })
    await plan(home)
    await call(billing.undoDowngrade, { ...at(home), body: {} }, as(home))
    expect(await status(home)).toMatchObject({ plannedChange: null, nextPayment: { amount: 4900 } })
    await expect(call(billing.undoDowngrade, { ...at(home), body: {} }, as(home))).rejects.toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
    })
    await expect(plan(home, 21)).rejects.toMatchObject({ code: 'PLAN_ACTION_REFUSED' })
    await plan(home)
    await call(billing.cancelPlan, { ...at(home), body: {} }, as(home))
    expect(await status(home)).toMatchObject({ planStatus: 'CANCEL_SCHEDULED', plannedChange: null })
    await expect(plan(await bought())).rejects.toMatchObject({ code: 'PLAN_ACTION_REFUSED' })
  })
})
