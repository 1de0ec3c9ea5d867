import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { PublishingRoom } from '../testing/publishingRoom.ts'

let room: PublishingRoom
beforeAll(async () => {
  room = await PublishingRoom.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

test('when the rules of a zone change, posts keep their time on the wall, go out at the new instant, and people are told', async () => {
  const first = await room.start({ options: { zoneData: '2026a' } })
  const [moved = '', kept = ''] = await room.posts([{ minutes: 60, text: 'moved' }, { minutes: 60, text: 'kept' }])
  await first.stop({ drain: 1000 })
  // computed by rules that put Berlin two hours ahead: what is 14:30 there is 13:30 UTC by today's
  await room.database.owner.query("update post set wall_time = '2026-11-21T14:30', due_at = '2026-11-21T12:30Z', step_at = '2026-11-21T12:30Z' where id = $1", [moved])
  await room.database.owner.query("update post set wall_time = '2026-11-21T14:00' where id = $1", [kept])

  await room.start({ options: { zoneData: '2026b' } })
  expect(await room.row(moved)).toMatchObject({ due_at: new Date('2026-11-21T13:30:00Z'), step_at: new Date('2026-11-21T13:30:00Z'), shown_at: new Date('2026-11-21T13:30:00Z'), version: 2 })
  expect(await room.row(kept)).toMatchObject({ due_at: new Date('2026-11-21T13:00:00Z'), version: 1 })
  expect(await room.timeline(moved)).toEqual(['rescheduled'])
  const { rows } = await room.database.owner.query('select kind, body from notice')
  expect(rows).toMatchObject([{ kind: 'zones-changed', body: expect.stringContaining('1 scheduled post keeps its time') }])
  room.clock.advance({ minutes: 61 })
  await room.reaches(kept, 'PUBLISHED')
  expect(await room.row(moved)).toMatchObject({ state: 'SCHEDULED' })
  room.clock.advance({ minutes: 30 })
  await room.reaches(moved, 'PUBLISHED')
})

test('a change of clocks inside the scheduled range sends each post once, at its own instant', async () => {
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

test('a machine whose clock is set back or forward sends nothing twice and nothing early', async () => {
  await room.start()
  const [before = '', after = ''] = await room.posts([{ minutes: 5, text: 'before' }, { minutes: 15, text: 'after' }])
  room.clock.advance({ minutes: 6 })
  await room.reaches(before, 'PUBLISHED')
  room.clock.set(room.inMinutes(-30))
  room.clock.advance({ minutes: 29 })
  expect(await room.row(after)).toMatchObject({ state: 'SCHEDULED' })
  room.clock.set(room.inMinutes(20))
  await room.reaches(after, 'PUBLISHED')
  expect([room.commits('before'), room.commits('after')]).toEqual([1, 1])
})
