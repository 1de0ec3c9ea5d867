import { putDelivery } from '../testing/deliveries.ts'
import { saying } from '../testing/reasons.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  allChannels,
  channelsOfUser,
  connectBluesky,
  createAccess,
  deleteChannel,
  disableChannel,
  editChannel,
  enableChannel,
  listChannels,
  myChannels,
} from '#contract/channels.ts'
import { listPosts, rowsOf } from '#contract/postLists.ts'
import { submitPost } from '#contract/submit.ts'
import { asTenant } from '../db/tenant.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { channelJobs } from './jobs.ts'
import { loadSecret } from '../delivery/secrets.ts'

type SignIn = NonNullable<Platform['connect']['withCredentials']>
const signsIn: SignIn = async (_, { handle = '', service }) => ({
  kind: 'connected',
  account: {
    remoteId: `did:plc:${world}-${handle}`,
    name: `Name of ${handle}`,
    handle: `@${handle}`,
    pictureUrl: 'https://cdn.example/a.jpg',
    service: service ?? 'https://bsky.example',
  },
  secret: { accessJwt: 'the-token-of-the-test' },
  expiresAt: null,
})

/** Accounts of one test differ from those of the next. */
let world = 0
let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
/** How the platform responds in the running test. */
let platformSays: SignIn = signsIn

beforeAll(async () => {
  app = await startApp({
    platforms: { bluesky: testPlatform({ connect: (reach, fields) => platformSays(reach, fields) }) },
  })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  world += 1
  platformSays = signsIn
  home = await app.signedInOwner()
})

const connect = (handle: string, as: TestPerson = home.person, at = home.params) =>
  app.call(connectBluesky, { params: at, body: { handle, appPassword: 'abcd-efgh-ijkl-mnop' } }, { as })
const handles = async (as = home.person) =>
  (await app.call(allChannels, { params: home.params }, { as })).channels.map(({ handle }) => handle)
const at = (channelId: string) => ({ ...home.params, channelId })
/** Deletes a channel and runs the job. */
const remove = async (channelId: string) => {
  const answer = await app.call(deleteChannel, { params: at(channelId) }, { as: home.person })
  await runJobs(app, channelJobs(app.parts))
  return answer
}
const schedule = (channelId: string, utc = '2026-11-22T09:30:00.000Z') =>
  app.call(
    submitPost,
    {
      params: home.params,
      body: {
        intent: 'SCHEDULE',
        channels: [{ channelId, postType: 'post', contents: [{ text: 'Hello', media: [] }] }],
        schedule: { type: 'ONCE', details: { utc, timezone: 'Europe/London' } },
      },
    },
    { as: home.person },
  )
const lane = async (channelId: string) =>
  (await app.database.owner.query('select paused from lane where channel_id = $1', [channelId])).rows[0]

describe('connecting', () => {
  it('stores the account, its encrypted token and its lane, with an audit entry', async () => {
    const { channel, reconnected } = await connect('@Rook.Example')
    expect(reconnected).toBe(false)
    expect(channel).toMatchObject({
      handle: '@rook.example',
      channelName: 'Name of rook.example',
      platformName: 'bluesky',
      status: 'CONNECTED',
      enabled: true,
      simulated: false,
      zone: 'Europe/London',
      domain: 'bsky.example',
      scheduledPosts: 0,
      problem: null,
    })
    const stored = await asTenant(app.database.databases.web, home.orgId, (tx) =>
      loadSecret(tx, app.parts.secrets, { orgId: home.orgId, channelId: channel.channelId }),
    )
    expect(stored?.secret).toEqual({ accessJwt: 'the-token-of-the-test' })
    const { rows } = await app.database.owner.query(
      "select encode(sealed, 'escape') as text from channel_secret where channel_id = $1",
      [channel.channelId],
    )
    expect(rows[0].text).not.toContain('the-token')
    expect(await lane(channel.channelId)).toEqual({ paused: false })
    const audit = await app.database.owner.query(
      "select person_id, entity_id from audit where org_id = $1 and entity = 'channel'",
      [home.orgId],
    )
    expect(audit.rows).toEqual([{ person_id: home.person.personId, entity_id: channel.channelId }])
  })

  it('stores only the characters of a name that the database accepts', async () => {
    platformSays = async (reach, fields) => {
      const answer = await signsIn(reach, fields)
      return answer.kind === 'connected'
        ? { ...answer, account: { ...answer.account, name: 'Ro\u0000ok \ud83d' } }
        : answer
    }
    expect((await connect('zero.example')).channel).toMatchObject({ channelName: 'Rook \ufffd' })
  })

  it('holds no transaction while the platform is called', async () => {
    platformSays = async (...call) => {
      const open = await app.database.owner.query(
        "select 1 from pg_stat_activity where application_name = 'rookery web' and state like 'idle in transaction%' and datname = current_database()",
      )
      expect(open.rows).toEqual([])
      return await signsIn(...call)
    }
    await connect('rook.example')
  })

  it('reports a refusal with the platform’s message, and stores nothing', async () => {
    const reason = {
      ...saying('Bluesky did not accept this handle and app password.', 'Check both.'),
      platformCode: 'AuthenticationRequired',
    }
    platformSays = async () => ({ kind: 'rejected', reason })
    await expect(connect('rook.example')).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      status: 422,
      problem: {
        detail: 'Bluesky did not accept this handle and app password. Check both.',
        meta: { platformCode: 'AuthenticationRequired' },
      },
    })
    platformSays = async () => ({
      kind: 'retry',
      afterSeconds: 30,
      reason: saying('Bluesky is away.', 'Try again.'),
    })
    await expect(connect('rook.example')).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE', status: 502 })
    platformSays = async () => ({
      kind: 'rejected',
      reason: {
        ...saying('https://10.0.0.1 is not a public address.', 'Enter another.'),
        platformCode: 'address-refused',
      },
    })
    await expect(connect('rook.example')).rejects.toMatchObject({ code: 'ADDRESS_REFUSED' })
    expect(await handles()).toEqual([])
  })

  it('needs a complete handle and an app password', async () => {
    const call = (body: { handle: string; appPassword: string; service?: string }) =>
      app.call(connectBluesky, { params: home.params, body }, { as: home.person })
    await expect(call({ handle: 'rook', appPassword: ' ' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: {
        errors: {
          handle: [expect.stringContaining('name.bsky.social')],
          appPassword: ['Enter an app password from your Bluesky settings'],
        },
      },
    })
    await expect(call({ handle: 'rook.example', appPassword: 'x', service: 'ftp://x' })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  })

  it('is for admins: editors, users and strangers are refused', async () => {
    for (const role of ['editor', 'user', 'none'] as const)
      await expect(connect('rook.example', await app.colleague(home, role))).rejects.toMatchObject({
        code: 'FORBIDDEN',
      })
    await expect(connect('rook.example', (await app.signedInOwner()).person)).rejects.toMatchObject({
      code: 'IDENTIFIERS_ERROR',
    })
    expect(await handles()).toEqual([])
  })
})

describe('reconnecting', () => {
  it('continues the account’s channel with its posts, name and zone, without a second one', async () => {
    const { channel } = await connect('rook.example')
    await schedule(channel.channelId)
    await app.call(
      editChannel,
      { params: at(channel.channelId), body: { channelName: 'Our rook', zone: 'Asia/Tokyo' } },
      { as: home.person },
    )
    await app.database.owner.query(
      `update channel set status = 'TOKEN_EXPIRED', problem = '{"code": "sign-in-missing"}' where id = $1`,
      [channel.channelId],
    )
    await app.database.owner.query('update lane set paused = true where channel_id = $1', [channel.channelId])
    const again = await connect('rook.example')
    expect(again).toMatchObject({
      reconnected: true,
      message: 'Channel reconnected',
      channel: {
        channelId: channel.channelId,
        status: 'CONNECTED',
        problem: null,
        channelName: 'Our rook',
        zone: 'Asia/Tokyo',
        scheduledPosts: 1,
      },
    })
    expect(await lane(channel.channelId)).toEqual({ paused: false })
    expect(await handles()).toEqual(['@rook.example'])
  })

  it('finds the history of a deleted channel', async () => {
    const { channel } = await connect('rook.example')
    await remove(channel.channelId)
    expect(await handles()).toEqual([])
    expect(await connect('rook.example')).toMatchObject({
      reconnected: false,
      channel: { channelId: channel.channelId, enabled: true, status: 'CONNECTED' },
    })
  })

  it("works when the plan is full; another channel doesn't", async () => {
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    const editor = await app.colleague(home, 'editor')
    expect(await app.call(createAccess, { params: home.params }, { as: home.person })).toEqual({
      allowed: true,
      gate: null,
    })
    // no gate is closed, but an editor can't connect
    expect(await app.call(createAccess, { params: home.params }, { as: editor })).toEqual({
      allowed: false,
      gate: null,
    })
    for (const n of [1, 2, 3]) await connect(`rook${n}.example`)
    expect(await app.call(createAccess, { params: home.params }, { as: home.person })).toEqual({
      allowed: false,
      gate: 'channels',
    })
    await expect(connect('rook4.example')).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      status: 402,
      problem: { meta: { gate: 'channels' } },
    })
    expect((await connect('rook2.example')).reconnected).toBe(true)
  })

  it('is refused if the channel is outside of the role', async () => {
    const { channel } = await connect('rook.example')
    const mine = await content.channel(home)
    const admin = await app.colleague(home, 'admin', { channelIds: [mine] })
    await expect(connect('rook.example', admin)).rejects.toMatchObject({ code: 'CHANNEL_TAKEN' })
    expect(channel.handle).toBe('@rook.example')
  })
})

describe('the plan', () => {
  it('keeps two simultaneous connections from taking one last place', async () => {
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    for (const n of [1, 2]) await connect(`rook${n}.example`)
    const outcomes = await Promise.allSettled([3, 4, 5, 6].map((n) => connect(`rook${n}.example`)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await handles()).toHaveLength(3)
  })

  it('with more channels than places enables no more than it includes', async () => {
    const ids = []
    for (const n of [1, 2, 3, 4]) ids.push((await connect(`rook${n}.example`)).channel.channelId)
    const [first = '', second = ''] = ids
    for (const id of [first, second]) await app.call(disableChannel, { params: at(id) }, { as: home.person })
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    await app.call(enableChannel, { params: at(first), body: {} }, { as: home.person })
    const locked = { code: 'PLAN_LIMIT', status: 402, problem: { meta: { gate: 'channels' } } }
    await expect(app.call(enableChannel, { params: at(second), body: {} }, { as: home.person })).rejects.toMatchObject(
      locked,
    )
    // nor does reconnecting it
    await expect(connect('rook2.example')).rejects.toMatchObject(locked)
  })

  it('that has ended connects and enables nothing', async () => {
    const { channel } = await connect('rook.example')
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    expect(await app.call(createAccess, { params: home.params }, { as: home.person })).toEqual({
      allowed: false,
      gate: 'plan_expired',
    })
    await expect(connect('rook2.example')).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'plan_expired' } },
    })
    await expect(
      app.call(enableChannel, { params: at(channel.channelId), body: {} }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })

  it('refuses on a trial what another trial had, and accepts it on a plan', async () => {
    await connect('rook.example')
    const other = await app.signedInOwner()
    await expect(connect('rook.example', other.person, other.params)).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { detail: expect.stringContaining('already used in a free trial') },
    })
    expect((await app.call(allChannels, { params: other.params }, { as: other.person })).channels).toEqual([])
    await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [other.orgId])
    await connect('rook.example', other.person, other.params)
  })
})

describe('lists', () => {
  it('are paginated, with the number of scheduled posts', async () => {
    for (const n of [1, 2, 3]) {
      await connect(`rook${n}.example`)
      app.clock.advance({ minutes: 1 })
    }
    const [first] = (await app.call(allChannels, { params: home.params }, { as: home.person })).channels
    await schedule(first?.channelId ?? '', '2026-12-22T09:30:00.000Z')
    const page = await app.call(
      listChannels,
      { params: home.params, query: { page: 1, limit: 2 } },
      { as: home.person },
    )
    expect(page.pagination).toEqual({ currentPage: 1, totalPages: 2, totalCount: 3 })
    expect(page.channels.map(({ handle, scheduledPosts }) => [handle, scheduledPosts])).toEqual([
      ['@rook1.example', 1],
      ['@rook2.example', 0],
    ])
  })

  it('hide what is outside of the role, from every verb', async () => {
    const [mine, other] = [await content.channel(home, { handle: '@mine.example' }), await content.channel(home)]
    const admin = await app.colleague(home, 'admin', { channelIds: [mine] })
    expect(await handles(admin)).toEqual(['@mine.example'])
    await expect(app.call(disableChannel, { params: at(other) }, { as: admin })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await app.call(disableChannel, { params: at(mine) }, { as: admin })
  })

  it('of one’s own, and of a member, only show what the caller can access', async () => {
    const [one, two, three] = [
      await content.channel(home, { handle: '@one.example' }),
      await content.channel(home, { handle: '@two.example' }),
      await content.channel(home, { handle: '@three.example' }),
    ]
    const bound = await app.colleague(home, 'user', { channelIds: [one, two] })
    const other = await app.colleague(home, 'editor', { channelIds: [two, three] })
    const free = await app.colleague(home, 'editor')
    const mine = async (as: TestPerson) =>
      (await app.call(myChannels, { params: home.params }, { as })).channels.map(({ handle }) => handle)
    const of = async (who: TestPerson | null, as: TestPerson) => {
      const answer = await app.call(
        channelsOfUser,
        { params: home.params, query: who ? { userId: who.personId } : {} },
        { as },
      )
      return { handles: answer.channels.map(({ handle }) => handle), all: answer.all }
    }
    expect(await mine(bound)).toEqual(['@one.example', '@two.example'])
    expect(await of(null, bound)).toEqual({ handles: ['@one.example', '@two.example'], all: false })
    expect(await of(bound, home.person)).toEqual({ handles: ['@one.example', '@two.example'], all: false })
    expect(await of(free, home.person)).toEqual({
      handles: ['@one.example', '@two.example', '@three.example'],
      all: true,
    })
    // a role with specific channels sees its own among others'
    expect(await of(other, bound)).toEqual({ handles: ['@two.example'], all: false })
    expect(await of(home.person, bound)).toEqual({ handles: ['@one.example', '@two.example'], all: true })
    for (const nobody of [await app.memberOnly(home), (await app.signedInOwner()).person])
      await expect(of(nobody, home.person)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('include what a member with such a role connects', async () => {
    const mine = await content.channel(home, { handle: '@mine.example' })
    const admin = await app.colleague(home, 'admin', { channelIds: [mine] })
    await connect('new.example', admin)
    expect((await handles(admin)).toSorted()).toEqual(['@mine.example', '@new.example'])
  })
})

describe('a channel', () => {
  it('is paused with its posts, and resumed', async () => {
    const id = await content.channel(home)
    await schedule(id)
    expect(await app.call(disableChannel, { params: at(id) }, { as: home.person })).toEqual({
      paused: 1,
      message: 'Channel Disabled. 1 scheduled post is paused until you enable it.',
    })
    expect(await lane(id)).toEqual({ paused: true })
    expect(await app.call(enableChannel, { params: at(id), body: {} }, { as: home.person })).toEqual({
      resumed: 1,
      late: 0,
      message: 'Channel Enabled. 1 scheduled post will be published as planned.',
    })
    expect(await lane(id)).toEqual({ paused: false })
  })

  it("with an expired token stays paused when it's enabled", async () => {
    const id = await content.channel(home)
    await app.call(disableChannel, { params: at(id) }, { as: home.person })
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [id])
    await app.call(enableChannel, { params: at(id), body: {} }, { as: home.person })
    expect(await lane(id)).toEqual({ paused: true })
  })

  it('that is deleted loses its token; scheduled posts become drafts, published ones stay', async () => {
    const id = await content.channel(home, { handle: '@rook.example' })
    const waiting = await schedule(id)
    const published = await schedule(id)
    await app.database.owner.query(
      "update post set state = 'PUBLISHED', permalink = 'https://x.example/1' where id = $1",
      [published.posts[0]?.postId],
    )
    await putDelivery(app.database.owner, published.posts[0]?.postId ?? '', { step: null, step_at: null })
    expect(await remove(id)).toEqual({ message: 'The deletion request was accepted and may take a minute or two.' })
    expect((await app.database.owner.query('select 1 from channel_secret where channel_id = $1', [id])).rows).toEqual(
      [],
    )
    const list = await app.call(listPosts, { params: home.params }, { as: home.person })
    expect(
      rowsOf(list)
        .map(({ postId, status, channel }) => ({ postId, status, handle: channel?.handle }))
        .toSorted((a, b) => a.status.localeCompare(b.status)),
    ).toEqual([
      { postId: waiting.posts[0]?.postId, status: 'DRAFTS', handle: undefined },
      { postId: published.posts[0]?.postId, status: 'PUBLISHED', handle: '@rook.example' },
    ])
    const [draft] = (
      await app.database.owner.query(
        'select step_at, draft, due_at from post left join delivery on subject_id = id where id = $1',
        [waiting.posts[0]?.postId],
      )
    ).rows
    expect(draft).toMatchObject({
      step_at: null,
      due_at: new Date('2026-11-22T09:30:00Z'),
      draft: {
        text: 'Hello',
        channelIds: [],
        schedule: { mode: 'once', date: '2026-11-22', time: '09:30', timezone: 'Europe/London' },
      },
    })
    await expect(app.call(deleteChannel, { params: at(id) }, { as: home.person })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })

  it('that is deleted while people submit to it keeps no scheduled post', async () => {
    const id = await content.channel(home)
    const submits = Array.from({ length: 8 }, () => schedule(id))
    const [gone, ...outcomes] = await Promise.allSettled([
      app.call(deleteChannel, { params: at(id) }, { as: home.person }),
      ...submits,
    ])
    expect(gone.status).toBe('fulfilled')
    await runJobs(app, channelJobs(app.parts))
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'NOT_FOUND' })
    const { rows } = await app.database.owner.query(
      'select p.state, p.channel_id, step_at from post p left join delivery on subject_id = id where p.org_id = $1',
      [home.orgId],
    )
    expect(rows).toHaveLength(outcomes.filter(({ status }) => status === 'fulfilled').length)
    for (const row of rows) expect(row).toEqual({ state: 'DRAFTS', channel_id: null, step_at: null })
  })

  it("accepts another name, zone and lateness limit, and no zone that doesn't exist", async () => {
    const id = await content.channel(home)
    await app.call(
      editChannel,
      { params: at(id), body: { channelName: 'Rooks', zone: 'America/New_York', latenessMinutes: 15 } },
      { as: home.person },
    )
    const [channel] = (await app.call(allChannels, { params: home.params }, { as: home.person })).channels
    expect(channel).toMatchObject({ channelName: 'Rooks', zone: 'America/New_York', latenessMinutes: 15 })
    await expect(
      app.call(editChannel, { params: at(id), body: { zone: 'Mars/Olympus' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', problem: { errors: { zone: ['Unknown time zone'] } } })
    await expect(
      app.call(editChannel, { params: at(id), body: { latenessMinutes: 1 } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it("that is unknown or another tenant's doesn't exist", async () => {
    const foreign = await content.channel(await app.signedInOwner())
    for (const id of [foreign, randomUUID()]) {
      await expect(app.call(disableChannel, { params: at(id) }, { as: home.person })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      await expect(app.call(enableChannel, { params: at(id), body: {} }, { as: home.person })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      await expect(app.call(deleteChannel, { params: at(id) }, { as: home.person })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
      await expect(app.call(editChannel, { params: at(id), body: {} }, { as: home.person })).rejects.toMatchObject({
        code: 'NOT_FOUND',
      })
    }
  })

  it('is for admins to change', async () => {
    const id = await content.channel(home)
    const editor = await app.colleague(home, 'editor')
    await expect(app.call(enableChannel, { params: at(id), body: {} }, { as: editor })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
    for (const endpoint of [disableChannel, deleteChannel])
      await expect(app.call(endpoint, { params: at(id) }, { as: editor })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    await expect(app.call(editChannel, { params: at(id), body: {} }, { as: editor })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    })
  })
})

it('marks an account on a server in OUTGOING_ALLOW as simulated, in development only', async () => {
  const service = 'http://127.0.0.1:2583'
  const simulated = async (env: Record<string, string>) => {
    const other = await startApp({
      env: { OUTGOING_ALLOW: '127.0.0.1:2583', ...env },
      platforms: { bluesky: testPlatform({ connect: signsIn }) },
    })
    const owner = await other.signedInOwner()
    const { channel } = await other.call(
      connectBluesky,
      { params: owner.params, body: { handle: 'rook.example', appPassword: 'x', service } },
      { as: owner.person },
    )
    await other.close()
    expect(channel.kind).toBeNull()
    return channel.simulated
  }
  expect(await simulated({ SIMULATED_CHANNELS: '1' })).toBe(true)
  expect(await simulated({})).toBe(false)
})
