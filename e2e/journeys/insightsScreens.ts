import { expect } from '@playwright/test'
import { insightsCollecting } from '#contract/analytics/collecting.ts'
import { addChannels } from '../channels.ts'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { addFigures } from '../figures.ts'
import { test, type Stage } from '../harness.ts'
import type { Person } from '../people.ts'
import { changeReply } from '../replies.ts'
import { newColleague } from '../team.ts'

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

/** The person's role only has these channels. */
const bindTo = (stage: Stage, { ids, email }: Person, channelIds: readonly string[]) =>
  inDatabase(stage, ({ system }) =>
    system.query(
      `update project_member set channel_ids = $3 where project_id = $1 and person_id = (select id from person where email = $2)`,
      [ids.projectId, email, channelIds],
    ),
  )

test('insights screens: say what to do without channels', async ({ stage }) => {
  const person = await stage.newPerson({ page: { timezoneId: 'UTC' } })
  const { page } = person
  const sections = ['insights', 'post-table', 'campaign', 'benchmarking', 'profile', 'brand-spotlight', 'ai-analysis']
  for (const section of sections) {
    await page.goto(person.at(`insights/${section}`))
    await page.getByText('No channels yet').waitFor()
    await page.getByRole('link', { name: 'Connect a channel' }).waitFor()
  }
  await axe(page)
  await shot(page, 'insights-no-channels', { fullPage: true })

  const [instagram = ''] = await addChannels(stage, person, [
    { platform: 'instagram', name: 'Coffee' },
    { platform: 'threads', name: 'Notes' },
  ])
  // the first day: nothing was read yet
  await changeReply(page, '**/insights/collecting', (reply) => ({
    channels: insightsCollecting.reply.parse(reply).channels.map((channel) => ({ ...channel, readings: [] })),
  }))
  for (const section of ['insights', 'platform/instagram', 'profile']) {
    await page.goto(person.at(`insights/${section}`))
    await page.getByText('Your first figures are on their way').waitFor()
  }
  await axe(page)
  await page.goto(person.at('insights/insights'))
  await page.getByText(/We're reading 2 channels\./).waitFor()
  await axe(page)
  await shot(page, 'insights-first-day', { fullPage: true })
  await page.unroute('**/insights/collecting')

  await page.goto(person.at('insights/platform/bluesky'))
  await page.getByText('No Bluesky channel yet').waitFor()
  await page.getByRole('link', { name: 'Connect Bluesky' }).waitFor()
  await axe(page)

  const colleague = await newColleague(stage, person)
  await bindTo(stage, colleague, [instagram])
  await colleague.page.goto(person.at('insights/platform/threads'))
  await colleague.page.getByText('Your role includes no Threads channel').waitFor()
  await axe(colleague.page)
  await colleague.page.goto(person.at('insights/platform/instagram'))
  // before or after its first reading
  await colleague.page
    .getByText('Your first figures are on their way')
    .or(colleague.page.getByRole('list', { name: 'In these days', exact: true }))
    .first()
    .waitFor()
})
