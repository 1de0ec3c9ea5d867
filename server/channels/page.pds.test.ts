import { afterAll, beforeAll, expect, it } from 'vitest'
import { allChannels, connectBluesky, deleteChannel } from '#contract/channels.ts'
import { connectAuth, connectCallback, connectConfirm, connectWays } from '#contract/connect.ts'
import { asTenant } from '../db/tenant.ts'
import { createNotification } from '../notifications/create.ts'
import { composePlatforms } from '../platforms/registry.ts'
import { createSafeFetch } from '../platforms/safeFetch.ts'
import type { Publishing } from '../publishing/start.ts'
import { authorize } from '../testing/pds/authorize.ts'
import { sharedPds, type TestAccount, type TestPds } from '../testing/pds/startPds.ts'
import { NOW, postsOn } from '../testing/posts.ts'
import { runJobs } from '../testing/runJobs.ts'
import { publishingOf } from '../testing/publishingOf.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { checkDueChannels } from './health.ts'
import { channelJobs } from './jobs.ts'
import { loadSecret } from '../delivery/secrets.ts'

/* The whole way with the real server: its page, a post, a renewal, the daily check, the deletion. */

let pds: TestPds
let app: TestApp
let machine: Publishing

beforeAll(async () => {
  pds = await sharedPds()
  const platforms = composePlatforms({ plcDirectory: pds.directory, publicUrl: 'http://localhost:3000' })
  const bluesky = platforms('bluesky')
  if (!bluesky) throw new Error('no adapter')
  // the server's tokens use the real time
  app = await startApp({
    at: new Date(),
    env: { PUBLIC_URL: 'http://localhost:3000' },
    platforms: { bluesky },
    fetch: createSafeFetch({ allow: [pds.host, pds.directoryHost] }),
  })
  machine = await publishingOf(app, [bluesky])
})
afterAll(async () => {
  await machine.stop({ drain: 5000 })
  await app.close()
})

async function connected(account: TestAccount) {
  const home = await app.signedInOwner()
  const params = { ...home.params, platform: 'bluesky' as const }
  const { url } = await app.call(connectAuth, { params, query: { domain: pds.host } }, { as: home.person })
  const back = await authorize(url, account)
  expect(`${back.origin}${back.pathname}`).toBe('http://127.0.0.1:3000/oauth/bluesky/callback')
  const { state = '', code = '', iss = '' } = Object.fromEntries(back.searchParams)
  const { flowId, accounts } = await app.call(
    connectCallback,
    { params, body: { state, code, iss } },
    { as: home.person },
  )
  expect(accounts).toEqual([
    {
      remoteId: account.did,
      name: account.handle,
      handle: `@${account.handle}`,
      profileUrl: null,
      connected: false,
      kind: null,
      missing: [],
    },
  ])
  const { channels } = await app.call(
    connectConfirm,
    { params, body: { flowId, profiles: [account.did] } },
    { as: home.person },
  )
  const channelId = channels[0]?.channelId ?? ''
  return {
    home,
    params,
    channelId,
    secret: async () =>
      (
        await asTenant(app.parts.databases.web, home.orgId, (tx) =>
          loadSecret(tx, app.parts.secrets, { orgId: home.orgId, channelId }),
        )
      )?.secret,
  }
}

const look = () =>
  checkDueChannels(
    { ...app.parts, notify: createNotification },
    { databases: app.parts.databases, clock: app.clock, log: app.parts.log, signal: new AbortController().signal },
  )

it("an account that signed in on the page publishes, also after its token was renewed, and is signed out when it's deleted", async () => {
  const account = await pds.createAccount()
  const { home, channelId, secret } = await connected(account)
  const ways = await app.call(connectWays, { params: home.params }, { as: home.person })
  expect(ways.platforms.find(({ platform }) => platform === 'bluesky')).toEqual({
    platform: 'bluesky',
    form: true,
    page: true,
    wantsApp: false,
    variants: [],
    problem: null,
    simulated: false,
  })

  const posts = postsOn(app, app.database)
  const publish = async (text: string) => {
    const id = await posts.post(home, channelId, { text, schedule: NOW })
    await until(async () => {
      app.clock.advance({ ms: 5 })
      return (await posts.row(id))['state'] === 'PUBLISHED'
    })
  }
  await publish('From the page')
  const before = await secret()
  // an hour later the token has expired: the engine renews it before it sends
  app.clock.advance({ minutes: 59 })
  await publish('After an hour')
  expect((await secret())?.['accessJwt']).not.toBe(before?.['accessJwt'])
  expect((await pds.posts(account)).map(({ value }) => value['text'])).toEqual(['After an hour', 'From the page'])

  await app.call(deleteChannel, { params: { ...home.params, channelId } }, { as: home.person })
  const last = await secret()
  await runJobs(app, channelJobs(app.parts))
  expect(await secret()).toBeUndefined()
  const bluesky = app.parts.platforms('bluesky')
  const refresh = await bluesky?.connect.refresh(
    { fetch: app.parts.fetch, signal: new AbortController().signal },
    last ?? {},
    { remoteId: account.did, handle: '', service: null },
  )
  expect(refresh).toMatchObject({ kind: 'reconnect', reason: { platformCode: 'invalid_grant' } })
})

it("a page's sign-in is checked daily, announced a week before its end, and replaced with an app password", async () => {
  const account = await pds.createAccount()
  const { home, channelId } = await connected(account)
  app.clock.advance({ hours: 24 })
  await look()
  const shown = async () => (await app.call(allChannels, { params: home.params }, { as: home.person })).channels[0]
  expect(await shown()).toMatchObject({ status: 'CONNECTED', checkedAt: app.clock.now().toISOString(), problem: null })
  const kinds = async () =>
    (await app.database.owner.query('select kind from notice where org_id = $1', [home.orgId])).rows.map(({ kind }) =>
      String(kind),
    )
  expect(await kinds()).toEqual([])
  app.clock.advance({ days: 7 })
  await look()
  expect(await kinds()).toEqual(['channel-sign-in-ends'])

  await pds.takeDown(account)
  app.clock.advance({ days: 1 })
  await look()
  expect(await shown()).toMatchObject({ status: 'TOKEN_EXPIRED', problem: expect.any(String) })
  await pds.takeDown(account, false)
  const again = await app.call(
    connectBluesky,
    { params: home.params, body: { handle: account.handle, appPassword: account.appPassword, service: pds.url } },
    { as: home.person },
  )
  expect(again).toMatchObject({
    reconnected: true,
    channel: { channelId, status: 'CONNECTED', problem: null, signInEndsAt: null },
  })
})
