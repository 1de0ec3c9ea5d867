import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { testClock, type TestClock } from '../clock.ts'
import { raiseNotice } from '../notices/raise.ts'
import { platformFor } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import { countStates, makeChannels, makeHouse, makePosts, quietLog, simulatedSecret, testKeys, type House, type TestChannel } from '../testing/publishing.ts'
import { startBlueskySimulator, type Simulator } from '../testing/simulator/bluesky.ts'
import { until } from '../testing/until.ts'
import { startPublishing, type Publishing } from './engine.ts'

/* The engine with the real Bluesky adapter, a real database, a simulated Bluesky and a clock that is moved by hand. */

let database: TestDatabase
let simulator: Simulator
let publishing: Publishing
let clock: TestClock
let house: House
let channel: TestChannel
const START = new Date('2026-11-21T12:00:00Z')

const inMinutes = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)

beforeAll(async () => {
  database = await createTestDatabase()
  simulator = await startBlueskySimulator()
})
afterAll(async () => {
  await simulator.stop()
  await database.drop()
})
beforeEach(async () => {
  clock = testClock(START)
  simulator.setFaults({ seed: 1, dropBefore: 0, dropAfter: 0, late: 0, limited: 0, broken: 0, garbled: 0 })
  await database.owner.query('truncate organisation, person, budget, node, kill_switch cascade')
  house = await makeHouse(database.owner, clock.now())
  const [made] = await makeChannels(database.owner, house, 1, { now: clock.now(), secret: ({ did }) => simulatedSecret(simulator.origin, did) })
  if (!made) throw new Error('no channel')
  channel = made
  publishing = await start()
})
afterEach(() => publishing.stop({ drain: 5000 }))

async function start(): Promise<Publishing> {
  const bluesky = platformFor('bluesky')
  if (!bluesky) throw new Error('no adapter')
  return await startPublishing({
    databases: database.databases,
    clock,
    platforms: [bluesky],
    secrets: testKeys,
    media: async () => new Map(),
    fetch: createSafeFetch({ allow: [simulator.allow] }),
    notify: raiseNotice,
    log: quietLog,
    options: { poll: 10, clockTolerance: 0, watchdog: 0, heartbeat: 3_600_000, absenceGap: 60_000 },
  })
}

const post = async (id: string | undefined) => {
  const { rows } = await database.owner.query<Record<string, unknown>>('select * from post where id = $1', [id])
  return rows[0] ?? {}
}
const timeline = async (id: string | undefined) => {
  const { rows } = await database.owner.query<{ kind: string }>('select kind from post_event where post_id = $1 order by at, id', [id])
  return rows.map((row) => row.kind)
}
const schedule = (minutes: number, text = 'Hello') => makePosts({ owner: database.owner, databases: database.databases, clock }, house, [{ channelId: channel.channelId, dueAt: inMinutes(minutes), text }])
const reaches = (id: string | undefined, state: string) => until(async () => (await post(id)).state === state, { what: `state ${state}` })
const commits = (text: string) => simulator.ledger.filter((entry) => entry.did === channel.did && entry.text === text).length

test('a due post is sent, read back and published with its permalink, and not a moment before its time', async () => {
  const [id] = await schedule(10)
  clock.advance({ minutes: 9, seconds: 59 })
  await until(() => publishing.stats().claims >= 0)
  expect(await post(id)).toMatchObject({ state: 'SCHEDULED' })
  clock.advance({ seconds: 1 })
  await reaches(id, 'PUBLISHED')
  expect(await post(id)).toMatchObject({ permalink: expect.stringContaining(`https://bsky.app/profile/${channel.did}/post/`), step: null, step_at: null, failure: null })
  expect(await timeline(id)).toEqual(['due', 'sent', 'confirmed'])
  expect(commits('Hello')).toBe(1)
})

test('posts of a channel go out in the order of their times', async () => {
  const parts = { owner: database.owner, databases: database.databases, clock }
  const ids = await makePosts(parts, house, [3, 1, 2].map((minute) => ({ channelId: channel.channelId, dueAt: inMinutes(minute), text: `minute ${minute}` })))
  clock.advance({ minutes: 5 })
  await until(async () => (await countStates(database.owner)).PUBLISHED === ids.length)
  expect(simulator.ledger.filter((entry) => entry.did === channel.did).map((entry) => entry.text)).toEqual(['minute 1', 'minute 2', 'minute 3'])
})

test('a post that is later than the limit after downtime is not sent and waits for a person', async () => {
  const [late, inTime] = [...(await schedule(10, 'late')), ...(await schedule(30, 'in time'))]
  await publishing.stop({ drain: 1000 })
  clock.advance({ minutes: 75 })
  publishing = await start()
  await reaches(late, 'FAILED')
  await reaches(inTime, 'PUBLISHED')
  expect((await post(late)).failure).toMatchObject({ class: 'late', action: 'reschedule', reason: expect.stringContaining('Rookery was not running') })
  expect(commits('late')).toBe(0)
  const { rows } = await database.owner.query<{ kind: string; person_id: string }>('select kind, person_id from notice')
  expect(rows).toEqual([{ kind: 'post-failed', person_id: house.personId }])
})

test('a lost answer makes the post unconfirmed; it is settled by reading and never sent twice', async () => {
  simulator.setFaults({ dropAfter: 1 })
  const [id] = await schedule(0, 'lost')
  await reaches(id, 'UNCONFIRMED')
  simulator.setFaults({ dropAfter: 0 })
  clock.advance({ seconds: 2 })
  await reaches(id, 'PUBLISHED')
  expect(commits('lost')).toBe(1)
  expect(await timeline(id)).toEqual(['due', 'unconfirmed', 'settled', 'confirmed'])
})

test('a request that never arrived is read as absent and sent again under the same key', async () => {
  simulator.setFaults({ dropBefore: 1 })
  const [id] = await schedule(0, 'dropped')
  await reaches(id, 'UNCONFIRMED')
  const key = (await post(id)).send_key
  simulator.setFaults({ dropBefore: 0 })
  clock.advance({ seconds: 2 })
  await reaches(id, 'PUBLISHED')
  expect((await post(id)).send_key).toBe(key)
  expect(commits('dropped')).toBe(1)
})

test('429 closes the budget of the account for as long as the platform asks, and says so', async () => {
  simulator.setFaults({ limited: 1, limitedSeconds: 300 })
  const [first, second] = [...(await schedule(0, 'first')), ...(await schedule(1, 'second'))]
  await until(async () => (await post(first)).failure !== null)
  expect(await post(first)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'retry' } })
  simulator.setFaults({ limited: 0 })
  const asked = simulator.calls.get('com.atproto.repo.createRecord')
  clock.advance({ minutes: 2 })
  await until(async () => (await database.owner.query('select 1 from lane where wake_at > $1', [inMinutes(1)])).rowCount === 1)
  // the second post was due meanwhile: the closed budget kept it from being tried
  expect(simulator.calls.get('com.atproto.repo.createRecord')).toBe(asked)
  clock.advance({ minutes: 4 })
  await reaches(first, 'PUBLISHED')
  await reaches(second, 'PUBLISHED')
})

test('an exhausted budget waits for its refill', async () => {
  await database.owner.query("insert into budget (key, window_ends_at, used) values ($1, $2, 5000)", [`bluesky:points-hour:${channel.channelId}`, inMinutes(20)])
  const [id] = await schedule(0, 'budget')
  await until(async () => (await database.owner.query('select 1 from lane where wake_at = $1', [inMinutes(20)])).rowCount === 1)
  expect(commits('budget')).toBe(0)
  clock.advance({ minutes: 20 })
  await reaches(id, 'PUBLISHED')
})

test('what the platform will never take fails at once, with its reason', async () => {
  simulator.setFaults({ refused: 1 })
  const [id] = await schedule(0, 'refused')
  await reaches(id, 'FAILED')
  expect((await post(id)).failure).toMatchObject({ class: 'permanent', action: 'edit' })
  simulator.setFaults({ refused: 0 })
})

test('a channel that waits for a person tells people once, and its posts go out when it is enabled in time', async () => {
  await database.owner.query('update channel set enabled = false')
  const [id] = await schedule(0, 'paused')
  await until(async () => (await post(id)).failure !== null)
  expect(await post(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'paused' } })
  for (const _ of [1, 2, 3]) clock.advance({ minutes: 2 })
  await database.owner.query('update channel set enabled = true')
  clock.advance({ minutes: 2 })
  await reaches(id, 'PUBLISHED')
  expect(await timeline(id)).toEqual(['waiting', 'due', 'sent', 'confirmed'])
})

test('waiting ends at the lateness limit, with the reason that kept it', async () => {
  await database.owner.query("update plan set status = 'TRIAL_EXPIRED'")
  const [id] = await schedule(0, 'no plan')
  await until(async () => (await post(id)).failure !== null)
  clock.advance({ minutes: 62 })
  await reaches(id, 'FAILED')
  expect((await post(id)).failure).toMatchObject({ class: 'plan', action: 'upgrade' })
})

test('a kill switch stops sending and nothing else', async () => {
  await database.owner.query("insert into kill_switch (scope, name, reason, since) values ('platform', 'bluesky', 'an incident', $1)", [clock.now()])
  const [id] = await schedule(0, 'held')
  await until(async () => (await post(id)).failure !== null)
  await database.owner.query('truncate kill_switch')
  clock.advance({ minutes: 2 })
  await reaches(id, 'PUBLISHED')
})
