import type { Page } from '@playwright/test'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE } from '../browser.ts'
import { test } from '../harness.ts'

test('axe: finds on a checked page what is new there, each time, and refuses what is not listed', async ({
  openPage,
}) => {
  const page = await openPage()
  await page.goto('/login')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await axe(page)
  const added = async (html: string) =>
    await page.locator('#main').evaluate((main, text) => {
      main.querySelector('[data-added]')?.remove()
      main.insertAdjacentHTML('beforeend', `<div data-added>${text}</div>`)
    }, html)

  await added('<img src="/icon.svg">')
  await refuses(page, /axe, .* theme[^]*image-alt/)
  await refuses(page, /axe, .* theme[^]*image-alt/)
  await added('<p style="color: rgb(40, 40, 40)">Hard to read on a dark page</p>')
  await refuses(page, /dark theme[^]*color-contrast/)
  await added('<ul><li>One of two</li></ul>')
  await axe(page)
  await added('<ul><li>One of two</li><span>No item</span></ul>')
  await refuses(page, /axe, .* theme[^]*list: /)
  await added('<div role="dialog" aria-label="Something else">Text</div>')
  await refuses(page, /"Something else" on \/login isn't in e2e\/screens\.ts/)
})

test('axe: what opens from the frame of every page, and the pickers of the composer', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel' })
  const { page } = person
  await page.goto(person.at('campaigns'))
  await page.getByRole('heading', { name: 'Campaigns', level: 1 }).waitFor()
  const check = async (role: 'dialog' | 'menu', open: () => Promise<void>) => {
    await open()
    await page.getByRole(role).waitFor()
    await axe(page)
    await page.keyboard.press('Escape')
    await page.getByRole(role).waitFor({ state: 'detached' })
  }
  const press = (name: string | RegExp) => async () => await page.getByRole('button', { name }).click()
  await check('dialog', async () => await page.keyboard.press('Control+k'))
  await check('dialog', async () => await page.keyboard.press('?'))
  await check('menu', press(/, profile, theme, log out$/))
  await check('menu', press(/^Switch project/))
  await page.setViewportSize(PHONE)
  await page.goto(person.at('roles'))
  await page.getByRole('table', { name: 'Roles' }).waitFor()
  await axe(page)
  await page.setViewportSize(DESKTOP)

  await page.goto(person.at('compose'))
  await check('dialog', press('Add an emoji'))
  await page.getByRole('button', { name: 'Schedule', exact: true }).first().click()
  await check('dialog', press(/^Date: /))
  await check('dialog', press(/^Time zone, /))
})

async function refuses(page: Page, reason: RegExp): Promise<void> {
  const message = await axe(page).then(
    () => 'nothing',
    (error: unknown) => String(error),
  )
  if (!reason.test(message)) throw new Error(`axe found ${message}`)
}
