import { readFile } from 'node:fs/promises'
import { Secret, TOTP } from 'otpauth'
import type { Locator, Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import type { Person } from '../people.ts'
import { newColleague } from '../team.ts'

const STEP = 30_000

test('secondFactor: an authenticator app, its codes, a recovery code, and off again', async ({ stage }) => {
  const { openPage } = stage
  const person = await stage.newPerson()
  const { page } = person
  await page.goto(`${person.at('profile')}#security`)
  const security = page.getByRole('region', { name: 'Security' })
  await security.getByRole('button', { name: 'Set up' }).click()
  const ask = page.getByRole('dialog', { name: 'Set up an authenticator app' })
  await ask.getByLabel('Password', { exact: true }).fill('Not-the-password-1')
  await page.keyboard.press('Enter')
  await ask.getByText("This isn't your current password.").waitFor()
  await axe(page)
  await ask.getByLabel('Password', { exact: true }).fill(person.password)
  await ask.getByRole('button', { name: 'Continue' }).click()
  const scan = page.getByRole('dialog', { name: 'Scan the code' })
  await scan.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
  await hasFocus(page, scan.getByLabel('Authentication code'))
  await axe(page)
  await shot(page, 'second-factor-scan')
  await page.setViewportSize(PHONE)
  await shot(page, 'second-factor-scan-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  const secret = ((await scan.locator('code').textContent()) ?? '').replaceAll(' ', '')
  const app = new TOTP({ secret: Secret.fromBase32(secret) })
  const codeAt = (steps: number) => app.generate({ timestamp: Date.now() + steps * STEP })
  await scan.getByLabel('Authentication code').fill(wrongCode(app))
  await scan.getByText('That code is wrong.').waitFor()
  // half a minute may pass on the way: this exact code must not count twice
  const first = codeAt(-1)
  await scan.getByLabel('Authentication code').fill(first)

  // the codes are shown only once: the dialog stays until they were saved
  const keep = page.getByRole('dialog', { name: 'Save your recovery codes' })
  await keep.waitFor()
  const codes = await keep.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents()
  if (codes.length !== 10 || new Set(codes).size !== 10) throw new Error(`${codes.length} recovery codes`)
  await page.keyboard.press('Escape')
  await keep.getByRole('status').getByText("We can't show them again.").waitFor()
  await axe(page)
  await shot(page, 'second-factor-codes')
  const saved = page.waitForEvent('download')
  await keep.getByRole('button', { name: 'Download' }).click()
  const text = await readFile(await (await saved).path(), 'utf8')
  if (!codes.every((code) => text.includes(code))) throw new Error('the file lacks a code')
  await keep.getByRole('checkbox', { name: "I've saved my recovery codes" }).check()
  await keep.getByRole('button', { name: 'Done' }).press('Enter')
  await keep.waitFor({ state: 'hidden' })
  await security.getByText('10 recovery codes left.').waitFor()
  await shot(page, 'second-factor-on')

  // an admin who has one can require it: members without one are asked to set it up
  const member = await newColleague(stage, person)
  await page.bringToFront()
  await page.goto(person.at('org-settings'))
  const required = page.getByLabel('Require two-factor authentication')
  await required.click()
  await page.getByRole('switch', { name: 'Require two-factor authentication', checked: true }).waitFor()
  await page.getByText("1 member hasn't set one up yet.", { exact: false }).waitFor()
  await axe(page)
  await shot(page, 'second-factor-required')
  await member.page.bringToFront()
  await member.page.goto(member.at('dashboard'))
  await member.page.waitForURL('**/second-step**')
  await member.page.getByRole('heading', { name: 'Set up two-factor authentication' }).waitFor()
  await member.page.getByText('Northlight Coffee requires two-factor authentication.').waitFor()
  if (await member.page.getByRole('button', { name: 'Continue' }).isEnabled())
    throw new Error('a member goes on without a second factor')
  await axe(member.page)
  await shot(member.page, 'second-step')
  await member.page.setViewportSize(PHONE)
  await axe(member.page)
  await shot(member.page, 'second-step-phone')
  await page.bringToFront()
  await required.click()
  await page.getByRole('switch', { name: 'Require two-factor authentication', checked: false }).waitFor()
  const again = await member.page.request.get(`/api${member.at('label')}`)
  if (!again.ok()) throw new Error('a member stays outside')
  await page.goto(`${person.at('profile')}#security`)

  const other = await openPage()
  await enterPassword(other, person)
  await other.getByRole('heading', { name: 'Two-factor authentication' }).waitFor()
  await axe(other)
  await shot(other, 'login-second-step')
  await other.setViewportSize(PHONE)
  await shot(other, 'login-second-step-phone')
  // the code that turned it on doesn't count again
  await other.getByLabel('Authentication code').fill(first)
  await other.getByRole('alert').getByText('That code is wrong or was already used.').waitFor()
  await axe(other)
  await other.getByLabel('Authentication code').fill(codeAt(0))
  await other.getByText('Login Successful').waitFor()
  await other.waitForURL('**/dashboard')

  // without the phone, using only the keyboard
  await other.context().clearCookies()
  await enterPassword(other, person)
  await other.getByRole('button', { name: 'Back' }).click()
  if ((await other.getByLabel('Email').inputValue()) !== person.email) throw new Error('the address was not kept')
  await other.getByLabel('Password', { exact: true }).fill(person.password)
  await other.keyboard.press('Enter')
  await other.getByRole('button', { name: 'Use a recovery code' }).press('Enter')
  // as people type it
  await other.getByLabel('Recovery code').fill((codes[0] ?? '').replaceAll('-', '').toUpperCase())
  await other.keyboard.press('Enter')
  await other.waitForURL('**/dashboard')

  await page.bringToFront()
  await page.reload()
  await security.getByText('9 recovery codes left.').waitFor()
  await security.getByRole('button', { name: 'Turn off' }).click()
  const off = page.getByRole('dialog', { name: 'Turn the authenticator app off?' })
  await off.getByLabel('Password', { exact: true }).fill(person.password)
  await axe(page)
  await off.getByRole('button', { name: 'Turn off' }).click()
  await page.getByText('Authenticator app turned off').waitFor()
  await security.getByRole('button', { name: 'Set up' }).waitFor()
  // canceled halfway, the focus returns to where it came from
  await security.getByRole('button', { name: 'Set up' }).press('Enter')
  await ask.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await scan.waitFor()
  await page.keyboard.press('Escape')
  await scan.waitFor({ state: 'hidden' })
  await hasFocus(page, security.getByRole('button', { name: 'Set up' }))
})

test('secondFactor: a passkey is added, logs in and is deleted', async ({ newPerson, openPage }) => {
  const person = await newPerson()
  const { page } = person
  await addAuthenticator(page)
  await page.goto(`${person.at('profile')}#security`)
  const security = page.getByRole('region', { name: 'Security' })
  await security.getByRole('button', { name: 'Add passkey' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
  await dialog.getByLabel('Name').fill('')
  await dialog.getByLabel('Password', { exact: true }).fill('Not-the-password-1')
  await page.keyboard.press('Enter')
  await dialog.getByText('Give the passkey a name').waitFor()
  await dialog.getByLabel('Name').fill('Work laptop')
  await page.keyboard.press('Enter')
  await dialog.getByText("This isn't your current password.").waitFor()
  await axe(page)
  await shot(page, 'passkey-add')
  await dialog.getByLabel('Password', { exact: true }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByText('Passkey added').waitFor()
  await security.getByRole('list', { name: 'Passkeys' }).getByText('Work laptop').waitFor()
  await hasFocus(page, security.getByRole('button', { name: 'Add passkey' }))
  await shot(page, 'passkey-list')

  // offered in the autofill list, where this authenticator agrees at once
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByText('Login Successful').waitFor()
  await page.waitForURL('**/dashboard')

  // a browser without it says so
  const other = await openPage()
  await addAuthenticator(other)
  await other.goto('/login')
  await other.getByRole('button', { name: 'Log in with a passkey' }).click()
  await other.getByRole('status').getByText("We couldn't log you in with a passkey.").waitFor()
  await axe(other)
  await shot(other, 'login-passkey')

  // with the button, in a browser without autofill
  await page.bringToFront()
  await page.context().addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await page.context().clearCookies()
  await page.goto(`/login?redirect=${encodeURIComponent(`${person.at('profile')}#security`)}`)
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByText('Login Successful').waitFor()
  await security.getByRole('button', { name: 'Delete passkey: Work laptop' }).click()
  const sure = page.getByRole('dialog', { name: 'Delete this passkey?' })
  await sure.waitFor()
  await axe(page)
  await sure.getByRole('button', { name: 'Delete passkey' }).click()
  await page.getByText('Passkey deleted').waitFor()
  await page.context().clearCookies()
  await page.goto('/login')
  await page.getByRole('button', { name: 'Log in with a passkey' }).click()
  await page.getByRole('status').getByText("This passkey doesn't belong to a Rookery account.").waitFor()
})

/** Six digits that aren't one of the app's codes around now. */
function wrongCode(app: TOTP): string {
  const near = new Set([-2, -1, 0, 1, 2].map((steps) => app.generate({ timestamp: Date.now() + steps * STEP })))
  return ['111111', '222222', '333333', '444444', '555555', '666666'].find((code) => !near.has(code)) ?? '777777'
}

async function hasFocus(page: Page, control: Locator): Promise<void> {
  const element = await control.elementHandle()
  await page.waitForFunction((wanted) => document.activeElement === wanted, element)
}

/** A fingerprint reader that always agrees. */
async function addAuthenticator(page: Page): Promise<void> {
  const debuggerOf = await page.context().newCDPSession(page)
  await debuggerOf.send('WebAuthn.enable', { enableUI: false })
  await debuggerOf.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

async function enterPassword(page: Page, { email, password }: Person): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
}
