import type { Page } from '@playwright/test'
import { revokeInvite } from '#contract/invites.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test, type Stage } from '../harness.ts'
import { PASSWORD, type Person } from '../people.ts'
import { codeIn } from '../product.ts'
import { inviteMailTo } from '../team.ts'

test('invite: someone new comes by the mail, signs up and lands in the project; the link works once', async ({
  stage,
}) => {
  const admin = await stage.newPerson()
  const email = `new-${process.pid}@example.org`
  const link = await invite(stage, admin, email)
  const page = await stage.openPage()
  await page.goto(link)
  await page.getByRole('heading', { name: 'Join Flagship' }).waitFor()
  await page.getByText('Ada Lovelace invited you').waitFor()
  await axe(page)
  await shot(page, 'invite')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'invite-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('link', { name: 'Signup' }).press('Enter')
  await page.waitForURL('**/signup?**')
  await page.getByText("You're invited to Flagship at Northlight Coffee").waitFor()
  const field = page.getByLabel('Email')
  if (
    (await field.inputValue()) !== email ||
    !(await field.evaluate((input) => input instanceof HTMLInputElement && input.readOnly))
  )
    throw new Error('the address is not that of the invitation')
  await axe(page)
  await shot(page, 'signup-invite')
  // the invitation is kept on the way to the login and back
  await page.getByRole('link', { name: 'Log in' }).click()
  await page.waitForURL('**/login?inviteId=**')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.waitForURL('**/signup?**')
  await page.getByText("You're invited to Flagship at Northlight Coffee").waitFor()
  await page.getByLabel('First name').fill('Alan')
  await page.getByLabel('Last name').fill('Turing')
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Signup' }).click()
  await page.waitForURL('**/signup/verify')
  await page
    .getByLabel('Verification code')
    .fill(codeIn(await stage.mailTo(email, (text) => codeIn(text) !== undefined)) ?? '')
  // the code accepts the invitation too
  await page.waitForURL('**/dashboard')
  await page
    .getByRole('button', { name: /Flagship/ })
    .first()
    .waitFor()
  await page.goto(link)
  await page.getByRole('button', { name: 'Go to the project' }).click()
  await page.waitForURL('**/dashboard')

  // for everyone else it's used up
  const other = await stage.openPage()
  await other.goto(link)
  await other.getByRole('heading', { name: 'This invitation was already used' }).waitFor()
  await axe(other)
})

test('invite: an existing user logs in with it, or accepts it in the bell; another account sees whose it is', async ({
  stage,
}) => {
  const admin = await stage.newPerson()
  const known = await stage.newPerson({ orgName: 'Own Bakery', projectName: 'Ovens', firstName: 'Grace' })
  const link = await invite(stage, admin, known.email)
  const { page } = admin
  await page.goto(link)
  await page.getByText("You're logged in as").waitFor()
  await page.getByText(known.email).first().waitFor()
  await axe(page)
  await shot(page, 'invite-wrong-address')
  await page.getByRole('button', { name: 'Log out and switch account' }).click()
  await page.waitForURL('**/login?inviteId=**')
  await logIn(page, known.email)
  await page.waitForURL('**/invite?inviteId=**')
  await page.getByRole('button', { name: 'Accept' }).press('Enter')
  await page.waitForURL('**/dashboard')
  await page
    .getByRole('button', { name: /Flagship/ })
    .first()
    .waitFor()

  const host = await stage.newPerson({ orgName: 'Harbour Books', projectName: 'Readings' })
  await invite(stage, host, known.email)
  await page.bringToFront()
  await page.reload()
  await page.getByRole('button', { name: 'Notifications, 1 invitation' }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await panel.getByText('Ada Lovelace invited you to Readings').waitFor()
  await axe(page)
  await shot(page, 'notices-invited')
  await panel.getByRole('button', { name: 'Accept the invitation to Readings' }).click()
  await page.waitForURL(`**/${host.ids.orgId}/project/${host.ids.projectId}/dashboard`)
  await page.getByText('You joined Readings').waitFor()
})

test('invite: unknown, revoked and declined ones lead nowhere, and say so', async ({ stage }) => {
  const admin = await stage.newPerson()
  const page = await stage.openPage()
  await page.goto('/invite?inviteId=0190a000-0000-7000-8000-000000000001')
  await page.waitForURL('**/login?reason=INVITE_NOT_FOUND')
  await page.getByText("Can't accept invite").waitFor()
  // with a sign-up: an unknown one leads there, too, and an expired one isn't sent along
  const unknown = '/signup?inviteId=0190a000-0000-7000-8000-000000000001&email=other@example.org'
  await page.goto(unknown)
  await page.waitForURL('**/login?reason=INVITE_NOT_FOUND')
  await page.route('**/api/public/invite/*', (route) =>
    route.fulfill({
      json: {
        email: 'grace@example.org',
        orgName: 'Northlight Coffee',
        projectName: 'Flagship',
        roleName: 'Editor',
        invitedBy: 'Ada Lovelace',
        state: 'expired',
      },
    }),
  )
  await page.goto(unknown)
  await page.getByText('This invitation has expired. Ask for a new one.').waitFor()
  if ((await page.getByLabel('Email').inputValue()) !== 'other@example.org')
    throw new Error('the address was not filled in')
  await axe(page)

  const guest = await stage.newPerson({ upTo: 'confirmed' })
  const revoked = await invite(stage, admin, guest.email)
  await callAs(admin.page, revokeInvite, { params: { ...admin.ids, inviteId: revoked.split('=').at(-1) ?? '' } })
  await guest.page.goto(revoked)
  await guest.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  await axe(guest.page)

  const declined = await invite(stage, admin, guest.email, [revoked])
  // inviting the address again replaces the link, and the old one says so
  const newer = await invite(stage, admin, guest.email, [revoked, declined])
  await guest.page.goto(declined)
  await guest.page.getByRole('heading', { name: 'This invitation is no longer valid' }).waitFor()
  await guest.page.getByText('If you got a newer email, use the link in that one.').waitFor()
  await axe(guest.page)
  await shot(guest.page, 'invite-replaced')
  await guest.page.goto(newer)
  await guest.page.getByRole('button', { name: 'Decline' }).click()
  await guest.page.waitForURL('**/onboarding')
  await guest.page.getByRole('heading', { name: 'Add Organization' }).waitFor()
})

async function invite(stage: Stage, admin: Person, email: string, known?: readonly string[]): Promise<string> {
  const sent = await admin.page.request.post(`/api${admin.at('invite')}`, {
    data: { invites: [{ email, role: 'editor' }] },
  })
  if (!sent.ok()) throw new Error(await sent.text())
  return await inviteMailTo(stage, email, known)
}

async function logIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
