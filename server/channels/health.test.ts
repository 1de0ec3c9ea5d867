import { saying } from '../testing/reasons.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allChannels, deleteChannel, disableChannel } from '#contract/channels.ts'
import { createNotification } from '../notifications/create.ts'
import type { Platform, Refusal } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { at, postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { checkDueChannels } from './health.ts'
import { channelJobs } from './jobs.ts'
import { storedNotifications } from '../testing/notifications.ts'

type Check = NonNullable<Platform['connect']['check']>
const works: Check = async () => ({ kind: 'works', endsAt: null })
const away: Refusal = { kind: 'retry', reason: saying('The platform is away.', 'Wait.') }
const dead: Refusal = {
  kind: 'reconnect',
  reason: saying('The account was taken down.', 'Reconnect the channel once it is back.'),
}
const refused: Platform['connect']['refresh'] = async () => ({
  kind: 'reconnect',
  reason: saying('The token is dead.', 'Reconnect the channel.'),
})

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let id: string
let looks: unknown[] = []
let renewals = 0
let platformSays: Check = works
let renewal = refused
let needsRefresh = false

beforeAll(async () => {
  const check: Check = (...call) => (looks.push(call[1]), platformSays(...call))
  const platform = testPlatform({ check, refresh: (...call) => ((renewals += 1), renewal(...call)) })
  app = await startApp({
    platforms: { bluesky: { ...platform, connect: { ...platform.connect, needsRefresh: () => needsRefresh } } },
  })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  // channels of the previous test are no longer due
  await app.database.owner.query("update channel set check_at = 'infinity'")
  looks = []
  renewals = 0
  platformSays = works
  renewal = refused
  needsRefresh = false
  home = await app.signedInOwner()
  id = await content.channel(home, { handle: '@rook.example' })
})

const run = () =>
  checkDueChannels(
    { ...app.parts, notify: createNotification },
    { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: new AbortController().signal },
  )
/** A day later, when it is due. */
async function tomorrow() {
  app.clock.advance({ hours: 24 })
  return await run()
}
const shown = async () => (await app.call(allChannels, { params: home.params }, { as: home.person })).channels[0]
const notices = async () =>
  (await storedNotifications(app.database.owner, 'org_id = $1', [home.orgId])).map(
    ({ kind, title, body, link, count }) => ({ kind, title, body, link, count }),
  )

describe('the sign-in of a channel', () => {
  it('is checked once a day, and shows when', async () => {
    const connected = (await shown())?.checkedAt
    expect(connected).toBe(app.clock.now().toISOString())
    expect(await run()).toBe(0)
    expect(await tomorrow()).toBe(1)
    expect(looks).toEqual([{ token: 'a token of the tests' }])
    expect((await shown())?.checkedAt).toBe(app.clock.now().toISOString())
    expect(await run()).toBe(0)
  })

  it('is checked by one of two simultaneous workers', async () => {
    app.clock.advance({ hours: 24 })
    const [one, other] = await Promise.all([run(), run()])
    expect(one + other).toBe(1)
    expect(looks).toHaveLength(1)
  })

  it("isn't dead because its platform is unavailable: it's checked again in an hour", async () => {
    const before = (await shown())?.checkedAt
    platformSays = async () => away
    await tomorrow()
    expect(await shown()).toMatchObject({ status: 'CONNECTED', problem: null, checkedAt: before })
    expect(await notices()).toEqual([])
    expect(await run()).toBe(0)
    app.clock.advance({ hours: 1 })
    platformSays = works
    expect(await run()).toBe(1)
    expect((await shown())?.checkedAt).toBe(app.clock.now().toISOString())
  })

  it('is dead if the platform refuses it and its renewal: the channel says so, and people are notified once', async () => {
    platformSays = async () => dead
    await tomorrow()
    expect(renewals).toBe(1)
    expect(await shown()).toMatchObject({
      status: 'TOKEN_EXPIRED',
      problem: 'The token is dead. Reconnect the channel.',
    })
    expect(await notices()).toEqual([
      {
        kind: 'channel-signed-out',
        title: '@rook.example is signed out of Bluesky',
        body: expect.stringContaining('The token is dead.'),
        link: `/${home.orgId}/project/${home.projectId}/channels`,
        count: 1,
      },
    ])
    // it isn't checked again before it's reconnected
    expect(await tomorrow()).toBe(0)
  })

  it("is renewed once if it's refused early", async () => {
    renewal = async () => ({ kind: 'refreshed', secret: { token: 'a newer one' }, expiresAt: null })
    platformSays = async (_, secret) =>
      secret['token'] === 'a newer one'
        ? { kind: 'works', endsAt: null }
        : { kind: 'retry', first: 'renew', reason: saying('Old.') }
    await tomorrow()
    expect(looks).toEqual([{ token: 'a token of the tests' }, { token: 'a newer one' }])
    expect(await shown()).toMatchObject({ status: 'CONNECTED', checkedAt: app.clock.now().toISOString() })
    // one that is refused although it's fresh is dead
    platformSays = async () => dead
    await tomorrow()
    expect(await shown()).toMatchObject({
      status: 'TOKEN_EXPIRED',
      problem: 'The account was taken down. Reconnect the channel once it is back.',
    })
  })

  it("that works and can't be renewed ends with its token, and people are notified ahead", async () => {
    needsRefresh = true
    const expiresAt = new Date(app.clock.now().getTime() + 7 * 24 * 3_600_000)
    await app.database.owner.query('update channel_secret set expires_at = $2 where channel_id = $1', [id, expiresAt])
    await tomorrow()
    expect(await shown()).toMatchObject({ status: 'CONNECTED', problem: null, signInEndsAt: expiresAt.toISOString() })
    expect(await notices()).toMatchObject([{ kind: 'channel-sign-in-ends' }])
    // it was renewed after all
    renewal = async (_, secret) => ({ kind: 'refreshed', secret, expiresAt: null })
    await tomorrow()
    expect(await shown()).toMatchObject({ status: 'CONNECTED', signInEndsAt: null })
  })

  it("isn't renewed while publishing renews it", async () => {
    needsRefresh = true
    await app.database.owner.query(
      "update channel_secret set refresh_lease_until = $2, refresh_lease_by = 'another node' where channel_id = $1",
      [id, new Date(app.clock.now().getTime() + 25 * 3_600_000)],
    )
    await tomorrow()
    expect([renewals, looks.length, (await shown())?.status]).toEqual([0, 0, 'CONNECTED'])
  })

  it('that was reconnected during the check stays alive', async () => {
    platformSays = async () => {
      await app.database.owner.query('update channel_secret set version = version + 5 where channel_id = $1', [id])
      return dead
    }
    await tomorrow()
    expect(await shown()).toMatchObject({ status: 'CONNECTED', problem: null })
    expect(await notices()).toEqual([])
  })

  it("that can't be read is dead", async () => {
    await app.database.owner.query("update channel_secret set key_id = 'gone' where channel_id = $1", [id])
    await tomorrow()
    expect(await shown()).toMatchObject({
      status: 'TOKEN_EXPIRED',
      problem: expect.stringContaining("We can't read the saved sign-in"),
    })
  })

  it("is checked while the channel is disabled, and not while it's being deleted", async () => {
    await app.call(disableChannel, { params: { ...home.params, channelId: id } }, { as: home.person })
    expect(await tomorrow()).toBe(1)
    await app.call(deleteChannel, { params: { ...home.params, channelId: id } }, { as: home.person })
    expect(await tomorrow()).toBe(0)
    await runJobs(app, channelJobs(app.parts))
  })

  it("that fails a check doesn't keep others from theirs", async () => {
    const other = await content.channel(home)
    await app.database.owner.query("update channel set remote_id = 'broken' where id = $1", [id])
    platformSays = async (_, __, account) => {
      if (account.remoteId === 'broken') throw new Error('a bug')
      return { kind: 'works', endsAt: null }
    }
    expect(await tomorrow()).toBe(2)
    expect((await app.database.owner.query('select checked_at from channel where id = $1', [other])).rows).toEqual([
      { checked_at: app.clock.now() },
    ])
  })
})

describe('a sign-in that expires', () => {
  const endsIn = (days: number) => {
    const endsAt = new Date(app.clock.now().getTime() + days * 86_400_000)
    platformSays = async () => ({ kind: 'works', endsAt })
    return endsAt
  }

  it('is announced once, 7 days ahead, with the number of posts at risk', async () => {
    const endsAt = endsIn(8.5)
    for (const days of [3, 10, 11])
      await posts.post(home, id, {
        schedule: at(new Date(app.clock.now().getTime() + days * 86_400_000).toISOString()),
      })
    await tomorrow()
    expect(await shown()).toMatchObject({ status: 'CONNECTED', signInEndsAt: endsAt.toISOString() })
    expect(await notices()).toEqual([])
    await tomorrow()
    const day = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'long', timeZone: 'Europe/London' }).format(
      endsAt,
    )
    const told = {
      kind: 'channel-sign-in-ends',
      title: `@rook.example will be signed out of Bluesky on ${day}`,
      body: "2 posts scheduled after that date won't be published. Reconnect the channel before then.",
      link: `/${home.orgId}/project/${home.projectId}/channels`,
      count: 1,
    }
    expect(await notices()).toEqual([told])
    await tomorrow()
    expect(await notices()).toEqual([told])
  })

  it('is announced again if it was extended and comes near again', async () => {
    endsIn(5)
    await tomorrow()
    endsIn(90)
    await tomorrow()
    expect((await shown())?.signInEndsAt).not.toBeNull()
    endsIn(5)
    await tomorrow()
    expect(await notices()).toMatchObject([{ kind: 'channel-sign-in-ends', count: 2 }])
  })
})

describe('the hourly sweep', () => {
  it('restarts a deletion that nobody carried out', async () => {
    await app.call(deleteChannel, { params: { ...home.params, channelId: id } }, { as: home.person })
    await app.database.owner.query('delete from graphile_worker._private_jobs')
    const sweep = channelJobs(app.parts).find(({ name }) => name === 'channels.sweep')
    const context = {
      databases: app.parts.databases,
      clock: app.clock,
      log: app.parts.log,
      signal: new AbortController().signal,
    }
    await sweep?.perform(context, {})
    expect(await runJobs(app, channelJobs(app.parts))).toBe(0)
    app.clock.advance({ hours: 2 })
    await sweep?.perform(context, {})
    expect(await runJobs(app, channelJobs(app.parts))).toBe(1)
    expect(await shown()).toBeUndefined()
  })
  it("restarts all of them, however many of another organization's never end", async () => {
    const stuck = await app.database.owner.query<{ id: string }>(
      `insert into channel select (jsonb_populate_record(channel, jsonb_build_object('id', gen_random_uuid(), 'remote_id', 'stuck ' || n, 'deleting_at', $2::timestamptz))).*
       from channel, generate_series(1, 120) n where id = $1 returning id`,
      [id, app.clock.now()],
    )
    const other = await app.signedInOwner()
    const channelId = await content.channel(other)
    await app.call(deleteChannel, { params: { ...other.params, channelId } }, { as: other.person })
    await app.database.owner.query('delete from graphile_worker._private_jobs')
    app.clock.advance({ hours: 2 })
    await channelJobs(app.parts)
      .find(({ name }) => name === 'channels.sweep')
      ?.perform({ ...app.parts, signal: new AbortController().signal }, {})
    const { rows } = await app.database.owner.query<{ id: string }>(
      "delete from graphile_worker._private_jobs returning payload ->> 'channelId' as id",
    )
    const all = [...stuck.rows.map((row) => row.id), channelId]
    await app.database.owner.query('delete from channel where id = any($1)', [all])
    expect(rows.map((row) => row.id)).toEqual(expect.arrayContaining(all))
  })
})
