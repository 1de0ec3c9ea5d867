import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsWorked, lengthBands, workedBy, type WorkedGroup } from '#contract/analytics/worked.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { wallTimeOf } from '#contract/time.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let figures: ReturnType<typeof figuresOn>
let home: TestHome
let facebook: string
let bluesky: string
beforeAll(async () => {
  app = await startApp()
  content = contentOn(app.parts)
  figures = figuresOn(app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
})

type Query = CallOf<typeof insightsWorked>['query']
const range = { from: '2026-10-01', to: '2026-11-21' }
const worked = (query: Partial<Query> = {}, who: TestPerson = home.person) =>
  app.call(insightsWorked, { params: home.params, query: { ...range, by: 'format', ...query } }, { as: who })
const send = (query: Record<string, string>, who?: TestPerson, params = home.params) =>
  app.send(insightsWorked, { params, query }, who ? { as: who } : {})

type Told = Record<string, number>
async function post(
  channelId: string,
  at: string,
  told: Told | null,
  more: Parameters<typeof figures.published>[3] = {},
): Promise<string> {
  const id = await figures.published(home, channelId, at, more)
  if (told) await figures.reading(id, at, told)
  return id
}
const plain = (groups: readonly WorkedGroup[]) => groups.map((group) => ({ ...group, by: undefined }))

describe('what worked', () => {
  it('has median and quartiles of posts of a format, each a value of a post, and none of fewer than three', async () => {
    const picture = await content.picture(home)
    for (const reactions of [5, 1, 9, 3])
      await post(facebook, '2026-11-02T10:00:00Z', { reactions, views: 100 }, { assetIds: [picture] })
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 70 }, { assetIds: [picture, picture] })
    await post(bluesky, '2026-11-02T10:00:00Z', { reactions: 8 }, { text: 'Words' })
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 4 }, { postType: 'reel', assetIds: [randomUUID()] })
    const native = await figures.elsewhere(home, bluesky, '2026-11-02T11:00:00Z')
    await figures.reading(native, '2026-11-03T11:00:00Z', { reactions: 6 })
    // no figure, no place
    await post(bluesky, '2026-11-02T10:00:00Z', { views: 10 })
    const reply = await worked()
    expect(reply.all).toEqual({ posts: 8, spread: { least: 1, q1: 3, median: 5, q3: 8, most: 70 } })
    expect([reply.tooYoung, reply.withoutFigure, reply.apart]).toEqual([0, 1, []])
    const none = { posts: 1, spread: null }
    expect(plain(reply.groups)).toEqual([
      {
        platform: 'facebook',
        postType: 'post',
        media: 'picture',
        posts: 4,
        spread: { least: 1, q1: 1, median: 3, q3: 5, most: 9 },
      },
      { platform: 'facebook', postType: 'post', media: 'pictures', ...none },
      // its file is gone
      { platform: 'facebook', postType: 'reel', media: null, ...none },
      { platform: 'bluesky', postType: 'post', media: null, ...none },
      { platform: 'bluesky', postType: 'post', media: 'text', ...none },
    ])
    const rate = await worked({ figure: 'engagementRate' })
    expect(rate.all).toEqual({ posts: 4, spread: { least: 1, q1: 1, median: 3, q3: 5, most: 9 } })
    expect(rate.withoutFigure).toBe(5)
  })

  it('compares posts of days that are a week ago', async () => {
    await post(facebook, '2026-11-14T23:59:00Z', { reactions: 1 })
    await post(facebook, '2026-11-15T00:00:00Z', { reactions: 2 })
    await post(facebook, '2026-11-21T09:00:00Z', null)
    expect(await worked()).toMatchObject({ all: { posts: 1 }, tooYoung: 2, withoutFigure: 0 })
    expect(await worked({ from: '2026-11-15' })).toMatchObject({ all: { posts: 0 }, groups: [], tooYoung: 2 })
    app.clock.advance({ days: 1 })
    expect(await worked()).toMatchObject({ all: { posts: 2 }, tooYoung: 1 })
  })

  it("goes by the project's time zone", async () => {
    await app.database.owner.query("update project set zone = 'America/New_York' where id = $1", [home.projectId])
    // Monday 23:30 in New York is a Tuesday in London
    await post(facebook, '2026-11-03T04:30:00Z', { reactions: 1 })
    const seen = async (by: 'weekday' | 'hour' | 'weekdayHour' | 'dayPart' | 'weekdayPart') =>
      plain((await worked({ by })).groups)
    expect(await seen('weekday')).toEqual([{ weekday: 1, posts: 1, spread: null }])
    expect(await seen('hour')).toEqual([{ hour: 23, posts: 1, spread: null }])
    expect(await seen('weekdayHour')).toEqual([{ weekday: 1, hour: 23, posts: 1, spread: null }])
    expect(await seen('dayPart')).toEqual([{ from: 18, posts: 1, spread: null }])
    expect(await seen('weekdayPart')).toEqual([{ weekday: 1, from: 18, posts: 1, spread: null }])
  })

  it('counts a post in the group of each of its labels, and others as posts without one', async () => {
    const taxonomy = taxonomyOn(app)
    const [one, two] = [await taxonomy.label(home), await taxonomy.label(home)]
    const [a, b] = [
      await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 }),
      await post(bluesky, '2026-11-03T10:00:00Z', { reactions: 2 }),
    ]
    await post(bluesky, '2026-11-04T10:00:00Z', { reactions: 3 })
    await taxonomy.tag(home, [a], [one, two])
    await taxonomy.tag(home, [b], [one])
    const reply = await worked({ by: 'label' })
    expect(reply.all.posts).toBe(3)
    expect(
      reply.groups.map((group) => (group.by === 'label' ? [group.label?.labelId ?? null, group.posts] : [])),
    ).toEqual([
      [one, 2],
      [two, 1],
      [null, 1],
    ])
    expect((await worked({ by: 'label', labelId: two })).all.posts).toBe(1)
  })

  it('counts the characters of what was published, also after an edit, and says where that is not known', async () => {
    const lengths = async () =>
      (await worked({ by: 'length' })).groups.map((group) =>
        group.by === 'length' ? [group.length?.from, group.posts] : [],
      )
    const id = await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 }, { text: '🪶'.repeat(99) })
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 }, { text: '' })
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 }, { text: 'x'.repeat(1000) })
    const native = await figures.elsewhere(home, facebook, '2026-11-02T11:00:00Z')
    await figures.reading(native, '2026-11-03T11:00:00Z', { reactions: 1 })
    expect(await lengths()).toEqual([
      [0, 1],
      [1, 1],
      [1000, 1],
      [undefined, 1],
    ])
    await app.database.owner.query('update post set contents = $2 where id = $1', [
      id,
      JSON.stringify([
        { text: 'y'.repeat(60), media: [] },
        { text: 'z'.repeat(40), media: [] },
      ]),
    ])
    expect(await lengths()).toEqual([
      [0, 1],
      [100, 1],
      [1000, 1],
      [undefined, 1],
    ])
  })

  it('leaves out platforms whose terms forbid comparing, and names them', async () => {
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@tube' })
    await post(youtube, '2026-11-02T10:00:00Z', { views: 10, reactions: 1 })
    await post(youtube, '2026-11-20T10:00:00Z', null)
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 })
    const all = await worked()
    expect([all.apart, all.all.posts, all.tooYoung, all.groups.length]).toEqual([['youtube'], 1, 0, 1])
    const alone = await worked({ platforms: 'youtube', figure: 'viewsAndImpressions' })
    expect([alone.apart, alone.all.posts, alone.groups]).toEqual([['youtube'], 0, []])
  })

  it('has no post of channels outside of the role in any number', async () => {
    await post(facebook, '2026-11-02T10:00:00Z', { reactions: 1 })
    await post(facebook, '2026-11-03T10:00:00Z', null)
    await post(facebook, '2026-11-20T10:00:00Z', null)
    await post(bluesky, '2026-11-02T10:00:00Z', { reactions: 2 })
    const bound = await app.colleague(home, 'editor', { channelIds: [bluesky] })
    for (const by of workedBy) {
      const reply = await worked({ by }, bound)
      expect([reply.all.posts, reply.tooYoung, reply.withoutFigure], by).toEqual([1, 0, 0])
      expect(
        reply.groups.map(({ posts }) => posts),
        by,
      ).toEqual([1])
    }
    expect((await worked({ channelIds: facebook }, bound)).all.posts).toBe(0)
  })

  it('is for members of the project on plans with analytics', async () => {
    const query = { ...range, by: 'hour' }
    expect((await send(query)).statusCode).toBe(401)
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    expect((await send(query, stranger.person)).statusCode).toBe(404)
    // another tenant's filters find nothing
    const other = await app.send(
      insightsWorked,
      { params: stranger.params, query: { ...range, by: 'hour', channelIds: facebook } },
      { as: stranger.person },
    )
    expect(other.json()).toMatchObject({ all: { posts: 0 }, groups: [] })
    await teamOn(app).plan(home, 'free')
    const closed = await send(query, home.person)
    expect([closed.statusCode, closed.json()]).toMatchObject([402, { meta: { gate: 'analytics' } }])
  })

  it.each([
    ['no grouping', {}],
    ['an unknown grouping', { by: 'author' }],
    ['a figure that posts are not compared by', { by: 'hour', figure: 'reach' }],
    ['a range without a start', { by: 'hour', from: '' }],
    ['too long a range', { by: 'hour', from: '2020-01-01' }],
  ])('refuses %s', async (_, query) => {
    expect((await send({ ...range, ...query }, home.person)).statusCode).toBe(400)
  })

  it('equals a plain recount of the posts', async () => {
    // with a clock change on 27 September
    const zone = 'Pacific/Auckland'
    const hours = fc.integer({ min: 0, max: 62 * 24 })
    const onePost = fc.record({
      isFacebook: fc.boolean(),
      hours,
      reactions: fc.option(fc.integer({ min: 0, max: 30 }), { freq: 4 }),
      shares: fc.integer({ min: 0, max: 3 }),
      length: fc.constantFrom(0, 1, 99, 100, 279, 280, 500, 1200),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(onePost, { minLength: 1, maxLength: 25 }), async (all) => {
        home = await app.signedInOwner()
        await teamOn(app).plan(home, 'team')
        await app.database.owner.query('update project set zone = $2 where id = $1', [home.projectId, zone])
        facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
        bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
        const start = Date.parse('2026-09-20T00:00:00Z')
        const posts: { value: number | null; at: Date; length: number; isFacebook: boolean }[] = []
        for (const one of all) {
          const at = new Date(start + one.hours * 3_600_000)
          const told: Told = one.reactions === null ? { views: 3 } : { reactions: one.reactions, shares: one.shares }
          const text = 'x'.repeat(one.length)
          await post(one.isFacebook ? facebook : bluesky, at.toISOString(), told, { text })
          const value = one.reactions === null ? null : one.reactions + one.shares
          posts.push({ value, at, length: one.length, isFacebook: one.isFacebook })
        }
        const dayOf = (at: Date) => {
          const { year, month, day } = wallTimeOf(at, zone)
          return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10)
        }
        const weekdayOf = (at: Date) => new Date(`${dayOf(at)}T00:00:00Z`).getUTCDay() || 7
        const partOf = (at: Date) => wallTimeOf(at, zone).hour - (wallTimeOf(at, zone).hour % 6)
        const within = posts.filter(({ at }) => dayOf(at) >= '2026-09-22' && dayOf(at) <= '2026-11-21')
        const old = within.filter(({ at }) => dayOf(at) <= '2026-11-14')
        const told = old.flatMap((one) => (one.value === null ? [] : [{ ...one, value: one.value }]))
        const keys: Record<string, (one: (typeof told)[number]) => unknown> = {
          hour: ({ at }) => wallTimeOf(at, zone).hour,
          weekday: ({ at }) => weekdayOf(at),
          weekdayHour: ({ at }) => `${weekdayOf(at)} ${wallTimeOf(at, zone).hour}`,
          dayPart: ({ at }) => partOf(at),
          weekdayPart: ({ at }) => `${weekdayOf(at)} ${partOf(at)}`,
          length: ({ length }) => lengthBands.findLast(({ from }) => from <= length)?.from,
          format: ({ isFacebook }) => (isFacebook ? 'facebook' : 'bluesky'),
        }
        for (const by of ['hour', 'weekday', 'weekdayHour', 'dayPart', 'weekdayPart', 'length', 'format'] as const) {
          const reply = await worked({ by, from: '2026-09-22' })
          const keyOf = (group: WorkedGroup) => {
            if (group.by === 'hour') return group.hour
            if (group.by === 'weekday') return group.weekday
            if (group.by === 'weekdayHour') return `${group.weekday} ${group.hour}`
            if (group.by === 'dayPart') return group.from
            if (group.by === 'weekdayPart') return `${group.weekday} ${group.from}`
            if (group.by === 'length') return group.length?.from
            return group.by === 'format' ? group.platform : undefined
          }
          const counted = Map.groupBy(told, (one) => keys[by]?.(one))
          expect(new Map(reply.groups.map((group) => [keyOf(group), [group.posts, group.spread]]))).toEqual(
            new Map([...counted].map(([key, group]) => [key, recounted(group.map(({ value }) => value))])),
          )
          expect([reply.all.posts, reply.all.spread]).toEqual(recounted(told.map(({ value }) => value)))
          expect([reply.tooYoung, reply.withoutFigure]).toEqual([within.length - old.length, old.length - told.length])
        }
      }),
      { numRuns: 12 },
    )
  })
})

/** The number of values, and their spread by its definition. */
function recounted(values: readonly number[]): [number, unknown] {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) =>
    sorted.find((value) => sorted.filter((one) => one <= value).length >= share * sorted.length)
  if (sorted.length < 3) return [sorted.length, null]
  return [sorted.length, { least: sorted[0], q1: at(0.25), median: at(0.5), q3: at(0.75), most: sorted.at(-1) }]
}
