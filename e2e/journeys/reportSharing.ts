import sharp from 'sharp'
import { organizationBrand } from '#contract/reports/brand.ts'
import { createReportLink } from '#contract/reports/links.ts'
import { createReport } from '#contract/reports/reports.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { newColleague } from '../team.ts'

test('reports: a link shows the report to anyone who has it, until it ends', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page, ids } = person
  const { reportId } = await callAs(page, createReport, {
    params: ids,
    body: { reportName: 'Harbor, November', template: 'month' },
  })
  // a colleague's link, before they lose their access
  const colleague = await newColleague(stage, person, { role: 'editor' })
  await callAs(colleague.page, createReportLink, {
    params: { ...ids, reportId },
    body: { linkName: 'The agency', days: 30 },
  })
  await inDatabase(stage, ({ system }) =>
    system.query(
      'delete from project_member where project_id = $1 and person_id = (select id from person where email = $2)',
      [ids.projectId, colleague.email],
    ),
  )
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Harbor Coffee, November')
  await page.getByRole('button', { name: 'Share' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Share by link' })
  await dialog.getByText('Links show the report as it was last saved').waitFor()
  await dialog.getByText("Grace Hopper can't see this report anymore").waitFor()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText('Enter a name').waitFor()
  await axe(page)
  await dialog.getByRole('textbox', { name: "Whom it's for" }).fill('Harbor Coffee')
  await dialog.getByRole('combobox', { name: 'Works for' }).selectOption('7 days')
  await page.keyboard.press('Tab')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await dialog.getByText("You won't see it again").waitFor()
  await dialog.getByText('Not opened yet').first().waitFor()
  await axe(page)
  await shot(page, 'report-share')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'report-share-phone')
  await page.setViewportSize(DESKTOP)
  const address = await dialog.getByRole('textbox', { name: 'Address of the new link' }).inputValue()

  const stranger = await stage.openPage()
  await stranger.goto(new URL(address).pathname)
  await stranger.getByText('Harbor, November').first().waitFor()
  await dialog.getByRole('button', { name: 'End link for Harbor Coffee' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'End this link?' })
  await question.getByText('The link for Harbor Coffee stops working at once').waitFor()
  await axe(page)
  await question.getByRole('button', { name: 'End link' }).click()
  await page.getByText('Link ended').waitFor()
  const gone = await stranger.goto(new URL(address).pathname)
  if (gone?.status() !== 404) throw new Error(String(gone?.status()))
})

test('reports: those who may not edit see the pages and the files', async ({ stage }) => {
  const admin = await stage.newPerson({ upTo: 'channel' })
  const { reportId } = await callAs(admin.page, createReport, {
    params: admin.ids,
    body: { reportName: 'For all to see', template: 'month' },
  })
  const { page } = await newColleague(stage, admin, { role: 'user', opens: `insights/report-builder/${reportId}` })
  await page.getByText('You can view this report').waitFor()
  await page.getByRole('img', { name: /^Page 1 of \d+: Cover/ }).waitFor()
  for (const action of ['Share', 'Schedule', 'Add block', 'Save', 'Undo'])
    if ((await page.getByRole('button', { name: action, exact: true }).count()) > 0) throw new Error(action)
  await axe(page)
  await shot(page, 'report-view-only')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'PDF' }).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')
  for (const [item, name] of [
    ['PDF', /^For all to see \d{4}-\d\d-\d\d\.pdf$/],
    ['Excel (XLSX), a sheet per block', /^For all to see \d{4}-\d\d-\d\d\.xlsx$/],
    ['Figures: Followers, Views and impressions and 4 more', /^For all to see Figures \d{4}-\d\d-\d\d\.csv$/],
  ] as const) {
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).and(page.locator(':not([aria-busy])')).press('Enter')
    await page.getByRole('menuitem', { name: item, exact: true }).press('Enter')
    const file = await coming
    if (!name.test(file.suggestedFilename())) throw new Error(file.suggestedFilename())
  }
})

test("reports: the organization's logo and color", async ({ stage }) => {
  const { page, ids } = await stage.newPerson({ opens: 'org-settings' })
  const section = page.getByRole('region', { name: 'Reports' })
  await section.locator('[data-logo]').setInputFiles({
    name: 'words.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('not a picture'),
  })
  await section.getByText("We can't read this file as a picture").waitFor()
  const logo = await sharp({ create: { width: 600, height: 200, channels: 4, background: '#2b6f77' } })
    .png()
    .toBuffer()
  await section.locator('[data-logo]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo })
  await section.getByRole('img', { name: 'Logo' }).waitFor()
  const color = section.getByRole('textbox', { name: 'Color (optional)' })
  await color.fill('yellow')
  await section.getByText('Enter a color such as #1d4ed8').waitFor()
  await axe(page)
  await color.fill('#FFD400')
  await section.getByText(/^Too light for text on paper, so text has #/).waitFor()
  await section.getByRole('button', { name: 'Save look of reports' }).scrollIntoViewIfNeeded()
  await axe(page)
  await shot(page, 'report-brand')
  await section.getByRole('button', { name: 'Save look of reports' }).click()
  await page.getByText('Saved', { exact: true }).waitFor()
  const brand = await callAs(page, organizationBrand, { params: { orgId: ids.orgId } })
  if (brand.accent !== '#ffd400' || brand.logoUrl === null) throw new Error(JSON.stringify(brand))
  await section.getByRole('button', { name: 'Remove logo' }).click()
  await section.getByRole('button', { name: 'Save look of reports' }).click()
  await section.getByRole('button', { name: 'Choose logo' }).waitFor()
})
