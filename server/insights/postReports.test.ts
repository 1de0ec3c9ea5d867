import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { postReports } from '#contract/insights.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn, type Team } from '../testing/team.ts'

let app: TestApp
let home: TestHome
let team: Team
beforeAll(async () => {
  app = await startApp()
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
})

const AT = '2026-11-20T10:00:00Z'
const of = async (postIds: string[], who: TestPerson = home.person) =>
  (await app.call(postReports, { params: home.params, query: { postIds } }, { as: who })).reports

async function fill() {
  const content = contentOn(app.parts)
  const figures = figuresOn(app.database)
  const x = await content.channel(home, { platform: 'x', handle: '@x' })
  const facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
  const [one, other, unread] = await Promise.all(
    [x, facebook, x].map((channel) => figures.published(home, channel, AT)),
  )
  if (!one || !other || !unread) throw new Error('not published')
  await figures.reading(one, AT, { impressions: 40, reactions: 2 })
  await figures.reading(one, '2026-11-20T16:00:00Z', { impressions: 90, reactions: 3, clicks: 0 })
  await figures.reading(other, AT, { views: 7 })
  return { x, one, other, unread }
}

it('says what each post’s platform reported last, and when; nothing of posts without a reading', async () => {
  const { one, other, unread } = await fill()
  const reports = await of([one, other, unread, randomUUIDv7()])
  expect(reports.toSorted((a) => (a.postId === one ? -1 : 1))).toEqual([
    // without what is worked out of it
    { postId: one, figures: { impressions: 90, reactions: 3, clicks: 0 }, readAt: '2026-11-20T16:00:00.000Z' },
    { postId: other, figures: { views: 7 }, readAt: '2026-11-20T10:00:00.000Z' },
  ])
})

it('follows the channels of a role, and other organizations have none of it', async () => {
  const { x, one, other } = await fill()
  const bound = await team.holder(home, { post: ['view'] }, { channelIds: [x] })
  expect((await of([one, other], bound)).map(({ postId }) => postId)).toEqual([one])
  const without = await team.holder(home, { channel: ['view'] })
  const stranger = await app.signedInOwner()
  const statusFor = async (who: TestPerson | undefined, postIds: string[]) =>
    (await app.send(postReports, { params: home.params, query: { postIds } }, who ? { as: who } : {})).statusCode
  expect([await statusFor(without, [one]), await statusFor(stranger.person, [one])]).toEqual([403, 404])
  expect(await statusFor(undefined, [one])).toBe(401)
  const theirs = await app.call(
    postReports,
    { params: stranger.params, query: { postIds: [one] } },
    { as: stranger.person },
  )
  expect(theirs.reports).toEqual([])
})

it.each([
  ['no post', []],
  ['101 posts', Array.from({ length: 101 }, () => randomUUIDv7())],
  ['something else', ['post']],
])('refuses %s', async (_, postIds) => {
  const reply = await app.send(postReports, { params: home.params, query: { postIds } }, { as: home.person })
  expect(reply.statusCode).toBe(400)
})
