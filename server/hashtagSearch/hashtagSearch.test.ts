import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsHashtags, MOST_HASHTAGS } from '#contract/analytics/hashtags.ts'
import { because } from '#contract/failures/catalog.ts'
import type { HashtagMedium, HashtagSearch } from '../platforms/hashtagSearch.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

/* Posts of others by hashtag, and how many hashtags a channel may ask for. */

let app: TestApp
let home: TestHome
let channelId: string
let asked: string[]
let found: (hashtag: string) => Awaited<ReturnType<HashtagSearch['find']>>
let media: (list: 'top' | 'recent') => Awaited<ReturnType<HashtagSearch['read']>>
const DAY = 86_400_000
const hashtags: HashtagSearch = {
  find: async (_reach, _secret, _account, hashtag) => (asked.push(hashtag), found(hashtag)),
  read: async (_reach, _secret, _account, id, list) => (asked.push(`${id} ${list}`), media(list)),
}
beforeAll(async () => {
  app = await startApp({
    platforms: {
      instagram: { ...testPlatform(), key: 'instagram', hashtags },
      bluesky: testPlatform(),
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home, { platform: 'instagram' })
  asked = []
  found = (hashtag) => ({ kind: 'hashtag', id: `id of ${hashtag}` })
  media = () => ({ kind: 'media', media: [] })
})

const medium = (remoteId: string, likes: number | null, comments: number | null): HashtagMedium => ({
  remoteId,
  type: 'picture',
  text: 'Beans\n\nof the day #coffee',
  permalink: 'https://www.instagram.com/p/abc/',
  publishedAt: new Date('2026-11-01T12:00:00Z'),
  likes,
  comments,
})
const search = (hashtag?: string, { as = home.person, of = channelId }: { as?: TestPerson; of?: string } = {}) =>
  app.call(
    insightsHashtags,
    { params: home.params, query: { channelId: of, ...(hashtag !== undefined && { hashtag }) } },
    { as },
  )

describe('the posts with a hashtag', () => {
  it('are the top ones and the newest, with the median of the counts that they have', async () => {
    media = (list) => ({
      kind: 'media',
      media:
        list === 'top' ? [medium('1', 10, 1), medium('2', null, 5), medium('3', 20, 3)] : [medium('4', null, null)],
    })
    const { found: posts, why, used } = await search('#Coffee')
    expect(why).toBeNull()
    expect(posts?.hashtag).toBe('coffee')
    expect(posts?.top.median).toEqual({ likes: 15, comments: 3 })
    expect(posts?.top.posts.map(({ postId, likes }) => [postId, likes])).toEqual([
      ['1', 10],
      ['2', null],
      ['3', 20],
    ])
    expect(posts?.top.posts[0]?.excerpt).toBe('Beans of the day #coffee')
    expect(posts?.recent).toMatchObject({ posts: [{ postId: '4' }], median: { likes: null, comments: null } })
    const until = new Date(app.clock.now().getTime() + 7 * DAY).toISOString()
    expect(used).toEqual({ hashtags: [{ hashtag: 'coffee', until }], most: MOST_HASHTAGS })
    // the ID is remembered, and it doesn't count again
    expect((await search('coffee')).used.hashtags).toHaveLength(1)
    const reads = ['id of coffee top', 'id of coffee recent']
    expect(asked).toEqual(['coffee', ...reads, ...reads])
  })

  it('are not kept', async () => {
    media = () => ({ kind: 'media', media: [medium('1', 10, 1)] })
    await search('coffee')
    const { rows } = await app.database.owner.query('select * from hashtag_search where channel_id = $1', [channelId])
    expect(rows).toEqual([expect.objectContaining({ hashtag: 'coffee', remote_id: 'id of coffee' })])
  })

  it('are missing with a reason', async () => {
    found = () => ({ kind: 'none' })
    expect(await search('offensive')).toMatchObject({ found: null, why: 'none', used: { hashtags: [{}] } })
    found = () => ({ kind: 'limit' })
    expect(await search('coffee')).toMatchObject({ found: null, why: 'limit' })
    // nothing was asked for, so it doesn't count
    found = () => ({ kind: 'rights', missing: ['instagram_basic'] })
    const lacking = await search('tea')
    expect(lacking).toMatchObject({ found: null, why: 'rights' })
    expect(lacking.used.hashtags.map(({ hashtag }) => hashtag)).not.toContain('tea')
    const bluesky = await contentOn(app.parts).channel(home)
    expect(await search('coffee', { of: bluesky })).toMatchObject({ found: null, why: 'notPossible' })
    await app.database.owner.query("update channel set status = 'DISCONNECTED' where id = $1", [channelId])
    expect(await search('coffee')).toMatchObject({ found: null, why: 'signedOut' })
    await app.database.owner.query("update channel set status = 'CONNECTED' where id = $1", [channelId])
    found = () => ({ kind: 'retry', reason: { ...because('unreadable-sign-in'), platformCode: '1' } })
    await expect(search('chai')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
  })
})

describe('the limit', () => {
  const askedBefore = (count: number, at: Date) =>
    app.database.owner.query(
      `insert into hashtag_search (org_id, channel_id, hashtag, counted_at) select $1, $2, 'tag' || n, $4 from generate_series(1, $3::int) n`,
      [home.orgId, channelId, count, at],
    )

  it('is 30 different hashtags in 7 days, before the platform is asked', async () => {
    const at = new Date(app.clock.now().getTime() - 6 * DAY)
    await askedBefore(MOST_HASHTAGS, at)
    const full = await search('coffee')
    expect(full).toMatchObject({ found: null, why: 'limit' })
    expect(full.used.hashtags[0]?.until).toBe(new Date(at.getTime() + 7 * DAY).toISOString())
    expect(asked).toEqual([])
    // one that counts already is free, and its days don't start over
    expect(await search('tag7')).toMatchObject({ why: null, used: { hashtags: full.used.hashtags } })
    await app.database.owner.query('update hashtag_search set counted_at = $2 where channel_id = $1', [
      channelId,
      new Date(app.clock.now().getTime() - 7 * DAY),
    ])
    expect(await search('coffee')).toMatchObject({ why: null, used: { hashtags: [{ hashtag: 'coffee' }] } })
  })

  it('holds when several people search at once, and each channel has its own', async () => {
    await askedBefore(MOST_HASHTAGS - 2, app.clock.now())
    const answers = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((tag) => search(`new_${tag}`)))
    expect(answers.filter(({ why }) => why === 'limit')).toHaveLength(3)
    expect((await search()).used.hashtags).toHaveLength(MOST_HASHTAGS)
    const other = await contentOn(app.parts).channel(home, { platform: 'instagram' })
    expect(await search('coffee', { of: other })).toMatchObject({ why: null, used: { hashtags: [{}] } })
  })
})

describe('who may search', () => {
  it('is decided by the role, its channels, the tenant and the plan', async () => {
    const team = teamOn(app)
    const other = await contentOn(app.parts).channel(home, { platform: 'instagram' })
    const bound = await team.holder(home, { insights: ['view', 'create'], channel: ['view'] }, { channelIds: [other] })
    expect(await search('coffee', { as: bound, of: other })).toMatchObject({ why: null })
    // who only views gets what counts already, and uses up nothing
    const viewer = await team.holder(home, { insights: ['view'], channel: ['view'] })
    await expect(search('tea', { as: viewer, of: other })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    expect(asked).toEqual(['coffee', 'id of coffee top', 'id of coffee recent'])
    const again = await search('#Coffee', { as: viewer, of: other })
    expect([again.why, again.used.hashtags.map(({ hashtag }) => hashtag)]).toEqual([null, ['coffee']])
    asked = []
    await expect(search('coffee', { as: bound })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const without = await team.holder(home, { channel: ['view'] })
    await expect(search('coffee', { as: without })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const stranger = await app.signedInOwner()
    await expect(search('coffee', { as: stranger.person })).rejects.toMatchObject({ code: 'IDENTIFIERS_ERROR' })
    const theirs = await contentOn(app.parts).channel(stranger, { platform: 'instagram' })
    await expect(search('coffee', { of: theirs })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    for (const wrong of ['two words', '☕', '', 'a'.repeat(101)])
      await expect(search(wrong)).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await team.endPlan(home)
    await expect(search('coffee')).rejects.toMatchObject({ problem: { meta: { gate: 'plan_expired' } } })
    expect(await search()).toMatchObject({ found: null, why: null })
    await team.plan(home, 'free')
    await expect(search('coffee')).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
    expect(asked).toEqual([])
  })
})
