import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsPost } from '#contract/analytics/posts.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'
import { curveOf, type CurveReading } from './postCurve.ts'

const reading = (hours: number, figures: CurveReading['figures'], afterGap = false): CurveReading => ({
  hours,
  figures,
  afterGap,
})
/** A post that has had as many views after 1, 6 and 24 hours. */
const post = (...views: number[]) => [1, 6, 24].map((hours, i) => reading(hours, { views: views[i] ?? 0 }))

describe('the curve of a post', () => {
  it('has its values at each age that it has reached, beside the median of the others', () => {
    const curve = curveOf(
      post(10, 40, 90),
      [post(1, 2, 3), post(100, 200, 300), post(5, 9, 11), [reading(1, { views: 7 })]],
      { reached: 30, compares: true },
    )
    expect(curve.ages).toEqual([1, 6, 24])
    expect(curve.others).toBe(4)
    expect(curve.figures.find(({ name }) => name === 'views')).toEqual({
      name: 'views',
      values: [10, 40, 90],
      medians: [6, 9, 11],
      known: [4, 3, 3],
    })
  })

  it('has no median at an age at which less than half of the others are known', () => {
    const early = [1, 2, 3, 4].map((views) => [reading(1, { views })])
    const { figures } = curveOf(post(10, 40, 90), [post(1, 2, 3), post(1, 2, 3), post(5, 9, 11), ...early], {
      reached: 30,
      compares: true,
    })
    expect(figures.find(({ name }) => name === 'views')).toMatchObject({ medians: [2, null, null], known: [7, 3, 3] })
  })

  it('has no median of fewer than three posts', () => {
    const { figures } = curveOf(post(10, 40, 90), [post(1, 2, 3), post(100, 200, 300)], { reached: 30, compares: true })
    expect(figures.find(({ name }) => name === 'views')?.medians).toEqual([null, null, null])
  })

  it('adds up engagements from what was reported, and leaves out averages', () => {
    const own = [
      reading(1, { reactions: 3, comments: 1, reach: 50, averageWatchMs: 900 }),
      reading(6, { reactions: 5 }),
    ]
    const { figures } = curveOf(own, [], { reached: 7, compares: true })
    expect(figures.map(({ name, values }) => [name, values])).toEqual([
      ['engagements', [4, 5]],
      ['reactions', [3, 5]],
      ['comments', [1, null]],
      ['reach', [50, null]],
    ])
  })

  it('has the rate of each post of which both sides are known, and the median of the others’ rates', () => {
    const rated = (views: number, reactions: number) => [reading(1, { views, reactions })]
    const { figures } = curveOf(
      [reading(1, { views: 200, reactions: 9, comments: 1 }), reading(6, { reactions: 12 })],
      [rated(100, 1), rated(1000, 40), rated(50, 1), [reading(1, { views: 5 })]],
      { reached: 7, compares: true },
    )
    expect(figures.find(({ name }) => name === 'engagementRate')).toEqual({
      name: 'engagementRate',
      values: [5, null],
      medians: [2, null],
      known: [3, 0],
    })
  })

  it('doesn’t begin at 0 if nobody knows what the post had before its first reading', () => {
    const [known, unknown] = [false, true].map((gap) =>
      curveOf([reading(2, { views: 200 }, gap)], [], { reached: 7, compares: false }),
    )
    expect(known?.figures[0]?.values).toEqual([100, null])
    expect(unknown?.figures).toEqual([])
  })

  it('works nothing out where the platform’s terms forbid it', () => {
    const own = [reading(1, { views: 3, reactions: 1 })]
    const { figures, others } = curveOf(own, [post(1, 2, 3)], { reached: 2, compares: false })
    expect([figures, others]).toEqual([
      [
        { name: 'views', values: [3], medians: null, known: null },
        { name: 'reactions', values: [1], medians: null, known: null },
      ],
      null,
    ])
  })
})

describe('the posts that a post is compared with', () => {
  let app: TestApp
  let home: TestHome
  beforeAll(async () => {
    app = await startApp()
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    app.clock.set(TEST_NOW)
    home = await app.signedInOwner()
    await teamOn(app).plan(home, 'team')
  })

  it('are known up to an age of 24 hours if it is a story', async () => {
    const figures = figuresOn(app.database)
    const channel = await contentOn(app.parts).channel(home, { platform: 'instagram', handle: '@one' })
    const story = await figures.published(home, channel, '2026-11-01T10:00:00Z', { postType: 'story' })
    await figures.reading(story, '2026-11-02T09:30:00Z', { views: 80 })
    const { curve } = await app.call(insightsPost, { params: { ...home.params, postId: story } }, { as: home.person })
    expect(curve.ages).toEqual([1, 6, 24])
    expect(curve.figures.find(({ name }) => name === 'views')?.values.at(-1)).toBe(80)
  })

  it('are those of its channel and type within a year, and never its own', async () => {
    const figures = figuresOn(app.database)
    const content = contentOn(app.parts)
    const channel = await content.channel(home, { platform: 'instagram', handle: '@one' })
    const other = await content.channel(home, { platform: 'instagram', handle: '@two' })
    const youtube = await content.channel(home, { platform: 'youtube', handle: '@films' })
    const add = async (channelId: string, day: string, views: number, postType = 'post') => {
      const id = await figures.published(home, channelId, `${day}T10:00:00Z`, { postType })
      await figures.reading(id, `${day}T11:00:00Z`, { views })
      return id
    }
    const own = await add(channel, '2026-11-10', 1000)
    for (const [day, views] of [
      ['2026-11-09', 10],
      ['2026-11-11', 20],
      ['2026-11-12', 60],
    ] as const)
      await add(channel, day, views)
    await add(channel, '2026-11-09', 5000, 'reel')
    await add(channel, '2025-10-01', 5000)
    await add(other, '2026-11-09', 5000)
    const film = await add(youtube, '2026-11-09', 5000)
    const of = async (postId: string) =>
      await app.call(insightsPost, { params: { ...home.params, postId } }, { as: home.person })
    const { curve, compares } = await of(own)
    expect([compares, curve.others]).toEqual([true, 3])
    expect(curve.figures.find(({ name }) => name === 'views')).toMatchObject({
      values: [1000, ...curve.ages.slice(1).map(() => null)],
      medians: [20, ...curve.ages.slice(1).map(() => null)],
    })
    const apart = await of(film)
    expect([
      apart.compares,
      apart.curve.others,
      apart.curve.figures.map(({ name, medians }) => [name, medians]),
    ]).toEqual([false, null, [['views', null]]])
  })
})
