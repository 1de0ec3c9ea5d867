import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { disconnect } from '../channels/delete.ts'
import { asTenant } from '../db/tenant.ts'
import type { Platform, Reason } from '../platforms/platform.ts'
import { PublishingRoom } from '../testing/publishingRoom.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'

/* What is with the platform when its channel is signed out or disconnected: told, and never left on its way for ever. */

let room: PublishingRoom
beforeAll(async () => {
  room = await PublishingRoom.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

const reason: Reason = { text: 'A reason.', advice: 'An advice.' }
const processing: Platform['publish']['send'] = async (_reach, _secret, _account, post) => ({ kind: 'processing', progress: post.progress, checkAfterSeconds: 30 })

const disconnected = () =>
  asTenant(room.database.databases.web, room.house.orgId, async (tx) => {
    const channel = await tx.selectFrom('channel').selectAll().where('id', '=', room.channel.channelId).executeTakeFirstOrThrow()
    return await disconnect(tx, channel, room.house.personId, room.clock.now())
  })

test('a post that was acknowledged is published, with a warning, when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ readBack: async () => ({ kind: 'retry', afterSeconds: 600, reason }) })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'acknowledged')
  await until(async () => (await room.row(id)).step === 'readback' && publishing.stats().inFlight === 0)
  expect(await disconnected()).toEqual([])
  expect(await room.row(id)).toMatchObject({ state: 'PUBLISHED', step: null, step_at: null, warning: expect.stringContaining('disconnected'), failure: null, published_at: room.clock.now() })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'confirmed'])
})

test('what the machine reads at that moment comes too late, and gives its lane back', async () => {
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
  expect(await room.row(id)).toMatchObject({ state: 'PUBLISHED', permalink: null, warning: expect.stringContaining('disconnected') })
  expect((await room.database.owner.query('select lease_id from lane')).rows).toEqual([{ lease_id: null }])
})

test('a post that the platform works on is given to a person when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ send: processing, poll: processing })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'video')
  await until(async () => (await room.row(id)).step === 'poll' && publishing.stats().inFlight === 0)
  await disconnected()
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED', step: null, step_at: null, failure: { class: 'unknown' } })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'unconfirmed'])
})

test('a doubt keeps its words when its channel is disconnected', async () => {
  const platform = scriptedPlatform({ send: async () => ({ kind: 'unknown', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'in doubt')
  await room.reaches(id, 'UNCONFIRMED')
  await disconnected()
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED', step: null, failure: { class: 'unknown' } })
})

test('a post that the platform works on is given to a person when its channel is signed out', async () => {
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

test('a send that is lost after its channel was disconnected is given to a person at its first reading', async () => {
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
