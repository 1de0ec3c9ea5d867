import { createBioPage, getBioPage, saveBioPage } from '#contract/linkInBio/pages.ts'
import { until } from '#server/testing/until.ts'
import { axe } from '../axe.ts'
import { callAs } from '../api.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'

test('bio posts: added in the composer and from a published post, by keyboard', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'bluesky', account: 'biolinks' })
  const { page, ids } = person
  const { pageId } = await callAs(page, createBioPage, { params: ids, body: { name: 'Rooks', slug: 'rooks-posts' } })
  const params = { ...ids, pageId }
  await callAs(page, saveBioPage, {
    params,
    body: { version: 1, name: 'Rooks', theme: 'paper', live: false, items: [] },
  })
  const shown = async () => (await callAs(page, getBioPage, { params })).items.map(({ label, url }) => [label, url])

  await page.goto(person.at('compose'))
  const words = page.getByRole('textbox', { name: 'Text', exact: true })
  await words.fill('New shoes at https://shop.example/shoes. See you')
  await page.getByRole('checkbox', { name: /biolinks/, checked: true }).waitFor()
  const add = page.getByRole('button', { name: 'Add to link in bio' })
  await add.focus()
  await page.keyboard.press('Enter')
  const leads = page.getByRole('textbox', { name: 'Leads to' })
  await leads.and(page.locator(':focus')).waitFor()
  if ((await leads.inputValue()) !== 'https://shop.example/shoes') throw new Error(await leads.inputValue())
  await page.getByText("The page isn't live yet").waitFor()
  await axe(page)
  await shot(page, 'compose-link-in-bio')
  await page.setViewportSize(PHONE)
  await shot(page, 'compose-link-in-bio-phone')
  await page.setViewportSize(DESKTOP)
  await leads.fill('javascript:alert(1)')
  await page.keyboard.press('Tab')
  await page.getByText('Enter the link of the post on your link in bio page').first().waitFor()
  await leads.fill('shop.example/boots')
  await page.keyboard.press('Shift+Tab')
  await until(async () => ((await leads.inputValue()) === 'https://shop.example/boots' ? true : undefined), {
    what: 'the link with its scheme',
  })
  await page.keyboard.press('ControlOrMeta+Enter')
  await page.getByRole('dialog', { name: 'Publish now?' }).waitFor()
  await page.keyboard.press('Enter')
  await until(async () => ((await shown()).length === 1 ? true : undefined), { what: 'the post on the page' })
  const label = 'New shoes at https://shop.example/shoes. See you'
  const [first] = await shown()
  if (first?.join(' ') !== `${label} https://shop.example/boots`) throw new Error(JSON.stringify(first))

  // taken off the page, and added again from the post itself
  await callAs(page, saveBioPage, {
    params,
    body: { version: 2, name: 'Rooks', theme: 'paper', live: false, items: [], removed: [1] },
  })
  await page.goto(person.at('posts/published'))
  await page.getByRole('button', { name: label }).first().click()
  const sheet = page.getByRole('dialog', { name: 'Post' })
  await sheet.getByRole('button', { name: 'More' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Add to link in bio' }).waitFor()
  await page.getByRole('menuitem', { name: 'Add to link in bio' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add to link in bio' })
  const url = dialog.getByRole('textbox', { name: 'Leads to' })
  await url.waitFor()
  await dialog.getByText("This page isn't live yet").waitFor()
  await axe(page)
  await shot(page, 'post-link-in-bio')
  await url.fill('https://')
  await page.keyboard.press('Enter')
  await dialog.getByText('Enter a full link, such as https://example.com').waitFor()
  await url.fill('https://shop.example/sandals')
  await page.keyboard.press('Enter')
  await page.getByText('Added to your link in bio').waitFor()
  const again = JSON.stringify(await shown())
  if (again !== JSON.stringify([[label, 'https://shop.example/sandals']])) throw new Error(again)
})
