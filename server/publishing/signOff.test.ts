import type { Reason } from '#contract/failures/catalog.ts'
import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { disconnect } from '../channels/delete.ts'
import { asTenant } from '../db/tenant.ts'
import type { Platform } from '../platforms/platform.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { resumeLane } from './lane.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* Posts at the platform when their channel is signed out or disconnected: reported, and never left in progress forever. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

const reason: Reason = saying('A reason.', 'An advice.')
const processing: Platform['publish']['send'] = async (_reach, _secret, _account, post) => ({
  kind: 'processing',
  progress: post.progress,
  checkAfterSeconds: 30,
})

const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(room.database.databases.web, room.house.orgId, work)
const asked = async () =>
  (await storedNotifications(room.database.owner, "kind = 'post-unconfirmed'")).map(({ title, body }) => ({
    title,
    body,
  }))
const disconnected = () =>
  inTenant(async (tx) => {
    const channel = await tx
      .selectFrom('channel')
      .selectAll()
      .where('id', '=', room.channel.channelId)
      .executeTakeFirstOrThrow()
    return await disconnect(tx, channel, room.house.personId, room.clock.now())
  })

test('publishes an acknowledged post with a warning when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ readBack: async () => ({ kind: 'retry', afterSeconds: 600, reason }) })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'acknowledged')
  await until(async () => (await room.row(id)).step === 'readback' && publishing.stats().inFlight === 0)
  expect(await disconnected()).toEqual([])
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    step: null,
    step_at: null,
    warning: [{ code: 'unread', params: { because: { code: 'channel-disconnected' } } }],
    failure: null,
    published_at: room.clock.now(),
  })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'confirmed'])
})

test('rejects what was read during the disconnection, and releases the lane', async () => {
  let answer = () => {}
  const platform = scriptedPlatform({
    readBack: async () => {
      await new Promise<void>((resolve) => (answer = resolve))
      return { kind: 'live', permalink: 'https://platform.test/late' }
    },
  })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'being read')
  await until(() => platform.asked.length === 2)
  await disconnected()
  answer()
  await until(() => publishing.stats().inFlight === 0)
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    permalink: null,
    warning: [{ code: 'unread', params: { because: { code: 'channel-disconnected' } } }],
  })
  expect((await room.database.owner.query('select from delivery where lease_id is not null')).rowCount).toBe(0)
})

test('leaves a post that the platform is processing to a person when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ send: processing, poll: processing })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'video')
  await until(async () => (await room.row(id)).step === 'poll' && publishing.stats().inFlight === 0)
  await disconnected()
  expect(await room.row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    step: null,
    step_at: null,
    failure: { class: 'unknown' },
  })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'unconfirmed'])
  expect(await asked()).toEqual([
    { title: 'Was this post published on Bluesky?', body: expect.stringContaining('“video” ') },
  ])
})

test('keeps the reason of an unconfirmed post when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ send: async () => ({ kind: 'unknown', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'in doubt')
  await room.reaches(id, 'UNCONFIRMED')
  await disconnected()
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED', step: null, failure: { class: 'unknown' } })
  expect(await asked()).toHaveLength(1)
})

test('leaves a post that the platform is processing to a person when its channel is signed out', async () => {
  const platform = scriptedPlatform({ send: processing, poll: async () => ({ kind: 'reconnect', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'video')
  await until(async () => (await room.row(id)).step === 'poll')
  room.clock.advance({ seconds: 30 })
  await room.reaches(id, 'UNCONFIRMED')
  expect(await room.row(id)).toMatchObject({ step: null, failure: { class: 'unknown' } })
  const { rows } = await room.database.owner.query('select kind from notice order by kind')
  expect(rows).toEqual([{ kind: 'channel-signed-out' }, { kind: 'post-unconfirmed' }])
})

test('looks up unconfirmed posts and follow-ups immediately when the channel is reconnected', async () => {
  for (const firstComment of ['', 'comment']) {
    let dead = true
    const platform = scriptedPlatform()
    const refusing = { kind: 'reconnect', reason } as const
    const publish: Platform['publish'] = {
      ...platform.publish,
      send: async (...call) =>
        firstComment === ''
          ? (await platform.publish.send(...call), { kind: 'unknown', reason })
          : await platform.publish.send(...call),
      sendFollowUp: async (...call) => (await platform.publish.sendFollowUp?.(...call), { kind: 'unknown', reason }),
      reconcile: async (...call) => (dead ? refusing : await platform.publish.reconcile(...call)),
      reconcileFollowUp: async (...call) =>
        dead ? refusing : ((await platform.publish.reconcileFollowUp?.(...call)) ?? refusing),
    }
    const publishing = await room.start({ platforms: [{ ...platform, publish }] })
    const [id = ''] = await room.posts([{ minutes: 0, text: 'lost', firstComment }])
    await until(async () => (await room.row(id)).step === 'reconcile')
    await room.passesUntil(async () => Number((await room.row(id)).tries) === 7)
    dead = false
    await inTenant(async (tx) => {
      await tx.updateTable('channel').set({ status: 'CONNECTED', problem: null }).execute()
      await resumeLane(tx, room.house.orgId, room.channel.channelId)
    })
    const since = room.clock.now().getTime()
    await until(async () => (await room.row(id)).state === 'PUBLISHED' && (await room.row(id)).step === null)
    expect(room.clock.now().getTime()).toBe(since)
    expect(platform.there).toHaveLength(firstComment === '' ? 1 : 2)
    await publishing.stop({ drain: 1000 })
  }
})

test('leaves a post whose answer was lost after a disconnection to a person at the first lookup', async () => {
  let answer = () => {}
  const platform = scriptedPlatform({
    send: async () => {
      await new Promise<void>((resolve) => (answer = resolve))
      return { kind: 'unknown', reason }
    },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'lost')
  await until(() => platform.asked.length === 1)
  await disconnected()
  answer()
  await room.reaches(id, 'UNCONFIRMED')
  room.clock.advance({ seconds: 46 })
  await until(async () => (await room.row(id)).step === null)
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED', failure: { class: 'unknown' } })
})
