import { readFile } from 'node:fs/promises'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { changeReply } from '../replies.ts'
import { newColleague } from '../team.ts'

test('audit: who did what, filters in the URL, and the export of what is shown', async ({ stage }) => {
  const admin = await stage.newPerson()
  const { page, at, ids } = admin
  const colleague = await newColleague(stage, admin, { role: 'editor' })
  for (const [labelName, color] of [
    ['Launch', 'blue'],
    ['=2+3', 'green'],
  ]) {
    const made = await colleague.page.request.post(`/api${at('label')}`, { data: { labelName, color } })
    if (!made.ok()) throw new Error(await made.text())
  }
  const renamed = await page.request.put(`/api/${ids.orgId}`, {
    data: { orgName: 'Rook and Co', orgType: 'organization', orgSize: '11-50' },
  })
  if (!renamed.ok()) throw new Error(await renamed.text())
  await page.goto(at('org-settings?tab=audit'))
  const list = page.getByRole('list', { name: 'Audit Logs' })
  await list.getByText('Launch').waitFor()
  const entry = list.getByRole('listitem').filter({ hasText: 'Launch' })
  await entry.getByText('Grace Hopper').waitFor()
  await entry.getByText(/^\d\d:\d\d (AM|PM), \d\d [A-Z][a-z]{2} \d{4}$/).waitFor()
  await list.getByText(`invited invitation ${colleague.email}`).waitFor()
  const changes = list.getByRole('list', { name: 'Changes' })
  await changes.getByText(/^Name: from .+ to .*Rook and Co$/).waitFor()
  await axe(page)
  await shot(page, 'audit')

  const filters = page.getByRole('group', { name: 'Filters' })
  await filters.getByRole('button', { name: 'Person' }).click()
  await page.getByRole('menuitemradio', { name: 'Grace Hopper' }).waitFor()
  await axe(page)
  await page.getByRole('menuitemradio', { name: 'Grace Hopper' }).click()
  await filters.getByRole('button', { name: 'Person: Grace Hopper' }).waitFor()
  // by keyboard
  await filters.getByRole('button', { name: 'Kind' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitemradio', { name: 'Label' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('2 entries').waitFor()
  if (!page.url().includes('who=') || !page.url().includes('kind=label'))
    throw new Error('the address does not hold the filters')
  await page.reload()
  await page.getByText('2 entries').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Export CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  if (!csv.includes(`'=2+3`) || csv.trim().split('\r\n').length !== 3)
    throw new Error(`the export is another than the list: ${csv}`)

  // days: one end, then both, in the URL and back to any
  await filters.getByRole('button', { name: 'Dates' }).click()
  const days = page.getByRole('dialog', { name: 'Filter by dates' })
  await days.getByRole('button', { name: /^From/ }).waitFor()
  await axe(page)
  await shot(page, 'audit-days')
  await page.keyboard.press('Escape')
  await page.goto(at('org-settings?tab=audit&did=nothing&from=2020-01-01&to=2020-01-31'))
  await page.getByText('No entries match').waitFor()
  await axe(page)
  await filters.getByRole('button', { name: '01 Jan 2020 to 31 Jan 2020' }).click()
  await days.getByRole('button', { name: 'Any date' }).click()
  await filters.getByRole('button', { name: 'Dates' }).waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await list.getByText('Launch').waitFor()

  await page.setViewportSize(PHONE)
  await list.getByText('Launch').waitFor()
  await axe(page)
  await shot(page, 'audit-phone')

  // an organization always has the entry of its creation; without any, the specification's text
  await changeReply(page, /\/api\/audit\/org\/[^/]+(\?|$)/, (reply) => ({ ...Object(reply), audits: [] }))
  await page.goto(at('org-settings?tab=audit'))
  await page.getByText('No audits logs found').waitFor()
  await page.getByText('Start exploring').waitFor()
  await axe(page)
})
