import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deleteChannel } from '#contract/channels.ts'
import { deletePost, editPost, reschedulePost, restorePost } from '#contract/posts.ts'
import { submitPost } from '#contract/submit.ts'
import {
  bestTimes,
  getQueue,
  listQueues,
  reorderQueue,
  setQueueSlots,
  setQueueStatus,
  type Queue,
  type QueuePosition,
} from '#contract/queues.ts'
import { channelJobs } from '../channels/jobs.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { postsOn, type TestSchedule } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let channelId: string

beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform({ revoke: async () => ({ kind: 'revoked' }) }) } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  channelId = await content.channel(home)
})

/** Nine in the morning every day in London; the test's first day is Saturday, 21 November 2026, at ten. */
const daily = [0, 1, 2, 3, 4, 5, 6].map((day) => ({ day, time: '09:00' }))
const onQueue = () => ({ ...home.params, channelId })
const setSlots = (slots = daily, as: TestPerson = home.person) =>
  app.call(setQueueSlots, { params: onQueue(), body: { timezone: 'Europe/London', slots } }, { as })
const setPaused = (paused: boolean) =>
  app.call(setQueueStatus, { params: onQueue(), body: { paused } }, { as: home.person })
const read = (as: TestPerson = home.person): Promise<Queue> => app.call(getQueue, { params: onQueue() }, { as })
const order = async (postIds: readonly string[], version?: number) =>
  app.call(
    reorderQueue,
    { params: onQueue(), body: { version: version ?? (await read()).version, postIds: [...postIds] } },
    { as: home.person },
  )

/** Submits a post to the queue. */
async function join(text: string, position: QueuePosition = 'LAST', channel = channelId): Promise<string> {
  const reply = await app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'QUEUE',
        channels: [{ channelId: channel, postType: 'post', contents: [{ text, media: [] }] }],
        schedule: { type: 'QUEUE', details: { position } },
      },
    },
    { as: home.person },
  )
  return reply.posts[0]?.postId ?? ''
}
const line = async (): Promise<[string, string | null][]> =>
  (await read()).posts.map(({ excerpt, at }) => [excerpt, at?.slice(5, 16) ?? null])
const lane = async () =>
  (await app.database.owner.query('select wake_at from lane where channel_id = $1', [channelId])).rows[0]?.wake_at

describe('a queue', () => {
  it("starts without slots, in its project's zone, for every channel a role includes", async () => {
    const other = await content.channel(home)
    const { queues } = await app.call(listQueues, { params: home.params }, { as: home.person })
    expect(queues.map((queue) => queue.channelId).toSorted()).toEqual([channelId, other].toSorted())
    expect(queues[0]).toMatchObject({ slots: [], paused: false, posts: [], next: [], version: 1 })
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    expect(
      (await app.call(listQueues, { params: home.params }, { as: bound })).queues.map((queue) => queue.channelId),
    ).toEqual([other])
    await expect(app.call(getQueue, { params: onQueue() }, { as: bound })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(setSlots(daily, bound)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('keeps its slots in order and shows the next free ones', async () => {
    await setSlots([
      { day: 3, time: '09:00' },
      { day: 1, time: '12:00' },
      { day: 3, time: '09:00' },
    ])
    expect(await read()).toMatchObject({
      timezone: 'Europe/London',
      slots: [
        { day: 1, time: '12:00' },
        { day: 3, time: '09:00' },
      ],
    })
    expect((await read()).next.slice(0, 2)).toEqual(['2026-11-23T12:00:00.000Z', '2026-11-25T09:00:00.000Z'])
  })

  it('gives slots in order: LAST after the last, NEXT before all, and the others move', async () => {
    await setSlots()
    await join('first')
    await join('second')
    await join('urgent', 'NEXT')
    expect(await line()).toEqual([
      ['urgent', '11-22T09:00'],
      ['first', '11-23T09:00'],
      ['second', '11-24T09:00'],
    ])
    expect((await read()).next[0]).toBe('2026-11-25T09:00:00.000Z')
    expect(await lane()).toEqual(new Date('2026-11-22T09:00:00Z'))
  })

  it('passes its posts to the engine as scheduled ones are, and reports new slots without a new version', async () => {
    await setSlots()
    const first = await join('first')
    await app.database.owner.query('delete from event')
    await join('urgent', 'NEXT')
    expect(await posts.row(first)).toMatchObject({
      state: 'QUEUED',
      version: 1,
      step: 'send',
      due_at: new Date('2026-11-23T09:00:00Z'),
      step_at: new Date('2026-11-23T09:00:00Z'),
      shown_at: new Date('2026-11-23T09:00:00Z'),
      wall_time: '2026-11-23T09:00',
      zone: 'Europe/London',
    })
    expect((await posts.row(first))['send_key']).toEqual(expect.any(String))
    expect(
      (await app.database.owner.query("select ref from event where kind = 'post'")).rows.map((row) => row.ref),
    ).toContain(first)
    expect(await posts.story(first)).toEqual(['created', 'queued'])
  })

  it('starts preparing a post with images ahead of its slot', async () => {
    await setSlots()
    const asset = await content.picture(home)
    const reply = await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'QUEUE',
          channels: [
            {
              channelId,
              postType: 'post',
              contents: [{ text: 'seen', media: [{ assetId: asset, altText: 'A field' }] }],
            },
          ],
          schedule: { type: 'QUEUE' },
        },
      },
      { as: home.person },
    )
    const row = await posts.row(reply.posts[0]?.postId ?? '')
    expect(row).toMatchObject({ step: 'prepare' })
    expect(row['step_at']).toBeInstanceOf(Date)
    expect(Number(row['step_at'])).toBeLessThan(Number(row['due_at']))
  })

  it('moves up into a minute that a scheduled post of the channel leaves, and back when that is undone', async () => {
    await setSlots()
    await join('first')
    const taken = { type: 'ONCE' as const, details: { utc: '2026-11-23T09:00:00.000Z', timezone: 'Europe/London' } }
    const postId = await posts.post(home, channelId, { schedule: taken })
    await join('second')
    const at = (day: string, utc = `${day}T09:30:00.000Z`) =>
      app.call(
        reschedulePost,
        {
          params: { ...home.params, postId },
          body: { schedule: { type: 'ONCE', details: { utc, timezone: 'Europe/London' } } },
        },
        { as: home.person },
      )
    const passing = [
      ['first', '11-22T09:00'],
      ['second', '11-24T09:00'],
    ]
    const filled = [
      ['first', '11-22T09:00'],
      ['second', '11-23T09:00'],
    ]
    expect(await line()).toEqual(passing)
    await at('2026-11-23')
    expect(await line()).toEqual(filled)
    await at('', taken.details.utc)
    expect(await line()).toEqual(passing)
    await app.call(deletePost, { params: { ...home.params, postId } }, { as: home.person })
    expect(await line()).toEqual(filled)
    await app.call(restorePost, { params: { ...home.params, postId } }, { as: home.person })
    expect(await line()).toEqual(passing)
  })

  it('skips minutes in which a post of the channel is scheduled, before and after', async () => {
    await setSlots()
    await posts.post(home, channelId, {
      schedule: { type: 'ONCE', details: { utc: '2026-11-22T09:00:00.000Z', timezone: 'Europe/London' } },
    })
    await join('first')
    expect(await line()).toEqual([['first', '11-23T09:00']])
    await posts.post(home, channelId, {
      text: 'in its place',
      schedule: { type: 'ONCE', details: { utc: '2026-11-23T09:00:00.000Z', timezone: 'Europe/London' } },
    })
    expect(await line()).toEqual([['first', '11-24T09:00']])
  })

  it('without slots keeps posts without a time, until it has some', async () => {
    const id = await join('patient')
    expect(await line()).toEqual([['patient', null]])
    expect(await posts.row(id)).toMatchObject({ state: 'QUEUED', due_at: null, step_at: null, step: 'send' })
    await setSlots()
    expect(await line()).toEqual([['patient', '11-22T09:00']])
    await setSlots([])
    expect(await line()).toEqual([['patient', null]])
    expect(await posts.row(id)).toMatchObject({ due_at: null, step_at: null })
  })

  it('assigns new slots in the old order, in another zone as well', async () => {
    await setSlots()
    await join('one')
    await join('two')
    await app.call(
      setQueueSlots,
      { params: onQueue(), body: { timezone: 'Asia/Tokyo', slots: [{ day: 1, time: '10:00' }] } },
      { as: home.person },
    )
    expect(await line()).toEqual([
      ['one', '11-23T01:00'],
      ['two', '11-30T01:00'],
    ])
  })
})

describe('a pause', () => {
  it('releases the slots, keeps the order, and resuming assigns the next ones', async () => {
    await setSlots()
    await join('one')
    const two = await join('two')
    expect(await setPaused(true)).toEqual({ message: 'Queue status updated' })
    expect(await line()).toEqual([
      ['one', null],
      ['two', null],
    ])
    expect(await posts.row(two)).toMatchObject({ due_at: null, step_at: null })
    expect((await read()).next).toEqual([])
    await join('zero', 'NEXT')
    app.clock.advance({ days: 3 })
    await setPaused(false)
    expect(await line()).toEqual([
      ['zero', '11-25T09:00'],
      ['one', '11-26T09:00'],
      ['two', '11-27T09:00'],
    ])
  })

  it('is possible on a plan without queues, where nothing else of a queue can change', async () => {
    await setSlots()
    await join('one')
    await app.database.owner.query("update plan set plan_id = 'free', status = 'ACTIVE' where org_id = $1", [
      home.orgId,
    ])
    await setPaused(true)
    for (const change of [() => setSlots(), () => setPaused(false), () => order([]), () => join('more')])
      await expect(change()).rejects.toMatchObject({ problem: { code: 'PLAN_LIMIT', meta: { gate: 'queues' } } })
    expect(await line()).toEqual([['one', null]])
  })
})

describe('a reorder', () => {
  it('gives each post the slot of its new position', async () => {
    await setSlots()
    const [a, b, c] = [await join('a'), await join('b'), await join('c')]
    await order([c, a, b])
    expect(await line()).toEqual([
      ['c', '11-22T09:00'],
      ['a', '11-23T09:00'],
      ['b', '11-24T09:00'],
    ])
  })

  it('of an outdated queue is refused, whatever changed in the meantime', async () => {
    await setSlots()
    const [a, b] = [await join('a'), await join('b')]
    const { version } = await read()
    await order([b, a], version)
    await expect(order([a, b], version)).rejects.toMatchObject({ code: 'STALE_VERSION' })
    await expect(order([a])).rejects.toMatchObject({ code: 'STALE_VERSION' })
    await expect(order([a, a])).rejects.toMatchObject({ code: 'STALE_VERSION' })
    // taken by the engine, which doesn't know versions
    await posts.put(b, 'PROCESSING')
    await expect(order([a, b])).rejects.toMatchObject({ code: 'STALE_VERSION' })
    expect(await line()).toEqual([['a', '11-23T09:00']])
  })
})

describe('leaving a queue', () => {
  const move = (postId: string, schedule: TestSchedule) =>
    app.call(reschedulePost, { params: { ...home.params, postId }, body: { schedule } }, { as: home.person })
  let ids: string[]
  beforeEach(async () => {
    await setSlots()
    ids = [await join('a'), await join('b'), await join('c')]
  })
  const closedUp = [
    ['b', '11-22T09:00'],
    ['c', '11-23T09:00'],
  ]
  const all = [
    ['a', '11-22T09:00'],
    ['b', '11-23T09:00'],
    ['c', '11-24T09:00'],
  ]

  it('lets the others move up when a post is sent now, moved to a time, or made a draft', async () => {
    await move(ids[0] ?? '', { type: 'NOW' })
    expect(await line()).toEqual(closedUp)
    await move(ids[1] ?? '', { type: 'ONCE', details: { utc: '2026-12-01T12:00:00.000Z', timezone: 'Europe/London' } })
    expect(await line()).toEqual([['c', '11-22T09:00']])
    await move(ids[2] ?? '', { type: 'DRAFT' })
    expect(await line()).toEqual([])
    expect(
      (
        await app.database.owner.query('select state, queue_order from post where org_id = $1 order by excerpt', [
          home.orgId,
        ])
      ).rows,
    ).toEqual([
      { state: 'SCHEDULED', queue_order: null },
      { state: 'SCHEDULED', queue_order: null },
      { state: 'DRAFTS', queue_order: null },
    ])
  })

  it('lets the others move up when a post is deleted, and undoing that restores its position', async () => {
    await app.call(deletePost, { params: { ...home.params, postId: ids[0] ?? '' } }, { as: home.person })
    expect(await line()).toEqual(closedUp)
    await app.call(restorePost, { params: { ...home.params, postId: ids[0] ?? '' } }, { as: home.person })
    expect(await line()).toEqual(all)
  })

  it.each([0, 1, 2])('and returning with its previous slot takes that slot again, at position %i', async (at) => {
    const had = (await read()).posts[at]?.at ?? ''
    await move(ids[at] ?? '', { type: 'ONCE', details: { utc: '2026-12-01T12:00:00.000Z', timezone: 'Europe/London' } })
    expect(await line()).toHaveLength(2)
    const back = await move(ids[at] ?? '', { type: 'QUEUE', details: { position: 'LAST', slot: had } })
    expect(back).toMatchObject({ status: 'QUEUED', dueAt: had })
    expect(await line()).toEqual(all)
    // the positions are as before for the next one to join
    await join('next', 'NEXT')
    await join('last')
    expect((await line()).map(([text]) => text)).toEqual(['next', 'a', 'b', 'c', 'last'])
  })

  it('restores the positions of two posts, and gives the next slot to one whose slot has passed', async () => {
    const had = (await read()).posts.map((post) => post.at ?? '')
    const away = (at: number) =>
      move(ids[at] ?? '', { type: 'ONCE', details: { utc: '2026-12-01T12:00:00.000Z', timezone: 'Europe/London' } })
    const back = (at: number) =>
      move(ids[at] ?? '', { type: 'QUEUE', details: { position: 'LAST', slot: had[at] ?? '' } })
    for (const at of [0, 1]) await away(at)
    for (const at of [0, 1]) await back(at)
    expect(await line()).toEqual(all)
    await away(0)
    await join('d')
    app.clock.advance({ days: 1 })
    await back(0)
    // the engine owns slots that have come
    expect(await line()).toEqual([
      ['b', '11-22T09:00'],
      ['a', '11-23T09:00'],
      ['c', '11-24T09:00'],
      ['d', '11-25T09:00'],
    ])
  })

  it("doesn't happen when the text is edited: position and slot stay", async () => {
    const { version } = await app.call(
      editPost,
      {
        params: { ...home.params, postId: ids[1] ?? '' },
        body: { version: 1, contents: [{ text: 'b again', media: [] }] },
      },
      { as: home.person },
    )
    expect(version).toBe(2)
    expect(await line()).toEqual([
      ['a', '11-22T09:00'],
      ['b again', '11-23T09:00'],
      ['c', '11-24T09:00'],
    ])
    expect(await posts.row(ids[1] ?? '')).toMatchObject({ step: 'send', step_at: new Date('2026-11-23T09:00:00Z') })
  })

  it("doesn't happen while the queue is paused: new content is prepared once there's a slot", async () => {
    await setPaused(true)
    const asset = await content.picture(home)
    await app.call(
      editPost,
      {
        params: { ...home.params, postId: ids[0] ?? '' },
        body: { version: 1, contents: [{ text: 'a', media: [{ assetId: asset, altText: 'A field' }] }] },
      },
      { as: home.person },
    )
    expect(await posts.row(ids[0] ?? '')).toMatchObject({ state: 'QUEUED', step: 'prepare', step_at: null })
    await setPaused(false)
    expect(await line()).toEqual([
      ['a', '11-22T09:00'],
      ['b', '11-23T09:00'],
      ['c', '11-24T09:00'],
    ])
    expect(await posts.row(ids[0] ?? '')).toMatchObject({ step: 'prepare', due_at: new Date('2026-11-22T09:00:00Z') })
  })

  it("keeps the others' slots when a post fails", async () => {
    await posts.put(ids[0] ?? '', 'FAILED')
    app.clock.advance({ days: 1 })
    expect(await line()).toEqual([
      ['b', '11-23T09:00'],
      ['c', '11-24T09:00'],
    ])
    await join('d')
    expect(await line()).toEqual([
      ['b', '11-23T09:00'],
      ['c', '11-24T09:00'],
      ['d', '11-25T09:00'],
    ])
  })

  it('happens to all posts when the channel is deleted: they become drafts without a time', async () => {
    await app.call(deleteChannel, { params: onQueue() }, { as: home.person })
    await runJobs(app, channelJobs(app.parts))
    const { rows } = await app.database.owner.query('select state, queue_order, due_at from post where org_id = $1', [
      home.orgId,
    ])
    expect(rows).toEqual(ids.map(() => ({ state: 'DRAFTS', queue_order: null, due_at: null })))
    expect((await app.call(listQueues, { params: home.params }, { as: home.person })).queues).toEqual([])
  })
})

describe('after a slot has passed', () => {
  it('its post keeps it, and the following ones keep theirs', async () => {
    await setSlots()
    await join('missed')
    await join('later')
    app.clock.advance({ hours: 26 })
    const before = [
      ['missed', '11-22T09:00'],
      ['later', '11-23T09:00'],
    ]
    expect(await line()).toEqual(before)
    await join('urgent', 'NEXT')
    expect(await line()).toEqual([
      ['urgent', '11-23T09:00'],
      ['missed', '11-22T09:00'],
      ['later', '11-24T09:00'],
    ])
  })
})

it('two posts that join at the same moment get two slots, at either end', async () => {
  await setSlots()
  await Promise.all([join('a', 'NEXT'), join('b', 'NEXT'), join('c'), join('d')])
  const slots = (await line()).map(([, at]) => at)
  expect(slots).toEqual(['11-22T09:00', '11-23T09:00', '11-24T09:00', '11-25T09:00'])
})

it('simultaneous verbs on different posts of one queue all succeed', async () => {
  await setSlots()
  const ids = [await join('a'), await join('b'), await join('c'), await join('d'), await join('e')]
  const remove = (postId = '') => app.call(deletePost, { params: { ...home.params, postId } }, { as: home.person })
  await Promise.all([
    remove(ids[0]),
    remove(ids[3]),
    join('f', 'NEXT'),
    app.call(
      reschedulePost,
      { params: { ...home.params, postId: ids[2] ?? '' }, body: { schedule: { type: 'NOW' } } },
      { as: home.person },
    ),
  ])
  expect(await line()).toEqual([
    ['f', '11-22T09:00'],
    ['b', '11-23T09:00'],
    ['e', '11-24T09:00'],
  ])
})

it("best times say if there aren't enough results", async () => {
  expect(await app.call(bestTimes, { params: onQueue() }, { as: home.person })).toEqual({
    timezone: 'Europe/London',
    slots: [],
    posts: 0,
    needed: 30,
    problem: 'Not enough results yet',
  })
})

it('a role that can view queues changes none, and invalid slots are refused', async () => {
  const user = await app.colleague(home, 'user')
  await read(user)
  await expect(setSlots(daily, user)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await expect(setSlots([{ day: 7, time: '09:00' }])).rejects.toMatchObject({ code: 'BAD_INPUT' })
  await expect(setSlots([{ day: 1, time: '24:00' }])).rejects.toMatchObject({ code: 'BAD_INPUT' })
})
