import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNotification } from '../notifications/create.ts'
import { quietLog } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { bucketOf, Punctuality, quantile } from '../delivery/punctuality.ts'
import { Watchdog } from './watchdog.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const watchdog = () =>
  new Watchdog({
    pool: room.database.databases.publishing,
    clock: room.clock,
    log: quietLog,
    notify: createNotification,
    every: 0,
    also: async () => {},
  })

test('finds a post that its lane lost, puts it back, and notifies people', async () => {
  const id = await room.post(1, 'forgotten')
  // as a bug in an action would leave it
  await room.database.owner.query('update delivery set step = null, step_at = null where subject_id = $1', [id])
  await room.database.owner.query('update lane set wake_at = null')
  room.clock.advance({ minutes: 5 })
  const dog = watchdog()
  await dog.look()
  expect(dog.overdue).toBe(1)
  await room.start()
  await room.reaches(id, 'PUBLISHED')
  await dog.look()
  expect(dog.overdue).toBe(0)
  expect((await room.database.owner.query('select kind from notice')).rows).toEqual([{ kind: 'post-overdue' }])
})

test('wakes a lane that missed the time of its post', async () => {
  const id = await room.post(1, 'overslept')
  await room.database.owner.query('update lane set wake_at = $1', [room.inMinutes(600)])
  room.clock.advance({ minutes: 5 })
  await watchdog().look()
  await room.start()
  await room.reaches(id, 'PUBLISHED')
})

test('does not count posts that wait for a person as overdue', async () => {
  await room.database.owner.query('update channel set enabled = false')
  const publishing = await room.start()
  const id = await room.post(0, 'waits')
  await until(async () => (await room.row(id)).failure !== null)
  room.clock.advance({ minutes: 3 })
  await publishing.stop({ drain: 1000 })
  const dog = watchdog()
  await dog.look()
  expect(dog.overdue).toBe(0)
})

test('finds a post that stays in progress and looks it up, whatever its lane says', async () => {
  const [asleep = '', acknowledged = '', tried = ''] = await room.posts(
    ['asleep', 'acknowledged', 'tried'].map((text) => ({ minutes: 0, text })),
  )
  await room.database.owner.query("update post set state = 'PROCESSING', remote_id = 'r' where id = any($1)", [
    [asleep, acknowledged],
  ])
  await room.database.owner.query(
    "update delivery set step = 'readback', remote_id = 'r', sent_at = wanted_at where subject_id = any($1)",
    [[asleep, acknowledged]],
  )
  await room.database.owner.query("update post set state = 'PROCESSING' where id = any($1)", [[acknowledged, tried]])
  await room.database.owner.query(
    "update delivery set step = null, step_at = null, send_key = 'k' where subject_id = any($1)",
    [[acknowledged, tried]],
  )
  await room.database.owner.query('update lane set wake_at = null')
  const dog = watchdog()
  await dog.look()
  expect(dog.overdue).toBe(2)
  room.clock.advance({ minutes: 6 })
  await dog.look()
  expect(dog.overdue).toBe(3)
  expect(await room.row(acknowledged)).toMatchObject({ state: 'PROCESSING', step: 'readback' })
  expect(await room.row(tried)).toMatchObject({ state: 'PROCESSING', step: 'reconcile' })
  expect((await room.database.owner.query('select wake_at from lane')).rows).toEqual([{ wake_at: room.inMinutes(-6) }])
})

test('counts punctuality by hour and platform', async () => {
  const { publishing } = room.database.databases
  const counted = new Punctuality()
  for (const lag of [3, 5, 6, 900]) counted.add('bluesky', lag, room.clock.now())
  await counted.write(publishing)
  counted.add('bluesky', 7, room.inMinutes(10))
  await counted.write(publishing)
  const { rows } = await publishing.query<{ posts: number; buckets: number[] }>(
    'select posts, buckets from punctuality',
  )
  expect(rows).toHaveLength(1)
  const { posts, buckets } = rows[0] ?? { posts: 0, buckets: [] }
  expect([posts, quantile(buckets, 0.5), quantile(buckets, 0.99)]).toEqual([5, 8, 1024])
  expect([bucketOf(-5), bucketOf(1), bucketOf(1023), bucketOf(1024)]).toEqual([0, 1, 10, 11])
})

test('finds a follow-up that no node works on and looks it up, while its post stays live', async () => {
  const platform = scriptedPlatform({ sendFollowUp: () => new Promise<never>(() => {}) })
  const publishing = await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'one', firstComment: 'comment' }])
  await until(() => platform.asked.includes('part comment'))
  await publishing.stop({ drain: 10 })
  // as a bug of ours would leave it: without a time, and with no lane that knows of it
  await room.database.owner.query('update delivery set step_at = null where subject_id = $1', [id])
  await room.database.owner.query(
    'with d as (update delivery set lease_id = null, lease_until = null) update lane set wake_at = null',
  )
  const dog = watchdog()
  await dog.look()
  expect(dog.overdue).toBe(1)
  expect(await room.row(id)).toMatchObject({ state: 'PUBLISHED', step: 'reconcile', step_at: room.clock.now() })
  const other = scriptedPlatform()
  await room.start({ platforms: [other] })
  await until(async () => {
    room.clock.advance({ seconds: 5 })
    return (await room.row(id)).step === null
  })
  expect(other.asked.filter((line) => line.startsWith('part'))).toEqual(['part comment'])
  // nobody is notified that the post wasn't published: it was
  expect((await room.database.owner.query("select from notice where kind = 'post-overdue'")).rowCount).toBe(0)
})

test('ignores a live post without remaining follow-ups', async () => {
  await room.start({ platforms: [scriptedPlatform()] })
  await room.reaches(await room.post(0, 'done'), 'PUBLISHED')
  room.clock.advance({ hours: 5 })
  const dog = watchdog()
  await dog.look()
  expect(dog.overdue).toBe(0)
})
