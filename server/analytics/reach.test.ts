import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { insightsReach } from '#contract/analytics/reach.ts'
import { insightsSeries, insightsSummary } from '#contract/analytics/overview.ts'
import type { CallOf } from '#contract/endpoint.ts'
import { addDays } from '../rangeDays.ts'
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
let instagram: string
let facebook: string
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
  instagram = await content.channel(home, { platform: 'instagram', handle: '@rook' })
  facebook = await content.channel(home, { platform: 'facebook', handle: '@page' })
})

type Query = NonNullable<CallOf<typeof insightsReach>['query']>
/** The 7 days that end today, against the 7 before. */
const week = { from: '2026-11-15', to: '2026-11-21', compareFrom: '2026-11-08', compareTo: '2026-11-14' }
const reach = (query: Query = week, who: TestPerson = home.person) =>
  app.call(insightsReach, { params: home.params, query }, { as: who })
const read = (channelId: string, day: string, of: Record<string, number>) => figures.channelDay(channelId, day, of)

describe('the people that channels reached', () => {
  it('are the newest final window of as many days as the range, against as many days as long before', async () => {
    for (let i = 0; i < 12; i += 1)
      await read(instagram, addDays('2026-11-07', i), { reach: 500, reach7: 1000 + i * 10, reach28: 3000 + i })
    const reply = await reach()
    // the last one that was read ends on the 18th, and is held against the one that ended 7 days before
    expect(reply).toMatchObject({
      days: 7,
      channels: [
        {
          channelId: instagram,
          from: '2026-11-12',
          to: '2026-11-18',
          before: { from: '2026-11-05', to: '2026-11-11' },
          figure: {
            name: 'reach7',
            value: 1110,
            before: 1040,
            changePercent: 6.73,
            compared: { value: 1110, before: 1040 },
            whyNotComparable: null,
            coverage: { days: 7, finalUntil: '2026-11-18' },
          },
        },
      ],
      missing: [{ channelId: facebook, reason: 'notReadYet', since: null }],
    })
    expect(await reach({ from: '2026-10-25', to: '2026-11-21' })).toMatchObject({
      days: 28,
      channels: [{ from: '2026-10-22', to: '2026-11-18', figure: { name: 'reach28', value: 3011, before: null } }],
    })
    // past days have the window that ended with them
    expect(await reach({ from: '2026-11-10', to: '2026-11-16' })).toMatchObject({
      channels: [{ from: '2026-11-10', to: '2026-11-16', figure: { value: 1090, changePercent: null } }],
    })
  })

  it('are told of other ranges by nobody, and of no posts that a filter chose', async () => {
    await read(instagram, '2026-11-18', { reach7: 1000, reach28: 3000 })
    const nothing = { days: null, channels: [], missing: [], asOf: null }
    expect(await reach({ from: '2026-10-23', to: '2026-11-21' })).toMatchObject(nothing)
    expect(await reach({ from: '2026-11-21', to: '2026-11-21' })).toMatchObject(nothing)
    const labelId = await taxonomyOn(app).label(home)
    expect(await reach({ ...week, labelId })).toMatchObject({ ...nothing, days: 7 })
    const x = await content.channel(home, { platform: 'x' })
    expect(await reach({ ...week, channelIds: x })).toMatchObject({ ...nothing, days: 7 })
  })

  it('are compared with nothing that shares days with them, is of another length or is missing', async () => {
    for (let i = 0; i < 12; i += 1) await read(instagram, addDays('2026-11-07', i), { reach7: 1000 })
    const why = async (compareFrom: string, compareTo: string) =>
      (await reach({ ...week, compareFrom, compareTo })).channels.map(({ before, figure }) => [
        before?.to ?? null,
        figure.changePercent,
        figure.whyNotComparable,
      ])
    expect(await why('2026-11-08', '2026-11-14')).toEqual([['2026-11-11', 0, null]])
    expect(await why('2026-11-09', '2026-11-15')).toEqual([[null, null, 'nothingBefore']])
    expect(await why('2026-11-01', '2026-11-14')).toEqual([[null, null, 'nothingBefore']])
    expect(await why('2025-11-15', '2025-11-21')).toEqual([['2025-11-18', null, 'nothingBefore']])
  })

  it('are missing with the reason: a permission, too few followers, or days before the first reading', async () => {
    const sync = (channelId: string, state: string) =>
      app.database.owner.query(
        "insert into insight_sync (org_id, channel_id, kind, state, read_at) values ($1, $2, 'days', $3, $4)",
        [home.orgId, channelId, state, app.clock.now()],
      )
    await sync(instagram, 'rights')
    await sync(facebook, 'done')
    await figures.channelDay(facebook, '2026-11-20', { followers: 40 })
    const missing = async (query: Query = week) =>
      Object.fromEntries(
        (await reach(query)).missing.map(({ channelId, reason, since }) => [channelId, [reason, since]]),
      )
    expect(await missing()).toEqual({ [instagram]: ['rightsMissing', null], [facebook]: ['tooFewFollowers', null] })
    await figures.channelDay(facebook, '2026-11-20', { followers: 400 })
    await read(facebook, '2026-11-19', { reach7: 90 })
    expect(await missing()).toEqual({ [instagram]: ['rightsMissing', null] })
    expect(await missing({ from: '2026-11-02', to: '2026-11-08' })).toMatchObject({
      [facebook]: ['notReadYet', '2026-11-19'],
    })
  })

  it('are the last value of each channel alone, whatever is stored', async () => {
    const reading = fc.record({ back: fc.integer({ min: 0, max: 20 }), isOwn: fc.boolean(), value: fc.nat(9000) })
    await fc.assert(
      fc.asyncProperty(fc.array(reading, { minLength: 1, maxLength: 12 }), async (readings) => {
        await app.database.owner.query('delete from channel_figure where channel_id = any($1)', [[instagram, facebook]])
        for (const { back, isOwn, value } of readings)
          await read(isOwn ? instagram : facebook, addDays('2026-11-21', -back), { reach7: value })
        const last = (own: boolean) => {
          const known = readings.filter(({ isOwn, back }) => isOwn === own && back <= 7)
          const newest = Math.min(...known.map(({ back }) => back))
          return known.findLast(({ back }) => back === newest)?.value
        }
        const reply = await reach()
        const told = new Map(reply.channels.map(({ channelId, figure }) => [channelId, figure.value]))
        expect([told.get(instagram), told.get(facebook)]).toEqual([last(true), last(false)])
        expect(reply.channels.length + reply.missing.length).toBe(2)
      }),
      { numRuns: 12 },
    )
  })

  it('have no total over channels or platforms, and no line but those of channels', async () => {
    for (const id of [instagram, facebook]) await read(id, '2026-11-18', { reach: 100, reach7: 1000, reach28: 3000 })
    const { cards } = await app.call(insightsSummary, { params: home.params, query: week }, { as: home.person })
    expect(cards.filter(({ base, name }) => base === 'inTheseDays' && name.startsWith('reach'))).toEqual([])
    const keysOf = async (by: 'total' | 'platform' | 'channel') =>
      (
        await app.call(
          insightsSeries,
          { params: home.params, query: { ...week, names: 'reach7,reach28', by } },
          { as: home.person },
        )
      ).series.map(({ key, name }) => `${name} ${key}`)
    expect([await keysOf('total'), await keysOf('platform')]).toEqual([[], []])
    expect((await keysOf('channel')).toSorted()).toEqual(
      ['reach28', 'reach7'].flatMap((name) => [instagram, facebook].map((id) => `${name} ${id}`)).toSorted(),
    )
  })
})

describe('who sees them', () => {
  it('is told of the channels of their role only', async () => {
    for (const id of [instagram, facebook]) await read(id, '2026-11-18', { reach7: 1000 })
    const bound = await app.colleague(home, 'editor', { channelIds: [facebook] })
    const ids = async (query: Query = week) => {
      const reply = await reach(query, bound)
      return [...reply.channels, ...reply.missing].map(({ channelId }) => channelId)
    }
    expect(await ids()).toEqual([facebook])
    expect(await ids({ ...week, channelIds: instagram })).toEqual([])
    expect(await ids({ from: '2026-11-01', to: '2026-11-07' })).toEqual([facebook])
  })

  it('refuses roles without insights, strangers, plans without analytics, and what is no range', async () => {
    const without = await teamOn(app).holder(home, { channel: ['view'], post: ['view'] })
    const other = await app.signedInOwner()
    const status = async (as: TestPerson, query: Query = week) =>
      (await app.send(insightsReach, { params: home.params, query }, { as })).statusCode
    expect(await status(without)).toBe(403)
    expect(await status(other.person)).toBe(404)
    expect(await status(home.person, { from: '2026-11-20', to: '2026-11-19' })).toBe(400)
    await teamOn(app).plan(home, 'free')
    const reply = await app.send(insightsReach, { params: home.params, query: week }, { as: home.person })
    expect([reply.statusCode, reply.json()]).toMatchObject([402, { code: 'PLAN_LIMIT', meta: { gate: 'analytics' } }])
  })
})
