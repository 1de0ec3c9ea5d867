import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { sql } from 'kysely'
import { submitPost } from '#contract/submit.ts'
import { insertMany } from '../db/insertMany.ts'
import { asTenant } from '../db/tenant.ts'
import type { Tx } from '../db/kysely.ts'
import type { CallerOrg, ProjectContext } from '../http/route.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at } from '../testing/posts.ts'
import { countRoundTrips } from '../testing/roundTrips.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { lockCaps } from './cap.ts'

/* Scheduling on one channel at the same time: without waiting for each other, and never past the cap. */

let app: TestApp
let home: TestHome
let channelId: string
beforeAll(async () => {
  app = await startApp({ platforms: { bluesky: testPlatform() } })
})
afterAll(() => app.close())
beforeEach(async () => {
  home = await app.signedInOwner()
  channelId = await contentOn(app.parts).channel(home)
  await app.database.owner.query(
    "update plan set plan_id = 'team', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
    [home.orgId],
  )
})

/** Later than any clock in this test. */
const FAR = '2999-01-01T09:30:00.000Z'
const submit = (key?: string) =>
  app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'SCHEDULE',
        channels: [{ channelId, postType: 'post', contents: [{ text: 'Hello there', media: [] }] }],
        schedule: at(FAR),
      },
    },
    { as: home.person, ...(key !== undefined && { headers: { 'idempotency-key': key } }) },
  )
const inTenant = <T>(fn: (tx: Tx) => Promise<T>) => asTenant(app.parts.databases.web, home.orgId, fn)

/** What `lockCaps` reads from its caller. */
const contextOf = (tx: Tx, scheduledCap: number) =>
  ({
    tx,
    now: app.clock.now(),
    org: { orgId: home.orgId, entitlements: { scheduledCap } } as CallerOrg,
  }) as unknown as ProjectContext // it reads nothing else

async function store(tx: Tx, count: number) {
  const now = app.clock.now()
  const post = {
    org_id: home.orgId,
    project_id: home.projectId,
    channel_id: channelId,
    author_id: home.person.personId,
    state: 'SCHEDULED',
    post_type: 'post',
    origin: 'person',
    contents: [],
    details: {},
    first_comment: '',
    mentions: [],
    excerpt: '',
    images: 0,
    schedule: {},
    zone: 'UTC',
    due_at: new Date(FAR),
    shown_at: now,
    series_apart: false,
    version: 1,
    created_at: now,
    updated_at: now,
  }
  await insertMany(
    tx,
    'post',
    Array.from({ length: count }, () => ({ ...post, id: crypto.randomUUID() })),
  )
}

it('schedules a post in two round trips, with an Idempotency-Key too: reading, and storing with the commit', async () => {
  await submit()
  const roundTrips = countRoundTrips(app.parts.databases.web)
  await submit()
  expect(roundTrips()).toBe(2)
  await submit('key-1')
  expect(roundTrips()).toBe(2)
})

it('schedules during another uncommitted transaction that schedules on the channel', async () => {
  await submit()
  // the lane wakes early enough for the new post
  await app.database.owner.query("update lane set wake_at = now() + interval '1 day' where channel_id = $1", [
    channelId,
  ])
  await inTenant(async (tx) => {
    await lockCaps(contextOf(tx, 300), [channelId], true)
    await sql`select wake_lanes(array[${channelId}::uuid], array[${FAR}::timestamptz])`.execute(tx)
    await store(tx, 1)
    expect(await submit()).toMatchObject({ posts: [{ status: 'SCHEDULED' }] })
  })
})

it('wakes a lane for its first post, and keeps others from letting it sleep longer meanwhile', async () => {
  const { owner } = app.database
  const wakesAt = async () =>
    (await owner.query('select wake_at from lane where channel_id = $1', [channelId])).rows[0].wake_at
  const client = await owner.connect()
  await client.query("set lock_timeout = '50ms'")
  const soon = new Date(Date.parse(FAR) - 86_400_000).toISOString()
  for (const [first, wanted] of [
    [FAR, FAR],
    [soon, soon],
    [FAR, soon],
  ] as const) {
    await inTenant(async (tx) => {
      await sql`select wake_lanes(array[${channelId}::uuid], array[${first}::timestamptz])`.execute(tx)
      await expect(
        client.query('update lane set wake_at = null where channel_id = $1', [channelId]),
      ).rejects.toMatchObject({ code: '55P03' })
    })
    expect(await wakesAt()).toEqual(new Date(wanted))
  }
  client.release(true)
})

it('wakes each of several lanes for the first of its posts that has a time', async () => {
  const other = await contentOn(app.parts).channel(home)
  const soon = '2998-01-01T00:00:00.000Z'
  await inTenant((tx) =>
    sql`select wake_lanes(array[${other}, ${channelId}, ${channelId}, ${other}, ${channelId}]::uuid[], array[${FAR}, ${FAR}, ${soon}, null, null]::timestamptz[])`.execute(
      tx,
    ),
  )
  const { rows } = await app.database.owner.query<{ channel_id: string; wake_at: Date }>(
    'select channel_id, wake_at from lane where org_id = $1 and wake_at is not null',
    [home.orgId],
  )
  expect(new Map(rows.map((row) => [row.channel_id, row.wake_at.toISOString()]))).toEqual(
    new Map([
      [other, FAR],
      [channelId, soon],
    ]),
  )
  await inTenant((tx) => sql`select wake_lanes(null, null)`.execute(tx))
})

it('never passes the cap, no matter who shares its lock', async () => {
  const { rows } = await app.database.owner.query<{ most: number }>(
    "select current_setting('max_connections')::int as most",
  )
  // the first thirty share the lock, the others take turns
  const before = 10
  const cap = (rows[0]?.most ?? 0) + before + 30
  await inTenant((tx) => store(tx, before))
  let stored = 0
  const tryOnce = () =>
    inTenant(async (tx) => {
      const standing = (await lockCaps(contextOf(tx, cap), [channelId], true)).get(channelId)
      if (!standing || standing.pending + 1 > cap) return
      await store(tx, 1)
      stored += 1
    })
  await Promise.all(
    Array.from({ length: 24 }, async () => {
      for (let i = 0; i < cap / 20; i++) await tryOnce()
    }),
  )
  expect(stored).toBe(cap - before)
})
