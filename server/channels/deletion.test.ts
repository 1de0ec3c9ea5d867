import { saying } from '../testing/reasons.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  allChannels,
  connectBluesky,
  createAccess,
  deleteChannel,
  disableChannel,
  editChannel,
  enableChannel,
} from '#contract/channels.ts'
import { submitPost } from '#contract/submit.ts'
import type { Platform } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn, TOMORROW } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { channelJobs } from './jobs.ts'

type Revoke = NonNullable<Platform['connect']['revoke']>
const ACCEPTED = { message: 'The deletion request was accepted and may take a minute or two.' }
const revoked: Revoke = async () => ({ kind: 'revoked' })
const away: Revoke = async () => ({ kind: 'retry', reason: saying('The platform is away.') })

let app: TestApp
let content: ReturnType<typeof contentOn>
let posts: ReturnType<typeof postsOn>
let home: TestHome
let id: string
/** Accounts of one test differ from those of the next. */
let world = 0
/** The tokens that the platform was asked to revoke, and how it responds. */
let ended: unknown[] = []
let platformSays: Revoke = revoked
/** How often the platform was asked to notify us no longer. */
let unsubscribed = 0

beforeAll(async () => {
  const revoke: Revoke = (...call) => (ended.push(call[1]), platformSays(...call))
  const connect: Platform['connect']['withCredentials'] = async (_, { handle = '' }) => ({
    kind: 'connected',
    account: {
      remoteId: `did:plc:${handle}`,
      name: handle,
      handle: `@${handle}`,
      pictureUrl: null,
      service: 'https://pds.example',
    },
    secret: {},
    expiresAt: null,
  })
  const unsubscribe = async () => (unsubscribed++, { kind: 'unsubscribed' as const })
  const push = { challenge: () => null, isSigned: () => false, parse: () => [], unsubscribe }
  app = await startApp({ platforms: { bluesky: { ...testPlatform({ revoke, connect }), push } } })
  content = contentOn(app.parts)
  posts = postsOn(app, app.database)
})
afterAll(() => app.close())
beforeEach(async () => {
  // what the previous test left undone
  platformSays = revoked
  await work()
  ended = []
  unsubscribed = 0
  world += 1
  home = await app.signedInOwner()
  id = await content.channel(home, { handle: `@rook${world}.example`, remoteId: `did:plc:rook${world}.example` })
})

const remove = () => app.call(deleteChannel, { params: { ...home.params, channelId: id } }, { as: home.person })
const work = (options?: { once: boolean }) => runJobs(app, channelJobs(app.parts), options)
const listed = async () => (await app.call(allChannels, { params: home.params }, { as: home.person })).channels
const row = async () =>
  (await app.database.owner.query('select status, enabled, deleted_at, deleting_at from channel where id = $1', [id]))
    .rows[0]
const secrets = async () =>
  (await app.database.owner.query('select 1 from channel_secret where channel_id = $1', [id])).rowCount

describe('deleting a channel', () => {
  it("is accepted immediately: the channel is paused, says so, and there's an audit entry", async () => {
    expect(await remove()).toEqual(ACCEPTED)
    expect(await listed()).toMatchObject([{ channelId: id, deleting: true }])
    expect((await app.database.owner.query('select paused from lane where channel_id = $1', [id])).rows).toEqual([
      { paused: true },
    ])
    expect(
      (
        await app.database.owner.query(
          "select person_id, entity_id from audit where org_id = $1 and action = 'deleted' and entity = 'channel'",
          [home.orgId],
        )
      ).rows,
    ).toEqual([{ person_id: home.person.personId, entity_id: id }])
    expect(
      (await app.database.owner.query("select ref from event where org_id = $1 and kind = 'channel'", [home.orgId]))
        .rows,
    ).toEqual([{ ref: id }])
    expect(await secrets()).toBe(1)
  })

  it('revokes the sign-in at the platform, then deletes it and turns scheduled posts into drafts', async () => {
    const waiting = await posts.post(home, id, { schedule: TOMORROW })
    await remove()
    expect(await work()).toBe(1)
    expect(ended).toEqual([{ token: 'a token of the tests' }])
    expect(await listed()).toEqual([])
    expect(await row()).toMatchObject({
      status: 'DISCONNECTED',
      enabled: false,
      deleted_at: app.clock.now(),
      deleting_at: null,
    })
    expect(await secrets()).toBe(0)
    expect(await posts.row(waiting)).toMatchObject({ state: 'DRAFTS', channel_id: null })
    // no notification: the person knows
    expect((await app.database.owner.query('select 1 from notice where org_id = $1', [home.orgId])).rowCount).toBe(0)
  })

  it("ends the platform's notifications with the last channel of the account, of whatever organization", async () => {
    const other = await app.signedInOwner()
    const twin = await content.channel(other, {
      handle: `@rook${world}.example`,
      remoteId: `did:plc:rook${world}.example`,
    })
    await remove()
    await work()
    expect(unsubscribed).toBe(0)
    await app.call(deleteChannel, { params: { ...other.params, channelId: twin } }, { as: other.person })
    await work()
    expect(unsubscribed).toBe(1)
  })

  it('happens once when requested twice', async () => {
    await remove()
    expect(await remove()).toEqual(ACCEPTED)
    expect(await work()).toBe(1)
    await expect(remove()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    // the job that runs after it was done finds nothing to do
    await app.database.owner.query("select graphile_worker.add_job('channels.delete', $1::json)", [
      JSON.stringify({ orgId: home.orgId, channelId: id }),
    ])
    await work()
    expect(ended).toHaveLength(1)
  })

  it('retries an unavailable platform a few times, and continues without it', async () => {
    platformSays = away
    await remove()
    await work({ once: true })
    expect(await listed()).toMatchObject([{ deleting: true }])
    expect(
      (
        await app.database.owner.query(
          "select run_at - $1 as wait from graphile_worker.jobs where task_identifier = 'channels.delete'",
          [app.clock.now()],
        )
      ).rows,
    ).toEqual([{ wait: expect.objectContaining({ seconds: 20 }) }])
    await work()
    expect(ended).toHaveLength(3)
    expect(await listed()).toEqual([])
  })

  it("continues if the adapter fails, and if the token can't be read", async () => {
    platformSays = () => Promise.reject(new Error('a bug'))
    await remove()
    await work()
    expect(await listed()).toEqual([])
    id = await content.channel(home)
    await app.database.owner.query("update channel_secret set key_id = 'gone' where channel_id = $1", [id])
    await remove()
    await work()
    expect(await listed()).toEqual([])
  })

  it('waits for a post that is being sent', async () => {
    await app.database.owner.query(
      "insert into delivery (org_id, channel_id, subject, subject_id, lease_id, lease_until) values ($1, $2, 'post', gen_random_uuid(), gen_random_uuid(), $3)",
      [home.orgId, id, new Date(app.clock.now().getTime() + 30_000)],
    )
    await remove()
    await work({ once: true })
    expect(await listed()).toMatchObject([{ deleting: true }])
    expect(ended).toEqual([])
    app.clock.advance({ seconds: 31 })
    await work()
    expect(await listed()).toEqual([])
    expect(ended).toHaveLength(1)
  })

  it('refuses what would be lost in the meantime: changes, posts, reconnecting', async () => {
    await remove()
    const params = { ...home.params, channelId: id }
    const refusal = { code: 'CHANNEL_DELETING', status: 409 }
    await expect(app.call(enableChannel, { params, body: {} }, { as: home.person })).rejects.toMatchObject(refusal)
    await expect(app.call(disableChannel, { params }, { as: home.person })).rejects.toMatchObject(refusal)
    await expect(
      app.call(editChannel, { params, body: { channelName: 'Other' } }, { as: home.person }),
    ).rejects.toMatchObject(refusal)
    await expect(
      app.call(
        connectBluesky,
        { params: home.params, body: { handle: `rook${world}.example`, appPassword: 'x' } },
        { as: home.person },
      ),
    ).rejects.toMatchObject(refusal)
    await expect(posts.post(home, id)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(
      app.call(
        submitPost,
        {
          params: home.params,
          body: {
            intent: 'PUBLISH',
            channels: [{ channelId: id, postType: 'post', contents: [{ text: 'Hello', media: [] }] }],
            schedule: { type: 'NOW' },
          },
        },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('frees its place in the plan immediately', async () => {
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    await content.channel(home)
    await content.channel(home)
    expect(await app.call(createAccess, { params: home.params }, { as: home.person })).toEqual({
      allowed: false,
      gate: 'channels',
    })
    await remove()
    expect(await app.call(createAccess, { params: home.params }, { as: home.person })).toEqual({
      allowed: true,
      gate: null,
    })
  })
})
