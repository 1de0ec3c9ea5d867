import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppKey } from '#contract/platforms/rules.ts'
import { deleteApp, listApps, putApp } from '#contract/apps.ts'
import { deleteChannel } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm, connectWays } from '#contract/connect.ts'
import { checkDueChannels } from '../channels/health.ts'
import { channelJobs } from '../channels/jobs.ts'
import { addSecretKey, openSecret } from '../delivery/secrets.ts'
import { asSystem } from '../db/system.ts'
import { createNotification } from '../notifications/create.ts'
import type { AppCredentials, Reach, SignedIn } from '../platforms/platform.ts'
import { openLane } from '../delivery/lane.ts'
import { freshSecret } from '../delivery/refresh.ts'
import { contentOn, testPlatform } from '../testing/content.ts'
import { giveApp } from '../testing/giveApp.ts'
import type { TestHome } from '../testing/people.ts'
import { runJobs } from '../testing/runJobs.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { instanceAppsOf } from './instanceApps.ts'
import { resealApps } from './sealed.ts'

/*
 * Apps at platforms: of the installation and of organizations, and with which of them a sign-in is created, renewed and
 * ended.
 */

giveApp('linkedin', {
  variants: [
    { value: 'profile', label: 'Profile', description: 'One person.' },
    { value: 'pages', label: 'Pages', description: 'Pages of a person.', appOf: 'linkedin_pages' },
  ],
})
giveApp('facebook', { publicHttps: true })
giveApp('instagram', {
  variants: [
    { value: 'own', label: 'Instagram', description: 'Signs in on Instagram.' },
    { value: 'other', label: 'Facebook', description: 'Signs in on Facebook.', appOf: 'linkedin' },
  ],
})

let app: TestApp
let home: TestHome
/** What the adapter received, by call. */
let heard: { call: string; app: AppCredentials | undefined; variant?: string | undefined }[] = []
let world = 0
const hear = (call: string, { app: given }: Reach, variant?: string) =>
  heard.push({ call, app: given, ...(variant !== undefined && { variant }) })
const offer = (): SignedIn => ({
  account: { remoteId: `account-${world}`, name: 'Rook', handle: '@rook', pictureUrl: null, service: null },
  secret: { token: 'a token' },
  expiresAt: null,
})

const adapter = (key: 'linkedin' | 'instagram' | 'facebook') =>
  testPlatform({
    key,
    page: {
      begin: async (reach, { state, variant }) => (
        hear('begin', reach, variant),
        { kind: 'begun', url: `https://platform.example/authorize?state=${state}`, keep: {} }
      ),
      answer: async (reach) => (hear('answer', reach), { kind: 'accounts', accounts: [offer()] }),
    },
    refresh: async (reach) => (
      hear('refresh', reach),
      { kind: 'refreshed', secret: { token: 'a newer token' }, expiresAt: null }
    ),
    check: async (reach) => (hear('check', reach), { kind: 'works', endsAt: null }),
    revoke: async (reach) => (hear('revoke', reach), { kind: 'revoked' }),
  })

const INSTALLATION = { clientId: 'of-the-installation', clientSecret: 'secret of the installation' }
const OWN = { clientId: 'of-the-organization', clientSecret: 'secret-of-the-organization' }

beforeAll(async () => {
  app = await startApp({
    env: { LINKEDIN_CLIENT_ID: INSTALLATION.clientId, LINKEDIN_CLIENT_SECRET: INSTALLATION.clientSecret },
    platforms: { linkedin: adapter('linkedin'), instagram: adapter('instagram'), facebook: adapter('facebook') },
  })
})
afterAll(() => app.close())
beforeEach(async () => {
  world += 1
  heard = []
  home = await app.signedInOwner()
})

type Connectable = 'linkedin' | 'instagram' | 'facebook'
const as = () => ({ as: home.person })
const orgAt = (key: AppKey) => ({ orgId: home.orgId, app: key })
const at = (platform: Connectable) => ({ ...home.params, platform })
const keepOwn = (platform: Connectable = 'linkedin', body: AppCredentials = OWN) =>
  app.call(putApp, { params: orgAt(platform), body }, as())
const shown = async (platform: string) =>
  (await app.call(listApps, { params: { orgId: home.orgId } }, as())).apps.find((one) => one.app === platform)
const begin = async (platform: Connectable, variant?: string) => {
  const { url } = await app.call(
    connectAuth,
    { params: at(platform), query: variant === undefined ? {} : { variant } },
    as(),
  )
  return new URL(url).searchParams.get('state') ?? ''
}
const answer = (platform: Connectable, state: string) =>
  app.call(connectCallback, { params: at(platform), body: { state, code: 'the code' } }, as())
async function connect(platform: Connectable, variant?: string): Promise<string> {
  const { flowId } = await answer(platform, await begin(platform, variant))
  const { channels } = await app.call(
    connectConfirm,
    { params: at(platform), body: { flowId, profiles: [`account-${world}`] } },
    as(),
  )
  return channels[0]?.channelId ?? ''
}
const row = async <T extends Record<string, unknown>>(text: string, values: unknown[]) =>
  (await app.database.owner.query<T>(text, values)).rows[0]
const used = (call: string) => heard.filter((one) => one.call === call).map((one) => one.app?.clientId)
const refused = (detail: string) => ({ code: 'CHANNEL_REFUSED', problem: { detail } })

describe('apps of an organization', () => {
  it('are listed for every platform with who set them up', async () => {
    expect(await shown('linkedin')).toEqual({
      app: 'linkedin',
      platform: 'linkedin',
      state: 'installation',
      clientId: INSTALLATION.clientId,
      setBy: null,
      setAt: null,
      redirectUri: 'http://rookery.test/oauth/linkedin/callback',
      webhooks: [],
      verifyToken: null,
      deletionUrl: null,
      wantsHttps: false,
      sandbox: false,
      channels: 0,
    })
    expect(await shown('instagram')).toMatchObject({ state: 'missing', clientId: null })
    expect(await shown('facebook')).toMatchObject({ state: 'missing', wantsHttps: true })
    expect(await shown('x')).toMatchObject({ state: 'unavailable' })
    const { app: saved, message } = await keepOwn()
    expect(message).toBe('Saved. New channels are connected with this app.')
    expect(saved).toEqual(await shown('linkedin'))
    expect(saved).toMatchObject({
      state: 'organization',
      clientId: OWN.clientId,
      setAt: app.clock.now().toISOString(),
      setBy: expect.stringMatching(/\w+/),
    })
  })

  it('are never readable again, and stored encrypted', async () => {
    const answers = JSON.stringify([await keepOwn(), await app.call(listApps, { params: { orgId: home.orgId } }, as())])
    expect(answers).not.toContain('secret-of')
    const kept = await row<{ text: string }>(
      "select encode(sealed, 'escape') || row_to_json(a)::text as text from app_credentials a where org_id = $1",
      [home.orgId],
    )
    expect(kept?.text).toContain(OWN.clientId)
    expect(kept?.text).not.toContain(OWN.clientSecret)
    const audit = await row<{ text: string }>(
      "select string_agg(row_to_json(a)::text, '') as text from audit a where org_id = $1 and entity = 'app'",
      [home.orgId],
    )
    expect(audit?.text).toContain('"action":"set"')
    expect(audit?.text).not.toContain(OWN.clientSecret)
  })

  it('take two values of one line each', async () => {
    for (const body of [
      { clientId: '', clientSecret: 'x' },
      { clientId: 'x', clientSecret: ' ' },
      { clientId: 'a b', clientSecret: 'x' },
      { clientId: 'x', clientSecret: 'y'.repeat(1001) },
    ]) {
      await expect(app.call(putApp, { params: orgAt('linkedin'), body }, as())).rejects.toMatchObject({
        code: 'BAD_INPUT',
      })
    }
    await expect(app.call(putApp, { params: orgAt('bluesky'), body: OWN }, as())).rejects.toMatchObject({
      code: 'APP_NOT_TAKEN',
    })
    expect(await shown('linkedin')).toMatchObject({ state: 'installation' })
  })

  it('can be removed, once', async () => {
    await keepOwn()
    expect(await app.call(deleteApp, { params: orgAt('linkedin') }, as())).toMatchObject({
      app: { state: 'installation', clientId: INSTALLATION.clientId },
    })
    await expect(app.call(deleteApp, { params: orgAt('linkedin') }, as())).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  it('are re-encrypted when keys rotate', async () => {
    await keepOwn()
    const installation = { pool: app.database.databases.system, clock: app.clock }
    const redirect = 'http://rookery.test/oauth/mastodon/callback'
    await instanceAppsOf({ ...installation, keys: app.parts.secrets }, 'mastodon', redirect).keep(
      `https://server-${world}.example`,
      OWN,
    )
    const keys = addSecretKey(app.parts.env.DATA_DIR)
    expect(await asSystem(app.database.databases.system, (tx) => resealApps(tx, keys))).toBeGreaterThanOrEqual(2)
    const [newest] = keys
    expect(
      await instanceAppsOf({ ...installation, keys: [newest] }, 'mastodon', redirect).find(
        `https://server-${world}.example`,
      ),
    ).toMatchObject({ app: OWN })
    const kept = await row<{ key_id: string }>('select key_id from app_credentials where org_id = $1', [home.orgId])
    expect(kept?.key_id).toBe(newest.id)
    // the tested app only knows the old key
    await app.database.owner.query('delete from app_credentials where key_id = $1', [newest.id])
  })
})

describe('signing in', () => {
  it('uses the organization’s app before the installation’s, and the same one until an account is chosen', async () => {
    await connect('linkedin')
    expect(heard.map((one) => one.app)).toEqual([INSTALLATION, INSTALLATION])
    heard = []
    await keepOwn()
    const state = await begin('linkedin')
    await app.call(deleteApp, { params: orgAt('linkedin') }, as())
    await expect(answer('linkedin', state)).rejects.toMatchObject(
      refused('The platform app changed while you were connecting. Start again.'),
    )
    expect(used('begin')).toEqual([OWN.clientId])
    expect(used('answer')).toEqual([])
  })

  it('is refused with the reason if no app is set up, or if a public HTTPS URL is required', async () => {
    await expect(begin('instagram')).rejects.toMatchObject(
      refused("The Instagram app isn't set up yet. Organization admins can do that in Platform setup."),
    )
    await keepOwn('facebook')
    await expect(begin('facebook')).rejects.toMatchObject(
      refused('This platform requires Rookery to run on a public https address, set in PUBLIC_URL.'),
    )
    expect(heard).toEqual([])
    const { platforms } = await app.call(connectWays, { params: home.params }, as())
    const way = (key: string) => platforms.find(({ platform }) => platform === key)
    expect(way('linkedin')).toMatchObject({ page: true, wantsApp: false, problem: null })
    expect(way('facebook')).toMatchObject({
      page: false,
      wantsApp: false,
      problem: 'This platform requires Rookery to run on a public https address, set in PUBLIC_URL.',
    })
  })

  it("uses the chosen way, with that way's app", async () => {
    const variants = async () =>
      (await app.call(connectWays, { params: home.params }, as())).platforms.find(
        ({ platform }) => platform === 'instagram',
      )
    expect(await variants()).toMatchObject({
      page: true,
      wantsApp: false,
      variants: [
        {
          value: 'own',
          problem: "The Instagram app isn't set up yet. Organization admins can do that in Platform setup.",
        },
        { value: 'other', problem: null },
      ],
    })
    const channelId = await connect('instagram', 'other')
    expect(heard).toEqual([
      { call: 'begin', app: INSTALLATION, variant: 'other' },
      { call: 'answer', app: INSTALLATION },
    ])
    await expect(begin('instagram', 'another')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { variant: ['Choose one of the options'] } },
    })
    // a channel reconnects the way it was connected
    heard = []
    await app.call(connectAuth, { params: at('instagram'), query: { channelId } }, as())
    expect(heard).toMatchObject([{ variant: 'other', app: INSTALLATION }])
  })

  it('to LinkedIn Pages uses a separate app, and channels keep the app they were connected with', async () => {
    const problems = async () =>
      (await app.call(connectWays, { params: home.params }, as())).platforms
        .find(({ platform }) => platform === 'linkedin')
        ?.variants.map(({ value, problem }) => [value, problem])
    const missing = "The LinkedIn Pages app isn't set up yet. Organization admins can do that in Platform setup."
    expect(await problems()).toEqual([
      ['profile', null],
      ['pages', missing],
    ])
    await expect(begin('linkedin', 'pages')).rejects.toMatchObject(refused(missing))
    await app.call(putApp, { params: orgAt('linkedin_pages'), body: OWN }, as())
    expect(await shown('linkedin_pages')).toMatchObject({ platform: 'linkedin', state: 'organization', channels: 0 })
    expect(await shown('linkedin')).toMatchObject({ state: 'installation', clientId: INSTALLATION.clientId })
    expect(await problems()).toEqual([
      ['profile', null],
      ['pages', null],
    ])
    const channelId = await connect('linkedin', 'pages')
    expect(heard.map((one) => one.app)).toEqual([OWN, OWN])
    expect(await shown('linkedin_pages')).toMatchObject({ channels: 1 })
    expect(await app.parts.apps.ofChannel(home.orgId, channelId)).toEqual(OWN)
    // an app that was registered for both keeps its channels
    await app.call(deleteApp, { params: orgAt('linkedin_pages') }, as())
    await keepOwn('linkedin')
    expect(await app.parts.apps.ofChannel(home.orgId, channelId)).toEqual(OWN)
  })

  it("may use a platform's sandbox if it has one", async () => {
    const body = { ...OWN, sandbox: true }
    await expect(app.call(putApp, { params: orgAt('linkedin'), body }, as())).rejects.toMatchObject({
      code: 'BAD_INPUT',
      problem: { errors: { sandbox: ['This platform has no sandbox'] } },
    })
    expect(await shown('linkedin')).toMatchObject({ state: 'installation' })
    await app.call(putApp, { params: orgAt('pinterest'), body }, as())
    expect(await shown('pinterest')).toMatchObject({ state: 'organization', sandbox: true })
    expect(await app.parts.apps.forSignIn(home.orgId, 'pinterest')).toEqual({ ...OWN, sandbox: true })
  })

  it('needs no app where each server registers one itself', async () => {
    const store = instanceAppsOf(
      { pool: app.database.databases.system, keys: app.parts.secrets, clock: app.clock },
      'mastodon',
      `http://rookery.test/${world}`,
    )
    expect(await store.find('https://one.example')).toBeUndefined()
    const at = 'https://one.example'
    const kept = await Promise.all([store.keep(at, OWN), store.keep(at, INSTALLATION)])
    const first = kept[0]
    // the second sign-in continues with the first one's
    expect(kept).toEqual([first, first])
    expect(await store.find(at)).toEqual({ app: first, isFresh: true, isRecent: true })
    app.clock.advance({ minutes: 11 })
    expect(await store.find(at)).toMatchObject({ isFresh: false, isRecent: true })
    await store.confirm(at, first)
    expect(await store.find(at)).toMatchObject({ isFresh: true })
    // a late rejection of another app changes nothing
    await store.forget(at, { clientId: 'another', clientSecret: 'hush' })
    expect(await store.find(at)).toMatchObject({ app: first })
    await store.forget(at, first)
    expect(await store.find(at)).toBeUndefined()
  })
})

describe('a channel', () => {
  const renew = async (channelId: string) => {
    const { databases, secrets, apps } = app.parts
    const secret = await row<{ key_id: string; sealed: Buffer; version: number }>(
      'select key_id, sealed, version from channel_secret where channel_id = $1',
      [channelId],
    )
    const holder = {
      org_id: home.orgId,
      channel_id: channelId,
      key_id: secret?.key_id ?? null,
      sealed: secret?.sealed ?? null,
      secret_version: secret?.version ?? null,
      secret_expires_at: null,
      attempt_id: '01920000-0000-7000-8000-000000000001',
    }
    return await freshSecret(
      {
        pool: databases.system,
        clock: app.clock,
        keys: secrets,
        apps,
        fetch: app.parts.fetch,
        signal: new AbortController().signal,
        nodeId: 'a test',
      },
      adapter('linkedin'),
      holder,
      { remoteId: 'account', handle: '@rook', service: null },
      true,
    )
  }

  it('counts its calls against the app it was connected with, and is renewed with it', async () => {
    await keepOwn()
    const channelId = await connect('linkedin')
    expect(await row('select credentials from lane where channel_id = $1', [channelId])).toEqual({
      credentials: OWN.clientId,
    })
    expect(await shown('linkedin')).toMatchObject({ channels: 1 })
    expect(await renew(channelId)).toMatchObject({ kind: 'fresh', secret: { token: 'a newer token' } })
    expect(used('refresh')).toEqual([OWN.clientId])
  })

  it('of the installation’s app keeps it when the organization sets up its own', async () => {
    const channelId = await connect('linkedin')
    await keepOwn()
    await renew(channelId)
    expect(used('refresh')).toEqual([INSTALLATION.clientId])
  })

  it('takes a new secret of the same app immediately', async () => {
    await keepOwn()
    const channelId = await connect('linkedin')
    await keepOwn('linkedin', { ...OWN, clientSecret: 'rolled' })
    await renew(channelId)
    expect(heard.at(-1)?.app).toEqual({ ...OWN, clientSecret: 'rolled' })
  })

  it('whose app was removed asks to be reconnected, and nothing is sent or spent', async () => {
    await keepOwn()
    const channelId = await connect('linkedin')
    await keepOwn('linkedin', { clientId: 'another', clientSecret: 'another' })
    expect(await renew(channelId)).toMatchObject({
      kind: 'reconnect',
      reason: { code: 'app-not-set-up' },
    })
    expect(used('refresh')).toEqual([])
    const secret = await row<{ key_id: string; sealed: Buffer; refresh_tries: number }>(
      'select key_id, sealed, refresh_tries from channel_secret where channel_id = $1',
      [channelId],
    )
    expect(secret?.refresh_tries).toBe(0)
    if (secret)
      expect(
        openSecret(
          app.parts.secrets,
          { orgId: home.orgId, channelId },
          { keyId: secret.key_id, sealed: secret.sealed },
        ),
      ).toEqual({ token: 'a token' })
    // reconnecting uses the current app
    heard = []
    expect(await connect('linkedin')).toBe(channelId)
    expect(used('begin')).toEqual(['another'])
    expect(await row('select credentials from lane where channel_id = $1', [channelId])).toEqual({
      credentials: 'another',
    })
  })

  it('is checked and revoked with its app', async () => {
    const channelId = await connect('linkedin')
    await app.database.owner.query('update channel set check_at = $2 where id = $1', [channelId, app.clock.now()])
    await checkDueChannels(
      { ...app.parts, notify: createNotification },
      { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: new AbortController().signal },
    )
    expect(used('check')).toEqual([INSTALLATION.clientId])
    await app.call(deleteChannel, { params: { ...home.params, channelId } }, as())
    await runJobs(app, channelJobs(app.parts))
    expect(used('revoke')).toEqual([INSTALLATION.clientId])
  })

  it('of a platform without apps counts for itself', async () => {
    const channelId = await contentOn(app.parts).channel(home)
    expect(await row('select credentials from lane where channel_id = $1', [channelId])).toEqual({ credentials: 'own' })
    expect(await app.parts.apps.ofChannel(home.orgId, channelId)).toBeUndefined()
    await asSystem(app.database.databases.system, (tx) =>
      openLane(tx, { orgId: home.orgId, channelId, platform: 'bluesky', credentials: 'gone' }),
    )
    expect(await app.parts.apps.ofChannel(home.orgId, channelId)).toBe('gone')
  })
})

describe('with simulated platforms', () => {
  it('no one needs an app, the browser goes to the simulators, and channels are marked', async () => {
    const simulated = await startApp({
      database: app.database,
      env: { SIMULATED_CHANNELS: '1', SIMULATED_PLATFORMS: 'http://127.0.0.1:4456' },
      platforms: { facebook: { ...adapter('facebook'), hosts: ['platform.example'] } },
    })
    try {
      const { url } = await simulated.call(connectAuth, { params: at('facebook') }, as())
      expect(url).toMatch(/^http:\/\/127\.0\.0\.1:4456\/platform\.example\/authorize\?state=/)
      expect(used('begin')).toEqual(['simulated'])
      const { flowId } = await simulated.call(
        connectCallback,
        { params: at('facebook'), body: { state: new URL(url).searchParams.get('state') ?? '', code: 'x' } },
        as(),
      )
      const { channels } = await simulated.call(
        connectConfirm,
        { params: at('facebook'), body: { flowId, profiles: [`account-${world}`] } },
        as(),
      )
      expect(channels).toMatchObject([{ simulated: true }])
      const { apps } = await simulated.call(listApps, { params: { orgId: home.orgId } }, as())
      expect(apps.find(({ platform }) => platform === 'facebook')).toMatchObject({
        state: 'simulated',
        wantsHttps: false,
      })
    } finally {
      await simulated.close()
    }
  })
})
