import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as contract from '#contract/analytics/competitors.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { setPlatformCost } from '#contract/inbox/costs.ts'
import { because } from '#contract/failures/catalog.ts'
import type { CompetitorReading, Competitors } from '../platforms/competitor.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { forgetCompetitors } from './jobs.ts'
import { readDueCompetitors } from './readDue.ts'

/* Accounts of others, found, added, read daily and compared with the project's own channels. */

let app: TestApp
let home: TestHome
let channelId: string
let asked: string[]
let findAnswer: (text: string) => Awaited<ReturnType<Competitors['find']>>
let readAnswer: (remoteId: string) => Awaited<ReturnType<Competitors['read']>>
const budgets: Platform['budgets'] = [
  { name: 'calls', per: 'channel', windowSeconds: 3600, tokens: 4, cost: { competitor: 1 } },
]
const DAY = 86_400_000
const competitors: Competitors = {
  find: async (_reach, _secret, _account, text) => (asked.push(`find ${text}`), findAnswer(text)),
  read: async (_reach, _secret, _account, { remoteId }) => (asked.push(remoteId), readAnswer(remoteId)),
}
const able = (key: PlatformKey): Platform => ({ ...testPlatform(), key, competitors })

beforeAll(async () => {
  app = await startApp({
    platforms: { bluesky: able('bluesky'), youtube: able('youtube'), x: able('x'), threads: able('threads') },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query('delete from competitor')
  await app.database.owner.query("update channel set status = 'DISCONNECTED'")
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home)
  asked = []
  findAnswer = (text) => ({ kind: 'account', account: accountOf(text) })
  readAnswer = (remoteId) => reading(remoteId, {})
})

const accountOf = (name: string, followers = 100) => ({
  remoteId: name,
  name: `The ${name}`,
  handle: `@${name}`,
  pictureUrl: 'https://pictures.example/theirs.png',
  profileUrl: `https://platform.example/${name}`,
  figures: { followers, posts: 40 },
})
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY)
function reading(
  name: string,
  { followers = 100, posts = [], isAll = true }: { followers?: number; posts?: [number, number][]; isAll?: boolean },
): CompetitorReading {
  return {
    kind: 'read',
    account: accountOf(name, followers),
    isAll,
    posts: posts.map(([days, likes], nth) => ({
      remoteId: `${name}/${days}/${nth}`,
      publishedAt: daysAgo(days),
      text: `What ${name} wrote`,
      permalink: `https://platform.example/${name}/${nth}`,
      pictureUrl: null,
      figures: { reactions: likes, comments: 1, saves: 500 },
    })),
  }
}
const add = (
  query: string,
  { as = home.person, platform = 'bluesky' }: { as?: TestPerson; platform?: PlatformKey } = {},
) => app.call(contract.addCompetitor, { params: home.params, body: { platform, query } }, { as })
const list = (as: TestPerson = home.person, query: Record<string, string> = {}) =>
  app.call(contract.insightsCompetitors, { params: home.params, query }, { as })
const theirs = async () => (await list()).accounts.filter(({ isOwn }) => !isOwn)
const read = (more: Partial<Platform> = {}, key: PlatformKey = 'bluesky') =>
  readDueCompetitors(
    {
      platforms: (wanted) => (wanted === key ? { ...able(key), ...more } : undefined),
      secrets: app.parts.secrets,
      fetch: app.parts.fetch,
      apps: app.parts.apps,
    },
    { databases: app.parts.databases, clock: app.clock, log: quietLog, signal: new AbortController().signal },
  )
const stored = async (competitorId: string) =>
  (
    await app.database.owner.query<{ day: string; value: number }>(
      "select day::text, value::int from competitor_figure where competitor_id = $1 and name = 'followers' order by day",
      [competitorId],
    )
  ).rows

describe('adding a competitor', () => {
  it('looks the account up and shows it before it is added, with a picture from our server', async () => {
    const found = await app.call(
      contract.findCompetitor,
      { params: home.params, query: { platform: 'bluesky', query: ' rye.example ' } },
      { as: home.person },
    )
    expect(found).toMatchObject({
      account: { name: 'The rye.example', handle: '@rye.example', followers: 100, isAdded: false },
      why: null,
    })
    expect(found.account?.pictureUrl).toContain(`/api/${home.orgId}/account-picture?`)
    const { competitorId } = await add('rye.example')
    expect(await theirs()).toMatchObject([
      { id: competitorId, reading: { state: 'waiting' }, followers: { value: null } },
    ])
    expect((await teamOn(app).lastAudit(home))?.entity).toBe('competitor')
  })

  it('says why there is nothing to add', async () => {
    const why = async (platform: PlatformKey) =>
      (
        await app.call(
          contract.findCompetitor,
          { params: home.params, query: { platform, query: 'x' } },
          { as: home.person },
        )
      ).why
    findAnswer = () => ({ kind: 'none', why: 'gone' })
    expect(await why('bluesky')).toBe('gone')
    findAnswer = () => ({ kind: 'rights', missing: ['some right'] })
    expect(await why('bluesky')).toBe('rights')
    expect(await why('youtube')).toBe('signedOut')
    expect(await why('tiktok')).toBe('notPossible')
    await expect(add('x')).rejects.toMatchObject({ code: 'COMPETITOR_MISSING' })
    findAnswer = () => ({ kind: 'retry', reason: because('unreachable', { platform: 'Bluesky' }) })
    await expect(add('x')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  })

  it('refuses one that is there already, and more than twenty, however many are added at once', async () => {
    await add('same')
    await expect(add('same')).rejects.toMatchObject({ code: 'COMPETITOR_THERE' })
    const outcomes = await Promise.allSettled(Array.from({ length: 25 }, (_, n) => add(`one ${n}`)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(19)
    expect(await theirs()).toHaveLength(contract.MOST_COMPETITORS)
    await expect(add('one more')).rejects.toMatchObject({ code: 'COMPETITORS_FULL' })
  })

  it('refuses input that names nothing', async () => {
    await expect(add('  ')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(add('x'.repeat(301))).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('rights', () => {
  it('are those of the insights, of this organization, with a plan that includes them', async () => {
    const { competitorId } = await add('rye')
    const params = { ...home.params, competitorId }
    const viewer = await teamOn(app).holder(home, { insights: ['view'], channel: ['view'] })
    expect((await list(viewer)).accounts).not.toHaveLength(0)
    await expect(add('spelt', { as: viewer })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(app.call(contract.removeCompetitor, { params }, { as: viewer })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    const other = await app.signedInOwner()
    await expect(list(other.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await expect(
      app.call(contract.removeCompetitor, { params: { ...other.params, competitorId } }, { as: other.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await teamOn(app).plan(home, 'free')
    for (const call of [
      () => list(),
      () => add('spelt'),
      () => app.call(contract.removeCompetitor, { params }, { as: home.person }),
      () => app.call(contract.restoreCompetitor, { params }, { as: home.person }),
      () => app.call(contract.seeCompetitors, { params: home.params }, { as: home.person }),
      () =>
        app.call(
          contract.insightsCompetitorSeries,
          { params: home.params, query: { platform: 'bluesky' } },
          { as: home.person },
        ),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })

  it('only read and remove once the plan has ended, and nothing is read of the accounts', async () => {
    const { competitorId } = await add('rye')
    const kept = await add('spelt')
    const params = { ...home.params, competitorId }
    await teamOn(app).endPlan(home)
    expect((await list()).accounts.filter(({ isOwn }) => !isOwn)).toHaveLength(2)
    asked = []
    for (const call of [
      () => add('oats'),
      () =>
        app.call(
          contract.findCompetitor,
          { params: home.params, query: { platform: 'bluesky', query: 'oats' } },
          { as: home.person },
        ),
      () => app.call(contract.restoreCompetitor, { params }, { as: home.person }),
    ])
      await expect(call()).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'plan_expired' } } })
    await app.call(contract.removeCompetitor, { params }, { as: home.person })
    app.clock.advance({ hours: 30 })
    await app.call(contract.seeCompetitors, { params: home.params }, { as: home.person })
    await read()
    expect(asked).toEqual([])
    const { rows } = await app.database.owner.query<{ seen_at: Date }>('select seen_at from competitor where id = $1', [
      kept.competitorId,
    ])
    expect(rows[0]?.seen_at.getTime()).toBeLessThan(app.clock.now().getTime() - 29 * 3_600_000)
    await teamOn(app).plan(home, 'team')
    expect(await read()).toBe(1)
  })

  it('never show or use channels outside of a role', async () => {
    await add('rye')
    const bound = await teamOn(app).holder(
      home,
      { insights: ['view', 'create'], channel: ['view'] },
      { channelIds: [await contentOn(app.parts).channel(home, { platform: 'youtube' })] },
    )
    const seen = await list(bound)
    expect(seen.accounts.map(({ isOwn }) => isOwn)).toEqual([false])
    expect(seen.connected).toEqual(['youtube'])
    await expect(add('spelt', { as: bound })).rejects.toMatchObject({ code: 'COMPETITOR_MISSING' })
    const { series } = await app.call(
      contract.insightsCompetitorSeries,
      { params: home.params, query: { platform: 'bluesky' } },
      { as: bound },
    )
    expect(series.map(({ isOwn }) => isOwn)).toEqual([false])
    await teamOn(app).give(home, bound, { roleId: bound.roleId, channelIds: [] })
    await expect(add('spelt', { as: bound })).rejects.toMatchObject({ code: 'COMPETITOR_MISSING' })
  })
})

describe('removing', () => {
  it('can be undone for an hour, then everything that was read is deleted', async () => {
    const { competitorId } = await add('rye')
    await read()
    const params = { ...home.params, competitorId }
    const as = { as: home.person }
    await app.call(contract.removeCompetitor, { params }, as)
    await expect(app.call(contract.removeCompetitor, { params }, as)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(await theirs()).toEqual([])
    await app.call(contract.restoreCompetitor, { params }, as)
    expect(await stored(competitorId)).toHaveLength(1)
    await app.call(contract.removeCompetitor, { params }, as)
    expect(await add('rye')).toMatchObject({ competitorId })
    await app.call(contract.removeCompetitor, { params }, as)
    app.clock.advance({ minutes: 61 })
    await expect(app.call(contract.restoreCompetitor, { params }, as)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await forgetCompetitors({ databases: app.parts.databases, clock: app.clock }, [])
    expect(await stored(competitorId)).toEqual([])
  })
})

describe('the daily reading', () => {
  it('happens once a day, and stops after 30 days in which nobody looked', async () => {
    const { competitorId } = await add('rye')
    expect(await read()).toBe(1)
    expect(await read()).toBe(0)
    app.clock.advance({ hours: 23 })
    expect(await read()).toBe(0)
    for (let day = 1; day <= 29; day++) {
      app.clock.advance({ hours: day === 1 ? 1 : 24 })
      expect(await read()).toBe(1)
    }
    app.clock.advance({ hours: 24 })
    expect(await read()).toBe(0)
    expect(await stored(competitorId)).toHaveLength(30)
    const as = await app.anotherBrowser(home.person)
    await app.call(contract.seeCompetitors, { params: home.params }, { as })
    expect(await read()).toBe(1)
  })

  it('leaves most of the rate limit to everything else, and waits as long as the platform asks', async () => {
    for (const name of ['one', 'two', 'three']) await add(name)
    asked = []
    expect(await read({ budgets })).toBe(2)
    app.clock.advance({ minutes: 60 })
    expect(await read({ budgets })).toBe(1)
    app.clock.advance({ hours: 24 })
    const reason = because('slow-down', { platform: 'Bluesky' })
    readAnswer = () => ({ kind: 'retry', afterSeconds: 7200, closesBudget: true, reason })
    asked = []
    await read({ budgets })
    const late = (await theirs()).filter((one) => one.reading?.state === 'late')
    expect(late[0]?.reading).toMatchObject({ problem: 'slow-down' })
    app.clock.advance({ minutes: 119 })
    const before = asked.length
    await read({ budgets })
    expect(asked).toHaveLength(before)
    readAnswer = (remoteId) => reading(remoteId, {})
    app.clock.advance({ minutes: 62 })
    expect(await read({ budgets })).toBeGreaterThan(0)
  })

  it('says what is in the way, and goes on when it is gone', async () => {
    await add('rye')
    const state = async () => (await theirs())[0]?.reading?.state
    for (const [answer, expected] of [
      [{ kind: 'none', why: 'gone' }, 'gone'],
      [{ kind: 'none', why: 'private' }, 'private'],
      [{ kind: 'rights', missing: [] }, 'rights'],
      [{ kind: 'reconnect', reason: because('sign-in-expired', { platform: 'Bluesky' }) }, 'signedOut'],
      [{ kind: 'rejected', reason: because('address-not-public', { platform: 'Bluesky' }) }, 'late'],
    ] as const) {
      readAnswer = () => answer
      await read()
      expect(await state()).toBe(expected)
      app.clock.advance({ hours: 24 })
    }
    await app.database.owner.query("update channel set status = 'DISCONNECTED' where id = $1", [channelId])
    await read()
    expect(await state()).toBe('signedOut')
    await app.database.owner.query("update channel set status = 'CONNECTED' where id = $1", [channelId])
    readAnswer = (remoteId) => reading(remoteId, {})
    app.clock.advance({ hours: 24 })
    expect(await read()).toBe(1)
    expect(await state()).toBe('read')
  })

  it('keeps no more than is asked for, however much a server tells', async () => {
    findAnswer = (text) => ({ kind: 'account', account: { ...accountOf(text), name: 'n'.repeat(1000) } })
    const query = { platform: 'bluesky', query: 'rye' } as const
    const found = await app.call(contract.findCompetitor, { params: home.params, query }, { as: home.person })
    expect(found.account?.name).toHaveLength(200)
    const { competitorId } = await add('rye')
    const all = Array.from({ length: 60 }, (_, days): [number, number] => [days, 1])
    readAnswer = (remoteId) => reading(remoteId, { posts: all })
    await read()
    const { rows } = await app.database.owner.query<{ count: number; since: Date }>(
      'select count(p)::int as count, min(c.posts_since) as since from competitor c join competitor_post p on p.competitor_id = c.id where c.id = $1',
      [competitorId],
    )
    expect(rows).toEqual([{ count: contract.COMPETITOR_POSTS, since: daysAgo(contract.COMPETITOR_POSTS - 1) }])
  })

  it('of one whose answer makes the adapter throw stops none of the others', async () => {
    for (const name of ['one', 'bad', 'three']) await add(name)
    readAnswer = (remoteId) => {
      if (remoteId === 'bad') throw new Error('broken')
      return reading(remoteId, {})
    }
    expect(await read()).toBe(2)
    expect((await theirs()).map(({ reading: one }) => one?.state)).toEqual(['read', 'waiting', 'read'])
  })

  it("reads through another channel if one isn't allowed to, and remembers it", async () => {
    await add('rye')
    await contentOn(app.parts).channel(home)
    let calls = 0
    readAnswer = (remoteId) => (++calls === 1 ? { kind: 'rights', missing: [] } : reading(remoteId, {}))
    expect(await read()).toBe(1)
    app.clock.advance({ hours: 24 })
    asked = []
    expect(await read()).toBe(1)
    expect(asked).toHaveLength(1)
  })
})

describe('a platform that charges', () => {
  const spent = async () =>
    (
      await app.database.owner.query<{ spent: number }>('select spent::int from inbox_cost where org_id = $1', [
        home.orgId,
      ])
    ).rows[0]?.spent
  const limit = (monthlyLimit: number) =>
    app.call(
      setPlatformCost,
      { params: { orgId: home.orgId }, body: { platformName: 'x', monthlyLimit } },
      { as: home.person },
    )

  it('is read within the monthly limit, set aside before each call and settled by what came', async () => {
    await contentOn(app.parts).channel(home, { platform: 'x' })
    await expect(add('pay', { platform: 'x' })).rejects.toMatchObject({ problem: { meta: { why: 'spending' } } })
    expect(asked).toEqual([])
    await limit(1)
    await add('pay', { platform: 'x' })
    expect(await spent()).toBe(10_000)
    // an account is two posts, and the list ended after one
    readAnswer = () => reading('pay', { posts: [[0, 1]] })
    expect(await read({}, 'x')).toBe(1)
    expect(await spent()).toBe(25_000)
    app.clock.advance({ hours: 24 })
    const reason = because('answer-lost', { platform: 'X', doing: 'show-posts' })
    readAnswer = () => ({ kind: 'retry', reason })
    await read({}, 'x')
    // a lost answer may have been charged: 27 posts
    expect(await spent()).toBe(160_000)
    await app.database.owner.query('update inbox_cost set spent = monthly_limit - 20000 where org_id = $1', [
      home.orgId,
    ])
    app.clock.advance({ hours: 2 })
    asked = []
    await read({}, 'x')
    expect(asked).toEqual([])
    expect((await theirs())[0]?.reading).toMatchObject({ state: 'late', problem: 'inbox-spending-used-up' })
  })
})

describe('the comparison', () => {
  it('has both sides in the same figures, only with what the platform tells of everyone', async () => {
    const { competitorId } = await add('rye')
    readAnswer = () =>
      reading('rye', {
        followers: 200,
        posts: [
          [0, 9],
          [1, 30],
          [2, 60],
        ],
      })
    await read()
    const figures = figuresOn(app.database)
    for (const [days, likes] of [
      [1, 10],
      [2, 20],
    ] as const) {
      const postId = await figures.published(home, channelId, daysAgo(days).toISOString())
      await figures.reading(postId, app.clock.now().toISOString(), { reactions: likes, comments: 1, saves: 900 })
    }
    // nobody's stories but one's own can be read
    const story = await figures.published(home, channelId, daysAgo(1).toISOString(), { postType: 'story' })
    await figures.reading(story, app.clock.now().toISOString(), { reactions: 500 })
    const own = async () => (await list()).accounts.find(({ isOwn }) => isOwn)
    // of its own posts, only those are known that were found by now
    expect(await own()).toMatchObject({ posts: { value: 2 }, postsPerWeek: { value: null }, knownDays: 3 })
    await app.database.owner.query(
      "insert into insight_sync (org_id, channel_id, kind, state, imported, wanted) values ($1, $2, 'posts', 'done', 2, 2)",
      [home.orgId, channelId],
    )
    const { accounts, posts, apart } = await list()
    expect(accounts).toMatchObject([
      {
        id: channelId,
        isOwn: true,
        posts: { value: 2 },
        postsPerWeek: { value: null },
        medianEngagements: { value: 16 },
      },
      {
        id: competitorId,
        isOwn: false,
        followers: { value: 200, before: null },
        growth: { value: null },
        posts: { value: 3, before: 0 },
        // a few days say nothing about a week
        postsPerWeek: { value: null },
        medianEngagements: { value: 31, before: null },
        knownDays: 7,
      },
    ])
    expect(posts.map(({ engagements }) => engagements)).toEqual([61, 31, 10])
    expect(apart).toEqual(['youtube'])
  })

  it('calls an own channel the same as every section of the insights', async () => {
    await add('rye')
    await contentOn(app.parts).channel(home, { platform: 'threads' })
    const own = async () => (await list()).accounts.find(({ isOwn }) => isOwn)
    const { owner } = app.database
    await owner.query("update channel set name = 'Beans' where id = $1", [channelId])
    expect((await own())?.name).toBe('Beans')
    await owner.query("update channel set name = 'Beans' where project_id = $1", [home.projectId])
    const { handle = '' } = (await own()) ?? {}
    expect((await own())?.name).toMatch(new RegExp(`^\\w+ · ${handle}$`))
  })

  it('has no engagements where the platform tells none of others, even of those that published nothing', async () => {
    const threads = await contentOn(app.parts).channel(home, { platform: 'threads' })
    await add('rye', { platform: 'threads' })
    readAnswer = () => reading('rye', { followers: 200, posts: [[1, 30]] })
    await read({}, 'threads')
    const postId = await figuresOn(app.database).published(home, threads, daysAgo(1).toISOString())
    await figuresOn(app.database).reading(postId, app.clock.now().toISOString(), { reactions: 12 })
    const none = { engagements: { value: null, before: null }, medianEngagements: { value: null, before: null } }
    const { accounts, posts } = await list()
    expect(accounts).toMatchObject([
      { id: threads, isOwn: true, posts: { value: 1 }, ...none },
      { isOwn: false, followers: { value: 200 }, posts: { value: 1 }, ...none },
    ])
    expect(posts.map(({ engagements }) => engagements)).toEqual([null])
  })

  it('grows from the day before the range, and a day without a reading is a gap in its line', async () => {
    const { competitorId } = await add('rye')
    const start = app.clock.now()
    readAnswer = () => reading('rye', { followers: 200 })
    await read()
    app.clock.advance({ hours: 48 })
    readAnswer = () => reading('rye', { followers: 250 })
    await read()
    const dayOf = (days: number) => new Date(start.getTime() + days * DAY).toISOString().slice(0, 10)
    const query = { from: dayOf(1), to: dayOf(2) }
    const [rye] = (await list(home.person, query)).accounts.filter(({ id }) => id === competitorId)
    expect(rye).toMatchObject({
      growth: { value: 50, before: null },
      growthSince: null,
      growthPercent: { value: 25, before: null },
    })
    // what it had before is known from the first day of these on
    const [late] = (await list(home.person, { from: dayOf(0), to: dayOf(2) })).accounts.filter(
      ({ id }) => id === competitorId,
    )
    expect(late).toMatchObject({ growth: { value: 50 }, growthSince: dayOf(0), growthPercent: { value: null } })
    const { series } = await app.call(
      contract.insightsCompetitorSeries,
      { params: home.params, query: { platform: 'bluesky', from: dayOf(0), to: dayOf(2) } },
      { as: home.person },
    )
    expect(series.find(({ id }) => id === competitorId)?.values).toEqual([200, null, 250])
  })

  it('knows posts only as far back as the list goes, and says for how many days', async () => {
    await add('rye')
    const far = { from: daysAgo(13).toISOString().slice(0, 10), to: daysAgo(0).toISOString().slice(0, 10) }
    readAnswer = () =>
      reading('rye', {
        posts: [
          [0, 1],
          [1, 1],
        ],
        isAll: false,
      })
    await read()
    const rowOf = async () => (await list(home.person, far)).accounts.find(({ isOwn }) => !isOwn)
    expect(await rowOf()).toMatchObject({ posts: { value: 2 }, postsPerWeek: { value: null }, knownDays: 2 })
    // a list that goes on from what was read keeps what is known; one with a gap doesn't
    app.clock.advance({ hours: 24 })
    readAnswer = () =>
      reading('rye', {
        posts: [
          [0, 1],
          [1, 1],
        ],
        isAll: false,
      })
    await read()
    expect((await list(home.person)).accounts.find(({ isOwn }) => !isOwn)?.knownDays).toBe(3)
    app.clock.advance({ hours: 72 })
    readAnswer = () => reading('rye', { posts: [[0, 1]], isAll: false })
    await read()
    expect((await list(home.person)).accounts.find(({ isOwn }) => !isOwn)?.knownDays).toBe(1)
  })

  it('works nothing out of a platform whose terms forbid it, and deletes its figures after 30 days', async () => {
    await contentOn(app.parts).channel(home, { platform: 'youtube' })
    const { competitorId } = await add('tube', { platform: 'youtube' })
    readAnswer = () =>
      reading('tube', {
        posts: [
          [0, 5],
          [1, 50],
        ],
      })
    await read({}, 'youtube')
    const { accounts, posts } = await list()
    const tube = accounts.find(({ id }) => id === competitorId)
    expect(tube).toMatchObject({
      followers: { value: 100 },
      growth: { value: null },
      growthPercent: { value: null },
      postsPerWeek: { value: null },
      medianEngagements: { value: null },
    })
    // newest first, and nothing added up
    expect(posts.map(({ engagements, figures }) => [engagements, figures.reactions])).toEqual([
      [null, 5],
      [null, 50],
    ])
    app.clock.advance({ hours: 31 * 24 })
    const forget = (accepted: PlatformKey[]) =>
      forgetCompetitors({ databases: app.parts.databases, clock: app.clock }, accepted)
    await forget(['youtube'])
    expect(await stored(competitorId)).toHaveLength(1)
    await forget([])
    expect(await stored(competitorId)).toEqual([])
    expect(
      (await app.database.owner.query('select from competitor_post where competitor_id = $1', [competitorId])).rowCount,
    ).toBe(0)
  })
})
