import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { authorize } from '../../testing/pds/authorize.ts'
import { startPds, type TestAccount, type TestPds } from '../../testing/pds/startPds.ts'
import type { ConnectByPage, Outgoing, Platform, Reach, SignedIn } from '../platform.ts'
import { createSafeFetch, type SafeFetch } from '../safeFetch.ts'
import { createBluesky } from './adapter.ts'

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
  pds = await startPds()
  bluesky = createBluesky({ plcDirectory: pds.directory, publicUrl: 'http://localhost:3000' })
  const fetch = createSafeFetch({ allow: [pds.host, pds.directoryHost] })
  const noting: SafeFetch = async (url, request) => {
    const answer = await fetch(url, request)
    wire.push(`${request.method ?? 'GET'} ${new URL(url).pathname} ${answer.kind === 'answer' ? answer.status : answer.kind}`)
    return answer
  }
  reach = { fetch: noting, signal }
  if (!bluesky.connect.withPage) throw new Error('no page')
  page = bluesky.connect.withPage
})
afterAll(() => pds.stop())

const begin = async (ask: { domain?: string; login?: string } = {}, by = reach) => await page.begin(by, { redirectUri, state: 'a state of the test', domain: pds.host, ...ask })
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
  it('says whose account it is, and keeps tokens that are bound to a key', async () => {
    const account = await pds.createAccount()
    const { url } = await begun()
    expect(new URL(url).origin).toBe(pds.url)
    expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const back = await authorize(url, account)
    // the loopback client comes back to an address, never to a name
    expect(back.href).toMatch('http://127.0.0.1:3000/oauth/bluesky/callback')
    const signedIn = await signIn(account)
    expect(signedIn.account).toEqual({ remoteId: account.did, name: account.handle, handle: `@${account.handle}`, pictureUrl: null, service: pds.url })
    expect(signedIn.secret).toMatchObject({ did: account.did, pds: pds.url, oauth: { key: { kty: 'EC', crv: 'P-256' }, refreshToken: expect.stringMatching(/^ref-/) } })
    const now = Date.now()
    expect(signedIn.expiresAt?.getTime()).toBeGreaterThan(now + 10 * 60_000)
    expect((signedIn.endsAt?.getTime() ?? 0) / 86_400_000 - now / 86_400_000).toBeCloseTo(14, 1)
    expect(wire.some((line) => line.includes('createSession'))).toBe(false)
  })
})
