import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { addChannels, passBillingDays, setPlan } from '../plans.ts'
import { newColleague } from '../team.ts'

/* What the plan doesn't allow, as the server really responds: nothing is replaced here. */

const line = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true })
const upgradeDialog = (page: Page, title: string) => page.getByRole('dialog', { name: title })

/** Pays the overlay of test payments. */
async function payOverlay(page: Page, card = '4242 4242 4242 4242'): Promise<void> {
  const overlay = page.getByRole('dialog', { name: /^Payment/ })
  await overlay.getByLabel('Card number').fill(card)
  await overlay.getByLabel('Security code').fill('123')
  await overlay.getByLabel('Name on the card').fill('Ada Lovelace')
  await overlay.getByRole('button', { name: /^(Pay \$|Use this card)/ }).click()
}

/** Individual, bought with a card that requires confirmation each time: it can't be renewed without its holder. */
async function buyWithAskingCard(page: Page, orgId: string): Promise<void> {
  const bought = await page.request.post(`/api/${orgId}/billing/checkout`, {
    data: { basePlanId: 'individual', billingInterval: 'monthly', addonQuantity: 0 },
  })
  const transactionId = String(Reflect.get(Object(await bought.json()), 'transactionId'))
  const paid = await page.request.post(`/api/${orgId}/billing/local/${transactionId}/pay`, {
    data: {
      cardNumber: '4000000000003220',
      expiryMonth: 12,
      expiryYear: 2099,
      securityCode: '123',
      cardholderName: 'Ada Lovelace',
      confirmed: true,
    },
  })
  if (!paid.ok()) throw new Error(await paid.text())
}

test('plans: an expired trial is shown everywhere, people choose what stays active, take Free and buy it back', async ({
  stage,
}) => {
  const admin = await stage.newPerson({ firstName: 'Ada' })
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  await addChannels(stage, admin, ['Harbour', 'Market', 'Station', 'Airport', 'Castle'])
  await admin.page.request.post(`/api/${admin.ids.orgId}/project`, {
    data: { projectName: 'Second', projectDesc: '', zone: 'UTC' },
  })
  await setPlan(stage, admin, { planId: 'team', status: 'TRIAL_ACTIVE' })

  // to members as well, on every screen
  await colleague.page.goto(admin.at('calendar'))
  await line(colleague.page).getByText('Your plan has been Expired').waitFor()
  await line(colleague.page).getByText('Contact your organization admin.').waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'plan-line-expired')
  await colleague.page.setViewportSize(PHONE)
  await axe(colleague.page)
  await shot(colleague.page, 'plan-line-phone')

  const { page } = admin
  await page.goto(admin.at('dashboard'))
  await line(page).getByRole('link', { name: 'Buy Plan' }).click()
  await page.getByText(/^trial expired on \d{2} \w{3} \d{4}$/i).waitFor()
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  const chooser = page.getByRole('dialog', { name: 'Choose a plan' })
  await chooser.getByText('Free plan supports only 3 Channels. You have 2 excess Channels.').waitFor()
  await chooser.getByText('Free plan supports only 1 Project. You have 1 excess Projects.').waitFor()
  await chooser.getByRole('link', { name: 'Go to Project Settings' }).waitFor()
  if (await chooser.getByRole('button', { name: 'Choose Free' }).isEnabled())
    throw new Error('Free can be chosen with more than it holds')
  await axe(page)
  await shot(page, 'plans-excess')
  await chooser.getByRole('link', { name: 'Go to Channel Settings' }).click()
  await page.getByRole('tab', { name: 'Channels', selected: true }).waitFor()
  await chooser.waitFor({ state: 'hidden' })

  await page.getByRole('tab', { name: 'Billing & Invoice' }).click()
  await page.getByRole('button', { name: 'Choose what stays active' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose what stays active' })
  await choice.getByText('3 of 3 chosen').waitFor()
  const mine = choice.getByRole('checkbox', { name: /^Ada Lovelace/ })
  if (!(await mine.isChecked()) || (await mine.isEnabled()))
    throw new Error('the person who chooses can lock themselves out')
  if (await choice.getByRole('checkbox', { name: /^Castle/ }).isEnabled())
    throw new Error('more can be chosen than the plan allows')
  await choice.getByRole('checkbox', { name: /^Harbour/ }).uncheck()
  await choice.getByRole('checkbox', { name: /^Castle/ }).check()
  // a tablet that is rotated keeps the selection, and back
  await page.setViewportSize(PHONE)
  await page.getByRole('tab').first().waitFor({ state: 'detached' })
  await axe(page)
  await shot(page, 'billing-excess-phone')
  await choice.getByRole('checkbox', { name: /^Castle/, checked: true }).waitFor()
  await choice.getByRole('checkbox', { name: /^Harbour/, checked: false }).waitFor()
  await page.setViewportSize(DESKTOP)
  await page.getByRole('tab', { name: 'Billing & Invoice', includeHidden: true }).waitFor({ state: 'attached' })
  await choice.getByRole('checkbox', { name: /^Castle/, checked: true }).waitFor()
  await choice.getByRole('checkbox', { name: /^Harbour/, checked: false }).waitFor()
  // a project that is left out takes its channels with it
  await choice.getByRole('checkbox', { name: /^Flagship/ }).uncheck()
  await choice.getByText('0 of 3 chosen').waitFor()
  await choice.getByRole('checkbox', { name: /^Castle/, disabled: true }).waitFor()
  await choice.getByRole('checkbox', { name: /^Flagship/ }).check()
  for (const name of ['Market', 'Station', 'Castle'])
    await choice.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check()
  await axe(page)
  await shot(page, 'billing-excess')
  await choice.getByRole('button', { name: 'Keep these active' }).click()
  await page.getByText('Your choice was saved').waitFor()

  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await chooser.getByRole('button', { name: 'Choose Free' }).click()
  await page.getByText('Switched to free plan successfully.').waitFor()
  await page.getByText('lifetime free').waitFor()
  // what is paused is still there and says so; the person who chose it isn't asked again, and the teammate can read it
  await line(page).waitFor({ state: 'detached' })
  await page.getByText('3 of 3, 2 paused').waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Channels', exact: true }).click()
  const resting = page.getByRole('row', { name: /Harbour/ })
  await resting.getByText('Channel Disabled').waitFor()
  await resting.getByText("Your plan doesn't have room for it.").waitFor()
  await page
    .getByRole('row', { name: /Castle/ })
    .getByText('Connected', { exact: true })
    .waitFor()
  await axe(page)
  await shot(page, 'channels-locked')

  // why they can only view, and whom to ask, on every screen and where they are stopped
  const why =
    /because the organization's plan includes only 1 member\. Ask an admin of the organization: Ada Lovelace\./
  await colleague.page.goto(admin.at('compose'))
  await colleague.page.waitForURL('**/access-denied?of=plan&members=1')
  await colleague.page.getByText("the organization's plan includes only 1 member").waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'plan-reader-denied-phone')
  await colleague.page.setViewportSize(DESKTOP)
  await shot(colleague.page, 'plan-reader-denied')
  await colleague.page.goto(admin.at('dashboard'))
  await line(colleague.page).getByText('View only', { exact: true }).waitFor()
  await line(colleague.page).getByText(why).waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'plan-reader')

  // they still have their role
  await page.goto(admin.at('users'))
  const reader = page.getByRole('row', { name: /Grace Hopper/ })
  await reader.getByText('Editor', { exact: true }).waitFor()
  await reader.getByText('View only: your plan includes 1 member.').waitFor()
  await axe(page)
  await shot(page, 'users-reader')
  if ((await colleague.page.getByRole('link', { name: 'Create post' }).count()) > 0)
    throw new Error('a user beyond the plan can write posts')

  // a larger plan makes what is paused active again, and each step says so before
  await page.goto(admin.at('org-settings?tab=billing'))
  await page.getByRole('button', { name: 'Upgrade Plan' }).click()
  await page.getByRole('button', { name: 'Choose Individual' }).click()
  const wakes = /^2 paused channels .*become active again\.$/
  const summary = page.getByRole('dialog', { name: 'Summary of Individual' })
  await summary.getByText(wakes).waitFor()
  await axe(page)
  await shot(page, 'billing-wakes')
  await summary.getByRole('button', { name: 'Checkout' }).click()
  await page.getByRole('dialog', { name: 'Payment' }).getByText(wakes).waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'billing-wakes-payment-phone')
  await page.setViewportSize(DESKTOP)
  await payOverlay(page)
  await page.waitForURL('**/payment-success')
  await page.goto(admin.at('org-settings?tab=billing'))
  await page.getByText('5 of 10', { exact: true }).waitFor()
})

test('plans: a failed renewal is shown and paid from the banner; the next one is canceled at once, and Free is offered', async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const { page, ids } = person
  await buyWithAskingCard(page, ids.orgId)
  await passBillingDays(stage, 32)
  await page.goto(person.at('calendar'))
  await line(page)
    .getByText('To avoid interruptions to your account, please complete your payment as soon as possible.')
    .waitFor()
  await axe(page)
  await shot(page, 'plan-line-past-due')
  await line(page).getByRole('link', { name: 'Pay now' }).click()
  await page.getByText(/Without a payment the plan ends on/).waitFor()
  await page.getByText(/^You owe \$15\.00\. /).waitFor()
  await axe(page)
  await shot(page, 'billing-past-due', { fullPage: true })
  const request = page
    .context()
    .waitForEvent('page')
    .then(async (tab) => await tab.waitForEvent('download'))
  await page.getByRole('button', { name: 'Download payment request', exact: true }).first().click()
  if ((await request).suggestedFilename() !== 'payment-request.pdf') throw new Error('the request is no PDF')
  await page.getByRole('button', { name: 'Pay now' }).click()
  // again a card that can't be charged without its holder
  await payOverlay(page, '4000 0000 0000 3220')
  await page.getByRole('button', { name: 'Confirm payment' }).click()
  await page.getByText('Payment received. Your plan continues.').waitFor()
  await page.getByText('renews at').waitFor()
  await line(page).waitFor({ state: 'detached' })
  await page.getByRole('table', { name: 'Invoices' }).getByText('Paid').nth(1).waitFor()

  await passBillingDays(stage, 64)
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByText(/^You owe \$15\.00\. /).waitFor()
  await page.getByRole('button', { name: 'Cancel subscription' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel Individual?' })
  await dialog.getByText("It ends right away, and you don't have to pay the overdue amount.").waitFor()
  await axe(page)
  await shot(page, 'billing-cancel-overdue')
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click()
  await page.getByRole('dialog', { name: 'Choose a plan' }).getByRole('button', { name: 'Choose Free' }).click()
  await page.getByText('Switched to free plan successfully.').waitFor()
  await page.getByText('lifetime free').waitFor()
  await page.getByRole('table', { name: 'Invoices' }).getByText('Not issued').waitFor()
  await axe(page)
  await shot(page, 'billing-left-overdue', { fullPage: true })
})

test('plans: what Free lacks says so on its own screen and names the plans that have it', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  const tooMany = upgradeDialog(page, 'Project Limit Exceeded')
  // what was open before the plan became smaller is refused by the server
  await page.goto(person.at('org-settings?tab=projects'))
  await page.getByRole('button', { name: 'New project' }).click()
  const project = page.getByRole('dialog', { name: 'New project' })
  await project.getByLabel('Project name').fill('Second')
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  await project.getByRole('button', { name: 'Create project' }).click()
  await tooMany.getByText('the Free plan, 1 of 1 project').waitFor()
  await project.waitFor({ state: 'detached' })
  await tooMany.getByText('Individual', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'gate-projects')
  await page.keyboard.press('Escape')

  const closed = [
    ['Campaigns', "Your plan doesn't include campaigns."],
    ['Assets', "Your plan doesn't include the asset library."],
    ['Queues', "Your plan doesn't include queues."],
    ['Workflows', 'Approval workflows are only available on the Team plan.'],
    ['Discussions', 'Discussions are only available on the Team plan.'],
    ['Canned responses', "Your plan doesn't include canned responses."],
    ['Insights', "Your plan doesn't include advanced analytics."],
    ['Roles', 'Custom roles are only available on the Team plan.'],
  ] as const
  const rail = page.getByRole('navigation', { name: 'Main' })
  for (const [place, words] of closed) {
    await rail.getByRole('link', { name: place, exact: true }).click()
    await page.getByText(words).first().waitFor()
    await axe(page)
    await shot(page, `gate-${place}`)
    await page.getByRole('button', { name: 'See plans' }).first().click()
    const dialog = upgradeDialog(page, words)
    await dialog.getByText('the Free plan').waitFor()
    await dialog.getByText('Team', { exact: true }).waitFor()
    if (place === 'Campaigns') {
      await axe(page)
      await shot(page, 'gate-dialog')
    }
    if (place !== 'Roles') {
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
      continue
    }
    await dialog.getByRole('link', { name: 'Choose another plan' }).click()
    await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
    if ((await page.getByRole('dialog').count()) > 0) throw new Error('the upgrade screen stays over the plans')
  }
  // nobody fills in a form that would be refused
  await page.getByRole('button', { name: /^Switch project/ }).click()
  await page.getByRole('menuitem', { name: 'New project' }).click()
  await tooMany.waitFor()
  await page.keyboard.press('Escape')

  // numbers: seats, projects, channels
  await rail.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('button', { name: 'Invite User' }).first().click()
  const invite = page.getByRole('dialog')
  await invite
    .getByLabel(/^Email/)
    .first()
    .fill('grace@example.org')
  await invite.getByRole('button', { name: 'Invite User' }).click()
  await page.getByText('User Limit Exceeded').waitFor()
  await page.keyboard.press('Escape')
  await addChannels(stage, person, ['Harbour', 'Market', 'Station'])
  await page.goto(person.at('channels?connect=bluesky'))
  await page.getByRole('dialog').getByText('Channel Limit Exceeded').waitFor()
  await axe(page)
  await shot(page, 'gate-channels')

  // X: not in Free, and one account in a trial
  const app = await page.request.put(`/api/${person.ids.orgId}/apps/x`, {
    data: { clientId: 'an-id', clientSecret: 'a-secret' },
  })
  if (!app.ok()) throw new Error(await app.text())
  await inDatabase(stage, ({ system }) =>
    system.query("delete from channel where org_id = $1 and name <> 'Harbour'", [person.ids.orgId]),
  )
  const connectX = async (title: string) => {
    await page.goto(person.at('channels?connect=x'))
    await page.getByRole('button', { name: 'Continue to X' }).click()
    await upgradeDialog(page, title).getByText('Team', { exact: true }).waitFor()
  }
  await connectX('Upgrade to connect X')
  await axe(page)
  await shot(page, 'gate-x')
  await setPlan(stage, person, { planId: 'team', status: 'TRIAL_ACTIVE' }, -10)
  await inDatabase(stage, ({ system }) =>
    system.query("update channel set platform = 'x' where org_id = $1", [person.ids.orgId]),
  )
  await connectX('One X account is allowed on the free trial')
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })

  // recurring posts aren't offered
  await page.goto(person.at('compose'))
  await page.getByRole('checkbox', { name: /Harbour/ }).check()
  await page.getByRole('heading', { level: 1 }).waitFor()
  if ((await page.getByRole('switch', { name: 'Repeat' }).count()) > 0) throw new Error('Free is offered repeats')
})
