import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { test, type Stage } from '../harness.ts'
import type { Person } from '../people.ts'
import { setPlan } from '../plans.ts'

/** The zone of all figures here, so that project, channels and figures agree on the day. */
const IN_UTC = { timezoneId: 'UTC' }

/** Half a year of posts on three channels, those on YouTube ranked by nobody. */
async function withPosts(stage: Stage, person: Person) {
  const [instagram = '', linkedin = '', youtube = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'linkedin', name: 'Roastery' },
    { platform: 'youtube', name: 'Films' },
  ])
  const wave = (i: number, size: number) => Math.round(size * (1 + 0.6 * Math.sin(i / 3)) + ((i * 37) % 50))
  const { postIds } = await addFigures(
    stage,
    person,
    [
      {
        channelId: instagram,
        followers: 12_400,
        post: (i) => ({
          views: wave(i, 2100),
          reach: wave(i, 1500),
          reactions: wave(i, 90),
          comments: i % 9,
          saves: i,
        }),
      },
      {
        channelId: linkedin,
        followers: 3100,
        post: (i) => ({ impressions: wave(i, 900), reactions: wave(i, 30), comments: i % 4, clicks: wave(i, 20) }),
      },
      { channelId: youtube, followers: 5200, post: (i) => ({ views: wave(i, 700), reactions: wave(i, 25) }) },
    ],
    { days: 170 },
  )
  return { instagram, linkedin, youtube, postIds }
}

/** The posts' values in a column, as they're in view. */
const columnOf = async (page: Page, place: number): Promise<string[]> =>
  await page
    .getByRole('table', { name: 'Posts' })
    .getByRole('row')
    .evaluateAll(
      (rows, nth) =>
        rows.slice(3).map((row) => row.querySelectorAll('[role=cell]')[nth]?.firstChild?.textContent ?? 'no such cell'),
      place,
    )

test('insights posts: sorted by any figure, with columns of one’s own, to the last post', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  await withPosts(stage, person)
  await page.goto(person.at('insights/insights?range=custom&from=2026-06-01&to=2026-06-02'))
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'Posts', exact: true }).click()
  await page.waitForURL(/insights\/post-table\?.*from=2026-06-01/)
  await page.goto(person.at('insights/post-table'))
  const table = page.getByRole('table', { name: 'Posts' })
  await table.getByRole('rowheader', { name: 'Median' }).waitFor()
  await axe(page)
  await shot(page, 'insights-post-table', { fullPage: true })

  // by a figure, most first; again, fewest first; by keyboard
  await page.goto(person.at('insights/post-table?range=custom&from=2026-01-01&to=2026-12-31'))
  const inOrder = Promise.withResolvers<void>()
  await page.route(/insights\/posts\?.*sort=reactions/, async (route) => {
    await inOrder.promise
    await route.continue()
  })
  await table.getByRole('button', { name: 'Reactions', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/sort=reactions/)
  await table.getByRole('columnheader', { name: 'Reactions', expanded: undefined }).waitFor()
  // while another order loads, the rows of before stay readable
  await table.and(page.locator('[aria-busy=true]')).waitFor()
  await axe(page)
  await shot(page, 'insights-post-table-loading')
  inOrder.resolve()
  const numbers = async () => (await columnOf(page, 4)).map((text) => Number(text.replaceAll(',', '')))
  const isInOrder = (values: readonly number[]) => values.every((value, i) => i === 0 || (values[i - 1] ?? 0) >= value)
  await page.waitForFunction(() => document.querySelector('[role=table][aria-busy=true]') === null)
  if (!isInOrder(await numbers())) throw new Error(`not in order: ${(await numbers()).join(', ')}`)
  await table.getByRole('button', { name: 'Reactions', exact: true }).press('Enter')
  await page.waitForURL(/order=asc/)

  // to the last post: further ones come while the table scrolls
  const view = page.getByRole('region', { name: 'Posts with their figures' })
  const loading = page.getByText('Loading more posts…')
  await page.waitForFunction(() => document.querySelector('[role=table][aria-busy=true]') === null)
  const total = Number(await table.getAttribute('aria-rowcount')) - 1
  if (total < 240) throw new Error(`only ${total} posts`)
  await view.focus()
  for (let i = 0; i < 20 && (await loading.isVisible()); i += 1) {
    const height = await view.evaluate((box) => {
      box.scrollTo({ top: box.scrollHeight })
      return box.scrollHeight
    })
    // the next portion makes it higher; after the last one, nothing is loading
    await page.waitForFunction(
      (before) =>
        (document.querySelector('[aria-label="Posts with their figures"]')?.scrollHeight ?? 0) > before ||
        !document.body.innerText.includes('Loading more posts'),
      height,
    )
  }
  await page.getByText(`${total} posts`, { exact: true }).waitFor()
  await view.evaluate((box) => box.scrollTo({ top: box.scrollHeight }))
  await table.locator(`[aria-rowindex="${total + 1}"]`).waitFor()
  // scrolled to both sides, nothing shows through what stays
  await view.evaluate((box) => box.scrollTo({ left: box.scrollWidth, top: box.scrollHeight }))
  for (const cell of await view.locator('[role=columnheader]:first-child, [role=rowheader]').all())
    if ((await cell.evaluate((box) => getComputedStyle(box).backgroundColor)) === 'rgba(0, 0, 0, 0)')
      throw new Error(`see-through: ${await cell.innerText()}`)
  await shot(page, 'insights-post-table-end')
  // a wide screen's width is for the columns
  await page.setViewportSize({ width: 1920, height: 1000 })
  const [box, main] = [await view.boundingBox(), await page.locator('#main').boundingBox()]
  if (!box || !main || box.x + box.width < main.x + main.width - 40)
    throw new Error(`the table ends at ${box ? box.x + box.width : '?'}`)
  // the header's buttons are where the other sections have them
  const bell = await page.getByRole('button', { name: /^Notifications/ }).boundingBox()
  if (!bell || bell.x > main.x + 1240) throw new Error(`the bell is at ${bell?.x}`)
  await shot(page, 'insights-post-table-wide')
  await page.setViewportSize(DESKTOP)

  // other columns, kept as a view
  await page.getByRole('button', { name: /^Columns: / }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: /^Reach/ }).check()
  await columns.getByRole('checkbox', { name: /^Shares/ }).uncheck()
  await axe(page)
  await page.keyboard.press('Escape')
  await table.getByRole('button', { name: 'Reach', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('button', { name: 'Save this view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Reached')
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.goto(person.at('insights/post-table'))
  await page.getByRole('button', { name: 'Views', exact: true }).click()
  await page.getByRole('button', { name: 'Reached', exact: true }).click()
  await page.waitForURL(/columns=.*reach/)
  await table.getByRole('button', { name: 'Reach', exact: true }).waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-post-table-phone')
  await page.setViewportSize(DESKTOP)

  // as a file, with as many lines as the table has posts
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const chunks: Buffer[] = []
  for await (const chunk of await file.createReadStream()) chunks.push(Buffer.from(chunk))
  const lines = Buffer.concat(chunks).toString('utf8').trim().split('\r\n').length - 1
  if (lines !== total) throw new Error(`${lines} lines for ${total} posts`)
})

test('insights posts: one post since it was published, down to every reading', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  const { instagram } = await withPosts(stage, person)
  await page.goto(person.at(`insights/post-table?range=30&channelIds=${instagram}`))
  const table = page.getByRole('table', { name: 'Posts' })
  await table.locator('[aria-rowindex="12"]').getByRole('link').focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/insights/post/**')
  await page.getByRole('heading', { name: 'Post Insights' }).waitFor()
  // beside the median of the other posts, in the platform's own words
  await page.getByRole('img', { name: /^Views since it was published[:,] / }).waitFor()
  await page.getByText('Median of other posts', { exact: true }).first().waitFor()
  const toDate = page.getByRole('table', { name: 'Figures to date' })
  for (const name of [/^At \d+ /, /^Median at \d+ /]) await toDate.getByRole('columnheader', { name }).waitFor()
  await page.getByRole('combobox', { name: 'Figure' }).selectOption({ label: 'Likes' })
  await page.getByRole('img', { name: /^Likes since it was published[:,] / }).waitFor()
  await page.waitForURL(/figure=postsPublished.reactions/)
  await page.getByRole('table', { name: 'Readings' }).getByRole('columnheader', { name: 'Likes likes' }).waitFor()
  await axe(page)
  await shot(page, 'insights-post', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  const [needed, room] = await toDate.evaluate((one) => [one.scrollWidth, one.parentElement?.clientWidth ?? 0])
  if (needed > room) throw new Error(`the median is out of view: ${needed} of ${room}`)
  await shot(page, 'insights-post-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  // the post itself opens beside it
  await page.getByRole('link', { name: 'Open post' }).click()
  await page.waitForURL(/post=/)
  const onSheet = page.getByRole('region', { name: 'Figures', exact: true })
  await onSheet.getByText('Likes', { exact: true }).waitFor()
  await onSheet.getByRole('img', { name: /^Likes since publishing: from \d/ }).waitFor()
  await axe(page)
  await shot(page, 'post-figures')
  await onSheet.getByRole('link', { name: 'All figures' }).click()
  await page.waitForURL(/insights\/post\/[^?]+$/)
  // and in the list of published posts
  await page.goto(person.at('posts/published'))
  await page
    .getByText(/^[\d.]+K? (views|impressions), \d+ (likes|reactions)/)
    .first()
    .waitFor()
  await shot(page, 'posts-with-figures')

  // of a platform whose terms forbid comparing; a post that nobody has
  await page.goto(person.at('insights/post-table?range=30&platforms=youtube'))
  await table.getByRole('link').first().click()
  await page.waitForURL('**/insights/post/**')
  await page.getByText("Its platform's terms don't allow comparing its figures").waitFor()
  await page.goto(person.at(`insights/post/${person.ids.orgId}`))
  await page.getByText("It was deleted, or you don't have access to it.").waitFor()
})

test('insights posts: a plan without analytics has those of the last 7 days', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  await withPosts(stage, person)
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  await page.goto(person.at('insights/insights'))
  await page.getByRole('link', { name: 'Posts of the last 7 days' }).click()
  await page.waitForURL('**/insights/post-table')
  await page.getByText('Your plan has the posts of the last 7 days.').waitFor()
  await page.getByRole('rowheader', { name: 'Median' }).waitFor()
  if (await page.getByRole('navigation', { name: 'Insights' }).isVisible()) throw new Error('shows what the plan lacks')
  await axe(page)
  await shot(page, 'insights-post-table-free', { fullPage: true })
  // the days of the address aren't asked for, and a post opens next to the table
  await page.goto(person.at('insights/post-table?range=90'))
  await page.getByRole('rowheader', { name: 'Median' }).waitFor()
  await page.getByRole('table', { name: 'Posts' }).getByRole('link').first().click()
  await page.waitForURL(/post=/)
})
