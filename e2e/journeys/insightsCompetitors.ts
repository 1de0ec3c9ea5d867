import type { Page } from '@playwright/test'
import { publishNatives } from '#server/simulators/natives.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { connect, onSimulators } from '../simulated.ts'

/** Half a year of followers for everyone, as daily readings would have found them. */
const HISTORY = `
  with days as (select (now() at time zone 'UTC')::date - n as day, n from generate_series(1, 120) n),
  theirs as (
    insert into competitor_figure (org_id, competitor_id, day, name, value, read_at)
    select c.org_id, c.id, d.day, 'followers', 1086 - d.n * 3 - d.n % 4, now() from competitor c cross join days d where c.org_id = $1
    on conflict do nothing
  )
  insert into channel_figure (org_id, channel_id, day, name, value, read_at)
  select c.org_id, c.id, d.day, 'followers', 980 - d.n * 2 - d.n % 3, now() from channel c cross join days d where c.org_id = $1
  on conflict do nothing`

const find = async (page: Page, text: string) => {
  const dialog = page.getByRole('dialog', { name: 'Add competitor' })
  await dialog.getByRole('textbox', { name: 'Handle or profile link' }).fill(text)
  await page.keyboard.press('Enter')
  return dialog
}

test('insights: competitors are found, compared and removed', async ({ stage }) => {
  const { person, platforms, dataDir } = await onSimulators(stage)
  const { page } = person
  await connect(person, 'mastodon')
  const { state } = platforms.platform('mastodon')
  const theirs = state.accounts.find(({ name }) => name === 'The Corner Bakery')
  publishNatives(
    state,
    { from: theirs?.id ?? '', text: 'Fresh from the oven, warm until noon.', count: 9, days: 6 },
    Date.now(),
  )

  await page.goto(person.at('insights/competitor-analysis'))
  await page.getByText('No competitors yet').waitFor()
  await page.getByText(/Pinterest .*only tell apps about accounts that you manage\./).waitFor()
  await axe(page)
  await shot(page, 'competitors-none')

  await page.getByRole('button', { name: 'Add competitor' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add competitor' })
  await dialog.getByRole('combobox', { name: 'Platform' }).selectOption('Mastodon')
  await find(page, '@nobodyatall')
  await dialog.getByText(/^We couldn't find this account on Mastodon\./).waitFor()
  await find(page, '@thecornerbakery')
  await dialog.getByText('The Corner Bakery').waitFor()
  await axe(page)
  await shot(page, 'competitors-add')
  await dialog.getByRole('button', { name: 'Add competitor' }).click()
  await dialog.waitFor({ state: 'hidden' })

  // its first reading comes at once, by itself
  const table = page.getByRole('table', { name: 'Mastodon accounts' })
  const row = table.getByRole('row', { name: /The Corner Bakery/ })
  await row.getByText(/^Read /).waitFor()
  await row.getByText('of 9 posts').waitFor()
  await inDatabase({ dataDir }, ({ system }) => system.query(HISTORY, [person.ids.orgId]))
  await page.reload()
  await row.getByText(/^followers \+\d+(?:\.\d+)?%$/).waitFor()
  await table.getByText('You', { exact: true }).waitFor()
  await page.getByRole('img', { name: /^Followers on Mastodon by day/ }).waitFor()
  await page.getByRole('link', { name: 'Open post' }).first().waitFor()
  await axe(page)
  await shot(page, 'competitors', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'competitors-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // the same as a table, and by keyboard
  await page.getByRole('button', { name: 'Table' }).first().click()
  await page.getByRole('table', { name: /^Followers on Mastodon by day/ }).waitFor()
  await row.getByRole('button', { name: 'Remove The Corner Bakery' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('No competitors yet').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await row.getByText(/^Read /).waitFor()

  // nothing is worked out of what YouTube tells: its own figures, and the newest videos
  await connect(person, 'youtube')
  await page.reload()
  await page.getByRole('button', { name: 'Add competitor' }).click()
  await dialog.getByRole('combobox', { name: 'Platform' }).selectOption('YouTube')
  await find(page, '@harbourbooks')
  await dialog.getByText('Harbour Books').waitFor()
  await dialog.getByRole('button', { name: 'Add competitor' }).click()
  const youtube = page.getByRole('table', { name: 'YouTube accounts' })
  await youtube.getByRole('columnheader', { name: 'Subscribers (rounded)' }).waitFor()
  await page.getByText("YouTube's terms don't allow comparing or ranking").waitFor()
  if ((await youtube.getByRole('columnheader', { name: 'Growth' }).count()) > 0)
    throw new Error('a growth is worked out of YouTube')
  await youtube.getByText(/^Read /).waitFor()
  await axe(page)
  await shot(page, 'competitors-apart', { fullPage: true })
})
