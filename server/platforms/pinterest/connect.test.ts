import { describe, expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import { createPinterest } from './adapter.ts'
import type { PinterestSecret } from './schemas.ts'

const { connect, lookups, metrics } = createPinterest()
const app = { clientId: 'app', clientSecret: 'hush_-1' }
const account = { remoteId: '77', handle: '@rook', service: null }
const ask = { redirectUri: 'https://rookery.test/oauth/pinterest/callback', state: 'a-state' }
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const DAY = 86_400
const scopes = 'boards:read,boards:write,pins:read,pins:write,user_accounts:read'

const reachOf = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('pinterest', steps, lost === undefined ? {} : { lost })
  return { fetch, reach: { fetch, signal: new AbortController().signal, app } satisfies Reach }
}
const tokens = {
  access_token: 'pina_1',
  refresh_token: 'pinr_1',
  token_type: 'bearer',
  expires_in: 30 * DAY,
  refresh_token_expires_in: 60 * DAY,
  scope: scopes,
}
const signIn: Step[] = [
  { on: 'POST api.pinterest.com/v5/oauth/token', headers: { date }, json: tokens },
  {
    on: 'GET api.pinterest.com/v5/user_account',
    json: { id: '77', username: 'rook', business_name: 'The Rook', profile_image: 'https://i.pinimg.com/rook.jpg' },
  },
]
async function answer(reach: Reach, params: Record<string, string>) {
  const begun = await connect.withPage?.begin(reach, ask)
  if (begun?.kind !== 'begun') throw new Error('not begun')
  return await connect.withPage?.answer(reach, begun.keep, params)
}
const secret: PinterestSecret = {
  accessToken: 'pina_1',
  refreshToken: 'pinr_1',
  clientId: 'app',
  scopes: scopes.split(','),
  sandbox: false,
}

it('sends the browser to the page with the permissions, and not without an app', async () => {
  const { reach } = reachOf([])
  const begun = await connect.withPage?.begin(reach, ask)
  const url = new URL(begun?.kind === 'begun' ? begun.url : '')
  expect(`${url.origin}${url.pathname}`).toBe('https://www.pinterest.com/oauth/')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: 'app',
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    scope: scopes,
    state: 'a-state',
  })
  const { app: _, ...without } = reach
  expect(await connect.withPage?.begin(without, ask)).toMatchObject({
    kind: 'rejected',
    reason: { code: 'not-set-up' },
  })
})

it('exchanges the code for rotating tokens, and returns the account', async () => {
  const { fetch, reach } = reachOf(signIn)
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toEqual({
    kind: 'accounts',
    accounts: [
      {
        account: {
          remoteId: '77',
          name: 'The Rook',
          handle: '@rook',
          pictureUrl: 'https://i.pinimg.com/rook.jpg',
          service: null,
        },
        secret,
        expiresAt: new Date('2026-12-21T10:00:00Z'),
        kind: 'Account',
      },
    ],
  })
  expect(fetch.asked[0]?.headers.authorization).toBe(`Basic ${Buffer.from('app:hush_-1').toString('base64')}`)
  expect(fetch.asked[0]?.body.value).toMatchObject({
    grant_type: 'authorization_code',
    code: 'code',
    continuous_refresh: expect.anything(),
  })
})

it('accepts an older response without an ID, and lists missing permissions', async () => {
  const [token] = signIn
  const { reach } = reachOf([
    { ...token, json: { ...tokens, scope: 'boards:read pins:read pins:write user_accounts:read' } },
    { json: { username: 'rook', business_name: null, profile_image: null } },
  ])
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toMatchObject({
    accounts: [{ account: { remoteId: 'rook', name: 'rook', pictureUrl: null }, missing: ['boards:write'] }],
  })
})

it.each([
  ['a person who declined', { error: 'access_denied', state: 'a-state' }],
  ['the state of another person', { code: 'code', state: 'other' }],
])('refuses %s', async (_, params) => {
  expect(await answer(reachOf([]).reach, params)).toMatchObject({ kind: 'rejected' })
})

it('asks to start again if a response is lost', async () => {
  for (const lost of [0, 1])
    expect(await answer(reachOf(signIn, lost).reach, { code: 'code', state: 'a-state' })).toMatchObject({
      kind: 'retry',
    })
})

it('renews with a week left, and keeps the new refresh token', async () => {
  const expiresAt = new Date('2026-12-21T10:00:00Z')
  expect([
    connect.needsRefresh(secret, expiresAt, new Date('2026-12-10T10:00:00Z')),
    connect.needsRefresh(secret, expiresAt, new Date('2026-12-15T10:00:00Z')),
  ]).toEqual([false, true])
  const { reach } = reachOf([
    { headers: { date }, json: { ...tokens, access_token: 'pina_2', refresh_token: 'pinr_2' } },
  ])
  expect(await connect.refresh(reach, secret, account)).toMatchObject({
    kind: 'refreshed',
    secret: { accessToken: 'pina_2', refreshToken: 'pinr_2' },
    expiresAt,
  })
})

it.each([
  [{ status: 400, json: { code: 283, message: 'Your refresh token is invalid' } }, 'reconnect'],
  [{ status: 401, json: { code: 2, message: 'Authentication failed.' } }, 'reconnect'],
  [{ status: 429, json: { code: 8, message: 'slow' } }, 'retry'],
  [{ status: 500, json: { code: 0, message: 'trouble' } }, 'retry'],
  [{ fails: 'lost' }, 'unknown'],
  [{ fails: 'unsent' }, 'retry'],
] as const)('classifies a failed renewal: %o', async (step, kind) => {
  expect((await connect.refresh(reachOf([step]).reach, secret, account)).kind).toBe(kind)
})

it('asks a person to reconnect without a refresh token, or with an invalid secret', async () => {
  expect(await connect.refresh(reachOf([]).reach, { ...secret, refreshToken: null }, account)).toMatchObject({
    kind: 'reconnect',
  })
  expect(await connect.check?.(reachOf([]).reach, { accessToken: 1 }, account)).toMatchObject({ kind: 'reconnect' })
  expect(
    await connect.check?.(
      reachOf([{ status: 401, json: { code: 2, message: 'Authentication failed.' } }]).reach,
      secret,
      account,
    ),
  ).toMatchObject({ kind: 'retry', first: 'renew' })
})

it('finds boards across all pages, those that start with the query first', async () => {
  const board = (id: string, name: string, privacy = 'PUBLIC') => ({
    id,
    name,
    privacy,
    media: { image_cover_url: null },
  })
  const { fetch, reach } = reachOf([
    { json: { items: [board('1', 'Old bread'), board('2', 'Cakes')], bookmark: 'next' } },
    { json: { items: [board('3', 'Bread', 'SECRET')], bookmark: null } },
  ])
  expect(await lookups?.boards?.(reach, secret, account, { query: 'bread', limit: 10 })).toEqual({
    kind: 'found',
    items: [
      { id: '3', name: 'Bread', detail: 'Not public', pictureUrl: null, insert: null },
      { id: '1', name: 'Old bread', detail: null, pictureUrl: null, insert: null },
    ],
  })
  expect(fetch.asked[1]?.url.searchParams.get('bookmark')).toBe('next')
})

it('reads metrics with either name; a deleted Pin is missing', async () => {
  const of = (name: string) => ({
    json: {
      id: '1',
      pin_metrics: { [name]: { impression: 90, pin_click: 7, outbound_click: 3, save: 2, reaction: 4, comment: 1 } },
    },
  })
  const { reach } = reachOf([
    of('lifetime_metrics'),
    of('all_time'),
    { status: 404, json: { code: 50, message: 'Pin not found.' } },
    { json: { id: '4', pin_metrics: null } },
  ])
  const posts = ['1', '2', '3', '4'].map((remoteId) => ({
    remoteId,
    postType: 'pin' as const,
    publishedAt: new Date(date),
  }))
  const figures = {
    impressions: 90,
    reactions: 4,
    comments: 1,
    saves: 2,
    clicks: 10,
    linkClicks: 3,
  }
  const found = await metrics?.read(reach, secret, account, posts)
  expect(found).toMatchObject({ kind: 'metrics' })
  expect(
    found?.kind === 'metrics' && [
      found.of.get('1'),
      found.of.get('2'),
      found.of.has('3'),
      found.of.get('4')?.impressions,
    ],
  ).toEqual([figures, figures, false, undefined])
})

it('counts link clicks with either name, and shows the last 90 days if there is no total', async () => {
  const { reach } = reachOf([
    // as in the description's example
    { json: { id: '1', pin_metrics: { lifetime_metrics: { pin_click: 7, impression: 90, clickthrough: 3 } } } },
    { json: { id: '2', pin_metrics: { '90d': { pin_click: 7, impression: 90, outbound_click: 3 } } } },
  ])
  const found = await metrics?.read(
    reach,
    secret,
    account,
    ['1', '2'].map((remoteId) => ({ remoteId, postType: 'pin' as const, publishedAt: new Date(date) })),
  )
  expect(found?.kind === 'metrics' && ['1', '2'].map((id) => found.of.get(id))).toMatchObject([
    { impressions: 90, clicks: 10 },
    { impressions: 90, clicks: 10 },
  ])
})

describe('the sandbox', () => {
  const sandboxApp = { ...app, sandbox: true }

  it('is where codes are exchanged, calls are made and tokens are renewed', async () => {
    const { fetch, reach } = reachOf(
      signIn.map((step) => ({ ...step, on: step.on?.replace('api.pinterest', 'api-sandbox.pinterest') ?? '' })),
    )
    expect(await answer({ ...reach, app: sandboxApp }, { code: 'code', state: 'a-state' })).toMatchObject({
      accounts: [{ secret: { sandbox: true }, kind: 'Sandbox account' }],
    })
    expect(fetch.asked.map(({ url }) => url.host)).toEqual(['api-sandbox.pinterest.com', 'api-sandbox.pinterest.com'])
    const renewal = reachOf([{ headers: { date }, json: tokens }])
    await connect.refresh({ ...renewal.reach, app: sandboxApp }, { ...secret, sandbox: true }, account)
    expect(renewal.fetch.asked[0]?.url.host).toBe('api-sandbox.pinterest.com')
  })

  it('is only left by reconnecting, which a channel asks for once its app publishes for real', async () => {
    const { fetch, reach } = reachOf([])
    expect(await connect.check?.(reach, { ...secret, sandbox: true }, account)).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'sandbox-left' },
    })
    expect(fetch.asked).toEqual([])
  })
})
