import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach, Secret } from '../platform.ts'
import { createThreads } from './adapter.ts'

const { connect } = createThreads()
const app = { clientId: 'app', clientSecret: 'hush' }
const account = { remoteId: '77', handle: '@rook', service: null }
const ask = { redirectUri: 'https://rookery.test/oauth/threads/callback', state: 'a-state' }
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const DAY = 86_400

const reachOf = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('threads', steps, lost === undefined ? {} : { lost })
  return { fetch, reach: { fetch, signal: new AbortController().signal, app } satisfies Reach }
}
const signIn: Step[] = [
  { on: 'POST graph.threads.net/oauth/access_token', json: { access_token: 'short', user_id: 77 } },
  {
    on: 'GET graph.threads.net/access_token',
    headers: { date },
    json: { access_token: 'long', token_type: 'bearer', expires_in: 60 * DAY },
  },
  {
    on: 'GET graph.threads.net/v1.0/me',
    json: { id: '77', username: 'rook', name: 'The Rook', threads_profile_picture_url: 'https://cdn.test/rook.jpg' },
  },
]

async function begun(reach: Reach): Promise<{ url: URL; keep: Secret }> {
  const answer = await connect.withPage?.begin(reach, ask)
  if (answer?.kind !== 'begun') throw new Error('not begun')
  return { url: new URL(answer.url), keep: answer.keep }
}
const answer = async (reach: Reach, params: Record<string, string>) =>
  await connect.withPage?.answer(reach, (await begun(reach)).keep, params)

it('sends the browser to the page with the permissions', async () => {
  const { url } = await begun(reachOf([]).reach)
  expect(`${url.origin}${url.pathname}`).toBe('https://threads.net/oauth/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'app',
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    state: 'a-state',
    scope: expect.stringContaining('threads_basic,threads_content_publish'),
  })
})

it("can't begin without an app", async () => {
  const { app: _, ...without } = reachOf([]).reach
  expect(await connect.withPage?.begin(without, ask)).toMatchObject({
    kind: 'rejected',
    reason: { code: 'not-set-up' },
  })
})

it('exchanges the code for a token of 60 days, and returns the account', async () => {
  const { fetch, reach } = reachOf(signIn)
  expect(await answer(reach, { code: 'code#_', state: 'a-state' })).toEqual({
    kind: 'accounts',
    accounts: [
      {
        account: {
          remoteId: '77',
          name: 'The Rook',
          handle: '@rook',
          pictureUrl: 'https://cdn.test/rook.jpg',
          service: null,
        },
        secret: {
          accessToken: 'long',
          userId: '77',
          issuedAt: '2026-11-21T10:00:00.000Z',
          clientId: 'app',
          scopes: expect.any(Array),
        },
        expiresAt: new Date('2027-01-20T10:00:00Z'),
        kind: 'Profile',
      },
    ],
  })
  expect(fetch.asked[0]?.body.value).toEqual({
    client_id: 'app',
    client_secret: 'hush',
    code: 'code',
    grant_type: 'authorization_code',
    redirect_uri: ask.redirectUri,
  })
})

it.each([
  [
    'a person who declined',
    { error: 'access_denied', error_code: '200', error_description: 'Permissions error', state: 'a-state' },
    'sign-in-declined',
  ],
  ['the state of another person', { code: 'code', state: 'other' }, 'sign-in-foreign'],
  ['no code at all', { state: 'a-state' }, 'sign-in-foreign'],
])('refuses %s', async (_, params, code) => {
  expect(await answer(reachOf([]).reach, params)).toMatchObject({
    kind: 'rejected',
    reason: { code },
  })
})

it("shows the platform's message about a code that it refuses", async () => {
  const { reach } = reachOf([
    {
      status: 400,
      json: { error_type: 'OAuthException', code: 400, error_message: 'This authorization code has been used' },
    },
  ])
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toMatchObject({
    kind: 'rejected',
    reason: {
      params: { words: expect.stringContaining('This authorization code has been used') },
      platformCode: 'OAuthException',
    },
  })
})

it('asks to start again if a response is lost', async () => {
  for (const lost of [0, 1, 2])
    expect(await answer(reachOf(signIn, lost).reach, { code: 'code', state: 'a-state' })).toMatchObject({
      kind: 'retry',
    })
})

const secret = { accessToken: 'long', userId: '77', issuedAt: '2026-11-21T10:00:00.000Z', clientId: 'app', scopes: [] }

it('renews a token after a day and half of its time, and no other', () => {
  const expiresAt = new Date('2027-01-20T10:00:00Z')
  expect(connect.needsRefresh(secret, expiresAt, new Date('2026-12-01T00:00:00Z'))).toBe(false)
  expect(connect.needsRefresh(secret, expiresAt, new Date('2026-12-25T00:00:00Z'))).toBe(true)
  expect(
    connect.needsRefresh(
      { ...secret, issuedAt: '2026-12-24T12:00:00.000Z' },
      expiresAt,
      new Date('2026-12-25T00:00:00Z'),
    ),
  ).toBe(false)
})

it('renews the token with itself', async () => {
  const { reach } = reachOf([
    {
      on: 'GET graph.threads.net/refresh_access_token',
      headers: { date },
      json: { access_token: 'longer', token_type: 'bearer', expires_in: 60 * DAY },
    },
  ])
  expect(await connect.refresh(reach, secret, account)).toMatchObject({
    kind: 'refreshed',
    secret: { accessToken: 'longer', userId: '77' },
    expiresAt: new Date('2027-01-20T10:00:00Z'),
  })
})

it.each([
  [{ status: 400, json: { error: { message: 'expired', type: 'OAuthException', code: 190 } } }, 'reconnect'],
  [{ status: 400, json: { error: { message: 'no', type: 'OAuthException', code: 100 } } }, 'reconnect'],
  [{ status: 500, json: { error: { message: 'trouble', type: 'OAuthException', code: 2 } } }, 'retry'],
  [{ fails: 'lost' }, 'retry'],
] as const)('classifies a failed renewal: %o', async (step, kind) => {
  expect((await connect.refresh(reachOf([step]).reach, secret, account)).kind).toBe(kind)
})

it('checks daily whether it still works', async () => {
  expect(
    await connect.check?.(
      reachOf([{ json: { id: '77', threads_profile_picture_url: 'https://cdn.test/n.jpg' } }]).reach,
      secret,
      account,
    ),
  ).toEqual({
    kind: 'works',
    endsAt: null,
    pictureUrl: 'https://cdn.test/n.jpg',
  })
  expect(
    await connect.check?.(
      reachOf([
        { status: 400, json: { error: { message: 'x', type: 'OAuthException', code: 190, error_subcode: 460 } } },
      ]).reach,
      secret,
      account,
    ),
  ).toMatchObject({ kind: 'reconnect', reason: { platformCode: '190/460' } })
  expect(await connect.check?.(reachOf([]).reach, { accessToken: 1 }, account)).toMatchObject({ kind: 'reconnect' })
})
