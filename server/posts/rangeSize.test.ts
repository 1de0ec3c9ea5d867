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
const sent = (encoding: string, at = home) =>
  app.send(
    listPosts,
    { params: at.params, query: { ...MONTH, view: 'month' } },
    { as: at.person, headers: { 'accept-encoding': encoding } },
  )
const inSeconds = (at: string) => at.replace(/\.\d+Z$/, '.000Z')

/** The revision counts transactions of the whole server, which other tests' databases advance too. */
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

  it('takes at most 30 kB on the wire when each post has a different text', async () => {
    const team = await app.signedInOwner()
    const channels: string[] = []
    for (let i = 0; i < 10; i += 1) channels.push(await contentOn(app.parts).channel(team))
    await manyPosts(app.database.owner, team, channels, { from: MONTH.from, days: 30, count: 850, textOf: newsOf })
    const [plain, brotli, gzip] = [await sent('identity', team), await sent('br', team), await sent('gzip', team)]
    expect(new Set(PostList.parse(plain.json()).posts.map(({ excerpt }) => excerpt)).size).toBeGreaterThan(750)
    expect(plain.rawPayload.length).toBeLessThanOrEqual(180_000)
    expect(brotli.rawPayload.length).toBeLessThanOrEqual(30_000)
    expect(gzip.rawPayload.length).toBeLessThanOrEqual(30_000)
  })

  it("leaves out what the month doesn't draw, and shortens texts to what fits there", async () => {
    const month = await list({ ...MONTH, view: 'month' })
    const full = await list(MONTH)
    expect(full.posts.map(({ postId }) => postId)).toEqual(month.posts.map(({ postId }) => postId))
    const drawn = ['postId', 'status', 'at', 'dueAt', 'timezone', 'excerpt', 'channel', 'images', 'version', 'failure']
    expect(month.posts.flatMap((post) => Object.keys(post)).filter((key) => !drawn.includes(key))).toEqual([])
    expect(month.posts.every(({ excerpt }) => excerpt.length <= 40)).toBe(true)
    expect(month).toMatchObject({ people: [], labels: [], campaigns: [] })
    expect(month.channels).toHaveLength(10)
    expect(full.labels.map(({ labelName }) => labelName)).toEqual([0, 1, 2, 3, 4, 5].map((i) => `Label ${i}`))
    const [inMonth, inFull] = [rowsOf(month), rowsOf(full)]
    expect(inMonth.map(({ at, channel, status, images }) => ({ at, channel, status, images }))).toEqual(
      inFull.map(({ at, channel, status, images }) => ({ at: inSeconds(at), channel, status, images })),
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

const listOf = (words: string) => words.split(', ')
const OPENINGS = listOf(
  'Our, This week the, Tomorrow the, Every, A new, The first, Today our, Meet the, Behind the scenes of the, One more, Last night the, From Monday the, Good news from the, Two years ago this, Why our, How the, Next to the, Even the',
)
const PLACES = listOf(
  'bakery, harbor, workshop, museum, library, garden, studio, kitchen, orchestra, bicycle shop, roastery, market, festival, gallery, school, theater, brewery, farm, clinic, bridge, railway, forest, lighthouse, printer, archive, observatory, ferry, laundry, nursery, pharmacy, tailor, vineyard, warehouse, classroom, swimming pool, bookshop, carpenter, florist, greenhouse, planetarium',
)
const DEEDS = listOf(
  'opens, celebrates, welcomes, presents, launches, explains, repairs, collects, rebuilds, discovers, prepares, shares, tests, invites, compares, records, paints, measures, delivers, teaches, protects, promises, replaces, announces, explores, publishes, designs, improves, brings back, closes, tastes, photographs, translates, restores, simplifies',
)
const THINGS = listOf(
  'fresh bread before sunrise, a summer of open evenings, three ways to save water, its oldest photograph, new opening hours, the winter collection, a guide for beginners, twelve handmade lamps, stories from the neighborhood, an honest look at prices, free lessons for children, the quiet season, better tools for small teams, seven recipes with apples, a map of the old town, the results of our survey, work by young artists, second chances for old furniture, the longest night of the year, tickets at half price, a letter from our founder, tea from the mountains, safer streets near schools, music without a stage, what we learned from failure',
)
const ENDINGS = listOf(
  'Come and see for yourself, Tell us what you think, Doors open at nine, Bring a friend and an umbrella, Link in the comments, Places are limited, We can hardly wait, Read the whole story on our site, No registration needed, Thank you for ten wonderful years, Which one would you choose?, Applications close on Friday, More photos tomorrow, Save the date',
)

/** A text of several sentences, 150 to 250 characters, different for each number. */
function newsOf(n: number): string {
  let seed = n * 7919 + 12_345
  const from = (list: readonly string[]) => list[(seed = (seed * 48_271) % 2_147_483_647) % list.length]
  let text = ''
  while (text.length < 150)
    text += `${from(OPENINGS)} ${from(PLACES)} ${from(DEEDS)} ${from(THINGS)} with the ${from(PLACES)}. ${from(ENDINGS)}. `
  return text.slice(0, 250).trim()
}
