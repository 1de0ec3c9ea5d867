import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createX } from './adapter.ts'
import type { XSecret } from './schemas.ts'

const { publish, connect, metrics } = createX()
const secret: XSecret = { accessToken: 'access', refreshToken: 'again', userId: '77', clientId: 'app', scopes: [] }
const account = { remoteId: '77', handle: '@rook', service: null }
const app = { clientId: 'app', clientSecret: 'hush' }
const H = 'api.x.com/2'

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('x', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal, app }
  return {
    fetch,
    reach,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    part: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.sendFollowUp?.(reach, secret, account, post, part),
    reconcileFollowUp: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, part),
    remove: async (id: string) => await publish.remove?.(reach, secret, account, id),
  }
}
const made: Step = { on: `POST ${H}/tweets`, status: 201, json: { data: { id: '900', text: '' } } }
const problem = (status: number, more: Record<string, unknown> = {}, headers: Record<string, string> = {}): Step => ({
  status,
  headers,
  json: { title: 'Title', detail: 'Words of the platform', type: 'about:blank', status, ...more },
})
const listed = (...data: Record<string, unknown>[]): Step => ({
  on: `GET ${H}/users/77/tweets`,
  json: { data, meta: { result_count: data.length } },
})
const at = (seconds: number): string => new Date(PLANNED_AT.getTime() + seconds * 1000).toISOString()
const comment: FollowUpToSend = {
  key: 'comment',
  kind: 'comment',
  sendKey: 'key',
  progress: {},
  sent: [{ key: 'post', remoteId: '900', progress: {} }],
}

describe('files', () => {
  const begun = (id: string): Step => ({
    on: `POST ${H}/media/upload/initialize`,
    json: { data: { id, media_key: `3_${id}`, expires_after_secs: 86_400 } },
  })
  const piece = (id: string): Step => ({ on: `POST ${H}/media/upload/${id}/append`, json: { data: { expires_at: 1 } } })
  const finished = (id: string, info?: unknown): Step => ({
    on: `POST ${H}/media/upload/${id}/finalize`,
    json: { data: { id, ...(info !== undefined && { processing_info: info }) } },
  })
  const described: Step = { on: `POST ${H}/media/metadata`, json: { data: {} } }

  it('uploads four pictures with alt text one after the other, and shows them in order', async () => {
    const media = Array.from({ length: 4 }, () =>
      syntheticFile('image/png', { bytes: 5_000_000, altText: 'r'.repeat(1000) }),
    )
    const post = outgoingPost({ text: 'All', media })
    const one = (id: string) => [begun(id), piece(id), piece(id), finished(id), described]
    const first = run(['1', '2', '3', '4'].flatMap(one))
    const some = await first.prepare(post)
    if (some.kind !== 'preparing') throw new Error(some.kind)
    expect(first.fetch.asked[1]?.body).toMatchObject({
      value: { segment_index: expect.anything() },
      files: { media: { bytes: 4_000_000 } },
    })
    expect(first.fetch.asked[4]?.body.value).toEqual({ id: '1', metadata: { alt_text: { text: 'r'.repeat(1000) } } })
    const ready = await run([]).prepare({ ...post, progress: some.progress })
    if (ready.kind !== 'prepared') throw new Error(ready.kind)
    const { fetch, send } = run([made])
    expect(await send({ ...post, progress: ready.progress })).toMatchObject({ kind: 'sent', remoteId: '900' })
    expect(fetch.asked[0]?.body.value).toEqual({ text: 'All', media: { media_ids: ['1', '2', '3', '4'] } })
  })

  it("uploads a video of 512 MB in pieces, stores its progress, and waits until it's processed", async () => {
    const file = syntheticFile('video/mp4', { bytes: 512_000_000, altText: 'not taken' })
    const post = outgoingPost({
      media: [file],
      progress: {
        media: { [`0.0.${file.assetId}`]: { id: '7', sent: 400_000_000, finalized: false, ready: false, looks: 0 } },
      },
    })
    const pieces = run(Array.from({ length: 25 }, () => piece('7')))
    const noted = await pieces.prepare(post)
    expect(pieces.fetch.asked[0]?.body.value).toMatchObject({ segment_index: expect.anything() })
    if (noted.kind !== 'preparing') throw new Error(noted.kind)
    const end = run([piece('7'), piece('7'), piece('7')])
    const whole = await end.prepare({ ...post, progress: noted.progress })
    if (whole.kind !== 'preparing') throw new Error(whole.kind)
    const waits = await run([finished('7', { state: 'pending', check_after_secs: 9 })]).prepare({
      ...post,
      progress: whole.progress,
    })
    expect(waits).toMatchObject({ kind: 'preparing', checkAfterSeconds: 9 })
    if (waits.kind !== 'preparing') return
    const look = (state: string, more = {}): Step => ({
      on: `GET ${H}/media/upload`,
      json: { data: { id: '7', processing_info: { state, ...more } } },
    })
    expect(
      await run([look('failed', { error: { name: 'InvalidMedia', message: 'bad codec' } })]).prepare({
        ...post,
        progress: waits.progress,
      }),
    ).toMatchObject({ kind: 'rejected', reason: { code: 'x-file', params: { words: 'bad codec.' } } })
    expect(await run([look('succeeded')]).prepare({ ...post, progress: waits.progress })).toMatchObject({
      kind: 'preparing',
      checkAfterSeconds: 0,
    })
  })

  it('uploads files again that X has dropped, of follow-ups too', async () => {
    const file = syntheticFile('image/jpeg')
    const media = { [`0.0.${file.assetId}`]: { id: '5', sent: 1000, finalized: true, ready: true, looks: 0 } }
    const post = outgoingPost({ text: 'Gone', media: [file], progress: { media, prepared: true } })
    const gone = problem(400, { errors: [{ message: 'Your media IDs are invalid.' }] })
    expect(await run([gone]).send(post)).toMatchObject({ kind: 'retry', first: 'prepare' })
    expect(await run([begun('6'), piece('6'), finished('6')]).prepare(post)).toMatchObject({ kind: 'preparing' })
    const thread = outgoingPost({
      contents: [
        { text: 'One', media: [] },
        { text: 'Two', media: [file] },
      ],
      progress: { media: { [`1.0.${file.assetId}`]: { id: '5', sent: 1000, finalized: true, ready: true, looks: 0 } } },
    })
    const item: FollowUpToSend = { ...comment, key: 'item 1', kind: 'item', item: 1 }
    const again = await run([gone]).part(thread, item)
    expect(again).toMatchObject({ kind: 'preparing', progress: { mediaGone: true } })
    if (again?.kind !== 'preparing') return
    expect(
      await run([begun('6'), piece('6'), finished('6')]).part(thread, { ...item, progress: again.progress }),
    ).toMatchObject({ kind: 'preparing' })
  })
})

describe('a send without a clear answer', () => {
  const post = outgoingPost({ text: 'Look at https://example.com/a & <this>' })
  it.each<[Step]>([
    [{ fails: 'lost' }],
    [problem(503)],
    [{ status: 502, text: '<html>' }],
    [{ status: 201, json: { nothing: true } }],
  ])('is unknown: %o', async (step) => {
    expect(await run([step]).send(post)).toMatchObject({ kind: 'unknown' })
  })
  it('was certainly not carried out if nothing was sent', async () => {
    expect(await run([{ fails: 'unsent' }]).send(post)).toMatchObject({ kind: 'retry' })
  })
  it.each([
    [
      'as it was written',
      {
        text: 'Look at https://t.co/x &amp; &lt;this&gt;',
        entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://example.com/a' }] },
      },
      true,
    ],
    [
      'with an address that X writes its own way',
      {
        text: 'Look at https://t.co/x &amp; &lt;this&gt;',
        entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'http://www.example.com/a/' }] },
      },
      true,
    ],
    [
      'of a long post',
      {
        text: 'Look…',
        note_tweet: {
          text: 'Look at https://t.co/x & <this>',
          entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://example.com/a' }] },
        },
      },
      true,
    ],
    [
      'other words',
      {
        text: 'Look at https://t.co/x &amp; that',
        entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://example.com/a' }] },
      },
      false,
    ],
    [
      'the same words over a picture',
      {
        text: 'Look at https://t.co/x &amp; &lt;this&gt;',
        attachments: { media_keys: ['3_1'] },
        entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'https://example.com/a' }] },
      },
      false,
    ],
  ])('is reconciled by the timeline: %s', async (_, shown, found) => {
    const answer = await run([
      listed({ id: '901', created_at: at(5), ...shown }, { id: '800', text: 'older', created_at: at(-4000) }),
    ]).reconcile(post)
    expect(answer).toMatchObject(found ? { kind: 'sent', remoteId: '901' } : { kind: 'absent' })
  })
  it('is left to a person if only the beginning of a long post can be read', async () => {
    const long = `${'Rooks fly home in the evening. '.repeat(20)}The end`
    const shown = { text: `${long.slice(0, 270)}… https://t.co/x`, entities: { urls: [{ url: 'https://t.co/x' }] } }
    const answer = await run([listed({ id: '901', created_at: at(5), ...shown })]).reconcile(
      outgoingPost({ text: long }),
    )
    expect(answer).toMatchObject({ kind: 'rejected', reason: { code: 'same-text-listed' } })
  })
  it("is found wherever X finds a link, even if we wouldn't", async () => {
    const shown = {
      text: 'See https://t.co/x now',
      entities: { urls: [{ url: 'https://t.co/x', expanded_url: 'http://rook.newdomain' }] },
    }
    const answer = await run([listed({ id: '901', created_at: at(5), ...shown })]).reconcile(
      outgoingPost({ text: 'See rook.newdomain now' }),
    )
    expect(answer).toMatchObject({ kind: 'sent', remoteId: '901' })
  })
  it("isn't resolved if the timeline can't be read", async () => {
    expect(await run([problem(403, { detail: 'no' })]).reconcile(post)).toMatchObject({ kind: 'unknown' })
    expect(await run([{ fails: 'lost' }]).reconcile(post)).toMatchObject({ kind: 'retry' })
  })
  it("finds the existing post if it's refused as a duplicate", async () => {
    const repeat = problem(403, { detail: 'You are not allowed to create a Tweet with duplicate content.' })
    expect(
      await run([repeat, listed({ id: '902', text: 'Again', created_at: at(1) })]).send(
        outgoingPost({ text: 'Again' }),
      ),
    ).toMatchObject({ kind: 'sent', remoteId: '902' })
    expect(await run([repeat, listed()]).send(outgoingPost({ text: 'Again' }))).toMatchObject({
      kind: 'rejected',
      reason: { code: 'duplicate' },
      isDuplicate: true,
    })
  })
})

describe('follow-ups', () => {
  it('can be 25 items and a comment, in order', () => {
    const contents = Array.from({ length: 25 }, (_, index) => ({ text: String(index), media: [] }))
    const parts = publish.followUps?.(outgoingPost({ contents, firstComment: 'x'.repeat(280) })) ?? []
    expect([parts.length, parts[0]?.key, parts.at(-1)?.key]).toEqual([25, 'item 1', 'comment'])
  })
  it("give people the text of a comment that X doesn't allow", async () => {
    const post = outgoingPost({ text: 'Up', firstComment: 'More' })
    const answer = await run([
      problem(403, {
        detail:
          'Reply to this conversation is not allowed because you have not been mentioned or otherwise engaged by the author of the post you are replying to.',
      }),
    ]).part(post, comment)
    expect(answer).toMatchObject({
      kind: 'rejected',
      reason: { code: 'x-reply-not-allowed' },
    })
  })
  it('are reconciled within their conversation, except for known posts', async () => {
    const post = outgoingPost({ text: 'Up', firstComment: 'Up' })
    const answers = listed(
      { id: '903', text: 'Up', created_at: at(9), conversation_id: '900' },
      { id: '899', text: 'Up', created_at: at(8), conversation_id: '899' },
      { id: '900', text: 'Up', created_at: at(7), conversation_id: '900' },
    )
    expect(await run([answers]).reconcileFollowUp(post, comment)).toMatchObject({ kind: 'sent', remoteId: '903' })
    expect(await run([listed()]).reconcileFollowUp(post, comment)).toEqual({ kind: 'absent' })
  })
  it('are deleted with the post, newest first', async () => {
    const gone: Step = { json: { data: { deleted: true } } }
    const { fetch, remove } = run([
      listed(
        { id: '902', conversation_id: '900' },
        { id: '901', conversation_id: '900' },
        { id: '950', conversation_id: '950' },
      ),
      gone,
      gone,
      problem(404),
    ])
    expect(await remove('900')).toEqual({ kind: 'removed' })
    expect(fetch.calls().slice(1)).toEqual([
      `DELETE ${H}/tweets/902`,
      `DELETE ${H}/tweets/901`,
      `DELETE ${H}/tweets/900`,
    ])
  })
})

it.each([
  [problem(401), { kind: 'retry', first: 'renew' }],
  [
    problem(
      429,
      {},
      { date: 'Sat, 21 Nov 2026 10:00:00 GMT', 'x-rate-limit-reset': String(Date.UTC(2026, 10, 21, 10, 7) / 1000) },
    ),
    { kind: 'retry', afterSeconds: 420, closesBudget: true },
  ],
  [problem(429), { kind: 'retry', afterSeconds: 300 }],
  [
    problem(403, { type: 'https://api.x.com/2/problems/usage-capped' }),
    { kind: 'rejected', reason: { code: 'x-no-credits', platformCode: '403/usage-capped' } },
  ],
  [problem(429, { type: 'https://api.x.com/2/problems/usage-capped' }), { kind: 'rejected' }],
  [problem(402), { kind: 'rejected', reason: { code: 'x-no-credits' } }],
  [
    problem(403, { type: 'https://api.x.com/2/problems/client-forbidden', reason: 'client-not-enrolled' }),
    { kind: 'rejected', reason: { code: 'x-app-not-allowed' } },
  ],
  [problem(403, { detail: 'You may use one cashtag.' }), { kind: 'rejected', reason: { code: 'x-cashtags' } }],
  [
    problem(403, { type: 'https://api.x.com/2/problems/oauth2-permissions' }),
    { kind: 'rejected', reason: { code: 'x-permission-missing' } },
  ],
  [problem(400, { detail: 'Your Tweet text is too long.' }), { kind: 'rejected', reason: { code: 'x-text-too-long' } }],
  [
    problem(400, { detail: `Something new ${'A'.repeat(60)}` }),
    { kind: 'rejected', reason: { code: 'refused', params: { words: 'Something new …' } } },
  ],
  [{ status: 403, text: '<html>Attention required</html>' }, { kind: 'retry' }],
])('classifies a refusal: %o', async (step, expected) => {
  expect(await run([step]).send(outgoingPost({ text: 'Words' }))).toMatchObject(expected)
})

it('ends both tokens when a channel is deleted, also twice', async () => {
  const { fetch, reach } = run([{ on: `POST ${H}/oauth2/revoke`, json: { revoked: true } }, problem(401)])
  expect(await connect.revoke?.(reach, secret, account)).toEqual({ kind: 'revoked' })
  expect(fetch.asked.map(({ body }) => body.value)).toEqual([
    { token: 'again', client_id: 'app' },
    { token: 'access', client_id: 'app' },
  ])
})

it('counts a lost renewal because its token works once; a refused one needs a person', async () => {
  const tokens: Step = {
    on: `POST ${H}/oauth2/token`,
    headers: { date: 'Sat, 21 Nov 2026 10:00:00 GMT' },
    json: {
      token_type: 'bearer',
      expires_in: 7200,
      access_token: 'next',
      refresh_token: 'next again',
      scope: 'tweet.read',
    },
  }
  expect(await connect.refresh(run([tokens]).reach, secret, account)).toMatchObject({
    kind: 'refreshed',
    secret: { accessToken: 'next', refreshToken: 'next again', userId: '77' },
    expiresAt: new Date('2026-11-21T12:00:00Z'),
  })
  expect(await connect.refresh(run([tokens], 0).reach, secret, account)).toMatchObject({ kind: 'unknown' })
  expect(
    await connect.refresh(run([{ status: 400, json: { error: 'invalid_request' } }]).reach, secret, account),
  ).toMatchObject({ kind: 'reconnect' })
})

it("reads a hundred posts' metrics at once, with either name", async () => {
  const posts = Array.from({ length: 100 }, (_, index) => ({
    remoteId: String(1000 + index),
    postType: 'post' as const,
    publishedAt: PLANNED_AT,
  }))
  const { reach } = run([
    {
      json: {
        data: [
          {
            id: '1000',
            text: '',
            public_metrics: {
              retweet_count: 2,
              quote_count: 1,
              like_count: 5,
              reply_count: 3,
              bookmark_count: 4,
              impression_count: 90,
            },
            non_public_metrics: { url_link_clicks: 7, user_profile_clicks: 6, engagements: 19 },
          },
        ],
        errors: [{ title: 'Not Found Error' }],
      },
    },
  ])
  const answer = await metrics?.read(reach, secret, account, posts)
  expect(answer?.kind === 'metrics' && [...answer.of]).toEqual([
    [
      '1000',
      {
        impressions: 90,
        reactions: 5,
        comments: 3,
        shares: 3,
        reposts: 2,
        quotes: 1,
        saves: 4,
        clicks: 7,
        linkClicks: 7,
        profileViews: 6,
        interactions: 19,
      },
    ],
  ])
})

describe('long posts', () => {
  const me = (more: Record<string, unknown>): Step => ({
    on: `GET ${H}/users/me`,
    json: { data: { id: '77', name: 'Rook', username: 'rook', ...more } },
  })

  it.each<[string, Record<string, unknown>, object]>([
    [
      'a verified account',
      { verified: true, verified_type: 'blue', subscription_type: 'Premium' },
      { limits: { verified: true } },
    ],
    [
      'one that pays and hides it',
      { verified: false, verified_type: 'none', subscription_type: 'Basic' },
      { limits: { verified: true } },
    ],
    [
      'a business',
      { verified: true, verified_type: 'business', subscription_type: 'None' },
      { limits: { verified: true } },
    ],
    [
      'one that does not pay',
      { verified: false, verified_type: 'none', subscription_type: 'None' },
      { limits: { verified: false } },
    ],
    ['one of which nothing is said', {}, {}],
  ])('%s', async (_, more, limits) => {
    const { fetch, reach } = run([me({ ...more, profile_image_url: 'https://cdn.test/n.jpg' })])
    expect(await connect.check?.(reach, secret, account)).toEqual({
      kind: 'works',
      endsAt: null,
      pictureUrl: 'https://cdn.test/n.jpg',
      ...limits,
    })
    expect(fetch.asked[0]?.url.searchParams.get('user.fields')).toBe(
      'profile_image_url,verified,verified_type,subscription_type',
    )
  })
})

it('finds people for mentions only by their full username', async () => {
  const { lookups } = createX()
  const find = async (steps: Step[], query: string) => {
    const { fetch, reach } = run(steps)
    return { fetch, answer: await lookups?.people?.(reach, secret, account, { query, limit: 5 }) }
  }
  const found = await find(
    [{ on: `GET ${H}/users/by/username/rook`, json: { data: { id: '5', name: 'The Rook', username: 'rook' } } }],
    '@rook',
  )
  expect(found.answer).toEqual({
    kind: 'found',
    items: [{ id: '5', name: 'The Rook', detail: '@rook', pictureUrl: null, insert: '@rook' }],
  })
  expect((await find([{ json: { errors: [{ title: 'Not Found Error' }] } }], 'nobody')).answer).toEqual({
    kind: 'found',
    items: [],
  })
  // what is no name is not asked for: each answer of X is paid for
  const asked = await find([], 'two words')
  expect([asked.answer, asked.fetch.asked]).toEqual([{ kind: 'found', items: [] }, []])
})
