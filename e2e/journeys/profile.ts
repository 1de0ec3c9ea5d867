import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { login, userDetails } from '#contract/identity.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { codeIn } from '../product.ts'
import { newColleague } from '../team.ts'

test('profile: a picture is chosen, placed, shown and removed; a change of email is given up', async ({
  newPerson,
}) => {
  const person = await newPerson()
  const { page } = person
  await page.goto(person.at('profile'))
  const section = page.getByRole('region', { name: 'About you' })
  await section.getByRole('button', { name: 'Choose picture' }).waitFor()
  const input = page.locator('input[data-picture]')

  // the contents of a file count, not its name
  await input.setInputFiles({
    name: 'me.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
  })
  await section.getByRole('alert').getByText("We can't read this file as a picture.").waitFor()
  await axe(page)

  const file = await sharp({ create: { width: 2400, height: 1350, channels: 3, background: '#2d6a74' } })
    .composite([
      {
        input: await sharp({ create: { width: 700, height: 700, channels: 3, background: '#e8a15a' } })
          .png()
          .toBuffer(),
        left: 200,
        top: 300,
      },
    ])
    .jpeg()
    .toBuffer()
  await input.setInputFiles({ name: 'me.jpg', mimeType: 'image/jpeg', buffer: file })
  const dialog = page.getByRole('dialog', { name: 'Adjust your picture' })
  await dialog.waitFor()
  await axe(page)
  await shot(page, 'profile-crop')
  // with keys: to the left edge, and larger
  await dialog.getByRole('application').focus()
  for (let press = 0; press < 12; press += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('+')
  await dialog.getByRole('slider', { name: 'Zoom' }).press('ArrowRight')
  await page.setViewportSize(PHONE)
  await shot(page, 'profile-crop-phone')
  await axe(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  const sent = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/api/user/picture'),
  )
  await dialog.getByRole('button', { name: 'Use picture' }).click()
  // shrunk in the browser: its 2,400 pixels are never sent
  const bytes = (await sent).postData()?.length ?? 0
  if (bytes > 400_000) throw new Error(`${bytes} bytes were sent`)
  await page.getByText('Profile updated successfully').waitFor()
  await dialog.waitFor({ state: 'hidden' })
  await section.getByRole('button', { name: 'Change picture' }).waitFor()
  // the same picture in the profile and in the rail, from the server's file
  await page.waitForFunction(
    () =>
      [...document.querySelectorAll('img')].filter(
        (image) => image.src.includes('/api/user/picture/') && image.naturalWidth === 256,
      ).length === 2,
  )
  await shot(page, 'profile-picture')
  await section.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Picture removed').waitFor()
  await section.getByRole('button', { name: 'Choose picture' }).waitFor()

  await page.setViewportSize(PHONE)
  const address = page.getByRole('region', { name: 'Email' })
  await address.getByRole('button', { name: 'Change email' }).click()
  await address.getByLabel('New email').fill('elsewhere@example.org')
  await address.getByLabel('Password', { exact: true }).fill(person.password)
  // by keyboard, twice: it is sent once
  let calls = 0
  page.on(
    'request',
    (request) => (calls += request.method() === 'PUT' && request.url().endsWith('/api/user/email') ? 1 : 0),
  )
  await address.getByLabel('Password', { exact: true }).focus()
  // one right after the other, because the form may be gone by the second check
  await Promise.all([page.keyboard.press('Enter'), page.keyboard.press('Enter')])
  await address.getByText('We sent a code to').waitFor()
  if (calls !== 1) throw new Error(`the form was sent ${calls} times`)
  await axe(page)
  await shot(page, 'profile-phone', { fullPage: true })
  await address.getByRole('button', { name: 'Cancel change' }).click()
  await page.getByText('Email change canceled').waitFor()
  await address.getByRole('button', { name: 'Change email' }).waitFor()
  await address.getByText(person.email).waitFor()
})

test('profile: another email by the code that is mailed to it', async ({ newPerson, mailTo }) => {
  const person = await newPerson()
  const { page } = person
  const next = person.email.replace('@', '-new@')
  await page.goto(`${person.at('profile')}#email`)
  const section = page.getByRole('region', { name: 'Email' })
  await section.getByRole('button', { name: 'Change email' }).click()
  await section.getByLabel('New email').fill(person.email)
  await section.getByLabel('Password', { exact: true }).fill('Not-the-password-1')
  await section.getByRole('button', { name: 'Send code' }).click()
  await section.getByText('This is already your email address').waitFor()
  await section.getByLabel('New email').fill(next)
  await section.getByRole('button', { name: 'Send code' }).click()
  await section.getByText("This isn't your current password.").waitFor()
  await axe(page)
  await shot(page, 'profile-email')
  await section.getByLabel('Password', { exact: true }).fill(person.password)
  await section.getByRole('button', { name: 'Send code' }).click()
  await page.getByText('Verification code sent successfully').waitFor()

  const code = codeIn(await mailTo(next, (text) => codeIn(text) !== undefined)) ?? ''
  await mailTo(person.email, (text) => text.includes('A new address for your Rookery account'))
  await section.getByLabel('Verification code').fill(code === '111111' ? '222222' : '111111')
  await section.getByText("That code isn't right. Check the latest email.").waitFor()
  // at most one a minute, with a countdown
  await section.getByRole('button', { name: 'Resend code' }).click()
  await section.getByRole('button', { name: /^Resend code in 0:\d\d$/ }).waitFor()
  await axe(page)
  await shot(page, 'profile-email-pending')
  // it still waits after a reload
  await page.reload()
  await section.getByLabel('Verification code').fill(code)
  await page.getByText('Email verified successfully').waitFor()
  await section.getByText(next).waitFor()
  await mailTo(person.email, (text) => text.includes('The address of your Rookery account was changed'))
})

test('profile: names, theme, password and sessions change, the last admin stays, the address names a section', async ({
  newPerson,
  openPage,
}) => {
  const person = await newPerson()
  const { page } = person
  const others = [await openPage(), await openPage(), await openPage()]
  for (const other of others) await callAs(other, login, { body: { email: person.email, password: person.password } })
  await page.bringToFront()
  await page.goto('/profile#sessions')
  const sessions = page.getByRole('region', { name: 'Sessions' })
  await sessions.getByRole('button', { name: 'End all other sessions (3)' }).waitFor()
  // the section named in the URL is in view and has the focus
  await page.waitForFunction(() => {
    const heading = document.activeElement
    return (
      heading?.textContent === 'Sessions' &&
      heading.getBoundingClientRect().top >= 0 &&
      heading.getBoundingClientRect().top < window.innerHeight / 2
    )
  })
  await axe(page)
  await shot(page, 'profile-sessions')
  await sessions
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await page.getByText('Session ended').waitFor()
  await sessions.getByRole('button', { name: 'End all other sessions (2)' }).click()
  await page.getByText('2 sessions ended').waitFor()
  for (const other of others) {
    const call = await other.request.get(userDetails.path)
    if (call.status() !== 401) throw new Error(`an ended session is answered with ${call.status()}`)
  }
  const [other] = others
  await other?.goto(person.at('profile'))
  await other?.waitForURL('**/login?**')

  await page.bringToFront()
  await page.getByLabel('Last name').fill('King')
  await page.getByRole('button', { name: 'Update profile' }).click()
  await page.getByText('Profile updated successfully').waitFor()
  await page.getByLabel('Current password').fill('Not-the-password-1')
  await page.getByLabel('New password', { exact: true }).fill('Another-rook-2')
  await page.getByLabel('Confirm new password').fill('Another-rook-2')
  await page.getByRole('button', { name: 'Update password' }).click()
  await page.getByText("This isn't your current password.").waitFor()
  await page.getByLabel('Current password').fill(person.password)
  await page.getByRole('button', { name: 'Update password' }).click()
  await page.getByText('Password updated successfully').waitFor()
  await page.getByRole('button', { name: 'Dark' }).click()
  await page.goto(person.at('profile'))
  await page.getByRole('heading', { name: 'Profile', level: 1 }).waitFor()
  if ((await page.locator('html').getAttribute('data-theme')) !== 'dark') throw new Error('the theme was forgotten')
  await page.getByRole('button', { name: /^Ada King/ }).waitFor()
  await page.getByRole('button', { name: 'System' }).click()
  await axe(page)
  await shot(page, 'profile', { fullPage: true })

  const organizations = page.getByRole('region', { name: 'Organizations' })
  await organizations.getByRole('button', { name: 'Leave Northlight Coffee' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave Northlight Coffee?' })
  await dialog.getByRole('button', { name: 'Leave organization' }).click()
  await dialog
    .getByRole('alert')
    .getByText('An organization needs at least one admin. Make someone else an admin first.')
    .waitFor()
  await axe(page)
  await shot(page, 'profile-leave')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const leaving = await leave(page, person.email, 'Another-rook-2')
  await axe(page)
  await shot(page, 'delete-account')
  await leaving.getByRole('button', { name: 'Delete account' }).click()
  await leaving.getByText(/You are the only admin of Northlight Coffee/).waitFor()
})

test('profile: a member leaves the organization, and deletes the account', async ({ stage }) => {
  const admin = await stage.newPerson({ orgName: 'Harbour Books' })
  const { page, email, password } = await newColleague(stage, admin)
  await page.bringToFront()
  await page.goto(`${admin.at('profile')}#organizations`)
  await page.getByRole('button', { name: 'Leave Harbour Books' }).click()
  const dialog = page.getByRole('dialog', { name: 'Leave Harbour Books?' })
  await dialog.getByText("You'll lose access to its 1 project immediately.").waitFor()
  await dialog.getByRole('button', { name: 'Leave organization' }).click()
  await page.getByText('You left Harbour Books').waitFor()
  // nowhere else to go: the person can create an organization of their own
  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await page.goto('/profile')
  await page.getByText("You don't belong to an organization yet.").waitFor()
  await axe(page)
  await page.setViewportSize({ width: 360, height: 780 })
  if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
    throw new Error('the page is wider than the screen')
  await shot(page, 'profile-alone-phone')
  const leaving = await leave(page, email, password)
  await leaving.getByRole('button', { name: 'Delete account' }).click()
  await page.waitForURL('**/login**')
})

/** Fills in the dialog that deletes the account. */
async function leave(page: Page, email: string, password: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByLabel(/to confirm/).fill(email)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  return dialog
}
