import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allChannels } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm } from '#contract/connect.ts'
import { submitPost } from '#contract/submit.ts'
import type { SignedIn } from '../platforms/platform.ts'
import { testPlatform } from '../testing/content.ts'
import { giveApp } from '../testing/giveApp.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* What platforms say about accounts and refusals, and how many accounts on X a plan includes. */

giveApp('x')

let app: TestApp
let home: TestHome
let world = 0
let offers: SignedIn[] = []
let heard: Record<string, string>[] = []
const account = (name: string, more: Partial<SignedIn> = {}): SignedIn => ({
  account: { remoteId: `${world}-${name}`, name, handle: `@${name}`, pictureUrl: null, service: null },
  secret: { token: name },
  expiresAt: null,
  ...more,
})
const page = (key: 'x' | 'bluesky') =>
  testPlatform({
    key,
    page: {
      begin: async (_, { state }) => ({
        kind: 'begun',
        url: `https://platform.example/authorize?state=${state}`,
        keep: {},
      }),
      answer: async (_, __, params) => (heard.push(params), { kind: 'accounts', accounts: offers }),
    },
    revoke: async () => ({ kind: 'revoked' }),
  })

beforeAll(async () => {
  app = await startApp({
    env: { X_CLIENT_ID: 'ours', X_CLIENT_SECRET: 'ours' },
    platforms: { bluesky: page('bluesky'), x: page('x') },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  world += 1
  heard = []
  home = await app.signedInOwner()
})

type Key = 'x' | 'bluesky'
const begin = async (platform: Key, where = home, query: { channelId?: string } = {}) =>
  new URL(
    (await app.call(connectAuth, { params: { ...where.params, platform }, query }, { as: where.person })).url,
  ).searchParams.get('state') ?? ''
const answer = (platform: Key, params: Record<string, string> & { state: string }, where = home) =>
  app.call(connectCallback, { params: { ...where.params, platform }, body: params }, { as: where.person })
async function connect(platform: Key, name: string, where = home, more: Partial<SignedIn> = {}) {
  offers = [account(name, more)]
  const { flowId } = await answer(platform, { state: await begin(platform, where), code: 'x' }, where)
  return await app.call(
    connectConfirm,
    { params: { ...where.params, platform }, body: { flowId, profiles: [`${world}-${name}`] } },
    { as: where.person },
  )
}
const plan = (text: string, where = home) =>
  app.database.owner.query(`update plan set ${text} where org_id = $1`, [where.orgId])
const channels = async () => (await app.call(allChannels, { params: home.params }, { as: home.person })).channels

describe('the accounts that a platform returns', () => {
  it("show what they are and which permissions are missing, before and after they're chosen", async () => {
    offers = [account('rook', { kind: 'Page', missing: ['publish'] }), account('raven')]
    const { flowId, accounts } = await answer('bluesky', { state: await begin('bluesky'), code: 'x' })
    expect(accounts).toMatchObject([
      { kind: 'Page', missing: ['publish'] },
      { kind: null, missing: [] },
    ])
    await app.call(
      connectConfirm,
      {
        params: { ...home.params, platform: 'bluesky' },
        body: { flowId, profiles: [`${world}-rook`, `${world}-raven`] },
      },
      { as: home.person },
    )
    expect(await channels()).toMatchObject([
      { handle: '@rook', kind: 'Page', missing: ['publish'] },
      { handle: '@raven', kind: null, missing: [] },
    ])
  })

  it('get missing permissions by reconnecting, and keep their posts', async () => {
    const [channel] = (await connect('bluesky', 'rook', home, { missing: ['publish'] })).channels
    const channelId = channel?.channelId ?? ''
    const schedule = {
      type: 'ONCE' as const,
      details: { utc: new Date(app.clock.now().getTime() + 86_400_000).toISOString(), timezone: 'Europe/Berlin' },
    }
    await app.call(
      submitPost,
      {
        params: home.params,
        body: {
          intent: 'SCHEDULE',
          channels: [{ channelId, postType: 'post', contents: [{ text: 'A quiet corner', media: [] }] }],
          schedule,
        },
      },
      { as: home.person },
    )
    expect(await connect('bluesky', 'rook')).toMatchObject({
      message: 'Channel reconnected',
      channels: [{ channelId, missing: [], scheduledPosts: 1 }],
    })
  })
})

describe('the redirect back from a platform', () => {
  it('passes every parameter to its adapter', async () => {
    offers = [account('rook')]
    const params = { state: await begin('bluesky'), code: 'x', scope: 'read publish', granted_scopes: 'read' }
    await answer('bluesky', params)
    expect(heard).toEqual([params])
  })

  it.each([
    [
      { error: 'access_denied', error_reason: 'user_denied', error_description: 'Permissions error' },
      'The connection was canceled on Bluesky.',
    ],
    [{ error: 'user_cancelled_authorize' }, 'The connection was canceled on Bluesky.'],
    [{ error_code: '1349126', error_message: 'App not active' }, "Bluesky didn't connect the account: App not active."],
    [{ error: 'invalid_scope' }, "Bluesky didn't connect the account (invalid_scope)."],
  ])('says what %o means', async (params, detail) => {
    await expect(answer('bluesky', { state: await begin('bluesky'), ...params })).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail },
    })
    expect(heard).toEqual([])
  })

  it('accepts no more than a platform sends', async () => {
    const state = await begin('bluesky')
    await expect(
      answer('bluesky', { state, ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`p${i}`, 'x'])) }),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await expect(answer('bluesky', { state, code: 'x'.repeat(4001) })).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })
})

describe('accounts on X', () => {
  it('are limited to one on a trial, which can be reconnected', async () => {
    const [first] = (await connect('x', 'rook')).channels
    const refusal = {
      code: 'PLAN_LIMIT',
      problem: {
        meta: { gate: 'x_trial' },
        detail: 'One X account is allowed on the free trial. Choose a plan to connect another.',
      },
    }
    await expect(begin('x')).rejects.toMatchObject(refusal)
    // other platforms don't count
    await connect('bluesky', 'rook')
    const state = await begin('x', home, { channelId: first?.channelId ?? '' })
    const { flowId } = await answer('x', { state, code: 'x' })
    expect(
      await app.call(
        connectConfirm,
        { params: { ...home.params, platform: 'x' }, body: { flowId, profiles: [`${world}-rook`] } },
        { as: home.person },
      ),
    ).toMatchObject({ message: 'Channel reconnected' })
    await plan("plan_id = 'team', status = 'ACTIVE', trial_ends_at = null")
    await connect('x', 'raven')
  })

  it('are limited to one even if two are chosen at once', async () => {
    offers = [account('rook'), account('raven')]
    const { flowId } = await answer('x', { state: await begin('x'), code: 'x' })
    await expect(
      app.call(
        connectConfirm,
        { params: { ...home.params, platform: 'x' }, body: { flowId, profiles: [`${world}-rook`, `${world}-raven`] } },
        { as: home.person },
      ),
    ).rejects.toMatchObject({ problem: { meta: { gate: 'x_trial' } } })
    expect(await channels()).toEqual([])
  })

  it("aren't part of plans without X", async () => {
    await plan("plan_id = 'free', status = 'ACTIVE', trial_ends_at = null")
    await expect(begin('x')).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'x' } } })
  })

  it('that were used in another trial are refused until a plan is chosen', async () => {
    await connect('x', 'rook')
    const elsewhere = await app.signedInOwner()
    await expect(connect('x', 'rook', elsewhere)).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: {
        meta: { gate: 'channels', usedOnTrial: true },
        detail: 'This account was already used in a free trial. Choose a plan to connect it.',
      },
    })
    await plan("plan_id = 'team', status = 'ACTIVE', trial_ends_at = null", elsewhere)
    expect((await connect('x', 'rook', elsewhere)).channels).toHaveLength(1)
  })
})
