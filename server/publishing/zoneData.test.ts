import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createNotification } from '../notifications/create.ts'
import { putDelivery } from '../testing/deliveries.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { until } from '../testing/until.ts'
import { followZoneData } from './zoneData.ts'
import { storedNotifications } from '../testing/notifications.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

test('keeps the local time of posts when the rules of a time zone change, and notifies people', async () => {
  const first = await room.start({ options: { zoneData: '2026a' } })
  const [moved = '', kept = ''] = await room.posts([
    { minutes: 60, text: 'moved' },
    { minutes: 60, text: 'kept' },
  ])
  await first.stop({ drain: 1000 })
  // computed by rules that put Berlin two hours ahead: what is 14:30 there is 13:30 UTC by today's
  await room.database.owner.query(
    "update post set wall_time = '2026-11-21T14:30', due_at = '2026-11-21T12:30Z' where id = $1",
    [moved],
  )
  await putDelivery(room.database.owner, moved, { step_at: '2026-11-21T12:30Z', wanted_at: '2026-11-21T12:30Z' })
  // a time with seconds is still the same minute on the wall
  await room.database.owner.query(
    "update post set wall_time = '2026-11-21T14:00', due_at = due_at + interval '8 s' where id = $1",
    [kept],
  )

  await room.start({ options: { zoneData: '2026b' } })
  expect(await room.row(moved)).toMatchObject({
    due_at: new Date('2026-11-21T13:30:00Z'),
    step_at: new Date('2026-11-21T13:30:00Z'),
    shown_at: new Date('2026-11-21T13:30:00Z'),
    version: 2,
  })
  expect(await room.row(kept)).toMatchObject({ due_at: new Date('2026-11-21T13:00:08Z'), version: 1 })
  expect(await room.timeline(moved)).toEqual(['rescheduled'])
  expect(await room.timelineNotes(moved)).toEqual(['This time zone changed its clocks (time zone data 2026b).'])
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { kind: 'zones-changed', body: expect.stringContaining('1 scheduled post keeps its local time') },
  ])
  room.clock.advance({ minutes: 61 })
  await room.reaches(kept, 'PUBLISHED')
  expect(await room.row(moved)).toMatchObject({ state: 'SCHEDULED' })
  room.clock.advance({ minutes: 30 })
  await room.reaches(moved, 'PUBLISHED')
})

test('keeps the local time of drafts and of posts in approval, approved or rejected, too', async () => {
  const first = await room.start({ options: { zoneData: '2026a' } })
  const states = ['NEEDS_APPROVAL', 'APPROVED', 'REJECTED', 'DRAFTS']
  const ids = await room.posts(states.map((text) => ({ minutes: 60, text })))
  await first.stop({ drain: 1000 })
  const utc = '2026-11-21T12:30:00.000Z'
  for (const [i, id] of ids.entries()) {
    const schedule =
      states[i] === 'DRAFTS' ? { type: 'DRAFT' } : { type: 'ONCE', details: { utc, timezone: 'Europe/Berlin' } }
    await room.database.owner.query(
      "update post set state = $2, schedule = $3, wall_time = '2026-11-21T14:30', due_at = $4, shown_at = $4 where id = $1",
      [id, states[i], JSON.stringify(schedule), utc],
    )
    await putDelivery(room.database.owner, id, { step: null, step_at: null })
  }
  // these were put into their states directly
  await room.database.owner.query('truncate move')
  // a draft without a channel
  await room.database.owner.query('update post set channel_id = null where id = $1', [ids[3]])

  await room.start({ options: { zoneData: '2026b' } })
  const later = new Date('2026-11-21T13:30:00Z')
  for (const [i, id] of ids.entries()) {
    expect(await room.row(id)).toMatchObject({
      state: states[i],
      due_at: later,
      shown_at: later,
      wall_time: '2026-11-21T14:30',
      step_at: null,
      version: states[i] === 'DRAFTS' ? 1 : 2,
    })
    expect(await room.timeline(id)).toEqual(['rescheduled'])
  }
  expect((await room.row(ids[0] ?? ''))['schedule']).toEqual({
    type: 'ONCE',
    details: { utc: later.toISOString(), timezone: 'Europe/Berlin' },
  })
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { body: expect.stringContaining('4 scheduled posts keep their local time') },
  ])
})

test('keeps the time that a person chooses at the same moment', async () => {
  const first = await room.start({ options: { zoneData: '2026a' } })
  const [id = ''] = await room.posts([{ minutes: 60, text: 'moved twice' }])
  await first.stop({ drain: 1000 })
  await room.database.owner.query(
    "update post set wall_time = '2026-11-21T14:30', due_at = '2026-11-21T12:30Z' where id = $1",
    [id],
  )
  await putDelivery(room.database.owner, id, { step_at: '2026-11-21T12:30Z', wanted_at: '2026-11-21T12:30Z' })
  const person = await room.database.owner.connect()
  const { clock, database } = room
  try {
    const { rows } = await person.query<{ pid: number }>('select pg_backend_pid() as pid')
    await person.query('begin')
    await person.query(
      "update post set wall_time = '2026-11-22T10:00', due_at = '2026-11-22T09:00Z', version = version + 1 where id = $1",
      [id],
    )
    await person.query(
      "update delivery set step_at = '2026-11-22T09:00Z', wanted_at = '2026-11-22T09:00Z' where subject_id = $1",
      [id],
    )
    const following = followZoneData(database.databases.publishing, '2026b', clock.now(), createNotification)
    await until(
      async () =>
        (
          await database.owner.query('select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
            rows[0]?.pid,
          ])
        ).rowCount !== 0,
    )
    await person.query('commit')
    expect(await following).toBe(0)
  } finally {
    person.release(true)
  }
  expect(await room.row(id)).toMatchObject({
    due_at: new Date('2026-11-22T09:00:00Z'),
    step_at: new Date('2026-11-22T09:00:00Z'),
    version: 2,
  })
  expect(await room.timeline(id)).toEqual([])
  expect((await database.owner.query('select 1 from notice')).rowCount).toBe(0)
})

test('changes nothing on a node with older zone data than the last one', async () => {
  const first = await room.start({ options: { zoneData: '2026b' } })
  const [id = ''] = await room.posts([{ minutes: 60, text: 'computed by the newer rules' }])
  await first.stop({ drain: 1000 })
  await room.database.owner.query("update post set wall_time = '2026-11-21T14:30' where id = $1", [id])
  const second = await room.start({ options: { zoneData: '2026a' } })
  await second.stop({ drain: 1000 })
  expect(await room.row(id)).toMatchObject({ due_at: new Date('2026-11-21T13:00:00Z'), version: 1 })
  expect((await room.database.owner.query('select zone_data from instance')).rows).toEqual([{ zone_data: '2026b' }])
})

test('sends each post once, at its own instant, when clocks change in the scheduled range', async () => {
  // Berlin goes back from 03:00 to 02:00 on 25 October 2026, at 01:00 UTC
  room.clock.set(new Date('2026-10-25T00:00:00Z'))
  const times = ['00:29', '00:31', '00:59', '01:01', '01:29', '01:31'].map((time) => new Date(`2026-10-25T${time}:00Z`))
  await room.database.owner.query('delete from instance')
  await room.start()
  const ids = await room.posts(times.map((dueAt, i) => ({ minutes: 0, dueAt, text: `at ${i}` })))
  for (const [i, time] of times.entries()) {
    room.clock.set(time)
    await room.reaches(ids[i] ?? '', 'PUBLISHED')
    expect(room.simulator.ledger.filter((entry) => entry.did === room.channel.did).length).toBe(i + 1)
  }
})

test('sends nothing twice and nothing early when the clock of a machine is set back or forward', async () => {
  await room.start()
  const [before = '', after = ''] = await room.posts([
    { minutes: 5, text: 'before' },
    { minutes: 15, text: 'after' },
  ])
  room.clock.advance({ minutes: 6 })
  await room.reaches(before, 'PUBLISHED')
  room.clock.set(room.inMinutes(-30))
  room.clock.advance({ minutes: 29 })
  expect(await room.row(after)).toMatchObject({ state: 'SCHEDULED' })
  room.clock.set(room.inMinutes(20))
  await room.reaches(after, 'PUBLISHED')
  expect([room.commits('before'), room.commits('after')]).toEqual([1, 1])
})
