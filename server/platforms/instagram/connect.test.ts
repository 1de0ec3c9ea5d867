import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import { createInstagram } from './adapter.ts'

const { connect } = createInstagram()
const account = { remoteId: '77', handle: '@rook', service: null }
const ask = { redirectUri: 'https://rookery.test/oauth/instagram/callback', state: 'a-state' }
const I = 'graph.instagram.com'
const F = 'graph.facebook.com/v25.0'
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const DAY = 86_400

const reachOf = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('instagram', steps, lost === undefined ? {} : { lost })
  return {
    fetch,
    reach: {
      fetch,
      signal: new AbortController().signal,
      app: { clientId: 'app', clientSecret: 'hush' },
    } satisfies Reach,
  }
}
async function answer(
  reach: Reach,
  variant: string,
  params: Record<string, string> = { code: 'code#_', state: 'a-state' },
) {
  const begun = await connect.withPage?.begin(reach, { ...ask, variant })
  if (begun?.kind !== 'begun') throw new Error('not begun')
  return { url: new URL(begun.url), answer: await connect.withPage?.answer(reach, begun.keep, params) }
}

const scopes =
  'instagram_business_basic,instagram_business_content_publish,instagram_business_manage_comments,instagram_business_manage_insights,instagram_business_manage_messages'
/** Larger than a number can be, as the platform sends it. */
const BIG = '17841405793187218'
const byInstagram = (permissions: unknown): Step[] => [
  { on: 'POST api.instagram.com/oauth/access_token', json: { access_token: 'short', user_id: 1, permissions } },
  {
    on: `GET ${I}/access_token`,
    headers: { date },
    json: { access_token: 'long', token_type: 'bearer', expires_in: 60 * DAY },
  },
  {
    on: `GET ${I}/v25.0/me`,
    text: `{"id":"5","user_id":${BIG},"username":"rook","name":"The Rook","profile_picture_url":"https://cdn.test/r.jpg"}`,
  },
]

it('with Instagram, exchanges the code for a token of 60 days, and returns the account and missing permissions', async () => {
  const { fetch, reach } = reachOf(byInstagram(scopes.split(',').slice(0, 3)))
  const { url, answer: signedIn } = await answer(reach, 'instagram')
  expect(`${url.origin}${url.pathname}`).toBe('https://www.instagram.com/oauth/authorize')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'app',
    state: 'a-state',
    scope: scopes,
    response_type: 'code',
  })
  expect(signedIn).toMatchObject({
    kind: 'accounts',
    accounts: [
      {
        account: { remoteId: BIG, name: 'The Rook', handle: '@rook', pictureUrl: 'https://cdn.test/r.jpg' },
        secret: { login: 'instagram', accessToken: 'long', userId: BIG, issuedAt: '2026-11-21T10:00:00.000Z' },
        expiresAt: new Date('2027-01-20T10:00:00Z'),
        missing: ['instagram_business_manage_insights', 'instagram_business_manage_messages'],
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

it('also parses a response that is a list, with permissions as text', async () => {
  const [token, ...rest] = byInstagram('')
  const { reach } = reachOf([
    { ...token, json: { data: [{ access_token: 'short', user_id: '1', permissions: scopes }] } },
    ...rest,
  ])
  const { answer: signedIn } = await answer(reach, 'instagram')
  expect(signedIn?.kind === 'accounts' && signedIn.accounts[0]?.missing).toBe(undefined)
  expect(signedIn).toMatchObject({ kind: 'accounts', accounts: [{ secret: { scopes: scopes.split(',') } }] })
})

const byFacebook = (data: unknown[]): Step[] => [
  { on: `POST ${F}/oauth/access_token`, json: { access_token: 'short', token_type: 'bearer', expires_in: 5000 } },
  {
    on: `GET ${F}/oauth/access_token`,
    headers: { date },
    json: { access_token: 'long', token_type: 'bearer', expires_in: 60 * DAY },
  },
  // the descriptions of Instagram leave out the calls about a person, which stand in those of Facebook
  {
    on: `GET ${F}/me/permissions`,
    unchecked: true,
    json: {
      data: [
        'instagram_basic',
        'instagram_content_publish',
        'instagram_manage_comments',
        'instagram_manage_insights',
        'pages_show_list',
        'pages_read_engagement',
        'business_management',
        'instagram_manage_messages',
        'pages_manage_metadata',
      ].map((permission) => ({ permission, status: 'granted' })),
    },
  },
  { on: `GET ${F}/me/accounts`, unchecked: true, json: { data } },
]

it("with Facebook, offers the accounts that are linked to Pages, with the Page's token", async () => {
  const { reach } = reachOf(
    byFacebook([
      {
        id: '1',
        name: 'Page',
        access_token: 'page-token',
        instagram_business_account: { id: '77', username: 'rook', name: 'The Rook' },
      },
      { id: '2', name: 'Unlinked', access_token: 'other' },
    ]),
  )
  const { url, answer: signedIn } = await answer(reach, 'facebook')
  expect(url.host).toBe('www.facebook.com')
  expect(signedIn).toMatchObject({
    kind: 'accounts',
    accounts: [
      {
        account: { remoteId: '77', handle: '@rook', name: 'The Rook' },
        secret: { login: 'facebook', accessToken: 'page-token', userId: '77' },
        expiresAt: null,
      },
    ],
  })
  expect(JSON.stringify(signedIn)).not.toContain('"long"')
})

it('with Facebook, explains what to do if no Page is linked', async () => {
  expect((await answer(reachOf(byFacebook([{ id: '2', access_token: 'x' }])).reach, 'facebook')).answer).toMatchObject({
    kind: 'rejected',
    reason: { platformCode: 'no-accounts' },
  })
})

it('refuses declined sign-ins and responses to others, and asks to start again if a response is lost', async () => {
  for (const variant of ['instagram', 'facebook']) {
    expect(
      (
        await answer(reachOf([]).reach, variant, {
          error: 'access_denied',
          error_reason: 'user_denied',
          state: 'a-state',
        })
      ).answer,
    ).toMatchObject({ kind: 'rejected', reason: { platformCode: 'access_denied' } })
    expect((await answer(reachOf([]).reach, variant, { code: 'code', state: 'other' })).answer).toMatchObject({
      kind: 'rejected',
    })
  }
  for (const lost of [0, 1, 2])
    expect((await answer(reachOf(byInstagram([]), lost).reach, 'instagram')).answer).toMatchObject({ kind: 'retry' })
  for (const lost of [0, 1, 2, 3])
    expect((await answer(reachOf(byFacebook([]), lost).reach, 'facebook')).answer).toMatchObject({ kind: 'retry' })
})

const own = {
  login: 'instagram',
  accessToken: 'long',
  userId: '77',
  issuedAt: '2026-11-21T10:00:00.000Z',
  clientId: 'app',
  scopes: [],
}
const linked = { ...own, login: 'facebook', issuedAt: null }
const dead: Step = { status: 400, json: { error: { message: 'x', type: 'OAuthException', code: 190 } } }

it("renews a token after a day and half of its time; never a Page's", () => {
  const expiresAt = new Date('2027-01-20T10:00:00Z')
  expect(connect.needsRefresh(own, expiresAt, new Date('2026-12-01T00:00:00Z'))).toBe(false)
  expect(connect.needsRefresh(own, expiresAt, new Date('2026-12-25T00:00:00Z'))).toBe(true)
  expect(
    connect.needsRefresh({ ...own, issuedAt: '2026-12-24T12:00:00.000Z' }, expiresAt, new Date('2026-12-25T00:00:00Z')),
  ).toBe(false)
  expect(connect.needsRefresh(linked, null, new Date('2027-12-25T00:00:00Z'))).toBe(false)
})

it('renews renewable tokens, and keeps others that still work', async () => {
  expect(
    await connect.refresh(
      reachOf([
        {
          on: `GET ${I}/refresh_access_token`,
          headers: { date },
          json: { access_token: 'longer', token_type: 'bearer', expires_in: 60 * DAY },
        },
      ]).reach,
      own,
      account,
    ),
  ).toMatchObject({ kind: 'refreshed', secret: { accessToken: 'longer' }, expiresAt: new Date('2027-01-20T10:00:00Z') })
  expect(await connect.refresh(reachOf([{ on: `GET ${F}/77`, json: { id: '77' } }]).reach, linked, account)).toEqual({
    kind: 'refreshed',
    secret: linked,
    expiresAt: null,
  })
  for (const secret of [own, linked]) {
    expect(await connect.refresh(reachOf([dead]).reach, secret, account)).toMatchObject({ kind: 'reconnect' })
    expect(await connect.refresh(reachOf([{ fails: 'lost' }]).reach, secret, account)).toMatchObject({ kind: 'retry' })
  }
})

it('checks daily whether it still works', async () => {
  expect(
    await connect.check?.(
      reachOf([{ on: `GET ${I}/v25.0/me`, json: { id: '5', profile_picture_url: 'https://cdn.test/n.jpg' } }]).reach,
      own,
      account,
    ),
  ).toEqual({
    kind: 'works',
    endsAt: null,
    pictureUrl: 'https://cdn.test/n.jpg',
  })
  expect(await connect.check?.(reachOf([dead]).reach, linked, account)).toMatchObject({ kind: 'reconnect' })
})
