import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import type { Person } from '../people.ts'
import { refuseOnce } from '../replies.ts'
import { onSimulators } from '../simulated.ts'

/** Goes to the platform's simulated page. */
async function leaveFor(page: Page, person: Person, platform: string, name: string, variant?: string): Promise<void> {
  await page.goto(person.at(`channels?connect=${platform}`))
  const dialog = page.getByRole('dialog', { name: `Connect ${name}` })
  if (variant !== undefined) await dialog.getByRole('radio', { name: variant }).check()
  await dialog.getByRole('button', { name: `Continue to ${name}` }).click()
  await page.getByText(`Simulated ${name}`).waitFor()
}

test('connect: Pages of a simulated Facebook, chosen among several, connected again, without a permission', async ({
  stage,
}) => {
  const { person, platforms } = await onSimulators(stage)
  const { page } = person
  await page.goto(person.at('channels?connect=facebook'))
  const dialog = page.getByRole('dialog', { name: 'Connect Facebook' })
  await dialog.getByRole('radio', { name: /Facebook Page/ }).waitFor()
  await axe(page)
  await shot(page, 'connect-variants')

  // where each server has its own page, its name is asked for
  await page.goto(person.at('channels?connect=mastodon'))
  const server = page.getByRole('dialog', { name: 'Connect Mastodon' })
  await server.getByRole('button', { name: 'Continue to Mastodon' }).click()
  await server.getByText('Enter the server of your account, such as mastodon.social').waitFor()
  await axe(page)
  await shot(page, 'channels-connect-page')
  await server.getByLabel('Server').fill('birdhouse.simulated')
  await server.getByLabel('Server').press('Enter')
  await page.getByText(/^Simulated /).waitFor()

  // a denial is explained, with a way back
  await leaveFor(page, person, 'facebook', 'Facebook', 'Ad Manager')
  await page.getByRole('link', { name: 'Cancel' }).click()
  await page.getByText('The connection was canceled on Facebook.').waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Go back' }).click()
  await page.getByRole('heading', { name: 'Platform Settings' }).waitFor()

  // the result counts once, and only in the window that started it
  await page.goto('/oauth/facebook/callback?state=guessed&code=yes')
  await page.getByRole('heading', { name: "We don't recognize this connection" }).waitFor()
  await axe(page)
  await shot(page, 'channels-unknown-state')
  await page.getByRole('link', { name: 'Back to Rookery' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await leaveFor(page, person, 'facebook', 'Facebook', 'Facebook Page')
  await page.getByRole('button', { name: 'Allow' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose Facebook accounts' })
  await choice.getByText('Page', { exact: true }).first().waitFor()
  await axe(page)
  await shot(page, 'connect-choose')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'connect-choose-phone')
  await page.setViewportSize(DESKTOP)
  await choice.getByRole('button', { name: 'Connect', exact: true }).click()
  await choice.getByText('Choose an account', { exact: true }).waitFor()
  const boxes = choice.getByRole('checkbox')
  await boxes.nth(0).check()
  await boxes.nth(1).check()
  await refuseOnce(page, '**/social/facebook/confirm', 'PLAN_LIMIT', { meta: { gate: 'channels' } })
  await choice.getByRole('button', { name: 'Connect 2 accounts' }).click()
  await choice.getByText('Channel Limit Exceeded').waitFor()
  await axe(page)
  await choice.getByRole('button', { name: 'Connect 2 accounts' }).click()
  await page.getByText('2 channels connected').waitFor()
  const table = page.getByRole('table', { name: 'Channels' })
  const rows = table.getByRole('row').filter({ hasText: 'Simulated' })
  await rows.nth(1).waitFor()
  await rows.first().getByText('Connected', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'connect-channels')

  // the same account again is the same channel; a permission that wasn't granted this time is named on it
  await leaveFor(page, person, 'facebook', 'Facebook', 'Facebook Page')
  // what a person deselects on the real page
  const real = page.url().replace(`${platforms.base}/`, 'https://')
  const back = await platforms.consent(real, { without: ['pages_manage_engagement'] })
  await page.goto(back.href)
  await choice.getByText('Already connected. Choose it to reconnect it.').first().waitFor()
  await choice.getByText('Not allowed to publish first comments.').first().waitFor()
  await choice.getByRole('checkbox').nth(0).check()
  await choice.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Channel reconnected').waitFor()
  await page.getByText('Total Accounts 2').waitFor()
  const row = table.getByRole('row').filter({ hasText: 'Permissions missing' })
  await row.getByText("Facebook didn't allow Rookery to publish first comments.").waitFor()
  await row.getByRole('button', { name: /^Reconnect/ }).waitFor()
  await axe(page)
  await shot(page, 'connect-missing')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'connect-missing-phone')
})
