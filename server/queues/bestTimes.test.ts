import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bestTimes } from '#contract/queues.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { bestSlots, measured } from './bestTimes.ts'

let app: TestApp
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
})

const DAY_MS = 86_400_000
const ask = (who = home.person) => app.call(bestTimes, { params: { ...home.params, channelId } }, { as: who })

/** Posts published this many weeks ago at the hour of that day (UTC), with metrics read this many hours later. */
async function results(
  count: number,
  {
    day,
    hour,
    reactions,
    after = 24,
    channel = channelId,
  }: { day: number; hour: number; reactions: number | null; after?: number; channel?: string },
): Promise<void> {
  // 15 November 2026 is a Sunday
  const at = Array.from(
    { length: count },
    (_, week) => new Date(Date.UTC(2026, 10, 15 + day - 7, hour, 10) - week * 7 * DAY_MS),
  )
  await app.database.owner.query(
    `with made as (
       insert into post (org_id, id, project_id, channel_id, author_id, state, post_type, contents, schedule, zone, shown_at, published_at, remote_id, created_at, updated_at)
       select $1, uuidv7(), $2, $3, $4, 'PUBLISHED', 'post', '[]', '{"type":"NOW"}', 'Europe/London', t.at, t.at, 'remote', t.at, t.at from unnest($5::timestamptz[]) t(at) returning org_id, id, published_at)
     insert into post_metric (org_id, post_id, figures, read_at)
     select org_id, id, $6, r.at from made, lateral (select published_at + $7 * interval '1 hour' as at) r`,
    [home.orgId, home.projectId, channel, home.person.personId, at, JSON.stringify({ reactions }), after],
  )
}

describe('best times', () => {
  it("are the hours in which the channel's posts did best, in its zone, best first", async () => {
    await results(12, { day: 2, hour: 9, reactions: 40 })
    await results(12, { day: 4, hour: 18, reactions: 90 })
    await results(12, { day: 1, hour: 12, reactions: 4 })
    const reply = await ask()
    expect(reply).toMatchObject({ timezone: 'Europe/London', posts: 36, needed: 30, problem: null })
    // clocks went back within these weeks: local hours count, so both hours are included
    expect(reply.slots[0]).toMatchObject({ day: 4 })
    expect(new Set(reply.slots.map(({ day }) => day))).toEqual(new Set([4, 2]))
    expect(reply.slots.every(({ score }) => score > 1)).toBe(true)
    await app.database.owner.query("update channel set zone = 'Asia/Tokyo' where id = $1", [channelId])
    const tokyo = await ask()
    expect(tokyo.timezone).toBe('Asia/Tokyo')
    // 18:10 UTC on Thursday is 03:10 on Friday there, all year
    expect(tokyo.slots.map(({ day, time }) => [day, time])).toEqual([
      [5, '03:00'],
      [2, '18:00'],
    ])
  })

  it('need enough results of this channel, about a day old', async () => {
    const other = await contentOn(app.parts).channel(home, { handle: '@other.example' })
    await results(29, { day: 2, hour: 9, reactions: 4 })
    await results(40, { day: 3, hour: 9, reactions: 9, channel: other })
    // an hour later: too early to compare; a week later: too late
    await results(20, { day: 4, hour: 9, reactions: 900, after: 1 })
    await results(20, { day: 4, hour: 10, reactions: 900, after: 7 * 24 })
    expect(await ask()).toEqual({
      timezone: 'Europe/London',
      slots: [],
      posts: 29,
      needed: 30,
      problem: 'Not enough results yet',
    })
    await results(3, { day: 5, hour: 9, reactions: 400 })
    expect(await ask()).toMatchObject({ posts: 32, slots: [{ day: 5, time: '09:00' }], problem: null })
  })

  it('say so if no hour did better than the others', async () => {
    await results(20, { day: 2, hour: 12, reactions: 7 })
    await results(20, { day: 3, hour: 12, reactions: 7 })
    expect(await ask()).toMatchObject({ posts: 40, slots: [], problem: "There's no clear best time yet" })
  })

  it("of a channel outside of the role don't exist", async () => {
    const other = await contentOn(app.parts).channel(home, { handle: '@other.example' })
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    await expect(ask(bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('the score', () => {
  const at = (day: number, week: number) => new Date(Date.UTC(2026, 10, 15 + day, 9) - week * 7 * DAY_MS)

  it("isn't determined by one viral post, nor by an hour with one post", () => {
    const posts = [
      ...Array.from({ length: 10 }, (_, week) => ({ publishedAt: at(1, week), value: 60 })),
      ...Array.from({ length: 10 }, (_, week) => ({ publishedAt: at(2, week), value: week === 0 ? 5000 : 10 })),
      { publishedAt: at(3, 0), value: 900 },
    ]
    expect(bestSlots(posts, 'UTC').map(({ day }) => day)).toEqual([1])
  })

  it('counts what people did or, if that is unknown, views', () => {
    const publishedAt = at(0, 0)
    expect(
      measured([
        { publishedAt, figures: { impressions: 100, reactions: 2, clicks: 3 } },
        { publishedAt, figures: { impressions: 50 } },
      ]),
    ).toEqual([{ publishedAt, value: 5 }])
    expect(
      measured([
        { publishedAt, figures: { impressions: 100 } },
        { publishedAt, figures: {} },
      ]),
    ).toEqual([{ publishedAt, value: 100 }])
  })
})
