import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsEvents } from '#contract/analytics/events.ts'
import { createCampaign } from '#contract/campaigns.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { taxonomyOn } from '../testing/taxonomy.ts'
import { teamOn } from '../testing/team.ts'

let app: TestApp
let home: TestHome
let facebook: string
let x: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
  const content = contentOn(app.parts)
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  x = await content.channel(home, { platform: 'x', handle: '@x' })
})

type Query = NonNullable<CallOf<typeof insightsEvents>['query']>
const week = { from: '2026-11-15', to: '2026-11-21' }
const events = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsEvents, { params: home.params, query }, { as: who })
const campaign = async (name: string, startsOn: string | null, endsOn: string | null) =>
  (await app.call(createCampaign, { params: home.params, body: { name, startsOn, endsOn } }, { as: home.person }))
    .campaignId

/** Posts on three days, two of them of one channel on one day, and what belongs to campaigns. */
async function fill() {
  const figures = figuresOn(app.database)
  const old = await figures.published(home, facebook, '2026-10-10T12:00:00Z')
  const a = await figures.published(home, facebook, '2026-11-16T10:00:00Z', { text: 'One #rooks' })
  await figures.published(home, facebook, '2026-11-16T23:30:00Z')
  await figures.elsewhere(home, facebook, '2026-11-18T12:00:00Z')
  const tweet = await figures.published(home, x, '2026-11-16T12:00:00Z')
  const winter = await campaign('Winter', '2026-11-17', null)
  const spring = await campaign('Spring', '2026-03-01', '2026-04-01')
  const undated = await campaign('Always', null, null)
  const empty = await campaign('Nobody', '2026-11-17', '2026-11-18')
  await taxonomyOn(app).join(home, [a], [spring, undated])
  await taxonomyOn(app).join(home, [tweet, old], [winter])
  return { winter, empty }
}

describe('what charts mark on their axis', () => {
  it('is how many posts were published on each day, wherever, and the campaigns that they belong to', async () => {
    const { winter } = await fill()
    expect(await events()).toEqual({
      range: { ...week, compare: null },
      posts: [
        { day: '2026-11-16', count: 3 },
        { day: '2026-11-18', count: 1 },
      ],
      campaigns: [{ campaignId: winter, name: 'Winter', from: '2026-11-17', to: null }],
    })
  })

  it('follows the filters and the role', async () => {
    await fill()
    expect((await events({ ...week, platforms: 'x' })).posts).toEqual([{ day: '2026-11-16', count: 1 }])
    expect((await events({ ...week, hashtag: 'rooks' })).posts).toEqual([{ day: '2026-11-16', count: 1 }])
    const bound = await teamOn(app).holder(home, { insights: ['view'], channel: ['view'] }, { channelIds: [facebook] })
    const own = await events(week, bound)
    expect(own.posts[0]).toEqual({ day: '2026-11-16', count: 2 })
    // of the campaign it only has an older post
    expect(own.campaigns.map(({ name }) => name)).toEqual(['Winter'])
    expect((await events({ ...week, channelIds: x }, bound)).campaigns).toEqual([])
  })

  it('leaves out single posts where their days would cover the axis', async () => {
    const { winter } = await fill()
    const reply = await events({ from: '2026-01-01', to: '2026-11-21' })
    expect(reply.posts).toEqual([])
    expect(reply.campaigns.map(({ campaignId }) => campaignId)).toContain(winter)
  })

  it('needs the right, the project and the plan', async () => {
    const without = await teamOn(app).holder(home, { channel: ['view'], post: ['view'] })
    const other = await app.signedInOwner()
    const status = async (who: TestPerson) =>
      (await app.send(insightsEvents, { params: home.params, query: week }, { as: who })).statusCode
    expect(await status(without)).toBe(403)
    expect(await status(other.person)).toBe(404)
    await teamOn(app).plan(home, 'free')
    expect(await status(home.person)).toBe(402)
  })

  it('refuses days that are no range', async () => {
    const reply = await app.send(
      insightsEvents,
      { params: home.params, query: { from: '2026-11-21', to: '2026-11-15' } },
      { as: home.person },
    )
    expect([reply.statusCode, Object.keys(reply.json().errors ?? {})]).toEqual([400, ['to']])
  })
})
