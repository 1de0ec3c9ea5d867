import { saying } from '../testing/reasons.ts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PostFailure } from '#contract/postLists.ts'
import { openSecret, sealSecret } from './secrets.ts'
import { asSystem } from '../db/system.ts'
import type { Connect, Platform } from '../platforms/platform.ts'
import { putDelivery } from '../testing/deliveries.ts'
import { adapter, PublishingHarness } from '../testing/publishingHarness.ts'
import { testKeys } from '../testing/publishing.ts'
import { until } from '../testing/until.ts'
import { resumeLane } from '../publishing/lane.ts'
import { freshSecret } from './refresh.ts'
import { failureOf } from './failures.ts'

/* Tokens are renewed by one caller, with the attempt recorded before the call and the result stored before its first use. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

type Refresh = Connect['refresh']
let generation = 0

/** The real adapter, with tokens that count their generation. */
function rotating(
  refresh: Refresh,
  needsRefresh: Connect['needsRefresh'] = (secret) => secret.generation === undefined,
): Platform {
  const real = adapter()
  return { ...real, connect: { ...real.connect, refresh, needsRefresh } }
}

const renewed: Refresh = async (_, secret) => ({
  kind: 'refreshed',
  secret: { ...secret, generation: (generation += 1) },
  expiresAt: null,
})

async function stored() {
  const { rows } = await room.database.owner.query<{
    key_id: string
    sealed: Buffer
    version: number
    refresh_tries: number
    refresh_started_at: Date | null
    refresh_lease_by: string | null
  }>('select * from channel_secret where channel_id = $1', [room.channel.channelId])
  const [row] = rows
  if (!row) throw new Error('no secret')
  return {
    ...row,
    secret: openSecret(
      testKeys,
      { orgId: room.house.orgId, channelId: room.channel.channelId },
      { keyId: row.key_id, sealed: row.sealed },
    ),
  }
}

test('renews and stores a token that is about to expire before using it', async () => {
  const seen: { version: number; generation: unknown }[] = []
  const platform = rotating(renewed)
  const send: Platform['publish']['send'] = async (reach, secret, account, post) => {
    seen.push({ version: (await stored()).version, generation: secret.generation })
    return await platform.publish.send(reach, secret, account, post)
  }
  await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, send } }] })
  await room.reaches(await room.post(0, 'with a new token'), 'PUBLISHED')
  expect(seen).toEqual([{ version: 2, generation }])
  expect(await stored()).toMatchObject({
    version: 2,
    refresh_tries: 0,
    refresh_started_at: null,
    refresh_lease_by: null,
    secret: { generation },
  })
})

test('never spends the same token on two nodes', async () => {
  const spent: unknown[] = []
  const refresh: Refresh = async (reach, secret, account) => {
    spent.push(secret.generation ?? 0)
    return await renewed(reach, secret, account)
  }
  const platform = rotating(
    refresh,
    (secret) => (typeof secret.generation === 'number' ? secret.generation : 0) < generation + 1 && spent.length < 5,
  )
  await room.start({ platforms: [platform] })
  await room.start({ platforms: [platform] })
  const ids = await room.posts(Array.from({ length: 20 }, (_, i) => ({ minutes: 0, text: `post ${i}` })))
  const published = "select from post where id = any($1) and state = 'PUBLISHED'"
  // a post waits a second for another node's renewal
  await room.passesUntil(async () => (await room.database.owner.query(published, [ids])).rowCount === ids.length)
  expect(new Set(spent).size).toBe(spent.length)
})

test('retries an interrupted renewal with the old token, and asks for a reconnect once if that is refused', async () => {
  let asked = 0
  const platform = rotating(async () => {
    asked += 1
    return { kind: 'reconnect', reason: saying('The token was used before.', 'Sign in again.') }
  })
  // a node died between the platform's answer and storing it
  await room.database.owner.query(
    "update channel_secret set refresh_started_at = $1, refresh_tries = 1, refresh_lease_by = 'a dead node', refresh_lease_until = $1",
    [room.clock.now()],
  )
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'waits')
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'reconnect', action: 'reconnect' } })
  const { rows } = await room.database.owner.query('select status, problem from channel')
  expect(rows).toMatchObject([
    { status: 'TOKEN_EXPIRED', problem: saying('The token was used before.', 'Sign in again.') },
  ])
  const notices = await room.database.owner.query('select kind, count from notice')
  expect(notices.rows).toEqual([{ kind: 'channel-signed-out', count: 1 }])
  for (const _ of [1, 2, 3]) {
    room.clock.advance({ minutes: 2 })
    await until(
      async () =>
        (await room.database.owner.query('select 1 from lane where wake_at > $1', [room.clock.now()])).rowCount === 1,
    )
  }
  expect(asked).toBe(1)
})

test('asks a person to reconnect after repeatedly interrupted renewals', async () => {
  const platform = rotating(async () => ({ kind: 'unknown', reason: saying('The answer was lost.') }))
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'interrupted')
  await until(async () => {
    room.clock.advance({ seconds: 1 })
    return (
      ((await room.database.owner.query('select status from channel')).rows[0] as { status: string }).status ===
      'TOKEN_EXPIRED'
    )
  })
  expect(await room.row(id)).toMatchObject({ state: 'SCHEDULED', failure: { class: 'reconnect' } })
})

/** Sets when the token of the test's channel expires. */
const endsIn = (minutes: number) =>
  room.database.owner.query('update channel_secret set expires_at = $1', [room.inMinutes(minutes)])
const channelStatus = async () =>
  (await room.database.owner.query<{ status: string }>('select status from channel')).rows[0]?.status

test.each([
  { kind: 'retry', reason: saying('The platform is away.') },
  { kind: 'unknown', reason: saying('The answer was lost.') },
  { kind: 'reconnect', reason: saying('Signed out.', 'Sign in again.') },
] as const)(
  'uses a token that is valid for days although renewing it early had the outcome $kind, and tries again after a pause and when it expires',
  async (refusal) => {
    let asked = 0
    let isBack = false
    const platform = rotating(async (...call) => ((asked += 1), isBack ? await renewed(...call) : refusal))
    await endsIn(6 * 24 * 60)
    await room.start({ platforms: [platform] })
    await room.reaches(await room.post(0, 'now'), 'PUBLISHED')
    await room.reaches(await room.post(0, 'a moment later'), 'PUBLISHED')
    expect(asked).toBe(1)
    for (const tries of [2, 3, 4, 5]) {
      room.clock.advance({ minutes: 11 })
      await room.reaches(await room.post(0, `try ${tries}`), 'PUBLISHED')
      expect(asked).toBe(tries)
    }
    expect(await channelStatus()).toBe('CONNECTED')
    await endsIn(1)
    isBack = true
    await room.reaches(await room.post(0, 'at the end of the token'), 'PUBLISHED')
    expect(await stored()).toMatchObject({ version: 2, refresh_tries: 0 })
  },
)

test("reports the platform's reason, not an interruption, if it keeps refusing to renew", async () => {
  const platform = rotating(async () => ({
    kind: 'reconnect',
    reason: saying('Signed out.', 'Sign in again.'),
  }))
  const {
    clock,
    database: { databases },
  } = room
  const source = {
    pool: databases.system,
    clock,
    keys: testKeys,
    fetch: () => Promise.reject(new Error('nothing is asked')),
    signal: new AbortController().signal,
    nodeId: 'test',
  }
  const { key_id, sealed } = await stored()
  for (const attempt_id of ['1', '2', '3', '4', '5']) {
    const holder = {
      org_id: room.house.orgId,
      channel_id: room.channel.channelId,
      key_id,
      sealed,
      secret_version: 1,
      secret_expires_at: null,
      attempt_id,
    }
    expect(
      await freshSecret(source, platform, holder, { remoteId: 'did:plc:1', handle: 'a', service: null }, true),
    ).toMatchObject({ kind: 'reconnect', reason: { params: { sentence: 'Signed out.' } } })
  }
})

test('renews a rejected token immediately, even during the pause after an early renewal failed', async () => {
  let answers: Refresh = async () => ({ kind: 'retry', reason: saying('The platform is away.') })
  const platform = rotating((...call) => answers(...call))
  const send: Platform['publish']['send'] = async (...call) =>
    call[1].generation === undefined && answers === renewed
      ? { kind: 'retry', first: 'renew', reason: saying('Sign in again.') }
      : await platform.publish.send(...call)
  await endsIn(6 * 24 * 60)
  await room.start({ platforms: [{ ...platform, publish: { ...platform.publish, send } }] })
  await room.reaches(await room.post(0, 'with the old token'), 'PUBLISHED')
  answers = renewed
  await room.reaches(await room.post(0, 'with the new one'), 'PUBLISHED')
  expect((await stored()).version).toBe(2)
})

test('waits for the renewal of a token that is about to expire, whatever was tried before', async () => {
  let away = true
  const platform = rotating(async (...call) =>
    away ? { kind: 'retry', reason: saying('The platform is away.') } : await renewed(...call),
  )
  await endsIn(9)
  await room.start({ platforms: [platform] })
  await room.reaches(await room.post(0, 'with nine minutes left'), 'PUBLISHED')
  room.clock.advance({ minutes: 5 })
  const id = await room.post(0, 'with four minutes left')
  await until(async () => (await room.row(id)).failure !== null)
  expect(await room.row(id)).toMatchObject({
    state: 'SCHEDULED',
    failure: { class: 'retry', params: { sentence: 'The platform is away.' } },
  })
  away = false
  room.clock.advance({ minutes: 1 })
  await room.reaches(id, 'PUBLISHED')
  expect((await stored()).version).toBe(2)
})

test('publishes waiting posts immediately after a reconnect', async () => {
  let dead = true
  const platform = rotating(async (reach, secret, account) =>
    dead
      ? { kind: 'reconnect', reason: saying('Signed out.', 'Sign in again.') }
      : await renewed(reach, secret, account),
  )
  await room.start({ platforms: [platform] })
  const id = await room.post(0, 'waits')
  await until(async () => (await room.row(id)).failure !== null)
  room.clock.advance({ minutes: 10 })
  dead = false
  await asSystem(room.database.databases.system, async (tx) => {
    await tx.updateTable('channel').set({ status: 'CONNECTED', problem: null }).execute()
    await resumeLane(tx, room.house.orgId, room.channel.channelId)
  })
  await room.reaches(id, 'PUBLISHED')
})

test.each(['reconnect', 'paused', 'plan'] as const)(
  'after reconnecting, an approved post that was kept by %s asks for a time, and for nothing that is fixed',
  async (kind) => {
    const id = await room.post(30, 'approved')
    const draft = await room.post(30, 'to be edited')
    const keep = async (postId: string, failure: PostFailure) => {
      for (const state of ['DRAFTS', 'NEEDS_APPROVAL', 'APPROVED'])
        await room.database.owner.query('update post set state = $3, failure = $2 where id = $1', [
          postId,
          JSON.stringify(failure),
          state,
        ])
      await putDelivery(room.database.owner, postId, { step: null, step_at: null })
    }
    const [kept, wrong] = [
      failureOf(kind, saying('It is in the way.', 'Then choose a time for the post, or send it now.')),
      failureOf('permanent', saying('Too long.', 'Edit the post.')),
    ]
    await keep(id, kept)
    await keep(draft, wrong)
    await asSystem(room.database.databases.system, (tx) => resumeLane(tx, room.house.orgId, room.channel.channelId))
    expect(await room.row(id)).toMatchObject({
      state: 'APPROVED',
      failure: { class: 'late', action: 'reschedule', code: 'obstacle-gone' },
    })
    expect(await room.row(draft)).toMatchObject({ state: 'APPROVED', failure: wrong })
  },
)

test('renews a token that the platform rejects early without asking a person', async () => {
  const real = adapter()
  let refusals = 1
  const send: Platform['publish']['send'] = async (reach, secret, account, post) => {
    if (refusals-- > 0) return { kind: 'retry', first: 'renew', reason: saying('Sign in again.') }
    return await real.publish.send(reach, secret, account, post)
  }
  await room.start({ platforms: [{ ...rotating(renewed, () => false), publish: { ...real.publish, send } }] })
  await room.reaches(await room.post(0, 'renewed'), 'PUBLISHED')
  expect((await stored()).version).toBe(2)
})

test('decrypts a token only in its own row, unmodified, with its own key', () => {
  const row = { orgId: room.house.orgId, channelId: room.channel.channelId }
  const sealed = sealSecret(testKeys, row, { token: 'secret' })
  expect(openSecret(testKeys, row, sealed)).toEqual({ token: 'secret' })
  expect(sealed.sealed.includes('secret')).toBe(false)
  expect(() => openSecret(testKeys, { ...row, channelId: row.orgId }, sealed)).toThrow(/authenticate/)
  expect(() =>
    openSecret(testKeys, row, { ...sealed, sealed: Buffer.concat([sealed.sealed.subarray(0, -1), Buffer.from([1])]) }),
  ).toThrow(/authenticate/)
  expect(() => openSecret([{ id: 'other', key: Buffer.alloc(32, 8) }], row, sealed)).toThrow(/missing/)
})
