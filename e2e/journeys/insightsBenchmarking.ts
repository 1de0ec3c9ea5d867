import { readFileSync } from 'node:fs'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights benchmarking: channels against each other, their past and the median', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person

  // nothing to compare yet
  await page.goto(person.at('insights/benchmarking'))
  await page.getByText('No channels yet').waitFor()
  await axe(page)

  const names = ['Coffee', 'Beans', 'Roastery', 'Academy', 'Wholesale']
  const instagram = await addChannels(stage, person, [
    ...names.map((name) => ({ platform: 'instagram' as const, name })),
    { platform: 'bluesky', name: 'Notes' },
    { platform: 'youtube', name: 'Films' },
    { platform: 'youtube', name: 'Shorts' },
    { platform: 'googlemybusiness', name: 'Café' },
  ])
  await addFigures(
    stage,
    person,
    instagram.slice(0, -1).map((channelId, c) => ({
      channelId,
      followers: [4200, 12_400, 880, 6100, 2300, 640, 5200, 9100][c] ?? 0,
      post: (i) => ({
        views: 300 * ((c * 3) % 7) + 400 + ((i * (c + 3)) % 90),
        reactions: 20 + c * 7 + ((i * 11) % 13),
        comments: i % 5,
      }),
    })),
    { days: 20 },
  )
  await page.reload()
  const ofInstagram = page.getByRole('table', { name: 'Views and impressions: Instagram' })
  await ofInstagram
    .getByRole('row', { name: /Above the median of 5 channels: [\d,]+$/ })
    .first()
    .waitFor()
  await page
    .getByText(/^Median of the 5 Instagram channels of your organization: [\d,.]+\. The middle half is between/)
    .waitFor()
  await ofInstagram.getByRole('img', { name: /^Views and impressions of Northlight Beans by day: from / }).waitFor()
  // a line of the three days that one of them has says nothing
  if ((await ofInstagram.getByRole('img', { name: /of Northlight Coffee by day/ }).count()) > 0)
    throw new Error('draws a line of three days')
  // the terms of a platform forbid a rank, and one reports no views
  await page.getByText(/^YouTube's terms don't allow comparing its figures/).waitFor()
  await page.getByRole('heading', { name: '2 channels without this figure' }).waitFor()
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Northlight Notes' })
    .getByText("The platform doesn't report it.")
    .waitFor()
  await axe(page)
  await shot(page, 'insights-benchmarking', { fullPage: true })

  // the highest first; who was read on fewer days says so
  const order = (await ofInstagram.getByRole('rowheader').allInnerTexts()).map(
    (text) => /Northlight \w+/.exec(text)?.[0],
  )
  const expected = ['Roastery', 'Wholesale', 'Beans', 'Academy', 'Coffee'].map((name) => `Northlight ${name}`)
  if (order.join() !== expected.join()) throw new Error(`not in order: ${order.join(', ')}`)
  await ofInstagram
    .getByRole('row', { name: /Northlight Coffee/ })
    .getByText(/^\d of 7 days known$/)
    .waitFor()

  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-benchmarking-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // followers mean the same everywhere: all channels in one order, by keyboard, which stays in the address
  await page.getByRole('combobox', { name: 'Figure' }).selectOption({ label: 'Followers' })
  await page.waitForURL(/figure=inTheseDays.followers/)
  await page.getByRole('group', { name: 'Order' }).getByRole('button', { name: 'All channels' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/by=channel/)
  await page.reload()
  const all = page.getByRole('table', { name: 'Followers: all channels' })
  await all.getByRole('row', { name: /Northlight Beans/ }).waitFor()
  if (await all.getByText('Northlight Films').isVisible()) throw new Error('YouTube is ranked')
  await page.getByRole('table', { name: 'Followers: YouTube' }).getByText('Northlight Films').waitFor()
  await axe(page)
  await shot(page, 'insights-benchmarking-together', { fullPage: true })

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download Followers of all channels as CSV' }).click()
  const lines = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split('\r\n')
  if (lines.length !== 9 || !lines[0]?.includes('Median')) throw new Error(`the file has ${lines.join('\n')}`)
})
