import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql, type RawBuilder } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { asSystem } from '../db/system.ts'
import { inboxRules } from '#contract/platforms/inboxRegistry.ts'
import { platformFigures } from '#contract/analytics/catalog/catalog.ts'
import { listGoals } from '#contract/analytics/goals.ts'
import { listBioPages } from '#contract/linkInBio/pages.ts'
import { listReports } from '#contract/reports/reports.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { comparedFigures } from '../testing/comparedFigures.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { readSecretKeys } from '../delivery/secrets.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import { readDueInboxes } from '../inbox/read.ts'
import { readDueCompetitors } from '../competitors/readDue.ts'
import { readOwnPosts } from '../insights/importPosts.ts'
import { readDueMetrics } from '../insights/readMetrics.ts'
import { startBlueskySimulator, type Simulator } from '../simulators/bluesky/start.ts'
import { PAST_FILE, readPast } from '../simulators/past.ts'
import { writtenMessages } from '../simulators/xMessages.ts'
import { startPlatforms, type RunningPlatforms } from '../simulators/start.ts'
import { answerEveryKind } from '../testing/answers.ts'
import { freePort } from '../testing/freePort.ts'
import { runProgram } from '../testing/program.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { demoPerson } from './content.ts'

// What `npm run seed` runs, on a database of its own.

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  dataDir = mkdtempSync(join(inject('cluster').folder, 'seed-'))
  blueskyPort = await freePort()
})
afterAll(async () => await database.drop())

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
let dataDir: string
let blueskyPort: number

function seed() {
  const { superuser } = inject('cluster')
  const DATABASE_URL = `postgres://${superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${database.settings.app.database}?host=${encodeURIComponent(superuser.host)}`
  return runProgram(
    dataDir,
    { DATABASE_URL, SIMULATED_CHANNELS: '1', SIMULATOR_PORT: String(blueskyPort), ENCRYPTION_KEY },
    fileURLToPath(new URL('main.ts', import.meta.url)),
  )
}

// runs the program twice, which takes a while on a busy machine
it(
  'creates the demo organization once, and leaves every waiting post to the engine at its time',
  { timeout: 600_000 },
  async () => {
    expect(await seed()).toMatchObject({ code: 0, output: expect.stringContaining('Created Northlight Coffee') })
    const waiting = await asSystem(
      database.databases.system,
      async (tx) =>
        (
          await sql<{ state: string; posts: number; timed: number; unknown: number }>`
        select p.state, count(*)::int as posts, count(d.step_at)::int as timed,
          count(*) filter (where p.due_at is not null and (d.step is null or d.wanted_at is distinct from p.due_at))::int as unknown
        from post p left join delivery d on d.org_id = p.org_id and d.subject_id = p.id and d.subject = 'post'
        where p.state in ('SCHEDULED', 'QUEUED') group by p.state order by p.state`.execute(tx)
        ).rows,
    )
    expect(waiting).toMatchObject([
      { state: 'QUEUED', unknown: 0 },
      { state: 'SCHEDULED', unknown: 0 },
    ])
    for (const { posts, timed } of waiting) {
      expect(posts).toBeGreaterThan(0)
      expect(timed).toBeGreaterThan(0)
    }
    await expectTwoYears()
    await expectVariety()
    await expectLivelyInbox()
    expect(await seed()).toMatchObject({ output: expect.not.stringContaining('Created') })
  },
)

/** Every platform's own figures, as far back as its terms let them be kept, and none that it doesn't report. */
async function expectTwoYears() {
  const told = await counted(sql<{ platform: PlatformKey; names: string[]; days: number }>`
    select c.platform, array_agg(distinct f.name order by f.name) as names, (max(f.day) - min(f.day))::int as days
    from channel_figure f join channel c on c.org_id = f.org_id and c.id = f.channel_id group by c.platform`)
  expect(told.map(({ platform }) => platform).toSorted()).toEqual([...platformKeys].toSorted())
  for (const { platform, names, days } of told) {
    const { channel, terms } = platformFigures[platform]
    expect(names, platform).toEqual(channel.map(({ name }) => name).toSorted())
    expect(days, platform).toBeGreaterThan((terms.keepDays ?? 730) - 10)
    expect(days, platform).toBeLessThanOrEqual(terms.keepDays ?? 730)
  }
  const [gained] = await counted(sql<{ days: number }>`
    select (max(month) - min(month))::int as days from figure_month where kind = 'gains' and name = 'reactions'`)
  expect(gained?.days).toBeGreaterThan(670)
}

/** Something of everything to look at: states of posts, formats, platforms with three channels, and a campaign in both years. */
async function expectVariety() {
  const states = await counted(sql<{ state: string }>`select distinct state from post`)
  expect(states.map(({ state }) => state).toSorted()).toEqual(
    'APPROVED DELETED DRAFTS FAILED NEEDS_APPROVAL PUBLISHED QUEUED REJECTED SCHEDULED UNCONFIRMED'.split(' '),
  )
  const formats = await counted(sql<{ platform: PlatformKey; types: string[] }>`
    select c.platform, array_agg(distinct m.post_type order by m.post_type) as types
    from measured_post m join channel c on c.org_id = m.org_id and c.id = m.channel_id group by c.platform`)
  const typesOf = new Map(formats.map(({ platform, types }) => [platform, types]))
  expect(typesOf.get('instagram')).toEqual(['post', 'reel', 'story'])
  expect(typesOf.get('youtube')).toEqual(['shorts', 'video'])
  const several = await counted(sql<{ platform: PlatformKey }>`
    select platform from channel group by org_id, project_id, platform having count(*) >= 3`)
  expect(several.length).toBeGreaterThanOrEqual(4)
  const campaigns = await counted(sql<{ name: string; posts: number }>`
    select c.name, count(*)::int as posts from campaign c join post_campaign p on p.org_id = c.org_id and p.campaign_id = c.id
      join post on post.id = p.post_id and post.state = 'PUBLISHED'
    where c.name in ('Winter roast', 'First winter roast') group by c.project_id, c.name`)
  expect(campaigns.length).toBe(4)
  for (const { name, posts } of campaigns) expect(posts, name).toBeGreaterThan(1)
}

const counted = async <T>(query: RawBuilder<T>) =>
  await asSystem(database.databases.system, async (tx) => (await query.execute(tx)).rows)

/** Every kind on every platform that has it, everything that people do with conversations, and nothing that no platform could tell. */
async function expectLivelyInbox() {
  const kinds = await counted(sql<{ place: string }>`
    select distinct h.platform || ' ' || c.kind as place from conversation c join channel h on h.org_id = c.org_id and h.id = c.channel_id`)
  expect(kinds.map(({ place }) => place).toSorted()).toEqual(
    platformKeys.flatMap((key) => Object.keys(inboxRules[key].kinds).map((kind) => `${key} ${kind}`)).toSorted(),
  )
  const [conversations] = await counted(sql<Record<string, number>>`
    select count(*) filter (where status = 'OPEN')::int as open, count(*) filter (where status = 'FOLLOWUP')::int as "followUp",
      count(*) filter (where status = 'CLOSED')::int as closed, count(*) filter (where assignee_id is not null)::int as assigned,
      count(*) filter (where waiting_since is not null and status = 'OPEN')::int as waiting, count(*) filter (where answered)::int as answered,
      count(*) filter (where rating is not null)::int as rated, count(*) filter (where sentiment = 'negative')::int as negative,
      count(*) filter (where sentiment = 'positive')::int as positive, count(*) filter (where post_id is not null)::int as "aboutPosts",
      count(*) filter (where exists (select from conversation_label l where l.conversation_id = c.id))::int as labeled,
      count(*) filter (where exists (select from note n where n.conversation_id = c.id))::int as noted,
      count(*) filter (where exists (select from conversation_read r where r.conversation_id = c.id))::int as read
    from conversation c`)
  for (const [what, count] of Object.entries(conversations ?? {})) expect({ what, count }).toSatisfy(isSome)
  const [items] = await counted(sql<Record<string, number>>`
    select count(*) filter (where deleted_at is not null)::int as deleted, count(*) filter (where hidden)::int as hidden,
      count(*) filter (where edited_at is not null)::int as edited, count(*) filter (where media <> '[]')::int as pictured,
      (select count(*) from canned_response)::int as responses, (select max(n) from (select count(*) as n from inbox_item group by conversation_id) c)::int as longest,
      (select count(*) from inbox_person where picture_url is not null)::int as "withPicture",
      count(*) filter (where direction = 'sent' and not exists (select from reply r where r.channel_id = i.channel_id and r.remote_id = i.remote_id))::int as "answeredThere"
    from inbox_item i`)
  for (const [what, count] of Object.entries(items ?? {})) expect({ what, count }).toSatisfy(isSome)
  expect(items?.longest).toBeGreaterThan(20)
  const wrong = await counted(sql`
    select i.text from inbox_item i join conversation c on c.org_id = i.org_id and c.id = i.conversation_id left join post p on p.org_id = c.org_id and p.id = c.post_id
    where i.at > now() or i.at < p.published_at
    union all
    select r.text from reply r where r.state = 'SENT' and not exists (select from inbox_item i where i.channel_id = r.channel_id and i.remote_id = r.remote_id and i.text = r.text)`)
  expect(wrong).toEqual([])
}
const isSome = ({ count }: { count: number }) => count > 0

it('changes from week to week, month to month and quarter to quarter by growth and campaigns, not by chance', async () => {
  const app = await startApp({ at: new Date(), database, env: { SIMULATED_CHANNELS: '1' } })
  try {
    const demo = await demoIn(app)
    const paces: string[] = []
    const bioPages: string[] = []
    const reports: string[] = []
    for (const { name, ...project } of await counted(
      sql<{
        orgId: string
        projectId: string
        name: string
      }>`select org_id as "orgId", id as "projectId", name from project`,
    )) {
      const { goals } = await app.call(listGoals, { params: project }, { as: demo })
      const { pages } = await app.call(listBioPages, { params: project }, { as: demo })
      bioPages.push(...pages.map((page) => page.name))
      const listed = await app.call(listReports, { params: project }, { as: demo })
      reports.push(...listed.reports.map(({ reportName, schedules }) => `${reportName} ${schedules.length}`))
      paces.push(...goals.map(({ standing }) => standing))
      for (const days of [7, 30, 90]) {
        const figures = await comparedFigures(app, demo, project, days)
        expect(figures.length, `compared figures of ${name} over ${days} days`).toBeGreaterThan(2)
        const jumps = figures.filter(({ percent, isSeries }) => Math.abs(percent) > (isSeries ? 15 : 25))
        expect(jumps, `${name}, ${days} days`).toEqual([])
      }
    }
    expect(bioPages).toEqual(['Northlight Coffee'])
    expect(reports).toEqual(['Monthly report 1', expect.stringMatching(/ 0$/)])
    // a goal on its way
    expect(paces.length).toBeGreaterThan(0)
    for (const pace of paces) expect(['ahead', 'onPace', 'behind']).toContain(pace)
  } finally {
    await app.close()
  }
})
async function demoIn(app: TestApp) {
  const [owner] = await counted(sql<{ id: string }>`select id from person where email = ${demoPerson.email}`)
  return await app.anotherBrowser({ ...demoPerson, personId: owner?.id ?? '', cookies: new Map() })
}

it("writes conversations that its simulators know: replies arrive on every platform, where they're answered", async () => {
  const past = readPast(join(dataDir, PAST_FILE))
  const outside = await startPlatforms({ past })
  const bluesky = await startBlueskySimulator({ port: blueskyPort, past })
  const platforms = composePlatforms({ plcDirectory: bluesky.origin, publicUrl: 'http://rookery.test' })
  const fetch = simulated(createSafeFetch({ allow: [outside.allow, bluesky.allow] }), hostsOf(platforms), outside.base)
  const app = await startApp({
    at: new Date(),
    database,
    env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: outside.base, SIMULATOR_PORT: String(blueskyPort) },
    platforms: Object.fromEntries(platformKeys.flatMap((key) => (platforms(key) ? [[key, platforms(key)]] : []))),
    fetch,
    parts: (deps) => ({ ...deps, secrets: readSecretKeys({ dataDir, encryptionKey: ENCRYPTION_KEY }) }),
  })
  try {
    const demo = await demoIn(app)
    const replies = await answerEveryKind(app, demo)
    expect(replies.filter(({ state }) => state !== 'SENT')).toEqual([])
    expect(replies.map(({ platform, kind }) => `${platform} ${kind}`)).toEqual(
      platformKeys.flatMap((key) => Object.keys(inboxRules[key].kinds).map((kind) => `${key} ${kind}`)).toSorted(),
    )
    expect(arrived(outside, bluesky)).toEqual(replies.map(({ text }) => text).toSorted())

    // what the readings find is what is there already, in the same conversations
    const stored = () =>
      counted(sql<{ text: string }>`
        select h.platform || ' ' || c.kind || ' ' || c.thread_key || ' ' || i.remote_id || ' ' || i.hidden || ' ' || coalesce(i.text, '-') as text
        from inbox_item i join conversation c on c.org_id = i.org_id and c.id = i.conversation_id
        join channel h on h.org_id = c.org_id and h.id = c.channel_id
        where i.text not like '%Thank you from %' order by 1`)
    const before = await stored()
    for (let round = 0; round < 3; round++) {
      app.clock.advance({ hours: 2 })
      await readDueInboxes(app.parts, { ...app.parts, signal: new AbortController().signal })
    }
    expect(await stored()).toEqual(before)
    await expectListedPosts(app)
    await expectCompetitors(app)
  } finally {
    await app.close()
    await outside.stop()
    await bluesky.stop()
  }
})

/** The platforms know the competitors that the seed wrote: their posts under the same IDs, and followers that go on from there. */
async function expectCompetitors(app: TestApp) {
  const facts = () =>
    counted(sql<{ name: string; posts: number; followers: number; state: string; days: number }>`
      select c.name, c.state, (select count(*)::int from competitor_post p where p.competitor_id = c.id) as posts,
        (select count(*)::int from competitor_figure f where f.competitor_id = c.id and f.name = 'followers') as days,
        (select value::int from competitor_figure f where f.competitor_id = c.id and f.name = 'followers' order by day desc limit 1) as followers
      from competitor c order by c.name`)
  const before = await facts()
  expect(before.map(({ name }) => name)).toEqual(['Fourth Wave Roasters', 'Gentle Grind'])
  app.clock.advance({ hours: 26 })
  await readDueCompetitors(app.parts, { ...app.parts, signal: new AbortController().signal })
  for (const [nth, { followers, days, ...same }] of (await facts()).entries()) {
    const { followers: earlier = 0, days: read = 0, ...rest } = before[nth] ?? {}
    expect(same).toEqual(rest)
    expect(days).toBe(read + 1)
    expect(followers).toBeGreaterThanOrEqual(earlier)
    expect(followers - earlier).toBeLessThan(100)
  }
}

/** What the platforms list of each channel is what the seed wrote, under the same IDs, with figures that go on from there. */
async function expectListedPosts(app: TestApp) {
  const context = { ...app.parts, signal: new AbortController().signal }
  const began = app.clock.now()
  for (let round = 0; round < 4; round++) {
    await readOwnPosts(app.parts, context)
    app.clock.advance({ hours: 1 })
  }
  const listed = await counted(sql<{ platform: PlatformKey; problem: unknown; lost: number; strange: number }>`
    select h.platform, s.problem,
      (select count(*)::int from post p where p.channel_id = h.id and p.state = 'PUBLISHED') > 0 and s.imported = 0 as lost,
      (select count(*)::int from measured_post m where m.channel_id = h.id and m.elsewhere and m.found_at >= ${began}) as strange
    from insight_sync s join channel h on h.org_id = s.org_id and h.id = s.channel_id where s.kind = 'posts'`)
  expect(new Set(listed.map(({ platform }) => platform))).toEqual(new Set(platformKeys))
  // some comments are on videos of the simulated YouTube
  const others: Partial<Record<PlatformKey, number>> = { youtube: 3 }
  for (const { platform, ...one } of listed)
    expect({ platform, ...one }).toEqual({ platform, problem: null, lost: false, strange: others[platform] ?? 0 })
  for (let round = 0; round < 3; round++) {
    app.clock.advance({ hours: 26 })
    await readDueMetrics(app.parts, context)
  }
  const jumps = await counted(sql`
    select h.platform, n.key, n.value::numeric as now, (o.figures ->> n.key)::numeric as before
    from post_metric m join post p on p.id = m.post_id join channel h on h.id = p.channel_id
    cross join lateral jsonb_each_text(m.figures) n
    join lateral (select figures from post_metric b where b.post_id = m.post_id and b.read_at < m.read_at order by read_at desc limit 1) o on o.figures ? n.key
    where m.read_at > ${app.clock.now()}::timestamptz - interval '4 days' and p.published_at < ${app.clock.now()}::timestamptz - interval '12 days'
      and n.key in ('views', 'impressions', 'reach', 'reactions')
      and (n.value::numeric < (o.figures ->> n.key)::numeric * 0.97 - 2 or n.value::numeric > (o.figures ->> n.key)::numeric * 1.03 + 2)`)
  expect(jumps).toEqual([])
  const [read] = await counted(
    sql<{
      posts: number
    }>`select count(distinct post_id)::int as posts from post_metric where read_at > ${app.clock.now()}::timestamptz - interval '4 days'`,
  )
  expect(read?.posts).toBeGreaterThan(50)
}

/** The texts of our answers, where the platforms keep them. */
function arrived(outside: RunningPlatforms, bluesky: Simulator): string[] {
  const isOurs = (text: string): boolean => text.includes('Thank you from ')
  const elsewhere = platformKeys
    .filter((key) => key !== 'bluesky')
    .flatMap((key) => {
      const { state } = outside.platform(key)
      const replies = state.live(({ kind }) => kind === 'review').map(({ more }) => Object(more.reply).comment ?? '')
      return [
        ...state.live().map(({ text }) => text),
        ...writtenMessages(state).map(({ text }) => text),
        ...replies.map(String),
      ]
    })
  return [...elsewhere, ...bluesky.ledger.map(({ text }) => text), ...bluesky.people.said()]
    .filter(isOurs)
    .map((text) => text.slice(text.indexOf('Thank you from ')))
    .toSorted()
}
