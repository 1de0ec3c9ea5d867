import { createCampaign } from '#contract/campaigns.ts'
import { createLabel } from '#contract/labels.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { addChannels } from '../channels.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { test } from '../harness.ts'

test('insights campaigns: campaigns and labels side by side, chosen and drawn', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page, ids } = person

  // nothing yet: what it would be, and where campaigns are made
  await page.goto(person.at('insights/campaign'))
  await page.getByRole('heading', { name: 'Campaign Insights' }).waitFor()
  const [instagram = '', linkedin = '', youtube = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'linkedin', name: 'Roastery' },
    { platform: 'youtube', name: 'Films' },
  ])
  await page.reload()
  await page.getByText('No campaigns yet').waitFor()
  await axe(page)
  await page.getByRole('link', { name: 'Go to campaigns' }).waitFor()

  const made = async (name: string, color: 'orange' | 'cyan' | 'purple') =>
    (await callAs(page, createCampaign, { params: ids, body: { name, color, startsOn: null, endsOn: null } }))
      .campaignId
  const winter = await made('Winter roast', 'orange')
  const subscription = await made('Subscriptions for offices with many cups', 'cyan')
  await made('Spring', 'purple')
  const { labelId } = await callAs(page, createLabel, { params: ids, body: { labelName: 'Recipes', color: 'green' } })

  // campaigns, but none with posts in these days
  await page.reload()
  await page.getByText('No posts of a campaign in these days').waitFor()
  await axe(page)

  const { postIds } = await addFigures(
    stage,
    person,
    [
      {
        channelId: instagram,
        followers: 12_400,
        post: (i) => ({
          views: 1800 + i * 13,
          reactions: 80 + (i % 17),
          comments: i % 9,
          shares: i % 5,
          saves: 3 + (i % 4),
        }),
      },
      {
        channelId: linkedin,
        followers: 3100,
        post: (i) => ({
          impressions: 700 + i * 7,
          reactions: 20 + (i % 11),
          comments: i % 4,
          shares: i % 3,
          clicks: 9 + i,
        }),
      },
      { channelId: youtube, followers: 5200, post: (i) => ({ views: 700 + i, reactions: 25, comments: i % 6 }) },
    ],
    { days: 75, campaignId: winter, labelId },
  )
  // the second campaign has what LinkedIn published, which has no saves
  await inDatabase(stage, ({ system }) =>
    system.query(
      'insert into post_campaign (org_id, post_id, campaign_id) select $1, id, $2 from post where channel_id = $3 and id = any($4) order by shown_at desc limit 20',
      [ids.orgId, subscription, linkedin, postIds],
    ),
  )

  await page.reload()
  const table = page.getByRole('table', { name: 'Campaigns' })
  await table.getByRole('row', { name: /^Winter roast/ }).waitFor()
  await page.getByRole('button', { name: 'Last 30 days' }).waitFor()
  await page.getByText('Posts published in these days, with their figures to date.').waitFor()
  // a campaign whose platform reports no saves has a dash, and says why
  await table
    .getByRole('row', { name: /^Subscriptions .* LinkedIn: The platform reported nothing for these days/ })
    .waitFor()
  // what a platform never has is said once
  const notes = page.getByRole('region', { name: "What platforms don't report" })
  await notes.getByText("YouTube: not included, because terms don't allow", { exact: false }).waitFor()
  await table.getByRole('button', { name: /^(\d platforms lack|\w+ lacks) figures: Winter roast$/ }).click()
  const missing = page.getByRole('dialog', { name: 'Figures missing from Winter roast' })
  await missing.getByText('Saves', { exact: true }).first().waitFor()
  await axe(page)
  await shot(page, 'insights-campaigns-missing')
  await page.keyboard.press('Escape')
  await table
    .getByText(/^\d+ before$/)
    .first()
    .waitFor()
  await page.getByRole('img', { name: /^Views and impressions by campaign: Views and impressions from / }).waitFor()
  await axe(page)
  await shot(page, 'insights-campaigns', { fullPage: true })
  await table.getByRole('button', { name: 'About Engagement rate' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'About Engagement rate' }).waitFor()
  await axe(page)
  await page.keyboard.press('Escape')

  // another figure, as a table, and it stays in the address
  await page.getByRole('combobox', { name: 'Figure' }).selectOption({ label: 'Published posts' })
  await page.waitForURL(/figure=postsPublished.published/)
  await page.reload()
  await page.getByRole('button', { name: 'Show Published posts by campaign as a table' }).click()
  await page.getByRole('table', { name: 'Published posts by campaign' }).waitFor()
  await axe(page)
  await page.getByRole('button', { name: 'Show Published posts by campaign as a chart' }).click()

  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'insights-campaigns-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // chosen by keyboard, one without posts too
  await page.getByRole('main').getByRole('button', { name: 'Campaigns', exact: true }).nth(1).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'Spring' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('checkbox', { name: 'Winter roast' }).check()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.waitForURL(/ids=/)
  await table.getByRole('row', { name: /^Spring/ }).waitFor()
  await table.getByRole('row', { name: /^Subscription/ }).waitFor({ state: 'detached' })

  // labels instead, and the last month, both in the address; the hub has its own days
  await page.getByRole('group', { name: 'Compare' }).getByRole('button', { name: 'Labels' }).click()
  await page.waitForURL((url) => url.searchParams.get('by') === 'label' && !url.searchParams.has('ids'))
  await page
    .getByRole('table', { name: 'Labels' })
    .getByRole('row', { name: /^Recipes/ })
    .waitFor()
  await page.getByRole('button', { name: 'Last 30 days' }).click()
  await page.getByRole('radio', { name: 'Last month' }).check()
  await axe(page)
  await page.keyboard.press('Escape')
  await page.waitForURL(/range=month/)
  await page
    .getByRole('table', { name: 'Labels' })
    .getByRole('row', { name: /^Recipes/ })
    .waitFor()
  await shot(page, 'insights-labels', { fullPage: true })
  await page.goto(person.at('insights/campaign'))
  await table.getByRole('row', { name: /^Winter roast/ }).waitFor()
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'Hub' }).click()
  await page.getByRole('button', { name: 'Last 7 days' }).waitFor()

  // its number of posts leads to them, and its name to itself
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'Campaigns' }).click()
  await table.getByRole('link', { name: /^\d+ posts of Winter roast$/ }).click()
  await page.waitForURL(
    (url) =>
      url.pathname.endsWith('/insights/post-table') &&
      url.searchParams.get('campaignId') === winter &&
      url.searchParams.get('range') === '30',
  )
  await page.getByRole('heading', { name: 'Post Table' }).waitFor()
  await page.goto(person.at('insights/campaign'))
  await table.getByRole('link', { name: 'Winter roast', exact: true }).click()
  await page.waitForURL(`**/campaigns/${winter}`)
})
