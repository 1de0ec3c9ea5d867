import { saying } from '../testing/reasons.ts'
import { randomUUIDv7 } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { lateOf } from '../posts/late.ts'
import { applyCampaignPauses } from '../campaigns/holdPosts.ts'
import { asTenant } from '../db/tenant.ts'
import { createNotification } from '../notifications/create.ts'
import { pauseLane } from '../delivery/lane.ts'
import { resumeLane } from '../publishing/lane.ts'
import { Watchdog } from '../publishing/watchdog.ts'
import { quietLog } from '../testing/publishing.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { putDelivery } from '../testing/deliveries.ts'
import { until } from '../testing/until.ts'
import { recalculateQueue } from './recalculate.ts'

/*
 * What the engine does with queued posts. The current time is Saturday, 21 November 2026, 12:00 UTC; slots are at 13:00
 * and 14:00 every day.
 */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(room.database.databases.web, room.house.orgId, work)
const settle = () => inTenant((tx) => recalculateQueue(tx, room.house.orgId, room.channel.channelId, room.clock.now()))
const put = (postId: string, columns: string) =>
  room.database.owner.query(`update post set ${columns} where id = $1`, [postId])
const deliver = (postId: string, columns: Record<string, unknown>) => putDelivery(room.database.owner, postId, columns)
const pauseQueue = async (paused: boolean) => {
  await room.database.owner.query('update queue set paused = $1', [paused])
  await settle()
}

/** Posts in a queue of the channel, in this order. */
async function queued(
  texts: readonly string[],
  options: { needsPrepare?: boolean; zone?: string } = {},
): Promise<string[]> {
  const slots = [0, 1, 2, 3, 4, 5, 6].flatMap((day) => ['13:00', '14:00'].map((time) => ({ day, time })))
  await room.database.owner.query('insert into queue (org_id, channel_id, zone, slots) values ($1, $2, $3, $4)', [
    room.house.orgId,
    room.channel.channelId,
    options.zone ?? 'UTC',
    JSON.stringify(slots),
  ])
  const ids = await room.posts(
    texts.map((text, i) => ({ minutes: 0, text, place: i + 1, ...(options.needsPrepare && { needsPrepare: true }) })),
  )
  await settle()
  return ids
}

const slotsOf = async (ids: readonly string[]): Promise<unknown[]> =>
  await Promise.all(ids.map(async (id) => (await room.row(id))['due_at']))
const at = (time: string): Date => new Date(`2026-11-${time}:00Z`)

test('publishes each post at its slot, and the following ones keep theirs', async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const ids = await queued(['one', 'two', 'three'])
  expect(await slotsOf(ids)).toEqual([at('21T13:00'), at('21T14:00'), at('22T13:00')])
  room.clock.advance({ minutes: 61 })
  await room.reaches(ids[0] ?? '', 'PUBLISHED')
  await settle()
  expect(await slotsOf(ids.slice(1))).toEqual([at('21T14:00'), at('22T13:00')])
  expect(await room.row(ids[0] ?? '')).toMatchObject({ queue_order: null })
  room.clock.advance({ minutes: 60 })
  await room.reaches(ids[1] ?? '', 'PUBLISHED')
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two'])
})

test('prepares a post ahead while it stays in its queue, and again for another slot', async () => {
  const platform = scriptedPlatform({ needsPrepare: () => true })
  await room.start({ platforms: [platform] })
  const [first = '', second = ''] = await queued(['one', 'two'], { needsPrepare: true })
  room.clock.set(at('21T12:50'))
  await room.passesUntil(async () => (await room.row(first)).step === 'send')
  expect(await room.row(first)).toMatchObject({ state: 'QUEUED', queue_order: 1, progress: { prepared: true } })
  await put(first, 'queue_order = 3')
  await settle()
  expect(await room.row(first)).toMatchObject({ step: 'prepare', progress: {}, due_at: at('21T14:00') })
  room.clock.set(at('21T13:01'))
  await room.reaches(second, 'PUBLISHED')
  room.clock.set(at('21T14:01'))
  await room.reaches(first, 'PUBLISHED')
  expect(platform.asked.filter((step) => step === 'prepare one').length).toBe(2)
})

test('keeps a post in its queue if its preparation is refused for a while', async () => {
  let busy = true
  const platform = scriptedPlatform({
    needsPrepare: () => true,
    prepare: async () =>
      busy ? { kind: 'retry', afterSeconds: 1, reason: saying('Busy.') } : { kind: 'prepared', progress: {} },
  })
  await room.start({ platforms: [platform] })
  const [id = ''] = await queued(['one'], { needsPrepare: true })
  room.clock.set(at('21T12:57'))
  await room.passesUntil(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({ state: 'QUEUED', queue_order: 1, failure: { class: 'retry' } })
  busy = false
  // from wherever the wait above has led
  room.clock.advance({ minutes: 10 })
  await room.reaches(id, 'PUBLISHED')
})

test('treats a slot that passed while nothing ran like any other late post: it fails, leaves the queue, and the following ones keep their slots', async () => {
  const ids = await queued(['missed', 'also missed', 'later'])
  room.clock.set(at('21T17:00'))
  await room.start()
  await room.reaches(ids[0] ?? '', 'FAILED')
  await room.reaches(ids[1] ?? '', 'FAILED')
  expect(await room.row(ids[0] ?? '')).toMatchObject({ queue_order: null, failure: { class: 'late' } })
  await settle()
  expect(await room.row(ids[2] ?? '')).toMatchObject({ state: 'QUEUED', due_at: at('22T13:00') })
})

test('publishes late within the lateness limit', async () => {
  const [id = ''] = await queued(['a little late'])
  room.clock.set(at('21T13:40'))
  await room.start()
  await room.reaches(id, 'PUBLISHED')
})

test('waits in the queue while the channel is paused, and continues with the channel', async () => {
  await room.start()
  const [id = ''] = await queued(['waits'])
  await inTenant((tx) => pauseLane(tx, room.house.orgId, room.channel.channelId))
  room.clock.set(at('21T13:01'))
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({
    state: 'QUEUED',
    queue_order: 1,
    due_at: at('21T13:00'),
    failure: { class: 'paused' },
  })
  await settle()
  expect(await room.row(id)).toMatchObject({ due_at: at('21T13:00') })
  await inTenant((tx) => resumeLane(tx, room.house.orgId, room.channel.channelId))
  await room.reaches(id, 'PUBLISHED')
})

test('counts past the limit as a late post of its channel, whether the engine saw it or not', async () => {
  await queued(['unseen'])
  room.clock.set(at('21T16:00'))
  const late = await inTenant(async (tx) => {
    const channel = await tx
      .selectFrom('channel')
      .selectAll()
      .where('id', '=', room.channel.channelId)
      .executeTakeFirstOrThrow()
    return await lateOf(tx, channel, room.clock.now())
  })
  expect(late.map(({ state }) => state)).toEqual(['QUEUED'])
})

test('publishes nothing from a paused queue, even what was due', async () => {
  const platform = scriptedPlatform()
  const ids = await queued(['due', 'coming'])
  room.clock.set(at('21T13:10'))
  await pauseQueue(true)
  await room.start({ platforms: [platform] })
  const other = await room.post(0, 'by itself')
  await room.reaches(other, 'PUBLISHED')
  room.clock.set(at('21T14:10'))
  await room.reaches(await room.post(0, 'also by itself'), 'PUBLISHED')
  expect(await slotsOf(ids)).toEqual([null, null])
  await pauseQueue(false)
  expect(await slotsOf(ids)).toEqual([at('22T13:00'), at('22T14:00')])
  room.clock.set(at('22T13:01'))
  await room.reaches(ids[0] ?? '', 'PUBLISHED')
  expect(platform.there.map(({ text }) => text)).toEqual(['by itself', 'also by itself', 'due'])
})

test("holds a post of a disabled campaign in its slot, and another slot doesn't release it", async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const [held = '', free = ''] = await queued(['held', 'free'])
  const { orgId, projectId, personId } = room.house
  const campaignId = randomUUIDv7()
  await room.database.owner.query(
    "insert into campaign (org_id, id, project_id, name, color, enabled, created_at, created_by) values ($1, $2, $3, 'Launch', 'blue', false, $4, $5)",
    [orgId, campaignId, projectId, room.clock.now(), personId],
  )
  await room.database.owner.query('insert into post_campaign (org_id, post_id, campaign_id) values ($1, $2, $3)', [
    orgId,
    held,
    campaignId,
  ])
  expect((await inTenant((tx) => applyCampaignPauses(tx, [held], room.clock.now()))).held).toEqual([held])
  await put(held, 'queue_order = 9')
  await settle()
  expect(await room.row(held)).toMatchObject({
    due_at: at('21T14:00'),
    step_at: null,
    failure: { class: 'paused', code: 'campaign-disabled', params: { campaign: 'Launch' } },
  })
  room.clock.set(at('21T13:01'))
  await room.reaches(free, 'PUBLISHED')
  room.clock.set(at('21T14:01'))
  await room.reaches(await room.post(0, 'by itself'), 'PUBLISHED')
  expect(await room.row(held)).toMatchObject({ state: 'QUEUED' })
  // released while its queue is paused, it only waits for a slot
  await pauseQueue(true)
  await room.database.owner.query('update campaign set enabled = true')
  await inTenant((tx) => applyCampaignPauses(tx, [held], room.clock.now()))
  expect(await room.row(held)).toMatchObject({ failure: null, due_at: null })
  await pauseQueue(false)
  room.clock.set(at('22T13:01'))
  await room.reaches(held, 'PUBLISHED')
})

test('finds a post that no lane knows with the watchdog, and ignores one without a slot', async () => {
  const ids = await queued(['forgotten', 'without a slot'])
  await deliver(ids[0] ?? '', { step: null, step_at: null })
  await put(ids[1] ?? '', 'due_at = null')
  await deliver(ids[1] ?? '', { step_at: null })
  await room.database.owner.query('update lane set wake_at = null')
  room.clock.set(at('21T13:05'))
  const dog = new Watchdog({
    pool: room.database.databases.publishing,
    clock: room.clock,
    log: quietLog,
    notify: createNotification,
    every: 0,
    also: async () => {},
  })
  await dog.look()
  expect(dog.overdue).toBe(1)
  await room.start()
  // its key is on its lane: whether it was published is checked first
  await room.reaches(ids[0] ?? '', 'PUBLISHED')
})

test('checks a post that was due in the meantime after a restore, outside of its queue', async () => {
  await (await room.start()).stop({ drain: 1000 })
  const ids = await queued(['may be out', 'later'])
  await room.database.owner.query("update instance set system_identifier = 'another'")
  room.clock.set(at('21T13:30'))
  await room.start()
  await room.reaches(ids[0] ?? '', 'UNCONFIRMED')
  expect(await room.row(ids[0] ?? '')).toMatchObject({ queue_order: null })
  expect(await room.row(ids[1] ?? '')).toMatchObject({ state: 'QUEUED', due_at: at('21T14:00') })
})

test("keeps slots at their local time when a zone's rules change", async () => {
  const first = await room.start({ options: { zoneData: '2026a' } })
  const [id = ''] = await queued(['moved'], { zone: 'Europe/Berlin' })
  await first.stop({ drain: 1000 })
  expect(await room.row(id)).toMatchObject({ wall_time: '2026-11-21T14:00', due_at: at('21T13:00') })
  await put(id, "due_at = '2026-11-21T12:30Z'")
  await deliver(id, { step_at: '2026-11-21T12:30Z', wanted_at: '2026-11-21T12:30Z' })
  await room.start({ options: { zoneData: '2026b' } })
  expect(await room.row(id)).toMatchObject({
    due_at: at('21T13:00'),
    step_at: at('21T13:00'),
    shown_at: at('21T13:00'),
    version: 1,
  })
  await settle()
  expect(await room.row(id)).toMatchObject({ due_at: at('21T13:00') })
})

test('sends a queue that changes at the moment of its first slot without waiting or repeating', async () => {
  let free = () => {}
  const sending = new Promise<void>((resolve) => (free = resolve))
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) => (
      await sending,
      { kind: 'sent', remoteId: `remote ${post.sendKey}`, progress: {} }
    ),
  })
  await room.start({ platforms: [platform] })
  const ids = await queued(['taken', 'second', 'third'])
  room.clock.set(at('21T13:00'))
  await room.reaches(ids[0] ?? '', 'PROCESSING')
  await put(ids[2] ?? '', 'queue_order = 0')
  await settle()
  expect(await slotsOf(ids)).toEqual([at('21T13:00'), at('22T13:00'), at('21T14:00')])
  free()
  await room.reaches(ids[0] ?? '', 'PUBLISHED')
  expect(platform.asked.filter((step) => step.startsWith('send'))).toEqual(['send taken'])
})

test('leaves a queue alone while a person changes it, and then takes the first post', async () => {
  const platform = scriptedPlatform()
  const ids = await queued(['was first', 'is first'])
  room.clock.set(at('21T12:59'))
  await inTenant(async (tx) => {
    await sql`update post set queue_order = 9 where id = ${ids[0] ?? ''}::uuid`.execute(tx)
    await recalculateQueue(tx, room.house.orgId, room.channel.channelId, room.clock.now())
    room.clock.set(at('21T13:00'))
    const machine = await room.start({ platforms: [platform] })
    await until(() => machine.stats().claims > 3)
    expect(platform.asked).toEqual([])
  })
  await room.reaches(ids[1] ?? '', 'PUBLISHED')
  expect(platform.there.map(({ text }) => text)).toEqual(['is first'])
})

test('gives each of 500 posts a slot', async () => {
  const ids = await queued(Array.from({ length: 500 }, (_, i) => `post ${i}`))
  await put(ids[499] ?? '', 'queue_order = 0')
  await settle()
  const slots = await slotsOf([ids[499] ?? '', ids[0] ?? '', ids[498] ?? ''])
  expect(slots).toEqual([at('21T13:00'), at('21T14:00'), new Date('2027-07-28T14:00:00Z')])
})
