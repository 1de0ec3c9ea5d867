import type { Reason } from '#contract/failures/catalog.ts'
import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { takeOffLane } from './lane.ts'
import { storedNotifications } from '../testing/notifications.ts'

/* What each step does with each answer, on a platform whose answers the test writes. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const reason: Reason = { ...saying('A reason.', 'An advice.'), platformCode: 'code-1' }
/** Something that the test ends when it's ready. */
function gate(): { wait: Promise<void>; open: () => void } {
  let open = () => {}
  const wait = new Promise<void>((resolve) => (open = resolve))
  return { wait, open }
}

test('prepares a post ahead of its time, and sends it on time with the result', async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 10, text: 'picture', needsPrepare: true }])
  room.clock.advance({ minutes: 8 })
  await until(async () => (await room.row(id)).step === 'send')
  expect(await room.row(id)).toMatchObject({
    state: 'SCHEDULED',
    progress: { prepared: true },
    step_at: room.inMinutes(2),
  })
  expect(platform.asked).toEqual(['prepare picture'])
  room.clock.advance({ minutes: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.asked).toEqual(['prepare picture', 'send picture', 'readback picture'])
})

test('rejects the preparation of a post that was unscheduled in the meantime', async () => {
  const { wait, open } = gate()
  const platform = scriptedPlatform({
    prepare: async () => (await wait, { kind: 'prepared', progress: { prepared: true } }),
  })
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'edited', needsPrepare: true }])
  await until(() => platform.asked.length === 1)
  expect(
    await asTenant(room.database.databases.web, room.house.orgId, (tx) => takeOffLane(tx, room.house.orgId, id)),
  ).toBe(true)
  open()
  await room.stopAll()
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', step: null, step_at: null, progress: {} })
})

test('does not let a post be unscheduled while it is being sent', async () => {
  const { wait, open } = gate()
  const platform = scriptedPlatform({ send: async () => (await wait, { kind: 'sent', remoteId: 'r', progress: {} }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'being sent')
  await until(() => platform.asked.length === 1)
  expect(
    await asTenant(room.database.databases.web, room.house.orgId, (tx) => takeOffLane(tx, room.house.orgId, id)),
  ).toBe(false)
  open()
  await room.reaches(id, 'PUBLISHED')
})

test('limits how many posts are prepared at once, without delaying sends of the same channel', async () => {
  const { wait, open } = gate()
  const platform = scriptedPlatform({ prepare: async () => (await wait, { kind: 'prepared', progress: {} }) })
  await room.start({ platforms: [platform], options: { transfers: 2 } })
  const others = await Promise.all([1, 2, 3, 4].map(() => room.moreChannels()))
  const prepared = await room.posts(
    others.map((channel, i) => ({ minutes: 1, text: `slow ${i}`, needsPrepare: true, channelId: channel.channelId })),
  )
  await until(() => platform.asked.length === 2)
  const sent = await room.posts(
    others.map((channel, i) => ({ minutes: 0, text: `quick ${i}`, channelId: channel.channelId })),
  )
  for (const id of sent) await room.reaches(id, 'PUBLISHED')
  expect(platform.asked.filter((line) => line.startsWith('prepare'))).toHaveLength(2)
  open()
  room.clock.advance({ minutes: 2 })
  for (const id of prepared) await room.reaches(id, 'PUBLISHED')
})

test('asks a platform that is processing a post again at the time it names, without using a slot', async () => {
  let looks = 0
  const platform = scriptedPlatform({
    send: async () => ({ kind: 'processing', progress: { container: 7 }, checkAfterSeconds: 30 }),
    poll: async (_reach, _secret, _account, post) =>
      (looks += 1) < 3
        ? { kind: 'processing', progress: post.progress, checkAfterSeconds: 30 }
        : { kind: 'sent', remoteId: 'remote', progress: post.progress },
  })
  const publishing = await room.start({ platforms: [platform] })
  const id = await room.post(0, 'video')
  for (const look of [1, 2, 3]) {
    await until(
      async () => (await room.row(id)).step === 'poll' && looks === look - 1 && publishing.stats().inFlight === 0,
    )
    expect(await room.row(id)).toMatchObject({ state: 'PROCESSING', progress: { container: 7 } })
    room.clock.advance({ seconds: 30 })
  }
  await room.reaches(id, 'PUBLISHED')
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'confirmed'])
})

test('looks up a lost answer after the lease if the key does not prevent duplicates, and believes absence only twice', async () => {
  let lost = true
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) => {
      if (!lost) return { kind: 'sent', remoteId: 'remote', progress: post.progress }
      lost = false
      return { kind: 'unknown', reason }
    },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'unsure')
  await until(async () => (await room.row(id)).state === 'UNCONFIRMED')
  const settlesAt = (await room.row(id)).step_at
  // the lease is the adapter's 30 s plus ten, then the margin for clock differences
  expect(settlesAt).toEqual(new Date('2026-11-21T12:00:45.000Z'))
  room.clock.set(new Date('2026-11-21T12:00:45.000Z'))
  await until(async () => (await room.row(id)).absent_at !== null)
  expect(await room.row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    step: 'reconcile',
    step_at: new Date('2026-11-21T12:01:45.000Z'),
  })
  expect(platform.asked).toEqual(['send unsure', 'settle unsure'])
  room.clock.advance({ seconds: 60 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.asked).toEqual(['send unsure', 'settle unsure', 'settle unsure', 'send unsure', 'readback unsure'])
  expect(await room.timeline(id)).toEqual(['due', 'unconfirmed', 'settled', 'sent', 'confirmed'])
})

test('leaves a post that stays unconfirmed for a day to a person', async () => {
  const platform = scriptedPlatform({
    send: async () => ({ kind: 'unknown', reason }),
    reconcile: async () => ({ kind: 'retry', reason }),
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'silent platform')
  await room.reaches(id, 'UNCONFIRMED')
  await room.passesUntil(async () => (await room.row(id)).step === null)
  // most tries are an hour apart, with 10% jitter
  const { due_at: dueAt } = await room.row(id)
  expect(room.clock.now().getTime() - new Date(String(dueAt)).getTime()).toBeGreaterThan(24 * 3_600_000)
  expect(await room.row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    failure: { class: 'unknown', code: 'unresolved' },
  })
  const { rows } = await room.database.owner.query('select kind from notice')
  expect(rows).toEqual([{ kind: 'post-unconfirmed' }])
})

test("leaves a post that the platform will never show to a person at the first lookup, with the platform's reason", async () => {
  const platform = scriptedPlatform({
    send: async () => ({ kind: 'unknown', reason }),
    reconcile: async () => ({ kind: 'rejected', reason }),
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'closed')
  await room.reaches(id, 'UNCONFIRMED')
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(platform.asked).toEqual(['send closed', 'settle closed'])
  expect((await room.row(id)).failure).toMatchObject({
    class: 'unknown',
    code: 'unresolved',
    params: { because: reason },
    platformCode: 'code-1',
  })
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { kind: 'post-unconfirmed', body: expect.stringContaining('A reason. An advice.') },
  ])
})

test('never fails an acknowledged post because it could not be read back', async () => {
  const platform = scriptedPlatform({ readBack: async () => ({ kind: 'retry', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'acknowledged')
  await room.passesUntil(async () => (await room.row(id)).state === 'PUBLISHED')
  expect(await room.row(id)).toMatchObject({
    permalink: null,
    warning: [{ code: 'unread' }],
    failure: null,
  })
  expect(platform.asked.filter((line) => line.startsWith('send'))).toHaveLength(1)
})

test('neither sends again nor hides a published post if the sign-in ends just after sending', async () => {
  for (const refusal of [{ kind: 'reconnect', reason } as const, { kind: 'retry', first: 'renew', reason } as const]) {
    await room.database.owner.query("update channel set status = 'CONNECTED'")
    const platform = scriptedPlatform({ readBack: async () => refusal })
    const publishing = await room.start({ platforms: [platform] })
    const id = await room.post(0, refusal.kind)
    await room.reaches(id, 'PUBLISHED')
    expect(platform.there).toHaveLength(1)
    expect(await room.row(id)).toMatchObject({
      warning: [{ code: 'unread', params: { because: { params: { sentence: 'A reason.' } } } }],
      failure: null,
    })
    expect((await room.database.owner.query('select status from channel')).rows).toEqual([{ status: 'TOKEN_EXPIRED' }])
    await publishing.stop({ drain: 1000 })
  }
})

test('resolves an unconfirmed post even if its channel is signed out in the meantime', async () => {
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) => {
      platform.there.push({ key: post.sendKey, text: 'landed' })
      return { kind: 'unknown', reason }
    },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'landed')
  await room.reaches(id, 'UNCONFIRMED')
  await room.database.owner.query("update channel set status = 'TOKEN_EXPIRED'")
  room.clock.advance({ seconds: 46 })
  await room.reaches(id, 'PUBLISHED')
})

test('delays a post while the media store is unavailable, without making it unconfirmed', async () => {
  let away = true
  const media = async () => {
    if (away) throw new Error('the store is away')
    return new Map()
  }
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform], media })
  const id = await room.post(1, 'with a file')
  await room.database.owner.query(
    `update post set contents = '[{"text":"with a file","media":[{"assetId":"01a1fb9e-4977-7e1a-86b1-3a6e6fb5d0e9"}]}]'`,
  )
  room.clock.advance({ minutes: 1 })
  await until(
    async () =>
      (await room.row(id)).state === 'SCHEDULED' &&
      (await room.database.owner.query('select 1 from attempt where finished_at is not null')).rowCount === 1,
  )
  expect(platform.asked).toEqual([])
  away = false
  room.clock.advance({ seconds: 5 })
  // the file doesn't exist at all: a person attaches it again
  await room.reaches(id, 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({ class: 'permanent', code: 'file-missing' })
})

test('treats a post as possibly sent if the adapter throws while sending it', async () => {
  const platform = scriptedPlatform({
    send: async () => {
      throw new Error('a bug')
    },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'bug')
  await room.reaches(id, 'UNCONFIRMED')
})

test('prepares a post again if its upload is gone', async () => {
  let gone = true
  const platform = scriptedPlatform({
    send: async () => {
      if (!gone) return { kind: 'sent', remoteId: 'remote', progress: {} }
      gone = false
      return { kind: 'retry', first: 'prepare', afterSeconds: 1, reason }
    },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'again')
  await until(async () => (await room.row(id)).step === 'prepare')
  room.clock.advance({ seconds: 1 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.asked).toEqual(['send again', 'prepare again', 'send again', 'readback again'])
})

test('retries temporary failures until the lateness limit, then says what was wrong', async () => {
  const platform = scriptedPlatform({ send: async () => ({ kind: 'retry', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'troubled')
  await room.passesUntil(async () => (await room.row(id)).state === 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({
    class: 'late',
    code: 'too-late',
    params: { minutes: 60, because: { params: { sentence: 'A reason.' } } },
    action: 'reschedule',
    platformCode: 'code-1',
  })
})

test('never exceeds the rate limit of shared credentials, whichever node claims', async () => {
  const platform = scriptedPlatform({
    budgets: [{ name: 'app', per: 'credentials', windowSeconds: 600, tokens: 10, cost: { send: 3 } }],
  })
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  const channels = await Promise.all(Array.from({ length: 8 }, () => room.moreChannels()))
  await room.posts(channels.map((channel, i) => ({ minutes: 0, text: `post ${i}`, channelId: channel.channelId })))
  await until(
    async () => (await room.database.owner.query("select 1 from post where state = 'PUBLISHED'")).rowCount === 3,
  )
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.clock.now()])).rowCount === 5,
  )
  expect(platform.there).toHaveLength(3)
  // a lane whose post is locked, as while its people are notified, is checked again 250 ms later: the clock has to
  // advance
  room.clock.advance({ minutes: 10 })
  await room.passesUntil(async () => platform.there.length >= 6)
  expect(platform.there).toHaveLength(6)
  room.clock.advance({ minutes: 10 })
  await room.passesUntil(async () => platform.there.length >= 8)
  expect(platform.there).toHaveLength(8)
})

test('claims each post once with two nodes', async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  const channels = await Promise.all(Array.from({ length: 10 }, () => room.moreChannels()))
  const ids = await room.posts(
    Array.from({ length: 100 }, (_, i) => ({
      minutes: 0,
      text: `post ${i}`,
      channelId: channels[i % 10]?.channelId ?? '',
    })),
  )
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect(platform.there).toHaveLength(100)
  expect(new Set(platform.there.map(({ text }) => text)).size).toBe(100)
})

test('limits a platform to its share of the slots', async () => {
  const { wait, open } = gate()
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) => (
      await wait,
      { kind: 'sent', remoteId: 'r', progress: post.progress }
    ),
  })
  const publishing = await room.start({ platforms: [platform], options: { slots: 10, platformShare: 0.4 } })
  const channels = await Promise.all(Array.from({ length: 8 }, () => room.moreChannels()))
  const ids = await room.posts(
    channels.map((channel, i) => ({ minutes: 0, text: `post ${i}`, channelId: channel.channelId })),
  )
  // claimed at once, and called one after the other
  await until(() => platform.asked.length === 4)
  expect(publishing.stats().inFlight).toBe(4)
  open()
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
})

test('asks a platform that is processing an upload again, with the saved progress, and publishes the post when it is done', async () => {
  const platform = scriptedPlatform({
    prepare: async (_reach, _secret, _account, post) =>
      post.progress.container === 7
        ? { kind: 'prepared', progress: { ...post.progress, ready: true } }
        : { kind: 'preparing', progress: { container: 7 }, checkAfterSeconds: 20 },
  })
  const publishing = await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 10, text: 'video', needsPrepare: true }])
  room.clock.advance({ minutes: 8 })
  await until(
    async () =>
      publishing.stats().inFlight === 0 && JSON.stringify((await room.row(id)).progress) === '{"container":7}',
  )
  // no slot is used in the meantime, and nobody was notified of a failure
  expect(await room.row(id)).toMatchObject({
    state: 'SCHEDULED',
    step: 'prepare',
    failure: null,
    step_at: new Date(room.clock.now().getTime() + 20_000),
  })
  room.clock.advance({ seconds: 20 })
  await until(async () => (await room.row(id)).step === 'send')
  expect((await room.row(id)).progress).toEqual({ container: 7, ready: true })
  room.clock.advance({ minutes: 2 })
  await room.reaches(id, 'PUBLISHED')
  expect(platform.asked).toEqual(['prepare video', 'prepare video', 'send video', 'readback video'])
})

test('ends a preparation that never finishes at the lateness limit', async () => {
  const platform = scriptedPlatform({
    prepare: async (_reach, _secret, _account, post) => ({
      kind: 'preparing',
      progress: post.progress,
      checkAfterSeconds: 7200,
    }),
  })
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'forever', needsPrepare: true }])
  // whatever wait it names, it's checked again within the hour and at the limit
  const limit = room.inMinutes(60).getTime() + 1000
  await until(
    async () =>
      platform.asked.length === 1 && Number((await room.row(id)).step_at) > room.clock.now().getTime() + 60_000,
  )
  expect(Number((await room.row(id)).step_at)).toBeLessThanOrEqual(limit)
  room.clock.set(new Date(limit))
  await room.reaches(id, 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({ class: 'late' })
  expect(platform.there).toEqual([])
})

test('says that the platform was still processing a post that became late, whatever delayed it before', async () => {
  let looks = 0
  const platform = scriptedPlatform({
    prepare: async (_reach, _secret, _account, post) =>
      (looks += 1) === 1
        ? { kind: 'retry', reason }
        : { kind: 'preparing', progress: post.progress, checkAfterSeconds: 60 },
  })
  await room.database.owner.query('update channel set lateness_minutes = 5')
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'video', needsPrepare: true }])
  await room.passesUntil(async () => (await room.row(id)).state === 'FAILED')
  expect(looks).toBeGreaterThan(2)
  expect((await room.row(id)).failure).toMatchObject({
    class: 'late',
    code: 'too-late',
    params: { minutes: 5, because: { code: 'still-preparing' } },
  })
  // until then nobody was notified of a failure
  expect(await storedNotifications(room.database.owner)).toMatchObject([
    { title: "A post on Bluesky wasn't published" },
  ])
})

test('passes the progress of a preparation to the next node when one dies', async () => {
  let made = 0
  const platform = scriptedPlatform({
    prepare: async (_reach, _secret, _account, post) => {
      if (post.progress.container === undefined)
        return { kind: 'preparing', progress: { container: (made += 1) }, checkAfterSeconds: 20 }
      return { kind: 'prepared', progress: post.progress }
    },
  })
  const { wait, open } = gate()
  const stuck = {
    ...platform,
    publish: {
      ...platform.publish,
      prepare: async (...args: Parameters<typeof platform.publish.prepare>) =>
        args[3].progress.container === undefined
          ? await platform.publish.prepare(...args)
          : (await wait, await platform.publish.prepare(...args)),
    },
  }
  const dead = await room.start({ platforms: [stuck], options: { slots: 1, platformShare: 1 } })
  const [id = ''] = await room.posts([{ minutes: 1, text: 'video', needsPrepare: true }])
  await until(async () => JSON.stringify((await room.row(id)).progress) === '{"container":1}')
  room.clock.advance({ seconds: 20 })
  await until(() => dead.stats().inFlight === 1)
  await room.start({ platforms: [platform], options: { heartbeat: 40, rescueAfter: 12_000, rescueEvery: 20 } })
  await until(async () => {
    room.clock.advance({ ms: 250 })
    return (await room.row(id)).state === 'PUBLISHED'
  })
  open()
  expect(made).toBe(1)
  expect(platform.there).toHaveLength(1)
})

test('stops all channels and nodes with shared credentials when a platform answers that there were too many calls', async () => {
  let limited = true
  const platform = scriptedPlatform({
    budgets: [{ name: 'app', per: 'credentials', windowSeconds: 600, tokens: 1000, cost: { send: 1 } }],
    send: async (_reach, _secret, _account, post) => {
      if (limited) return { kind: 'retry', afterSeconds: 120, closesBudget: true, reason }
      return { kind: 'sent', remoteId: post.sendKey, progress: {} }
    },
  })
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  const first = await room.post(0, 'first')
  await until(
    async () =>
      (await room.database.owner.query('select 1 from budget where closed_until > $1', [room.clock.now()])).rowCount ===
      1,
  )
  limited = false
  const others = await Promise.all([1, 2, 3, 4].map(() => room.moreChannels()))
  const ids = await room.posts(
    others.map((channel, i) => ({ minutes: 0, text: `other ${i}`, channelId: channel.channelId })),
  )
  // each lane knows how long to sleep; nobody called the platform
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.clock.now()])).rowCount === 5,
  )
  expect(platform.asked).toEqual(['send first'])
  room.clock.advance({ seconds: 121 })
  for (const id of [first, ...ids]) await room.reaches(id, 'PUBLISHED')
})

/** As platforms without keys of ours refuse a text that they have already. */
const asDuplicate = { kind: 'rejected', reason, isDuplicate: true } as const

test('never fails what the platform refuses as a repeat after a lost answer: it looks again, then a person does', async () => {
  let sends = 0
  const platform = scriptedPlatform({
    send: async () => ((sends += 1) === 1 ? { kind: 'unknown', reason } : asDuplicate),
    // the platform's list never shows it
    reconcile: async () => ({ kind: 'absent' }),
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'there')
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(await room.row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    failure: { class: 'unknown', code: 'unresolved', params: { because: { code: 'refused-as-repeat' } } },
  })
  const looks = ['settle there', 'settle there']
  expect(platform.asked).toEqual(['send there', ...looks, 'send there', ...looks])
  expect(await storedNotifications(room.database.owner)).toMatchObject([{ kind: 'post-unconfirmed' }])
})

test('publishes what the platform refuses as a repeat once its list shows it', async () => {
  let sends = 0
  let looks = 0
  const platform = scriptedPlatform({
    send: async () => ((sends += 1) === 1 ? { kind: 'unknown', reason } : asDuplicate),
    reconcile: async (_reach, _secret, _account, post) =>
      (looks += 1) < 4 ? { kind: 'absent' } : { kind: 'sent', remoteId: 'late', progress: post.progress },
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'shown late')
  await room.passesUntil(async () => (await room.row(id)).state === 'PUBLISHED')
  expect(await room.row(id)).toMatchObject({ remote_id: 'late', failure: null })
  expect(sends).toBe(2)
})

test('fails what the platform refuses as the same as an earlier post if no attempt of it was lost', async () => {
  const platform = scriptedPlatform({ send: async () => asDuplicate })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'old joke')
  await room.reaches(id, 'FAILED')
  expect(await room.row(id)).toMatchObject({ failure: { class: 'permanent', ...reason } })
  expect(platform.asked).toEqual(['send old joke'])
})

test('leaves a follow-up that is refused as a repeat after a lost answer to a person, too', async () => {
  let sends = 0
  const platform = scriptedPlatform({
    sendFollowUp: async () => ((sends += 1) === 1 ? { kind: 'unknown', reason } : asDuplicate),
    reconcileFollowUp: async () => ({ kind: 'absent' }),
  })
  await room.start({ platforms: [platform] })
  const [id = ''] = await room.posts([{ minutes: 0, text: 'up', firstComment: 'more' }])
  await room.reaches(id, 'PUBLISHED')
  const parts = async () =>
    (await room.database.owner.query("select state, step from delivery where subject = 'follow-up'")).rows
  await room.passesUntil(async () => (await parts()).every(({ step }) => step === null))
  expect(await parts()).toEqual([{ state: 'unsure', step: null }])
  expect(sends).toBe(2)
})
