import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allChannels, channelPicture, deleteChannel } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import { dashboardChannels } from '#contract/dashboard.ts'
import { lookup } from '#contract/lookups.ts'
import { listOrgChannels, listProjects } from '#contract/orgSettings.ts'
import { postFilters } from '#contract/postLists.ts'
import { createNotification } from '../notifications/create.ts'
import type { ConnectByPage, Platform } from '../platforms/platform.ts'
import type { SafeFetch } from '../platforms/safeFetch.ts'
import { drawPicture, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { checkDueChannels } from './health.ts'
import { channelJobs } from './jobs.ts'

/* Pictures of accounts: fetched by the server, and served by it to people who may see them. */

type Check = NonNullable<Platform['connect']['check']>
const FIRST = 'https://cdn.example/first.jpg'
const SECOND = 'https://cdn.example/second.jpg'

let app: TestApp
let home: TestHome
/** Accounts of one test differ from those of the next. */
let world = 0
let asked: string[] = []
let hasPictures = true
let offered: string | null = FIRST
let daily: Check

const fetch: SafeFetch = async (url) => {
  asked.push(url)
  const body = hasPictures ? await drawPicture({ width: 60, height: 40, type: 'jpeg' }) : Buffer.from('<html>')
  return { kind: 'answer', status: 200, headers: {}, body, url }
}
const page: ConnectByPage = {
  begin: async (_, { state }) => ({ kind: 'begun', url: `https://platform.example/?state=${state}`, keep: {} }),
  answer: async () => ({
    kind: 'accounts',
    accounts: [
      {
        account: {
          remoteId: `did:plc:${world}`,
          name: 'Rook',
          handle: '@rook.example',
          pictureUrl: offered,
          service: 'https://pds.example',
        },
        secret: { token: 'of the test' },
        expiresAt: null,
      },
    ],
  }),
}

beforeAll(async () => {
  const item = { id: '1', name: 'Crow', detail: null, pictureUrl: SECOND, insert: null }
  app = await startApp({
    fetch,
    platforms: {
      bluesky: testPlatform({
        page,
        check: (...call) => daily(...call),
        lookups: { people: async () => ({ kind: 'found', items: [item] }) },
      }),
    },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  world += 1
  asked = []
  hasPictures = true
  offered = FIRST
  daily = async () => ({ kind: 'works', endsAt: null, pictureUrl: FIRST })
  await app.database.owner.query("update channel set check_at = 'infinity'")
  home = await app.signedInOwner()
})

const offer = async () => {
  const { url } = await app.call(connectAuth, { params: { ...home.params, platform: 'bluesky' } }, { as: home.person })
  return await app.call(
    connectCallback,
    {
      params: { ...home.params, platform: 'bluesky' },
      body: { state: new URL(url).searchParams.get('state') ?? '', code: 'c' },
    },
    { as: home.person },
  )
}
const work = () => runJobs(app, channelJobs(app.parts))
/** Connects the account and runs the job that fetches its picture. */
async function connect(): Promise<string> {
  const { flowId, accounts } = await offer()
  const { channels } = await app.call(
    connectConfirm,
    {
      params: { ...home.params, platform: 'bluesky' },
      body: { flowId, profiles: accounts.map(({ remoteId }) => remoteId) },
    },
    { as: home.person },
  )
  await work()
  return channels[0]?.channelId ?? ''
}
const addressOf = async (channelId: string) =>
  (await app.call(allChannels, { params: home.params }, { as: home.person })).channels.find(
    (one) => one.channelId === channelId,
  )?.profileUrl
const get = (url: string, { cookies }: TestPerson = home.person) =>
  app.app.inject({ url, headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') } })
const kept = async (channelId: string) =>
  (await app.database.owner.query('select source_url from channel_picture where channel_id = $1', [channelId])).rows
/** A day later, when the channel is due. */
async function tomorrow() {
  app.clock.advance({ hours: 24 })
  const { databases, log } = app.parts
  await checkDueChannels(
    { ...app.parts, notify: createNotification },
    { databases, clock: app.clock, log, signal: new AbortController().signal },
  )
  await work()
}

describe('the picture of a channel', () => {
  it('is fetched once and served by us: a small WebP that browsers cache', async () => {
    const channelId = await connect()
    const address = (await addressOf(channelId)) ?? ''
    expect(address).toMatch(/^\/api\/.*\/picture\?of=[0-9a-f]{12}$/)
    const answer = await get(address)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    expect(await sharp(answer.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128, height: 128 })
    await get(address)
    expect(asked).toEqual([FIRST])
  })

  it('has the same URL wherever channels are listed, never the platform’s', async () => {
    const channelId = await connect()
    const address = await addressOf(channelId)
    const as = { as: home.person }
    const org = { orgId: home.orgId }
    const lists = [
      (await app.call(dashboardChannels, { params: home.params }, as)).channels,
      (await app.call(postFilters, { params: home.params }, as)).channels,
      (await app.call(listOrgChannels, { params: org }, as)).channels,
      (await app.call(listProjects, { params: org }, as)).projects.flatMap(({ channels }) => channels),
    ]
    for (const list of lists) expect(list.map(({ profileUrl }) => profileUrl)).toEqual([address])
    expect(JSON.stringify(lists)).not.toContain('cdn.example')
  })

  it('is for people whose role includes the channel', async () => {
    const channelId = await connect()
    const address = (await addressOf(channelId)) ?? ''
    const other = await app.signedInOwner()
    expect((await get(address, await app.colleague(home, 'none'))).statusCode).toBe(200)
    expect((await get(address, await app.colleague(home, 'user', { channelIds: [] }))).statusCode).toBe(404)
    expect((await get(address, other.person)).statusCode).toBeGreaterThanOrEqual(403)
    await expect(
      app.call(channelPicture, { params: { ...other.params, channelId } }, { as: other.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.app.inject({ url: address })).statusCode).toBe(401)
  })

  it("is replaced when the daily check finds another one, and its old URL isn't cached for the new one", async () => {
    const channelId = await connect()
    const before = (await addressOf(channelId)) ?? ''
    await tomorrow()
    expect(asked).toEqual([FIRST])
    daily = async () => ({ kind: 'works', endsAt: null, pictureUrl: SECOND })
    await tomorrow()
    expect(asked).toEqual([FIRST, SECOND])
    expect(await addressOf(channelId)).not.toBe(before)
    expect(await kept(channelId)).toEqual([{ source_url: SECOND }])
    expect((await get(before)).headers['cache-control']).toBe('private, no-cache')
    daily = async () => ({ kind: 'works', endsAt: null, pictureUrl: null })
    await tomorrow()
    expect(await addressOf(channelId)).toBeNull()
    expect(await kept(channelId)).toEqual([])
  })

  it('of an older channel is fetched at its next check, even if the platform no longer reports it', async () => {
    const channelId = await connect()
    await app.database.owner.query('delete from channel_picture')
    await app.database.owner.query('update channel set picture_id = null')
    daily = async () => ({ kind: 'works', endsAt: null })
    expect(await addressOf(channelId)).toBeNull()
    await tomorrow()
    expect(await addressOf(channelId)).toMatch(/^\/api\//)
  })

  it("stays if the platform can't be reached for it, and is requested again a day later", async () => {
    const channelId = await connect()
    const before = await addressOf(channelId)
    daily = async () => ({ kind: 'works', endsAt: null, pictureUrl: SECOND })
    hasPictures = false
    await tomorrow()
    expect(await addressOf(channelId)).toBe(before)
    hasPictures = true
    await tomorrow()
    expect(await kept(channelId)).toEqual([{ source_url: SECOND }])
  })

  it("is never requested from a URL that isn't https", async () => {
    offered = 'http://10.0.0.1/track.gif'
    const channelId = await connect()
    daily = async () => ({ kind: 'works', endsAt: null, pictureUrl: 'file:///etc/passwd' })
    await tomorrow()
    expect(asked).toEqual([])
    expect(await addressOf(channelId)).toBeNull()
  })

  it('is deleted with its channel', async () => {
    const channelId = await connect()
    await app.call(deleteChannel, { params: { ...home.params, channelId } }, { as: home.person })
    await work()
    expect(await kept(channelId)).toEqual([])
  })

  it('is fetched at most a thousand times a day per organization', async () => {
    const channelId = await connect()
    await app.database.owner.query("update budget set used = 1000 where key like 'channel-pictures:%'")
    offered = SECOND
    expect(await connect()).toBe(channelId)
    expect(asked).toEqual([FIRST])
    expect(await kept(channelId)).toEqual([{ source_url: FIRST }])
  })
})

describe("the picture of an account that isn't connected", () => {
  it("uses a URL of ours while it's offered, and is fetched once", async () => {
    const { accounts } = await offer()
    const address = accounts[0]?.profileUrl ?? ''
    expect(address).toMatch(new RegExp(`^/api/${home.orgId}/account-picture\\?`))
    expect(asked).toEqual([])
    const [one, other] = await Promise.all([get(address), get(address)])
    expect([one.statusCode, other.statusCode]).toEqual([200, 200])
    expect(one.headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, max-age=3600' })
    expect(await sharp(one.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 128 })
    expect(asked).toEqual([FIRST])
  })

  it('uses a URL of ours in lookups', async () => {
    const channelId = await connect()
    const { items } = await app.call(
      lookup,
      { params: { ...home.params, channelId, kind: 'people' }, query: { query: 'crow' } },
      { as: home.person },
    )
    expect((await get(items[0]?.pictureUrl ?? '')).statusCode).toBe(200)
    expect(asked).toEqual([FIRST, SECOND])
  })

  it('is fetched for no other URL, organization or time than were signed', async () => {
    const { accounts } = await offer()
    const signed = new URL(accounts[0]?.profileUrl ?? '', 'http://rookery.test')
    const query = Object.fromEntries(signed.searchParams)
    const ask = (as: TestHome, changed: Record<string, string> = {}) =>
      get(`/api/${as.orgId}/account-picture?${new URLSearchParams({ ...query, ...changed }).toString()}`, as.person)
    const other = await app.signedInOwner()
    expect((await ask(other)).statusCode).toBe(404)
    expect((await ask(home, { address: SECOND })).statusCode).toBe(404)
    expect((await ask(home, { until: String(Number(query['until']) + 1) })).statusCode).toBe(404)
    expect((await ask(home, { signature: 'AAAA' })).statusCode).toBe(404)
    app.clock.advance({ hours: 2 })
    expect((await ask(home)).statusCode).toBe(404)
    expect(asked).toEqual([])
  })

  it("that isn't an image doesn't exist, and isn't requested repeatedly", async () => {
    hasPictures = false
    const { accounts } = await offer()
    expect((await get(accounts[0]?.profileUrl ?? '')).statusCode).toBe(404)
    expect((await get(accounts[0]?.profileUrl ?? '')).statusCode).toBe(404)
    expect(asked).toEqual([FIRST])
  })
})
