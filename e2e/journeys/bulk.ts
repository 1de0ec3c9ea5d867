import { readFile } from 'node:fs/promises'
import { axe } from '../axe.ts'
import { PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'

const DAY = 86_400_000
/** A day as rows write it, this many days from now. */
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10)

test('bulk schedule: template, errors in their cells, corrected in place, scheduled with progress, undone, pasted', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'bulkwriter' })
  const { page } = person
  await page.goto(person.at('posts/posts'))
  await page.getByRole('navigation', { name: 'Post lists' }).getByRole('link', { name: 'Bulk Schedule' }).click()
  await page.getByRole('heading', { name: 'Bulk Schedule', level: 1 }).waitFor()
  await page.getByText('Drop a CSV file here').waitFor()
  await axe(page)
  await shot(page, 'bulk-start')

  // the template can be scheduled as it is
  const [template] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ])
  const source = await readFile(await template.path(), 'utf8')
  const choose = async (name: string, text: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose a file' }).click(),
    ])
    await chooser.setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  }
  await choose('template.csv', source)
  await page.getByRole('button', { name: 'Schedule 2 rows' }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('dialog', { name: 'Discard these rows?' }).waitFor()
  await axe(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.getByText('Import removed').waitFor()

  const handle = /"?(@[\w.-]+)"?/.exec(source)?.[1] ?? ''
  const rows = [
    'Text,Channel,Date,Time,Mood',
    `"Good morning, harbour",${handle},${day(3)},09:30,calm`,
    `Where to,@nobody.example,${day(4)},09:30,`,
    `When,${handle},01/02/2031,25:00,`,
    `"Tea at four, as ever",${handle},${day(5)},4 PM,`,
  ]
  await choose('december.csv', rows.join('\r\n'))
  await page.getByRole('heading', { name: 'december.csv' }).waitFor()
  const row = (n: number) => page.getByRole('row', { name: `Row ${n}` })
  await row(3).getByText('There\'s no channel "@nobody.example" here, or you don\'t have access to it.').waitFor()
  await row(4).getByText('"01/02/2031" is ambiguous. Use 2031-01-02 or 2031-02-01.').waitFor()
  await page.getByText("Mood. We don't recognize them.").waitFor()
  await page.getByText('2 rows ready, 2 with errors').waitFor()
  await axe(page)
  await shot(page, 'bulk-rows')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bulk-rows-phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  // corrected in place, by keyboard
  await page.getByRole('button', { name: 'With errors 2' }).click()
  await page.getByRole('button', { name: 'Edit row 3' }).press('Enter')
  const form = page.getByRole('form', { name: 'Row 3' })
  await axe(page)
  await shot(page, 'bulk-edit')
  await form.getByRole('combobox', { name: 'Channel' }).fill(handle)
  await form.getByLabel('Text', { exact: true }).press('Control+Enter')
  await page.getByText('3 rows ready, 1 with errors').or(page.getByText('3 rows ready, 1 with an error')).waitFor()
  await page.getByRole('button', { name: 'Skip row 4' }).click()
  await page.getByText('3 rows ready, 1 skipped').waitFor()

  await page.getByRole('button', { name: 'Schedule 3 rows' }).click()
  await page.getByText('Scheduling 3 rows').waitFor()
  await page.getByText('3 scheduled, 1 skipped').waitFor()
  await axe(page)
  await shot(page, 'bulk-done')
  await page.getByRole('link', { name: 'Open the scheduled post of row 2' }).click()
  await page.getByRole('dialog').getByText('Good morning, harbour').first().waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Undo schedule' }).click()
  await page.getByText('3 undone, 1 skipped').waitFor()
  await shot(page, 'bulk-undone')
  await page.goto(person.at('posts/scheduled'))
  await page.getByText('Nothing scheduled').waitFor()
  await page.goto(person.at('posts/bulk-schedule'))
  await page.getByRole('table', { name: 'Imports' }).getByText('Undone', { exact: true }).waitFor()
  await axe(page)
  await shot(page, 'bulk-imports')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bulk-imports-phone')

  // pasted rows: a missing column, then the cap, named before and kept
  await page.setViewportSize({ width: 1440, height: 900 })
  const paste = page.getByLabel('Or paste rows from a spreadsheet')
  await paste.fill('Text\tChannel\nHello\t@me')
  await page.getByRole('button', { name: 'Check rows' }).click()
  await page.getByRole('alert').getByText('The column Date is missing.').waitFor()
  await axe(page)
  await shot(page, 'bulk-refused')

  await paste.fill(Array.from({ length: 11 }, (_, i) => `Number ${i + 1}\t${handle}\t${day(i + 2)}\t09:30`).join('\n'))
  await page.getByRole('button', { name: 'Check rows' }).click()
  await page
    .getByText(
      "You've reached the limit of 10 scheduled posts for the following accounts. Upgrade your plan to schedule more posts",
    )
    .waitFor()
  if (!(await page.getByRole('button', { name: 'Schedule 11 rows' }).isDisabled()))
    throw new Error('what would be refused can be pressed')
  await axe(page)
  await shot(page, 'bulk-cap')
  await page.getByRole('button', { name: 'Skip row 11' }).click()
  await page.getByRole('button', { name: 'Schedule 10 rows' }).click()
  await page.getByText('10 scheduled, 1 skipped').waitFor()
  await page.goto(person.at('posts/scheduled'))
  await page.getByText('Number 10').waitFor()
})

/** A text in the encoding of Cyrillic Windows, whose letters are in the alphabet's order. */
const inCyrillic = (text: string): Buffer =>
  Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0
      return code >= 0x410 && code <= 0x44f ? code - 0x410 + 0xc0 : code
    }),
  )

test('bulk schedule: a file of another tool is read in its encoding, and its rows get a channel', async ({
  newPerson,
}) => {
  const person = await newPerson({ upTo: 'channel', account: 'bulkmover' })
  const { page } = person
  await page.goto(person.at('posts/bulk-schedule'))
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose a file' }).click(),
  ])
  const text = 'Доброе утро, гавань'
  const source = `Text,Tags,Posting Time\r\n"${text}",,${day(3)} 09:30\r\n"${text} снова",,${day(4)}T09:30:00Z\r\n"${text} 3",,01/12/2099 10:00\r\n"${text} 4",,13/12/2099 10:00\r\n`
  await chooser.setFiles({ name: 'buffer.csv', mimeType: 'text/csv', buffer: inCyrillic(source) })

  // it's guessed, and another choice shows at once
  const form = page.getByRole('form', { name: 'How to read buffer.csv' })
  await form.getByText('Read as Cyrillic.').waitFor()
  await form.getByText(text).first().waitFor()
  await axe(page)
  await shot(page, 'bulk-encoding')
  await form.getByLabel('Encoding').selectOption('Greek')
  await form.getByText('Read as Greek.').waitFor()
  await form.getByText(text).first().waitFor({ state: 'detached' })
  await form.getByLabel('Encoding').selectOption('Cyrillic')
  await form.getByText(text).first().waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bulk-encoding-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await form.getByRole('button', { name: 'Check rows' }).click()

  await page.getByRole('heading', { name: 'buffer.csv' }).waitFor()
  await page.getByText('4 rows without a channel').waitFor()
  // the other date with slashes has its day first
  const dates = page.getByText('1 date can be read two ways')
  await page.getByText('01/12/2099 10:00 would be 2099-12-01 10:00. Other dates in this file').waitFor()
  await axe(page)
  await shot(page, 'bulk-without-channel')
  await page.getByRole('button', { name: 'Month first' }).click()
  await page.getByText('would be 2099-01-12 10:00.').waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'bulk-dates-phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Day first' }).click()
  await page.getByRole('button', { name: 'Use for these dates' }).click()
  await dates.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Use for these rows' }).click()
  await page.getByText('4 rows without a channel').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Schedule 4 rows' }).click()
  await page.getByText('4 scheduled').waitFor()
})
