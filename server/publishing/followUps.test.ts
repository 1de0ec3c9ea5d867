import type { Reason } from '#contract/failures/catalog.ts'
import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { disconnect } from '../channels/delete.ts'
import { asTenant } from '../db/tenant.ts'
import type { Publish } from '../platforms/platform.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { resolveFollowUp, resumeFollowUps } from './followUps.ts'

/* Follow-ups: a thread's items and its first comment. Each is sent once, in order, with its own outcome. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll(50))

type SendPart = NonNullable<Publish['sendFollowUp']>
const reason: Reason = { ...saying('A reason.', 'An advice.'), platformCode: 'code-1' }
const thread = { text: 'one', minutes: 0, thread: ['two', 'three'], firstComment: 'comment' }

async function posted(more: Partial<typeof thread> = {}): Promise<string> {
  const [id = ''] = await room.posts([{ ...thread, ...more }])
  return id
}
type Row = { key: string; state: string; remote_id: string | null; reason: string | null; progress: unknown }
async function parts(id: string): Promise<Row[]> {
  return (
    await room.database.owner.query<Row>(
      "select key, state, remote_id, failure as reason, progress from delivery where subject_id = $1 and subject = 'follow-up' order by place",
      [id],
    )
  ).rows
}
const states = async (id: string) => (await parts(id)).map(({ state }) => state)
const inTenant = <T>(work: Parameters<typeof asTenant<T>>[2]) =>
  asTenant(room.database.databases.web, room.house.orgId, work)
const about = (id: string) => ({ orgId: room.house.orgId, postId: id })
const isReconciling = async (id: string) => {
  const { subject, step } = await room.row(id)
  return subject === 'follow-up' && step === 'reconcile'
}
/** Waits until no follow-ups remain. */
const followed = (id: string) =>
  until(async () => {
    room.clock.advance({ ms: 5 })
    const { state, step } = await room.row(id)
    return state === 'PUBLISHED' && step === null
  })

test('publishes the items of a thread and its first comment one after the other, each under its own key', async () => {
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const id = await posted()
  await followed(id)
  expect(platform.asked).toEqual(['send one', 'readback one', 'part two', 'part three', 'part comment'])
  const key = String((await room.row(id)).send_key)
  expect(platform.there).toEqual([
    { key, text: 'one' },
    { key: `${key}/item 1`, text: 'two', after: [`remote ${key}`] },
    { key: `${key}/item 2`, text: 'three', after: [`remote ${key}`, `remote ${key}/item 1`] },
    {
      key: `${key}/comment`,
      text: 'comment',
      after: [`remote ${key}`, `remote ${key}/item 1`, `remote ${key}/item 2`],
    },
  ])
  expect(await states(id)).toEqual(['sent', 'sent', 'sent'])
  expect(await room.row(id)).toMatchObject({ warning: null, failure: null, step: null })
  expect(await room.timeline(id)).toEqual(['due', 'sent', 'confirmed', 'sent', 'sent', 'sent'])
  expect((await room.timelineNotes(id)).slice(2)).toEqual([null, 'Thread item 2', 'Thread item 3', 'First comment'])
  const attempts = await room.database.owner.query(
    "select key as part, send_key, outcome from attempt where subject_id = $1 and subject = 'follow-up' order by id",
    [id],
  )
  expect(attempts.rows).toEqual(
    ['item 1', 'item 2', 'comment'].map((part) => ({ part, send_key: `${key}/${part}`, outcome: 'sent' })),
  )
})

test('shows the post as live once it was read back, before its follow-ups are published', async () => {
  const platform = scriptedPlatform({ sendFollowUp: () => new Promise<never>(() => {}) })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await until(() => platform.asked.includes('part two'))
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    subject: 'follow-up',
    key: 'item 1',
    step: 'reconcile',
    permalink: expect.any(String),
  })
})

test('publishes a post even if its adapter fails to list the follow-ups', async () => {
  const platform = scriptedPlatform({
    followUps: () => {
      throw new Error('a bug')
    },
  })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await followed(id)
  expect(platform.there.map(({ text }) => text)).toEqual(['one'])
  expect(await room.row(id)).toMatchObject({ state: 'PUBLISHED', warning: null, failure: null })
  expect(platform.asked.filter((line) => line.startsWith('settle'))).toEqual([])
})

test('keeps the post live, with a warning and one notification, if its first comment is rejected', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async (_reach, _secret, _account, _post, part) =>
      part.kind === 'comment' ? { kind: 'rejected', reason } : { kind: 'sent', remoteId: part.key, progress: {} },
  })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await followed(id)
  expect(await room.row(id)).toMatchObject({
    warning: [{ code: 'follow-up-failed', params: { followUp: { kind: 'comment' }, because: reason } }],
    failure: null,
  })
  expect(await states(id)).toEqual(['sent', 'sent', 'failed'])
  const { rows } = await room.database.owner.query('select kind, dedupe_key from notice')
  expect(rows).toEqual([{ kind: 'follow-up-failed', dedupe_key: `post:${id}:parts` }])
})

test('publishes no item of a thread before the one it replies to', async () => {
  const platform = scriptedPlatform({ sendFollowUp: async () => ({ kind: 'rejected', reason }) })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await followed(id)
  expect(platform.asked.filter((line) => line.startsWith('part'))).toEqual(['part two'])
  expect(await states(id)).toEqual(['failed', 'waiting', 'waiting'])
  expect((await room.row(id)).warning).toMatchObject([
    { code: 'follow-up-failed', params: { followUp: { kind: 'item', item: 1 }, because: reason } },
  ])
})

test('looks up a follow-up whose answer was lost after the lease, and sends it again under the same key once it was absent twice', async () => {
  let lost = true
  const platform = scriptedPlatform()
  const sendFollowUp: SendPart = async (...args) => {
    if (!lost || args[4].key !== 'item 1')
      return await (platform.publish.sendFollowUp?.(...args) ?? Promise.reject(new Error('no parts')))
    lost = false
    return { kind: 'unknown', reason }
  }
  await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, sendFollowUp } }] })
  const id = await posted()
  await until(async () => (await isReconciling(id)) && !lost && (await parts(id))[0]?.reason !== null)
  const since = room.clock.now()
  expect((await room.row(id)).step_at).toEqual(new Date(since.getTime() + 45_000))
  expect((await room.row(id)).state).toBe('PUBLISHED')
  room.clock.advance({ seconds: 45 })
  await until(async () => (await room.row(id)).absent_at !== null)
  expect(platform.there).toHaveLength(1)
  room.clock.advance({ seconds: 60 })
  await followed(id)
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'comment'])
  expect(platform.asked.filter((line) => line.startsWith('settlePart'))).toEqual(['settlePart two', 'settlePart two'])
})

test('finds a follow-up that was published although its answer was lost, and does not send it again', async () => {
  const platform = scriptedPlatform()
  let lost = true
  const sendFollowUp: SendPart = async (...args) => {
    const answer = await (platform.publish.sendFollowUp?.(...args) ?? Promise.reject(new Error('no parts')))
    if (!lost || args[4].key !== 'item 2') return answer
    lost = false
    return { kind: 'unknown', reason }
  }
  await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, sendFollowUp } }] })
  const id = await posted()
  await until(async () => !lost && (await isReconciling(id)))
  await until(async () => (await parts(id))[1]?.reason !== null)
  room.clock.advance({ seconds: 46 })
  await followed(id)
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'comment'])
  expect(await states(id)).toEqual(['sent', 'sent', 'sent'])
})

test('treats a follow-up as possibly sent if the adapter throws while sending it', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async () => {
      throw new Error('a bug')
    },
  })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await until(async () => (await isReconciling(id)) && (await parts(id))[0]?.reason !== null)
  expect(platform.asked.filter((line) => line.startsWith('part'))).toEqual(['part two'])
})

test('warns under the live post and leaves a follow-up to a person if it is unconfirmed for a day', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async () => ({ kind: 'unknown', reason }),
    reconcileFollowUp: async () => ({ kind: 'retry', reason }),
  })
  await room.start({ platforms: [platform] })
  const id = await posted({ thread: [] })
  // sent in time, before the clock moves
  await until(async () => await isReconciling(id))
  await room.passesUntil(async () => (await room.row(id)).state === 'PUBLISHED' && (await room.row(id)).step === null)
  expect(platform.asked.filter((line) => line.startsWith('part'))).toHaveLength(1)
  expect(await states(id)).toEqual(['unsure'])
  expect((await room.row(id)).warning).toMatchObject([
    { code: 'follow-up-failed', params: { followUp: { kind: 'comment' }, because: { code: 'follow-up-unconfirmed' } } },
  ])
  expect((await room.database.owner.query('select kind from notice')).rows).toEqual([{ kind: 'follow-up-unconfirmed' }])
})

test("leaves a follow-up that the platform will never show to a person at the first lookup, with the platform's reason", async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async () => ({ kind: 'unknown', reason }),
    reconcileFollowUp: async () => ({ kind: 'rejected', reason }),
  })
  await room.start({ platforms: [platform] })
  const id = await posted({ thread: [] })
  await until(async () => await isReconciling(id))
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(platform.asked.slice(-2)).toEqual(['part comment', 'settlePart comment'])
  expect(await states(id)).toEqual(['unsure'])
  expect((await room.row(id)).warning).toMatchObject([
    {
      code: 'follow-up-failed',
      params: {
        followUp: { kind: 'comment' },
        because: { code: 'follow-up-unconfirmed', params: { platform: 'Bluesky', because: reason } },
      },
    },
  ])
})

test('leaves a follow-up with a lost answer to a person immediately if the platform offers no lookup', async () => {
  const platform = scriptedPlatform({ sendFollowUp: async () => ({ kind: 'unknown', reason }) })
  const { reconcileFollowUp: _, ...publish } = platform.publish
  await room.start({ platforms: [{ ...platform, publish }] })
  const id = await posted({ thread: [] })
  await followed(id)
  expect(await states(id)).toEqual(['unsure'])
  expect(platform.asked.filter((line) => line.startsWith('part'))).toHaveLength(1)
})

test('asks again about a follow-up in progress, with the saved progress, at the time the platform names', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async (_reach, _secret, _account, _post, part) =>
      part.progress.container === 7
        ? { kind: 'sent', remoteId: 'r', progress: part.progress }
        : { kind: 'preparing', progress: { container: 7 }, checkAfterSeconds: 30 },
  })
  await room.start({ platforms: [platform] })
  const id = await posted({ thread: [] })
  await until(
    async () =>
      (await parts(id))[0]?.progress !== null && JSON.stringify((await parts(id))[0]?.progress) === '{"container":7}',
  )
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    subject: 'follow-up',
    step: 'send',
    step_at: new Date(room.clock.now().getTime() + 30_000),
  })
  room.clock.advance({ seconds: 30 })
  await followed(id)
  expect(platform.asked.filter((line) => line.startsWith('part'))).toHaveLength(2)
})

test('retries temporary failures of follow-ups until the lateness limit, counted from when the post was live', async () => {
  const platform = scriptedPlatform({ sendFollowUp: async () => ({ kind: 'retry', reason }) })
  await room.start({ platforms: [platform] })
  const id = await posted({ thread: [] })
  await until(async () => (await room.row(id)).state === 'PUBLISHED')
  const live = room.clock.now().getTime()
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(room.clock.now().getTime() - live).toBeGreaterThanOrEqual(60 * 60_000)
  expect((await room.row(id)).warning).toMatchObject([
    {
      code: 'follow-up-failed',
      params: {
        followUp: { kind: 'comment' },
        because: { code: 'too-late', params: { minutes: 60, because: { params: { sentence: 'A reason.' } } } },
      },
    },
  ])
})

test('says that the platform was still processing a follow-up that became late', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async (_reach, _secret, _account, _post, part) => ({
      kind: 'preparing',
      progress: part.progress,
      checkAfterSeconds: 300,
    }),
  })
  await room.start({ platforms: [platform] })
  const id = await posted({ thread: [] })
  await until(async () => (await room.row(id)).state === 'PUBLISHED')
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect((await room.row(id)).warning).toMatchObject([
    {
      code: 'follow-up-failed',
      params: {
        followUp: { kind: 'comment' },
        because: { code: 'too-late', params: { because: { code: 'still-preparing' } } },
      },
    },
  ])
})

test('keeps the rest of a thread until the limit if the sign-in ends between two items, and leaves the post alone', async () => {
  const platform = scriptedPlatform({
    sendFollowUp: async (_reach, _secret, _account, _post, part) =>
      part.key === 'item 2' ? { kind: 'reconnect', reason } : { kind: 'sent', remoteId: part.key, progress: {} },
  })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await until(
    async () =>
      (await room.database.owner.query("select 1 from channel where status = 'TOKEN_EXPIRED'")).rowCount === 1,
  )
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    subject: 'follow-up',
    step: 'send',
    key: 'item 2',
    failure: null,
  })
  room.clock.advance({ minutes: 62 })
  await followed(id)
  expect(await states(id)).toEqual(['sent', 'failed', 'waiting'])
  expect((await room.row(id)).warning).toMatchObject([
    {
      code: 'follow-up-failed',
      params: {
        followUp: { kind: 'item', item: 2 },
        because: { params: { because: { code: 'channel-signed-out' } } },
      },
    },
  ])
})

test('counts follow-ups against the rate limits of posts, and waits for them', async () => {
  const platform = scriptedPlatform({
    budgets: [{ name: 'app', per: 'channel', windowSeconds: 600, tokens: 3, cost: { send: 1, followUp: 1 } }],
  })
  await room.start({ platforms: [platform] })
  const id = await posted()
  await until(() => platform.there.length === 3)
  await until(
    async () =>
      (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.clock.now()])).rowCount === 1,
  )
  expect(platform.there).toHaveLength(3)
  room.clock.advance({ minutes: 10 })
  await followed(id)
  expect(platform.there).toHaveLength(4)
})

test('retries follow-ups from where they stopped, never from the start', async () => {
  let refuses = true
  const platform = scriptedPlatform()
  const sendFollowUp: SendPart = async (...args) =>
    refuses && args[4].key === 'item 2'
      ? { kind: 'rejected', reason }
      : await (platform.publish.sendFollowUp?.(...args) ?? Promise.reject(new Error('no parts')))
  await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, sendFollowUp } }] })
  const id = await posted()
  await followed(id)
  expect(await states(id)).toEqual(['sent', 'failed', 'waiting'])
  refuses = false
  // a day later: lateness counts from the retry
  room.clock.advance({ hours: 24 })
  expect(await inTenant((tx) => resumeFollowUps(tx, { ...about(id), failedToo: true }, room.clock.now()))).toBe(true)
  await followed(id)
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'comment'])
  expect(await room.row(id)).toMatchObject({ warning: null, state: 'PUBLISHED' })
  expect(await inTenant((tx) => resumeFollowUps(tx, { ...about(id), failedToo: true }, room.clock.now()))).toBe(false)
})

test('lets a person say whether an unconfirmed follow-up was published or is to be sent again', async () => {
  for (const [outcome, sends, state] of [
    ['published', 1, 'sent'],
    ['send_again', 2, 'sent'],
    ['failed', 1, 'failed'],
  ] as const) {
    let answer: Awaited<ReturnType<SendPart>> = { kind: 'unknown', reason }
    const platform = scriptedPlatform({ sendFollowUp: async () => answer })
    const { reconcileFollowUp: _, ...publish } = platform.publish
    const publishing = await room.start({ platforms: [{ ...platform, publish }] })
    const id = await posted({ thread: [] })
    await followed(id)
    answer = { kind: 'sent', remoteId: 'r', progress: {} }
    expect(await inTenant((tx) => resolveFollowUp(tx, { ...about(id), outcome }, room.clock.now()))).toBe(true)
    await followed(id)
    expect(await states(id)).toEqual([state])
    expect(platform.asked.filter((line) => line.startsWith('part'))).toHaveLength(sends)
    expect((await room.row(id)).warning).toEqual(
      outcome === 'failed'
        ? [
            expect.objectContaining({
              params: { followUp: { kind: 'comment', item: null }, because: { code: 'follow-up-given-up' } },
            }),
          ]
        : null,
    )
    await publishing.stop({ drain: 1000 })
  }
})

test('sends a follow-up that a person retries after the one that is being sent', async () => {
  let lost = true
  let open: (() => void) | undefined
  const platform = scriptedPlatform({
    followUps: () => [
      { key: 'comment', kind: 'comment' },
      { key: 'playlist', kind: 'playlist' },
    ],
    reconcileFollowUp: async (_reach, _secret, _account, _post, part) =>
      part.key === 'comment' ? { kind: 'rejected', reason } : { kind: 'sent', remoteId: 'entry', progress: {} },
  })
  const sendFollowUp: SendPart = async (...args) => {
    if (args[4].key === 'playlist') await new Promise<void>((resolve) => (open = resolve))
    else if (lost) return { kind: 'unknown', reason }
    return await (platform.publish.sendFollowUp?.(...args) ?? Promise.reject(new Error('no parts')))
  }
  const publishing = await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, sendFollowUp } }] })
  const id = await posted({ thread: [] })
  await until(async () => await isReconciling(id))
  await room.passesUntil(async () => (await states(id))[0] === 'unsure')
  await until(() => open !== undefined)
  lost = false
  expect(await inTenant((tx) => resolveFollowUp(tx, { ...about(id), outcome: 'send_again' }, room.clock.now()))).toBe(
    true,
  )
  open?.()
  await until(() => publishing.stats().inFlight === 0)
  await room.passesUntil(async () => (await room.row(id)).step === null)
  expect(await states(id)).toEqual(['sent', 'sent'])
})

test('cancels follow-ups when the channel is disconnected, says so, and rejects late answers', async () => {
  let answer: (answer: Awaited<ReturnType<SendPart>>) => void = () => {}
  const platform = scriptedPlatform({ sendFollowUp: () => new Promise((resolve) => (answer = resolve)) })
  const publishing = await room.start({ platforms: [platform] })
  const id = await posted()
  await until(() => platform.asked.includes('part two'))
  await inTenant(async (tx) =>
    disconnect(
      tx,
      await tx.selectFrom('channel').selectAll().where('id', '=', room.channel.channelId).executeTakeFirstOrThrow(),
      room.house.personId,
      room.clock.now(),
    ),
  )
  expect(await room.row(id)).toMatchObject({
    state: 'PUBLISHED',
    step: null,
    warning: [{ code: 'follow-up-failed', params: { followUp: { kind: 'item', item: 1 } } }],
  })
  expect(await states(id)).toEqual(['unsure', 'waiting', 'waiting'])
  answer({ kind: 'sent', remoteId: 'late', progress: {} })
  await until(() => publishing.stats().inFlight === 0)
  expect(await states(id)).toEqual(['unsure', 'waiting', 'waiting'])
})

test('takes over a thread from a node that dies between two items, looks up what was being sent, and sends nothing twice', async () => {
  const platform = scriptedPlatform()
  let held = () => {}
  const sendFollowUp: SendPart = async (...args) => {
    const answer = await (platform.publish.sendFollowUp?.(...args) ?? Promise.reject(new Error('no parts')))
    if (args[4].key === 'item 1') await new Promise<void>((resolve) => (held = resolve))
    return answer
  }
  const dead = await room.start({
    platforms: [{ ...platform, publish: { ...platform.publish, sendFollowUp } }],
    options: { slots: 1, platformShare: 1 },
  })
  const id = await posted()
  await until(() => platform.there.length === 2)
  await room.start({ platforms: [platform], options: { heartbeat: 40, rescueAfter: 12_000, rescueEvery: 20 } })
  await until(async () => {
    room.clock.advance({ ms: 250 })
    const { state, step } = await room.row(id)
    return state === 'PUBLISHED' && step === null
  })
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two', 'three', 'comment'])
  expect(platform.asked.filter((line) => line.startsWith('settlePart'))).toEqual(['settlePart two'])
  held()
  await until(() => dead.stats().inFlight === 0)
  expect(await states(id)).toEqual(['sent', 'sent', 'sent'])
})
