import type { Reason } from '#contract/failures/catalog.ts'
import { saying } from '../testing/reasons.ts'
import { randomUUIDv7 } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import type { Platform } from '../platforms/platform.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { scheduleOnLane } from './lane.ts'

/* Answers that no well-behaved platform gives, and failures of our own: nothing waits forever, and nothing is reported wrongly. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const reason: Reason = { ...saying('A reason.', 'An advice.'), platformCode: 'code-1' }
const refreshing = (platform: Platform, connect: Partial<Platform['connect']>): Platform => ({
  ...platform,
  connect: { ...platform.connect, ...connect },
})

test.each([1e6, 1e300, Number.POSITIVE_INFINITY, Number.NaN, -5])(
  'a wait of %d seconds ends at the lateness limit, and closes a budget for a day at most',
  async (afterSeconds) => {
    const platform = scriptedPlatform({
      budgets: [{ name: 'calls', per: 'channel', windowSeconds: 60, tokens: 100, cost: { send: 1 } }],
      send: async () => ({ kind: 'retry', afterSeconds, closesBudget: true, reason }),
    })
    const publishing = await room.start({ platforms: [platform] })
    const id = await room.post(0, 'patient')
    await until(async () => (await room.row(id)).failure !== null && publishing.stats().inFlight === 0)
    expect(await room.row(id)).toMatchObject({
      state: 'SCHEDULED',
      step: 'send',
      failure: { params: { sentence: 'A reason.' } },
      step_at: expect.any(Date),
    })
    const { rows } = await room.database.owner.query<{ closed_until: Date }>(
      'select closed_until from budget where closed_until is not null',
    )
    for (const { closed_until: until_ } of rows)
      expect(until_.getTime()).toBeLessThanOrEqual(room.inMinutes(24 * 60).getTime())
    await room.passesUntil(async () => (await room.row(id)).state === 'FAILED')
    expect(room.clock.now().getTime()).toBeLessThanOrEqual(new Date('2026-11-21T18:00:00Z').getTime())
  },
)

test('says why a token cannot be renewed at the moment, and stops at the lateness limit', async () => {
  const platform = refreshing(scriptedPlatform(), {
    needsRefresh: () => true,
    refresh: async () => ({ kind: 'retry', afterSeconds: 3 * 86_400, reason }),
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'no token')
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({
    state: 'SCHEDULED',
    step: 'send',
    step_at: new Date('2026-11-21T13:00:01Z'),
    failure: { class: 'retry', params: { sentence: 'A reason.' } },
  })
  room.clock.advance({ minutes: 61 })
  await room.reaches(id, 'FAILED')
  expect((await room.row(id)).failure).toMatchObject({
    class: 'late',
    params: { because: { params: { sentence: 'A reason.' } } },
  })
})

test('reads a post back within the hour even if the platform asks to wait a week', async () => {
  const week = { kind: 'retry', afterSeconds: 7 * 86_400, reason } as const
  let lost = false
  const platform = scriptedPlatform({
    readBack: async () => week,
    reconcile: async () => week,
    send: async (_reach, _secret, _account, post) =>
      lost ? { kind: 'unknown', reason } : { kind: 'sent', remoteId: 'r', progress: post.progress },
  })
  const publishing = await room.start({ platforms: [platform] })
  const read = await room.post(0, 'read back')
  await until(async () => (await room.row(read)).tries === 1 && publishing.stats().inFlight === 0)
  expect(await room.row(read)).toMatchObject({ state: 'PROCESSING', step: 'readback', step_at: room.inMinutes(60) })
  lost = true
  const settled = await room.post(0, 'settled')
  await room.reaches(settled, 'UNCONFIRMED')
  room.clock.advance({ minutes: 1 })
  await until(async () => (await room.row(settled)).tries === 1)
  expect(((await room.row(settled)).step_at as Date).getTime()).toBeLessThanOrEqual(room.inMinutes(60).getTime())
})

test('asks a person to sign in again if the key of a token is gone', async () => {
  await room.database.owner.query("update channel_secret set key_id = 'gone'")
  const platform = scriptedPlatform()
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'sealed')
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'reconnect', action: 'reconnect' } })
  expect((await room.database.owner.query('select status, problem from channel')).rows).toEqual([
    { status: 'TOKEN_EXPIRED', problem: { code: 'sign-in-key-lost' } },
  ])
  expect(platform.asked).toEqual([])
})

test('leaves an unconfirmed post to a person if its token can no longer be decrypted', async () => {
  const platform = scriptedPlatform({ send: async () => ({ kind: 'unknown', reason }) })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'in doubt')
  await room.reaches(id, 'UNCONFIRMED')
  await room.database.owner.query("update channel_secret set key_id = 'gone'")
  await until(async () => {
    room.clock.advance({ minutes: 15 })
    return (await room.row(id)).step === null
  })
  expect(await room.row(id)).toMatchObject({
    state: 'UNCONFIRMED',
    failure: { code: 'unresolved' },
  })
})

test('does not count network failures as token renewals', async () => {
  let sends = 0
  let renewals = 0
  const platform = refreshing(
    scriptedPlatform({
      send: async (_reach, _secret, _account, post) => {
        sends += 1
        if (sends <= 4) return { kind: 'retry', reason }
        return sends === 5 ? { kind: 'reconnect', reason } : { kind: 'sent', remoteId: 'r', progress: post.progress }
      },
    }),
    { refresh: async (_reach, secret) => ((renewals += 1), { kind: 'refreshed', secret, expiresAt: null }) },
  )
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'troubled')
  await room.passesUntil(async () => (await room.row(id)).state === 'PUBLISHED')
  expect(renewals).toBe(1)
  expect((await room.database.owner.query('select status from channel')).rows).toEqual([{ status: 'CONNECTED' }])
})

test('treats a sign-in as ended if its token is rejected repeatedly right after renewals', async () => {
  let renewals = 0
  const platform = refreshing(scriptedPlatform({ send: async () => ({ kind: 'reconnect', reason }) }), {
    refresh: async (_reach, secret) => ((renewals += 1), { kind: 'refreshed', secret, expiresAt: null }),
  })
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'dead')
  await until(async () => (await room.row(id)).failure !== null)
  expect(renewals).toBe(3)
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'reconnect' } })
})

test('stores no zero byte that a platform sends', async () => {
  const zero: Reason = { ...saying('Bad\u0000 words \ud800.', 'None.\u0000'), platformCode: 'x\u0000y' }
  const platform = scriptedPlatform({
    send: async (_reach, _secret, _account, post) =>
      post.contents[0]?.text === 'refused'
        ? { kind: 'rejected', reason: zero }
        : { kind: 'sent', remoteId: 'remote\u0000', progress: { blob: ['a\u0000b'] } },
    readBack: async () => ({ kind: 'live', permalink: 'https://platform.test/\u0000x' }),
  })
  await room.start({ platforms: [platform] })
  const sent = await room.post(0, 'sent')
  await room.reaches(sent, 'PUBLISHED')
  expect(await room.row(sent)).toMatchObject({
    remote_id: 'remote',
    permalink: 'https://platform.test/x',
    progress: { blob: ['ab'] },
  })
  const refused = await room.post(0, 'refused')
  await room.reaches(refused, 'FAILED')
  expect((await room.row(refused)).failure).toMatchObject({
    params: { sentence: 'Bad words \ufffd.' },
    platformCode: 'xy',
  })
  expect((await room.database.owner.query('select 1 from notice')).rowCount).toBe(1)
})

test('notifies the author of failed and unconfirmed posts, whatever their role allows', async () => {
  const { orgId, projectId } = room.house
  const { owner } = room.database
  const author = randomUUIDv7()
  await owner.query(
    "insert into person (id, email, password_hash, first_name, last_name, created_at, confirmed_at) values ($1, 'author@example.test', 'none', 'Ann', 'Author', $2, $2)",
    [author, room.clock.now()],
  )
  await owner.query('insert into member (org_id, person_id, is_admin, added_at) values ($1, $2, false, $3)', [
    orgId,
    author,
    room.clock.now(),
  ])
  await owner.query('insert into project_member (org_id, project_id, person_id, added_at) values ($1, $2, $3, $4)', [
    orgId,
    projectId,
    author,
    room.clock.now(),
  ])
  const refused = await room.post(5, 'refused')
  const unknown = await room.post(6, 'lost')
  await owner.query('update post set author_id = $1', [author])
  await room.start({
    platforms: [
      scriptedPlatform({
        send: async (_reach, _secret, _account, post) => ({
          kind: post.contents[0]?.text === 'refused' ? 'rejected' : 'unknown',
          reason,
        }),
        reconcile: async () => ({ kind: 'rejected', reason }),
      }),
    ],
  })
  room.clock.advance({ minutes: 10 })
  const heard = async () =>
    (
      await owner.query<{ kind: string }>('select kind from notice where person_id = $1 order by kind', [author])
    ).rows.map(({ kind }) => kind)
  await room.reaches(refused, 'FAILED')
  await room.passesUntil(async () => (await heard()).includes('post-unconfirmed'))
  expect((await room.row(unknown)).state).toBe('UNCONFIRMED')
  expect(await heard()).toEqual(['post-failed', 'post-unconfirmed'])
})

test('sends a post that was given up again under its key, unless its text was changed since', async () => {
  const platform = scriptedPlatform({ send: async () => ({ kind: 'unknown', reason }) })
  await room.start({ platforms: [platform] })
  const [same = '', changed = ''] = await room.posts(['same', 'changed'].map((text) => ({ minutes: 0, text })))
  await room.reaches(same, 'UNCONFIRMED')
  await room.reaches(changed, 'UNCONFIRMED')
  await room.stopAll()
  const keys = [(await room.row(same)).send_key, (await room.row(changed)).send_key]
  const again = () =>
    asTenant(room.database.databases.web, room.house.orgId, async (tx) => {
      await tx.updateTable('post').set({ state: 'SCHEDULED' }).execute()
      const dueAt = room.clock.now()
      await scheduleOnLane(
        tx,
        [same, changed].map((postId) => ({
          postId,
          channelId: room.channel.channelId,
          dueAt,
          needsPrepare: false,
          sendKey: `fresh ${postId}`,
        })),
      )
    })
  // as the actions leave them: given up, one of them edited
  room.clock.advance({ minutes: 1 })
  await room.database.owner.query("update post set state = 'FAILED'")
  await room.database.owner.query('update delivery set step = null, step_at = null')
  await room.database.owner.query(
    "insert into post_event (org_id, post_id, id, kind, at) values ($1, $2, uuidv7(), 'edited', $3)",
    [room.house.orgId, changed, room.clock.now()],
  )
  await again()
  expect([(await room.row(same)).send_key, (await room.row(changed)).send_key]).toEqual([keys[0], `fresh ${changed}`])
  // sent once more under the new key, lost and sent again unchanged: it keeps that key
  room.clock.advance({ minutes: 1 })
  await room.start({ platforms: [platform] })
  await room.reaches(changed, 'UNCONFIRMED')
  await room.stopAll()
  await again()
  expect((await room.row(changed)).send_key).toBe(`fresh ${changed}`)
})
