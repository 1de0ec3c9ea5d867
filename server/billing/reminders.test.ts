import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as billing from '#contract/billing.ts'
import { localHarness, paddleHarness, type BillingHarness } from '../testing/billing.ts'
import type { TestHome } from '../testing/people.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* Notifications and emails to admins about payments, renewals and cards, each sent once. */

type Told = { kind: string; title: string; body: string; mails: number }

describe.each([
  ['local', localHarness],
  ['paddle', paddleHarness],
] as const)('with %s payments', (name, begin) => {
  let stage: BillingHarness
  beforeAll(async () => {
    stage = await begin()
  })
  afterAll(() => stage.close())

  const told = async (home: TestHome, kind: string): Promise<Told[]> =>
    (await storedNotifications(stage.app.database.owner, 'org_id = $1 and kind = $2', [home.orgId, kind])).map(
      ({ kind: stored, title, body, mails }) => ({ kind: stored, title, body, mails: Number(mails) }),
    )
  async function bought(billingInterval: 'monthly' | 'annual', card: 'pays' | 'runs out' = 'pays'): Promise<TestHome> {
    const home = await stage.app.signedInOwner()
    const { transactionId } = await stage.app.call(
      billing.checkout,
      { params: home.params, body: { basePlanId: 'individual', billingInterval, addonQuantity: 0 } },
      { as: home.person },
    )
    await stage.pay(home, transactionId, card)
    await stage.settle()
    return home
  }

  it("sends a receipt for each payment, if the provider doesn't", async () => {
    const home = await bought('monthly')
    await stage.advance({ days: 32 })
    const receipts = await told(home, 'payment-received')
    expect(receipts.map(({ title, mails }) => [title, mails])).toEqual(
      name === 'local'
        ? [
            ['Receipt for $15.00', 1],
            ['Receipt for $15.00', 1],
          ]
        : [],
    )
    if (name === 'local') expect(receipts[0]?.body).toMatch(/invoice TEST-\d{6} in your organization settings/)
  })

  it('announces an annual renewal once, 14 days before; not a monthly one', async () => {
    const [annual, monthly] = [await bought('annual'), await bought('monthly')]
    await stage.advance({ days: 349 })
    expect(await told(annual, 'plan-renews')).toEqual([])
    await stage.advance({ days: 3 })
    expect(await told(annual, 'plan-renews')).toMatchObject([
      {
        title: expect.stringMatching(/^Your plan renews on \d{2} \w{3} \d{4}$/),
        body: expect.stringContaining(name === 'local' ? 'charge $150.00 for' : 'charge $150.00 plus tax for'),
      },
    ])
    expect(await told(monthly, 'plan-renews')).toEqual([])
  })

  it('warns once about a card that expires before the renewal, and not about one that pays', async () => {
    const [ends, pays] = [await bought('monthly', 'runs out'), await bought('monthly')]
    await stage.advance({ days: 3 })
    expect(await told(ends, 'card-ends')).toMatchObject([
      { title: expect.stringMatching(/^Your card ending in 4242 expires on /) },
    ])
    expect(await told(pays, 'card-ends')).toEqual([])
  })
})
