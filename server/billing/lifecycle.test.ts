import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listAudit } from '#contract/audit.ts'
import * as billing from '#contract/billing.ts'
import { listNotices } from '#contract/notices.ts'
import { plan } from '#contract/organizations.ts'
import { localHarness, paddleHarness, type BillingHarness, type CardKind } from '../testing/billing.ts'
import type { TestHome } from '../testing/people.ts'

const LATER = 'This change will take effect shortly, Kindly refresh after a short while.'

/* The same life cycle with each provider. */
describe.each([
  ['local', localHarness],
  ['paddle', paddleHarness],
] as const)('with %s payments', (provider, begin) => {
  let stage: BillingHarness
  beforeAll(async () => {
    stage = await begin()
  })
  afterAll(() => stage.close())
  beforeEach(() => stage.clear())

  const as = (home: TestHome) => ({ as: home.person })
  const at = (home: TestHome) => ({ params: home.params })
  const status = (home: TestHome) => stage.app.call(billing.billingStatus, at(home), as(home))
  const money = async (home: TestHome) =>
    (await stage.app.call(billing.transactions, { ...at(home), query: { limit: 100 } }, as(home))).transactions.filter(
      ({ kind }) => kind === 'invoice',
    )
  const amounts = async (home: TestHome) =>
    (await money(home)).map(
      ({ transactionStatus, lastTransactionTotals: { grandTotal } }) => `${transactionStatus} ${grandTotal}`,
    )

  async function bought(
    wanted: { basePlanId?: 'individual' | 'team'; billingInterval?: 'monthly' | 'annual'; addonQuantity?: number } = {},
    card: CardKind = 'pays',
  ): Promise<TestHome> {
    const home = await stage.app.signedInOwner()
    await buy(home, wanted, card)
    return home
  }
  async function buy(
    home: TestHome,
    wanted: { basePlanId?: 'individual' | 'team'; billingInterval?: 'monthly' | 'annual'; addonQuantity?: number } = {},
    card: CardKind = 'pays',
  ): Promise<boolean> {
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { ...at(home), body: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0, ...wanted } },
      as(home),
    )
    const isPaid = await stage.pay(home, transactionId, card)
    await stage.settle()
    return isPaid
  }

  it('a plan is bought, renewed and canceled, runs to its end, and Free can be chosen', async () => {
    const home = await bought({ addonQuantity: 1 })
    expect(await status(home)).toMatchObject({
      planId: 'individual',
      planStatus: 'ACTIVE',
      billingPeriod: 'monthly',
      addonQuantity: 1,
      maxChannels: 11,
      provider,
    })
    await stage.advance({ days: 31 })
    expect(await amounts(home)).toEqual(['paid 1800', 'paid 1800'])
    const { nextBillingDate } = await status(home)
    expect(await stage.app.call(billing.cancelPlan, { ...at(home), body: {} }, as(home))).toEqual({
      message: `Subscription canceled successfully. ${LATER}`,
    })
    await stage.settle()
    expect(await status(home)).toMatchObject({
      planStatus: 'CANCEL_SCHEDULED',
      nextBillingDate: null,
      currentEndDate: nextBillingDate,
    })
    expect(await stage.app.call(plan, at(home), as(home))).toMatchObject({ valid: true, maxChannels: 11 })
    await expect(stage.app.call(billing.cancelPlan, { ...at(home), body: {} }, as(home))).rejects.toMatchObject({
      code: 'PLAN_ACTION_REFUSED',
    })
    await stage.advance({ days: 32 })
    expect(await status(home)).toMatchObject({ planStatus: 'CANCELLED' })
    expect(await stage.app.call(plan, at(home), as(home))).toMatchObject({ valid: false })
    expect(await amounts(home)).toHaveLength(2)
    expect(await stage.app.call(billing.switchToFree, { ...at(home), body: {} }, as(home))).toEqual({
      message: 'Switched to free plan successfully.',
    })
    expect(await status(home)).toMatchObject({
      planId: 'free',
      planStatus: 'ACTIVE',
      maxChannels: 3,
      subscriptionId: null,
    })
    await stage.advance({ days: 40 })
    expect(await status(home)).toMatchObject({ planId: 'free', planStatus: 'ACTIVE' })
    await buy(home, { basePlanId: 'team' })
    expect(await status(home)).toMatchObject({ planId: 'team', planStatus: 'ACTIVE', maxChannels: 20 })
  })

  it('a canceled plan is resumed and continues', async () => {
    const home = await bought()
    await stage.app.call(billing.cancelPlan, { ...at(home), body: {} }, as(home))
    await stage.settle()
    expect(await stage.app.call(billing.resumePlan, { ...at(home), body: {} }, as(home))).toEqual({
      message: `Subscription resumed successfully. ${LATER}`,
    })
    await stage.settle()
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE', canceledAt: null })
    await stage.advance({ days: 31 })
    expect(await amounts(home)).toEqual(['paid 1500', 'paid 1500'])
  })

  it('changes are previewed, cost what was shown, and are confirmed once', async () => {
    const home = await bought({ addonQuantity: 2 })
    await stage.advance({ days: 15 })
    const shown = await stage.app.call(billing.previewAddons, { ...at(home), body: { addonQuantity: 4 } }, as(home))
    expect(shown).toMatchObject({
      planName: 'Individual',
      total: { currencyCode: 'USD', grandTotal: 300 },
      creditsLeft: [],
    })
    expect(
      await stage.app.call(
        billing.confirmAddons,
        { ...at(home), body: { subscriptionId: shown.subscriptionId } },
        as(home),
      ),
    ).toEqual({ message: `Addons updated successfully. ${LATER}` })
    await stage.settle()
    expect(await status(home)).toMatchObject({ addonQuantity: 4, maxChannels: 14 })
    await expect(
      stage.app.call(billing.confirmAddons, { ...at(home), body: { subscriptionId: shown.subscriptionId } }, as(home)),
    ).rejects.toMatchObject({ code: 'PLAN_ACTION_REFUSED' })
    const annual = await stage.app.call(billing.previewFrequency, { ...at(home), body: {} }, as(home))
    expect(annual.total.grandTotal).toBe(15_000 + 12_000 - 750 - 600)
    expect(
      await stage.app.call(
        billing.confirmFrequency,
        { ...at(home), body: { subscriptionId: annual.subscriptionId } },
        as(home),
      ),
    ).toEqual({ message: `Billing frequency updated successfully. ${LATER}` })
    await stage.settle()
    const team = await stage.app.call(
      billing.previewPlan,
      { ...at(home), body: { addonQuantity: 0, billingInterval: 'annual' } },
      as(home),
    )
    expect(
      await stage.app.call(
        billing.confirmPlan,
        { ...at(home), body: { subscriptionId: team.subscriptionId } },
        as(home),
      ),
    ).toEqual({ message: `Plan updated successfully. ${LATER}` })
    await stage.settle()
    expect(await status(home)).toMatchObject({
      planId: 'team',
      billingPeriod: 'annual',
      addonQuantity: 0,
      maxChannels: 20,
    })
    expect((await amounts(home)).toSorted()).toEqual(
      ['paid 2100', 'paid 300', `paid ${annual.total.grandTotal}`, `paid ${team.total.grandTotal}`].toSorted(),
    )
  })

  it('a refund beyond the price becomes credit, which later invoices use', async () => {
    const home = await bought({ addonQuantity: 10 })
    await stage.advance({ days: 15 })
    const shown = await stage.app.call(billing.previewAddons, { ...at(home), body: { addonQuantity: 0 } }, as(home))
    expect(shown).toMatchObject({ total: { grandTotal: 0 }, creditsLeft: [{ currencyCode: 'USD', amount: 1500 }] })
    await stage.app.call(
      billing.confirmAddons,
      { ...at(home), body: { subscriptionId: shown.subscriptionId } },
      as(home),
    )
    await stage.settle()
    await stage.advance({ days: 16 })
    expect((await money(home))[0]).toMatchObject({
      transactionStatus: 'paid',
      lastTransactionTotals: { subtotal: 1500, credit: 1500, grandTotal: 0 },
    })
  })

  it('an overdue plan can be canceled: it ends immediately, nothing is retried, and Free can be chosen', async () => {
    const home = await bought({}, 'runs out')
    await stage.advance({ days: 40 })
    expect(await status(home)).toMatchObject({ planStatus: 'PAST_DUE' })
    await stage.app.call(billing.cancelPlan, { ...at(home), body: {} }, as(home))
    await stage.settle()
    expect(await status(home)).toMatchObject({ planStatus: 'CANCELLED', pastDue: null, nextPayment: null })
    await stage.app.call(billing.switchToFree, { ...at(home), body: {} }, as(home))
    await stage.advance({ days: 20 })
    expect(await status(home)).toMatchObject({ planId: 'free', planStatus: 'ACTIVE' })
  })

  it('shows the next charge, before tax if the provider adds it', async () => {
    const home = await bought()
    const shown = await status(home)
    expect(shown.nextPayment).toMatchObject({ currencyCode: 'USD', date: shown.currentEndDate })
    expect(shown.nextPayment?.amount).toBe(1500)
    expect(shown.nextPayment?.beforeTax).toBe(shown.provider === 'paddle')
    expect(shown.canPlanChange).toBe(shown.provider === 'local')
  })

  it('tells one of two admins who confirm two previews at once to look again', async () => {
    const home = await bought({ addonQuantity: 2 })
    const other = await stage.app.person()
    await stage.app.database.owner.query(
      'insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, true, $3)',
      [home.orgId, other.personId, stage.app.clock.now()],
    )
    const { subscriptionId } = await stage.app.call(
      billing.previewAddons,
      { ...at(home), body: { addonQuantity: 5 } },
      as(home),
    )
    await stage.app.call(
      billing.previewPlan,
      { ...at(home), body: { addonQuantity: 0, billingInterval: 'monthly' } },
      { as: other },
    )
    const both = await Promise.allSettled([
      stage.app.call(billing.confirmAddons, { ...at(home), body: { subscriptionId } }, as(home)),
      stage.app.call(billing.confirmPlan, { ...at(home), body: { subscriptionId } }, { as: other }),
    ])
    await stage.settle()
    expect(both.filter(({ status: how }) => how === 'fulfilled')).toHaveLength(1)
    expect(both.find((one) => one.status === 'rejected')?.reason).toMatchObject({ code: 'STALE_VERSION', status: 409 })
    expect(await amounts(home)).toHaveLength(2)
  })

  it("doesn't confirm a preview that another one replaced, but the latest", async () => {
    const home = await bought()
    const [first, last] = [
      await stage.app.call(billing.previewAddons, { ...at(home), body: { addonQuantity: 5 } }, as(home)),
      await stage.app.call(billing.previewAddons, { ...at(home), body: { addonQuantity: 20 } }, as(home)),
    ]
    const confirm = ({ subscriptionId, previewId }: billing.ChangePreview) =>
      stage.app.call(billing.confirmAddons, { ...at(home), body: { subscriptionId, previewId } }, as(home))
    await expect(confirm(first)).rejects.toMatchObject({
      code: 'STALE_VERSION',
      problem: { detail: expect.stringContaining('Someone else previewed this change') },
    })
    expect(await amounts(home)).toHaveLength(1)
    await confirm(last)
    await stage.settle()
    expect(await status(home)).toMatchObject({ addonQuantity: 20 })
  })

  it('retries a failed payment three times in two weeks, notifying admins, then ends the plan', async () => {
    const home = await bought({}, 'runs out')
    await stage.advance({ days: 31 })
    expect(await status(home)).toMatchObject({ planStatus: 'PAST_DUE', pastDue: { endsAt: expect.any(String) } })
    expect(await stage.app.call(plan, at(home), as(home))).toMatchObject({ valid: true, planStatus: 'PAST_DUE' })
    expect(await amounts(home)).toEqual(['failed 1500', 'paid 1500'])
    await stage.advance({ days: 15 })
    expect(await status(home)).toMatchObject({ planStatus: 'CANCELLED', pastDue: null })
    const { notices } = await stage.app.call(listNotices, at(home), as(home))
    expect(notices.map(({ title }) => title).filter((title) => !title.includes('trial'))[0]).toBe('Your plan has ended')
    // first after four days, then after nine
    const failed = notices.filter(({ title }) => title === 'A payment for your plan failed')
    expect(failed).toHaveLength(3)
    expect(failed.every(({ link }) => link?.endsWith('tab=billing'))).toBe(true)
    expect(await amounts(home)).toEqual(['failed 1500', 'paid 1500'])
  })

  it('a new card pays the overdue amount, and the plan continues', async () => {
    const home = await bought({}, 'runs out')
    await stage.advance({ days: 33 })
    expect(await status(home)).toMatchObject({ planStatus: 'PAST_DUE' })
    const { transactionId } = await stage.app.call(billing.updatePaymentMethod, at(home), as(home))
    expect(await stage.pay(home, transactionId, 'declined')).toBe(false)
    expect(await stage.pay(home, transactionId, 'pays')).toBe(true)
    await stage.settle()
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE', pastDue: null })
    expect(await amounts(home)).toEqual(['paid 1500', 'paid 1500'])
    await stage.advance({ days: 31 })
    expect(await amounts(home)).toEqual(['paid 1500', 'paid 1500', 'paid 1500'])
  })

  it('a card being changed while the renewal failed leaves the overdue amount to be paid', async () => {
    const home = await bought({}, 'runs out')
    const { transactionId } = await stage.app.call(billing.updatePaymentMethod, at(home), as(home))
    await stage.advance({ days: 31 })
    expect(await stage.pay(home, transactionId, 'pays')).toBe(true)
    await stage.settle()
    expect(await status(home)).toMatchObject({ planStatus: 'PAST_DUE' })
    const overdue = await stage.app.call(billing.updatePaymentMethod, at(home), as(home))
    expect(await stage.pay(home, overdue.transactionId, 'pays')).toBe(true)
    await stage.settle()
    expect(await status(home)).toMatchObject({ planStatus: 'ACTIVE', pastDue: null })
    expect(await amounts(home)).toEqual(['paid 1500', 'paid 1500'])
  })

  it("a new card alone costs nothing and isn't listed", async () => {
    const home = await bought({}, 'runs out')
    const { transactionId } = await stage.app.call(billing.updatePaymentMethod, at(home), as(home))
    const { audits } = await stage.app.call(listAudit, at(home), as(home))
    expect(audits[0]).toMatchObject({
      action: 'started',
      entityType: 'payment_method',
      user: { userId: home.person.personId },
    })
    expect(await stage.pay(home, transactionId, 'pays')).toBe(true)
    await stage.settle()
    await stage.advance({ days: 31 })
    expect(await amounts(home)).toEqual(['paid 1500', 'paid 1500'])
  })

  it('a declined checkout changes nothing', async () => {
    const home = await stage.app.signedInOwner()
    expect(await buy(home, {}, 'declined')).toBe(false)
    expect(await status(home)).toMatchObject({ planStatus: 'TRIAL_ACTIVE', subscriptionId: null })
    expect(await amounts(home)).toEqual([])
  })

  it("refuses everything the plan doesn't offer", async () => {
    const home = await stage.app.signedInOwner()
    const refusal = { code: 'PLAN_ACTION_REFUSED', status: 409 }
    for (const call of [billing.cancelPlan, billing.resumePlan] as const)
      await expect(stage.app.call(call, { ...at(home), body: {} }, as(home))).rejects.toMatchObject(refusal)
    await expect(stage.app.call(billing.previewFrequency, { ...at(home), body: {} }, as(home))).rejects.toMatchObject(
      refusal,
    )
    await expect(stage.app.call(billing.addonDetails, at(home), as(home))).rejects.toMatchObject(refusal)
    await expect(stage.app.call(billing.updatePaymentMethod, at(home), as(home))).rejects.toMatchObject(refusal)
    await buy(home)
    expect(await stage.app.call(billing.addonDetails, at(home), as(home))).toMatchObject({
      planId: 'individual',
      currentAddons: 0,
      basePlanLimit: 10,
      addonPrice: 300,
      maxAddonLimit: 20,
    })
    expect(await stage.app.call(billing.teamUpgrade, at(home), as(home))).toMatchObject({
      plan: { planId: 'team' },
      current: { planId: 'individual' },
    })
    await expect(
      stage.app.call(billing.previewAddons, { ...at(home), body: { addonQuantity: 21 } }, as(home)),
    ).rejects.toMatchObject({ problem: { detail: 'You cannot add more than 20 Channel Addons to Individual Plan.' } })
    await expect(stage.app.call(billing.switchToFree, { ...at(home), body: {} }, as(home))).rejects.toMatchObject(
      refusal,
    )
  })
})
