import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights reach: people of 7 and of 28 days, and why other days have no total', async ({ stage }) => {
  // the zone of all figures here, so that project and figures agree on the day
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const [coffee = '', beans = '', page1 = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'instagram', name: 'Beans' },
    { platform: 'facebook', name: 'Roastery' },
  ])
  const of = (size: number) => (i: number) => ({
    views: size * 3 + i,
    reach: size + i,
    reach7: size * 4 + i * 3,
    reach28: size * 9 + i * 5,
  })
  await addFigures(stage, person, [
    { channelId: beans, followers: 900, post: of(120) },
    { channelId: coffee, followers: 12_400, post: of(2100) },
    { channelId: page1, followers: 3100, post: of(700) },
  ])

  // a platform with several channels: each has its own, and there's no sum
  await page.goto(person.at('insights/platform/instagram'))
  const accounts = page.getByRole('region', { name: 'Accounts reached', exact: true })
  const table = accounts.getByRole('table', { name: 'Accounts reached' })
  const row = (name: string) => table.getByRole('row').filter({ hasText: name })
  await row('Northlight Coffee')
    .filter({ hasText: /, the last days that are final.*16,8\d\d/ })
    .waitFor()
  await row('Northlight Beans').filter({ hasText: /972/ }).waitFor()
  await accounts.getByText('Channels have no total', { exact: false }).waitFor()
  await axe(page)
  await shot(page, 'insights-reach-platform')
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-reach-platform-phone')
  await page.setViewportSize(DESKTOP)

  // 30 days have none: says why, and leads to 28 days
  await page.goto(person.at('insights/platform/instagram?range=30'))
  await accounts.getByText(/^No total for 30 days: adding up days would count people again who come back/).waitFor()
  await axe(page)
  await shot(page, 'insights-reach-none')
  await accounts.getByRole('button', { name: 'Last 28 days' }).click()
  await page.waitForURL(/range=28(?!\d)/)
  await row('Northlight Coffee')
    .filter({ hasText: /37,8\d\d/ })
    .waitFor()
  // which is one of the days offered here, and stays the last 28 in other sections; these don't offer it beside 30
  await page.getByRole('button', { name: 'Last 28 days', exact: true }).click()
  const days = page.getByRole('dialog', { name: 'Days' })
  await days.getByRole('radio', { name: 'Last 28 days' }).and(page.locator(':checked')).waitFor()
  await axe(page)
  await shot(page, 'insights-reach-days')
  await page.keyboard.press('Escape')
  // the list of all figures says where they are
  await page.getByText('For 7 and 28 days, see above').waitFor()
  await axe(page)
  await shot(page, 'insights-reach-all-figures', { fullPage: true })
  const sections = page.getByRole('navigation', { name: 'Insights' })
  await sections.getByRole('link', { name: 'Hub', exact: true }).click()
  await page.getByRole('button', { name: 'Last 28 days', exact: true }).waitFor()
  await page.goto(person.at('insights/insights'))
  await page.getByRole('button', { name: 'Last 7 days', exact: true }).click()
  await days.getByRole('radio', { name: 'Last 30 days' }).waitFor()
  if (await days.getByRole('radio', { name: 'Last 28 days' }).isVisible()) throw new Error('offers 28 days in the hub')

  // one channel has a card, and the filters of the address hold
  await page.goto(person.at(`insights/profile/${page1}`))
  const viewers = page.getByRole('region', { name: 'Viewers', exact: true })
  await viewers.getByText(/^5,6\d\d$/).waitFor()
  await viewers.getByText(/, the last days that are final\. Facebook counts each person once\.$/).waitFor()
  await viewers.getByText(/^[+\u2212]\d+\.\d\d%/).waitFor()
  await axe(page)
  await shot(page, 'insights-reach-profile')
  await page.goto(person.at(`insights/profile/${page1}?range=90`))
  await viewers.getByRole('button', { name: 'Last 7 days' }).press('Enter')
  await viewers.getByText(/^5,6\d\d$/).waitFor()
})
