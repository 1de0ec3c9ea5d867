import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, Reach } from '../platform.ts'
import { createGooglemybusiness } from './adapter.ts'
import type { BusinessSecret } from './schemas.ts'

const { publish, connect } = createGooglemybusiness()
const parent = 'accounts/1/locations/2'
const secret: BusinessSecret = {
  accessToken: 'access',
  refreshToken: 'again',
  clientId: 'app',
  scopes: [],
  endsAt: null,
  parent,
  mapsUri: 'https://maps.test/2',
}
const account = { remoteId: '2', handle: 'Nest Lane', service: null }
const H = `mybusiness.googleapis.com/v4/${parent}/localPosts`
const name = `${parent}/localPosts/9`

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('googlemybusiness', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal, app: { clientId: 'app', clientSecret: 'hush' } }
  return {
    fetch,
    reach,
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    poll: async (post: Outgoing) => await publish.poll?.(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (post: Outgoing) => publish.readBack(reach, secret, account, post, name),
    edit: async (post: Outgoing) => await publish.edit?.(reach, secret, account, post, name),
  }
}
const state = (is: string, more = {}): Step => ({ json: { name, state: is, ...more } })
const update = (text: string, more: Partial<Outgoing> = {}) => outgoingPost({ postType: 'update', text, ...more })
const event = { start: { date: '2026-12-01', time: '09:05' }, end: { date: '2026-12-31', time: '18:30' } }
const schedule = {
  startDate: { year: 2026, month: 12, day: 1 },
  startTime: { hours: 9, minutes: 5 },
  endDate: { year: 2026, month: 12, day: 31 },
  endTime: { hours: 18, minutes: 30 },
}
const googleError = (code: number, status: string, more: Record<string, unknown> = {}): Step => ({
  status: code,
  json: { error: { code, message: 'Words of Google', status, ...more } },
})
const detail = (code: string): Record<string, unknown> => ({
  details: [
    {
      '@type': 'type.googleapis.com/google.mybusiness.v4.ValidationError',
      errorDetails: [{ code, message: 'More words' }],
    },
  ],
})

describe('the content of a post', () => {
  it.each<[string, Outgoing, object]>([
    [
      'the longest update, with a picture and a button',
      update('w'.repeat(1500), {
        contents: [{ text: 'w'.repeat(1500), media: [syntheticFile('image/jpeg', { name: 'a.jpg' })] }],
        details: { callToAction: { action: 'BOOK', url: 'https://example.com' } },
      }),
      {
        topicType: 'STANDARD',
        summary: 'w'.repeat(1500),
        callToAction: { actionType: 'BOOK', url: 'https://example.com' },
        media: [{ mediaFormat: 'PHOTO', sourceUrl: 'https://media.rookery.test/a.jpg' }],
      },
    ],
    [
      'a button to call, without an address',
      update('Call', { details: { callToAction: { action: 'CALL', url: 'https://example.com' } } }),
      { topicType: 'STANDARD', summary: 'Call', callToAction: { actionType: 'CALL' } },
    ],
    [
      'an event by wall times',
      update('', {
        postType: 'events',
        contents: [{ title: 't'.repeat(58), text: '', media: [] }],
        details: { event },
      }),
      { topicType: 'EVENT', event: { title: 't'.repeat(58), schedule } },
    ],
    [
      'an offer, which has no button',
      update('', {
        postType: 'offers',
        contents: [{ title: 'Half', text: 'Today', media: [] }],
        details: {
          event,
          offer: { couponCode: 'ROOK', redeemUrl: 'https://example.com', terms: 'One each' },
          callToAction: { action: 'CALL' },
        },
      }),
      {
        topicType: 'OFFER',
        summary: 'Today',
        event: { title: 'Half', schedule },
        offer: { couponCode: 'ROOK', redeemOnlineUrl: 'https://example.com', termsConditions: 'One each' },
      },
    ],
  ])('%s', async (_, post, expected) => {
    const { fetch, send } = run([{ on: `POST ${H}`, ...state('LIVE') }])
    expect(await send(post)).toMatchObject({ kind: 'sent', remoteId: name })
    expect(fetch.asked[0]?.body.value).toEqual(expected)
  })

  it.each<[Outgoing, string]>([
    [
      update('x', { contents: [{ text: 'x', media: [syntheticFile('image/png', { url: () => null })] }] }),
      'google-no-public-address',
    ],
    [update('x', { details: { callToAction: { action: 'SHOP' } } }), 'google-button-without-link'],
    [update('x', { postType: 'events' }), 'google-event-without-times'],
  ])('is refused before sending if something is missing', async (post, code) => {
    expect(await run([]).send(post)).toMatchObject({
      kind: 'rejected',
      reason: { code },
    })
  })
})

describe('a post that Google accepted', () => {
  const post = update('Words', { progress: { name } })
  it('is checked until Google has reviewed it', async () => {
    expect(await run([state('PROCESSING')]).send(update('Words'))).toMatchObject({
      kind: 'processing',
      progress: { name },
      checkAfterSeconds: 30,
    })
    expect(await run([state('PROCESSING')]).poll({ ...post, progress: { name, looks: 20 } })).toMatchObject({
      kind: 'processing',
      checkAfterSeconds: 600,
    })
    expect(await run([state('LIVE')]).poll(post)).toMatchObject({ kind: 'sent', remoteId: name })
    expect(await run([state('REJECTED')]).poll(post)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'REJECTED' },
    })
    expect(await run([googleError(404, 'NOT_FOUND')]).poll(post)).toMatchObject({ kind: 'rejected' })
  })
  it('has a URL, or that of its location', async () => {
    expect(await run([state('LIVE', { searchUrl: 'https://local.google.com/p' })]).readBack(post)).toEqual({
      kind: 'live',
      permalink: 'https://local.google.com/p',
    })
    expect(await run([state('LIVE')]).readBack(post)).toEqual({ kind: 'live', permalink: 'https://maps.test/2' })
    expect(await run([googleError(404, 'NOT_FOUND')]).readBack(post)).toEqual({ kind: 'missing' })
  })
  it('is updated by naming all updatable fields', async () => {
    const { fetch, edit } = run([{ on: `PATCH ${H}/9`, ...state('LIVE') }])
    expect(await edit(update('New words'))).toEqual({ kind: 'edited', remoteId: name })
    expect([fetch.asked[0]?.url.searchParams.get('updateMask'), fetch.asked[0]?.body.value]).toEqual([
      'summary,callToAction',
      { summary: 'New words' },
    ])
  })
})

it('is reconciled by the list after a send without a clear response', async () => {
  const post = update('Words')
  for (const step of [{ fails: 'lost' } as const, googleError(500, 'INTERNAL'), { json: {} }])
    expect(await run([step]).send(post)).toMatchObject({ kind: 'unknown' })
  const at = (seconds: number) => new Date(PLANNED_AT.getTime() + seconds * 1000).toISOString()
  const listed = (topicType: string, summary: string, seconds: number): Step => ({
    on: `GET ${H}`,
    json: { localPosts: [{ name, state: 'LIVE', topicType, summary, createTime: at(seconds) }] },
  })
  expect(await run([listed('STANDARD', 'Words', 5)]).reconcile(post)).toMatchObject({
    kind: 'sent',
    remoteId: name,
    progress: { name },
  })
  for (const other of [
    listed('STANDARD', 'Words', -5000),
    listed('EVENT', 'Words', 5),
    listed('STANDARD', 'Others', 5),
  ])
    expect(await run([other]).reconcile(post)).toEqual({ kind: 'absent' })
  expect(await run([googleError(403, 'PERMISSION_DENIED')]).reconcile(post)).toMatchObject({ kind: 'unknown' })
})

it.each<[Step, object]>([
  [googleError(401, 'UNAUTHENTICATED'), { kind: 'retry', first: 'renew' }],
  [googleError(429, 'RESOURCE_EXHAUSTED'), { kind: 'retry', closesBudget: true }],
  [
    googleError(400, 'INVALID_ARGUMENT', detail('LOCATION_DISABLED_FOR_LOCAL_POST_API')),
    { kind: 'rejected', reason: { code: 'google-location-closed' } },
  ],
  [
    googleError(400, 'INVALID_ARGUMENT', detail('PHOTO_FETCH_FAILED')),
    { kind: 'rejected', reason: { code: 'fetch-failed' } },
  ],
  [
    googleError(400, 'INVALID_ARGUMENT', {
      details: [{ errorDetails: [{ message: 'Must be at most 1500 characters' }] }],
    }),
    { kind: 'rejected', reason: { params: { words: expect.stringContaining('at most 1500 characters') } } },
  ],
])('classifies a refusal: %o', async (step, expected) => {
  expect(await run([step]).send(update('Words'))).toMatchObject(expected)
})

it('offers every location once, as a separate account', async () => {
  const begun = await connect.withPage?.begin(run([]).reach, {
    redirectUri: 'https://rookery.test/back',
    state: 'a-state',
  })
  if (begun?.kind !== 'begun') throw new Error('not begun')
  expect(Object.fromEntries(new URL(begun.url).searchParams)).toMatchObject({
    access_type: 'offline',
    prompt: 'consent',
    code_challenge_method: 'S256',
    scope: 'https://www.googleapis.com/auth/business.manage',
  })
  const tokens = {
    access_token: 'access',
    refresh_token: 'again',
    expires_in: 3599,
    refresh_token_expires_in: 604_799,
    scope: 'https://www.googleapis.com/auth/business.manage',
    token_type: 'Bearer',
  }
  const steps: Step[] = [
    { on: 'POST oauth2.googleapis.com/token', headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' }, json: tokens },
    {
      on: 'GET mybusinessaccountmanagement.googleapis.com/v1/accounts',
      json: { accounts: [{ name: 'accounts/1' }, { name: 'accounts/7' }] },
    },
    {
      on: 'GET mybusinessbusinessinformation.googleapis.com/v1/accounts/1/locations',
      json: {
        locations: [
          {
            name: 'locations/2',
            title: 'The Nest',
            storefrontAddress: { addressLines: ['Nest Lane 1'], locality: 'Wells' },
            metadata: { mapsUri: 'https://maps.test/2' },
          },
        ],
      },
    },
    {
      on: 'GET mybusinessbusinessinformation.googleapis.com/v1/accounts/7/locations',
      json: {
        locations: [
          { name: 'locations/2', title: 'The Nest' },
          { name: 'locations/3', title: 'The Perch', metadata: { canOperateLocalPost: false } },
        ],
      },
    },
  ]
  const answer = async (given: Step[]) =>
    await connect.withPage?.answer(run(given).reach, begun.keep, { code: 'code', state: 'a-state' })
  const endsAt = new Date('2026-11-28T09:59:59Z')
  expect(await answer(steps)).toMatchObject({
    kind: 'accounts',
    accounts: [
      {
        account: { remoteId: '2', name: 'The Nest', handle: 'Nest Lane 1, Wells' },
        secret: { parent, mapsUri: 'https://maps.test/2', endsAt: endsAt.toISOString() },
        endsAt,
        kind: 'Location',
      },
      { account: { remoteId: '3' }, secret: { parent: 'accounts/7/locations/3' }, missing: ['LOCAL_POSTS'] },
    ],
  })
  const { refresh_token: _, ...forAnHour } = tokens
  expect(await answer([{ json: forAnHour }])).toMatchObject({
    kind: 'rejected',
    reason: { platformCode: 'no-refresh-token' },
  })
})

it('renews the sign-in without using up the refresh token', async () => {
  const renewed: Step = {
    on: 'POST oauth2.googleapis.com/token',
    headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
    json: { access_token: 'next', expires_in: 3599, token_type: 'Bearer' },
  }
  expect(await connect.refresh(run([renewed]).reach, secret, account)).toEqual({
    kind: 'refreshed',
    secret: { ...secret, accessToken: 'next' },
    expiresAt: new Date('2026-11-21T10:59:59Z'),
  })
  expect(await connect.refresh(run([renewed], 0).reach, secret, account)).toMatchObject({ kind: 'retry' })
  expect(
    await connect.refresh(run([{ status: 400, json: { error: 'invalid_grant' } }]).reach, secret, account),
  ).toMatchObject({ kind: 'reconnect' })
})
