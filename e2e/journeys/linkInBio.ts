import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createBioPage, getBioPage, saveBioPage } from '#contract/linkInBio/pages.ts'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { callAs } from '../api.ts'
import { DESKTOP, PHONE, shot, undo } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { setPlan } from '../plans.ts'
import { callInProject, submitPosts } from '../posts.ts'
import { newColleague } from '../team.ts'

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
  await axe(page)
  for (const [width, size] of [
    ['', DESKTOP],
    ['-tablet', TABLET],
    ['-phone', PHONE],
  ] as const) {
    await page.setViewportSize(size)
    await page.evaluate(() => document.querySelector('main')?.scrollTo(0, 0))
    await axe(page)
    await shot(page, `bio-editor${width}`)
    if (size === DESKTOP) continue
    await page.getByRole('button', { name: 'Preview' }).click()
    await preview(page).getByText('Newsletter').waitFor()
    await axe(page)
    await shot(page, `bio-preview${width}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
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
})

test('link in bio: another address, a second page, a picture, and unsaved changes that are not lost', async ({
  stage,
}) => {
  const person = await stage.newPerson({ opens: 'posts/link-in-bio' })
  const { page, ids } = person
  const { pageId } = await callAs(page, createBioPage, { params: ids, body: { name: 'Quay', slug: 'quay-coffee' } })
  await page.getByText('/b/quay-coffee').first().waitFor()
  const more = page.getByRole('button', { name: 'More actions' })

  // the one before leads to it
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Change address' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Change address' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Change address' })
  const address = dialog.getByRole('textbox', { name: 'Address' })
  await address.fill('a')
  await dialog.getByText('Use at least 3 characters').waitFor()
  await axe(page)
  await shot(page, 'bio-rename')
  await address.fill('quay-roastery')
  await page.keyboard.press('Enter')
  await page.getByText('Address changed').waitFor()
  await page.getByRole('list', { name: 'Earlier addresses' }).getByText('/b/quay-coffee').waitFor()
  await page.getByRole('button', { name: 'Go live' }).click()
  await page.getByText('Your page is live').waitFor()
  await axe(page)
  const visitor = await stage.openPage()
  await visitor.goto('/b/quay-coffee')
  if (!visitor.url().endsWith('/b/quay-roastery')) throw new Error(visitor.url())

  // a picture of its own
  await page.locator('[data-picture]').setInputFiles({
    name: 'words.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not a picture'),
  })
  await page.getByText('Choose an image, such as JPEG, PNG or WebP.').waitFor()
  await page.locator('[data-picture]').setInputFiles({
    name: 'quay.png',
    mimeType: 'image/png',
    buffer: await sharp({ create: { width: 400, height: 300, channels: 3, background: '#2b6f77' } })
      .png()
      .toBuffer(),
  })
  await page.getByRole('button', { name: 'Change picture' }).waitFor()
  await preview(page).locator('img.face').waitFor()
  await page.getByRole('button', { name: 'From the library' }).press('Enter')
  await page.getByRole('dialog', { name: 'Choose a picture' }).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.getByText('Unsaved: picture').waitFor()

  // leaving asks, another tab's version too
  await page.getByRole('link', { name: 'Calendar' }).first().click()
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await question.waitFor()
  await axe(page)
  await question.getByRole('button', { name: 'Stay' }).click()
  await callAs(page, saveBioPage, {
    params: { ...ids, pageId },
    body: { version: 2, name: 'Quay Roastery', theme: 'sky', live: true, items: [] },
  })
  await page.getByText('This page was changed elsewhere').waitFor()
  await axe(page)
  await shot(page, 'bio-changed-elsewhere')
  await page.getByRole('button', { name: 'Keep my changes' }).click()
  await page.getByRole('textbox', { name: 'Name' }).and(page.locator('[value="Quay Roastery"]')).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await saved(page)
  const stored = await callAs(page, getBioPage, { params: { ...ids, pageId } })
  if (stored.name !== 'Quay Roastery' || stored.pictureAssetId === null) throw new Error(JSON.stringify(stored))
  await page.getByRole('textbox', { name: 'Name' }).fill('Gone')
  await page.getByRole('button', { name: 'Discard' }).click()
  await undo(page, /Changes discarded/)
  await page.getByText('Unsaved: name').waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()

  // the plan has room for another page, and without it nothing is lost
  await page.getByRole('button', { name: 'New page' }).press('Enter')
  const creation = page.getByRole('dialog', { name: 'New page' })
  await creation.getByRole('textbox', { name: 'Name' }).fill('Spring sale')
  await axe(page)
  await shot(page, 'bio-new')
  await page.keyboard.press('Enter')
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages
    .getByRole('link', { name: /^Spring sale/ })
    .and(page.locator('[aria-current=page]'))
    .waitFor()
  await axe(page)
  await shot(page, 'bio-two-pages')
  await setPlan(stage, person, { planId: 'free', status: 'ACTIVE' })
  await page.reload()
  await page.getByText("Your plan doesn't have room for this page").waitFor()
  await axe(page)
  await shot(page, 'bio-no-room')
  await page.getByRole('button', { name: 'New page' }).click()
  await page.getByRole('dialog').getByText("Your plan doesn't have room for another link in bio page").waitFor()
  await page.keyboard.press('Escape')
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Delete page' }).press('Enter')
  await page.getByRole('dialog', { name: 'Delete this page?' }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete page' }).click()
  await page.getByText('Page deleted').waitFor()
  await page.getByText('/b/quay-roastery').first().waitFor()

  // stopped by the operator
  await inDatabase(stage, ({ system }) =>
    system.query("update bio_page set blocked_at = now(), blocked_reason = 'It copies another shop.' where id = $1", [
      pageId,
    ]),
  )
  await page.reload()
  await page.getByText('Reason: It copies another shop.').waitFor()
  await axe(page)
  await shot(page, 'bio-stopped')
})

test('link in bio: who may not edit posts sees everything and changes nothing', async ({ stage }) => {
  const admin = await stage.newPerson()
  const { pageId } = await callAs(admin.page, createBioPage, {
    params: admin.ids,
    body: { name: 'Read only', slug: 'read-only-page' },
  })
  await callAs(admin.page, saveBioPage, {
    params: { ...admin.ids, pageId },
    body: {
      version: 1,
      name: 'Read only',
      theme: 'ink',
      live: true,
      items: [{ kind: 'button', label: 'Shop', url: 'https://shop.example', zone: 'Europe/Berlin' }],
    },
  })
  const { page } = await newColleague(stage, admin, { role: 'user', opens: 'posts/link-in-bio' })
  await page.getByRole('textbox', { name: 'Text of button 1' }).waitFor()
  await preview(page).getByText('Shop').waitFor()
  const editable = await page.locator('main').getByRole('textbox').and(page.locator(':not([readonly])')).count()
  if (editable > 0) throw new Error(`${editable} fields can be edited`)
  for (const action of ['Add button', 'Add posts', 'Upload picture', 'More actions', 'New page', 'Remove button 1'])
    if (await page.getByRole('button', { name: action }).isVisible()) throw new Error(`${action} is offered`)
  await axe(page)
  await shot(page, 'bio-view-only')
})
