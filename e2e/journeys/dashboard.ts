import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { z } from 'zod'
import { axe } from '../axe.ts'
import { DESKTOP, PHONE, shot } from '../browser.ts'
import { test } from '../harness.ts'
import { signInToBluesky } from '../people.ts'
import { schedulePosts, submitPosts } from '../posts.ts'
import { changeReply, refuse } from '../replies.ts'

const ENGAGEMENT = /\/dashboard\/brandEngagement/
const CHART = /\/dashboard\/postChart/
/** The code that draws charts, in bytes as gzip. */
const MOST_OF_CHARTS = 30_000
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const Days = z.looseObject({ days: z.array(z.looseObject({ date: z.string() })) })
const Totals = z.looseObject({})
const Engagement = Days.extend({
  totals: z.object({ viewsAndImpressions: Totals, reactions: Totals, comments: Totals, shares: Totals }),
})

/** What weeks of readings would give, except shares, which no platform reports here. */
function withFigures(reply: unknown): unknown {
  const { days, totals, ...rest } = Engagement.parse(reply)
  const day = ({ date }: { date: string }, i: number) => ({
    date,
    viewsAndImpressions: i === days.length - 1 ? null : 820 + 310 * ((i * 5) % 7),
    reactions: 34 + 9 * ((i * 3) % 5),
    comments: i % 4,
    shares: null,
  })
  const figure = (name: keyof typeof totals, value: number | null, before: number | null, percent: number | null) => ({
    ...totals[name],
    value,
    before,
    changePercent: percent,
    whyNotComparable: percent === null && value !== null ? 'nothingBefore' : null,
  })
  return {
    ...rest,
    days: days.map(day),
    asOf: new Date().toISOString(),
    totals: {
      viewsAndImpressions: figure('viewsAndImpressions', 12_480, 10_000, 24.8),
      reactions: figure('reactions', 356, 412, -13.59),
      comments: figure('comments', 9, 0, null),
      shares: figure('shares', null, null, null),
    },
  }
}

/** A month of work: a few posts a day, some of which failed. */
function withPosts(reply: unknown): unknown {
  const { days, ...rest } = Days.parse(reply)
  const day = ({ date }: { date: string }, i: number) => ({
    date,
    published: 1 + ((i * 7) % 5),
    failed: i % 9 === 4 ? 1 : 0,
    scheduled: i === days.length - 1 ? 2 : 0,
  })
  return {
    ...rest,
    days: days.map(day),
    platforms: [
      { platformName: 'bluesky', published: 61, before: 48, over: { count: 61, before: 48 } },
      { platformName: 'mastodon', published: 24, before: 30, over: { count: 24, before: 30 } },
      { platformName: 'linkedin', published: 5, before: 0, over: { count: 5, before: 0 } },
    ],
  }
}

/** Sums up in the page how far its content shifts on its own (cumulative layout shift, web.dev/cls). */
function countShifts(): void {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      // fields that TypeScript's "dom" library lacks for entries of this type
      const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean }
      if (!hadRecentInput) sum += value
    }
    document.documentElement.dataset['shift'] = String(sum)
  }).observe({ type: 'layout-shift', buffered: true })
}

test('dashboard: empty and honest, then what was published, ranges in the address', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'bluesky', account: 'beginner', opens: 'dashboard' })
  const { page } = person
  await part(page, 'Publishing Behavior').getByText('Nothing was published in the last 7 days').waitFor()
  // more days wouldn't help people who never published
  await part(page, 'Brand Engagement').getByText('No metrics yet').waitFor()
  await part(page, 'Brand Engagement').getByRole('link', { name: 'Create post' }).waitFor()
  await part(page, 'Connected Accounts').getByText('beginner.test', { exact: true }).waitFor()
  await part(page, 'Inbox').getByText('Nothing was received in the last 7 days.').waitFor()
  await part(page, 'Content Status').getByText('Nothing scheduled').waitFor()
  await part(page, 'Content Status').getByRole('link', { name: 'Create post' }).waitFor()
  await axe(page)
  await shot(page, 'dashboard-empty', { fullPage: true })

  await submitPosts(person, ['The rooks are back'], { type: 'NOW' }, 'PUBLISH')
  await schedulePosts(person, [{ text: 'In a while', inDays: 2 }])
  await page.goto(person.at('dashboard?range=today'))
  // it appears automatically once the post is published
  const status = part(page, 'Content Status')
  await status.getByRole('button', { name: /Published 1 today/ }).waitFor()
  await status.getByRole('button', { name: /Scheduled 1 waiting to be published/, pressed: true }).waitFor()
  await status.getByRole('list', { name: 'Scheduled' }).getByText('In a while').waitFor()
  await part(page, 'Publishing Behavior').getByText('1 published, 0 still planned, 0 failed today.').waitFor()
  await part(page, 'Publishing Behavior').getByText('1 post', { exact: true }).waitFor()
  await part(page, 'Connected Accounts').getByText('1 post scheduled').waitFor()
  await part(page, 'Checkout these Features').getByText('Start composing, done').waitFor()
  await axe(page)
  await shot(page, 'dashboard-today', { fullPage: true })
  await part(page, 'Brand Engagement').getByText('No metrics today').waitFor()
  await part(page, 'Brand Engagement').getByRole('button', { name: 'Show 30 days' }).click()
  await page.waitForURL('**/dashboard?range=thirty')
  await part(page, 'Brand Engagement').getByText('No metrics yet').waitFor()

  const range = page.getByRole('group', { name: 'Range' })
  await range.getByRole('button', { name: 'Today' }).click()
  await page.waitForURL('**/dashboard?range=today')
  await range.getByRole('button', { name: '30 days' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**/dashboard?range=thirty')
  await page.reload()
  await range.getByRole('button', { name: '30 days', pressed: true }).waitFor()
  await part(page, 'Publishing Behavior')
    .getByRole('img', { name: /^Posts by day, .*: Published 1/ })
    .waitFor()
  // the posts of another status, by keyboard; the status is in the URL, and a post opens next to the page
  await status.getByRole('button', { name: /^Published/ }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL('**show=published')
  await status.getByRole('list', { name: 'Published' }).getByText('The rooks are back').waitFor()
  await status.getByRole('button', { name: /^Failed/ }).click()
  await status.getByText('No failed posts').waitFor()
  await status.getByRole('button', { name: /^Published/ }).click()
  await status.getByRole('link', { name: /The rooks are back/ }).click()
  await page.waitForURL('**post=**')
  await page.keyboard.press('Escape')
  await status.getByRole('link', { name: 'All published posts' }).click()
  await page.waitForURL('**/posts/published')
})

test('dashboard: figures by day as a chart and as a table, after the text', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel', account: 'measured' })
  const { page } = person
  await schedulePosts(person, [
    { text: 'The autumn blend is here', inDays: 1 },
    { text: 'Meet the roaster', inDays: 3 },
  ])
  await changeReply(page, ENGAGEMENT, withFigures)
  // one section fails, the others remain
  await refuse(page, CHART, 'INTERNAL')
  // the chart doesn't load: the text remains, and the table says the same
  await page.route('**/assets/Chart-*.js', (route) => route.abort())
  await page.goto(person.at('dashboard?range=thirty'))
  const engagement = part(page, 'Brand Engagement')
  await engagement
    .getByRole('button', { name: /Views and impressions 12.4K \+24.80% more than the 30 days before/ })
    .waitFor()
  await engagement.getByText("The chart couldn't be loaded. The table shows the same data.").waitFor()
  if ((await engagement.getByRole('table', { name: 'Views and impressions by day' }).getByRole('row').count()) !== 31)
    throw new Error('the table lacks days')
  const publishing = part(page, 'Publishing Behavior')
  await publishing.getByRole('alert').waitFor()
  await page.unroute(CHART)
  await publishing.getByRole('button', { name: 'Try again' }).click()
  await publishing.getByText('Nothing was published in the last 30 days').waitFor()
  await page.unroute('**/assets/Chart-*.js')

  // an inbox with numbers shows sentiment
  await changeReply(page, CHART, withPosts)
  await changeReply(page, /\/dashboard\/inboxStats/, (reply) => ({
    ...Object(reply),
    received: 128,
    answered: 96,
    sentiment: { positive: 71, neutral: 44, negative: 13 },
    notJudged: 7,
    asOf: new Date().toISOString(),
  }))

  const [code] = await Promise.all([
    page.waitForResponse('**/assets/Chart-*.js'),
    page.goto(person.at('dashboard?range=thirty')),
  ])
  const size = gzipSync(await code.body()).length
  if (size > MOST_OF_CHARTS) throw new Error(`the code of charts has ${size} bytes`)
  await engagement.getByRole('img', { name: /^Views and impressions by day, / }).waitFor()
  await engagement.getByRole('button', { name: /Reactions 356 \u221213.59% fewer than the 30 days before/ }).waitFor()
  // nothing to compare with: no percentage, but the reason
  await engagement.getByRole('button', { name: 'Comments 9 Nothing to compare' }).waitFor()
  if (
    (await engagement
      .getByRole('button', { name: /^Comments 9/ })
      .getByText('%')
      .count()) > 0
  )
    throw new Error('a percent of nothing')
  await engagement.getByText('Not available from your platforms').waitFor()
  await publishing.getByRole('img', { name: /^Posts by day, / }).waitFor()
  await publishing.getByText('+27.08%').waitFor()
  // a series is hidden and shown again by keyboard
  const planned = publishing
    .getByRole('list', { name: 'Posts by day: legend' })
    .getByRole('button', { name: 'Planned' })
  await planned.focus()
  await page.keyboard.press('Enter')
  await publishing.getByRole('img', { name: /^Posts by day, .*: Published \d+, Failed \d+$/ }).waitFor()
  await page.keyboard.press('Enter')
  await publishing.getByRole('img', { name: /^Posts by day, .*: Published \d+, Planned 2, Failed \d+$/ }).waitFor()
  await part(page, 'Inbox').getByText('128 received, 96 answered in the last 30 days.').waitFor()
  await axe(page)
  await shot(page, 'dashboard-figures', { fullPage: true })
  await page.setViewportSize(PHONE)
  await axe(page)
  await shot(page, 'dashboard-figures-phone', { fullPage: true })

  // by keyboard: another metric's chart, then its table
  await engagement.getByRole('button', { name: /^Reactions/ }).focus()
  await page.keyboard.press('Enter')
  await engagement.getByRole('img', { name: /^Reactions by day, / }).waitFor()
  // the values of one day after the other; the last day comes first
  await page.keyboard.press('Tab')
  const values = engagement.getByRole('slider', { name: 'Values of Reactions by day' })
  while (!(await values.evaluate((slider) => slider === document.activeElement))) await page.keyboard.press('Tab')
  const last = await values.getAttribute('aria-valuetext')
  await page.keyboard.press('ArrowLeft')
  const before = await values.getAttribute('aria-valuetext')
  // what these days have may still change, and the slider says so
  const isValue = (text: string | null) => /: Reactions \d+\. Not final$/.test(text ?? '')
  if (!isValue(last) || !isValue(before) || last === before)
    throw new Error(`the keyboard shows "${last}", then "${before}"`)
  await axe(page)
  await shot(page, 'dashboard-chart-keyboard-phone')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    engagement.getByRole('button', { name: 'Download Reactions by day as CSV' }).click(),
  ])
  const lines = (await readFile(await file.path(), 'utf8')).split('\r\n')
  if (
    lines.length !== 32 ||
    lines[0] !== '\uFEFFDay,Reactions,Notes' ||
    file.suggestedFilename() !== 'reactions-by-day.csv'
  )
    throw new Error(`the file ${file.suggestedFilename()} has ${lines.length} lines, first ${lines[0]}`)
  await engagement.getByRole('button', { name: 'Show Reactions by day as a table' }).focus()
  await page.keyboard.press('Enter')
  await engagement.getByRole('table', { name: 'Reactions by day' }).waitFor()
  await axe(page)
  await shot(page, 'dashboard-table-phone', { fullPage: true })
})

test('dashboard: a newcomer on a phone reads first how to connect, then ticks the features to check out', async ({
  newPerson,
  bluesky,
}) => {
  const person = await newPerson({ opens: 'dashboard', page: { viewport: PHONE } })
  const { page } = person
  const connect = part(page, 'Connect Social Profile').getByRole('link', { name: 'Connect Bluesky' })
  await connect.waitFor()
  await part(page, 'Connect Social Profile').getByRole('link', { name: 'Connect Facebook, not set up yet' }).waitFor()
  const box = await connect.boundingBox()
  if (!box || box.y + box.height > PHONE.height) throw new Error('the way to connect lies under the fold')
  await axe(page)
  await shot(page, 'dashboard-newcomer-phone')
  await page.setViewportSize(DESKTOP)
  await shot(page, 'dashboard-newcomer')

  const card = part(page, 'Checkout these Features')
  const features = () => card.getByRole('listitem').getByRole('link')
  // what shows nothing without a channel comes once there is one
  await card.getByRole('link', { name: 'Explore workflows' }).waitFor()
  if ((await features().count()) !== 2) throw new Error('the card shows features that need a channel')
  await connect.click()
  await signInToBluesky(page, bluesky, await bluesky.createAccount('newcomer'))
  await page.goto(person.at('dashboard'))
  await card.getByRole('link', { name: 'Start composing' }).waitFor()
  if ((await features().count()) !== 6)
    throw new Error('the card shows other features than the six of the specification')
  await card.getByRole('link', { name: 'Explore analytics' }).click()
  await page.waitForURL('**/insights/insights')
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard', exact: true }).click()
  await card.getByText('Explore analytics, done').waitFor()
  await axe(page)
  await shot(page, 'dashboard-setup')
  for (const [step, place] of [
    ['See the calendar', 'calendar'],
    ['Start composing', 'compose'],
    ['Open your inbox', 'inbox'],
    ['Add a member', 'users'],
    ['Explore workflows', 'workflows'],
  ] as const) {
    await card.getByRole('link', { name: step }).click()
    await page.waitForURL(`**/${place}**`)
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Dashboard', exact: true }).click()
    await page.getByRole('heading', { name: 'Connected Accounts' }).waitFor()
  }
  // dismissed after the last step
  await card.waitFor({ state: 'detached' })
  // for existing accounts, completed steps come first
  await part(page, 'Connected Accounts').getByText('newcomer.test', { exact: true }).waitFor()
  await page
    .getByRole('main')
    .getByRole('heading', { level: 2 })
    .first()
    .filter({ hasText: 'Content Status' })
    .waitFor()
})

test('dashboard: nothing jumps, in whatever order its figures arrive', async ({ newPerson }) => {
  const person = await newPerson({ upTo: 'channel' })
  const { page } = person
  await schedulePosts(
    person,
    [1, 2, 3, 4, 5].map((day) => ({ text: `Roast of day ${day}`, inDays: day })),
  )
  await page.addInitScript(countShifts)
  for (const [name, viewport] of Object.entries({ desktop: DESKTOP, phone: PHONE })) {
    await page.setViewportSize(viewport)
    // the first section gets its response last: that mustn't push down what is above it
    for (const late of [/\/post\?.*status=FAILED/, /\/dashboard\/postStatus/, ENGAGEMENT]) {
      let letGo: () => void = () => undefined
      const held = new Promise<void>((resolve) => (letGo = resolve))
      await page.route(late, async (route) => {
        await held
        await route.continue()
      })
      await page.goto(person.at('dashboard'))
      await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
      await page.waitForLoadState('load')
      letGo()
      await part(page, 'Publishing Behavior').getByText('Nothing was published in the last 7 days').waitFor()
      const shift = await page.evaluate(() => Number(document.documentElement.dataset['shift'] ?? 0))
      if (shift >= 0.1) throw new Error(`the dashboard moves by ${shift} on a ${name} when ${late} is late`)
      await page.unroute(late)
    }
  }
})
