import type { Page } from '@playwright/test'
import { Home } from '#contract/organizations.ts'
import type { TestAccount } from '#server/testing/pds/startPds.ts'
import { axe, DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { reaching, test } from '../harness.ts'
import { connectBluesky } from '../people.ts'
import { addChannels, passBillingDays, setPlan, useCredits } from '../plans.ts'
import { startProductWithAi } from '../product.ts'
import { newColleague } from '../team.ts'

/* What the plan doesn't allow, as the server really responds: nothing is replaced here. */

const line = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true })
const upgradeDialog = (page: Page, title: string) => page.getByRole('dialog', { name: title })

/** A post as written in the account's own app. */
async function writePost(origin: string, { did, accessJwt }: TestAccount, text: string): Promise<void> {
  const record = { $type: 'app.bsky.feed.post', text, createdAt: new Date().toISOString() }
  const answer = await fetch(`${origin}/xrpc/com.atproto.repo.createRecord`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessJwt}` },
    body: JSON.stringify({ repo: did, collection: 'app.bsky.feed.post', record }),
  })
  if (!answer.ok) throw new Error(`the post was refused: ${await answer.text()}`)
}

/** Pays the overlay of test payments. */
async function payOverlay(page: Page): Promise<void> {
  const overlay = page.getByRole('dialog', { name: /^Payment/ })
  await overlay.getByLabel('Card number').fill('4242 4242 4242 4242')
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

test('plans: an expired trial is shown everywhere, people choose what stays active, and Free is available', async ({
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

  await page.goto(admin.at('org-settings?tab=billing'))
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
  await page.goto(admin.at('channels'))
  const resting = page.getByRole('row', { name: /Harbour/ })
  await resting.getByText('Channel Disabled').waitFor()
  await resting.getByText("Your plan doesn't have room for it.").waitFor()
  await page
    .getByRole('row', { name: /Castle/ })
    .getByText('Connected', { exact: true })
    .waitFor()
  await axe(page)
  await shot(page, 'channels-locked')
  // it doesn't fit, which is shown before anything is lost
  await resting.getByRole('button', { name: 'Actions for Harbour' }).click()
  await page.getByRole('menuitem', { name: 'Reactivate' }).click()
  await page.getByRole('dialog', { name: 'Reactivate Harbour?' }).getByRole('button', { name: 'Reactivate' }).click()
  await upgradeDialog(page, 'Channel Limit Exceeded').getByText('the Free plan, 3 of 3 channels').waitFor()
  await page.keyboard.press('Escape')
  await resting.getByRole('link', { name: 'Choose what stays active' }).click()
  await choice.getByText('3 of 3 chosen').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Channels' }).click()
  await page
    .getByRole('row', { name: /Harbour/ })
    .getByText("Your plan doesn't have room for it.")
    .waitFor()
  await axe(page)
  await shot(page, 'org-settings-channels-locked')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'org-settings-channels-locked-phone', { fullPage: true })
  await colleague.page.goto(admin.at('channels'))
  await colleague.page
    .getByRole('row', { name: /Harbour/ })
    .getByText('Ask your organization admin.')
    .waitFor()
  await page.setViewportSize(DESKTOP)
  await colleague.page.goto(admin.at('posts/posts'))
  await colleague.page.getByRole('heading', { level: 1 }).waitFor()
  // why they can only view, and whom to ask, on every screen and where they are stopped
  const why =
    /because the organization's plan includes only 1 member\. Ask an admin of the organization: Ada Lovelace\./
  await line(colleague.page).getByText('View only', { exact: true }).waitFor()
  await line(colleague.page).getByText(why).waitFor()
  await shot(colleague.page, 'plan-reader-phone')
  await colleague.page.goto(admin.at('compose'))
  await colleague.page.waitForURL('**/access-denied?of=plan&members=1')
  await colleague.page.getByText("the organization's plan includes only 1 member").waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'plan-reader-denied-phone')
  await colleague.page.setViewportSize(DESKTOP)
  await shot(colleague.page, 'plan-reader-denied')
  await colleague.page.goto(admin.at('dashboard'))
  await line(colleague.page).getByText('View only', { exact: true }).waitFor()
  await axe(colleague.page)
  await shot(colleague.page, 'plan-reader')

  // they still have their role
  await page.goto(admin.at('users'))
  const reader = page.getByRole('row', { name: /Grace Hopper/ })
  await reader.getByText('Editor', { exact: true }).waitFor()
  await reader.getByText('View only: your plan includes 1 member.').waitFor()
  await axe(page)
  await shot(page, 'users-reader')
  await page.setViewportSize(PHONE)
  await shot(page, 'users-reader-phone')
  await page.goto(admin.at('org-settings?tab=users'))
  await page.getByText('View only: your plan includes 1 member.').waitFor()
  await axe(page)
  await shot(page, 'org-settings-users-reader-phone')
  await page.setViewportSize(DESKTOP)
  await shot(page, 'org-settings-users-reader')
  if ((await colleague.page.getByRole('link', { name: 'Create post' }).count()) > 0)
    throw new Error('a user beyond the plan can write posts')
})

test('plans: buying a plan makes paused channels active again, and each step says so before', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page, ids } = person
  await addChannels(stage, person, ['Harbour', 'Market', 'Station', 'Airport', 'Castle'])
  await setPlan(stage, person, { planId: 'team', status: 'CANCELLED' })
  const kept = await inDatabase(
    stage,
    async ({ system }) =>
      (
        await system.query<{ id: string }>(
          "select id from channel where org_id = $1 and name in ('Market', 'Station', 'Airport')",
          [ids.orgId],
        )
      ).rows,
  )
  const { user } = Home.parse(await (await page.request.get('/api/home')).json())
  const chosen = await page.request.put(`/api/${ids.orgId}/billing/excess`, {
    data: { channelIds: kept.map(({ id }) => id), userIds: [user.userId], projectIds: [ids.projectId] },
  })
  if (!chosen.ok()) throw new Error(await chosen.text())
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByRole('button', { name: 'Buy Plan' }).click()
  await page.getByRole('button', { name: 'Choose Individual' }).click()
  const wakes = '2 paused channels become active again.'
  const summary = page.getByRole('dialog', { name: 'Summary of Individual' })
  await summary.getByText(wakes).waitFor()
  await axe(page)
  await shot(page, 'billing-wakes')
  await summary.getByRole('button', { name: 'Checkout' }).click()
  await page.getByRole('dialog', { name: 'Payment' }).getByText(wakes).waitFor()
  await axe(page)
  await shot(page, 'billing-wakes-payment')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'billing-wakes-payment-phone')
  await page.setViewportSize(DESKTOP)
  await payOverlay(page)
  await page.waitForURL('**/payment-success')
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByText('5 of 10', { exact: true }).waitFor()
  await line(page).waitFor({ state: 'detached' })
})

test('plans: a plan whose payment is overdue can be canceled at once, and Free is offered', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await buyWithAskingCard(page, person.ids.orgId)
  await passBillingDays(stage, 32)
  await page.goto(person.at('org-settings?tab=billing'))
  await page.getByText(/^You owe \$15\.00\. /).waitFor()
  const request = page
    .context()
    .waitForEvent('page')
    .then(async (tab) => await tab.waitForEvent('download'))
  await page.getByRole('button', { name: 'Download payment request', exact: true }).first().click()
  if ((await request).suggestedFilename() !== 'payment-request.pdf') throw new Error('the request is no PDF')
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

test('plans: a failed renewal is shown, and can be paid from the banner', async ({ stage }) => {
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
  await axe(page)
  await shot(page, 'billing-past-due', { fullPage: true })
  await page.getByRole('button', { name: 'Pay now' }).click()
  await payOverlay(page)
  await page.getByText('Payment received. Your plan continues.').waitFor()
  await page.getByText('renews at').waitFor()
  await line(page).waitFor({ state: 'detached' })
  await page.getByRole('table', { name: 'Invoices' }).getByText('Paid').nth(1).waitFor()
})

test('plans: what Free lacks says so on its own screen and names the plans that have it', async ({ stage }) => {
  const person = await stage.newPerson()
  const { page } = person
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  const closed = [
    ['campaigns', "Your plan doesn't include campaigns."],
    ['assets', "Your plan doesn't include the asset library."],
    ['queues', "Your plan doesn't include queues."],
    ['workflows', 'Approval workflows are only available on the Team plan.'],
    ['discussions', 'Discussions are only available on the Team plan.'],
    ['roles', 'Custom roles are only available on the Team plan.'],
  ] as const
  for (const [place, words] of closed) {
    await page.goto(person.at(place))
    await page.getByText(words).first().waitFor()
    await axe(page)
    await shot(page, `gate-${place}`)
    await page.getByRole('button', { name: 'See plans' }).first().click()
    const dialog = upgradeDialog(page, words)
    await dialog.getByText('the Free plan').waitFor()
    await dialog.getByText('Team', { exact: true }).waitFor()
    if (place === 'campaigns') {
      await axe(page)
      await shot(page, 'gate-dialog')
    }
    if (place !== 'roles') continue
    await dialog.getByRole('link', { name: 'Choose another plan' }).click()
    await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
  }

  // numbers: seats, projects, channels
  await page.goto(person.at('users'))
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

test('plans: one project more than the plan has opens the upgrade screen, also where the plan changed meanwhile', async ({
  stage,
}) => {
  const person = await stage.newPerson()
  const { page } = person
  const tooMany = upgradeDialog(page, 'Project Limit Exceeded')
  // what was open before the plan became smaller is refused by the server
  await page.goto(person.at('org-settings?tab=projects'))
  await page.getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await dialog.getByLabel('Project name').fill('Second')
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await tooMany.getByText('the Free plan, 1 of 1 project').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await tooMany.getByText('Individual', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'gate-projects')
  await page.keyboard.press('Escape')

  // and nobody fills in a form that would be refused
  await page.goto(person.at('dashboard'))
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.getByRole('button', { name: /^Switch project/ }).click()
  await page.getByRole('menuitem', { name: 'New project' }).click()
  await tooMany.getByRole('link', { name: 'Choose another plan' }).click()
  await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
  await page.getByRole('heading', { name: 'Current plan' }).waitFor()
  if ((await page.getByRole('dialog').count()) > 0) throw new Error('the upgrade screen stays over the plans')
})

test('plans: used-up AI credits are shown in the composer and in the wizard, with the next step', async ({ stage }) => {
  const product = await stage.apart(startProductWithAi(reaching(stage.bluesky)))
  const { bluesky, newPerson } = product
  const person = await newPerson()
  const { page } = person
  await addChannels(product, person, ['Harbour'])
  await setPlan(product, person, { planId: 'free', status: 'ACTIVE' })
  await useCredits(product, person, 20)
  const panel = page.getByRole('region', { name: 'AI help' })
  const ask = async () => {
    await page.goto(person.at('compose'))
    await page.getByRole('button', { name: 'AI help' }).click()
    await panel.getByLabel('What should the post say?').fill('Rye bread')
    await panel.getByRole('button', { name: 'Write', exact: true }).click()
    await panel.getByText('AI Credit Limit Reached').waitFor()
    await panel.getByText(/You'll get new ones next month\./).waitFor()
  }
  await ask()
  await panel.getByRole('link', { name: 'Upgrade', exact: true }).waitFor()
  await axe(page)
  await shot(page, 'gate-ai-credits')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'gate-ai-credits-phone')
  await page.setViewportSize(DESKTOP)
  await panel.getByRole('link', { name: 'Upgrade', exact: true }).click()
  await page.getByRole('tab', { name: 'Billing & Invoice', selected: true }).waitFor()
  // no plan has more than Team: only the next month helps
  await setPlan(product, person, { planId: 'team', status: 'ACTIVE' })
  await useCredits(product, person, 1000)
  await ask()
  // no larger plan than Team is offered
  await panel.getByRole('link').waitFor({ state: 'detached' })

  // in the wizard, credits are for the drafts; it continues without them
  const fresh = await newPerson({ upTo: 'organization' })
  await fresh.page.getByLabel('Project name').fill('Flagship')
  await fresh.page.getByRole('button', { name: 'Continue' }).click()
  await fresh.page.getByRole('heading', { name: 'Add Channels', level: 1 }).waitFor()
  const { organizations } = Home.parse(await (await fresh.page.request.get('/api/home')).json())
  await useCredits(product, { ids: { orgId: organizations[0]?.orgId ?? '', projectId: '' } }, 1000)
  await connectBluesky(fresh.page, bluesky, 'thirsty', (account) =>
    writePost(bluesky.url, account, 'The kettle is on.'),
  )
  await fresh.page.getByRole('heading', { name: 'Add Users', level: 1 }).waitFor()
  await fresh.page.getByText('AI Credit Limit Reached').waitFor()
  await fresh.page.getByText('You can continue without first drafts.').waitFor()
  await axe(fresh.page)
  await shot(fresh.page, 'onboarding-credits')
  await fresh.page.getByRole('button', { name: 'Skip', exact: true }).click()
  await fresh.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
})
