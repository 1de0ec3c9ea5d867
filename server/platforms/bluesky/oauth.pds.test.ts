import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { authorize } from '../../testing/pds/authorize.ts'
import { startVideoService } from '../../simulators/bluesky/videoService.ts'
import { sharedPds, type TestAccount, type TestPds } from '../../testing/pds/startPds.ts'
import type { ConnectByPage, Platform, Reach, SignedIn } from '../platform.ts'
import { createSafeFetch, type SafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'
import { clientAt } from './client.ts'
import { newDpopKey } from './dpop.ts'
import { film, outgoing, picture } from './fixtures/outgoing.ts'

/* Signing in on the real server's own page, and everything that is done with such a sign-in afterwards. */

let pds: TestPds
let bluesky: Platform
let page: ConnectByPage
let reach: Reach
/** Every request that left, as method and path, with the status of its answer. */
let wire: string[] = []
const signal = new AbortController().signal
const redirectUri = 'http://localhost:3000/oauth/bluesky/callback'

beforeAll(async () => {
  pds = await sharedPds()
  bluesky = createBluesky({ plcDirectory: pds.directory, publicUrl: 'http://localhost:3000' })
  const fetch = createSafeFetch({ allow: [pds.host, pds.directoryHost] })
  const noting: SafeFetch = async (url, request) => {
    const answer = await fetch(url, request)
    wire.push(
      `${request.method ?? 'GET'} ${new URL(url).pathname} ${answer.kind === 'answer' ? answer.status : answer.kind}`,
    )
    return answer
  }
  reach = { fetch: noting, signal }
  if (!bluesky.connect.withPage) throw new Error('no page')
  page = bluesky.connect.withPage
})
beforeEach(() => void (wire = []))

const begin = async (ask: { domain?: string; login?: string } = {}, by = reach) =>
  await page.begin(by, { redirectUri, state: 'a state of the test', domain: pds.host, ...ask })
async function begun() {
  const answer = await begin()
  if (answer.kind !== 'begun') throw new Error(JSON.stringify(answer))
  return answer
}
async function signIn(account: TestAccount): Promise<SignedIn> {
  const { url, keep } = await begun()
  const back = await authorize(url, account)
  // what is kept is sealed as JSON meanwhile
  const answer = await page.answer(reach, JSON.parse(JSON.stringify(keep)), Object.fromEntries(back.searchParams))
  const [one] = answer.kind === 'accounts' ? answer.accounts : []
  if (!one) throw new Error(JSON.stringify(answer))
  return { ...one, secret: JSON.parse(JSON.stringify(one.secret)) }
}
const ref = (account: TestAccount) => ({ remoteId: account.did, handle: `@${account.handle}`, service: pds.url })

describe('signing in on the page', () => {
  it('returns the account, and stores tokens that are bound to a key', async () => {
    const account = await pds.createAccount()
    const { url } = await begun()
    expect(new URL(url).origin).toBe(pds.url)
    expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const back = await authorize(url, account)
    // the loopback client comes back to an address, never to a name
    expect(back.href).toMatch('http://127.0.0.1:3000/oauth/bluesky/callback')
    const signedIn = await signIn(account)
    expect(signedIn.account).toEqual({
      remoteId: account.did,
      name: account.handle,
      handle: `@${account.handle}`,
      pictureUrl: null,
      service: pds.url,
    })
    expect(signedIn.secret).toMatchObject({
      did: account.did,
      pds: pds.url,
      oauth: { key: { kty: 'EC', crv: 'P-256' }, refreshToken: expect.stringMatching(/^ref-/) },
    })
    const now = Date.now()
    expect(signedIn.expiresAt?.getTime()).toBeGreaterThan(now + 10 * 60_000)
    expect((signedIn.endsAt?.getTime() ?? 0) / 86_400_000 - now / 86_400_000).toBeCloseTo(14, 1)
    expect(wire.some((line) => line.includes('createSession'))).toBe(false)
    // the server hands out its nonce by refusing the first request, which is made again
    expect(wire.filter((line) => line.includes('/oauth/par')).slice(0, 2)).toEqual([
      'POST /oauth/par 400',
      'POST /oauth/par 201',
    ])
  })

  it('refuses a response with another state, another issuer, or a used code', async () => {
    const account = await pds.createAccount()
    const { url, keep } = await begun()
    const params = Object.fromEntries((await authorize(url, account)).searchParams)
    wire = []
    expect(await page.answer(reach, keep, { ...params, state: 'another' })).toMatchObject({ kind: 'rejected' })
    expect(await page.answer(reach, keep, { ...params, iss: 'https://evil.example' })).toMatchObject({
      kind: 'rejected',
    })
    const { iss: _, ...silent } = params
    expect(await page.answer(reach, keep, silent)).toMatchObject({ kind: 'rejected' })
    // refused before anyone was asked
    expect(wire).toEqual([])
    expect((await page.answer(reach, keep, params)).kind).toBe('accounts')
    expect(await page.answer(reach, keep, params)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'invalid_grant' },
    })
  })

  it('refuses a code with another verifier or key', async () => {
    const account = await pds.createAccount()
    for (const stolen of [{ verifier: 'a'.repeat(43) }, { key: await newDpopKey() }]) {
      const { url, keep } = await begun()
      const params = Object.fromEntries((await authorize(url, account)).searchParams)
      expect(await page.answer(reach, { ...keep, ...stolen }, params)).toMatchObject({
        kind: 'rejected',
        reason: { platformCode: expect.stringMatching(/^invalid_/) },
      })
    }
  })

  it('reports it when the person declines', async () => {
    const { url } = await begun()
    const back = await authorize(url, await pds.createAccount(), 'no')
    expect(Object.fromEntries(back.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'a state of the test',
      iss: pds.url,
    })
  })

  it('refuses an account that was taken down', async () => {
    const account = await pds.createAccount()
    const { url, keep } = await begun()
    const params = Object.fromEntries((await authorize(url, account)).searchParams)
    await pds.takeDown(account)
    expect((await page.answer(reach, keep, params)).kind).not.toBe('accounts')
  })
})

describe('the server to sign in at', () => {
  const throughEntryway: SafeFetch = (url, request) => reach.fetch(url.replace('https://bsky.social', pds.url), request)

  it("is that of a handle's account", async () => {
    const account = await pds.createAccount()
    const answer = await page.begin(
      { fetch: throughEntryway, signal },
      { redirectUri, state: 'x', domain: `@${account.handle.toUpperCase()}` },
    )
    expect(answer).toMatchObject({ kind: 'begun', url: expect.stringContaining(pds.url) })
  })

  it('is bsky.social if nothing was typed', async () => {
    const asked: string[] = []
    const fetch: SafeFetch = async (url) => (
      asked.push(url),
      { kind: 'unsent', why: 'unreachable', detail: 'no network' }
    )
    expect(await page.begin({ fetch, signal }, { redirectUri, state: 'x' })).toMatchObject({
      kind: 'retry',
      reason: { platformCode: 'unreachable' },
    })
    expect(asked).toEqual(['https://bsky.social/.well-known/oauth-protected-resource'])
  })

  it('explains that there is no such server or account, or that its address is private', async () => {
    expect(
      await page.begin({ fetch: throughEntryway, signal }, { redirectUri, state: 'x', domain: 'nobody.test' }),
    ).toMatchObject({ kind: expect.stringMatching(/rejected|retry/) })
    expect(await begin({ domain: '10.0.0.1' })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'address-refused' },
    })
    const site = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1')
    await once(site, 'listening')
    // a TCP server that listens has an address with a port
    const host = `localhost:${(site.address() as AddressInfo).port}`
    expect(await begin({ domain: host }, { fetch: createSafeFetch({ allow: [host] }), signal })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'not-a-server' },
    })
    site.close()
    site.closeAllConnections()
  })

  it("is never a server that claims another server's account", async () => {
    const account = await pds.createAccount()
    let origin = ''
    const metadata = () => ({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
      token_endpoint: `${origin}/token`,
      pushed_authorization_request_endpoint: `${origin}/par`,
      response_types_supported: ['code'],
      authorization_response_iss_parameter_supported: true,
    })
    const answers: Record<string, () => unknown> = {
      '/.well-known/oauth-protected-resource': () => ({ resource: origin, authorization_servers: [origin] }),
      '/.well-known/oauth-authorization-server': metadata,
      '/par': () => ({ request_uri: 'urn:x', expires_in: 60 }),
      '/token': () => ({
        access_token: 'a.b.c',
        refresh_token: 'r',
        token_type: 'DPoP',
        sub: account.did,
        scope: 'atproto transition:generic transition:chat.bsky',
        expires_in: 60,
      }),
    }
    const evil = createServer((request, response) => {
      const answer = answers[request.url ?? '']
      response
        .writeHead(answer ? (request.url === '/par' ? 201 : 200) : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer?.() ?? {}))
    }).listen(0, '127.0.0.1')
    await once(evil, 'listening')
    // a TCP server that listens has an address with a port
    const host = `localhost:${(evil.address() as AddressInfo).port}`
    origin = `http://${host}`
    const by = { fetch: createSafeFetch({ allow: [host, pds.host, pds.directoryHost] }), signal }
    const answer = await begin({ domain: host }, by)
    if (answer.kind !== 'begun') throw new Error(JSON.stringify(answer))
    expect(await page.answer(by, answer.keep, { state: 'a state of the test', code: 'c', iss: origin })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'other-server' },
    })
    evil.close()
    evil.closeAllConnections()
  })
})

describe('after signing in on the page', () => {
  it('sends a post with a picture and a mention, reads it back, reconciles, repeats without harm, and deletes it', async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const post = outgoing(`For @${account.handle}`, { media: [await picture('teal')] })
    const prepared = await bluesky.publish.prepare(reach, secret, ref(account), post)
    if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared))
    const ready = { ...post, progress: prepared.progress }
    const sent = await bluesky.publish.send(reach, secret, ref(account), ready)
    const uri = `at://${account.did}/app.bsky.feed.post/${post.sendKey}`
    expect(sent).toMatchObject({ kind: 'sent', remoteId: uri })
    expect(await bluesky.publish.readBack(reach, secret, ref(account), ready, uri)).toMatchObject({ kind: 'live' })
    expect(await bluesky.publish.reconcile(reach, secret, ref(account), ready)).toMatchObject({
      kind: 'sent',
      remoteId: uri,
    })
    expect(await bluesky.publish.send(reach, secret, ref(account), ready)).toMatchObject({
      kind: 'sent',
      remoteId: uri,
    })
    expect(await pds.posts(account)).toMatchObject([
      { uri, value: { embed: { $type: 'app.bsky.embed.images' }, facets: [{ features: [{ did: account.did }] }] } },
    ])
    expect(await bluesky.publish.remove?.(reach, secret, ref(account), uri)).toEqual({ kind: 'removed' })
    expect(await pds.posts(account)).toEqual([])
  })

  it("sends a video through the video service, which stores it on the account's behalf", async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const { service, origin, host, stop } = await startVideoService(pds.url)
    service.looks = 0
    try {
      const { publish } = createBluesky({ plcDirectory: pds.directory, videoService: () => origin })
      const own = { fetch: createSafeFetch({ allow: [pds.host, host] }), signal }
      const post = outgoing('A film', { media: [film(100_000)] })
      const uploaded = await publish.prepare(own, secret, ref(account), post)
      if (uploaded.kind !== 'preparing') throw new Error(JSON.stringify(uploaded))
      expect(await publish.prepare(own, secret, ref(account), { ...post, progress: uploaded.progress })).toMatchObject({
        kind: 'prepared',
      })
    } finally {
      stop()
    }
  })

  it('asks to renew a refused token, with nothing posted', async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const other = await signIn(await pds.createAccount())
    // a token of another key, as one that has ended, is no longer good
    const post = outgoing('Hello')
    expect(
      await bluesky.publish.send(reach, { ...secret, accessJwt: other.secret.accessJwt }, ref(account), post),
    ).toMatchObject({ kind: 'retry', first: 'renew' })
    expect(await pds.posts(account)).toEqual([])
  })

  it('renews tokens; using the old one again ends the sign-in', async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const first = await bluesky.connect.refresh(reach, secret, ref(account))
    if (first.kind !== 'refreshed') throw new Error(JSON.stringify(first))
    expect(first.secret).toMatchObject({ did: account.did, pds: pds.url })
    expect(await bluesky.connect.check?.(reach, first.secret, ref(account))).toEqual({
      kind: 'works',
      endsAt: expect.any(Date),
    })
    expect(await bluesky.connect.refresh(reach, secret, ref(account))).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'invalid_grant' },
    })
    expect(await bluesky.connect.refresh(reach, first.secret, ref(account))).toMatchObject({ kind: 'reconnect' })
  })

  it("can't use a stolen refresh token without its key", async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const stolen = { ...secret, oauth: { ...Object(secret.oauth), key: await newDpopKey() } }
    expect(await bluesky.connect.refresh(reach, stolen, ref(account))).toMatchObject({ kind: 'reconnect' })
  })

  it('counts a renewal whose response is lost as started, but not one that was never sent', async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    const failing = (kind: 'lost' | 'unsent'): Reach => ({
      signal,
      fetch: async () =>
        kind === 'lost' ? { kind, why: 'dropped', detail: '' } : { kind, why: 'unreachable', detail: '' },
    })
    expect((await bluesky.connect.refresh(failing('lost'), secret, ref(account))).kind).toBe('unknown')
    expect((await bluesky.connect.refresh(failing('unsent'), secret, ref(account))).kind).toBe('retry')
  })

  it("ends at the server when it's revoked, also twice", async () => {
    const account = await pds.createAccount()
    const { secret } = await signIn(account)
    expect(await bluesky.connect.revoke?.(reach, secret, ref(account))).toEqual({ kind: 'revoked' })
    expect(await bluesky.connect.revoke?.(reach, secret, ref(account))).toEqual({ kind: 'revoked' })
    expect(await bluesky.connect.refresh(reach, secret, ref(account))).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'invalid_grant' },
    })
  })
})

describe('with an app password', () => {
  it("ends the session at the server when it's revoked, also twice, and checks it", async () => {
    const account = await pds.createAccount()
    const answer = await bluesky.connect.withCredentials?.(reach, {
      handle: account.handle,
      appPassword: account.appPassword,
      service: pds.url,
    })
    if (answer?.kind !== 'connected') throw new Error('not connected')
    const { secret } = answer
    expect(await bluesky.connect.check?.(reach, secret, ref(account))).toEqual({ kind: 'works', endsAt: null })
    expect(await bluesky.connect.revoke?.(reach, secret, ref(account))).toEqual({ kind: 'revoked' })
    expect(await bluesky.connect.revoke?.(reach, secret, ref(account))).toEqual({ kind: 'revoked' })
    const { appPassword: _, ...rest } = secret
    expect(await bluesky.connect.refresh(reach, rest, ref(account))).toMatchObject({ kind: 'reconnect' })
  })

  it('distinguishes an unavailable account from an unavailable server', async () => {
    const account = await pds.createAccount()
    const answer = await bluesky.connect.withCredentials?.(reach, {
      handle: account.handle,
      appPassword: account.appPassword,
      service: pds.url,
    })
    if (answer?.kind !== 'connected') throw new Error('not connected')
    await pds.takeDown(account)
    expect(await bluesky.connect.check?.(reach, answer.secret, ref(account))).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'AccountTakedown' },
    })
    const away: Reach = { signal, fetch: async () => ({ kind: 'unsent', why: 'unreachable', detail: '' }) }
    expect(await bluesky.connect.check?.(away, answer.secret, ref(account))).toMatchObject({ kind: 'retry' })
  })
})

describe('our OAuth client', () => {
  const ADDRESS = 'https://app.rookery.social'

  it.each([
    ['anyone could be', undefined],
    ['proves itself by a key', newDpopKey()],
  ])('has metadata at an https URL, as a client that %s, which the server accepts', async (_, made) => {
    const key = await made
    const client = clientAt(ADDRESS, key && (async () => key))
    expect(client).toMatchObject({
      clientId: `${ADDRESS}/oauth/bluesky/client-metadata.json`,
      redirectUri: `${ADDRESS}/oauth/bluesky/callback`,
    })
    const metadata = (await client?.metadata?.()) ?? {}
    expect(JSON.stringify(metadata)).not.toContain('"d"')
    expect(await pds.judgeClient(client?.clientId ?? '', metadata)).toBe('accepted')
    expect(
      await pds.judgeClient(client?.clientId ?? '', { ...metadata, redirect_uris: ['http://app.rookery.social/x'] }),
    ).not.toBe('accepted')
  })

  it('authenticates in every call to the authorization server, which accepts it and keeps the sign-in', async () => {
    const account = await pds.createAccount()
    const key = await newDpopKey()
    const ours = createBluesky({ plcDirectory: pds.directory, publicUrl: ADDRESS, clientKey: async () => key })
    const metadata = (await ours.connect.withPage?.metadata?.()) ?? {}
    // the real server cannot read our description, which is at no real address: its answers are given for it
    const forms: URLSearchParams[] = []
    const tokens = {
      access_token: 'a.b.c',
      refresh_token: 'r',
      token_type: 'DPoP',
      sub: account.did,
      scope: 'atproto transition:generic transition:chat.bsky',
      expires_in: 60,
    }
    const fetch: SafeFetch = async (url, request) => {
      const { pathname } = new URL(url)
      if (!pathname.startsWith('/oauth/') && !pathname.includes('getSession')) return await reach.fetch(url, request)
      if (pathname.startsWith('/oauth/'))
        forms.push(new URLSearchParams(typeof request.body === 'string' ? request.body : ''))
      const answers: Record<string, unknown> = {
        '/oauth/par': { request_uri: 'urn:x', expires_in: 60 },
        '/oauth/token': tokens,
        '/oauth/revoke': {},
      }
      const body = answers[pathname] ?? { did: account.did, handle: account.handle }
      return {
        kind: 'answer',
        status: pathname === '/oauth/par' ? 201 : 200,
        headers: { 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(body)),
        url,
      }
    }
    const by = { fetch, signal }
    const begun = await ours.connect.withPage?.begin(by, { redirectUri, state: 's', domain: pds.host })
    if (begun?.kind !== 'begun') throw new Error(JSON.stringify(begun))
    const answer = await ours.connect.withPage?.answer(by, begun.keep, { state: 's', code: 'c', iss: pds.url })
    const [one] = answer?.kind === 'accounts' ? answer.accounts : []
    expect(one).toMatchObject({ endsAt: null, secret: { oauth: { proven: true } } })
    expect((await ours.connect.refresh(by, one?.secret ?? {}, ref(account))).kind).toBe('refreshed')
    expect((await ours.connect.revoke?.(by, one?.secret ?? {}, ref(account)))?.kind).toBe('revoked')
    expect(forms).toHaveLength(4)
    for (const form of forms) {
      expect(
        await pds.judgeClient(String(metadata['client_id']), metadata, {
          assertion: form.get('client_assertion') ?? '',
          issuer: pds.url,
        }),
      ).toBe('accepted')
      expect(
        await pds.judgeClient(String(metadata['client_id']), metadata, {
          assertion: form.get('client_assertion') ?? '',
          issuer: 'https://other.social',
        }),
      ).not.toBe('accepted')
    }
  })

  it("doesn't exist at other plain http URLs: accounts are then connected by app password", () => {
    expect(clientAt('http://rookery.example')).toBeUndefined()
    expect(
      createBluesky({ plcDirectory: pds.directory, publicUrl: 'http://rookery.example' }).connect.withPage,
    ).toBeUndefined()
    expect(createBluesky({ plcDirectory: pds.directory }).connect.withPage).toBeUndefined()
  })
})
