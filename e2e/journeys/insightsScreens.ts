import { expect } from '@playwright/test'
import { addChannels } from '../channels.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights screens: all figures line up at every width', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [channelId = ''] = await addChannels(stage, person, [{ platform: 'instagram', name: 'Coffee' }])
  await addFigures(stage, person, [
    { channelId, followers: 12_400, post: (i) => ({ views: 900 + i, reactions: 40, comments: i % 9, shares: i % 5 }) },
  ])
  for (const [width, name] of [
    [PHONE.width, 'phone'],
    [820, 'tablet'],
    [DESKTOP.width, 'desktop'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto(person.at('insights/platform/instagram?range=30'))
    const title = page.getByRole('button', { name: 'All figures', exact: true })
    const table = page.getByRole('table', { name: 'What people did' })
    await title.or(table).first().waitFor()
    if ((await title.isVisible()) && !(await table.isVisible())) await title.click()
    await table.waitFor()
    // a card's label takes two lines at most, whatever its value covers
    const heights = await table
      .getByText('Posts published in these days', { exact: true })
      .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().height))
    expect(Math.max(...heights)).toBeLessThan(50)
    await axe(page)
    await shot(page, `insights-all-figures-${name}`, { fullPage: true })
  }
})
