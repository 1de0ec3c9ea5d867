import type { Locator, Page } from '@playwright/test'
import { z } from 'zod'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import type { Person } from '../people.ts'
import { submitPosts } from '../posts.ts'

const zone = 'Europe/Berlin'
/** "2026-11-25", this many days from now. */
function dayIn(days: number): string {
  return Temporal.Now.zonedDateTimeISO(zone).add({ days }).toPlainDate().toString()
}
const instantOf = (day: string, time: string) =>
  Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone).toInstant().toString()
const Channels = z.object({ channels: z.array(z.object({ channelId: z.string() })) })

/** Schedules posts the way the composer does, without its clicks. */
async function schedule(
  { page, ids }: Pick<Person, 'page' | 'ids'>,
  posts: { text: string; day: string; time: string }[],
): Promise<void> {
  const project = `/api/${ids.orgId}/project/${ids.projectId}`
  const { channels } = Channels.parse(await (await page.request.get(`${project}/social/all`)).json())
  for (const { text, day, time } of posts) {
    const reply = await page.request.post(`${project}/post`, {
      data: {
        intent: 'SCHEDULE',
        channels: channels.map(({ channelId }) => ({ channelId, postType: 'post', contents: [{ text, media: [] }] })),
        schedule: { type: 'ONCE', details: { utc: new Date(instantOf(day, time)).toISOString(), timezone: zone } },
      },
    })
    if (!reply.ok()) throw new Error(await reply.text())
  }
}

const cell = (page: Page, day: string) => page.locator(`[data-day="${day}"]`)
const chip = (page: Page, day: string, text: string) => cell(page, day).getByRole('button', { name: new RegExp(text) })
/** Two days of one month page, both in the future: the grid always shows whole weeks. */
function twoDays(): { from: string; to: string } {
  const [from, to] = [dayIn(2), dayIn(3)]
  return { from, to }
}

test('calendar: drag, keys and dialog move a post, each with undo, visible live elsewhere', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'planner' })
  const { page } = person
  const { from, to } = twoDays()
  await schedule(person, [
    { text: 'Winter roast is back', day: from, time: '11:00' },
    { text: 'Gift boxes ship early', day: from, time: '15:30' },
  ])
  await page.goto(`${person.at('calendar')}?date=${from}&view=week`)
  await chip(page, from, 'Winter roast').waitFor()
  await axe(page)
  await shot(page, 'calendar-week')
  await page.getByRole('button', { name: 'Month', exact: true }).click()
  await chip(page, from, 'Winter roast').waitFor()
  await axe(page)
  await shot(page, 'calendar-month')

  // another browser of the same person is watching
  const other = await page.context().newPage()
  await other.goto(`${person.at('calendar')}?date=${from}`)
  await chip(other, from, 'Winter roast').waitFor()

  // keys: the day, its posts, a day later
  await page.bringToFront()
  await cell(page, from).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+ArrowRight')
  await chip(page, to, '11:00 AM.*Winter roast').waitFor()
  await page.getByText(/^Moved to .*11:00 AM/).waitFor()
  await until(
    async () =>
      (await chip(page, to, 'Winter roast').evaluate((element) => element === document.activeElement))
        ? true
        : undefined,
    { what: 'the focus on the moved post' },
  )
  await chip(other, to, 'Winter roast').waitFor()
  await shot(page, 'calendar-moved')
  await page.getByRole('button', { name: 'Undo' }).click()
  await chip(page, from, 'Winter roast').waitFor()
  await chip(other, from, 'Winter roast').waitFor()

  // the mouse
  await chip(page, from, 'Gift boxes').dragTo(cell(page, to))
  await chip(page, to, '03:30 PM.*Gift boxes').waitFor()
  await chip(other, to, 'Gift boxes').waitFor()

  // without dragging: the focused post, M, another time
  await chip(page, to, 'Gift boxes').focus()
  await page.keyboard.press('m')
  const dialog = page.getByRole('dialog', { name: 'Reschedule' })
  await axe(page)
  await dialog.getByLabel('Time, hour').selectOption('4')
  await dialog.getByRole('button', { name: 'Move post' }).click()
  await page.getByText(/^Post Rescheduled: /).waitFor()
  await chip(page, to, '04:30 PM.*Gift boxes').waitFor()

  // a refused move comes back and says why
  await page.route('**/post/reschedule/**', (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'x',
        title: 'x',
        status: 409,
        code: 'POST_LOCKED',
        detail: 'The post is being sent.',
        requestId: 'r',
      }),
    }),
  )
  await chip(page, to, 'Gift boxes').dragTo(cell(page, from))
  await page.getByText('The post is being sent.').waitFor()
  await chip(page, to, 'Gift boxes').waitFor()
  await page.unroute('**/post/reschedule/**')

  await page.getByRole('button', { name: 'Week', exact: true }).click()
  await page.setViewportSize(PHONE)
  await page.getByRole('grid').waitFor()
  await axe(page)
  await shot(page, 'calendar-phone')
  await page.getByRole('button', { name: /Winter roast/ }).click()
  await page.getByRole('dialog', { name: 'Post' }).getByText('Scheduled', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'post-sheet-phone')
})

test('calendar: a new post that a full day hides is marked at the link to the rest of the day', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel' })
  const { page } = person
  const day = dayIn(2)
  const earlier = Array.from({ length: 6 }, (_, i) => ({ text: `Early roast ${i}`, day, time: `08:0${i}` }))
  await schedule(person, earlier)
  await page.goto(`${person.at('compose')}?date=${day}&time=18:00`)
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Late cupping')
  await page.getByRole('textbox', { name: 'Text', exact: true }).press('ControlOrMeta+Enter')
  await page.waitForURL(`**/calendar?date=${day}`)
  const more = cell(page, day).locator('[data-more][data-flash]')
  await more.waitFor()
  await more.click()
  await page.getByRole('dialog').getByText('Late cupping').waitFor()
})

test('calendar: filters and the open post are in the URL, a post links to its own day, past days take none', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'filterer' })
  const { page } = person
  const day = dayIn(1)
  await schedule(person, [{ text: 'A quiet corner for you', day, time: '09:00' }])
  await page.goto(`${person.at('calendar')}?date=${day}`)
  await chip(page, day, 'quiet corner').click()
  await page.waitForURL(/post=/)
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByText(/Will be published/).waitFor()
  await axe(page)
  await shot(page, 'post-scheduled')
  await page.keyboard.press('Escape')
  await page.waitForURL((url) => !url.searchParams.has('post'))
  await until(
    async () =>
      (await chip(page, day, 'quiet corner').evaluate((element) => element === document.activeElement))
        ? true
        : undefined,
    { what: 'the focus back on the post' },
  )

  await page.getByRole('button', { name: 'Status' }).click()
  await axe(page)
  await page.getByRole('checkbox', { name: 'Failed' }).check()
  await page.waitForURL(/status=FAILED/)
  await chip(page, day, 'quiet corner').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('button', { name: 'Status: Failed' }).waitFor()
  await page.getByRole('button', { name: 'Clear' }).click()
  await chip(page, day, 'quiet corner').waitFor()
  await page.getByRole('button', { name: 'List', exact: true }).click()
  await page.getByRole('button', { name: /quiet corner/ }).waitFor()
  await axe(page)
  await shot(page, 'calendar-list')

  // an hour when the date differs in UTC
  const late = dayIn(2)
  const utc = new Date(instantOf(late, '00:30')).toISOString()
  if (utc.startsWith(late)) throw new Error('the two days are one')
  const [postId = ''] = await submitPosts(person, ['Night owl'], { type: 'ONCE', details: { utc, timezone: zone } })
  await page.goto(person.at(`post/${postId}`))
  await page.getByRole('main').getByRole('link', { name: 'Calendar', exact: true }).click()
  await page.waitForURL(new RegExp(`date=${late}`))
  await chip(page, late, 'Night owl').waitFor()
  await page.locator(`[data-add="${late}"]`).waitFor()

  await page.goto(`${person.at('calendar')}?date=${dayIn(-70)}`)
  const past = cell(page, dayIn(-70))
  await past.waitFor()
  if ((await page.getByRole('button', { name: /^Create post on/ }).count()) > 0)
    throw new Error('a post can be begun on a day that has passed')
  await past.focus()
  await page.keyboard.press('n')
  await page.getByText('That day is in the past. Choose a later one.').waitFor()
  await page.getByRole('grid').waitFor()
})

test('touch: a long press moves a post of the calendar; in the queue a finger moves one by its grip', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'finger', page: { hasTouch: true } })
  const { page } = person
  const { from, to } = twoDays()
  await schedule(person, [{ text: 'Moved by a finger', day: from, time: '11:00' }])
  await page.goto(`${person.at('calendar')}?date=${from}`)
  const post = chip(page, from, 'Moved by a finger')
  await post.waitFor()
  const middle = async (box: Promise<{ x: number; y: number; width: number; height: number } | null>) => {
    const { x, y, width, height } = (await box) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: x + width / 2, y: y + height / 2 }
  }
  const [start, end] = [await middle(post.boundingBox()), await middle(cell(page, to).boundingBox())]
  const finger = await page.context().newCDPSession(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [start] })
  await page.locator('[data-dragged]').waitFor()
  await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [end] })
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await chip(page, to, '11:00 AM.*Moved by a finger').waitFor()
  await page.getByText(/^Moved to .*11:00 AM/).waitFor()

  // elsewhere in a row it scrolls
  await submitPosts(person, ['First in line', 'Second in line', 'Third in line'], { type: 'QUEUE' }, 'QUEUE')
  await page.setViewportSize(PHONE)
  await page.goto(person.at('queues'))
  const rows = page.getByRole('list', { name: 'Queued posts' }).getByRole('listitem')
  await rows.nth(2).getByText('Third in line').waitFor()
  // everything stays where it is
  await page.getByText('Not enough results yet').waitFor()
  await page.getByText('None. The queue has no slots.').scrollIntoViewIfNeeded()
  const drag = async (from: Locator, to: Locator) => {
    const [a, b] = [await from.boundingBox(), await to.boundingBox()]
    if (!a || !b) throw new Error('The rows are not on the screen')
    const at = (box: { x: number; y: number; height: number }) => ({
      x: a.x + a.width / 2,
      y: box.y + box.height / 2,
    })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at(a)] })
    await finger.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: [{ ...at(b), y: (at(a).y + at(b).y) / 2 }],
    })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [at(b)] })
    await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await drag(rows.nth(2).locator('[data-grip]'), rows.nth(0))
  await rows.nth(0).getByText('Third in line').waitFor()
  await page.getByText('Queue reordered successfully').waitFor()
  await drag(rows.nth(2).getByRole('link'), rows.nth(0))
  await rows.nth(0).getByText('Third in line').waitFor()
  await rows.nth(2).getByText('Second in line').waitFor()
})
