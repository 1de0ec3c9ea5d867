import { sentenceOf } from '#contract/failures/catalog.ts'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { scriptedFetch, type Step } from '../testing/scriptedFetch.ts'
import {
  endOf,
  finishSignIn,
  refusalOfRenewal,
  refusalOfSignIn,
  renewTokens,
  startSignIn,
  type OAuthServer,
} from './oauth2.ts'
import type { Reach } from './platform.ts'

/*
 * With the rules of platforms that need what Meta's don't: PKCE, HTTP Basic, another name for the client ID, refresh
 * tokens.
 */

const x: OAuthServer = {
  issuer: 'https://x.com',
  authorize: 'https://x.com/i/oauth2/authorize',
  token: 'https://api.x.com/2/oauth2/token',
  pkce: true,
  clientAuth: 'basic',
}
const tiktok: OAuthServer = {
  issuer: 'https://www.tiktok.com',
  authorize: 'https://www.tiktok.com/v2/auth/authorize/',
  token: 'https://open.tiktokapis.com/v2/oauth/token/',
  pkce: false,
  clientIdName: 'client_key',
  scopeSeparator: ',',
}
const ask = { redirectUri: 'https://rookery.test/oauth/callback', state: 'a-state' }
const app = { clientId: 'app', clientSecret: 'h+u/s-h_' }
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'

const reachOf = (platform: PlatformKey, steps: Step[]) => {
  const fetch = scriptedFetch(platform, steps)
  return { fetch, reach: { fetch, signal: new AbortController().signal, app } satisfies Reach }
}
async function begin(server: OAuthServer, reach: Reach) {
  const begun = await startSignIn(server, reach, ask, ['one', 'two'], {
    extra: { prompt: 'consent' },
    more: { variant: 'page' },
  })
  if (begun.kind !== 'begun') throw new Error('not begun')
  return { asked: Object.fromEntries(new URL(begun.url).searchParams), keep: begun.keep }
}

describe('signing in', () => {
  it('proves that the returning browser is the one that left, and authenticates the app', async () => {
    const { fetch, reach } = reachOf('x', [
      {
        json: { access_token: 'a', refresh_token: 'r', expires_in: '7200', scope: 'one two', token_type: 'bearer' },
        headers: { date },
      },
    ])
    const { asked, keep } = await begin(x, reach)
    expect(asked).toMatchObject({
      client_id: 'app',
      redirect_uri: ask.redirectUri,
      response_type: 'code',
      scope: 'one two',
      state: 'a-state',
      code_challenge_method: 'S256',
      prompt: 'consent',
    })
    const done = await finishSignIn(x, reach, keep, { code: 'c', state: 'a-state' })
    expect(done).toMatchObject({
      kind: 'tokens',
      tokens: {
        accessToken: 'a',
        refreshToken: 'r',
        expiresIn: 7200,
        refreshExpiresIn: null,
        scopes: ['one', 'two'],
        answeredAt: new Date(date),
      },
      app,
      more: { variant: 'page' },
    })
    const sent = new URLSearchParams(Object.entries(fetch.asked[0]?.body.value ?? {}))
    expect(
      createHash('sha256')
        .update(sent.get('code_verifier') ?? '')
        .digest('base64url'),
    ).toBe(asked.code_challenge)
    // escaped before joining (RFC 6749, 2.3.1), except for characters that don't need it
    expect(fetch.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('app:h%2Bu%2Fs-h_').toString('base64')}`)
  })

  it("sends the app's ID under the platform's name for it", async () => {
    const { fetch, reach } = reachOf('tiktok', [
      {
        json: {
          access_token: 'a',
          refresh_token: 'r',
          expires_in: 86_400,
          refresh_expires_in: 31_536_000,
          open_id: 'o',
          scope: 'one,two',
          token_type: 'Bearer',
        },
      },
    ])
    const { asked, keep } = await begin(tiktok, reach)
    expect(asked).toMatchObject({ client_key: 'app', scope: 'one,two' })
    expect(asked).not.toHaveProperty('client_id')
    expect(await finishSignIn(tiktok, reach, keep, { code: 'c', state: 'a-state' })).toMatchObject({
      kind: 'tokens',
      tokens: { scopes: ['one', 'two'], refreshExpiresIn: 31_536_000, answeredAt: null, raw: { open_id: 'o' } },
    })
    expect(fetch.asked[0]?.body.value).toMatchObject({
      client_key: 'app',
      client_secret: 'h+u/s-h_',
      grant_type: 'authorization_code',
    })
    expect(fetch.asked[0]?.body.value).not.toHaveProperty('client_id')
  })

  it("refuses a response to another app's or person's sign-in, or without a code, without any call", async () => {
    const { fetch, reach } = reachOf('x', [])
    const { keep } = await begin(x, reach)
    expect(
      await finishSignIn(x, { ...reach, app: { ...app, clientId: 'other' } }, keep, { code: 'c', state: 'a-state' }),
    ).toMatchObject({ kind: 'rejected', reason: { platformCode: 'lost-flow' } })
    expect(await finishSignIn(x, reach, {}, { code: 'c', state: 'a-state' })).toMatchObject({ kind: 'rejected' })
    expect(await finishSignIn(x, reach, keep, { code: 'c', state: 'b-state' })).toMatchObject({
      kind: 'failed',
      cause: 'foreign',
    })
    expect(await finishSignIn(x, reach, keep, { state: 'a-state' })).toMatchObject({ kind: 'failed', cause: 'foreign' })
    expect(
      await finishSignIn(x, reach, keep, { error_code: '1349187', error_message: 'App not set up', state: 'a-state' }),
    ).toMatchObject({ kind: 'failed', cause: 'answered', code: '1349187', message: 'App not set up' })
    expect(await finishSignIn(x, reach, keep, { error: 'access_denied', state: 'a-state' })).toMatchObject({
      kind: 'failed',
      cause: 'declined',
    })
    expect(fetch.asked).toEqual([])
  })

  it('is refused if no app is set up', async () => {
    const { app: _, ...reach } = reachOf('x', []).reach
    for (const answer of [
      await startSignIn(x, reach, ask, []),
      await finishSignIn(x, reach, {}, {}),
      await renewTokens(x, reach, 'r'),
    ])
      expect(answer).toMatchObject({ kind: 'rejected', reason: { code: 'not-set-up' } })
  })
})

describe('renewing', () => {
  it('uses the refresh token and returns the next', async () => {
    const { fetch, reach } = reachOf('x', [
      { json: { access_token: 'b', refresh_token: 's', expires_in: 7200, token_type: 'bearer' }, headers: { date } },
    ])
    const renewed = await renewTokens(x, reach, 'r')
    expect(renewed).toMatchObject({ kind: 'tokens', tokens: { accessToken: 'b', refreshToken: 's', scopes: null } })
    expect(fetch.asked[0]?.body.value).toEqual({ grant_type: 'refresh_token', refresh_token: 'r' })
    expect(renewed.kind === 'tokens' && endOf(renewed.tokens.answeredAt, renewed.tokens.expiresIn)).toEqual(
      new Date('2026-11-21T12:00:00Z'),
    )
  })

  it.each([
    [
      'a dead token',
      { status: 400, json: { error: 'invalid_grant', error_description: 'Token was revoked' } },
      'reconnect',
    ],
    [
      'an error in an answer that says 200',
      { json: { error: 'invalid_grant', error_description: 'Refresh token is invalid' } },
      'reconnect',
    ],
    ['one that is to slow down', { status: 429, text: '' }, 'retry'],
    ['trouble', { status: 503, text: 'busy' }, 'retry'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['a lost answer, which may have spent it', { fails: 'lost' }, 'unknown'],
    ['no sense', { json: { hello: 1 } }, 'unknown'],
  ] as const)('%s', async (_, step, kind) => {
    const answer = await renewTokens(x, reachOf('x', [step]).reach, 'r')
    if (answer.kind !== 'failed') throw new Error(answer.kind)
    expect(refusalOfRenewal(answer, 'X')).toMatchObject({ kind })
  })
})

it("shows the platform's message, shortened, if it doesn't sign in", () => {
  const refusal = refusalOfSignIn(
    { kind: 'failed', cause: 'answered', status: 400, code: 'invalid_scope', message: 'words '.repeat(200) },
    'X',
  )
  expect(refusal).toMatchObject({ kind: 'rejected', reason: { platformCode: 'invalid_scope' } })
  expect(sentenceOf(refusal.reason).length).toBeLessThan(350)
})
