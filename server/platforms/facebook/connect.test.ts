import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import { createFacebook } from './adapter.ts'

const { connect } = createFacebook()
const account = { remoteId: '77', handle: '@rook', service: null }
const ask = { redirectUri: 'https://rookery.test/oauth/facebook/callback', state: 'a-state' }
const G = 'graph.facebook.com/v25.0'
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const scopes = [
  'pages_show_list',
  'pages_read_engagement',
  'pages_manage_posts',
  'pages_manage_engagement',
  'pages_read_user_content',
  'read_insights',
  'business_management',
  'pages_messaging',
  'pages_manage_metadata',
]

const reachOf = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('facebook', steps, lost === undefined ? {} : { lost })
  return {
    fetch,
    reach: {
      fetch,
      signal: new AbortController().signal,
      app: { clientId: 'app', clientSecret: 'hush' },
    } satisfies Reach,
  }
}
const page = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  name: `Page ${id}`,
  username: `page${id}`,
  access_token: `token-${id}`,
  tasks: ['CREATE_CONTENT'],
  picture: { data: { url: 'https://cdn.test/p.jpg' } },
  ...more,
})
const rights = (granted: readonly string[]): Step => ({
  on: `GET ${G}/me/permissions`,
  json: {
    data: [
      ...granted.map((permission) => ({ permission, status: 'granted' })),
      { permission: 'email', status: 'declined' },
    ],
  },
})
const signIn = (granted: readonly string[], ...lists: unknown[]): Step[] => [
  { on: `POST ${G}/oauth/access_token`, json: { access_token: 'short', token_type: 'bearer', expires_in: 5000 } },
  {
    on: `GET ${G}/oauth/access_token`,
    headers: { date },
    json: { access_token: 'long', token_type: 'bearer', expires_in: 5_184_000 },
  },
  rights(granted),
  ...lists.map((json): Step => ({ on: `GET ${G}/me/accounts`, json })),
]
async function answer(
  reach: Reach,
  variant?: string,
  params: Record<string, string> = { code: 'code', state: 'a-state' },
) {
  const begun = await connect.withPage?.begin(reach, { ...ask, ...(variant !== undefined && { variant }) })
  if (begun?.kind !== 'begun') throw new Error('not begun')
  return { url: new URL(begun.url), answer: await connect.withPage?.answer(reach, begun.keep, params) }
}

it('offers every Page that the person manages, with its own token and missing permissions', async () => {
  const { fetch, reach } = reachOf(
    signIn(
      scopes.slice(0, -1),
      {
        data: [page('1'), page('2', { access_token: undefined })],
        paging: { cursors: { after: 'next' }, next: 'https://graph.facebook.com/more' },
      },
      { data: [page('3', { tasks: ['ANALYZE'], username: undefined })] },
    ),
  )
  const { url, answer: signedIn } = await answer(reach)
  expect(`${url.origin}${url.pathname}`).toBe('https://www.facebook.com/v25.0/dialog/oauth')
  expect(Object.fromEntries(url.searchParams)).toMatchObject({
    client_id: 'app',
    state: 'a-state',
    scope: scopes.join(','),
    auth_type: 'rerequest',
  })
  expect(signedIn).toMatchObject({
    kind: 'accounts',
    accounts: [
      {
        account: { remoteId: '1', name: 'Page 1', handle: '@page1', pictureUrl: 'https://cdn.test/p.jpg' },
        secret: { accessToken: 'token-1', pageId: '1', clientId: 'app' },
        expiresAt: null,
        kind: 'Page',
        missing: ['pages_manage_metadata'],
      },
      { account: { remoteId: '3', handle: 'Page 3' }, missing: ['pages_manage_metadata', 'CREATE_CONTENT'] },
    ],
  })
  // a channel that publishes only must not hold what acts for the person
  expect(JSON.stringify(signedIn)).not.toContain('long')
  expect(fetch.asked.at(-1)?.url.searchParams.get('after')).toBe('next')
})

it("as Ad Manager requests the permissions to promote, and stores the person's token for it", async () => {
  const { reach } = reachOf(signIn([...scopes, 'ads_management'], { data: [page('1')] }))
  const { url, answer: signedIn } = await answer(reach, 'ads')
  expect(url.searchParams.get('scope')).toContain('ads_management')
  expect(signedIn).toMatchObject({
    kind: 'accounts',
    accounts: [{ secret: { userToken: 'long', userTokenEndsAt: '2027-01-20T10:00:00.000Z' }, missing: ['ads_read'] }],
  })
})

it('explains what to do if there is no Page', async () => {
  expect((await answer(reachOf(signIn(scopes, { data: [] })).reach)).answer).toMatchObject({
    kind: 'rejected',
    reason: { platformCode: 'no-pages' },
  })
})

it('refuses a declined sign-in, and responses to other sign-ins', async () => {
  expect(
    (
      await answer(reachOf([]).reach, 'page', {
        error: 'access_denied',
        error_reason: 'user_denied',
        error_code: '200',
        state: 'a-state',
      })
    ).answer,
  ).toMatchObject({ kind: 'rejected', reason: { platformCode: 'access_denied' } })
  expect((await answer(reachOf([]).reach, 'page', { code: 'code', state: 'other' })).answer).toMatchObject({
    kind: 'rejected',
  })
})

it('asks to start again if a response is lost', async () => {
  for (const lost of [0, 1, 2, 3])
    expect((await answer(reachOf(signIn(scopes, { data: [page('1')] }), lost).reach)).answer).toMatchObject({
      kind: 'retry',
    })
})

const secret = { accessToken: 'page-token', pageId: '77', clientId: 'app', scopes: [] }
const dead: Step = {
  status: 400,
  json: { error: { message: 'x', type: 'OAuthException', code: 190, error_subcode: 460 } },
}

it('never renews ahead of time, and finds out whether a refused token is invalid', async () => {
  expect(connect.needsRefresh(secret, null, new Date('2027-01-01'))).toBe(false)
  expect(await connect.refresh(reachOf([{ json: { id: '77' } }]).reach, secret, account)).toEqual({
    kind: 'refreshed',
    secret,
    expiresAt: null,
  })
  expect(await connect.refresh(reachOf([dead]).reach, secret, account)).toMatchObject({
    kind: 'reconnect',
    reason: { code: 'password-changed' },
  })
  expect(await connect.refresh(reachOf([{ fails: 'lost' }]).reach, secret, account)).toMatchObject({ kind: 'retry' })
})

it("gets a new Page token with the person's token, if that is stored", async () => {
  const withUser = { ...secret, userToken: 'long', userTokenEndsAt: null }
  expect(
    await connect.refresh(reachOf([dead, { json: { id: '77', access_token: 'fresh' } }]).reach, withUser, account),
  ).toMatchObject({ kind: 'refreshed', secret: { accessToken: 'fresh', userToken: 'long' } })
  expect(await connect.refresh(reachOf([dead, dead]).reach, withUser, account)).toMatchObject({ kind: 'reconnect' })
})

it('checks daily whether it still works', async () => {
  expect(
    await connect.check?.(
      reachOf([{ json: { id: '77', picture: { data: { url: 'https://cdn.test/n.jpg' } } } }]).reach,
      secret,
      account,
    ),
  ).toEqual({
    kind: 'works',
    endsAt: null,
    pictureUrl: 'https://cdn.test/n.jpg',
  })
  expect(await connect.check?.(reachOf([dead]).reach, secret, account)).toMatchObject({ kind: 'reconnect' })
})
