import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { boostAccounts, boostAudiences, postBoosts, startBoost, stopBoost, type Boost, type StartBoost } from '#contract/boosts.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import { deleteChannel } from '#contract/channels.ts'
import { channelJobs } from '../channels/jobs.ts'
import { postActivity } from '#contract/postNotes.ts'
import { deletePost } from '#contract/posts.ts'
import { composePlatforms, hostsOf } from '../platforms/registry.ts'
import { createSafeFetch, type SafeFetch } from '../platforms/safeFetch.ts'
import { simulated } from '../platforms/simulated.ts'
import type { ApiFailure } from '../testing/client.ts'
import type { TestHome } from '../testing/people.ts'
import { adsIn } from '../testing/platforms/facebookAds.ts'
import { startPlatforms, type OnePlatform, type RunningPlatforms } from '../testing/platforms/start.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { advanceDue } from './advance.ts'

/* Promotions against the simulated Facebook: what is made there is made once, whatever goes wrong on the way. */

const platforms = composePlatforms({ plcDirectory: 'https://plc.directory', publicUrl: 'https://rookery.test' })
let outside: RunningPlatforms
let facebook: OnePlatform
let app: TestApp
let home: TestHome
/** Breaks the worker at a call, as a kill would. */
let breaksAt: ((url: string, method: string) => boolean) | undefined

beforeAll(async () => {
  outside = await startPlatforms({ now: () => app.clock.now().getTime() })
  facebook = outside.platform('facebook')
  const reach = simulated(createSafeFetch({ allow: [outside.allow] }), hostsOf(platforms), outside.base)
  const fetch: SafeFetch = async (url, request) => {
    const answer = await reach(url, request)
    if (breaksAt?.(url, request.method ?? 'GET')) throw new Error('the worker was killed')
    return answer
  }
  const adapter = platforms('facebook')
  app = await startApp({ env: { PUBLIC_URL: 'https://rookery.test', FACEBOOK_CLIENT_ID: 'client', FACEBOOK_CLIENT_SECRET: 'secret' }, platforms: adapter ? { facebook: adapter } : {}, fetch })
})
afterAll(async () => {
  await app.close()
  await outside.stop()
})
beforeEach(async () => {
  breaksAt = undefined
  facebook.faults.clear()
  facebook.calls.length = 0
  facebook.state.switches.clear()
  for (const key of facebook.state.pending.keys()) if (key.startsWith('ads/')) facebook.state.pending.delete(key)
  await app.database.owner.query('delete from boost')
  home = await app.signedInOwner()
  // the cookie's name under https
  home.person.cookies.set('__Host-rookery', home.person.cookies.get('rookery') ?? '')
  await app.database.owner.query("update plan set status = 'ACTIVE' where org_id = $1", [home.orgId])
})

const as = () => ({ as: home.person })

async function connect(variant: 'ads' | 'page' = 'ads', without: string[] = []): Promise<string> {
  const params = { ...home.params, platform: 'facebook' }
  const { url } = await app.call(connectAuth, { params, query: { variant } }, as())
  const back = await outside.consent(url, { without })
  const { flowId, accounts } = await app.call(connectCallback, { params, body: { state: '', ...Object.fromEntries(back.searchParams) } }, as())
  const { channels } = await app.call(connectConfirm, { params, body: { flowId, profiles: accounts.slice(0, 1).map(({ remoteId }) => remoteId) } }, as())
  return channels[0]?.channelId ?? ''
}

/** A post of the channel's Page that is live. */
async function published(channelId: string, columns: Record<string, unknown> = {}): Promise<string> {
  const { rows } = await app.database.owner.query<{ remote_id: string }>('select remote_id from channel where id = $1', [channelId])
  const page = rows[0]?.remote_id ?? ''
  const there = facebook.state.publish({ id: `${page}_${facebook.state.nextId()}`, account: page, kind: 'post', text: 'Good morning' }, app.clock.now().getTime())
  const id = randomUUID()
  const now = app.clock.now()
  const row = { org_id: home.orgId, id, project_id: home.projectId, channel_id: channelId, author_id: home.person.personId, state: 'PUBLISHED', post_type: 'post', contents: '[{"text":"Good morning","media":[]}]', schedule: '{"type":"NOW"}', zone: 'Europe/Berlin', due_at: now, shown_at: now, created_at: now, updated_at: now, published_at: now, remote_id: there.id, ...columns }
  await app.database.owner.query(`insert into post (${Object.keys(row).join(', ')}) values (${Object.keys(row).map((_, i) => `$${i + 1}`).join(', ')})`, Object.values(row))
  return id
}

const read = (postId: string) => app.call(postBoosts, { params: { ...home.params, postId } }, as())
const run = () => advanceDue(app.parts, { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: new AbortController().signal })
const boost = async (postId: string): Promise<Boost> => {
  const [newest] = (await read(postId)).boosts
  if (!newest) throw new Error('nothing is promoted')
  return newest
}

async function choice(postId: string): Promise<StartBoost> {
  const params = { ...home.params, postId }
  const { accounts } = await app.call(boostAccounts, { params }, as())
  const adAccountId = accounts[0]?.adAccountId ?? ''
  const { audiences } = await app.call(boostAudiences, { params, query: { adAccountId } }, as())
  return { boostId: randomUUID(), adAccountId, audienceId: audiences[0]?.audienceId ?? '', budget: 2500, days: 5 }
}

async function begun(): Promise<{ postId: string; boostId: string; channelId: string }> {
  const channelId = await connect()
  const postId = await published(channelId)
  const { boostId } = await app.call(startBoost, { params: { ...home.params, postId }, body: await choice(postId) }, as())
  return { postId, boostId, channelId }
}

/** Runs the job whenever something is due, for so many minutes. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    app.clock.advance({ minutes: 1 })
    await run()
  }
}
const things = () => adsIn(facebook.state)
const counted = () => Object.fromEntries(['campaign', 'adSet', 'creative', 'ad'].map((kind) => [kind, things().filter((one) => one.kind === kind && one.status !== 'DELETED').length]))
const ONE_OF_EACH = { campaign: 1, adSet: 1, creative: 1, ad: 1 }

describe('a promotion', () => {
  it('is set up paused, started last, reviewed, shown and ended, with its figures', async () => {
    const { postId, boostId } = await begun()
    expect(await boost(postId)).toMatchObject({ boostId, status: 'PENDING', budget: 2500, days: 5, currency: 'USD', minorUnits: 100, startedBy: { name: 'Olive Owner' }, adAccount: { name: 'Northlight Coffee' }, audience: { name: 'Coffee lovers nearby' }, spent: null })
    expect(await run()).toBe(1)
    expect(await boost(postId)).toMatchObject({ status: 'IN_REVIEW', endsAt: new Date(app.clock.now().getTime() + 5 * 86_400_000).toISOString() })
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(facebook.calls.filter((call) => call.startsWith('POST graph') && !call.includes('oauth')).map((call) => call.split('/').at(-1)?.replace(/^\d+$/, 'id'))).toEqual(['campaigns', 'adsets', 'adcreatives', 'ads', 'id'])
    expect(things().map(({ name }) => name)).toEqual(Array.from({ length: 4 }, () => `Rookery ${boostId}`))
    expect(facebook.violations).toEqual([])
    expect(facebook.mistakes).toEqual([])
    await pass(10)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    app.clock.advance({ days: 2 })
    await run()
    const halfway = await boost(postId)
    expect(halfway).toMatchObject({ status: 'ACTIVE' })
    expect(halfway.spent).toBeGreaterThan(900)
    expect(halfway.spent).toBeLessThan(2500)
    expect(halfway.impressions).toBeGreaterThan(0)
    app.clock.advance({ days: 3, minutes: 2 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'ENDED', spent: 2500 })
    // looked at once more, and then never again
    app.clock.advance({ days: 2 })
    expect(await run()).toBe(1)
    app.clock.advance({ days: 9 })
    expect(await run()).toBe(0)
    expect((await app.call(postActivity, { params: { ...home.params, postId } }, as())).activity.map(({ action }) => action)).toContain('promoted')
  })

  it('is of one post only once at a time; the same id is the same one', async () => {
    const postId = await published(await connect())
    const body = await choice(postId)
    const params = { ...home.params, postId }
    const [one, other] = await Promise.all([app.call(startBoost, { params, body }, as()), app.call(startBoost, { params, body }, as())])
    expect(one.boostId).toBe(other.boostId)
    await expect(app.call(startBoost, { params, body: { ...body, boostId: randomUUID() } }, as())).rejects.toMatchObject({ code: 'BOOST_RUNNING' })
    expect((await read(postId)).boosts).toHaveLength(1)
    // an id that stands for another post's
    const another = await published((await app.database.owner.query('select channel_id from post where id = $1', [postId])).rows[0].channel_id)
    await expect(app.call(startBoost, { params: { ...home.params, postId: another }, body }, as())).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('is refused at the field that is wrong, and nothing is stored', async () => {
    const postId = await published(await connect())
    const body = await choice(postId)
    const params = { ...home.params, postId }
    const { accounts } = await app.call(boostAccounts, { params }, as())
    expect(accounts.map(({ currency, problem }) => [currency, problem !== null])).toEqual([['USD', false], ['JPY', false], ['EUR', true], ['EUR', true]])
    const refused = (more: Partial<StartBoost>) => app.call(startBoost, { params, body: { ...body, ...more } }, as()).catch(({ code, problem }: ApiFailure) => [code, ...Object.keys(problem.errors ?? {})])
    expect(await refused({ budget: 499 })).toEqual(['BAD_INPUT', 'budget'])
    expect(await refused({ budget: 0 })).toEqual(['BAD_INPUT', 'budget'])
    expect(await refused({ days: 31 })).toEqual(['BAD_INPUT', 'days'])
    expect(await refused({ adAccountId: 'act_1' })).toEqual(['BAD_INPUT', 'adAccountId'])
    expect(await refused({ adAccountId: accounts[2]?.adAccountId ?? '' })).toEqual(['BAD_INPUT', 'adAccountId'])
    expect(await refused({ audienceId: '1' })).toEqual(['BAD_INPUT', 'audienceId'])
    expect((await read(postId)).boosts).toEqual([])
    await expect(app.call(boostAudiences, { params, query: { adAccountId: '../me' } }, as())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('counts whole units where the currency has no smaller', async () => {
    const postId = await published(await connect())
    const params = { ...home.params, postId }
    const yen = (await app.call(boostAccounts, { params }, as())).accounts[1]?.adAccountId ?? ''
    const { audiences } = await app.call(boostAudiences, { params, query: { adAccountId: yen } }, as())
    await app.call(startBoost, { params, body: { boostId: randomUUID(), adAccountId: yen, audienceId: audiences[0]?.audienceId ?? '', budget: 3000, days: 2 } }, as())
    await run()
    expect(things().find(({ kind }) => kind === 'adSet')?.more).toMatchObject({ lifetime_budget: 3000 })
    await pass(10)
    app.clock.advance({ days: 2 })
    await run()
    expect(await boost(postId)).toMatchObject({ currency: 'JPY', minorUnits: 1, spent: 3000 })
  })
})

describe('what stands in the way', () => {
  it('is a connection without Ad Manager, a missing right, a dead sign-in, a post that is not live, a story', async () => {
    const obstacle = async (postId: string) => (await read(postId)).obstacle
    const channelId = await connect('page')
    const postId = await published(channelId)
    expect(await read(postId)).toMatchObject({ offered: true, channelId, obstacle: { text: expect.stringContaining('Ad Manager'), advice: 'Reconnect as Ad Manager.', reconnect: true } })
    await expect(app.call(boostAccounts, { params: { ...home.params, postId } }, as())).rejects.toMatchObject({ code: 'BOOST_REFUSED', problem: { meta: { reconnect: true } } })
    await expect(app.call(startBoost, { params: { ...home.params, postId }, body: { boostId: randomUUID(), adAccountId: 'a', audienceId: 'b', budget: 1, days: 1 } }, as())).rejects.toMatchObject({ code: 'BOOST_REFUSED' })
    await connect('ads', ['ads_management'])
    expect(await obstacle(postId)).toMatchObject({ text: 'Facebook did not let Rookery promote posts.', reconnect: true })
    await connect('ads')
    expect(await obstacle(postId)).toBeNull()
    await app.database.owner.query("update channel set status = 'TOKEN_EXPIRED' where id = $1", [channelId])
    expect(await obstacle(postId)).toMatchObject({ reconnect: true })
    expect(await obstacle(await published(channelId, { state: 'FAILED', remote_id: null }))).toMatchObject({ reconnect: false })
    expect(await obstacle(await published(channelId, { post_type: 'story' }))).toMatchObject({ text: 'Facebook does not promote a story once it is published.' })
  })

  it('is the role: who may not publish only looks; another project knows nothing of it', async () => {
    const { postId, boostId } = await begun()
    const looker = await app.colleague(home, 'none')
    looker.cookies.set('__Host-rookery', looker.cookies.get('rookery') ?? '')
    expect((await app.call(postBoosts, { params: { ...home.params, postId } }, { as: looker })).boosts).toHaveLength(1)
    await expect(app.call(stopBoost, { params: { ...home.params, boostId } }, { as: looker })).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const other = await app.signedInOwner()
    other.person.cookies.set('__Host-rookery', other.person.cookies.get('rookery') ?? '')
    await expect(app.call(stopBoost, { params: { ...other.params, boostId } }, { as: other.person })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(app.call(postBoosts, { params: { ...other.params, postId } }, { as: other.person })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const elsewhere = await app.colleague(home, 'editor', { channelIds: [randomUUID()] })
    elsewhere.cookies.set('__Host-rookery', elsewhere.cookies.get('rookery') ?? '')
    await expect(app.call(stopBoost, { params: { ...home.params, boostId } }, { as: elsewhere })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('is a plan that has ended, and no plan keeps anybody from stopping', async () => {
    const { postId, boostId } = await begun()
    await run()
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await expect(app.call(startBoost, { params: { ...home.params, postId }, body: { boostId: randomUUID(), adAccountId: 'a', audienceId: 'b', budget: 1, days: 1 } }, as())).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
    expect(await app.call(stopBoost, { params: { ...home.params, boostId } }, as())).toMatchObject({ status: 'STOPPING' })
  })
})

describe('never twice', () => {
  const calls = ['act_*/campaigns', 'act_*/adsets', 'act_*/adcreatives', 'act_*/ads']
  const cases = calls.flatMap((call) => (['before', 'after'] as const).map((drop) => [call, drop] as const))

  it.each(cases)('the answer of %s is lost, %s it was done', async (call, drop) => {
    const { postId } = await begun()
    facebook.faults.add({ on: `POST graph.facebook.com/v25.0/${call}`, drop })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'PENDING' })
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
  })

  it.each(['before', 'after'] as const)('the answer of its start is lost, %s it was done: it is started again', async (drop) => {
    const { postId } = await begun()
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'PENDING' })
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })

  it.each(calls)('the worker dies in %s', async (call) => {
    const { postId } = await begun()
    breaksAt = (url, method) => method === 'POST' && url.endsWith(call.slice(5))
    await run()
    breaksAt = undefined
    // its lease keeps others off
    expect(await run()).toBe(0)
    expect(await boost(postId)).toMatchObject({ status: 'PENDING' })
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })

  it('absence is believed only when it was read twice, a minute apart', async () => {
    const { postId } = await begun()
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/campaigns', drop: 'after' })
    await run()
    // the list does not show it yet
    const missing = { status: 200, json: { data: [] } }
    facebook.faults.add({ on: 'GET graph.facebook.com/v25.0/act_*/campaigns', answer: missing })
    app.clock.advance({ minutes: 1 })
    await run()
    app.clock.advance({ seconds: 30 })
    await run()
    expect(counted()).toMatchObject({ campaign: 1, adSet: 0 })
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })

  it('two workers at once make one', async () => {
    await begun()
    await Promise.all([run(), run(), run()])
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
  })

  it('a database that came back from a backup finds what was made since, and makes nothing while it is held', async () => {
    const { postId, boostId } = await begun()
    const { rows } = await app.database.owner.query('select * from boost where id = $1', [boostId])
    await run()
    await app.database.owner.query("update boost set state = 'PENDING', made = '{}', began_at = null, next_at = $2, ends_at = null, fence = $3 where id = $1", [boostId, app.clock.now(), rows[0].fence])
    await app.database.owner.query("insert into kill_switch (scope, reason, since) values ('all', 'restored', now())")
    const before = facebook.calls.length
    await run()
    expect(facebook.calls).toHaveLength(before)
    await app.database.owner.query('delete from kill_switch')
    await pass(15)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })

  it('a worker that slept through its lease sends nothing', async () => {
    const { postId } = await begun()
    // asleep after its look, before its call
    breaksAt = (url, method) => {
      if (method === 'GET' && url.includes('/campaigns')) app.clock.advance({ minutes: 3 })
      return false
    }
    const before = facebook.calls.length
    await run()
    breaksAt = undefined
    expect(facebook.calls.slice(before).filter((call) => call.startsWith('POST'))).toEqual([])
    await pass(12)
    expect(counted()).toEqual(ONE_OF_EACH)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })

  it('a worker that woke up too late writes nothing over what others did', async () => {
    const { postId, boostId } = await begun()
    // somebody stops it while the call is under way
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/campaigns', delayMs: 300, done: true })
    const working = run()
    await until(() => facebook.calls.some((call) => call.startsWith('POST') && call.endsWith('/campaigns')), { what: 'the call to be under way' })
    await app.call(stopBoost, { params: { ...home.params, boostId } }, as())
    await working
    expect(await boost(postId)).toMatchObject({ status: 'STOPPING' })
    await pass(5)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(counted()).toMatchObject({ campaign: 0, ad: 0 })
  })
})

describe('the end', () => {
  const stop = (boostId: string) => app.call(stopBoost, { params: { ...home.params, boostId } }, as())

  it('is asked for by a person: paused there, with its figures; asking again changes nothing', async () => {
    const { postId, boostId } = await begun()
    await run()
    await pass(10)
    expect(await stop(boostId)).toMatchObject({ status: 'STOPPING' })
    expect(await stop(boostId)).toMatchObject({ status: 'STOPPING' })
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop: 'before', times: 2 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'STOPPING' })
    await pass(5)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
    expect(things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
    await expect(stop(boostId)).rejects.toMatchObject({ code: 'BOOST_REFUSED' })
    // another one can follow
    await app.call(startBoost, { params: { ...home.params, postId }, body: await choice(postId) }, as())
    expect((await read(postId)).boosts.map(({ status }) => status)).toEqual(['PENDING', 'STOPPED'])
  })

  it('comes before the beginning: nothing was made, or what was is taken away', async () => {
    const { postId, boostId } = await begun()
    await stop(boostId)
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(things()).toEqual([])
    const second = await app.call(startBoost, { params: { ...home.params, postId }, body: await choice(postId) }, as())
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/adsets', drop: 'after' })
    await run()
    await stop(second.boostId)
    await pass(3)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(counted()).toMatchObject({ campaign: 0 })
  })

  it('is the platform’s own: rejected in its review, without money, refused at once', async () => {
    facebook.state.switches.add('disapproved')
    const { postId, boostId } = await begun()
    await run()
    await pass(2)
    expect(await boost(postId)).toMatchObject({ status: 'REJECTED', problem: { text: expect.stringContaining('promises more') } })
    const notices = async () => (await app.database.owner.query("select title, read_at is not null as read from notice where matter = $1", [`boost:${boostId}`])).rows
    expect(await notices()).toEqual([{ title: 'A promotion on Facebook was rejected', read: false }])
    // an appeal was heard
    facebook.state.switches.clear()
    app.clock.advance({ days: 1 })
    await run()
    app.clock.advance({ days: 1 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    expect(await notices()).toMatchObject([{ read: true }])
    facebook.state.switches.add('unpaid')
    app.clock.advance({ hours: 1 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'HELD', problem: { text: 'The ad account has no valid way to pay.' } })
  })

  it('fails with the platform’s words, and what was made is taken away', async () => {
    const { postId } = await begun()
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/ads', answer: { status: 400, json: { error: { code: 100, message: 'No', error_user_msg: 'Your business is not verified' } } } })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'FAILED', problem: { text: expect.stringContaining('Your business is not verified') } })
    await pass(1)
    expect(counted()).toMatchObject({ campaign: 0 })
    facebook.state.switches.add('ineligible')
    const again = await begun()
    await run()
    expect(await boost(again.postId)).toMatchObject({ status: 'FAILED', problem: { text: 'Facebook does not let this post be promoted.' } })
  })

  it('somebody set it going again there, or deleted it', async () => {
    const { postId, boostId } = await begun()
    await run()
    await pass(10)
    await stop(boostId)
    await run()
    const campaign = things().find(({ kind }) => kind === 'campaign')
    if (campaign) campaign.status = 'ACTIVE'
    await pass(10)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
    for (const thing of things()) thing.status = 'DELETED'
    app.clock.advance({ hours: 2 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED', problem: { text: 'This promotion was deleted in Ads Manager.' } })
  })

  it('comes with the post, once its deletion can no longer be undone', async () => {
    const { postId } = await begun()
    await run()
    await pass(10)
    await app.call(deletePost, { params: { ...home.params, postId }, query: {} }, as())
    app.clock.advance({ seconds: 50 })
    await run()
    expect(things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'ACTIVE' })
    app.clock.advance({ seconds: 10 })
    await run()
    expect(things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED', problem: { text: 'The post was deleted, so its promotion was stopped.' } })
  })
})

describe('the end of its channel', () => {
  const remove = (channelId: string) => app.call(deleteChannel, { params: { ...home.params, channelId } }, as())
  /** The deletion looks again; whatever time it wanted to wait. */
  const deletion = () => runJobs(app, channelJobs(app.parts), { once: true })
  const isGone = async (channelId: string) => (await app.database.owner.query('select 1 from channel where id = $1 and deleted_at is not null', [channelId])).rowCount === 1
  const notices = async () => (await app.database.owner.query('select title from notice where org_id = $1 and kind = $2', [home.orgId, 'boost-trouble'])).rows

  it('ends it at the platform first, also when an answer is lost', async () => {
    const { postId, channelId } = await begun()
    await run()
    await pass(10)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
    await remove(channelId)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPING' })
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/1*', drop: 'before' })
    await run()
    await deletion()
    expect(await isGone(channelId)).toBe(false)
    await pass(3)
    expect(things().find(({ kind }) => kind === 'campaign')).toMatchObject({ status: 'PAUSED' })
    await deletion()
    expect(await isGone(channelId)).toBe(true)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED', problem: null })
    expect(await notices()).toEqual([])
  })

  it('takes away what was only begun, and what was begun while the channel went', async () => {
    const { postId, channelId, boostId } = await begun()
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/adsets', drop: 'after' })
    await run()
    await remove(channelId)
    // somebody's start that had read the channel before
    await app.database.owner.query("update boost set state = 'PENDING' where id = $1", [boostId])
    await deletion()
    expect(await boost(postId)).toMatchObject({ status: 'STOPPING' })
    await pass(4)
    await deletion()
    expect(await isGone(channelId)).toBe(true)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPED' })
    expect(counted()).toMatchObject({ campaign: 0, ad: 0 })
  })

  it('does not wait for ever: people are told of what may go on', async () => {
    const { postId, channelId } = await begun()
    await run()
    await pass(10)
    for (const token of facebook.state.tokens.values()) if (token.kind === 'long') token.revoked = true
    await remove(channelId)
    await run()
    await runJobs(app, channelJobs(app.parts))
    expect(await isGone(channelId)).toBe(true)
    expect(await notices()).toEqual([{ title: 'A promotion on Facebook may still be running' }])
    await pass(61)
    expect(await boost(postId)).toMatchObject({ status: 'STOPPING', problem: { text: expect.stringContaining('before the platform confirmed the end') } })
  })
})

describe('when it cannot be asked', () => {
  it('a dead token of the person is told, and reconnecting mends it', async () => {
    const { postId } = await begun()
    facebook.state.expireTokens()
    for (const token of facebook.state.tokens.values()) if (token.kind === 'page') token.expiresAt = null
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'PENDING', problem: { advice: 'Reconnect the channel as Ad Manager.' } })
    await connect()
    await pass(20)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE', problem: null })
    expect(counted()).toEqual(ONE_OF_EACH)
  })

  it('one that could not be set up for a day is given up, with its reason', async () => {
    const { postId } = await begun()
    for (const token of facebook.state.tokens.values()) if (token.kind === 'long') token.revoked = true
    await run()
    app.clock.advance({ hours: 25 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'FAILED', problem: { advice: 'Reconnect the channel as Ad Manager.' } })
    expect(things()).toEqual([])
  })

  it('a channel that was disconnected: what is known stays, with a word, until its time is over', async () => {
    const { postId, channelId } = await begun()
    await run()
    await pass(10)
    await app.database.owner.query('update channel set deleted_at = $2 where id = $1', [channelId, app.clock.now()])
    app.clock.advance({ hours: 1 })
    await run()
    expect(await read(postId)).toMatchObject({ obstacle: { text: 'The channel of this post was disconnected.' }, boosts: [{ status: 'ACTIVE', problem: { text: expect.stringContaining('can no longer be seen from here') } }] })
    app.clock.advance({ days: 7 })
    await run()
    expect(await boost(postId)).toMatchObject({ status: 'ENDED' })
    expect(await run()).toBe(0)
  })

  it('waits as long as it is asked to', async () => {
    const { postId } = await begun()
    facebook.faults.add({ on: 'POST graph.facebook.com/v25.0/act_*/campaigns', answer: { status: 400, json: { error: { code: 17, message: 'Slow down' } }, headers: { 'x-business-use-case-usage': JSON.stringify({ 1: [{ estimated_time_to_regain_access: 30 }] }) } } })
    await run()
    await pass(29)
    expect(things()).toEqual([])
    await pass(12)
    expect(await boost(postId)).toMatchObject({ status: 'ACTIVE' })
  })
})
