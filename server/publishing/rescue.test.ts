import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Databases } from '../db/pools.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
// some sends here never end
afterEach(() => room.stopAll(50))

/** Takes one post and then nothing more. */
const alone = { slots: 1, platformShare: 1 }
/** Checks the others often; its rescue takes as long on the clock as in production. */
const watchful = { heartbeat: 40, rescueAfter: 12_000, rescueEvery: 20 }

test("takes over a dead worker's post within 15 seconds, and rejects its late answers", async () => {
  let answer = () => {}
  const platform = scriptedPlatform()
  const send = platform.publish.send
  const stuck = {
    ...platform,
    publish: {
      ...platform.publish,
      send: async (...args: Parameters<typeof send>) => {
        const result = await send(...args)
        await new Promise<void>((resolve) => (answer = resolve))
        return result
      },
    },
  }
  // it never sends another heartbeat
  const dead = await room.start({ platforms: [stuck], options: alone })
  const id = await room.post(0, 'half sent')
  await until(() => platform.there.length === 1)
  const began = room.clock.now().getTime()
  await room.start({ platforms: [platform], options: watchful })
  await until(async () => {
    room.clock.advance({ ms: 100 })
    return (await room.row(id)).state === 'UNCONFIRMED'
  })
  expect(room.clock.now().getTime() - began).toBeLessThanOrEqual(15_000)
  // reconciled only once the lost request has surely ended
  expect((await room.row(id)).step_at).toEqual(new Date(began + 45_000))
  answer()
  await until(() => dead.stats().inFlight === 0)
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED', remote_id: null })
  room.clock.advance({ seconds: 45 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.there).toHaveLength(1)
  expect(await room.timeline(id)).toEqual(['due', 'unconfirmed', 'settled', 'confirmed'])
})

test('continues with other posts of the channel once a dead worker is noticed', async () => {
  const platform = scriptedPlatform()
  const stuck = { ...platform, publish: { ...platform.publish, send: () => new Promise<never>(() => {}) } }
  const dead = await room.start({ platforms: [stuck], options: alone })
  await room.post(0, 'stuck')
  await until(() => dead.stats().inFlight === 1)
  const next = await room.post(0, 'next')
  await room.start({ platforms: [platform], options: watchful })
  await until(async () => {
    room.clock.advance({ ms: 100 })
    return (await room.row(next)).state === 'PUBLISHED'
  })
  expect(room.clock.now().getTime()).toBeLessThanOrEqual(new Date('2026-11-21T12:00:20Z').getTime())
})

test('takes over from a dead predecessor at startup and sends immediately if it is the only node', async () => {
  const platform = scriptedPlatform()
  const stuck = { ...platform, publish: { ...platform.publish, send: () => new Promise<never>(() => {}) } }
  const dead = await room.start({ platforms: [stuck], options: alone })
  const id = await room.post(0, 'stuck')
  await until(() => dead.stats().inFlight === 1)
  const next = await room.post(0, 'next')
  const began = room.clock.now()
  // nodes that share a database don't know about each other's death: nothing happens before the rescue
  const sharing = await room.start({ platforms: [platform], options: watchful })
  expect(sharing.stats().rescued).toBe(0)
  await sharing.stop({ drain: 0 })
  await room.start({ platforms: [platform], alone: true })
  await room.reaches(next, 'PUBLISHED')
  expect(await room.row(id)).toMatchObject({ state: 'UNCONFIRMED' })
  expect(platform.asked).not.toContain('send stuck')
  expect(room.clock.now().getTime() - began.getTime()).toBeLessThan(3000)
})

test('looks a post up, instead of sending it, after a lease that ended without a rescue', async () => {
  const platform = scriptedPlatform()
  const stuck = { ...platform, publish: { ...platform.publish, send: () => new Promise<never>(() => {}) } }
  const first = await room.start({ platforms: [stuck], options: alone })
  const id = await room.post(0, 'unsent')
  await until(() => first.stats().inFlight === 1)
  await room.start({ platforms: [platform] })
  room.clock.advance({ seconds: 46 })
  await until(async () => (await room.row(id)).absent_at !== null)
  expect(platform.asked.filter((line) => line.startsWith('send'))).toEqual([])
  room.clock.advance({ seconds: 61 })
  await room.reaches(id, 'PUBLISHED')
})

test('returns a claim whose answer was lost, and sends it without a lookup', async () => {
  const platform = scriptedPlatform()
  let losses = 1
  await room.start({
    platforms: [platform],
    databases: { ...room.database.databases, publishing: losingAnswers(room.database.databases, () => losses-- > 0) },
  })
  const id = await room.post(0, 'claimed twice')
  await until(async () => {
    room.clock.advance({ ms: 20 })
    return (await room.row(id)).state === 'PUBLISHED'
  })
  expect(platform.asked).toEqual(['send claimed twice', 'readback claimed twice'])
  const { rows } = await room.database.owner.query<{ outcome: string }>(
    'select outcome from attempt order by started_at, id',
  )
  expect(rows.map((row) => row.outcome)).toEqual(['not begun', 'published'])
})

test('never sends an acknowledged post again, whatever fails while it is read back', async () => {
  let [breaks, losses] = [true, 0]
  const platform = scriptedPlatform({
    readBack: async (_reach, _secret, _account, post) =>
      post.contents[0]?.text === 'acknowledged'
        ? { kind: 'retry', first: 'renew', reason: saying('Expired.') }
        : { kind: 'live', permalink: 'https://platform.test/other' },
  })
  const broken = breaking(
    losingAnswers(room.database.databases, () => losses-- > 0),
    (text) => breaks && text.includes('refresh_tries + 1'),
  )
  const publishing = await room.start({
    platforms: [platform],
    databases: { ...room.database.databases, publishing: broken },
  })
  const id = await room.post(0, 'acknowledged')
  await until(async () => (await room.row(id)).sent_at !== null && publishing.stats().inFlight === 0)
  expect(await room.row(id)).toMatchObject({ state: 'PROCESSING', step: 'readback' })
  losses = 1
  const other = await room.post(0, 'claimed, and nobody heard of it')
  await room.reaches(other, 'PUBLISHED')
  breaks = false
  await until(async () => {
    room.clock.advance({ seconds: 1 })
    return (await room.row(id)).state === 'PUBLISHED'
  })
  expect(platform.asked.filter((line) => line === 'send acknowledged')).toHaveLength(1)
})

test('looks up an attempt that failed in our own code, instead of treating it as never begun', async () => {
  let losses = 0
  const platform = scriptedPlatform()
  const { send } = platform.publish
  // an adapter that breaks its own contract: sent, and then an answer without a reason
  const careless = {
    ...platform,
    publish: {
      ...platform.publish,
      send: async (...args: Parameters<typeof send>) => {
        const result = await send(...args)
        return args[3].contents[0]?.text === 'half answered' ? ({ kind: 'unknown' } as never) : result
      },
    },
  }
  const publishing = await room.start({
    platforms: [careless],
    databases: { ...room.database.databases, publishing: losingAnswers(room.database.databases, () => losses-- > 0) },
  })
  const id = await room.post(0, 'half answered')
  await until(() => platform.there.length === 1 && publishing.stats().inFlight === 0)
  losses = 1
  const { channelId } = await room.moreChannels()
  const [other = ''] = await room.posts([{ minutes: 0, text: 'nobody heard of it', channelId }])
  await room.reaches(other, 'PUBLISHED')
  expect(await room.row(id)).toMatchObject({ state: 'PROCESSING', step: 'reconcile' })
  room.clock.advance({ seconds: 46 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.there.map(({ text }) => text).toSorted()).toEqual(['half answered', 'nobody heard of it'])
})

test('returns only claims that nobody changed since', async () => {
  const platform = scriptedPlatform({ readBack: () => new Promise<never>(() => {}) })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'acknowledged')
  await until(async () => (await room.row(id)).step === 'readback')
  const before = await room.row(id)
  await room.database.owner.query('select take_back($1, $2, $3, true, $4)', [
    room.clock.now(),
    publishing.nodeId,
    [],
    [],
  ])
  expect(await room.row(id)).toEqual(before)
})

/** The pool, with statements that fail. */
function breaking(inner: Databases['publishing'], fails: (text: string) => boolean): Databases['publishing'] {
  return new Proxy(inner, {
    get(pool, name) {
      if (name !== 'query') return Reflect.get(pool, name) as unknown
      return async (query: { text?: string }, values?: unknown[]) => {
        if (fails(query.text ?? '')) throw new Error('Connection terminated unexpectedly')
        // passed on unchanged
        return (await pool.query(query as never, values as never)) as unknown
      }
    },
  })
}

/** The pool, with the connection lost just after a claim has committed. */
function losingAnswers({ publishing }: Databases, loses: () => boolean): Databases['publishing'] {
  return new Proxy(publishing, {
    get(pool, name) {
      if (name !== 'query') return Reflect.get(pool, name) as unknown
      return async (query: { text?: string }, values?: unknown[]) => {
        // passed on unchanged
        const answer: unknown = await pool.query(query as never, values as never)
        if (query.text?.includes('claim_deliveries') && (answer as { rows: unknown[] }).rows.length > 0 && loses())
          throw new Error('Connection terminated unexpectedly')
        return answer
      }
    },
  })
}
