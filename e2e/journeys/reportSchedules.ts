import { createReport } from '#contract/reports/reports.ts'
import { createReportSchedule, reportRecipients } from '#contract/reports/schedules.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { test } from '../harness.ts'
import { newColleague } from '../team.ts'

test('reports: schedule one, with members and outside addresses', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel', page: { timezoneId: 'Europe/Berlin' } })
  const { page, ids } = person
  const { reportId } = await callAs(page, createReport, {
    params: ids,
    body: { reportName: 'Harbor, weekly', template: 'month' },
  })
  await newColleague(stage, person, { role: 'editor' })
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  await page.getByRole('button', { name: 'Schedule' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send by email' })
  await dialog.getByText('Not sent by email yet').waitFor()
  await axe(page)
  await dialog.getByRole('button', { name: 'New schedule' }).press('Enter')
  const form = page.getByRole('dialog', { name: 'New schedule' })
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await form.getByText('Choose who gets it').waitFor()
  await axe(page)
  await form.getByRole('button', { name: 'Weekly' }).click()
  await form.getByRole('combobox', { name: 'Day' }).selectOption('Friday')
  await form.getByRole('combobox', { name: 'Wait for final figures' }).selectOption('Up to 2 days')
  await form.getByRole('combobox', { name: 'Add a member' }).selectOption('Grace Hopper')
  const address = form.getByRole('textbox', { name: 'Add an email address' })
  await address.fill('not an address')
  await page.keyboard.press('Enter')
  await form.getByText('Enter an email address').waitFor()
  await address.fill('Client@Harbor.example')
  await page.keyboard.press('Enter')
  await form.getByText('client@harbor.example').waitFor()
  await address.fill('client@harbor.example')
  await page.keyboard.press('Enter')
  await form.getByText('This address is already in the list').waitFor()
  await axe(page)
  await address.fill('')
  await shot(page, 'report-schedule-form')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'report-schedule-form-phone')
  await page.setViewportSize(DESKTOP)
  await form.getByRole('button', { name: 'Create schedule' }).click()
  await page.getByText('Report scheduled').waitFor()
  const schedule = dialog.getByRole('region', { name: 'Every Friday at 09:00 AM' })
  await schedule.getByText(/Was asked by email/).waitFor()
  await stage.mailTo('client@harbor.example', (text) => text.includes('Harbor'))
  await axe(page)
  await shot(page, 'report-schedules')

  // nobody answered for a week
  await inDatabase(stage, ({ system }) =>
    system.query(
      "update report_recipient set asked_at = asked_at - interval '8 days' where email = 'client@harbor.example'",
    ),
  )
  const more = schedule.getByRole('button', { name: /^Actions for/ })
  await more.press('Enter')
  await page.getByRole('menuitem', { name: 'Pause' }).waitFor()
  await axe(page)
  await page.getByRole('menuitem', { name: 'Pause' }).press('Enter')
  await schedule.getByText('Nothing is sent until you resume it').waitFor()
  await schedule.getByText(/Didn't agree within 7 days/).waitFor()
  await axe(page)
  await shot(page, 'report-schedule-paused')
  await schedule.getByRole('button', { name: 'Resume' }).click()
  await schedule.getByRole('button', { name: 'Ask client@harbor.example again' }).click()
  await schedule.getByText(/Was asked by email/).waitFor()

  // another day, without the address
  await more.click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const editing = page.getByRole('dialog', { name: 'Edit schedule' })
  await editing.getByRole('button', { name: 'Monthly' }).click()
  await editing.getByRole('combobox', { name: 'Day' }).selectOption('Last day')
  await editing.getByRole('button', { name: 'Remove client@harbor.example' }).click()
  await axe(page)
  await editing.getByRole('button', { name: 'Save schedule' }).click()
  await page.getByText('Schedule saved').waitFor()
  const monthly = dialog.getByRole('region', { name: 'On the last day of every month at 09:00 AM' })
  await monthly.getByRole('button', { name: 'What was sent' }).click()
  await monthly.getByText('Nothing was sent yet').waitFor()
  await monthly.getByRole('button', { name: /^Actions for/ }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const question = page.getByRole('dialog', { name: 'Delete this schedule?' })
  await question.getByText('The report stays').waitFor()
  await axe(page)
  await question.getByRole('button', { name: 'Delete schedule' }).click()
  await dialog.getByText('Not sent by email yet').waitFor()
})

test('reports: what a schedule sent: its file, and the emails that may not have arrived', async ({ stage }) => {
  const person = await stage.newPerson({ upTo: 'channel' })
  const { page, ids, email } = person
  const { reportId } = await callAs(page, createReport, {
    params: ids,
    body: { reportName: 'Harbor, monthly', template: 'month' },
  })
  const { people } = await callAs(page, reportRecipients, { params: ids })
  await callAs(page, createReportSchedule, {
    params: { ...ids, reportId },
    body: {
      when: { frequency: 'monthly', day: 3, time: '09:00', timezone: 'Europe/Berlin' },
      waitDays: 0,
      userIds: people.map(({ userId }) => userId),
      emails: [],
    },
  })
  await page.goto(person.at(`insights/report-builder/${reportId}`))
  await page.getByRole('button', { name: 'Schedule' }).click()
  const schedule = page.getByRole('region', { name: 'On the 3rd of every month at 09:00 AM' })
  await schedule.getByRole('button', { name: 'Send now' }).press('Enter')
  await page.getByText('The report will be sent in a moment').waitFor()
  await stage.mailTo(email, (text) => text.includes('Harbor, monthly'))
  await schedule.getByRole('button', { name: 'What was sent' }).press('Enter')
  const runs = schedule.getByRole('list', { name: 'What was sent' })
  await runs.getByText('Sent by hand').waitFor()
  await runs.getByText('Sent', { exact: true }).first().waitFor()
  await axe(page)
  await shot(page, 'report-runs')
  const coming = page.waitForEvent('download')
  await runs.getByRole('button', { name: /^PDF, \d+ pages?, / }).press('Enter')
  const file = await coming
  if (!file.suggestedFilename().endsWith('.pdf')) throw new Error(file.suggestedFilename())

  // its sending was cut off, so nobody knows whether it arrived
  await inDatabase(stage, ({ system }) =>
    system.query("update report_mail set state = 'unconfirmed' where email = $1", [email]),
  )
  await page.reload()
  await page.getByRole('button', { name: 'Schedule' }).click()
  await schedule.getByRole('button', { name: 'What was sent' }).click()
  await runs.getByText('Not confirmed').waitFor()
  await axe(page)
  await shot(page, 'report-mail-unconfirmed')
  await runs.getByRole('button', { name: `Send again to ${email}` }).press('Enter')
  await page.getByText('The email is sent again').waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'report-runs-phone')
})
