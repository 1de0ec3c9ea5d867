import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsCollecting, insightsImport } from '#contract/analytics/collecting.ts'
import { insightsPosts } from '#contract/analytics/posts.ts'
import { setPlatformCost } from '#contract/inbox/costs.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import type { FoundPost, OwnPosts } from '../platforms/ownPosts.ts'
import type { Metrics, Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { figuresOn, gainedDays } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { saying } from '../testing/reasons.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { readOwnPosts } from './importPosts.ts'
import { readDueMetrics } from './readMetrics.ts'

/* What was published elsewhere is found in the channel's own list: at first the newest posts, then daily what is new. */

let app: TestApp
let home: TestHome
let channelId: string
/** What is on the account, newest first. */
let onPlatform: FoundPost[]
let asked: { cursor: string | null; atMost?: number }[]
let answer: OwnPosts['list'] | undefined
const MOST = 40
const HOUR = 3_600_000
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.database.owner.query("update channel set status = 'DISCONNECTED'")
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  channelId = await contentOn(app.parts).channel(home)
  onPlatform = []
  asked = []
  answer = undefined
})

const list: OwnPosts['list'] = async (...call) => {
  const [, , , ask] = call
  asked.push(ask)
  if (answer) return await answer(...call)
  const from = ask.cursor === null ? 0 : onPlatform.findIndex(({ remoteId }) => remoteId === ask.cursor) + 1
  const posts = onPlatform.slice(from, from + Math.min(MOST, ask.atMost ?? MOST))
  return {
    kind: 'posts',
    posts,
    next: from + posts.length < onPlatform.length ? (posts.at(-1)?.remoteId ?? null) : null,
  }
}
const metrics: Metrics = {
  most: 100,
  read: async (_reach, _secret, _account, posts) => ({
    kind: 'metrics',
    of: new Map(
      posts.flatMap(({ remoteId }) =>
        onPlatform.some((one) => one.remoteId === remoteId) ? [[remoteId, { reactions: 7 }]] : [],
      ),
    ),
  }),
}
const deps = (key: PlatformKey = 'bluesky', more: Partial<Platform> = {}) => ({
  platforms: (wanted: PlatformKey) =>
    wanted === key ? { ...testPlatform(), key, ownPosts: { most: MOST, list }, metrics, ...more } : undefined,
  secrets: app.parts.secrets,
  fetch: app.parts.fetch,
  apps: app.parts.apps,
})
const context = (signal = new AbortController().signal) => ({
  databases: app.parts.databases,
  clock: app.clock,
  log: quietLog,
  signal,
})
const read = (key?: PlatformKey, more?: Partial<Platform>) => readOwnPosts(deps(key, more), context())

/** So many posts, one every five hours, the newest an hour ago. */
const native = (count: number, hours = 5): FoundPost[] =>
  Array.from({ length: count }, (_, nth) => found(`native ${nth}`, 1 + nth * hours))
const found = (remoteId: string, hoursAgo: number, more: Partial<FoundPost> = {}): FoundPost => ({
  remoteId,
  postType: 'post',
  publishedAt: new Date(app.clock.now().getTime() - hoursAgo * HOUR),
  text: `About ${remoteId}`,
  permalink: `https://platform.example/${remoteId}`,
  pictureUrl: null,
  ...more,
})
const rows = async <T extends Record<string, unknown>>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await app.database.owner.query<T>(text, values)).rows
const measured = () =>
  rows<{ id: string; remote_id: string; elsewhere: boolean; gone_at: Date | null; metrics_at: Date | null }>(
    'select id, remote_id, elsewhere, gone_at, metrics_at from measured_post where channel_id = $1 order by published_at desc, remote_id',
    [channelId],
  )
const sync = async () =>
  (
    await rows<{ state: string; imported: number; wanted: number; next_at: Date | null; problem: unknown }>(
      "select state, imported, wanted, next_at, problem from insight_sync where channel_id = $1 and kind = 'posts'",
      [channelId],
    )
  )[0]
const collecting = async () =>
  (await app.call(insightsCollecting, { params: home.params }, { as: home.person })).channels
    .find((one) => one.channelId === channelId)
    ?.readings.find(({ kind }) => kind === 'posts')

describe('the import of a channel', () => {
  it('finds the newest posts once each, and ours among them by their remote IDs', async () => {
    onPlatform = native(300)
    const ours = new Map<string, string>()
    for (const { remoteId, publishedAt } of onPlatform.filter((_, nth) => nth % 15 === 0))
      ours.set(
        await figuresOn(app.database).published(home, channelId, publishedAt.toISOString(), { remoteId }),
        remoteId,
      )
    expect(ours.size).toBe(20)
    await read()
    expect(await sync()).toMatchObject({ state: 'done', imported: 120, wanted: 120 })
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, 'native 39', 'native 79'])
    // more on request: on from there, in as many runs as it takes
    await app.call(insightsImport, { params: home.params, body: { channelId } }, { as: home.person })
    expect(await collecting()).toMatchObject({ state: 'waiting', imported: 120, wanted: 500 })
    await read()
    expect(asked).toHaveLength(8)
    expect(await collecting()).toMatchObject({ state: 'done', imported: 300, wanted: 300 })
    const all = await measured()
    expect(all.map(({ remote_id: id }) => id)).toEqual(onPlatform.map(({ remoteId }) => remoteId))
    expect(
      new Map(all.filter(({ elsewhere }) => !elsewhere).map(({ id, remote_id: remoteId }) => [id, remoteId])),
    ).toEqual(ours)
    expect(all.every(({ gone_at: gone }) => gone === null)).toBe(true)
  })

  it('continues where it was when its worker was killed in the middle', async () => {
    onPlatform = native(300)
    let isDying = false
    answer = async (...call) => {
      if (asked.length === 2 && !isDying) {
        isDying = true
        throw new Error('killed')
      }
      const kept = answer
      answer = undefined
      asked.pop()
      const page = await list(...call)
      answer = kept
      return page
    }
    await read()
    expect(await sync()).toMatchObject({ state: 'reading', imported: 40 })
    expect(await measured()).toHaveLength(40)
    // one worker's for half an hour
    app.clock.advance({ minutes: 10 })
    await read()
    expect(await measured()).toHaveLength(40)
    app.clock.advance({ minutes: 25 })
    await read()
    expect(await sync()).toMatchObject({ state: 'done', imported: 120 })
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, 'native 39', 'native 39', 'native 79'])
    expect((await measured()).map(({ remote_id: id }) => id)).toEqual(
      onPlatform.slice(0, 120).map(({ remoteId }) => remoteId),
    )
  })

  it('reads the figures of what it found, without taking them for gains of the day, and counts none twice', async () => {
    onPlatform = [found('new', 5), found('old', 24 * 40, { figures: { reactions: 50 } }), found('older', 24 * 50)]
    await read()
    await readDueMetrics(deps(), context())
    const query = { from: '2026-09-01', to: '2026-11-21', sort: 'publishedAt' as const }
    const { posts } = await app.call(insightsPosts, { params: home.params, query }, { as: home.person })
    expect(posts.map(({ excerpt, figures }) => [excerpt, figures.reactions])).toEqual([
      ['About new', 7],
      ['About old', 50],
      ['About older', 7],
    ])
    expect(
      await rows(`select sum(gain)::int as gained from ${gainedDays} where channel_id = $1 and name = 'reactions'`, [
        channelId,
      ]),
    ).toEqual([{ gained: 7 }])
  })

  it('spreads the first readings, so that they keep none of a new post waiting', async () => {
    onPlatform = native(45)
    await read('bluesky', { metrics: { ...metrics, most: 1 } })
    const now = app.clock.now().getTime()
    const minutes = (await measured()).map(({ metrics_at: at }) => ((at?.getTime() ?? 0) - now) / 60_000)
    expect(minutes).toEqual(Array.from({ length: 45 }, (_, nth) => Math.floor(nth / 10) * 10))
  })

  it('begins again when the platform no longer knows the place in its list', async () => {
    onPlatform = native(300)
    answer = async (_reach, _secret, _account, { cursor }) =>
      cursor === null
        ? { kind: 'posts', posts: onPlatform.slice(0, 40), next: 'lost' }
        : { kind: 'rejected', reason: saying('No such place.') }
    await read()
    expect(await sync()).toMatchObject({ state: 'reading', imported: 0 })
    answer = undefined
    app.clock.advance({ days: 1, minutes: 1 })
    await read()
    expect(await sync()).toMatchObject({ state: 'done', imported: 120 })
    expect(await measured()).toHaveLength(120)
  })

  it('waits for its turn in the rate limits and leaves half of them', async () => {
    onPlatform = native(300)
    const budgets: Platform['budgets'] = [
      { name: 'calls', per: 'channel', windowSeconds: 3600, tokens: 4, cost: { ownPosts: 1 } },
    ]
    await read('bluesky', { budgets })
    expect(await sync()).toMatchObject({ state: 'reading', imported: 80 })
    app.clock.advance({ minutes: 61 })
    await read('bluesky', { budgets })
    expect(await sync()).toMatchObject({ state: 'done', imported: 120 })
  })
})

describe('what is new', () => {
  it('is found a day later, also when it takes several pages, and as far back as the last look', async () => {
    onPlatform = native(10)
    await read()
    expect(await measured()).toHaveLength(10)
    await read()
    expect(asked).toHaveLength(1)
    app.clock.advance({ days: 1, minutes: 1 })
    onPlatform = [...Array.from({ length: 60 }, (_, nth) => found(`fresh ${nth}`, 0.5 + nth * 0.3)), ...onPlatform]
    await read()
    expect(await measured()).toHaveLength(70)
    expect(asked.map(({ cursor }) => cursor)).toEqual([null, null, 'fresh 39'])
    expect(await collecting()).toMatchObject({
      state: 'done',
      imported: 10,
      wanted: 10,
      nextReadAt: expect.any(String),
    })
  })

  it('is found whole when a worker was killed between two pages', async () => {
    onPlatform = native(10)
    await read()
    app.clock.advance({ days: 1, minutes: 1 })
    onPlatform = [...Array.from({ length: 60 }, (_, nth) => found(`fresh ${nth}`, 0.5 + nth * 0.3)), ...onPlatform]
    answer = async (_reach, _secret, _account, { cursor }) => {
      if (cursor !== null) throw new Error('killed')
      return { kind: 'posts', posts: onPlatform.slice(0, 40), next: 'fresh 39' }
    }
    await read()
    expect(await measured()).toHaveLength(50)
    answer = undefined
    app.clock.advance({ minutes: 31 })
    await read()
    expect(await measured()).toHaveLength(70)
  })

  it('shows what was deleted elsewhere as gone, keeps its figures and reads it no more', async () => {
    onPlatform = native(20)
    await read()
    await readDueMetrics(deps(), context())
    const [gone] = onPlatform.splice(5, 1)
    app.clock.advance({ days: 1, minutes: 1 })
    await read()
    const shown = async () => (await measured()).filter((one) => one.gone_at !== null)
    expect((await shown()).map(({ remote_id: id }) => id)).toEqual([gone?.remoteId])
    app.clock.advance({ days: 8 })
    await readDueMetrics(deps(), context())
    expect((await shown()).map(({ metrics_at: at }) => at)).toEqual([null])
    expect(
      await rows(
        'select f.value::int as value from post_figure f join measured_post m on m.id = f.post_id where m.channel_id = $1 and m.gone_at is not null and f.name = $2',
        [channelId, 'reactions'],
      ),
    ).toEqual([{ value: 7 }])
  })

  it('takes no post of ours for a deleted one because a reading leaves it out', async () => {
    const figures = figuresOn(app.database)
    const ours = await figures.published(home, channelId, '2026-11-20T08:00:00Z', { remoteId: 'ours' })
    await figures.reading(ours, '2026-11-20T10:00:00Z', { reactions: 3 })
    for (let day = 0; day < 4; day++) {
      app.clock.advance({ days: 1 })
      await readDueMetrics(deps(), context())
    }
    expect(await measured()).toMatchObject([{ id: ours, gone_at: null, metrics_at: expect.any(Date) }])
  })

  it('takes no story for a deleted one that ended', async () => {
    onPlatform = native(20).map((post, nth) => (nth === 1 ? { ...post, postType: 'story' } : post))
    await read()
    onPlatform.splice(1, 1)
    app.clock.advance({ days: 1, minutes: 1 })
    await read()
    expect(await measured()).toHaveLength(20)
    expect((await measured()).filter((one) => one.gone_at !== null)).toEqual([])
  })

  it('takes no post for a deleted one when the list is in another order', async () => {
    onPlatform = native(20)
    await read()
    app.clock.advance({ days: 1, minutes: 1 })
    // a pinned one first, or somewhere else
    onPlatform = [0, 19, 3, 8].flatMap((nth) => onPlatform[nth] ?? [])
    await read()
    expect((await measured()).filter((one) => one.gone_at !== null)).toEqual([])
  })

  it('recognizes a post of ours whose remote ID nobody knows', async () => {
    const { owner } = app.database
    const at = app.clock.now().toISOString()
    const figures = figuresOn(app.database)
    const confirmed = await figures.published(home, channelId, at, { text: 'Sent without an answer' })
    await owner.query('update post set remote_id = null where id = $1', [confirmed])
    await owner.query('update measured_post set remote_id = null, metrics_at = null where id = $1', [confirmed])
    onPlatform = [found('theirs', -0.01, { text: 'Sent  without an\nanswer' }), found('other', 2)]
    await read()
    expect((await measured()).map(({ id, remote_id: remoteId, elsewhere }) => [elsewhere || id, remoteId])).toEqual([
      [confirmed, 'theirs'],
      [true, 'other'],
    ])
    // and the other way round: it's listed before a person confirms it
    onPlatform = [found('again', 0, { text: 'Confirmed later' }), ...onPlatform]
    app.clock.advance({ days: 1, minutes: 1 })
    await read()
    const later = await figures.published(home, channelId, onPlatform[0]?.publishedAt.toISOString() ?? '', {
      text: 'Confirmed later',
      remoteId: null,
    })
    expect((await measured()).find(({ remote_id: id }) => id === 'again')).toMatchObject({
      id: later,
      elsewhere: false,
    })
  })
})

describe('a platform', () => {
  it('that charges is read within the limit, and not at all without one', async () => {
    await app.database.owner.query("update channel set platform = 'x' where id = $1", [channelId])
    onPlatform = native(300)
    await read('x')
    expect(asked).toEqual([])
    expect(await sync()).toMatchObject({ state: 'off', problem: { code: 'inbox-spending-off' } })
    const limit = (dollars: number) =>
      app.call(
        setPlatformCost,
        { params: { orgId: home.orgId }, body: { platformName: 'x', monthlyLimit: dollars } },
        { as: home.person },
      )
    // 60 posts at half a cent are left
    await limit(1)
    await app.database.owner.query('update inbox_cost set spent = 700000 where org_id = $1', [home.orgId])
    await read('x')
    expect(asked.map(({ atMost }) => atMost)).toEqual([40, 20])
    expect(await sync()).toMatchObject({ state: 'late', imported: 60, problem: { code: 'inbox-spending-used-up' } })
    expect(await rows('select spent::int from inbox_cost where org_id = $1', [home.orgId])).toEqual([
      { spent: 1_000_000 },
    ])
  })

  it('that lacks rights says so, and is read after a new sign-in', async () => {
    answer = async () => ({ kind: 'rights', missing: ['posts'] })
    await read()
    expect(await sync()).toMatchObject({ state: 'rights', next_at: null, problem: { code: 'figures-need-rights' } })
    app.clock.advance({ days: 2 })
    await read()
    expect(asked).toHaveLength(1)
    answer = undefined
    onPlatform = native(3)
    await app.database.owner.query('update channel set connected_at = $2 where id = $1', [channelId, app.clock.now()])
    await read()
    expect(await measured()).toHaveLength(3)
  })

  it('that lists no posts says so', async () => {
    expect(await collecting()).toMatchObject({ state: 'unavailable', imported: null })
  })

  it('may write anything: what no column holds is cut or left out', async () => {
    onPlatform = [
      found('fine', 1, {
        text: `a\u0000b #tag ${'#x'.repeat(9000)}`,
        permalink: `https://a.example/${'x'.repeat(5000)}`,
      }),
      found('k'.repeat(3000), 2),
      found('fine', 3),
    ]
    await read()
    expect((await measured()).map(({ remote_id: id }) => id)).toEqual(['fine'])
    expect(
      await rows('select permalink, cardinality(hashtags) as n from measured_post where channel_id = $1', [channelId]),
    ).toEqual([{ permalink: null, n: 2 }])
  })
})

describe('more posts', () => {
  it('can be asked for by roles that may, of their channels', async () => {
    onPlatform = native(3)
    await read()
    const ask = (as = home.person) => app.send(insightsImport, { params: home.params, body: { channelId } }, { as })
    const other = await contentOn(app.parts).channel(home)
    expect((await ask(await app.colleague(home, 'editor', { channelIds: [other] }))).statusCode).toBe(404)
    expect((await ask(await app.colleague(home, 'user'))).statusCode).toBe(403)
    expect((await ask(await app.colleague(home, 'editor'))).statusCode).toBe(200)
    expect(await sync()).toMatchObject({ wanted: 500, imported: 0 })
    await teamOn(app).plan(home, 'free')
    expect((await ask()).statusCode).toBe(402)
  })
})
