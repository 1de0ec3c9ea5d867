import { expect, it } from 'vitest'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Reach } from '../platform.ts'
import { createTiktok } from './adapter.ts'
import type { TikTokSecret } from './schemas.ts'

const { connect, lookups, metrics, ownPosts } = createTiktok()
const app = { clientId: 'app', clientSecret: 'hush' }
const account = { remoteId: 'open-77', handle: '@rook', service: null }
const ask = { redirectUri: 'https://rookery.test/oauth/tiktok/callback', state: 'a-state' }
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const DAY = 86_400
const HOST = 'open.tiktokapis.com/v2'

const reachOf = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('tiktok', steps, lost === undefined ? {} : { lost })
  return { fetch, reach: { fetch, signal: new AbortController().signal, app } satisfies Reach }
}
const ok = (data: unknown): Pick<Step, 'json'> => ({ json: { data, error: { code: 'ok', message: '', log_id: 'x' } } })
const error = (status: number, code: string, message = 'Words of the platform'): Step => ({
  status,
  json: { error: { code, message, log_id: 'x' } },
})
const tokens = {
  access_token: 'act.1',
  refresh_token: 'rft.1',
  open_id: 'open-77',
  expires_in: DAY,
  refresh_expires_in: 365 * DAY,
  scope: 'user.info.basic,user.info.stats,video.publish,video.list',
  token_type: 'Bearer',
}
const creator = {
  creator_username: 'rook',
  creator_nickname: 'The Rook',
  privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
  comment_disabled: false,
  duet_disabled: false,
  stitch_disabled: false,
  max_video_post_duration_sec: 300,
}
const signIn: Step[] = [
  { on: `POST ${HOST}/oauth/token/`, headers: { date }, json: tokens },
  {
    on: `GET ${HOST}/user/info/`,
    ...ok({
      user: { open_id: 'open-77', display_name: 'The Rook', avatar_url: 'https://p16.tiktokcdn.test/rook.jpg' },
    }),
  },
  { on: `POST ${HOST}/post/publish/creator_info/query/`, ...ok(creator) },
]
async function answer(reach: Reach, params: Record<string, string>) {
  const begun = await connect.withPage?.begin(reach, ask)
  if (begun?.kind !== 'begun') throw new Error('not begun')
  return await connect.withPage?.answer(reach, begun.keep, params)
}
const secret: TikTokSecret = {
  accessToken: 'act.1',
  refreshToken: 'rft.1',
  endsAt: '2027-11-21T10:00:00.000Z',
  openId: 'open-77',
  clientId: 'app',
  scopes: ['user.info.basic', 'user.info.stats', 'video.publish', 'video.list'],
}

it('sends the browser to the page with the permissions, and not without an app', async () => {
  const { reach } = reachOf([])
  const begun = await connect.withPage?.begin(reach, ask)
  const url = new URL(begun?.kind === 'begun' ? begun.url : '')
  expect(`${url.origin}${url.pathname}`).toBe('https://www.tiktok.com/v2/auth/authorize/')
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_key: 'app',
    redirect_uri: ask.redirectUri,
    response_type: 'code',
    scope: 'user.info.basic,user.info.stats,video.publish,video.list',
    state: 'a-state',
  })
  const { app: _, ...without } = reach
  expect(await connect.withPage?.begin(without, ask)).toMatchObject({
    kind: 'rejected',
    reason: { code: 'not-set-up' },
  })
})

it('exchanges the code for tokens, and returns the account and when the sign-in ends', async () => {
  const { fetch, reach } = reachOf(signIn)
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toEqual({
    kind: 'accounts',
    accounts: [
      {
        account: {
          remoteId: 'open-77',
          name: 'The Rook',
          handle: '@rook',
          pictureUrl: 'https://p16.tiktokcdn.test/rook.jpg',
          service: null,
        },
        secret,
        expiresAt: new Date('2026-11-22T10:00:00Z'),
        endsAt: new Date('2027-11-21T10:00:00Z'),
        kind: 'Account',
        limits: { videoSeconds: 300 },
      },
    ],
  })
  expect(fetch.asked[0]?.body.value).toEqual({
    client_key: 'app',
    client_secret: 'hush',
    code: 'code',
    grant_type: 'authorization_code',
    redirect_uri: ask.redirectUri,
  })
})

it('connects an account that may not publish, and says what is missing', async () => {
  const [, info] = signIn
  const { reach } = reachOf([
    { headers: { date }, json: { ...tokens, scope: 'user.info.basic' } },
    info ?? {},
    error(401, 'scope_not_authorized'),
  ])
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toMatchObject({
    accounts: [{ account: { handle: 'The Rook' }, missing: ['user.info.stats', 'video.publish', 'video.list'] }],
  })
})

it.each([
  ['a person who declined', { error: 'access_denied', state: 'a-state' }],
  ['the state of another person', { code: 'code', state: 'other' }],
])('refuses %s', async (_, params) => {
  expect(await answer(reachOf([]).reach, params)).toMatchObject({ kind: 'rejected' })
})

it('asks to start again if a response is lost, and recognizes an error with status 200', async () => {
  for (const lost of [0, 1])
    expect(await answer(reachOf(signIn, lost).reach, { code: 'code', state: 'a-state' })).toMatchObject({
      kind: 'retry',
    })
  const { reach } = reachOf([
    { json: { error: 'invalid_grant', error_description: 'Authorization code is expired.', log_id: 'x' } },
  ])
  expect(await answer(reach, { code: 'code', state: 'a-state' })).toMatchObject({
    kind: 'rejected',
    reason: { code: 'sign-in-rejected', params: { words: 'Authorization code is expired.' } },
  })
})

it('renews an hour before the end, and stores the new tokens', async () => {
  const expiresAt = new Date('2026-11-22T10:00:00Z')
  expect([
    connect.needsRefresh(secret, expiresAt, new Date('2026-11-22T08:00:00Z')),
    connect.needsRefresh(secret, expiresAt, new Date('2026-11-22T09:30:00Z')),
  ]).toEqual([false, true])
  const { fetch, reach } = reachOf([
    {
      headers: { date },
      json: { ...tokens, access_token: 'act.2', refresh_token: 'rft.2', refresh_expires_in: 100 * DAY },
    },
  ])
  expect(await connect.refresh(reach, secret, account)).toMatchObject({
    kind: 'refreshed',
    secret: { accessToken: 'act.2', refreshToken: 'rft.2', endsAt: '2027-03-01T10:00:00.000Z' },
    expiresAt,
  })
  expect(fetch.asked[0]?.body.value).toEqual({
    client_key: 'app',
    client_secret: 'hush',
    grant_type: 'refresh_token',
    refresh_token: 'rft.1',
  })
})

it.each([
  [{ status: 400, json: { error: 'invalid_grant', error_description: 'x' } }, 'reconnect'],
  [{ status: 200, json: { error: 'invalid_grant', error_description: 'x' } }, 'reconnect'],
  [{ status: 500, text: 'trouble' }, 'retry'],
  [{ fails: 'lost' }, 'unknown'],
] as const)('classifies a failed renewal: %o', async (step, kind) => {
  expect((await connect.refresh(reachOf([step]).reach, secret, account)).kind).toBe(kind)
})

it('checks daily whether it still works, and when it ends', async () => {
  const info: Step = {
    ...ok({ user: { open_id: 'open-77', display_name: 'The Rook', avatar_url: 'https://cdn.test/n.jpg' } }),
  }
  const works = { kind: 'works', pictureUrl: 'https://cdn.test/n.jpg', endsAt: new Date('2027-11-21T10:00:00Z') }
  expect(await connect.check?.(reachOf([info, ok(creator)]).reach, secret, account)).toEqual({
    ...works,
    limits: { videoSeconds: 300 },
  })
  // the earlier limits stay
  expect(await connect.check?.(reachOf([info, { status: 500, text: '' }]).reach, secret, account)).toEqual(works)
  expect(await connect.check?.(reachOf([error(401, 'access_token_invalid')]).reach, secret, account)).toMatchObject({
    kind: 'retry',
    first: 'renew',
  })
  expect(await connect.check?.(reachOf([]).reach, { accessToken: 1 }, account)).toMatchObject({ kind: 'reconnect' })
  expect(await connect.refresh(reachOf([]).reach, { ...secret, refreshToken: null }, account)).toMatchObject({
    kind: 'reconnect',
  })
})

it("says who can see the account's posts, and which interactions aren't turned off", async () => {
  expect(
    await lookups?.creator?.(reachOf([ok(creator)]).reach, secret, account, { query: '', limit: 10 }),
  ).toMatchObject({
    items: [
      { id: 'PUBLIC_TO_EVERYONE', name: 'Everyone' },
      { id: 'SELF_ONLY', name: 'Only me' },
      { id: 'comment', name: 'Comment' },
      { id: 'duet', name: 'Duet' },
      { id: 'stitch', name: 'Stitch' },
    ],
  })
  const without = { ...creator, privacy_level_options: ['SELF_ONLY'], comment_disabled: true, stitch_disabled: true }
  expect(
    await lookups?.creator?.(reachOf([ok(without)]).reach, secret, account, { query: '', limit: 10 }),
  ).toMatchObject({ items: [{ id: 'SELF_ONLY' }, { id: 'duet', name: 'Duet' }] })
  expect(
    await lookups?.creator?.(reachOf([error(403, 'spam_risk_too_many_posts')]).reach, secret, account, {
      query: '',
      limit: 10,
    }),
  ).toMatchObject({ kind: 'retry' })
})

it('reads metrics; a post that became public later is found by its publish ID', async () => {
  const video = (id: string, view_count: number) => ({
    id,
    share_url: 'https://www.tiktok.com/@rook/video/1',
    view_count,
    like_count: 3,
    comment_count: 2,
    share_count: 1,
  })
  // an id is larger than numbers can be
  const state: Step = {
    text: '{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7541234567890123456]},"error":{"code":"ok","message":""}}',
  }
  const { fetch, reach } = reachOf([
    state,
    error(400, 'invalid_publish_id'),
    { on: `POST ${HOST}/video/query/`, ...ok({ videos: [video('7541234567890123456', 50), video('8', 9)] }) },
  ])
  const posts = ['v_pub_file~v2.1', 'v_pub_file~v2.2', '8', '9'].map((remoteId) => ({
    remoteId,
    postType: 'post' as const,
    publishedAt: new Date(date),
  }))
  const figures = { reactions: 3, comments: 2, shares: 1 }
  expect(await metrics?.read(reach, secret, account, posts)).toEqual({
    kind: 'metrics',
    of: new Map([
      ['v_pub_file~v2.1', { ...figures, views: 50 }],
      ['8', { ...figures, views: 9 }],
    ]),
  })
  expect(fetch.asked[2]?.body.value).toEqual({ filters: { video_ids: ['7541234567890123456', '8', '9'] } })
})

it('lists posts, without one that has no time', async () => {
  const { reach } = reachOf([
    ok({
      videos: [
        { id: '1', create_time: 1_795_255_200, video_description: 'One', title: 'x' },
        { id: '2', video_description: '', title: '' },
      ],
    }),
  ])
  expect(await ownPosts?.list(reach, secret, account, { cursor: null })).toMatchObject({
    kind: 'posts',
    posts: [{ text: 'One', publishedAt: new Date(1_795_255_200_000) }],
  })
})
