import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { listPosts, PostList, rowsOf } from '#contract/postLists.ts'
import { contentOn } from '../testing/content.ts'
import { manyPosts } from '../testing/manyPosts.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'

/* What a range of posts costs on the wire, and what it says when it doesn't fit. */

const MONTH = { from: '2026-11-01T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' }
let app: TestApp
let home: TestHome
beforeAll(async () => {
  app = await startApp()
  home = await app.signedInOwner()
  const [content, taxonomy] = [contentOn(app.parts), taxonomyOn(app)]
  const channels: string[] = []
  for (let i = 0; i < 10; i += 1) channels.push(await content.channel(home, { handle: `@channel${i}.example` }))
  const ids = await manyPosts(app.database.owner, home, channels, { from: MONTH.from, days: 30, count: 850 })
  for (let i = 0; i < 6; i += 1) {
    const label = await taxonomy.label(home, `Label ${i}`)
    await taxonomy.tag(
      home,
      ids.filter((_, n) => n % 6 === i),
      [label],
    )
  }
})
afterAll(() => app.close())

type Query = NonNullable<CallOf<typeof listPosts>['query']>
const list = (query: Query) => app.call(listPosts, { params: home.params, query }, { as: home.person })
const sent = (encoding: string) =>
  app.send(
    listPosts,
    { params: home.params, query: { ...MONTH, view: 'month' } },
    { as: home.person, headers: { 'accept-encoding': encoding } },
  )

/** The revision names a place among the transactions of the whole server, which other tests' databases move too. */
const withoutRevision = (body: Buffer): unknown => ({ ...JSON.parse(body.toString()), revision: null })

describe('a month of 850 posts on 10 channels with 6 labels', () => {
  it('takes at most 180 kB as JSON and 35 kB on the wire', async () => {
    const plain = await sent('identity')
    expect(PostList.parse(plain.json()).posts).toHaveLength(850)
    expect(plain.rawPayload.length).toBeLessThanOrEqual(180_000)
    const [brotli, gzip] = [await sent('br'), await sent('gzip')]
    expect(withoutRevision(brotliDecompressSync(brotli.rawPayload))).toEqual(withoutRevision(plain.rawPayload))
    expect(withoutRevision(gunzipSync(gzip.rawPayload))).toEqual(withoutRevision(plain.rawPayload))
    expect(brotli.rawPayload.length).toBeLessThanOrEqual(35_000)
    expect(gzip.rawPayload.length).toBeLessThanOrEqual(35_000)
  })

  it('leaves out what the month does not draw, and shortens texts to what fits there', async () => {
    const month = await list({ ...MONTH, view: 'month' })
    const full = await list(MONTH)
    expect(full.posts.map(({ postId }) => postId)).toEqual(month.posts.map(({ postId }) => postId))
    const drawn = ['postId', 'status', 'at', 'dueAt', 'timezone', 'excerpt', 'channel', 'images', 'version', 'failure']
    expect(month.posts.flatMap((post) => Object.keys(post)).filter((key) => !drawn.includes(key))).toEqual([])
    expect(month.posts.every(({ excerpt }) => excerpt.length <= 48)).toBe(true)
    expect(month).toMatchObject({ people: [], labels: [], campaigns: [] })
    expect(month.channels).toHaveLength(10)
    expect(full.labels.map(({ labelName }) => labelName)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `Label ${i}`))
    const [inMonth, inFull] = [rowsOf(month), rowsOf(full)]
    expect(inMonth.map(({ at, channel, status, images }) => ({ at, channel, status, images }))).toEqual(
      inFull.map(({ at, channel, status, images }) => ({ at, channel, status, images })),
    )
    // the week has room for the whole text
    const week = await list({ ...MONTH, view: 'week' })
    expect(week.posts.map(({ excerpt }) => excerpt)).toEqual(full.posts.map(({ excerpt }) => excerpt))
    expect(Math.max(...week.posts.map(({ excerpt }) => excerpt.length))).toBe(160)
  })
})

it('says that a range was cut at 2,000 posts, and how many there are', async () => {
  const channel = await contentOn(app.parts).channel(home)
  await manyPosts(app.database.owner, home, [channel], { from: '2027-03-01T00:00:00.000Z', days: 28, count: 2_001 })
  const range = { from: '2027-03-01T00:00:00.000Z', to: '2027-04-01T00:00:00.000Z', view: 'month' } as const
  const cut = await list(range)
  expect([cut.posts.length, cut.pagination.totalCount, cut.truncated]).toEqual([2_000, 2_001, true])
  const whole = await list({ ...range, from: cut.posts[1]?.at ?? '' })
  expect([whole.posts.length, whole.pagination.totalCount, whole.truncated]).toEqual([2_000, 2_000, false])
})
