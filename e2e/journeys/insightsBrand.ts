import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { inDatabase } from '../database.ts'
import { addInboxChannel, ago, write } from '../inbox.ts'
import { test } from '../harness.ts'
import { onSimulators } from '../simulated.ts'

/** The zone of the project and of the days here, so that both agree at any hour. */
const IN_UTC = { timezoneId: 'UTC' }

const said = [
  { from: 'maya', text: 'I love this, great work!', days: 1 },
  { from: 'maya', text: 'Wonderful as always, thank you!', days: 2 },
  { from: 'otis', text: 'Terrible service, I am so disappointed.', days: 2 },
  { from: 'lena', text: 'When do you open on Sunday?', days: 3 },
  { from: 'juno', text: 'Zzz', days: 3 },
] as const

/** A competitor with posts of this week, and one of ours. */
const COMPETITOR = `
  with theirs as (
    insert into competitor (org_id, id, project_id, platform, remote_id, name, handle, added_at, seen_at, posts_since, read_at, state)
    values ($1, uuidv7(), $2, 'bluesky', 'did:plc:theirs', 'Fourth Wave Roasters', '@fourthwave.example', now(), now(), '2000-01-01', now(), 'read') returning org_id, id
  ), posts as (
    insert into competitor_post (org_id, competitor_id, remote_id, published_at, excerpt, figures, read_at)
    select org_id, id, 'post ' || n, now() - n * interval '1 day', 'A post', jsonb_build_object('reactions', 20 * n, 'comments', n), now() from theirs, generate_series(1, 4) n
  )
  select 1`

test('insights: the brand spotlight counts what people say', async ({ stage }) => {
  const person = await stage.newPerson({ page: IN_UTC })
  const { page } = person
  const bluesky = await addInboxChannel(stage, person, 'bluesky', 'Northlight Beans')
  const linkedin = await addInboxChannel(stage, person, 'linkedin', 'Northlight Roastery')

  await page.goto(person.at('insights/brand-spotlight'))
  await page.getByText('Nobody wrote in these days').waitFor()
  await axe(page)

  for (const { from, text, days } of said)
    await write(stage, person, { channelId: bluesky, from, text, at: ago({ days }) })
  await write(stage, person, { channelId: bluesky, from: 'maya', conversation: 'mention', at: ago({ days: 1 }) })
  await write(stage, person, { channelId: linkedin, from: 'pia', text: 'Great news!', at: ago({ days: 1 }) })
  await inDatabase(stage, ({ system }) => system.query(COMPETITOR, [person.ids.orgId, person.ids.projectId]))
  await page.reload()
  const total = page.getByRole('region', { name: 'Mentions, comments and reviews', exact: true })
  await total.getByText('7', { exact: true }).waitFor()
  const sounds = page.getByRole('list', { name: 'Conversations by how they sound' })
  await sounds.getByText('Positive').waitFor()
  // word lists judge LinkedIn's conversations, which its terms keep from models
  await page
    .getByRole('table', { name: 'By platform' })
    .getByRole('row', { name: /^LinkedIn 0 1 0 1 0 0 0$/ })
    .waitFor()
  await page.getByRole('img', { name: /^Mentions, comments and reviews by day/ }).waitFor()
  await page.getByRole('list', { name: 'Who wrote most' }).getByText('3 times').waitFor()
  await page.getByRole('img', { name: /^Engagements on Bluesky posts published in these days/ }).waitFor()
  await axe(page)
  await shot(page, 'brand', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'brand-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  // of longer ranges, only the rest
  await page.goto(person.at('insights/brand-spotlight?range=custom&from=2026-01-01&to=2026-06-30&compare=off'))
  await page.getByText('Choose at most 92 days').waitFor()
  await axe(page)
  await page.goto(person.at('insights/brand-spotlight'))
  await total.waitFor()
  // from here to the competitors, by keyboard
  await page.getByRole('navigation', { name: 'Insights' }).getByRole('link', { name: 'Competitors' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('table', { name: 'Bluesky accounts' }).getByText('Fourth Wave Roasters').waitFor()
})

test('insights: the brand spotlight searches Instagram for hashtags', async ({ stage }) => {
  const { person } = await onSimulators(stage)
  const { page } = person
  await page.goto(person.at('insights/brand-spotlight'))
  await page.getByText('No channels yet').waitFor()
  // only this sign-in has the search
  await page.goto(person.at('channels?connect=instagram'))
  const dialog = page.getByRole('dialog', { name: 'Connect Instagram' })
  await dialog.getByRole('radio', { name: 'Through Facebook' }).check()
  await dialog.getByRole('button', { name: /^Continue to / }).click()
  await page.getByRole('button', { name: 'Allow' }).click()
  const choice = page.getByRole('dialog', { name: 'Choose Instagram accounts' })
  await choice.getByRole('checkbox').nth(0).check()
  await choice.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Channel connected').waitFor()
  await page.goto(person.at('insights/brand-spotlight'))
  await page.getByText('0 of 30 hashtags used in the last 7 days.').waitFor()
  const word = page.getByRole('textbox', { name: 'Hashtag' })
  await word.fill('two words')
  await page.keyboard.press('Enter')
  await page.getByText('A hashtag has only letters, numbers and underscores.').waitFor()
  await word.fill('#Coffee')
  await page.keyboard.press('Enter')
  const top = page.getByRole('region', { name: 'Most popular with #coffee' })
  await top.getByText(/^Median of \d+ posts, as far as they show it: likes [\d,.]+, comments [\d,.]+$/).waitFor()
  await top.getByRole('link', { name: 'Open post' }).first().waitFor()
  await page
    .getByRole('region', { name: 'Of the last 24 hours' })
    .getByText(/^Median of /)
    .waitFor()
  await page.getByText(/^1 of 30 hashtags used in the last 7 days\. The first one is free again on /).waitFor()
  await axe(page)
  await shot(page, 'brand-hashtags', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'brand-hashtags-phone', { fullPage: true })
  await page.setViewportSize(DESKTOP)
  // the address has it, and it doesn't count twice
  await page.reload()
  await top.waitFor()
  await page.getByText(/^1 of 30 hashtags/).waitFor()
  await word.fill('offensive')
  await page.keyboard.press('Enter')
  await page.getByText('Instagram shows nothing for #offensive.').waitFor()
  await word.fill('silent')
  await page.keyboard.press('Enter')
  await page.getByText('Nobody posted with it in the last 24 hours, as far as Instagram shows.').waitFor()
  await page.goBack()
  await page.getByText('Instagram shows nothing for #offensive.').waitFor()
})
