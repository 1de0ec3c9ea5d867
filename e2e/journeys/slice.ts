import type { Locator, Page } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { test } from '../harness.ts'
import { PASSWORD } from '../people.ts'
import { codeIn } from '../product.ts'

/** More tab stops than any page has: beyond it, the target can't be reached with Tab. */
const STOPS = 80

/** Moves the focus to the target with the keyboard, or fails. Shift+Tab reaches what's before the focus. */
async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor()
  for (let stop = 0; stop < STOPS; stop += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press(key)
  }
  throw new Error(`${target.toString()} cannot be reached by ${key}`)
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type(text)
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press('Enter')
}

test('slice: from sign-up to a live post, log out and in again, without a mouse', async ({
  openPage,
  bluesky,
  mailTo,
}) => {
  const account = await bluesky.createAccount('slice')
  const page = await openPage()
  const email = 'slice@example.org'
  await page.goto('/')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await press(page, page.getByRole('link', { name: 'Create an account' }))
  await page.getByRole('heading', { name: 'Create your account' }).waitFor()
  await type(page, page.getByLabel('First name'), 'Grace')
  await type(page, page.getByLabel('Last name'), 'Hopper')
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password', { exact: true }), PASSWORD)
  await type(page, page.getByLabel('Confirm password'), PASSWORD)
  await page.keyboard.press('Enter')

  await page.waitForURL('**/signup/verify')
  await page.getByLabel('Verification code').waitFor()
  const code = codeIn(await mailTo(email, (text) => codeIn(text) !== undefined)) ?? ''
  await type(page, page.getByLabel('Verification code'), code)

  await page.getByRole('heading', { name: 'Add Organization' }).waitFor()
  await type(page, page.getByLabel('Organization name'), 'Northlight Coffee')
  await tabTo(page, page.getByLabel('Company size'))
  await page.keyboard.press('ArrowDown')
  await press(page, page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('heading', { name: 'Create Project' }).waitFor()
  await type(page, page.getByLabel('Project name'), 'Flagship')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Add Channels' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Connect, Bluesky' }))
  const dialog = page.getByRole('dialog', { name: 'Connect Bluesky' })
  await press(page, dialog.getByRole('button', { name: 'Use an app password instead' }))
  await type(page, dialog.getByLabel('Handle'), `@${account.handle}`)
  await type(page, dialog.getByLabel('App password'), account.appPassword)
  await press(page, dialog.getByRole('button', { name: 'Other server' }))
  await type(page, dialog.getByLabel('Server'), bluesky.url)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'hidden' })
  await press(page, page.getByRole('button', { name: 'Continue' }))
  await page.getByRole('heading', { name: 'Add Users' }).waitFor()
  await press(page, page.getByRole('button', { name: 'Skip', exact: true }))
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()

  // one key composes, three publish
  await page.keyboard.press('c')
  const words = page.getByRole('textbox', { name: 'Text', exact: true })
  await words.waitFor()
  // the only channel is already chosen
  await page.getByRole('checkbox', { name: /slice/, checked: true }).waitFor()
  await type(page, words, 'First light')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('dialog', { name: 'Publish now?' }).waitFor()
  await page.keyboard.press('Enter')
  const view = page.getByRole('button', { name: 'View', exact: true })
  await view.waitFor()
  await page.keyboard.press('Alt+t')
  await press(page, view)
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByText('Published', { exact: true }).waitFor()
  const permalink = await sheet.getByRole('link', { name: /^Bluesky/ }).getAttribute('href')
  const [record] = await until(
    async () => ((await bluesky.posts(account)).length > 0 ? await bluesky.posts(account) : undefined),
    { what: 'the post on the server' },
  )
  if (!permalink?.endsWith(record?.uri.split('/').at(-1) ?? '-'))
    throw new Error(`${permalink} is not the address of ${record?.uri}`)
  const open = page.url()

  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'hidden' })
  // not by Tab: a headless shell's focus leaves the page at its end, and from there the toast takes it back
  await tabTo(page, page.getByRole('button', { name: /profile, theme, log out/ }), 'Shift+Tab')
  await page.keyboard.press('Enter')
  await page.locator('[role=menuitem]:focus', { hasText: 'Profile' }).waitFor()
  await page.keyboard.press('End')
  await page.locator('[role=menuitem]:focus', { hasText: 'Log out' }).waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/login')
  await page.goto(open)
  await page.waitForURL('**/login?redirect=**')
  await type(page, page.getByLabel('Email'), email)
  await type(page, page.getByLabel('Password', { exact: true }), PASSWORD)
  await page.keyboard.press('Enter')
  // back at the same post
  await sheet.getByText('Published', { exact: true }).waitFor()
  if (page.url() !== open) throw new Error(`the login led to ${page.url()}`)
})
