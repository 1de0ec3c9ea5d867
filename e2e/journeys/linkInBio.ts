import type { Page } from '@playwright/test'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot, undo } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { callInProject, submitPosts } from '../posts.ts'

const TABLET = { width: 820, height: 1180 }
const rowsOf = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem')
const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]')
const saved = (page: Page) => page.getByText('Page saved').waitFor()

test('link in bio: made and filled by keyboard, put in order, saved, and seen by visitors without JavaScript', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'bluesky', account: 'bioeditor' })
  const { page } = person
  await submitPosts(
    person,
    ['Our winter roast is at https://shop.example/winter now', 'Thank you for coming'],
    { type: 'NOW' },
    'PUBLISH',
  )
  await page.goto(person.at('posts/posts'))
  await page.getByRole('navigation', { name: 'Post lists' }).getByRole('link', { name: 'Link in Bio' }).click()
  await page.getByRole('heading', { name: 'Link in Bio', level: 1 }).waitFor()
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.waitFor()
  const address = page.getByRole('textbox', { name: 'Address' })
  if ((await address.inputValue()) !== 'flagship') throw new Error(await address.inputValue())
  await preview(page).getByRole('heading', { name: 'Flagship' }).waitFor()
  await axe(page)
  await shot(page, 'bio-none')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bio-none-phone')
  await page.setViewportSize(DESKTOP)

  // the address follows the name, is checked while it's typed, and can be its own
  await name.fill('Support')
  if ((await address.inputValue()) !== 'support-links') throw new Error(await address.inputValue())
  await address.fill('admin')
  await page.getByText('This address is reserved. Choose another one.').waitFor()
  await axe(page)
  await address.fill('rook-and-co')
  await name.fill('Rook and Company')
  if ((await address.inputValue()) !== 'rook-and-co') throw new Error(await address.inputValue())
  await page.keyboard.press('Enter')
  await page.getByText('/b/rook-and-co').waitFor()

  // what comes next has the focus
  await page.getByRole('button', { name: 'Add button' }).and(page.locator(':focus')).waitFor()

  // buttons: the focus goes to the new one's text, a link gets its scheme, a hostile one is refused at its field
  await page.getByRole('button', { name: 'Add button' }).press('Enter')
  await page.keyboard.type('Shop')
  await page.keyboard.press('Tab')
  await page.keyboard.type('shop.example')
  await page.getByRole('button', { name: 'Add button' }).press('Enter')
  await page.keyboard.type('Newsletter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('javascript:alert(1)')
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText('A link starts with https://, http://, mailto: or tel:').waitFor()
  await page.getByRole('textbox', { name: 'Link of button 2' }).and(page.locator(':focus')).waitFor()
  await page.getByRole('button', { name: '1 field to correct' }).waitFor()
  await axe(page)
  await page.getByRole('textbox', { name: 'Link of button 2' }).fill('mailto:hello@example.com')
  await page.getByRole('button', { name: 'Add button' }).press('Enter')
  await page.keyboard.type('Book a table')
  await page.keyboard.press('Tab')
  await page.keyboard.type('https://table.example/book')

  // order: by keys, then by dragging
  const buttons = rowsOf(page, 'Buttons')
  const texts = () =>
    page
      .getByRole('textbox', { name: /^Text of button/ })
      .evaluateAll((fields: HTMLInputElement[]) => fields.map(({ value }) => value))
  const inOrder = (...wanted: string[]) =>
    until(async () => ((await texts()).join() === wanted.join() ? true : undefined), { what: wanted.join() })
  await page.getByRole('button', { name: 'Move button 3 up' }).focus()
  await page.keyboard.press('Alt+ArrowUp')
  await inOrder('Shop', 'Book a table', 'Newsletter')
  await page.getByRole('button', { name: 'Move button 2 up' }).and(page.locator(':focus')).waitFor()
  await page.getByText('Moved to place 2 of 3').waitFor({ state: 'attached' })
  await buttons
    .nth(2)
    .locator('[data-grip]')
    .dragTo(buttons.nth(0), { targetPosition: { x: 200, y: 6 } })
  await inOrder('Newsletter', 'Shop', 'Book a table')

  // hidden, limited in time, removed with undo
  await page.getByRole('button', { name: 'Hide button 3' }).press('Enter')
  await buttons.nth(2).getByText('Hidden', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Times of button 2' }).press('Enter')
  await page.getByRole('button', { name: 'Set a start' }).press('Enter')
  const focused = (name: string | RegExp) => page.getByRole('button', { name }).and(page.locator(':focus')).waitFor()
  await focused(/^Start date/)
  await buttons
    .nth(1)
    .getByText(/^Starts /)
    .waitFor()
  await page.getByRole('button', { name: 'Set an end' }).press('Enter')
  await page.getByText('Europe/Berlin, GMT').first().waitFor()
  await axe(page)
  await page.getByRole('button', { name: /^End date/ }).press('Enter')
  await page.getByRole('dialog', { name: 'End date' }).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'No start' }).press('Enter')
  await focused('Set a start')
  await buttons
    .nth(1)
    .getByText(/^Until /)
    .waitFor()
  await page.getByRole('button', { name: 'Remove button 1' }).press('Enter')
  await inOrder('Shop', 'Book a table')
  await page.getByRole('button', { name: 'Remove button 1' }).and(page.locator(':focus')).waitFor()
  await undo(page, /Removed “Newsletter”/)
  await inOrder('Newsletter', 'Shop', 'Book a table')

  // published posts, each with the first link of its text
  await until(
    async () =>
      (await callInProject(person, 'get', '/post/statistics').then(JSON.stringify)).includes('"PUBLISHED":2')
        ? true
        : undefined,
    { what: 'two published posts' },
  )
  await page.getByRole('button', { name: 'Add posts' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add posts' })
  await dialog.getByRole('button', { name: /Thank you for coming/ }).waitFor()
  await axe(page)
  await shot(page, 'bio-add-posts')
  await dialog.getByRole('searchbox', { name: 'Search published posts' }).fill('winter')
  await dialog.getByRole('button', { name: /Thank you/ }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: /Our winter roast/ }).press('Enter')
  await dialog.getByRole('button', { name: 'Add 1 post' }).press('Enter')
  const link = page.getByRole('textbox', { name: 'Link of post 1' })
  if ((await link.inputValue()) !== 'https://shop.example/winter') throw new Error(await link.inputValue())

  // the preview follows, and what isn't shown isn't in it
  await page.getByRole('radio', { name: 'Paper' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('textbox', { name: 'Text (optional)' }).fill('Coffee by the harbor')
  await preview(page).getByText('Coffee by the harbor').waitFor()
  await preview(page).getByText('Newsletter').waitFor()
  if (await preview(page).getByText('Book a table').isVisible()) throw new Error('the preview shows a hidden button')
  await page.getByText('Unsaved: text, theme, buttons, posts').waitFor()

  // and stays where someone scrolled to
  const scrolled = () =>
    page
      .locator('iframe[title="Preview"]')
      .evaluate((frame: HTMLIFrameElement) => frame.contentDocument?.scrollingElement?.scrollTop)
  await page.setViewportSize({ width: 1440, height: 500 })
  await preview(page).locator('footer').scrollIntoViewIfNeeded()
  const before = await scrolled()
  if (!before) throw new Error('the preview is too short to scroll')
  await page.getByRole('textbox', { name: 'Text (optional)' }).fill('Coffee by the old harbor')
  await preview(page).getByText('Coffee by the old harbor').waitFor()
  if ((await scrolled()) !== before) throw new Error(`the preview scrolled from ${before} to ${await scrolled()}`)
  await page.setViewportSize(DESKTOP)
  await axe(page)
  for (const [width, size] of [
    ['', DESKTOP],
    ['-tablet', TABLET],
    ['-phone', PHONE],
    ['-small', { width: 360, height: 740 }],
  ] as const) {
    await page.setViewportSize(size)
    await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 0))
    await axe(page)
    await shot(page, `bio-editor${width}`)
    if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
      throw new Error('the page scrolls sideways')
    if (size === DESKTOP) continue
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview(page).getByText('Newsletter').waitFor()
    await axe(page)
    await shot(page, `bio-preview${width}`)
    // a problem brings its field into view
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const first = page.getByRole('textbox', { name: 'Text of button 1' })
    const words = await first.inputValue()
    await first.fill('')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await first.and(page.locator(':focus')).waitFor()
    await first.fill(words)
  }
  await page.setViewportSize(DESKTOP)

  // nobody sees it until it's live
  const visitor = await stage.openPage({ javaScriptEnabled: false })
  const visit = async () => (await visitor.goto('/b/rook-and-co'))?.status()
  if ((await visit()) !== 404) throw new Error('a page that is not live is public')
  await page.getByRole('button', { name: 'Save and go live' }).press('Enter')
  await page.getByText('Your page is live').waitFor()
  if ((await visit()) !== 200) throw new Error('the page is not public')
  await visitor.getByRole('heading', { name: 'Rook and Company' }).waitFor()
  const links = await visitor.getByRole('list', { name: '' }).first().getByRole('link').allInnerTexts()
  if (links.join() !== 'Newsletter,Shop') throw new Error(links.join())
  await axe(page)

  // saved by keys, seen at once
  await page.getByRole('button', { name: 'Show button 3' }).press('Enter')
  await page.keyboard.press('ControlOrMeta+s')
  await saved(page)
  await visit()
  await visitor.getByRole('link', { name: 'Book a table' }).waitFor()

  // what visitors did, by day and link
  await page.getByRole('button', { name: 'Figures' }).press('Enter')
  await page.getByRole('button', { name: 'Page views' }).waitFor()
  await inDatabase(stage, ({ system }) =>
    system.query(
      `insert into bio_count (org_id, page_id, day, number, views, visitors, clicks)
       select p.org_id, p.id, (now() at time zone 'Europe/Berlin')::date, n, 8, 5, n from bio_page p, generate_series(0, 3) n
       where p.project_id = $1 on conflict (org_id, page_id, day, number) do update set views = 8, visitors = 5, clicks = excluded.clicks`,
      [person.ids.projectId],
    ),
  )
  await page.reload()
  await page.getByRole('img', { name: /^Page views by day/ }).waitFor()
  const clicks = page.getByRole('table', { name: 'Clicks by link' })
  await clicks.getByRole('row', { name: /Newsletter.*Not counted/ }).waitFor()
  await clicks.getByRole('row', { name: /^Shop.*\b[123]\b/ }).waitFor()
  await page.getByRole('button', { name: 'Visitors' }).press('Enter')
  await page.getByRole('img', { name: /^Visitors by day/ }).waitFor()
  await axe(page)
  await shot(page, 'bio-figures', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bio-figures-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  if (!file.suggestedFilename().startsWith('link-in-bio-')) throw new Error(file.suggestedFilename())
  await page.getByRole('button', { name: '30 days' }).click()
  await page.waitForURL(/figures=30/)
  await page.getByRole('button', { name: 'Page', exact: true }).click()
  await page.getByRole('textbox', { name: 'Link of button 1' }).waitFor()
})
