import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights profile: one channel, its growth, cadence and audience', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page, ids } = person
  await page.goto(person.at('insights/profile'))
  await page.getByText('No channels yet').waitFor()
  await axe(page)

  const [instagram = '', mastodon = '', gone = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'mastodon', name: 'Notes' },
    { platform: 'linkedin', name: 'Roastery' },
  ])
  await addFigures(
    stage,
    person,
    [
      {
        channelId: instagram,
        followers: 12_400,
        post: (i) => ({
          views: 1800 + i * 13,
          reach: 900 + i,
          reactions: 80 + (i % 17),
          comments: i % 9,
          shares: i % 5,
          saves: 4,
        }),
      },
      { channelId: mastodon, followers: 310, post: (i) => ({ reactions: 9 + (i % 7), comments: i % 3 }) },
    ],
    { days: 60 },
  )
  const cities = ['Berlin, Berlin', 'Hamburg, Hamburg', 'Leipzig, Saxony', 'Munich, Bavaria', 'Vienna, Vienna']
  await inDatabase(stage, async ({ system }) => {
    await system.query(
      `insert into audience (org_id, channel_id, day, breakdown, bucket, value)
       select $1, $2, current_date - 1, b.breakdown, b.bucket, b.value from jsonb_to_recordset($3) as b(breakdown text, bucket text, value int)`,
      [
        ids.orgId,
        instagram,
        JSON.stringify([
          ...['18-24', '25-34', '35-44', '45-54', '55-64', '65+'].map((bucket, i) => ({
            breakdown: 'age',
            bucket,
            value: [1900, 4800, 3100, 1400, 800, 400][i],
          })),
          ...['F', 'M', 'U'].map((bucket, i) => ({ breakdown: 'gender', bucket, value: [6900, 4700, 800][i] })),
          ...['DE', 'AT', 'CH', 'NL'].map((bucket, i) => ({
            breakdown: 'country',
            bucket,
            value: Math.round(8000 / (i + 1) ** 2),
          })),
          ...Array.from({ length: 15 }, (_, i) => ({
            breakdown: 'city',
            bucket: cities[i] ?? `Town ${i}, Saxony`,
            value: Math.round(3000 / (i + 1)),
          })),
        ]),
      ],
    )
  })

  // without a channel in the address, the first one; by its own terms
  await page.goto(person.at('insights/profile?range=30'))
  await page.getByRole('heading', { name: 'Profile Insights' }).waitFor()
  await page.getByRole('combobox', { name: 'Channel' }).waitFor()
  await page.getByText('Northlight Coffee', { exact: true }).first().waitFor()
  const growth = page.getByRole('region', { name: 'Growth' })
  await growth
    .getByText(/^Followers: [\d,]+ on \d\d \w{3} \d{4}, [\d,]+ more than on \d\d \w{3} \d{4}, before these days\.$/)
    .waitFor()
  await growth.getByRole('img', { name: /^Followers by day, / }).waitFor()
  await growth.getByRole('img', { name: /^Who came and who left, by day, / }).waitFor()
  const cadence = page.getByRole('region', { name: 'Cadence' })
  await cadence.getByText(/^\d+ posts in 30 days, [\d.]+ a week\. The longest time without a post was/).waitFor()
  await cadence.getByRole('img', { name: /^Published posts by week, / }).waitFor()
  // the posts of 90 days, whatever days are chosen
  const times = page.getByRole('region', { name: 'Best times' })
  await times.getByRole('img', { name: /^Engagements of posts by weekday and hour: / }).waitFor()
  await times.getByText(/^\d+ posts from .*, which had a week to get their figures\./).waitFor()
  const audience = page.getByRole('region', { name: 'Who the audience is' })
  await audience.getByRole('img', { name: /^Audience by age: Followers from 400 to 4,800$/ }).waitFor()
  await audience
    .getByRole('region', { name: 'City' })
    .getByRole('img', { name: /^Audience by city/ })
    .waitFor()
  await page
    .getByRole('img', { name: /by day, / })
    .first()
    .waitFor()
  await axe(page)
  await shot(page, 'insights-profile', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-profile-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // all cities, and countries by name in the table, by keyboard
  await audience.getByRole('button', { name: 'Show all 15' }).focus()
  await page.keyboard.press('Enter')
  await audience.getByRole('button', { name: 'Show fewer' }).waitFor()
  await audience.getByRole('button', { name: 'Show Audience by country as a table' }).click()
  await audience.getByRole('table', { name: 'Audience by country' }).getByText('Germany').waitFor()
  await axe(page)

  // another channel, which has no audience, in the address; the days stay
  await page.getByRole('combobox', { name: 'Channel' }).selectOption({ label: 'Northlight Notes' })
  await page.waitForURL(new RegExp(`/insights/profile/${mastodon}\\?range=30$`))
  await audience.getByText("The platform doesn't report it.").waitFor()
  await axe(page)
  await page.reload()
  await page
    .getByRole('navigation', { name: 'Insights' })
    .getByRole('link', { name: 'Profile' })
    .and(page.locator('[aria-current=page]'))
    .waitFor()
  await audience.getByText("The platform doesn't report it.").waitFor()

  // on the hub and the platform's screen: one channel's at a time, chosen in the address
  await page.goto(person.at('insights/insights'))
  await audience.getByRole('img', { name: /^Audience by age: Followers from 400 to 4,800$/ }).waitFor()
  await axe(page)
  await audience.getByRole('combobox', { name: 'Audience of' }).selectOption({ label: 'Northlight Roastery' })
  await page.waitForURL(new RegExp(`audienceChannelId=${gone}`))
  await audience.getByText(/^It hasn't been read yet\./).waitFor()
  await page.setViewportSize(PHONE)
  await audience.getByRole('button', { name: 'Who the audience is' }).click()
  await audience.getByText(/^It hasn't been read yet\./).waitFor()
  await axe(page)
  await shot(page, 'insights-hub-audience-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  await page.goto(person.at('insights/platform/instagram'))
  await audience.getByRole('img', { name: /^Audience by city: / }).waitFor()
  await shot(page, 'insights-platform-audience', { fullPage: true })
  await page.goto(person.at('insights/platform/mastodon'))
  await page.getByRole('table', { name: 'By channel' }).waitFor()
  await audience.waitFor({ state: 'detached' })

  // one that was deleted, and one that never was
  await inDatabase(stage, ({ system }) =>
    system.query('update channel set deleted_at = now() where org_id = $1 and id = $2', [ids.orgId, gone]),
  )
  for (const address of [gone, 'someone-elses']) {
    await page.goto(person.at(`insights/profile/${address}`))
    await page.getByText(address === gone ? 'Channel not found' : 'Not found').waitFor()
    await axe(page)
  }
  await page.goto(person.at(`insights/profile/${gone}`))
  await page.getByRole('link', { name: 'Show another channel' }).click()
  await page.getByText('Northlight Coffee', { exact: true }).first().waitFor()
})
