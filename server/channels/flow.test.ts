import { saying } from '../testing/reasons.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { allChannels, deleteChannel, disableChannel } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm, connectWays } from '#contract/connect.ts'
import type { ConnectByPage, SignedIn } from '../platforms/platform.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import type { TestHome, TestPerson } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* Connecting with a platform's page, which offers what the test says. */

let app: TestApp
let content: ReturnType<typeof contentOn>
let home: TestHome
/** Accounts of one test differ from those of the next. */
let world = 0
const account = (name: string): SignedIn => ({
  account: {
    remoteId: `did:plc:${world}-${name}`,
    name,
    handle: `@${name}.example`,
    pictureUrl: null,
    service: 'https://pds.example',
  },
  secret: { token: `the token of ${name}` },
  expiresAt: new Date('2026-11-21T12:00:00Z'),
  endsAt: new Date('2026-12-05T10:00:00Z'),
})
let asked: Parameters<ConnectByPage['begin']>[1][] = []
let answered: { keep: unknown; params: Record<string, string> }[] = []
let ended: unknown[] = []
let offers: SignedIn[] = []
let answers: ConnectByPage['answer'] = async () => ({ kind: 'accounts', accounts: offers })

const page: ConnectByPage = {
  begin: async (_, ask) => {
    asked.push(ask)
    return {
      kind: 'begun',
      url: `https://platform.example/authorize?state=${ask.state}`,
      keep: { verifier: 'kept until the answer' },
    }
  },
  answer: (...call) => (answered.push({ keep: call[1], params: call[2] }), answers(...call)),
}

beforeAll(async () => {
  app = await startApp({
    platforms: {
      bluesky: testPlatform({ page, revoke: async (_, secret) => (ended.push(secret), { kind: 'revoked' }) }),
    },
  })
  content = contentOn(app.parts)
})
afterAll(() => app.close())
beforeEach(async () => {
  world += 1
  asked = []
  answered = []
  ended = []
  offers = [account('rook')]
  answers = async () => ({ kind: 'accounts', accounts: offers })
  home = await app.signedInOwner()
})

const at = (where = home) => ({ ...where.params, platform: 'bluesky' as const })
const begin = async (
  as: TestPerson = home.person,
  query: { domain?: string; channelId?: string } = {},
  where = home,
) => {
  const { url } = await app.call(connectAuth, { params: at(where), query }, { as })
  return new URL(url).searchParams.get('state') ?? ''
}
const answer = (
  state: string,
  as: TestPerson = home.person,
  more: Record<string, string> = { code: 'the code' },
  where = home,
) => app.call(connectCallback, { params: at(where), body: { state, ...more } }, { as })
const choose = (flowId: string, names: string[], as: TestPerson = home.person, where = home) =>
  app.call(
    connectConfirm,
    { params: at(where), body: { flowId, profiles: names.map((name) => `did:plc:${world}-${name}`) } },
    { as },
  )
const handles = async (as: TestPerson = home.person) =>
  (await app.call(allChannels, { params: home.params }, { as })).channels.map(({ handle }) => handle)
const EXPIRED = { code: 'CONNECT_EXPIRED', status: 410 }

describe('connecting with a page', () => {
  it('leads there, handles the answer, and connects what is chosen', async () => {
    offers = [account('rook'), account('raven'), account('crow')]
    const state = await begin(home.person, { domain: 'pds.example' })
    expect(asked).toEqual([{ redirectUri: 'http://rookery.test/oauth/bluesky/callback', state, domain: 'pds.example' }])
    const offer = await answer(state, home.person, { code: 'the code', iss: 'https://pds.example' })
    expect(answered).toEqual([
      { keep: { verifier: 'kept until the answer' }, params: { state, code: 'the code', iss: 'https://pds.example' } },
    ])
    expect(offer.accounts.map(({ name, connected }) => ({ name, connected }))).toEqual([
      { name: 'rook', connected: false },
      { name: 'raven', connected: false },
      { name: 'crow', connected: false },
    ])
    // nothing is connected before the person confirms
    expect(await handles()).toEqual([])
    const { channels, message } = await choose(offer.flowId, ['rook', 'crow'])
    expect(message).toBe('2 channels connected')
    expect(channels).toMatchObject([
      {
        handle: '@rook.example',
        status: 'CONNECTED',
        signInEndsAt: '2026-12-05T10:00:00.000Z',
        checkedAt: app.clock.now().toISOString(),
      },
      { handle: '@crow.example' },
    ])
    expect((await handles()).toSorted()).toEqual(['@crow.example', '@rook.example'])
    const audit = await app.database.owner.query(
      "select entity_id from audit where org_id = $1 and action = 'connected'",
      [home.orgId],
    )
    expect(audit.rows.map((row) => String(row.entity_id)).toSorted()).toEqual(
      channels.map(({ channelId }) => channelId).toSorted(),
    )
  })

  it("stores an account's name from a server as one line that can't be confused with anything else", async () => {
    const hostile = account('rook')
    offers = [
      {
        ...hostile,
        account: {
          ...hostile.account,
          name: `Pay\r\nBcc: all@example.org\n\u202Ehere${'x'.repeat(9_000)}`,
          handle: '@rook.example\nhas to sign in at https://evil.example',
          pictureUrl: 'http://10.0.0.1/track.gif',
        },
      },
    ]
    const { accounts, flowId } = await answer(await begin())
    const { channels } = await choose(flowId, ['rook'])
    for (const shown of [accounts[0]?.name, channels[0]?.channelName])
      expect(shown).toMatch(/^Pay Bcc: all@example.org herex{150,200}$/)
    for (const shown of [accounts[0], channels[0]])
      expect(shown).toMatchObject({ handle: '@rook.example has to sign in at https://evil.example', profileUrl: null })
  })

  it('can start sixty times an hour per person, even if it fails, so that nobody guesses passwords elsewhere through us', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 65 }, () => begin()))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(60)
    expect(asked).toHaveLength(60)
    await expect(begin()).rejects.toMatchObject({ code: 'RATE_LIMITED', status: 429 })
    await begin(await app.colleague(home, 'admin'))
  })

  it('stores neither the state nor a token in readable form', async () => {
    const state = await begin()
    const kept = async () =>
      JSON.stringify(
        (
          await app.database.owner.query(
            "select encode(state_hash, 'escape') as hash, encode(sealed, 'escape') as sealed from connect_flow where org_id = $1",
            [home.orgId],
          )
        ).rows,
      )
    expect(await kept()).not.toMatch(new RegExp(`${state}|kept until`))
    const { flowId } = await answer(state)
    expect(await kept()).not.toMatch('the token of')
    await choose(flowId, ['rook'])
    expect(
      (
        await app.database.owner.query('select length(sealed) as bytes from connect_flow where org_id = $1', [
          home.orgId,
        ])
      ).rows,
    ).toEqual([{ bytes: 0 }])
  })

  it('accepts a state once, even if it arrives twice at the same time', async () => {
    const state = await begin()
    const both = await Promise.allSettled([answer(state), answer(state)])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(answered).toHaveLength(1)
    await expect(answer(state)).rejects.toMatchObject(EXPIRED)
    await expect(answer('a guess')).rejects.toMatchObject(EXPIRED)
  })

  it('accepts a choice once, even if it arrives twice at the same time', async () => {
    const { flowId } = await answer(await begin())
    const both = await Promise.allSettled([choose(flowId, ['rook']), choose(flowId, ['rook'])])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await handles()).toEqual(['@rook.example'])
  })

  it('belongs to the person, the project and the platform that started it', async () => {
    const colleague = await app.colleague(home, 'admin')
    const second = { ...home, ...(await app.project(home.orgId, home.person)) }
    const other = { ...second, params: { orgId: home.orgId, projectId: second.projectId } }
    const stranger = await app.signedInOwner()
    const state = await begin()
    await expect(answer(state, colleague)).rejects.toMatchObject(EXPIRED)
    await expect(answer(state, home.person, undefined, other)).rejects.toMatchObject(EXPIRED)
    await expect(answer(state, stranger.person, undefined, stranger)).rejects.toMatchObject(EXPIRED)
    const { flowId } = await answer(state)
    await expect(choose(flowId, ['rook'], colleague)).rejects.toMatchObject(EXPIRED)
    await expect(choose(flowId, ['rook'], home.person, other)).rejects.toMatchObject(EXPIRED)
    await expect(choose(flowId, ['rook'], stranger.person, stranger)).rejects.toMatchObject(EXPIRED)
    expect((await choose(flowId, ['rook'])).message).toBe('Channel connected')
  })

  it('lasts 15 minutes in each of its steps', async () => {
    const state = await begin()
    app.clock.advance({ minutes: 15 })
    await expect(answer(state)).rejects.toMatchObject(EXPIRED)
    const { flowId } = await answer(await begin())
    app.clock.advance({ minutes: 15 })
    await expect(choose(flowId, ['rook'])).rejects.toMatchObject(EXPIRED)
    expect(await handles()).toEqual([])
  })

  it('reports a refusal with the platform’s message, and leaving the page', async () => {
    await expect(answer(await begin(), home.person, { error: 'access_denied' })).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: 'The connection was canceled on Bluesky.' },
    })
    await expect(
      answer(await begin(), home.person, { error: 'server_error', error_description: 'Out of order' }),
    ).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: "Bluesky didn't connect the account: Out of order." },
    })
    expect(answered).toEqual([])
    answers = async () => ({ kind: 'retry', reason: saying('Bluesky is away.', 'Try again.') })
    const state = await begin()
    await expect(answer(state)).rejects.toMatchObject({ code: 'CHANNEL_UNREACHABLE' })
    await expect(answer(state)).rejects.toMatchObject(EXPIRED)
  })

  it('accepts only what was offered', async () => {
    const { flowId } = await answer(await begin())
    await expect(choose(flowId, ['rook', 'raven'])).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { profiles: ['Choose from the accounts in the list'] } },
    })
    expect(await handles()).toEqual([])
    // a refused choice can be repeated
    await choose(flowId, ['rook'])
  })

  it('is for admins', async () => {
    const editor = await app.colleague(home, 'editor')
    await expect(begin(editor)).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const admin = await app.colleague(home, 'admin')
    const state = await begin(admin)
    await app.database.owner.query('update project_member set role_id = $2 where person_id = $1', [
      admin.personId,
      home.roles.editor,
    ])
    await expect(answer(state, admin)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('the plan', () => {
  it('includes all of the chosen accounts or none', async () => {
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    await content.channel(home)
    offers = [account('rook'), account('raven'), account('crow')]
    const { flowId } = await answer(await begin())
    await expect(choose(flowId, ['rook', 'raven', 'crow'])).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'channels' } },
    })
    expect(await handles()).toHaveLength(1)
    expect((await choose(flowId, ['raven', 'crow'])).channels).toHaveLength(2)
    await expect(begin(home.person)).rejects.toMatchObject({ code: 'PLAN_LIMIT' })
  })

  it('that has ended sends nobody to a platform', async () => {
    await app.database.owner.query("update plan set status = 'CANCELLED' where org_id = $1", [home.orgId])
    await expect(begin()).rejects.toMatchObject({ code: 'PLAN_LIMIT', problem: { meta: { gate: 'plan_expired' } } })
    expect(asked).toEqual([])
  })
})

describe('reconnecting with a page', () => {
  const connected = async (name: string) => {
    offers = [account(name)]
    const { flowId } = await answer(await begin())
    return (await choose(flowId, [name])).channels[0]?.channelId ?? ''
  }

  it('requires the channel’s own account and continues its channel', async () => {
    const channelId = await connected('rook')
    await app.database.owner.query(
      `update channel set status = 'TOKEN_EXPIRED', problem = '{"code": "sign-in-missing"}' where id = $1`,
      [channelId],
    )
    const { flowId, accounts } = await answer(await begin(home.person, { channelId }))
    expect(asked.at(-1)).toMatchObject({ login: '@rook.example', domain: 'pds.example' })
    expect(accounts).toMatchObject([{ handle: '@rook.example', connected: true }])
    expect(await choose(flowId, ['rook'])).toMatchObject({
      message: 'Channel reconnected',
      channels: [{ channelId, status: 'CONNECTED', problem: null }],
    })
  })

  it('accepts no other account, and revokes the sign-in that nobody uses', async () => {
    const channelId = await connected('rook')
    const state = await begin(home.person, { channelId })
    offers = [account('raven')]
    await expect(answer(state)).rejects.toMatchObject({
      code: 'CHANNEL_REFUSED',
      problem: { detail: 'You signed in as @raven.example. Sign in as @rook.example to reconnect it.' },
    })
    expect(ended).toEqual([{ token: 'the token of raven' }])
  })

  it('is refused for foreign channels, channels outside of the role, and those being deleted', async () => {
    const channelId = await connected('rook')
    const mine = await content.channel(home)
    const bound = await app.colleague(home, 'admin', { channelIds: [mine] })
    await expect(begin(bound, { channelId })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    const stranger = await app.signedInOwner()
    await expect(begin(stranger.person, { channelId }, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await app.call(deleteChannel, { params: { ...home.params, channelId } }, { as: home.person })
    await expect(begin(home.person, { channelId })).rejects.toMatchObject({ code: 'CHANNEL_DELETING' })
  })

  it('tells members with specific channels nothing about others', async () => {
    await connected('rook')
    const mine = await content.channel(home)
    const bound = await app.colleague(home, 'admin', { channelIds: [mine] })
    offers = [account('rook'), account('raven')]
    const { flowId, accounts } = await answer(await begin(bound), bound)
    expect(accounts.map(({ connected: known }) => known)).toEqual([false, false])
    await expect(choose(flowId, ['rook', 'raven'], bound)).rejects.toMatchObject({ code: 'CHANNEL_TAKEN' })
    const told = async () =>
      (
        await app.database.owner.query(
          "select from event where kind = 'member' and org_id = $1 and project_id = $2 and ref = $3",
          [home.orgId, home.projectId, bound.personId],
        )
      ).rowCount
    const before = await told()
    await choose(flowId, ['raven'], bound)
    expect(await handles(bound)).toEqual([expect.any(String), '@raven.example'])
    // their own access includes one channel more: open screens read it again
    expect(await told()).toBe((before ?? 0) + 1)
  })

  it("of a disabled channel enables it, unless the plan doesn't have room for one more", async () => {
    const channelId = await connected('rook')
    await content.channel(home)
    await app.call(disableChannel, { params: { ...home.params, channelId } }, { as: home.person })
    const { flowId } = await answer(await begin(home.person, { channelId }))
    await app.database.owner.query(
      "update plan set plan_id = 'free', status = 'ACTIVE', trial_ends_at = null where org_id = $1",
      [home.orgId],
    )
    for (let i = 0; i < 2; i++)
      await app.database.owner.query(
        'insert into channel (org_id, id, project_id, platform, remote_id, name, handle, connected_at, connected_by) select org_id, gen_random_uuid(), project_id, platform, gen_random_uuid(), name, handle, connected_at, connected_by from channel where id = $1',
        [channelId],
      )
    await expect(choose(flowId, ['rook'])).rejects.toMatchObject({
      code: 'PLAN_LIMIT',
      problem: { meta: { gate: 'channels' } },
    })
  })
})

describe('a platform without an adapter', () => {
  it("says that it isn't set up, in the list and when connecting", async () => {
    const { platforms } = await app.call(connectWays, { params: home.params }, { as: home.person })
    expect(platforms.find(({ platform }) => platform === 'bluesky')).toEqual({
      platform: 'bluesky',
      form: false,
      page: true,
      wantsApp: false,
      variants: [],
      simulated: false,
      problem: null,
    })
    expect(platforms.find(({ platform }) => platform === 'x')).toMatchObject({
      platform: 'x',
      form: false,
      page: false,
      wantsApp: false,
      problem: "This platform isn't set up yet.",
    })
    const refusal = { code: 'CHANNEL_REFUSED', problem: { detail: "This platform isn't set up yet." } }
    await expect(
      app.call(connectAuth, { params: { ...home.params, platform: 'twitter' } }, { as: home.person }),
    ).rejects.toMatchObject(refusal)
    await expect(
      app.call(
        connectCallback,
        { params: { ...home.params, platform: 'x' }, body: { state: 'x' } },
        { as: home.person },
      ),
    ).rejects.toMatchObject(refusal)
    await expect(
      app.call(
        connectConfirm,
        { params: { ...home.params, platform: 'x' }, body: { flowId: home.orgId, profiles: ['x'] } },
        { as: home.person },
      ),
    ).rejects.toMatchObject(refusal)
    await expect(
      app.call(connectAuth, { params: { ...home.params, platform: 'myspace' } }, { as: home.person }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})
