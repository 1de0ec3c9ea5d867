import { addChannels } from '../channels.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights layout: folded on a phone, and a short way to the figures by keyboard', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [channelId = ''] = await addChannels(stage, person, [{ platform: 'instagram', name: 'Coffee' }])
  await addFigures(stage, person, [
    { channelId, followers: 12_400, post: (i) => ({ views: 900 + i, reactions: 40, comments: i % 9, shares: i % 5 }) },
  ])

  // closed sections load nothing; one that was opened is open when people come back to it
  await page.setViewportSize(PHONE)
  await page.goto(person.at('insights/insights'))
  const byChannel = page.getByRole('button', { name: 'By channel', exact: true, expanded: false })
  await byChannel.waitFor()
  await page.getByRole('button', { name: 'What worked', expanded: false }).waitFor()
  if (await page.getByRole('table').first().isVisible())
    throw new Error('a table is there before its section is opened')
  await axe(page)
  await shot(page, 'insights-folded', { fullPage: true })
  await byChannel.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'By channel' }).getByRole('link', { name: 'Northlight Coffee' }).click()
  await page.getByRole('heading', { name: 'Profile Insights', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'By channel', exact: true, expanded: true }).waitFor()
  await page.getByRole('table', { name: 'By channel' }).getByRole('link', { name: 'Northlight Coffee' }).waitFor()
  await axe(page)

  // past the rail, the filters and the sections: a few stops instead of fifty
  await page.setViewportSize(DESKTOP)
  await page.goto(person.at('insights/insights'))
  await page.getByRole('list', { name: 'In these days', exact: true }).getByText('Engagements').first().waitFor()
  await page.locator('body').press('Tab')
  await page.keyboard.press('Enter')
  const skip = page.getByRole('link', { name: 'Skip to figures' })
  // after the plan's notice, which has a link and a button
  for (const _ of ['link', 'button', 'skip']) await page.keyboard.press('Tab')
  await skip.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.locator('#figures :focus').waitFor()
  await axe(page)

  // Esc before the panel's code is there, then in the panel: the focus is on the button, also while the page is busy
  await page.reload()
  const about = page.getByRole('button', { name: 'About Engagements', exact: true })
  await about.evaluate(async (button: HTMLElement) => {
    button.focus()
    button.click()
    await Promise.resolve()
    button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  })
  await about.and(page.locator('[aria-expanded=false]')).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'About Engagements' }).waitFor()
  const focused = await page.evaluate(() => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    return document.activeElement?.getAttribute('aria-label')
  })
  if (focused !== 'About Engagements') throw new Error(`Esc left the focus on ${focused}`)
})
