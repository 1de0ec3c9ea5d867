import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { countStates } from '../testing/publishing.ts'
import { until } from '../testing/until.ts'
import type { Publishing } from './start.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* The engine with the real Bluesky adapter, a real database, a simulated Bluesky and a clock that is moved by hand. */

let room: PublishingHarness
let publishing: Publishing

beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(async () => {
  await room.clear()
  publishing = await room.start()
})
afterEach(() => room.stopAll())

test('sends a due post, reads it back and publishes it with its permalink, and never before its time', async () => {
  const id = await room.post(10, 'Hello')
  room.clock.advance({ minutes: 9, seconds: 59 })
  await until(() => publishing.stats().claims >= 0)
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED' })
  room.clock.advance({ seconds: 1 })
  await room.reaches(id, 'PUBLISHED')
  expect(await room.row(id)).toMatchObject({
    permalink: expect.stringContaining(`https://bsky.app/profile/${room.channel.did}/post/`),
    step: null,
    step_at: null,
    failure: null,
  })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'confirmed'])
  expect(room.commits('Hello')).toBe(1)
})

test('publishes the posts of a channel in the order of their times', async () => {
  const ids = await room.posts([3, 1, 2].map((minutes) => ({ minutes, text: `minute ${minutes}` })))
  room.clock.advance({ minutes: 5 })
  await until(async () => (await countStates(room.database.owner)).PUBLISHED === ids.length)
  expect(room.simulator.ledger.filter((entry) => entry.did === room.channel.did).map((entry) => entry.text)).toEqual([
    'minute 1',
    'minute 2',
    'minute 3',
  ])
})

test('does not send a post that downtime delayed beyond the lateness limit: a person decides', async () => {
  const late = await room.post(10, 'late')
  const inTime = await room.post(30, 'in time')
  await publishing.stop({ drain: 1000 })
  room.clock.advance({ minutes: 75 })
  publishing = await room.start()
  await room.reaches(late, 'FAILED')
  await room.reaches(inTime, 'PUBLISHED')
  expect((await room.row(late)).failure).toMatchObject({
    class: 'late',
    action: 'reschedule',
    code: 'too-late',
    params: { because: { code: 'not-running' } },
  })
  expect(room.commits('late')).toBe(0)
  const { rows } = await room.database.owner.query<{ kind: string; person_id: string }>(
    'select kind, person_id from notice',
  )
  expect(rows).toEqual([{ kind: 'post-failed', person_id: room.house.personId }])
})

test('makes a post whose answer was lost unconfirmed, looks it up, and never sends it twice', async () => {
  room.simulator.setFaults({ dropAfter: 1 })
  const id = await room.post(0, 'lost')
  await room.reaches(id, 'UNCONFIRMED')
  room.simulator.setFaults({ dropAfter: 0 })
  room.clock.advance({ seconds: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect(room.commits('lost')).toBe(1)
  expect(await room.timeline(id)).toEqual(['due', 'unconfirmed', 'settled', 'confirmed'])
})

test('looks up a post whose request never arrived, and sends it again under the same key', async () => {
  room.simulator.setFaults({ dropBefore: 1 })
  const id = await room.post(0, 'dropped')
  await room.reaches(id, 'UNCONFIRMED')
  const key = (await room.row(id)).send_key
  room.simulator.setFaults({ dropBefore: 0 })
  room.clock.advance({ seconds: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect((await room.row(id)).send_key).toBe(key)
  expect(room.commits('dropped')).toBe(1)
})

test('stops calling for an account as long as a 429 asks, and says so', async () => {
  room.simulator.setFaults({ limited: 1, limitedSeconds: 300 })
  const first = await room.post(0, 'first')
  const second = await room.post(1, 'second')
  await until(async () => (await room.row(first)).failure !== null)
  expect(await room.row(first)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'retry' } })
  room.simulator.setFaults({ limited: 0 })
  const asked = room.simulator.calls.get('com.atproto.repo.createRecord')
  room.clock.advance({ minutes: 2 })
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.inMinutes(1)])).rowCount === 1,
  )
  // the second post was due meanwhile: the closed budget kept it from being tried
  expect(room.simulator.calls.get('com.atproto.repo.createRecord')).toBe(asked)
  room.clock.advance({ minutes: 4 })
  await room.reaches(first, 'PUBLISHED')
  await room.reaches(second, 'PUBLISHED')
})

test('waits until an exhausted rate limit allows calls again', async () => {
  await room.database.owner.query('insert into budget (key, window_ends_at, used) values ($1, $2, 5000)', [
    `bluesky:points-hour:${room.channel.channelId}`,
    room.inMinutes(20),
  ])
  const id = await room.post(0, 'budget')
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at = $1', [room.inMinutes(20)])).rowCount === 1,
  )
  expect(room.commits('budget')).toBe(0)
  room.clock.advance({ minutes: 20 })
  await room.reaches(id, 'PUBLISHED')
})

test('fails a post immediately, with the reason, if the platform will never accept it', async () => {
  room.simulator.setFaults({ refused: 1 })
  const id = await room.post(0, 'refused')
  await room.reaches(id, 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({ class: 'permanent', action: 'edit' })
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { kind: 'post-failed', body: expect.stringMatching(/^“.+” \S/) },
  ])
  room.simulator.setFaults({ refused: 0 })
})

test('notifies people once about a signed-out channel, and publishes its posts if it is reconnected in time', async () => {
  await room.database.owner.query('update channel set enabled = false')
  const id = await room.post(0, 'paused')
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'paused' } })
  for (const _ of [1, 2, 3]) {
    room.clock.advance({ minutes: 2 })
    // looked at, and asleep again: otherwise the post could be on its way when the clock goes on
    await until(
      async () =>
        (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.inMinutes(0)])).rowCount === 1,
    )
  }
  await room.database.owner.query('update channel set enabled = true')
  room.clock.advance({ minutes: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect(await room.timeline(id)).toEqual(['waiting', 'due', 'sent', 'confirmed'])
})

test('stops waiting at the lateness limit, with the reason for the delay', async () => {
  await room.database.owner.query("update plan set status = 'TRIAL_EXPIRED'")
  const id = await room.post(0, 'no plan')
  await until(async () => (await room.row(id)).failure !== null)
  room.clock.advance({ minutes: 62 })
  await room.reaches(id, 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({ class: 'plan', action: 'upgrade' })
})

test('stops sending, and nothing else, while the kill switch is on', async () => {
  await room.database.owner.query(
    "insert into kill_switch (scope, name, reason, since) values ('platform', 'bluesky', 'an incident', $1)",
    [room.clock.now()],
  )
  const id = await room.post(0, 'held')
  await until(async () => (await room.row(id)).failure !== null)
  await room.database.owner.query('truncate kill_switch')
  room.clock.advance({ minutes: 2 })
  await room.reaches(id, 'PUBLISHED')
})
