import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights worked: which formats, hours and lengths, by median and quartiles', async ({ stage }) => {
  // the zone of all figures here, so that project and figures agree on the day
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [instagram = '', bluesky = '', youtube = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'bluesky', name: 'Beans' },
    { platform: 'youtube', name: 'Films' },
  ])
  const wave = (i: number, size: number) => Math.round(size * (1 + 0.4 * Math.sin(i / 3)) + ((i * 37) % 11))
  // the first one has a gap in the last days
  await addFigures(
    stage,
    person,
    [
      { channelId: bluesky, followers: 840, post: (i) => ({ reactions: wave(i, 14), comments: i % 3 }) },
      {
        channelId: instagram,
        followers: 12_400,
        // the last days are out of the ordinary
        post: (i) => ({
          views: wave(i, 2100) * (i <= 8 ? 6 : 1),
          reactions: wave(i, 90),
          comments: i % 9,
          saves: wave(i, 12),
        }),
      },
      { channelId: youtube, followers: 5200, post: (i) => ({ views: wave(i, 700), reactions: wave(i, 25) }) },
    ],
    { days: 80 },
  )

  // what is usual comes after the figures, in words and in color
  const views = page.getByRole('list', { name: 'In these days', exact: true }).getByRole('listitem').first()
  await page.goto(person.at('insights/insights'))
  await views.getByText(/^Usually [\d,]+ to [\d,]+/).waitFor()
  await views.getByRole('button', { name: 'About Views and impressions', exact: true }).click()
  await page
    .getByRole('dialog', { name: 'About Views and impressions' })
    .getByText(/Usually [\d,]+ to [\d,]+ on \d of 7 days, judging by (?:\d of )?the 8 weeks before\. Now it's [\d,]+\./)
    .waitFor()
  await axe(page)
  await shot(page, 'insights-usual')
  await page.keyboard.press('Escape')

  // the usual 7 days have no post that is old enough: says so, and leads to more
  const panel = page.getByRole('region', { name: 'What worked' })
  await panel.getByText("Posts are compared once they're 7 days old", { exact: false }).waitFor()
  await axe(page)
  await panel.getByRole('button', { name: 'Last 90 days' }).click()
  await page.waitForURL(/range=90/)
  await panel
    .getByRole('img', {
      name: /^Engagements of posts by format: highest median \d+ for Instagram · Text \(\d+ posts\)/,
    })
    .waitFor()
  await panel
    .getByRole('list', { name: 'Clear differences' })
    .getByText(
      /^Instagram · Text had more engagements than Bluesky · Text: usually \d+ to \d+ \(\d+ posts\), against \d+ to \d+ \(\d+ posts\)\.$/,
    )
    .waitFor()
  await panel.getByText("YouTube's terms don't allow comparing its figures.", { exact: false }).waitFor()
  await axe(page)
  await panel.scrollIntoViewIfNeeded()
  await shot(page, 'insights-worked', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-worked-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // as a table, with the number of posts and without a gap turned into a number
  await panel.getByRole('button', { name: 'Show Engagements of posts by format as a table' }).click()
  const table = panel.getByRole('table', { name: 'Engagements of posts by format' })
  await table.getByRole('columnheader', { name: 'Third quartile' }).waitFor()
  await table.getByRole('row', { name: /^All posts \d+ / }).waitFor()

  // by keyboard: the next tab; another figure; both in the address
  await panel.getByRole('tab', { name: 'Format' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.waitForURL(/workedBy=label/)
  await panel.getByRole('tab', { name: 'Weekday and hour' }).click()
  await panel
    .getByRole('img', { name: /^Engagements of posts by weekday and hour: from \d+ to \d+, most on / })
    .waitFor()
  const cells = panel.getByRole('slider', { name: 'Values of Engagements of posts by weekday and hour' })
  await cells.focus()
  await page.keyboard.press('ArrowRight')
  await panel
    .locator('p')
    .getByText(/^Mon, 01:00: (–|\d+), \d+ posts?$/)
    .waitFor()
  await axe(page)
  await shot(page, 'insights-worked-hours', { fullPage: true })
  await page.setViewportSize(PHONE)
  await shot(page, 'insights-worked-hours-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  await panel.getByRole('combobox', { name: 'Figure of What worked' }).selectOption('Engagement rate')
  await page.waitForURL(/worked=engagementRate/)
  await panel.getByRole('tab', { name: 'Length of the text' }).click()
  await page.reload()
  await panel
    .getByRole('img', {
      name: /^Engagement rate of posts by length of the text: median [\d.]+% for 1 to 99 characters/,
    })
    .waitFor()
  await panel.getByText(/Engagement rate of \d+ posts aren't reported/).waitFor()

  // a platform's own screen compares its own; one whose terms forbid it says so
  await page.goto(person.at('insights/platform/bluesky?range=90'))
  await panel.getByRole('img', { name: /^Engagements of posts by format: .* for Text \(\d+ posts\)/ }).waitFor()
  await page.goto(person.at('insights/platform/youtube?range=90'))
  await panel.getByText("YouTube's terms don't allow comparing its figures.").waitFor()
})
