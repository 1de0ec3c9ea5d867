import type { Page } from '@playwright/test'
import { createCampaign } from '#contract/campaigns.ts'
import { createLabel } from '#contract/labels.ts'
import { platformKeys } from '#contract/platforms/rules.ts'
import { callAs } from '../api.ts'
import { axe } from '../axe.ts'
import { addChannels } from '../channels.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { test, type Stage } from '../harness.ts'
import type { Person } from '../people.ts'

/** The zone of all figures here, so that project, channels and figures agree on the day. */
const IN_UTC = { timezoneId: 'UTC' }

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

/** Four channels with two months of figures; YouTube's terms keep it apart. */
async function withFigures(stage: Stage, person: Person) {
  const [instagram = '', linkedin = '', bluesky = '', youtube = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'linkedin', name: 'Roastery' },
    { platform: 'bluesky', name: 'Beans' },
    { platform: 'youtube', name: 'Films' },
  ])
  const { campaignId } = await callAs(person.page, createCampaign, {
    params: person.ids,
    body: { name: 'Winter roast', color: 'orange', startsOn: dayAgo(4), endsOn: null },
  })
  const { labelId } = await callAs(person.page, createLabel, {
    params: person.ids,
    body: { labelName: 'Recipes', color: 'green' },
  })
  const wave = (i: number, size: number) => Math.round(size * (1 + 0.6 * Math.sin(i / 3)) + ((i * 37) % 50))
  await addFigures(
    stage,
    person,
    [
      {
        channelId: instagram,
        followers: 12_400,
        post: (i) => ({
          views: wave(i, 2100),
          reach: wave(i, 1500),
          reactions: wave(i, 90),
          comments: i % 9,
          shares: i % 5,
          saves: wave(i, 12),
        }),
      },
      {
        channelId: linkedin,
        followers: 3100,
        post: (i) => ({
          impressions: wave(i, 900),
          reactions: wave(i, 30),
          comments: i % 4,
          shares: i % 3,
          clicks: wave(i, 20),
        }),
      },
      { channelId: bluesky, followers: 840, post: (i) => ({ reactions: wave(i, 14), comments: i % 3, shares: i % 4 }) },
      {
        channelId: youtube,
        followers: 5200,
        post: (i) => ({ views: wave(i, 700), reactions: wave(i, 25), comments: i % 6 }),
      },
    ],
    { campaignId, labelId },
  )
}

const go = async (page: Page, name: string) => {
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name, exact: true }).click()
}

/** The text in a list that is clipped, or sticks out of its item. */
const cutIn = (list: Element): string[] =>
  [...list.querySelectorAll('li')].flatMap((item) => {
    const card = item.getBoundingClientRect()
    return [...item.querySelectorAll(':not(.sr-only)')].flatMap((one) => {
      const { width, right, bottom } = one.getBoundingClientRect()
      const isClipped = one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX !== 'visible'
      return isClipped || (width > 0 && (right > card.right + 1 || bottom > card.bottom + 1)) ? [one.textContent] : []
    })
  })

test('insights: the hub and each platform, by day and as a table', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  await withFigures(stage, person)

  await page.goto(person.at('dashboard'))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Insights' }).click()
  await page.waitForURL('**/insights/insights')
  const totals = page.getByRole('list', { name: 'In these days', exact: true })
  await totals.getByText('Views and impressions').waitFor()
  await page.getByRole('img', { name: /^Views and impressions by day, / }).waitFor()
  // what the change compares: the days that both ranges have, of the channels on both sides
  await totals.getByText('6 of 7 days, 1 of 2 channels compared').first().waitFor()
  await totals.getByRole('button', { name: 'About Views and impressions', exact: true }).click()
  const about = page.getByRole('dialog', { name: 'About Views and impressions' })
  await about
    .getByText(/^Compared: [\d,]+ against [\d,]+\. Both are sums of the days that both sides have, 6 of 7,/)
    .waitFor()
  await about.getByText('Not compared: 1 channel with too few days in common.').waitFor()
  await axe(page)
  await shot(page, 'insights-coverage')
  await page.keyboard.press('Escape')
  await axe(page)
  // what is still being read, and what is in the way
  await inDatabase(stage, ({ system }) =>
    system.query(
      `insert into insight_sync (org_id, channel_id, kind, state, read_to, until_day)
     select c.org_id, c.id, k.kind, k.state, case when k.kind = 'history' then current_date - 100 end, case when k.kind = 'history' then current_date - 400 end
     from channel c join (values ('instagram', 'history', 'reading'), ('linkedin', 'days', 'rights')) k(platform, kind, state) on k.platform = c.platform where c.org_id = $1
     on conflict (org_id, channel_id, kind) do update set state = excluded.state, read_to = excluded.read_to, until_day = excluded.until_day`,
      [person.ids.orgId],
    ),
  )
  await page.reload()
  const toCome = page.getByRole('region', { name: 'Figures to come' })
  await toCome.getByText('A permission is missing to read its figures.').waitFor()
  // the product may have begun to read the history of other channels by itself
  await toCome
    .getByRole('progressbar', { name: /: figures back to \d\d \w{3} \d{4}$/ })
    .first()
    .waitFor()
  await page.getByRole('img', { name: /^Views and impressions by day, / }).waitFor()
  await shot(page, 'insights-hub', { fullPage: true })
  // what may not be added is on its own, with what it covers; the table says what its columns are of
  const youtube = page.getByRole('region', { name: 'YouTube' })
  await youtube.getByText('Only the number of published posts includes YouTube').waitFor()
  await youtube
    .getByText(/of 7 days (compared|known)/)
    .first()
    .waitFor()
  await page
    .getByRole('table', { name: 'By platform' })
    .getByRole('columnheader', { name: 'Engagements in these days' })
    .waitFor()
  // the best posts, each channel, and what can still change
  await page.getByRole('list', { name: 'Best posts' }).getByRole('link').first().waitFor()
  await page.getByRole('table', { name: 'By channel' }).getByRole('link', { name: 'Northlight Coffee' }).waitFor()
  await page
    .getByRole('region', { name: 'Not final yet' })
    .getByText(/All of these days are final from .* after a day ends/)
    .first()
    .waitFor()
  await page.setViewportSize(PHONE)
  await axe(page)
  const cut = await totals.evaluate(cutIn)
  if (cut.length > 0) throw new Error(`cut off in the cards: ${cut.join(', ')}`)
  await shot(page, 'insights-hub-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // another figure, by keyboard, drawn for each platform and read as a table
  await page.getByRole('button', { name: 'Show all figures' }).click()
  await page
    .getByRole('table', { name: 'What people did' })
    .getByRole('button', { name: /: draw Reactions$/ })
    .focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/figure=inTheseDays.reactions/)
  await page.getByRole('group', { name: 'Lines' }).getByRole('button', { name: 'By platform' }).click()
  await page.getByRole('img', { name: /^Reactions by day, .*: Bluesky .*, Instagram .*, LinkedIn / }).waitFor()
  await shot(page, 'insights-by-platform', { fullPage: true })
  // lines have their names at their ends; by keyboard, one is left out and drawn again
  const lines = page.getByRole('button', { name: /^(Choose lines|\d of \d lines)$/ })
  if (await page.getByRole('list', { name: 'Reactions by day: legend' }).isVisible())
    throw new Error('the legend repeats the names at the ends of the lines')
  await lines.focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: 'LinkedIn' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('img', { name: /^Reactions by day, .*: Bluesky [\d,]+, Instagram [\d,]+, YouTube / }).waitFor()
  await axe(page)
  await page.keyboard.press('Space')
  await page.keyboard.press('Escape')
  await page.getByRole('img', { name: /^Reactions by day, .*: Bluesky .*, Instagram .*, LinkedIn / }).waitFor()
  await shot(page, 'insights-all-figures', { fullPage: true })
  await page.waitForURL(/lines=platform.*figures=all|figures=all.*lines=platform/)
  await page.reload()
  await page.getByRole('img', { name: /^Reactions by day, .*: Bluesky .*, Instagram .*, LinkedIn / }).waitFor()
  await page.getByRole('button', { name: 'Show fewer figures' }).click()
  await page.getByRole('button', { name: 'Show Reactions by day as a table' }).click()
  if ((await page.getByRole('table', { name: 'Reactions by day' }).getByRole('row').count()) !== 8)
    throw new Error('the table lacks days')
  // what happened on the days: as a note in the table, and the mark's words below the chart
  await page
    .getByRole('cell', { name: /(^|; )\d posts? published$/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Show Reactions by day as a chart' }).click()
  await page.getByRole('list', { name: 'Below Reactions by day' }).getByText('Campaign').waitFor()

  // a filter of the address that can't be: which one, and corrected in the bar; Back undoes a filter
  await page.goto(person.at('insights/insights?hashtag=two%20words'))
  await page.getByRole('alert').getByText('A hashtag has only letters, numbers and underscores.').waitFor()
  await axe(page)
  await page.getByRole('button', { name: '#two words' }).click()
  await page.getByRole('textbox', { name: 'Hashtag' }).waitFor()
  await axe(page)
  await page.getByRole('textbox', { name: 'Hashtag' }).fill('winterroast')
  await page.keyboard.press('Enter')
  await page.waitForURL(/hashtag=winterroast/)
  await totals.getByText('Views and impressions').waitFor()
  await page.goBack()
  await page.getByRole('alert').getByText('A hashtag has only letters, numbers and underscores.').waitFor()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await totals.getByText('Views and impressions').waitFor()

  await go(page, 'Instagram')
  await page.getByRole('heading', { name: 'Instagram Insights' }).waitFor()
  await page.getByRole('img', { name: /by day, / }).waitFor()
  await axe(page)
  await shot(page, 'insights-platform', { fullPage: true })
})

test('insights: a dozen channels of one name, told apart in lines, legend and colors', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  const platforms = platformKeys.filter((platform) => platform !== 'youtube')
  const ids = await addChannels(
    stage,
    person,
    [...platforms, 'bluesky' as const, 'bluesky' as const].map((platform) => ({ platform, name: 'Coffee' })),
  )
  await addFigures(
    stage,
    person,
    ids.map((channelId, c) => ({
      channelId,
      followers: 1000 + c * 130,
      post: (i) => ({ reactions: 20 + c * 7 + ((i * 11) % 13) }),
    })),
    { days: 16 },
  )
  await page.goto(person.at('insights/insights'))
  await page
    .getByRole('list', { name: 'In these days', exact: true })
    .getByRole('button', { name: 'Followers', exact: true })
    .click()
  await page.getByRole('group', { name: 'Lines' }).getByRole('button', { name: 'By channel' }).click()
  const legend = page.getByRole('list', { name: 'Followers by day: legend' })
  const lines = page.getByRole('dialog', { name: 'Lines of Followers by day' })
  // as many as can be named are drawn, each with its name at its end
  await page.getByRole('button', { name: '8 of 11 lines' }).waitFor()
  if (await legend.isVisible()) throw new Error('the legend repeats the names at the ends of the lines')
  await axe(page)
  await shot(page, 'insights-many-channels', { fullPage: true })
  await page.setViewportSize({ width: 820, height: 1180 })
  await shot(page, 'insights-many-channels-tablet', { fullPage: true })
  // in the legend where there's no room for them
  await page.setViewportSize(PHONE)
  // Google Business Profile has no followers
  await legend.getByRole('button', { name: '3 more' }).waitFor()
  const names = await legend.getByRole('button', { pressed: true }).allInnerTexts()
  if (names.length !== 8 || new Set(names).size !== 8) throw new Error(`the legend says ${names.join(', ')}`)
  if (!names.includes('Bluesky · @northlight.bluesky (3)')) throw new Error(`no handle: ${names.join(', ')}`)
  await axe(page)
  await shot(page, 'insights-many-channels-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)

  // another one is drawn too, found by its name; not every line has its name at its end then
  await page.getByRole('button', { name: '8 of 11 lines' }).click()
  await page.getByRole('textbox', { name: 'Search lines' }).fill('facebook')
  await page.getByRole('checkbox', { name: 'Facebook · @northlight.facebook' }).check()
  await axe(page)
  await page.keyboard.press('Escape')
  await legend.getByRole('button', { name: '2 more' }).waitFor()

  // alone with one other, it keeps its color
  const facebook = 'Facebook · @northlight.facebook'
  const before = await legend.getByRole('button', { name: facebook }).locator('line').getAttribute('stroke')
  await page.getByRole('button', { name: 'Channels', exact: true }).click()
  await page.getByRole('checkbox', { name: facebook }).check()
  await page.getByRole('checkbox', { name: 'LinkedIn · @northlight.linkedin' }).check()
  await page.keyboard.press('Escape')
  await page.getByRole('img', { name: /: Facebook · @northlight\.facebook [\d,]+, LinkedIn [^,]* [\d,]+$/ }).waitFor()
  await page.getByRole('button', { name: 'Choose lines', exact: true }).click()
  const after = await lines.locator('label', { hasText: facebook }).locator('line').getAttribute('stroke')
  if (before === null || before !== after) throw new Error(`the color was ${before}, then ${after}`)
})
