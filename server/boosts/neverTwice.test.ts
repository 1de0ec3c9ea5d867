import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { stopBoost } from '#contract/boosts.ts'
import { createNotification } from '../notifications/create.ts'
import { startPublishing } from '../publishing/start.ts'
import { ONE_OF_EACH, PromotionHarness } from '../testing/promotionHarness.ts'
import { until } from '../testing/until.ts'
import { boostSubject } from './boostSubject.ts'

/* What is created on the platform is created once, whatever goes wrong on the way. */

let room: PromotionHarness
beforeAll(async () => {
  room = await PromotionHarness.open()
})
beforeEach(() => room.clear())
afterAll(() => room.close())

const calls = ['act_*/campaigns', 'act_*/adsets', 'act_*/adcreatives', 'act_*/ads']
const cases = calls.flatMap((call) => (['before', 'after'] as const).map((drop) => [call, drop] as const))

test.each(cases)('the answer of %s is lost, %s it was done', async (call, drop) => {
  const { postId } = await room.begun()
  room.facebook.faults.add({ on: `POST graph.facebook.com/v25.0/${call}`, drop })
  await room.run()
  expect(await room.boost(postId)).toMatchObject({ status: 'PENDING' })
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
})

test.each(['before', 'after'] as const)(
  'the answer of its start is lost, %s it was done: it is started again',
  async (drop) => {
    const { postId } = await room.begun()
    room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop })
    await room.run()
    expect(await room.boost(postId)).toMatchObject({ status: 'PENDING' })
    await room.pass(12)
    expect(room.counted()).toEqual(ONE_OF_EACH)
    expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
  },
)

test.each(calls)('the worker dies in %s', async (call) => {
  const { postId } = await room.begun()
  room.breaksAt = (url, method) => method === 'POST' && url.endsWith(call.slice(5))
  await room.run()
  room.breaksAt = undefined
  // its lease keeps others away
  expect(await room.run()).toBe(0)
  expect(await room.boost(postId)).toMatchObject({ status: 'PENDING' })
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
})

test('believes absence only after two readings a minute apart', async () => {
  const { postId } = await room.begun()
  room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/campaigns', drop: 'after' })
  await room.run()
  // the list doesn't show it yet
  const missing = { status: 200, json: { data: [] } }
  room.facebook.faults.add({ on: 'GET graph.facebook.com/v25.0/act_*/campaigns', answer: missing })
  room.app.clock.advance({ minutes: 1 })
  await room.run()
  room.app.clock.advance({ seconds: 30 })
  await room.run()
  expect(room.counted()).toMatchObject({ campaign: 1, adSet: 0 })
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
})

test('creates one promotion when two workers run at once', async () => {
  await room.begun()
  await Promise.all([room.run(), room.run(), room.run()])
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
})

test('finds what was created since the backup after a restore, and creates nothing while publishing is paused', async () => {
  const { postId, boostId } = await room.begun()
  await room.run()
  await room.app.database.owner.query(
    "update boost set state = 'PENDING', made = '{}', began_at = null, next_at = $2, ends_at = null where id = $1",
    [boostId, room.app.clock.now()],
  )
  await room.app.database.owner.query(
    "insert into kill_switch (scope, reason, since) values ('all', 'restored', now())",
  )
  const before = room.facebook.calls.length
  await room.run()
  expect(room.facebook.calls).toHaveLength(before)
  await room.app.database.owner.query('delete from kill_switch')
  await room.pass(15)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
})

test('sends nothing from a worker that slept through its lease', async () => {
  const { postId } = await room.begun()
  // asleep after its lookup, before its call
  room.breaksAt = (url, method) => {
    if (method === 'GET' && url.includes('/campaigns')) room.app.clock.advance({ minutes: 3 })
    return false
  }
  const before = room.facebook.calls.length
  await room.run()
  room.breaksAt = undefined
  expect(room.facebook.calls.slice(before).filter((call) => call.startsWith('POST'))).toEqual([])
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
})

test('writes nothing from a worker that woke up too late', async () => {
  const { postId, boostId } = await room.begun()
  // a person stops it during the call
  room.facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/campaigns', delayMs: 300, done: true })
  const working = room.run()
  await until(() => room.facebook.calls.some((call) => call.startsWith('POST') && call.endsWith('/campaigns')), {
    what: 'the call to be under way',
  })
  await room.app.call(stopBoost, { params: { ...room.home.params, boostId } }, room.as())
  await working
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPING' })
  await room.pass(5)
  expect(await room.boost(postId)).toMatchObject({ status: 'STOPPED' })
  expect(room.counted()).toMatchObject({ campaign: 0, ad: 0 })
})

const attempts = async (boostId: string) =>
  (
    await room.app.database.owner.query<{ outcome: string | null; requests: number | null }>(
      "select outcome, jsonb_array_length(exchange) as requests from attempt where subject = 'boost' and subject_id = $1 order by id",
      [boostId],
    )
  ).rows

test('records each claim as an attempt with its requests, without an end if the worker died', async () => {
  const { boostId } = await room.begun()
  room.breaksAt = (url, method) => method === 'POST' && url.endsWith('/adsets')
  await room.run()
  room.breaksAt = undefined
  expect(await attempts(boostId)).toEqual([{ outcome: null, requests: null }])
  room.app.clock.advance({ minutes: 3 })
  await room.run()
  expect((await attempts(boostId))[1]).toEqual({ outcome: 'done', requests: expect.any(Number) })
})

test('only releases the expired lease of a dead worker', async () => {
  const { postId, boostId, channelId } = await room.begun()
  room.breaksAt = (url, method) => method === 'POST' && url.endsWith('/campaigns')
  await room.run()
  room.breaksAt = undefined
  const { databases, secrets, fetch, log, platforms } = room.app.parts
  const before = room.facebook.calls.length
  const publishing = await startPublishing({
    isAsApproved: () => true,
    subjects: [boostSubject],
    databases,
    clock: room.app.clock,
    platforms: [platforms('facebook')].filter((one) => one !== undefined),
    secrets,
    media: async () => new Map(),
    fetch,
    notify: createNotification,
    log,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 2_000_000_000 },
  })
  room.app.clock.advance({ minutes: 3 })
  const { owner } = room.app.database
  await owner.query('update lane set wake_at = $2 where channel_id = $1', [channelId, room.app.clock.now()])
  await until(
    async () =>
      (
        await owner.query("select from delivery where subject = 'boost' and subject_id = $1 and step is null", [
          boostId,
        ])
      ).rowCount === 1,
    { what: 'the lease to be given back' },
  )
  await publishing.stop({ drain: 50 })
  expect(room.facebook.calls).toHaveLength(before)
  await room.pass(12)
  expect(room.counted()).toEqual(ONE_OF_EACH)
  expect(await room.boost(postId)).toMatchObject({ status: 'ACTIVE' })
})
