import type { Page } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { addChannels } from '../plans.ts'
import { changeReply, refuse } from '../replies.ts'

/** Fills in the overlay of the test payments and pays. */
async function payWith(page: Page, card: string): Promise<void> {
  const overlay = page.getByRole('dialog', { name: /^Payment/ })
  await overlay.getByLabel('Card number').fill(card)
  await overlay.getByLabel('Security code').fill('123')
  await overlay.getByLabel('Name on the card').fill('Ada Lovelace')
  await overlay.getByRole('button', { name: /^(Pay \$|Use this card)/ }).click()
}

/** A plan bought without using the screens. */
async function buyByApi(page: Page, orgId: string, data: object): Promise<void> {
  const begun = await page.request.post(`/api/${orgId}/billing/checkout`, { data })
  const transactionId = String(Reflect.get(Object(await begun.json()), 'transactionId'))
  const paid = await page.request.post(`/api/${orgId}/billing/local/${transactionId}/pay`, {
    data: {
      cardNumber: '4242424242424242',
      expiryMonth: 12,
      expiryYear: 2099,
      securityCode: '123',
      cardholderName: 'Ada Lovelace',
    },
  })
  if (!paid.ok()) throw new Error(await paid.text())
}

/** The response of the plan call, with something replaced. */
const withFacts = (facts: Record<string, unknown>) => (reply: unknown) => ({
  ...(typeof reply === 'object' ? reply : {}),
  ...facts,
})

test('billing: a plan is bought with test cards, changed, canceled and resumed', async ({ newPerson }) => {
  const { page, at } = await newPerson({ opens: 'dashboard' })
  // the trial is mentioned on every screen, and leads here
  const line = page.getByRole('region', { name: 'Plan', exact: true })
  await line.getByText('Limited Free Trial').waitFor()
  await axe(page)
  await shot(page, 'trial-line')
  await line.getByRole('link', { name: 'Buy Plan' }).click()
  await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
  await page.getByText('select a plan before trial expires').waitFor()
  await page.getByText('Test payments').first().waitFor()
  if ((await page.getByRole('table', { name: 'Invoices' }).count()) > 0) throw new Error('a table of no invoices')
  await axe(page)
  await shot(page, 'billing-trial')

  await page.getByRole('button', { name: 'Buy Plan' }).click()
  const chooser = page.getByRole('dialog', { name: 'Choose a plan' })
  await chooser.getByRole('button', { name: 'Choose Individual' }).waitFor()
  await chooser.getByText('2 Months Free').first().waitFor()
  if ((await chooser.getByRole('link', { name: /Learn More/ }).getAttribute('href')) !== '/pricing')
    throw new Error('Learn More leads elsewhere')
  if ((await chooser.getByRole('list').nth(1).getByRole('listitem').count()) !== 2)
    throw new Error('a card does not show two features')
  await axe(page)
  await shot(page, 'billing-plans')
  await chooser.getByRole('button', { name: 'Choose Individual' }).click()
  const summary = page.getByRole('dialog', { name: 'Summary of Individual' })
  await summary.getByText('$15.00', { exact: true }).first().waitFor()
  await summary.getByLabel('Channel Addons').fill('20')
  await summary.getByText('You cannot add more than 20 Channel Addons to Individual Plan.').waitFor()
  await summary.getByRole('button', { name: 'Upgrade to Team Plan' }).waitFor()
  await axe(page)
  await shot(page, 'billing-summary')
  await summary.getByLabel('Channel Addons').fill('2')
  await summary.getByText('$21.00', { exact: true }).waitFor()
  await summary.getByRole('button', { name: 'Checkout' }).click()

  const overlay = page.getByRole('dialog', { name: 'Payment' })
  await overlay.getByRole('button', { name: 'Pay $21.00' }).waitFor()
  await axe(page)
  await shot(page, 'billing-overlay')
  await payWith(page, '4000 0000 0000 0002')
  await overlay
    .getByRole('alert')
    .getByText(/declined/)
    .waitFor()
  await payWith(page, '4000 0000 0000 3220')
  await overlay.getByText('The bank asks you to confirm').waitFor()
  await axe(page)
  await overlay.getByRole('button', { name: 'Confirm payment' }).click()
  await page.waitForURL('**/payment-success')
  await page.getByRole('heading', { name: 'Payment Success', level: 1 }).waitFor()
  // checked first: the page continues by itself after ten seconds
  await page.getByText(/Redirecting in \d+ s/).waitFor()
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByText('$21.00').waitFor()
  await page
    .getByText(/Questions about this payment: contact your Rookery administrator and include the transaction ID above/)
    .waitFor()
  await axe(page)
  await shot(page, 'payment-success')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'payment-success-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  await page.getByRole('link', { name: 'Go to the dashboard' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await line.waitFor({ state: 'detached' })

  // the plan as it is now, its invoice and its actions
  await page.goto(at('org-settings?tab=billing'))
  await page.getByText('renews at').waitFor()
  const invoices = page.getByRole('table', { name: 'Invoices' })
  await invoices.getByText('$21.00').waitFor()
  for (const name of ['Invoice Number', 'Billing Date', 'Products', 'Amount', 'Status', 'Download'])
    await invoices.getByRole('columnheader', { name, exact: true }).waitFor()
  await axe(page)
  await shot(page, 'billing-active', { fullPage: true })
  // a PDF is caught as a download, whichever tab requests it
  const downloaded = page
    .context()
    .waitForEvent('page')
    .then(async (tab) => await tab.waitForEvent('download'))
  await page.getByRole('button', { name: /^Download invoice/ }).click()
  if (!(await downloaded).suggestedFilename().endsWith('.pdf')) throw new Error('the invoice is no PDF')

  await page.getByRole('button', { name: 'Manage Limit' }).click()
  const limit = page.getByRole('dialog', { name: 'Manage Limit' })
  await limit.getByRole('button', { name: 'Update' }).waitFor()
  if (await limit.getByRole('button', { name: 'Update' }).isEnabled())
    throw new Error('the same number can be bought again')
  await limit.getByRole('button', { name: 'One more' }).click()
  await axe(page)
  await shot(page, 'billing-limit')
  await limit.getByRole('button', { name: 'Update' }).click()
  const addons = page.getByRole('dialog', { name: 'Change Addons' })
  await addons.getByText('Due now').waitFor()
  await axe(page)
  await shot(page, 'billing-preview')
  await addons.getByRole('button', { name: 'Update Subscription' }).click()
  await page
    .getByText('Addons updated successfully. This change will take effect shortly, Kindly refresh after a short while.')
    .waitFor()

  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  const team = page.getByRole('dialog', { name: 'Upgrade to Team' })
  await axe(page)
  await shot(page, 'billing-team')
  await team.getByRole('button', { name: 'Continue' }).click()
  const checkout = page.getByRole('dialog', { name: 'Checkout summary' })
  await checkout.getByRole('button', { name: 'Update Subscription' }).waitFor()
  await axe(page)
  await checkout.getByRole('button', { name: 'Update Subscription' }).click()
  await page.getByText(/Plan updated successfully\./).waitFor()
  await page.getByRole('button', { name: 'Upgrade Plan' }).waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Keep plan' }).waitFor()
  await axe(page)
  await shot(page, 'billing-cancel')
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByText(/Subscription canceled successfully\./).waitFor()
  await page.getByText('ends on').waitFor()
  await page.getByRole('button', { name: 'Restart Subscription' }).click()
  await page.getByRole('dialog', { name: /^Restart/ }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Restart Subscription' }).click()
  await page.getByText(/Subscription resumed successfully\./).waitFor()
  await page.getByText('renews at').waitFor()

  await page.setViewportSize(PHONE)
  await page.getByRole('table', { name: 'Invoices' }).waitFor({ state: 'detached' })
  await page.getByText('renews at').waitFor()
  await axe(page)
  await shot(page, 'billing-phone', { fullPage: true })
})

test("billing: add-ons have a minimum, and what can't be loaded reloads the page or closes its dialog", async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const { page } = person
  await addChannels(
    stage,
    person,
    Array.from({ length: 13 }, (_, at) => `Shop ${at + 1}`),
  )
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await page.getByRole('button', { name: 'Choose Individual' }).click()
  const summary = page.getByRole('dialog', { name: 'Summary of Individual' })
  const counter = summary.getByLabel('Channel Addons')
  await summary.getByText('You need to get at least 3 Addons, else remove those additional channels first.').waitFor()
  await summary.getByRole('button', { name: 'One less', disabled: true }).waitFor()
  await axe(page)
  await shot(page, 'billing-fewest')
  // a number is typed digit by digit, and its first digit is below the minimum
  await counter.fill('')
  await counter.pressSequentially('15')
  await summary.getByText('$60.00', { exact: true }).waitFor()
  await counter.fill('1')
  await counter.blur()
  await summary.getByText('$24.00', { exact: true }).waitFor()
  await summary.getByRole('link', { name: 'Go to Channel Settings' }).click()
  await page.getByRole('tab', { name: 'Channels', selected: true }).waitFor()
  await summary.waitFor({ state: 'detached' })

  // on a plan that fits: the change is made, but what the screen shows can't be reloaded
  await inDatabase(stage, ({ system }) => system.query('delete from channel where org_id = $1', [person.ids.orgId]))
  await page.goto(person.at('org-settings?tab=billing'))
  // the plan dialog closes itself if its plans can't be loaded
  await page.getByRole('button', { name: 'Buy Plan' }).waitFor()
  await refuse(page, /\/pricing$/, 'INTERNAL')
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await page.getByRole('dialog', { name: 'Choose a plan' }).waitFor()
  await page.getByRole('dialog', { name: 'Choose a plan' }).waitFor({ state: 'hidden' })
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await page.getByRole('button', { name: 'Choose Free' }).waitFor()
  await refuse(page, /\/billing\/status$/, 'INTERNAL')
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Choose Free' }).click()
  await loaded
  await page.unrouteAll({ behavior: 'ignoreErrors' })

  await changeReply(
    page,
    /\/billing\/status$/,
    withFacts({
      contact: 'billing@northlight.example',
      surplus: [
        {
          transactionId: 'txn_01hv8wptq8987qeep44cyrewp9',
          date: '2026-11-20T10:00:00.000Z',
          amount: 4900,
          currencyCode: 'USD',
        },
      ],
    }),
  )
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByText('lifetime free').waitFor()
  // a payment to be refunded says what to do
  await page.getByText('You were charged $49.00 for a second plan on 20 Nov 2026').waitFor()
  const mail = page.getByRole('link', { name: 'billing@northlight.example' })
  if (!(await mail.getAttribute('href'))?.includes('txn_01hv8wptq8987qeep44cyrewp9'))
    throw new Error('the mail does not name the payment')
  await axe(page)
  await shot(page, 'billing-surplus')
})

test('billing: with Paddle, its own overlay takes the payment, and its script only loads then', async ({
  newPerson,
}) => {
  // the content security policy of this installation allows Paddle only where it is set up
  const { page, at } = await newPerson({ page: { bypassCSP: true } })
  let asked = 0
  await page.route('https://cdn.paddle.com/**', async (route) => {
    asked += 1
    await route.fulfill({
      contentType: 'text/javascript',
      body: `window.PaddleBillingV1 = { Environment: { set() {} }, Initialized: false, Initialize(options) { this.options = options }, Update() {}, Checkout: { close() { window.closedOverlay = true }, open({ transactionId }) { window.openedWith = transactionId; setTimeout(() => window.PaddleBillingV1.options.eventCallback({ name: 'checkout.completed' })) } } }`,
    })
  })
  await changeReply(page, /\/billing\/status$/, withFacts({ provider: 'paddle' }))
  await changeReply(
    page,
    /\/pricing$/,
    withFacts({
      provider: 'paddle',
      taxRate: null,
      paddle: { clientToken: 'test_0123456789abcdef0123456789a', environment: 'sandbox' },
    }),
  )
  await page.goto(at('org-settings?tab=billing'))
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await page.getByRole('button', { name: 'Choose Team' }).click()
  await page.getByText('Total per month, before tax').waitFor()
  await page.getByText('Tax is added at checkout.').waitFor()
  await axe(page)
  await shot(page, 'billing-tax-later')
  if (asked > 0) throw new Error("Paddle's script was loaded before anyone pays")
  if ((await page.getByText('Test payments').count()) > 0) throw new Error('real payments are called test payments')
  await page.getByRole('button', { name: 'Checkout' }).click()
  await page.waitForURL('**/payment-success')
  await page.getByRole('button', { name: 'Stay here' }).click()
  await page.getByText("We're confirming your payment").waitFor()
  await page.getByText('$49.00').waitFor()
  await axe(page)
  await shot(page, 'payment-settling')

  // after a reload it counts again, and continues by itself; its seconds are advanced by hand
  await page.clock.install()
  await page.reload()
  await page.getByText(/Redirecting in \d+ s/).waitFor()
  await until(
    async () => {
      await page.clock.runFor(1_000)
      return page.url().endsWith('/dashboard') || undefined
    },
    { what: 'the way to the dashboard' },
  )
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
})

test('billing: Team switches to Individual for the next period and back, and credit and billing details are shown', async ({
  newPerson,
}) => {
  const { page, at, ids } = await newPerson()
  await buyByApi(page, ids.orgId, { basePlanId: 'team', billingInterval: 'monthly', addonQuantity: 5 })
  await page.goto(at('org-settings?tab=billing'))
  await page.getByText(/^Next payment: \$69\.00 on /).waitFor()
  await page.getByRole('button', { name: 'Edit billing details' }).click()
  const details = page.getByRole('dialog', { name: 'Billing details' })
  await details.getByLabel('Billing email').fill('nowhere')
  await details.getByRole('button', { name: 'Save billing details' }).click()
  await details.getByText('Enter an email address').waitFor()
  await details.getByLabel('Billing email').fill('books@northlight.example')
  await details.getByLabel('Name or company').fill('Żółw Ελλάδα Ltd')
  await details.getByLabel('Address').fill('1 Castle St\nYork')
  await axe(page)
  await shot(page, 'billing-details')
  await details.getByRole('button', { name: 'Save billing details' }).click()
  await page.getByText('Billing details saved').waitFor()
  await page.getByText('Żółw Ελλάδα Ltd').waitFor()

  // what the other dialogs say before anything is changed
  await page.getByRole('button', { name: /^Switch to Annual/ }).click()
  await page.getByRole('dialog', { name: 'Switch to Annual' }).getByText('Credits').waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Update payment method' }).click()
  await page.getByRole('dialog', { name: 'Payment method' }).getByText('Nothing is charged now.').waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Switch to Individual' }).click()
  const change = page.getByRole('dialog', { name: 'Switch to Individual' })
  await change.getByText(/Nothing is charged now, and you can undo this until then\.$/).waitFor()
  await change.getByText('$15.00', { exact: true }).first().waitFor()
  await axe(page)
  await shot(page, 'billing-downgrade')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'billing-downgrade-phone')
  await page.setViewportSize(DESKTOP)
  // without a mouse
  await change.getByRole('button', { name: /^Switch on / }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Switch to Individual scheduled.').waitFor()
  await page.getByText(/^Switches to Individual on \d{2} \w{3} \d{4}\.$/).waitFor()
  await page.getByText(/^Next payment: \$15\.00 on /).waitFor()
  await axe(page)
  await shot(page, 'billing-planned')
  await page.getByRole('button', { name: 'Keep Team' }).click()
  await page.getByRole('dialog', { name: 'Keep Team?' }).waitFor()
  await axe(page)
  await page.getByRole('dialog', { name: 'Keep Team?' }).getByRole('button', { name: 'Keep Team' }).click()
  await page.getByText("Your plan won't change.").waitFor()
  await page.getByText(/^Next payment: \$69\.00 on /).waitFor()

  // fewer add-ons credit what was paid for them, with a credit note
  await page.getByRole('button', { name: 'Manage Limit' }).click()
  const limit = page.getByRole('dialog', { name: 'Manage Limit' })
  await limit.getByLabel('Channel Addons').fill('0')
  await limit.getByRole('button', { name: 'Update' }).click()
  const preview = page.getByRole('dialog', { name: 'Change Addons' })
  await preview.getByText(/stays as credit toward your next invoices in USD\.$/).waitFor()
  await axe(page)
  await shot(page, 'billing-credit-preview')
  await preview.getByRole('button', { name: 'Update Subscription' }).click()
  await page.getByText(/^Addons updated successfully\./).waitFor()
  const invoices = page.getByRole('table', { name: 'Invoices' })
  await invoices.getByText(/^Credit note for TEST-\d{6}$/).waitFor()
  await invoices.getByText('Credited', { exact: true }).waitFor()
  await page.getByText('Credit', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'billing-credit', { fullPage: true })
  const downloaded = page
    .context()
    .waitForEvent('page')
    .then(async (tab) => await tab.waitForEvent('download'))
  await page.getByRole('button', { name: /^Download credit note TEST-CN-/ }).click()
  if (!(await downloaded).suggestedFilename().startsWith('TEST-CN-')) throw new Error('the credit note is no PDF')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'billing-credit-phone', { fullPage: true })
})
