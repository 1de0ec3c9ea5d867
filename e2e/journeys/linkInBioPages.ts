import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createBioPage, deleteBioPage, getBioPage, saveBioPage } from '#contract/linkInBio/pages.ts'
import { home } from '#contract/organizations.ts'
import { assignRole, createRole } from '#contract/roles.ts'
import { axe } from '../axe.ts'
import { callAs } from '../api.ts'
import { shot, undo } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { setPlan } from '../plans.ts'
import { refuseOnce } from '../replies.ts'
import { newColleague } from '../team.ts'

const preview = (page: Page) => page.frameLocator('iframe[title="Preview"]')
const saved = (page: Page) => page.getByText('Page saved').waitFor()

test('link in bio: another address, a second page, a picture, and unsaved changes that are not lost', async ({
  stage,
}) => {
  const person = await stage.newPerson({ opens: 'posts/link-in-bio' })
  const { page, ids } = person
  const { pageId } = await callAs(page, createBioPage, { params: ids, body: { name: 'Quay', slug: 'quay-coffee' } })
  await page.getByText('/b/quay-coffee').first().waitFor()
  const more = page.getByRole('button', { name: 'More actions' })

  // the one before leads to it
  await page.getByRole('button', { name: 'Change address' }).press('Enter')
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

  // what only the server refuses is at its field, until that's changed
  await page.getByRole('button', { name: 'Add button' }).press('Enter')
  await page.keyboard.type('Shop')
  await page.keyboard.press('Tab')
  await page.keyboard.type('shop.example')
  const refusal = 'This link leads on through Rookery'
  await refuseOnce(page, /\/bio-page\/[^/]+$/, 'BAD_INPUT', { errors: { 'items.0.url': [refusal] } })
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByText(refusal).waitFor()
  const link = page.getByRole('textbox', { name: 'Link of button 1' })
  await link.and(page.locator(':focus')).waitFor()
  if ((await link.inputValue()) !== 'https://shop.example') throw new Error(await link.inputValue())
  await link.fill('https://shop.example/')
  await page.getByText(refusal).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove button 1' }).press('Enter')
  await page.getByRole('button', { name: 'Add button' }).and(page.locator(':focus')).waitFor()

  // a picture of its own
  await page.locator('[data-picture]').setInputFiles({
    name: 'words.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not a picture'),
  })
  await page.getByText('Choose an image, such as JPEG, PNG or WebP.').waitFor()
  const quay = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#2b6f77' } })
    .png()
    .toBuffer()
  await page.locator('[data-picture]').setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: quay })
  await page.getByRole('button', { name: 'Change picture' }).waitFor()
  await preview(page).locator('img.face').waitFor()
  await page.getByRole('button', { name: 'Remove picture' }).press('Enter')
  await page.getByRole('button', { name: 'Upload picture' }).and(page.locator(':focus')).waitFor()
  await page.locator('[data-picture]').setInputFiles({ name: 'quay.png', mimeType: 'image/png', buffer: quay })
  await page.getByRole('button', { name: 'Change picture' }).waitFor()
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
  await page.getByRole('menuitem', { name: 'Delete page' }).waitFor()
  await axe(page)
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

test('link in bio: a page that someone else deletes says so, and what was typed can still be copied', async ({
  stage,
}) => {
  const { page, ids } = await stage.newPerson({ opens: 'posts/link-in-bio' })
  const { pageId } = await callAs(page, createBioPage, { params: ids, body: { name: 'Pier', slug: 'pier-coffee' } })
  const about = page.getByRole('textbox', { name: 'Text (optional)' })
  await about.fill('Words that took an hour')
  await callAs(page, deleteBioPage, { params: { ...ids, pageId } })
  const notice = page.getByRole('alert').filter({ hasText: 'This page was deleted' })
  await notice.getByText("Your changes weren't saved").waitFor()
  if ((await about.inputValue()) !== 'Words that took an hour') throw new Error(await about.inputValue())
  if (await about.isEditable()) throw new Error('a deleted page can be edited')
  await axe(page)
  await shot(page, 'bio-deleted-elsewhere')
  await notice.getByRole('button', { name: 'Close page' }).press('Enter')
  await page.getByRole('textbox', { name: 'Address' }).waitFor()
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
  for (const action of [
    'Add button',
    'Add posts',
    'Upload picture',
    'More actions',
    'Change address',
    'New page',
    'Remove button 1',
  ])
    if (await page.getByRole('button', { name: action }).isVisible()) throw new Error(`${action} is offered`)
  await axe(page)
  await shot(page, 'bio-view-only')
  await page.getByRole('button', { name: 'Figures' }).waitFor()

  // figures are for roles that see the insights
  const { user } = await callAs(page, home)
  const { roleId } = await callAs(admin.page, createRole, {
    params: admin.ids,
    body: { name: 'Only posts', permissions: { post: ['view'] } },
  })
  await callAs(admin.page, assignRole, {
    params: admin.ids,
    body: { roleId, userId: user.userId, channelIds: null },
  })
  await page.goto(admin.at('posts/link-in-bio?figures=7'))
  await page.getByRole('textbox', { name: 'Text of button 1' }).waitFor()
  if (await page.getByRole('button', { name: 'Figures' }).isVisible()) throw new Error('figures are offered')
})
