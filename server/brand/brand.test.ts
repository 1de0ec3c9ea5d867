import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsBrand } from '#contract/analytics/brand.ts'
import { dashboardInboxStats } from '#contract/dashboard.ts'
import { judgeConversation } from '#contract/inbox/actions.ts'
import type { Permissions } from '#contract/permissions.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import { received } from '../testing/inbox.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

/* What people say about the brand, and its share of the engagements beside its competitors. */

let app: TestApp
let home: TestHome
let channelId: string
const DAY = 86_400_000
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home)
})

const brand = (as: TestPerson = home.person, query: Record<string, string> = {}) =>
  app.call(insightsBrand, { params: home.params, query }, { as })
const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * DAY)
const dayOf = (days: number) => daysAgo(days).toISOString().slice(0, 10)
const channelOn = (platform: PlatformKey) => contentOn(app.parts).channel(home, { platform })

describe('what people said', () => {
  it('is counted by day, kind and platform, against the days before, without messages and what was deleted', async () => {
    await received(app, home, { channelId, from: 'maya', at: daysAgo(1) })
    await received(app, home, { channelId, from: 'maya', at: daysAgo(1), conversation: 'mention' })
    await received(app, home, { channelId, from: 'otis', at: daysAgo(2) })
    await received(app, home, { channelId, from: 'otis', at: daysAgo(9) })
    await received(app, home, { channelId, from: 'secret', at: daysAgo(1), conversation: 'message' })
    await received(app, home, { channelId, from: 'gone', at: daysAgo(1), remoteId: 'deleted-one' })
    await app.database.owner.query("update inbox_item set deleted_at = now() where remote_id = 'deleted-one'")
    const { talk } = await brand()
    expect(talk).toMatchObject({ total: { value: 3, before: 1 }, platforms: [{ platform: 'bluesky', before: 1 }] })
    expect(talk?.days).toHaveLength(7)
    expect(talk?.days.filter((day) => day.mentions + day.comments > 0)).toEqual([
      { date: dayOf(2), mentions: 0, comments: 1, reviews: 0 },
      { date: dayOf(1), mentions: 1, comments: 1, reviews: 0 },
    ])
    expect(talk?.authors.map(({ name, count }) => [name, count])).toEqual([
      ['Maya', 2],
      ['Otis', 1],
    ])
  })

  it('has a sentiment, as on the dashboard, except of platforms whose terms forbid adding anything up', async () => {
    const linkedin = await channelOn('linkedin')
    const youtube = await channelOn('youtube')
    const one = await received(app, home, { channelId, from: 'maya', at: daysAgo(1), text: 'I love this, great work!' })
    await received(app, home, { channelId, from: 'otis', at: daysAgo(1), text: 'Zzz' })
    await received(app, home, { channelId: linkedin, from: 'lin', at: daysAgo(1), text: 'I love this, great work!' })
    await received(app, home, { channelId: youtube, from: 'tube', at: daysAgo(1), text: 'I love this, great work!' })
    const { talk } = await brand()
    // LinkedIn's terms forbid models, which word lists aren't
    expect(talk?.sounds).toEqual({ positive: 2, neutral: 0, negative: 0, notJudged: 1 })
    const { notJudged, ...sentiment } = talk?.sounds ?? { notJudged: 0 }
    const dashboard = await app.call(dashboardInboxStats, { params: home.params }, { as: home.person })
    expect(dashboard).toMatchObject({ received: 4, sentiment, notJudged, apart: ['youtube'] })
    const sounds = new Map(talk?.platforms.map((row) => [row.platform, row.sounds]))
    expect(sounds.get('linkedin')).toMatchObject({ positive: 1 })
    expect(sounds.get('youtube')).toBeNull()
    // counted on its own, in no total and no list of people
    expect(talk?.total.value).toBe(3)
    expect(talk?.platforms.find(({ platform }) => platform === 'youtube')?.comments).toBe(1)
    expect(talk?.authors.map(({ name }) => name)).not.toContain('Tube')
    expect(talk?.notJudged).toEqual(['youtube'])
    const { rows } = await app.database.owner.query<{ version: number }>(
      'select version from conversation where id = $1',
      [one.conversationId],
    )
    const params = { ...home.params, conversationId: one.conversationId }
    const body = { version: rows[0]?.version ?? 0, sentiment: 'negative' } as const
    await app.call(judgeConversation, { params, body }, { as: home.person })
    expect((await brand()).talk?.sounds).toMatchObject({ positive: 1, negative: 1 })
  })

  it('changes in percent on channels that were connected all the time, or says why it does not', async () => {
    for (const [days, times] of [
      [2, 3],
      [9, 2],
    ] as const)
      for (let i = 0; i < times; i += 1) await received(app, home, { channelId, from: `p${i}`, at: daysAgo(days) })
    const late = { value: 3, before: 2, changePercent: null, whyNotComparable: 'differentChannels' }
    expect((await brand()).talk?.total).toEqual(late)
    await app.database.owner.query('update channel set connected_at = $2 where id = $1', [channelId, daysAgo(30)])
    expect((await brand()).talk?.total).toEqual({ ...late, changePercent: 50, whyNotComparable: null })
  })

  it('is counted for 92 days and against as many, and not for more', async () => {
    await received(app, home, { channelId, from: 'maya', at: daysAgo(91) })
    const most = { from: dayOf(91), to: dayOf(0), compareFrom: dayOf(183), compareTo: dayOf(92) }
    expect(await brand(home.person, most)).toMatchObject({ talk: { total: { value: 1, before: 0 } }, noTalk: null })
    const long = { from: dayOf(92), to: dayOf(0) }
    expect(await brand(home.person, long)).toMatchObject({ talk: null, noTalk: 'tooLong', voice: [] })
    const longBefore = { ...most, compareFrom: dayOf(184) }
    expect(await brand(home.person, longBefore)).toMatchObject({ talk: null, noTalk: 'tooLong' })
  })

  it('names nobody whose name had to be deleted', async () => {
    await received(app, home, { channelId, from: 'maya', at: daysAgo(1) })
    await app.database.owner.query("update inbox_person set name = '', handle = '' where channel_id = $1", [channelId])
    expect((await brand()).talk).toMatchObject({ authors: [], total: { value: 1 } })
    await app.database.owner.query("update inbox_person set name = 'Maya', keep_until = $2 where channel_id = $1", [
      channelId,
      daysAgo(0),
    ])
    expect((await brand()).talk?.authors).toEqual([])
  })
})

describe('the share of engagements', () => {
  it('is that of posts of the range, of own channels and each competitor, only of reactions, comments and shares', async () => {
    const competitorId = randomUUIDv7()
    await app.database.owner.query(
      `insert into competitor (org_id, id, project_id, platform, remote_id, name, handle, added_at, seen_at, posts_since, read_at, state)
       values ($1, $2, $3, 'bluesky', 'theirs', 'Theirs', '@theirs', $4, $4, '2000-01-01', $4, 'read')`,
      [home.orgId, competitorId, home.projectId, app.clock.now()],
    )
    await app.database.owner.query(
      `insert into competitor_post (org_id, competitor_id, remote_id, published_at, excerpt, figures, read_at) values ($1, $2, 'a', $3, 'A', '{"reactions": 30, "saves": 9}', $4)`,
      [home.orgId, competitorId, daysAgo(1), app.clock.now()],
    )
    const figures = figuresOn(app.database)
    const postId = await figures.published(home, channelId, daysAgo(1).toISOString())
    await figures.reading(postId, app.clock.now().toISOString(), { reactions: 10, comments: 2, saves: 500 })
    await app.database.owner.query(
      "insert into insight_sync (org_id, channel_id, kind, state, imported, wanted) values ($1, $2, 'posts', 'done', 2, 2)",
      [home.orgId, channelId],
    )
    const { voice } = await brand()
    expect(voice).toEqual([
      {
        platform: 'bluesky',
        parts: [
          { competitorId: null, name: '', posts: 1, engagements: 12, sharePercent: 28.57, knownDays: 7 },
          { competitorId, name: 'Theirs', posts: 1, engagements: 30, sharePercent: 71.43, knownDays: 7 },
        ],
      },
    ])

    // one that can't be read has no 0, and the others' shares stay
    const goneId = randomUUIDv7()
    await app.database.owner.query(
      `insert into competitor (org_id, id, project_id, platform, remote_id, name, handle, added_at, seen_at, posts_since, read_at, state)
       values ($1, $2, $3, 'bluesky', 'gone', 'Gone', '@gone', $4, $4, '2000-01-01', $4, 'gone')`,
      [home.orgId, goneId, home.projectId, app.clock.now()],
    )
    expect((await brand()).voice[0]?.parts).toMatchObject([
      { competitorId: null, sharePercent: 28.57 },
      { competitorId, sharePercent: 71.43 },
      { competitorId: goneId, posts: null, engagements: null, sharePercent: null },
    ])

    // a role without own channels there sees no shares
    const mastodon = await channelOn('mastodon')
    const elsewhere = await teamOn(app).holder(
      home,
      { insights: ['view'], channel: ['view'] },
      { channelIds: [mastodon] },
    )
    const shares = (await brand(elsewhere)).voice.flatMap(({ parts }) => parts.map(({ sharePercent }) => sharePercent))
    expect(shares).toEqual([null, null])
  })
})

describe('who sees it', () => {
  it('is decided by the role: its kinds, its channels, the plan', async () => {
    const other = await channelOn('mastodon')
    await received(app, home, { channelId, from: 'maya', at: daysAgo(1) })
    await received(app, home, { channelId: other, from: 'otis', at: daysAgo(1) })
    const team = teamOn(app)
    const holding = (more: Permissions, options: { channelIds?: string[] } = {}) =>
      team.holder(home, { insights: ['view'], channel: ['view'], ...more }, options)
    const bound = await holding({ inbox: ['view'], comment: ['view'] }, { channelIds: [channelId] })
    expect((await brand(bound)).talk).toMatchObject({ total: { value: 1 }, authors: [{ name: 'Maya' }] })
    expect(await brand(await holding({}))).toMatchObject({ talk: null, noTalk: 'role' })
    expect((await brand(await holding({ inbox: ['view'], dm: ['view'] }))).talk).toBeNull()
    const stranger = await app.signedInOwner()
    await expect(brand(stranger.person)).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    await expect(brand(home.person, { from: '2026-13-01', to: '2026-13-02' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await teamOn(app).plan(home, 'free')
    await expect(brand()).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })
})
