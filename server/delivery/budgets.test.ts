import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { asTenant } from '../db/tenant.ts'
import type { Budget, Publish } from '../platforms/platform.ts'
import { makeChannels, makePublishingFixture, makePosts } from '../testing/publishing.ts'
import { saying } from '../testing/reasons.ts'
import { PublishingHarness } from '../testing/publishingHarness.ts'
import { scriptedPlatform } from '../testing/scriptedPlatform.ts'
import { until } from '../testing/until.ts'
import { takeOffLane } from '../publishing/lane.ts'

/* An exhausted rate limit delays the work that it applies to and nothing else, and people see the reason. */

let room: PublishingHarness
beforeAll(async () => {
  room = await PublishingHarness.open()
})
afterAll(() => room.close())
beforeEach(() => room.clear())
afterEach(() => room.stopAll())

const DAY = 86_400
const uploads = (tokens: number): Budget => ({
  name: 'uploads-day',
  per: 'credentials',
  windowSeconds: DAY,
  tokens,
  cost: { send: 1 },
})
/** Accepts posts, but has to be asked whether they were published. */
const slow = (budgets: readonly Budget[], script: Partial<Publish> = {}) =>
  scriptedPlatform({
    budgets,
    send: async (_reach, _secret, _account, post) => ({
      kind: 'processing',
      progress: post.progress,
      checkAfterSeconds: 30,
    }),
    poll: async (_reach, _secret, _account, post) => ({
      kind: 'sent',
      remoteId: `remote ${post.sendKey}`,
      progress: post.progress,
    }),
    ...script,
  })
const wakeAt = async (channelId = room.channel.channelId): Promise<Date | null> =>
  (
    await room.database.owner.query<{ wake_at: Date | null }>('select wake_at from lane where channel_id = $1', [
      channelId,
    ])
  ).rows[0]?.wake_at ?? null
const state = async (id: string) => (await room.row(id))['state']
const waits = (id: string) =>
  until(async () => (await room.row(id))['failure'] !== null, { what: 'the post to say why it waits' })

test('does not delay read-backs or follow-ups when the rate limit for sending is exhausted', async () => {
  const platform = slow([uploads(1)])
  const [a = '', b = ''] = await room.posts([
    { minutes: 0, text: 'first', firstComment: 'and more' },
    { minutes: 0.2, text: 'second' },
  ])
  await room.start({ platforms: [platform] })
  await until(async () => (await room.row(a))['step'] === 'poll')
  room.clock.advance({ seconds: 12 })
  await waits(b)
  room.clock.advance({ seconds: 19 })
  await until(async () => platform.asked.includes('part and more'), { what: 'the first comment' })
  expect(await state(a)).toBe('PUBLISHED')
  expect(await room.row(b)).toMatchObject({ state: 'SCHEDULED', step: 'send' })
})

test('does not delay sends when the rate limit for reading is exhausted', async () => {
  const platform = slow([{ name: 'units-day', per: 'credentials', windowSeconds: DAY, tokens: 1, cost: { poll: 2 } }])
  const [a = '', b = ''] = await room.posts([
    { minutes: 0, text: 'first' },
    { minutes: 1, text: 'second' },
  ])
  await room.start({ platforms: [platform] })
  await until(async () => (await room.row(a))['step'] === 'poll')
  await room.database.owner.query(
    "insert into budget (key, window_ends_at, used) values ('bluesky:units-day:own', $1, 1)",
    [room.inMinutes(600)],
  )
  room.clock.advance({ seconds: 61 })
  await until(async () => (await room.row(b))['step'] === 'poll')
  expect(await room.row(a)).toMatchObject({ state: 'PROCESSING', step: 'poll' })
})

test('shows once why a due post waits for a rate limit, and publishes it when the limit resets', async () => {
  const platform = scriptedPlatform({
    budgets: [{ name: 'posts-hour', per: 'channel', windowSeconds: 1800, tokens: 1, cost: { send: 1 } }],
  })
  const [a = '', b = '', c = ''] = await room.posts(
    ['one', 'two', 'three'].map((text, i) => ({ minutes: i / 60, text })),
  )
  await room.start({ platforms: [platform] })
  await room.reaches(a, 'PUBLISHED')
  room.clock.advance({ seconds: 3 })
  await waits(b)
  await waits(c)
  expect(await room.row(b)).toMatchObject({
    state: 'SCHEDULED',
    failure: {
      class: 'retry',
      action: 'reschedule',
      code: 'quota-used-up',
      params: { platform: 'Bluesky', of: 'account', when: 'now', suggestsOwnApp: false },
    },
  })
  const began = room.clock.now().getTime()
  await room.passesUntil(async () => (await state(b)) === 'PUBLISHED')
  // its window is over, and no sooner
  expect(room.clock.now().getTime() - began).toBeGreaterThan(29 * 60_000)
  expect(await room.row(b)).toMatchObject({ failure: null })
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two'])
  await room.passesUntil(async () => (await state(c)) === 'PUBLISHED')
  expect(await room.timeline(c)).toEqual(['waiting', 'due', 'sent', 'confirmed'])
})

test('fails a post that a rate limit delayed past its lateness limit, with the reason', async () => {
  const [a = '', b = ''] = await room.posts(['one', 'two'].map((text, i) => ({ minutes: i / 60, text })))
  await room.start({ platforms: [scriptedPlatform({ budgets: [uploads(1)] })] })
  await room.reaches(a, 'PUBLISHED')
  room.clock.advance({ seconds: 3 })
  await waits(b)
  expect(await room.row(b)).toMatchObject({
    failure: {
      code: 'quota-used-up',
      params: { platform: 'Bluesky', of: 'app', when: 'today', suggestsOwnApp: true },
    },
  })
  const last = room.inMinutes(61)
  await room.passesUntil(async () => (await state(b)) === 'FAILED')
  expect(room.clock.now().getTime()).toBeLessThan(last.getTime())
  expect(await room.row(b)).toMatchObject({
    failure: {
      class: 'late',
      code: 'too-late',
      params: { minutes: 60, because: { code: 'quota-used-up' } },
    },
  })
})

test('words a limit that closes for minutes differently from a daily one, and suggests an own app only to organizations without one', async () => {
  const { owner } = room.database
  await owner.query(
    "insert into app_credentials (org_id, platform, client_id, key_id, sealed, set_at, set_by) values ($1, 'bluesky', 'our app', 'test', '', $2, $3)",
    [room.house.orgId, room.clock.now(), room.house.personId],
  )
  await owner.query("update lane set credentials = 'our app' where channel_id = $1", [room.channel.channelId])
  await owner.query(
    "insert into budget (key, window_ends_at, used, closed_until) values ('bluesky:uploads-day:our app', $1, 1, $2)",
    [room.inMinutes(1200), room.inMinutes(10)],
  )
  const platform = scriptedPlatform({ budgets: [uploads(2)] })
  await room.start({ platforms: [platform] })
  const [a = ''] = await room.posts([{ minutes: 0, text: 'one' }])
  await waits(a)
  expect(await room.row(a)).toMatchObject({
    failure: {
      code: 'quota-used-up',
      params: { of: 'app', when: 'now', suggestsOwnApp: false },
    },
  })
  await owner.query('update budget set closed_until = null, used = 2')
  const [b = ''] = await room.posts([{ minutes: 0, text: 'two' }])
  await waits(b)
  expect(await room.row(b)).toMatchObject({
    failure: {
      code: 'quota-used-up',
      params: { of: 'app', when: 'today', suggestsOwnApp: false },
    },
  })
})

test('shows nothing for a wait of a few seconds', async () => {
  const platform = scriptedPlatform({
    budgets: [{ name: 'edits-minute', per: 'channel', windowSeconds: 60, tokens: 1, cost: { send: 1 } }],
  })
  const ids = await room.posts(['one', 'two', 'three'].map((text, i) => ({ minutes: i / 1000, text })))
  await room.start({ platforms: [platform] })
  await room.passesUntil(async () => (await Promise.all(ids.map(state))).every((one) => one === 'PUBLISHED'))
  for (const id of ids) expect(await room.timeline(id)).not.toContain('waiting')
  expect(platform.there.map(({ text }) => text)).toEqual(['one', 'two', 'three'])
})

test('gives no organization more than half of a shared daily limit while another has posts to send', async () => {
  const { owner, databases } = room.database
  const platform = scriptedPlatform({ budgets: [uploads(6)] })
  const other = await makePublishingFixture(owner, room.clock.now())
  const [theirs] = await makeChannels(owner, other, 1, { now: room.clock.now(), secret: () => ({}) })
  const [theirPost = ''] = await makePosts({ owner, databases, clock: room.clock }, other, [
    { channelId: theirs?.channelId ?? '', dueAt: room.inMinutes(30), text: 'theirs' },
  ])
  const more = await Promise.all([1, 2, 3, 4].map(() => room.moreChannels()))
  const ids = await room.posts(
    [room.channel, ...more].map(({ channelId }, i) => ({ minutes: 0, text: `burst ${i}`, channelId })),
  )
  await room.start({ platforms: [platform] })
  const left = async () =>
    (await Promise.all(ids.map((id) => room.row(id)))).filter((row) => row['state'] !== 'PUBLISHED')
  await until(
    async () => (await left()).filter(({ failure }) => failure !== null).length === 2 && (await left()).length === 2,
    { what: 'three sent, two waiting' },
  )
  expect((await left())[0]).toMatchObject({
    state: 'SCHEDULED',
    failure: {
      code: 'quota-used-up',
      params: { of: 'share', when: 'today' },
    },
  })
  room.clock.advance({ minutes: 30 })
  await room.reaches(theirPost, 'PUBLISHED')
  // no other organization waits anymore: the rest is available to those with posts
  room.clock.advance({ minutes: 5 })
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
  expect((await owner.query("select used from budget where key = 'bluesky:uploads-day:own'")).rows).toEqual([
    { used: 6 },
  ])
})

test('gives an organization that shares its app with nobody the whole daily limit', async () => {
  const ids = await room.posts(['one', 'two', 'three', 'four'].map((text) => ({ minutes: 0, text })))
  await room.start({ platforms: [scriptedPlatform({ budgets: [uploads(4)] })] })
  for (const id of ids) await room.reaches(id, 'PUBLISHED')
})

test('lets a lane without work sleep', async () => {
  const id = await room.post(1, 'taken off')
  await asTenant(room.database.databases.web, room.house.orgId, (tx) => takeOffLane(tx, room.house.orgId, id))
  expect(await wakeAt()).not.toBeNull()
  await room.start({ platforms: [scriptedPlatform()] })
  room.clock.advance({ minutes: 2 })
  await until(async () => (await wakeAt()) === null, { what: 'the lane to sleep' })
})

test('gives back what a search after a lost answer did not need, so that others need not wait for it', async () => {
  const searching = {
    name: 'calls',
    per: 'channel' as const,
    windowSeconds: 300,
    tokens: 50,
    countsCalls: true as const,
  }
  const platform = scriptedPlatform({
    budgets: [{ ...searching, cost: { send: 2, reconcile: 40 } }],
    send: async (_reach, _secret, _account, post) =>
      post.contents[0]?.text.startsWith('lost') && !lost.has(post.postId)
        ? (lost.add(post.postId), { kind: 'unknown', reason: saying('Lost.') })
        : { kind: 'sent', remoteId: post.postId, progress: post.progress },
    reconcile: async (_reach, _secret, _account, post) => ({
      kind: 'sent',
      remoteId: post.postId,
      progress: post.progress,
    }),
  })
  const lost = new Set<string>()
  await room.start({ platforms: [platform] })
  const ids = await room.posts([1, 2, 3].map((i) => ({ minutes: 0, text: `lost ${i}` })))
  const began = room.clock.now().getTime()
  await room.passesUntil(async () =>
    (await Promise.all(ids.map((id) => room.row(id)))).every(({ state }) => state === 'PUBLISHED'),
  )
  // three searches of 40 calls don't fit into one window of 50
  expect(room.clock.now().getTime() - began).toBeLessThan(300_000)
  const { rows } = await room.database.owner.query('select used from budget where key = $1', [
    `bluesky:calls:${room.channel.channelId}`,
  ])
  // for each, its send and reading it back
  expect(rows).toEqual([{ used: 9 }])
})
