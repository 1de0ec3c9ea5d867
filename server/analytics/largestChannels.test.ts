import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { insightsChannels } from '#contract/analytics/overview.ts'
import type { CallOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { teamOn } from '../testing/team.ts'

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

const week = { from: '2026-11-15', to: '2026-11-21' }
type Query = NonNullable<CallOf<typeof insightsChannels>['query']>
const ask = async (query: Query) =>
  await app.call(insightsChannels, { params: home.params, query: { ...week, ...query } }, { as: home.person })

async function channel(platform: PlatformKey, name: string, followers: number | null): Promise<string> {
  const id = await contentOn(app.parts).channel(home, { platform, handle: `@${name}` })
  if (followers !== null)
    await figuresOn(app.database).channelDay(id, '2026-11-20', { followers, reactions: 5 }, '2026-11-21T12:00:00Z')
  return id
}

it('are as many as asked for, by followers, and those that may not be ranked after all others', async () => {
  const small = await channel('instagram', 'small', 10)
  const large = await channel('facebook', 'large', 900)
  const unread = await channel('x', 'unread', null)
  const films = await channel('youtube', 'films', 50_000)
  const middle = await channel('bluesky', 'middle', 90)
  const idsOf = async (query: Query) => (await ask(query)).channels.map(({ channelId }) => channelId)
  expect(await idsOf({ most: 2 })).toEqual([large, middle])
  const all = await idsOf({ most: 100 })
  expect([all.slice(0, 3), new Set(all.slice(3))]).toEqual([[large, middle, small], new Set([unread, films])])

  // of one base, with only the names asked for; what is missing is of these channels
  const reply = await ask({ most: 1, names: 'reactions', base: 'inTheseDays' })
  expect(reply.total).toBe(5)
  expect(reply.channels.map(({ figures }) => figures.map(({ base, name }) => [base, name]))).toEqual([[]])
  expect(reply.missing.flatMap(({ channelIds }) => channelIds)).toEqual([large])
  const [one] = (await ask({ names: 'reactions,followers', base: 'postsPublished' })).channels
  expect(one?.figures.filter(({ base }) => base !== 'postsPublished')).toEqual([])
})

it.each([{ most: 0 }, { most: 101 }, { base: 'sometimes' }])('are refused with %o', async (query) => {
  const reply = await app.send(insightsChannels, { params: home.params, query }, { as: home.person })
  expect(reply.statusCode).toBe(400)
})
