import { sentenceOf } from '#contract/failures/catalog.ts'
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPds, type TestAccount, type TestPds } from '../../testing/pds/startPds.ts'
import type { Platform, Reach } from '../platform.ts'
import { createSafeFetch, type SafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'
import { BlueskySecret } from './schemas.ts'

let pds: TestPds
let bluesky: Platform
let account: TestAccount
let reach: Reach
const signal = new AbortController().signal

beforeAll(async () => {
  pds = await startPds({ rateLimits: true })
  bluesky = createBluesky({ plcDirectory: pds.directory })
  account = await pds.createAccount()
  reach = { fetch: createSafeFetch({ allow: [pds.host, pds.directoryHost] }), signal }
})
afterAll(() => pds.stop())

const connect = async (fields: Record<string, string>, by = reach, adapter = bluesky) => {
  const answer = await adapter.connect.withCredentials?.(by, { service: pds.url, ...fields })
  if (!answer) throw new Error('Bluesky signs in with credentials')
  return answer
}
async function connected(who: TestAccount) {
  const answer = await connect({ handle: who.handle, appPassword: who.appPassword })
  if (answer.kind !== 'connected') throw new Error(sentenceOf(answer.reason))
  return answer
}
const ref = (who: TestAccount) => ({ remoteId: who.did, handle: `@${who.handle}`, service: pds.url })
const refresh = (who: TestAccount, secret: Record<string, unknown>) => bluesky.connect.refresh(reach, secret, ref(who))

describe('connecting', () => {
  it('returns the account, and stores the session and the app password', async () => {
    const before = Date.now()
    const answer = await connected(account)
    expect(answer.account).toEqual({
      remoteId: account.did,
      name: account.handle,
      handle: `@${account.handle}`,
      pictureUrl: null,
      service: pds.url,
    })
    expect(answer.secret).toMatchObject({ did: account.did, pds: pds.url, appPassword: account.appPassword })
    expect(answer.expiresAt?.getTime()).toBeGreaterThan(before + 60 * 60_000)
    expect(bluesky.connect.needsRefresh(answer.secret, answer.expiresAt, new Date(before))).toBe(false)
    expect(bluesky.connect.needsRefresh(answer.secret, answer.expiresAt, answer.expiresAt ?? new Date(0))).toBe(true)
  })

  it("accepts the account's email address as well", async () => {
    expect(await connect({ handle: account.email, appPassword: account.appPassword })).toMatchObject({
      kind: 'connected',
      account: { remoteId: account.did, handle: `@${account.handle}` },
    })
  })

  it("accepts the main password but doesn't store it", async () => {
    const answer = await connect({ handle: account.handle, appPassword: account.password })
    expect(answer.kind === 'connected' && BlueskySecret.parse(answer.secret)).not.toHaveProperty('appPassword')
    expect(answer.kind).toBe('connected')
  })

  it.each([
    ['a wrong password', 'rook1.test', 'aaaa-bbbb-cccc-dddd'],
    ['an unknown handle', 'nobody.test', 'aaaa-bbbb-cccc-dddd'],
  ])('refuses %s', async (_, handle, appPassword) => {
    expect(await connect({ handle, appPassword })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'AuthenticationRequired' },
    })
  })

  it('refuses accounts that were taken down or deactivated', async () => {
    const down = await pds.createAccount()
    await pds.takeDown(down)
    expect(await connect({ handle: down.handle, appPassword: down.password })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'AccountTakedown' },
    })
    const away = await pds.createAccount()
    await pds.deactivate(away)
    expect(await connect({ handle: away.handle, appPassword: away.appPassword })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'AccountDeactivated' },
    })
  })

  it('refuses an address without a server, a private one, and plain http to other hosts', async () => {
    const site = createServer((_, response) => response.end('<html>hello</html>')).listen(0, '127.0.0.1')
    await once(site, 'listening')
    // a TCP server that listens has an address with a port
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`
    const by = { fetch: createSafeFetch({ allow: [host] }), signal }
    const fields = { handle: account.handle, appPassword: account.appPassword }
    expect(await connect({ ...fields, service: `http://${host}` }, by)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'not-a-server' },
    })
    expect(await connect({ ...fields, service: 'https://10.0.0.1' }, by)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'address-refused' },
    })
    expect(await connect({ ...fields, service: 'http://pds.example.com' }, by)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'bad-address' },
    })
    site.close()
    site.closeAllConnections()
  })

  it('waits as long as the server asks after too many attempts', async () => {
    const eager = await pds.createAccount()
    // a password of this length is refused without hashing it, and counted like any other
    const fields = { handle: eager.handle, appPassword: 'a'.repeat(600) }
    let answer = await connect(fields)
    for (let i = 0; i < 40 && answer.kind === 'rejected'; i++) answer = await connect(fields)
    expect(answer).toMatchObject({ kind: 'retry', closesBudget: true, reason: { platformCode: 'RateLimitExceeded' } })
    const wait = answer.kind === 'retry' ? (answer.afterSeconds ?? 0) : 0
    expect(wait).toBeGreaterThan(0)
    expect(wait).toBeLessThanOrEqual(300)
  })
})

describe("finding the account's server", () => {
  type Told = { did: string; service?: string; documents?: Record<string, unknown> }
  /** An attacker's server: it responds to every sign-in as any configured account. */
  async function pretender() {
    let told: Told = { did: '' }
    const server = createServer((request, response) => {
      const path = request.url ?? ''
      const document = told.documents?.[path]
      const session = path.startsWith('/xrpc/com.atproto.server.')
        ? {
            accessJwt: 'a.b.c',
            refreshJwt: 'a.b.c',
            handle: 'rook1.test',
            did: told.did,
            didDoc: documentOf(told.did, told.service ?? origin),
          }
        : undefined
      const answer = document ?? session
      response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    // a TCP server that listens has an address with a port
    const host = `localhost:${(server.address() as AddressInfo).port}`
    const origin = `http://${host}`
    const by: Reach = { fetch: createSafeFetch({ allow: [host, pds.host, pds.directoryHost] }), signal }
    return {
      host,
      origin,
      close: () => (server.close(), server.closeAllConnections()),
      signIn: (as: Told, adapter = bluesky) => (
        (told = as),
        connect({ handle: 'rook1.test', appPassword: 'aaaa-bbbb-cccc-dddd', service: origin }, by, adapter)
      ),
      refresh: (as: Told, secret: Record<string, unknown>) => (
        (told = as),
        bluesky.connect.refresh(by, secret, { remoteId: account.did, handle: '@rook1.test', service: origin })
      ),
    }
  }
  const documentOf = (did: string, serviceEndpoint: string) => ({
    id: did,
    service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint }],
  })

  it("refuses a server that claims another server's account", async () => {
    const evil = await pretender()
    expect(await evil.signIn({ did: account.did })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'other-server', code: 'bluesky-other-server', params: { host: evil.host } },
    })
    // whatever its own document says
    expect(await evil.signIn({ did: account.did, service: pds.url })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'other-server' },
    })
    evil.close()
  })

  it('refuses an account that no directory knows, or of an unknown kind', async () => {
    const evil = await pretender()
    for (const did of [
      `did:plc:${'a'.repeat(24)}`,
      'did:plc:short',
      'did:plc:..%2Fdid',
      'did:key:z6Mk',
      'did:web:example.org:path',
      'did:web:example.org%3A8080',
    ])
      expect(await evil.signIn({ did }), did).toMatchObject({
        kind: 'rejected',
        reason: { platformCode: 'unknown-account' },
      })
    expect(await evil.signIn({ did: 'did:web:127.0.0.1' })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'address-refused' },
    })
    evil.close()
  })

  it('believes did:web accounts only if their own document names the server', async () => {
    const own = await pretender()
    const did = `did:web:localhost%3A${own.host.split(':')[1]}`
    const path = '/.well-known/did.json'
    expect(await own.signIn({ did, documents: { [path]: documentOf(did, own.origin) } })).toMatchObject({
      kind: 'connected',
      account: { remoteId: did, service: own.origin },
      secret: { pds: own.origin },
    })
    expect(await own.signIn({ did, documents: { [path]: documentOf(did, pds.url) } })).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'other-server' },
    })
    for (const document of [
      documentOf(account.did, own.origin),
      { id: did },
      documentOf(did, 'http://pds.example.org'),
      'hello',
    ]) {
      expect(await own.signIn({ did, documents: { [path]: document } })).toMatchObject({
        kind: 'rejected',
        reason: { platformCode: 'no-server' },
      })
    }
    own.close()
  })

  it('lets the entryway sign in accounts on its many servers, with the server that the directory names', async () => {
    const fetch: SafeFetch = (url, request) => reach.fetch(url.replace('https://bsky.social', pds.url), request)
    const { handle, appPassword } = account
    expect(await connect({ handle, appPassword, service: 'https://bsky.social/' }, { fetch, signal })).toMatchObject({
      kind: 'connected',
      account: { remoteId: account.did, service: 'https://bsky.social' },
      secret: { pds: pds.url },
    })
  })

  it('fails while the directory is down, so that the person tries again', async () => {
    const { handle, appPassword } = account
    const without = createBluesky({ plcDirectory: 'http://localhost:9' })
    const by = { fetch: createSafeFetch({ allow: [pds.host, 'localhost:9'] }), signal }
    expect(await connect({ handle, appPassword }, by, without)).toMatchObject({
      kind: 'retry',
      reason: { platformCode: 'directory-unreachable' },
    })
  })

  it('keeps the account when the sign-in is renewed', async () => {
    const evil = await pretender()
    const secret = {
      accessJwt: 'a.b.c',
      refreshJwt: 'a.b.c',
      did: `did:web:${evil.host.replace(':', '%3A')}`,
      pds: evil.origin,
    }
    expect(await evil.refresh({ did: account.did }, secret)).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'other-account' },
    })
    expect(await evil.refresh({ did: secret.did }, secret)).toMatchObject({ kind: 'refreshed' })
    evil.close()
  })
})

describe('renewing', () => {
  it('gives new tokens; the old refresh token still gives the same successor, as after a lost response', async () => {
    const { secret } = await connected(account)
    const first = await refresh(account, secret)
    if (first.kind !== 'refreshed') throw new Error(sentenceOf(first.reason))
    expect(first.secret).toMatchObject({ did: account.did, pds: pds.url, appPassword: account.appPassword })
    expect(first.secret.refreshJwt).not.toBe(secret.refreshJwt)
    const again = await refresh(account, { ...secret, appPassword: undefined })
    expect(again.kind === 'refreshed' && jti(again.secret.refreshJwt)).toBe(jti(first.secret.refreshJwt))
    expect((await refresh(account, first.secret)).kind).toBe('refreshed')
  })

  it('opens a new session with the app password if the refresh token is invalid', async () => {
    const { secret } = await connected(account)
    const answer = await refresh(account, { ...secret, refreshJwt: secret.accessJwt })
    expect(answer).toMatchObject({
      kind: 'refreshed',
      secret: { did: account.did, pds: pds.url, appPassword: account.appPassword },
    })
  })

  it('asks a person to reconnect if the refresh token is invalid and no password is stored', async () => {
    const { secret } = await connected(account)
    const { appPassword: _, ...rest } = secret
    expect(await refresh(account, { ...rest, refreshJwt: secret.accessJwt })).toMatchObject({ kind: 'reconnect' })
  })

  it('asks a person to reconnect if the app password was deleted', async () => {
    const leaving = await pds.createAccount()
    const { secret } = await connected(leaving)
    await pds.revokeAppPassword(leaving)
    expect(await refresh(leaving, secret)).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'AuthenticationRequired' },
    })
  })

  it('asks a person to reconnect if the account was taken down', async () => {
    const down = await pds.createAccount()
    const { secret } = await connected(down)
    await pds.takeDown(down)
    expect(await refresh(down, secret)).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'AccountTakedown' },
    })
  })

  it("asks a person to reconnect if the secret isn't in our format", async () => {
    expect(await refresh(account, { token: 'x' })).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'unreadable-secret' },
    })
  })
})

/** The identifier inside a refresh token. */
function jti(token: unknown): string {
  // tokens of this server are JWTs with an identifier
  const claims = JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as { jti: string }
  return claims.jti
}
