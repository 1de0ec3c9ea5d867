import type { Locator, Page } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { schedulePosts } from '../posts.ts'

/** A small tablet, or a laptop at 175 % zoom. */
const TABLET = { width: 820, height: 900 }
const LONG = 'A table that goes by the width of the window cuts off the very words that tell one post from the other'

/** Whether the elements' text isn't cut off. */
const isWhole = (words: Locator) =>
  words.evaluateAll(
    (all) =>
      all.length > 0 &&
      all.every((one) => one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1),
  )
/** A time zone where it is about noon, so that a post in half an hour is still one of today's. */
const atNoon = (now = new Date()) => {
  const ahead = 12 - now.getUTCHours()
  // these zones are named by the hours they are behind
  return `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`
}

const isInside = async (page: Page, what: Locator) => {
  const box = await what.boundingBox()
  return box !== null && box.x >= 0 && box.x + box.width <= (page.viewportSize()?.width ?? 0)
}
const scrollsSideways = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)

test('narrow: tables become cards by their own width, nothing is cut, and the chosen tab or day is in sight', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'narrowlane', page: { timezoneId: atNoon() } })
  const { page } = person
  await schedulePosts(person, [{ text: LONG, inDays: 0.02 }])
  await page.goto(person.at('posts/scheduled'))
  const words = page.getByRole('rowheader').getByText(LONG)
  await words.waitFor()
  const { height: asRow = 0 } = (await page.getByRole('row').last().boundingBox()) ?? {}
  await page.setViewportSize(TABLET)
  await until(async () => ((await page.getByRole('row').last().boundingBox())?.height ?? 0) > asRow, {
    what: 'the row as a card',
  })
  if (!(await isWhole(words))) throw new Error('the words of the post are cut')
  // the table's header can't be focused where it's hidden
  if (await page.getByLabel('Select all').isVisible()) throw new Error('a hidden header can be focused')
  await axe(page)
  await shot(page, 'posts-tablet')
  for (const place of ['channels', 'users', 'org-settings?tab=users']) {
    await page.goto(person.at(place))
    await page.getByRole('rowheader').first().waitFor()
    if (!(await isWhole(page.getByRole('rowheader').locator('.truncate')))) throw new Error(`names are cut at ${place}`)
    if (await scrollsSideways(page)) throw new Error(`${place} scrolls sideways`)
  }
  await axe(page)

  // on a laptop every tab is in sight, and the chosen one on a phone
  await page.setViewportSize(DESKTOP)
  const tabs = page.getByRole('navigation', { name: 'Post lists' })
  await page.goto(person.at('posts/posts'))
  await tabs.getByRole('link', { name: 'Campaigns' }).waitFor()
  if (!(await isInside(page, tabs.getByRole('link', { name: 'Calendar' }))))
    throw new Error('the last tab is out of sight')
  await page.setViewportSize(PHONE)
  for (const [tab, name] of [
    ['bulk-schedule', 'Bulk Schedule'],
    ['link-in-bio', 'Link in Bio'],
  ] as const) {
    await page.goto(person.at(`posts/${tab}`))
    await until(() => isInside(page, tabs.getByRole('link', { name, exact: true })), {
      what: `the tab ${name} in sight`,
    })
  }
  await page.goto(person.at('campaigns'))
  await until(() => isInside(page, tabs.getByRole('link', { name: 'Campaigns' })), {
    what: 'the tab of campaigns in sight',
  })
  if (await scrollsSideways(page)) throw new Error('the page scrolls sideways')
  await axe(page)

  // the calendar at 200 % zoom shows the day that was chosen
  await page.setViewportSize({ width: 720, height: 450 })
  await page.goto(person.at('calendar'))
  await page.getByRole('button', { name: LONG }).waitFor()
  if (await scrollsSideways(page)) throw new Error('the calendar scrolls sideways')
  await axe(page)
  await shot(page, 'calendar-zoomed')
})
