import { listWorkflows } from '#contract/workflows.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { submitPosts } from '../posts.ts'
import { changeReply } from '../replies.ts'

test('queues: weekly slots, order by keys and buttons with undo, pause, best times', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'queuer' })
  const { page } = person
  await page.goto(person.at('queues'))
  await page.getByRole('heading', { name: /Bluesky$/ }).waitFor()
  await page.getByText('Nothing queued').waitFor()
  await page.getByText('Not enough results yet').waitFor()

  // a slot on two days, copied to others, undone
  await page.getByRole('button', { name: 'Add a slot on Monday' }).click()
  const panel = page.getByRole('dialog', { name: 'Add a slot on Monday' })
  await panel.getByLabel('Thursday').check()
  await panel.getByLabel('Time of the slot, minute').selectOption('30')
  await axe(page)
  await panel.getByRole('button', { name: 'Add slot' }).click()
  await page.getByText('Queue updated successfully').waitFor()
  await page.getByRole('list', { name: 'Times on Thursday' }).getByText('09:30 AM').waitFor()
  const monday = page.getByRole('button', { name: 'Times of Monday' })
  await monday.press('ArrowDown')
  await page.locator('[role=menuitem]:focus', { hasText: 'Copy to Monday to Friday' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  if (!(await monday.evaluate((button) => button === document.activeElement)))
    throw new Error('the focus is not back at the button of the menu')
  await monday.click()
  await page.getByRole('menuitem', { name: 'Copy to every day' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Copy to every day' }).click()
  await page.getByRole('list', { name: 'Times on Sunday' }).getByText('09:30 AM').waitFor()
  await page.getByRole('button', { name: 'Remove Sunday, 09:30 AM' }).click()
  await page.getByRole('list', { name: 'Times on Sunday' }).getByText('09:30 AM').waitFor({ state: 'detached' })

  await submitPosts(person, ['First in line', 'Second in line', 'Third in line'], { type: 'QUEUE' }, 'QUEUE')
  const rows = page.getByRole('list', { name: 'Queued posts' }).getByRole('listitem')
  const nth = async (i: number, text: string) => await rows.nth(i).getByText(text).waitFor()
  await nth(2, 'Third in line')
  await axe(page)
  await shot(page, 'queues', { fullPage: true })

  // the focus moves with the post, and undo moves it back
  await page.getByRole('button', { name: 'Move 3 up' }).click()
  await nth(1, 'Third in line')
  await page.keyboard.press('Alt+ArrowUp')
  await nth(0, 'Third in line')
  await page.getByText('Queue reordered successfully').waitFor()
  await page.reload()
  await nth(0, 'Third in line')
  await page.getByRole('button', { name: 'Move 1 down' }).click()
  await nth(0, 'First in line')
  // right after it a drag starts, while the list is still being reloaded
  await page.getByRole('button', { name: 'Undo' }).click()
  await nth(0, 'Third in line')
  // above its middle, where it's clear which place is meant
  await rows.nth(2).dragTo(rows.nth(0), { targetPosition: { x: 200, y: 6 } })
  await nth(0, 'Second in line')

  // Escape returns it to where it was
  await rows.nth(0).hover()
  await page.mouse.down()
  const below = await rows.nth(2).boundingBox()
  await page.mouse.move(400, (below?.y ?? 0) + 10, { steps: 4 })
  await page.locator('[data-dragged]').waitFor()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await page.locator('[data-dragged]').waitFor({ state: 'detached' })
  await nth(0, 'Second in line')

  await page.getByRole('button', { name: 'Pause queue' }).click()
  await page.getByText('Queue status updated').waitFor()
  await page.getByText('This queue is paused.').waitFor()
  await rows.nth(0).getByText('While paused').waitFor()
  await axe(page)
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'queues-phone', { fullPage: true })
  await page.getByRole('button', { name: 'Resume queue' }).click()
  await page.getByText('This queue is paused.').waitFor({ state: 'detached' })

  // best times from figures, here and in the composer
  await page.setViewportSize(DESKTOP)
  await changeReply(page, /\/best-times/, () => ({
    timezone: 'Europe/Berlin',
    posts: 64,
    needed: 30,
    problem: null,
    slots: [
      { day: 4, time: '18:00', score: 1.84 },
      { day: 2, time: '09:00', score: 1.31 },
    ],
  }))
  await page.reload()
  const best = page.getByRole('region', { name: 'Best times' })
  await best.getByText('Thursday, 06:00 PM').waitFor()
  await best.getByText('Tuesday, 09:00 AM').waitFor()
  await axe(page)
  await shot(page, 'queue-best-times', { fullPage: true })
  await page.goto(`${person.at('compose')}?date=2026-12-24&time=09:00`)
  await page.getByRole('checkbox', { name: /queuer/ }).check()
  await page
    .getByRole('group', { name: /^Best times for queuer/ })
    .getByRole('button', { name: /^Thu .*06:00 PM$/ })
    .click()
  await axe(page)
  await shot(page, 'composer-best-times')
})

test('workflows: make one with a role and someone outside, put its steps in order, change and delete it', async ({
  stage,
}) => {
  const person = await stage.newPerson({ upTo: 'channel', account: 'waiter' })
  const { page } = person
  await page.goto(person.at('workflows'))
  const table = page.getByRole('table', { name: 'Workflows' })
  await table.getByText('any Admin', { exact: true }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Create workflow' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create workflow' })
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await dialog.getByText('A name is required').waitFor()
  await dialog.getByText('Choose at least one approver').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Legal first')
  await dialog.getByLabel('Add an approver to step 1').selectOption('Any Admin')
  await dialog.getByLabel('Add an approver to step 1').selectOption('Ada Lovelace')
  await dialog.getByRole('button', { name: 'Add step' }).click()
  await dialog.getByLabel('Add an approver to step 2').selectOption('Someone outside, by email')
  const outside = dialog.getByRole('group', { name: 'Someone outside' })
  await outside.getByLabel('Name').fill('Lena Law')
  await outside.getByLabel('Email').fill('lena@example.org')
  await outside.getByLabel('Email').press('Enter')
  await dialog.getByText('Lena Law, lena@example.org').waitFor()
  await axe(page)
  await shot(page, 'workflow-editor')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'workflow-editor-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  // by its handle, back by its button
  await dialog.locator('[data-grip]').nth(1).dragTo(dialog.locator('[data-grip]').nth(0))
  await dialog.getByRole('list', { name: 'Approvers of step 1' }).getByText('Lena Law, lena@example.org').waitFor()
  await dialog.getByRole('button', { name: 'Move step 1 down' }).click()
  await dialog.getByRole('list', { name: 'Approvers of step 2' }).getByText('Lena Law, lena@example.org').waitFor()
  await dialog.getByRole('button', { name: 'Move step 2 up' }).click()
  await dialog.getByRole('list', { name: 'Approvers of step 1' }).getByText('Lena Law, lena@example.org').waitFor()
  await dialog.getByRole('button', { name: 'Create workflow' }).click()
  await page.getByText('Workflow created').waitFor()
  await table.getByText('Lena Law, then any Admin or Ada Lovelace').waitFor()
  await shot(page, 'workflows')

  await table.getByRole('button', { name: 'Legal first', exact: true }).click()
  const editor = page.getByRole('dialog', { name: 'Edit workflow' })
  await editor.getByLabel('Name', { exact: true }).fill('any admin')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('A workflow with this name already exists.').waitFor()
  await axe(page)
  await editor.getByLabel('Name', { exact: true }).fill('Legal last')
  await editor.getByRole('button', { name: 'Delete step 2' }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Workflow saved').waitFor()
  // a post that is sent for approval counts at once
  const { workflows } = await callAs(page, listWorkflows, { params: person.ids })
  const workflowId = workflows.find(({ name }) => name === 'Legal last')?.workflowId ?? ''
  await submitPosts(person, ['Please look'], { type: 'NOW' }, 'NEEDS_APPROVAL', { workflowId })
  await page.getByRole('row').filter({ hasText: 'Legal last' }).getByText('1 post', { exact: false }).waitFor()
  await page.getByRole('button', { name: 'Actions for Legal last' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete Legal last?' })
    .getByText('1 post is waiting in this workflow')
    .waitFor()
  await page.getByRole('button', { name: 'Delete workflow' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Delete workflow' }).click()
  await page.getByText('Workflow deleted').waitFor()
  await table.getByText('Legal last').waitFor({ state: 'detached' })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'workflows-phone')
})
