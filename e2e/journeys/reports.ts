import type { Locator, Page } from '@playwright/test'
import { createReport, getReport, saveReport } from '#contract/reports/reports.ts'
import { contentOf } from '#contract/reports/templates.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot, undo } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { test, type Stage } from '../harness.ts'
import type { Person } from '../people.ts'
import { refuseOnce } from '../replies.ts'
import { newColleague } from '../team.ts'

const TABLET = { width: 820, height: 1180 }
const blocksOf = (page: Page) => page.getByRole('list', { name: 'Blocks of the report' })
const cards = (page: Page) => blocksOf(page).locator('[data-row]')
const card = (page: Page, name: RegExp) => blocksOf(page).locator('[data-block]').filter({ hasText: name })
const expectOrder = (page: Page, wanted: string) =>
  page.waitForFunction(
    (ids) => [...document.querySelectorAll('[data-row]')].map((row) => row.getAttribute('data-row')).join(' ') === ids,
    wanted,
  )

/** Two channels with two months of figures. */
async function withFigures(stage: Stage, person: Person) {
  const [instagram = '', linkedin = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'linkedin', name: 'Roastery' },
  ])
  const wave = (i: number, size: number) => Math.round(size * (1 + 0.6 * Math.sin(i / 3)) + ((i * 37) % 50))
  await addFigures(stage, person, [
    {
      channelId: instagram,
      followers: 12_400,
      post: (i) => ({
        views: wave(i, 2100),
        reach: wave(i, 1500),
        reactions: wave(i, 90),
        comments: i % 9,
        shares: i % 5,
      }),
    },
    {
      channelId: linkedin,
      followers: 3100,
      post: (i) => ({ impressions: wave(i, 900), reactions: wave(i, 30), comments: i % 4, clicks: wave(i, 20) }),
    },
  ])
}

async function drag(page: Page, from: Locator, to: { x: number; y: number }): Promise<void> {
  const box = await from.boundingBox()
  if (!box) throw new Error('nothing to drag')
  const start = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  await page.mouse.move(start.x, start.y)
  await page.mouse.down()
  await page.mouse.move((start.x + to.x) / 2, (start.y + to.y) / 2, { steps: 4 })
  await page.mouse.move(to.x, to.y, { steps: 4 })
  await page.mouse.up()
}
const middle = async (of: Locator) => {
  const box = await of.boundingBox()
  if (!box) throw new Error('not shown')
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

test('reports: the list: create from a template, rename, duplicate, delete', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', opens: 'insights/report-builder' })
  const { page } = person
  await page.getByText('No reports yet').waitFor()
  await axe(page)
  await shot(page, 'reports-none')
  await page.getByRole('button', { name: 'New report' }).press('Enter')
  const creation = page.getByRole('dialog', { name: 'New report' })
  await creation.getByRole('button', { name: 'Create report' }).click()
  await creation.getByText('A name is required').waitFor()
  await axe(page)
  await shot(page, 'report-new')
  await creation.getByRole('radio', { name: /^Channel/ }).check()
  await creation.getByRole('combobox', { name: 'Channel' }).waitFor()
  await axe(page)
  await creation.getByRole('textbox', { name: 'Name' }).fill('Harbor, November')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Harbor, November' }).waitFor()
  await page.getByRole('link', { name: 'All reports' }).click()

  const table = page.getByRole('table', { name: 'Reports' })
  await table.getByRole('link', { name: 'Harbor, November' }).waitFor()
  await table.getByRole('button', { name: 'Actions for Harbor, November' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Rename' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
  const renaming = page.getByRole('dialog', { name: 'Rename report' })
  await renaming.getByRole('textbox', { name: 'Name' }).fill('Quay, November')
  await axe(page)
  await page.keyboard.press('Enter')
  await page.getByText('Report renamed').waitFor()
  await table.getByRole('button', { name: 'Actions for Quay, November' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await page.getByText('Report duplicated').waitFor()
  await page.getByRole('heading', { name: '2 reports' }).waitFor()
  await axe(page)
  await shot(page, 'reports')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'reports-phone')
  await page.setViewportSize(DESKTOP)
  await table.getByRole('button', { name: 'Actions for Quay, November' }).last().press('Enter')
  await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Delete this report?' })
  await question.getByText('is deleted for everyone').waitFor()
  await axe(page)
  await question.getByRole('button', { name: 'Delete report' }).click()
  await page.getByText('Report deleted').waitFor()
  await page.getByRole('heading', { name: '1 report' }).waitFor()

  // those who may only view
  const { page: theirs } = await newColleague(stage, person, { role: 'user', opens: 'insights/report-builder' })
  await theirs.getByRole('table', { name: 'Reports' }).waitFor()
  for (const action of ['New report', /^Actions for/])
    if ((await theirs.getByRole('button', { name: action }).count()) > 0) throw new Error(String(action))
  await axe(theirs)
})

test('reports: order and size blocks by mouse and by keyboard, undo, save', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page, ids } = person
  await withFigures(stage, person)
  const { reportId } = await callAs(page, createReport, {
    params: ids,
    body: { reportName: 'November', template: 'month' },
  })
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  const first = 'b1 b2 b3 b4 b5 b6 b7 b8 b9'
  await expectOrder(page, first)
  await axe(page)
  await shot(page, 'report-editor')
  const takeBack = page.getByRole('button', { name: 'Undo', exact: true })
  const again = page.getByRole('button', { name: 'Redo' })

  // the mouse: the second chart before the first one, and wider
  await drag(page, cards(page).nth(3).locator('[data-grip]'), await middle(cards(page).nth(2)))
  await expectOrder(page, 'b1 b2 b4 b3 b5 b6 b7 b8 b9')
  const grid = await blocksOf(page).boundingBox()
  const edge = page.getByRole('separator', { name: 'Width of Chart' }).first()
  const at = await middle(edge)
  await drag(page, edge, { x: (grid?.x ?? 0) + (grid?.width ?? 0) * 0.66, y: at.y })
  await page.locator('[role=separator][aria-valuetext="Two thirds of the width"]').waitFor()
  const lower = page.getByRole('separator', { name: 'Height of Chart' }).first()
  const low = await middle(lower)
  await drag(page, lower, { x: low.x, y: low.y + 40 })
  await page.locator('[role=separator][aria-valuetext="High"]').waitFor()
  await page.getByText('Unsaved: blocks').waitFor()
  await shot(page, 'report-sized')
  await takeBack.click()
  await takeBack.click()
  await takeBack.click()
  await expectOrder(page, first)
  await page.getByText('Unsaved:').waitFor({ state: 'detached' })
  await again.click()
  await expectOrder(page, 'b1 b2 b4 b3 b5 b6 b7 b8 b9')
  await takeBack.click()

  // the keyboard: Alt and an arrow, the edges, the buttons
  await card(page, /^Figures/)
    .first()
    .focus()
  await page.keyboard.press('Alt+ArrowUp')
  await expectOrder(page, 'b2 b1 b3 b4 b5 b6 b7 b8 b9')
  await page
    .getByRole('button', { name: 'Move Figures up' })
    .first()
    .and(page.locator(':focus'))
    .or(page.getByRole('button', { name: 'Move Figures down' }).first().and(page.locator(':focus')))
    .first()
    .waitFor()
  await page.getByRole('separator', { name: 'Width of Figures' }).first().focus()
  await page.keyboard.press('ArrowLeft')
  await page.locator(':focus[aria-valuetext="Two thirds of the width"]').waitFor()
  await page.keyboard.press('ControlOrMeta+z')
  await page.keyboard.press('ControlOrMeta+z')
  await expectOrder(page, first)
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expectOrder(page, 'b2 b1 b3 b4 b5 b6 b7 b8 b9')
  await page.keyboard.press('ControlOrMeta+z')

  // add, set, duplicate, delete
  await page.getByRole('button', { name: 'Add block' }).press('Enter')
  await page.getByRole('menuitem', { name: /^Page break/ }).waitFor()
  await axe(page)
  await shot(page, 'report-add')
  await page.getByRole('menuitem', { name: /^Text/ }).press('Enter')
  const settings = page.getByRole('group', { name: 'Settings of Text' })
  await settings.getByRole('textbox', { name: 'Text' }).fill('A month of warm cups.')
  await settings.getByRole('textbox', { name: 'Heading (optional)' }).pressSequentially('Summary')
  await settings.getByRole('combobox', { name: 'Width' }).selectOption('Half')
  await axe(page)
  await shot(page, 'report-text')
  await takeBack.click()
  await takeBack.click()
  if ((await settings.getByRole('textbox', { name: 'Heading (optional)' }).inputValue()) !== '')
    throw new Error('not one step')
  await again.click()
  await again.click()
  await card(page, /Summary/).waitFor()
  await page.getByRole('button', { name: 'Duplicate Text: Summary' }).click()
  await page.getByRole('button', { name: 'Delete Text: Summary' }).last().press('Enter')
  await undo(page, /Deleted Text: Summary/)
  await expectOrder(page, `${first} b10 b11`)
  await page.getByRole('button', { name: 'Delete Text: Summary' }).last().press('Enter')
  await expectOrder(page, `${first} b10`)
  await card(page, /^Figures/)
    .first()
    .click()
  await page.getByRole('button', { name: /^Figures: Followers/ }).click()
  await page
    .getByRole('dialog', { name: 'Figures' })
    .getByRole('checkbox', { name: /^Reactions/ })
    .check()
  await axe(page)
  await shot(page, 'report-figures')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Last month/ }).click()
  const days = page.getByRole('dialog', { name: 'Days of the report' })
  await days.getByRole('radio', { name: /^Last 30 days/ }).check()
  await days.getByRole('radio', { name: 'Custom' }).check()
  await axe(page)
  await shot(page, 'report-days')
  await days.getByRole('radio', { name: /^Last 30 days/ }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('A name is required').waitFor()
  await axe(page)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor')
  await page.getByText('Unsaved: name, days, blocks').waitFor()
  await page.keyboard.press('ControlOrMeta+s')
  await page.getByText('Report saved').waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: 'Harbor' }).waitFor()
  await expectOrder(page, `${first} b10`)
  const stored = await callAs(page, getReport, { params: { ...ids, reportId } })
  const text = stored.content.blocks.find(({ blockId }) => blockId === 'b10')
  if (text?.kind !== 'text' || text.heading !== 'Summary' || text.width !== 3) throw new Error(JSON.stringify(text))
  if (stored.content.days.span !== '30') throw new Error(JSON.stringify(stored.content.days))

  // leaving asks; another version waits
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine')
  await page.getByRole('link', { name: 'All reports' }).click()
  await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
  await callAs(page, saveReport, {
    params: { ...ids, reportId },
    body: { reportName: 'Theirs', content: contentOf('empty'), version: stored.version },
  })
  await page.getByText('This report was changed by someone else').waitFor()
  await axe(page)
  await shot(page, 'report-conflict')
  await page.getByRole('button', { name: 'Use the other version' }).click()
  await expectOrder(page, 'b1')
  await takeBack.click()
  await expectOrder(page, `${first} b10`)
  await refuseOnce(page, /\/reports\/[^/]+$/, 'BAD_INPUT', { errors: { reportName: ['This name is odd'] } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('This name is odd').waitFor()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Mine again')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Report saved').waitFor()

  for (const [size, name] of [
    [TABLET, 'tablet'],
    [PHONE, 'phone'],
  ] as const) {
    await page.setViewportSize(size)
    await axe(page)
    await shot(page, `report-editor-${name}`)
    const isWider = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    if (isWider) throw new Error(`${name} scrolls sideways`)
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    await shot(page, `report-preview-${name}`)
    await page.getByRole('button', { name: 'Blocks', exact: true }).click()
  }
  await card(page, /Summary/).click()
  await page.getByRole('group', { name: 'Settings of Text' }).waitFor()
  await axe(page)
  await shot(page, 'report-settings-phone')
})
