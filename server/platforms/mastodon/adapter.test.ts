import { sentenceOf } from '#contract/failures/catalog.ts'
import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import { createSafeFetch } from '../safeFetch.ts'
import type { AppCredentials, InstanceApps, Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createMastodon } from './adapter.ts'
import { originOf } from './connect.ts'
import type { MastodonSecret } from './schemas.ts'
import { withShownMentions } from '#contract/platforms/fediverse.ts'
import { textOfHtml } from './text.ts'

const { connect, publish, lookups, metrics } = createMastodon()
const limits = {
  attachments: 4,
  imageBytes: 16_000_000,
  videoBytes: 99_000_000,
  types: ['image/jpeg', 'image/png', 'video/mp4'],
  description: 1500,
}
const secret: MastodonSecret = {
  accessToken: 'token',
  origin: 'https://rook.example',
  domain: 'rook.example',
  userId: '7',
  username: 'rook',
  clientId: 'app',
  clientSecret: 'hush',
  scopes: [],
  limits,
}
const account = { remoteId: '7@rook.example', handle: '@rook@rook.example', service: 'https://rook.example' }
const HOST = 'rook.example/api/v1'
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('mastodon', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
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
    edit: async (post: Outgoing, id: string) => await publish.edit?.(reach, secret, account, post, id),
  }
}
const says = (status: number, error: string, headers: Record<string, string> = {}): Step => ({
  status,
  json: { error },
  headers,
})
const status = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  url: `https://rook.example/@rook/${id}`,
  content: '<p>Good morning</p>',
  spoiler_text: '',
  created_at: PLANNED_AT.toISOString(),
  in_reply_to_id: null,
  account: { id: '7' },
  media_attachments: [],
  ...more,
})
const publishes = (id: string): Step => ({ on: `POST ${HOST}/statuses`, json: status(id) })
const listed = (...statuses: unknown[]): Step => ({ on: `GET ${HOST}/accounts/7/statuses`, json: statuses })
const uploads = (id: string, code = 200): Step => ({
  on: 'POST rook.example/api/v2/media',
  status: code,
  json: { id, url: code === 200 ? 'https://files.example/a' : null },
})
const looks = (id: string, code: number): Step => ({
  on: `GET ${HOST}/media/${id}`,
  status: code,
  json: code === 404 ? { error: 'Record not found' } : { id, url: null },
})
const bodies = (fetch: ReturnType<typeof scriptedFetch>) =>
  fetch.asked.filter(({ method }) => method === 'POST' || method === 'PUT').map(({ body }) => body.value)

describe("an account's server", () => {
  it.each([
    ['mastodon.social', 'https://mastodon.social'],
    [' https://Mastodon.Social/@rook ', 'https://mastodon.social'],
    ['@rook@mastodon.social', 'https://mastodon.social'],
    ['rook@social.example:3000', 'https://social.example:3000'],
    ['mastodon', undefined],
    ['a b.example', undefined],
    ['', undefined],
  ])('%s', (typed, origin) => {
    expect(originOf(typed)).toBe(origin)
  })

  const kept = (app?: AppCredentials, isFresh = true) => {
    const log: string[] = []
    const apps: InstanceApps = {
      find: async () => (app ? { app, isFresh, isRecent: true } : undefined),
      keep: async (origin, made) => {
        log.push(`keep ${made.clientId} ${origin}`)
        return made
      },
      confirm: async (origin) => void log.push(`confirm ${origin}`),
      forget: async (origin, { clientId }) => void log.push(`forget ${clientId} ${origin}`),
    }
    return { log, page: createMastodon({ apps }).connect.withPage }
  }
  const ask = { redirectUri: 'https://rookery.test/oauth/mastodon/callback', state: 'a-state', domain: 'rook.example' }

  it('gets its own app, with the needed permissions and a verifier', async () => {
    const { log, page } = kept()
    const { fetch, reach } = run([{ on: `POST ${HOST}/apps`, json: { client_id: 'new', client_secret: 'hush' } }])
    const begun = await page?.begin(reach, ask)
    expect(bodies(fetch)).toEqual([
      {
        client_name: 'Rookery',
        redirect_uris: ask.redirectUri,
        scopes: 'read:accounts read:statuses read:notifications write:statuses write:media write:favourites push',
        website: 'https://rookery.test',
      },
    ])
    const url = new URL(begun?.kind === 'begun' ? begun.url : '')
    expect(`${url.origin}${url.pathname}`).toBe('https://rook.example/oauth/authorize')
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'new',
      redirect_uri: ask.redirectUri,
      state: 'a-state',
      code_challenge_method: 'S256',
      force_login: 'true',
    })
    expect(log).toEqual(['keep new https://rook.example'])
  })

  const old = { clientId: 'old', clientSecret: 'hush' }
  const check = (answer: Partial<Step>): Step => ({ on: 'POST rook.example/oauth/token', ...answer })
  const registers: Step = { on: `POST ${HOST}/apps`, json: { client_id: 'new', client_secret: 'hush' } }
  const clientOf = (begun: { kind: string; url?: string } | undefined) =>
    begun?.url && new URL(begun.url).searchParams.get('client_id')

  it('is asked whether it still knows the app before anyone is sent there', async () => {
    const { log, page } = kept(old, false)
    const { fetch, reach } = run([check({ json: { access_token: 'app-token', token_type: 'Bearer' } })])
    expect(clientOf(await page?.begin(reach, ask))).toBe('old')
    expect(bodies(fetch)).toEqual([
      {
        grant_type: 'client_credentials',
        client_id: 'old',
        client_secret: 'hush',
        scope: 'read:accounts read:statuses read:notifications write:statuses write:media write:favourites push',
      },
    ])
    expect(log).toEqual(['confirm https://rook.example'])
  })

  it('gets another app if it has forgotten the stored one', async () => {
    const { log, page } = kept(old, false)
    const { reach } = run([check({ status: 401, json: { error: 'invalid_client' } }), registers])
    expect(clientOf(await page?.begin(reach, ask))).toBe('new')
    expect(log).toEqual(['forget old https://rook.example', 'keep new https://rook.example'])
  })

  it("keeps its app while it's down, limits us, or doesn't say", async () => {
    const { log, page } = kept(old, false)
    for (const away of [check({ status: 503 }), check({ fails: 'unsent' }), check({ fails: 'lost' })])
      expect(await page?.begin(run([away]).reach, ask)).toMatchObject({
        kind: 'retry',
        reason: { code: 'server-not-answering' },
      })
    expect(
      await page?.begin(run([check({ status: 429, headers: { 'retry-after': '120' } })]).reach, ask),
    ).toMatchObject({
      kind: 'retry',
      reason: { code: 'server-limits-sign-ups', params: { minutes: 2 } },
    })
    expect(
      clientOf(await page?.begin(run([check({ status: 400, json: { error: 'unsupported_grant_type' } })]).reach, ask)),
    ).toBe('old')
    expect(log).toEqual([])
  })

  it('signs people in, and forgets an app that it no longer knows', async () => {
    const { log, page } = kept({ clientId: 'old', clientSecret: 'hush' })
    const begun = await page?.begin(run([]).reach, ask)
    const keep = begun?.kind === 'begun' ? begun.keep : {}
    const forgotten = await page?.answer(
      run([{ status: 401, json: { error: 'invalid_client', error_description: 'Unknown client' } }]).reach,
      keep,
      { code: 'code', state: 'a-state' },
    )
    expect(forgotten).toMatchObject({
      kind: 'rejected',
      reason: { params: { words: expect.stringContaining('Unknown client') } },
    })
    expect(log).toEqual(['forget old https://rook.example'])
    const steps: Step[] = [
      {
        on: 'POST rook.example/oauth/token',
        json: { access_token: 'token', token_type: 'Bearer', scope: 'read:accounts write', created_at: 1 },
      },
      {
        on: `GET ${HOST}/accounts/verify_credentials`,
        json: { id: '7', username: 'rook', acct: 'rook', display_name: '', avatar: 'https://files.example/a.png' },
      },
      {
        on: 'GET rook.example/api/v2/instance',
        json: {
          domain: 'rooks.example',
          configuration: {
            statuses: { max_characters: 5000, max_media_attachments: 6 },
            media_attachments: { image_size_limit: 1 },
          },
        },
      },
    ]
    const answer = await page?.answer(run(steps).reach, keep, { code: 'code', state: 'a-state' })
    expect(answer).toMatchObject({
      kind: 'accounts',
      accounts: [
        {
          account: {
            remoteId: '7@rook.example',
            name: 'rook',
            handle: '@rook@rooks.example',
            service: 'https://rook.example',
          },
          secret: { limits: { attachments: 6, imageBytes: 1, videoBytes: null } },
          expiresAt: null,
          limits: { text: 5000, images: 6, imageBytes: 1 },
          missing: ['read:statuses', 'read:notifications'],
        },
      ],
    })
    for (const lost of [0, 1])
      expect((await page?.answer(run(steps, lost).reach, keep, { code: 'code', state: 'a-state' }))?.kind).toBe('retry')
    // what the server takes can be read later
    expect((await page?.answer(run(steps, 2).reach, keep, { code: 'code', state: 'a-state' }))?.kind).toBe('accounts')
    expect(await page?.answer(run([]).reach, keep, { error: 'access_denied', state: 'a-state' })).toMatchObject({
      kind: 'rejected',
      reason: { code: 'sign-in-declined' },
    })
    expect(await page?.answer(run([]).reach, { nonsense: 1 }, { code: 'code', state: 'a-state' })).toMatchObject({
      kind: 'rejected',
    })
  })

  it.each([
    ['that is none', [{ status: 404, text: 'Not here' }], 'rejected'],
    ['that says something else', [{ json: { hello: 1 } }], 'rejected'],
    ['that has trouble', [{ status: 503, text: '' }], 'retry'],
    ['that cannot be reached', [{ fails: 'unsent' }], 'retry'],
  ] as const)('%s', async (_, steps, kind) => {
    expect((await kept().page?.begin(run([...steps]).reach, ask))?.kind).toBe(kind)
  })

  it('is refused for a private address, not reported as down', async () => {
    const reach = { fetch: createSafeFetch({ allow: [] }), signal: new AbortController().signal }
    const refused = await kept().page?.begin(reach, { ...ask, domain: '10.0.0.1' })
    expect(refused).toMatchObject({ reason: { platformCode: 'address-refused' } })
    expect(JSON.stringify(refused)).not.toContain('tried again')
  })

  it("is asked daily for its limits; if it doesn't say, the earlier ones stay", async () => {
    const me: Step = { on: `GET ${HOST}/accounts/verify_credentials`, json: { id: '7', username: 'rook' } }
    const configuration = {
      statuses: { max_characters: 11_000, max_media_attachments: 8, characters_reserved_per_url: 30 },
      media_attachments: {
        supported_mime_types: ['image/png', 'audio/ogg', 'video/mp4'],
        image_size_limit: 2,
        image_matrix_limit: 33_177_600,
        video_size_limit: 3,
        video_matrix_limit: 8_294_400,
        video_frame_rate_limit: 120,
        description_limit: 4,
      },
    }
    const instance = (json: unknown): Step => ({ on: 'GET rook.example/api/v2/instance', json })
    const check = async (...steps: Step[]) => await connect.check?.(run(steps).reach, secret, account)
    expect(await check(me, instance({ domain: 'rook.example', configuration }))).toEqual({
      kind: 'works',
      endsAt: null,
      pictureUrl: null,
      limits: {
        text: 11_000,
        addressLength: 30,
        images: 8,
        imageBytes: 2,
        videoBytes: 3,
        imagePixels: 33_177_600,
        videoPixels: 8_294_400,
        frameRate: 120,
        altText: 4,
        types: ['image/png', 'video/mp4'],
      },
    })
    expect(
      await check(me, instance({ domain: 'rook.example', configuration: { statuses: { max_characters: -1 } } })),
    ).toEqual({ kind: 'works', endsAt: null, pictureUrl: null, limits: {} })
    const pictured = { ...me, json: { id: '7', username: 'rook', avatar: 'https://rook.example/rook.png' } }
    expect(await check(pictured, { status: 503, text: '' })).toEqual({
      kind: 'works',
      endsAt: null,
      pictureUrl: 'https://rook.example/rook.png',
    })
    expect(await check(says(401, 'The access token was revoked'))).toMatchObject({ kind: 'reconnect' })
  })

  it('has no renewal for an invalid token, and keeps one that works', async () => {
    const { reach } = run([says(401, 'The access token was revoked')])
    expect(await connect.refresh(reach, secret, account)).toMatchObject({ kind: 'reconnect' })
    expect(await connect.refresh(run([{ json: { id: '7', username: 'rook' } }]).reach, secret, account)).toEqual({
      kind: 'refreshed',
      secret,
      expiresAt: null,
    })
    expect(
      await connect.check?.(run([says(403, 'Your login is currently disabled')]).reach, secret, account),
    ).toMatchObject({
      kind: 'reconnect',
      reason: { code: 'mastodon-account-closed', params: { host: 'rook.example' } },
    })
    expect(connect.needsRefresh(secret, null, PLANNED_AT)).toBe(false)
  })
})

describe('files', () => {
  const photo = (assetId: string, more = {}) => syntheticFile('image/jpeg', { assetId, altText: 'A rook', ...more })

  it('are uploaded one per call, and waited for until the server has processed them', async () => {
    const post = outgoingPost({ text: 'Look', media: [photo('a'), photo('b', { altText: '' })] })
    const first = run([uploads('1')])
    const one = await first.prepare(post)
    expect(one).toMatchObject({
      kind: 'preparing',
      checkAfterSeconds: 0,
      progress: { files: { a: { id: '1', isReady: true } } },
    })
    expect(first.fetch.asked[0]?.body.value).toMatchObject({ description: 'A rook' })
    const two = await run([uploads('2', 202)]).prepare({
      ...post,
      progress: one.kind === 'preparing' ? one.progress : {},
    })
    expect(two).toMatchObject({
      kind: 'preparing',
      checkAfterSeconds: 20,
      progress: { files: { b: { id: '2', isReady: false } } },
    })
    const three = await run([looks('2', 206)]).prepare({
      ...post,
      progress: two.kind === 'preparing' ? two.progress : {},
    })
    expect(three).toMatchObject({ kind: 'preparing', progress: { looks: 1 } })
    const four = await run([looks('2', 200)]).prepare({
      ...post,
      progress: three.kind === 'preparing' ? three.progress : {},
    })
    expect(four).toMatchObject({ kind: 'prepared', progress: { wasReady: true } })
    const { fetch, send } = run([publishes('50')])
    expect(await send({ ...post, progress: four.kind === 'prepared' ? four.progress : {} })).toMatchObject({
      kind: 'sent',
      remoteId: '50',
    })
    expect(bodies(fetch)).toEqual([{ status: 'Look', media_ids: ['1', '2'], visibility: 'public' }])
  })

  it("are uploaded again if they're gone; the post fails if the server never finishes", async () => {
    const ready = { files: { a: { id: '1', isReady: true } }, looks: 0, wasReady: true }
    const post = outgoingPost({ media: [photo('a')], progress: ready })
    expect(await run([looks('1', 404)]).prepare(post)).toMatchObject({ kind: 'preparing', progress: { files: {} } })
    expect(await run([looks('1', 200)]).prepare(post)).toMatchObject({ kind: 'prepared' })
    expect(
      await run([looks('1', 206)]).prepare({
        ...post,
        progress: { ...ready, wasReady: false, files: { a: { id: '1', isReady: false } }, looks: 60 },
      }),
    ).toMatchObject({ kind: 'rejected' })
    expect(
      await run([looks('1', 422)]).prepare({
        ...post,
        progress: { ...ready, wasReady: false, files: { a: { id: '1', isReady: false } } },
      }),
    ).toMatchObject({ kind: 'rejected' })
    expect(await run([uploads('1')], 0).prepare(outgoingPost({ media: [photo('a')] }))).toMatchObject({ kind: 'retry' })
    expect(
      await run([{ status: 413, text: 'Too large' }]).prepare(outgoingPost({ media: [photo('a')] })),
    ).toMatchObject({ kind: 'rejected' })
    expect(await run([]).send(outgoingPost({ media: [photo('a')] }))).toMatchObject({ kind: 'retry', first: 'prepare' })
  })

  const instance = (configuration: unknown): Step => ({
    on: 'GET rook.example/api/v2/instance',
    json: { domain: 'rook.example', configuration },
  })
  const now = (more: Record<string, unknown>) =>
    instance({
      statuses: { max_media_attachments: 4 },
      media_attachments: {
        supported_mime_types: limits.types,
        image_size_limit: 16_000_000,
        video_size_limit: 99_000_000,
        description_limit: 1500,
        ...more,
      },
    })

  it.each([
    ['too many', [1, 2, 3, 4, 5].map((n) => photo(String(n))), 'mastodon-file-count'],
    ['a kind that is not taken', [syntheticFile('image/webp')], 'mastodon-file-kind'],
    ['too large', [photo('a', { bytes: 16_000_001 })], 'mastodon-file-size'],
    ['a video that is too large', [syntheticFile('video/mp4', { bytes: 99_000_001 })], 'mastodon-file-size'],
    ['too long a description', [photo('a', { altText: 'x'.repeat(1501) })], 'mastodon-alt-text'],
  ])('%s for this instance', async (_, media, code) => {
    expect(await run([now({})]).prepare(outgoingPost({ media }))).toMatchObject({
      kind: 'rejected',
      reason: { code },
    })
  })

  it("are checked against the instance's current limits", async () => {
    expect(
      await run([now({ image_size_limit: 20_000_000 }), uploads('1')]).prepare(
        outgoingPost({ media: [photo('a', { bytes: 17_000_000 })] }),
      ),
    ).toMatchObject({ kind: 'preparing' })
    // at the limit nothing has to be asked
    expect(
      await run([uploads('1')]).prepare(outgoingPost({ media: [photo('a', { bytes: 16_000_000 })] })),
    ).toMatchObject({ kind: 'preparing' })
  })
})

describe('sending', () => {
  const post = outgoingPost({ text: ' Good morning ' })

  it('sends the chosen options, with its key', async () => {
    const { fetch, send } = run([publishes('50')])
    const chosen = { ...post, details: { privacy: 'private', contentWarning: 'Birds', languages: ['pt-BR', 'en'] } }
    expect(await send(chosen)).toEqual({
      kind: 'sent',
      remoteId: '50',
      progress: { url: 'https://rook.example/@rook/50' },
    })
    expect(bodies(fetch)).toEqual([
      { status: 'Good morning', visibility: 'private', spoiler_text: 'Birds', sensitive: true, language: 'pt' },
    ])
    expect(fetch.asked[0]?.headers['idempotency-key']).toBe(post.sendKey)
  })

  it.each([
    ['a dead token', says(401, 'The access token is invalid'), 'reconnect'],
    ['a right that is missing', says(403, 'This action is outside the authorized scopes'), 'reconnect'],
    ['an account that is closed', says(403, 'Your login is missing a confirmed e-mail address'), 'reconnect'],
    ['what is not allowed', says(403, 'This action is not allowed'), 'rejected'],
    ['too long a text', says(422, 'Validation failed: Text character limit of 500 exceeded'), 'rejected'],
    ['no words', says(422, "Validation failed: Text can't be blank"), 'rejected'],
    ['too many files', says(422, 'Validation failed: Cannot attach more than 4 files'), 'rejected'],
    [
      'files that are not ready',
      says(422, 'Cannot attach files that have not finished processing. Try again in a moment!'),
      'retry',
    ],
    ['words that nobody knows', says(422, 'Validation failed: Moonphase is wrong'), 'rejected'],
    ['too many calls', says(429, 'Too many requests'), 'retry'],
    ['a gateway that is in the way', { status: 403, text: '<html>' }, 'retry'],
    ['trouble of its own', says(500, 'Something went wrong'), 'unknown'],
    ['no time', says(503, 'There was a temporary problem serving your request, please try again'), 'unknown'],
    ['a lost answer', { fails: 'lost' }, 'unknown'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['an answer without sense', { json: { hello: 1 } }, 'unknown'],
  ] as const)('%s', async (_, step, kind) => {
    const answer = await run([step]).send(post)
    expect(answer.kind).toBe(kind)
    expect(JSON.stringify(answer)).not.toMatch(/"(token|hush)"/)
  })

  it('waits as long as the server says', async () => {
    const { send } = run([says(429, 'Too many requests', { date, 'x-ratelimit-reset': '2026-11-21T10:04:30.000Z' })])
    expect(await send(post)).toMatchObject({ kind: 'retry', afterSeconds: 270, closesBudget: true })
    expect(await run([says(429, 'Too many requests')]).send(post)).toMatchObject({ afterSeconds: 300 })
  })

  it('keeps unknown messages short', async () => {
    const answer = await run([says(422, 'moon '.repeat(200))]).send(post)
    expect(answer.kind === 'rejected' && sentenceOf(answer.reason).length).toBeLessThan(360)
  })
})

describe('a lost response', () => {
  const post = outgoingPost({ text: 'Hello @rook@example.com <3\n\nhttps://example.com/?a=1&b=2' })
  const html =
    '<p>Hello <span class="h-card"><a href="https://example.com/@rook" class="u-url mention">@<span>rook</span></a></span> &lt;3</p><p><a href="https://example.com/?a=1&amp;b=2"><span class="invisible">https://</span><span class="">example.com/?a=1&amp;b=2</span></a></p>'
  const minutes = (count: number) => new Date(PLANNED_AT.getTime() + count * 60_000).toISOString()

  it('is reconciled by text and time', async () => {
    expect(
      await run([
        listed(
          status('50', { content: html, created_at: minutes(1) }),
          status('9'),
          status('3', { content: html, created_at: minutes(-90) }),
        ),
      ]).reconcile(post),
    ).toMatchObject({ kind: 'sent', remoteId: '50', progress: { url: expect.any(String) } })
    expect(
      await run([listed(status('9'), status('3', { content: html, created_at: minutes(-90) }))]).reconcile(post),
    ).toEqual({ kind: 'absent' })
    // the same words with a warning, or as an answer to someone, are another post
    expect(
      await run([
        listed(
          status('50', { content: html, spoiler_text: 'Birds' }),
          status('51', { content: html, in_reply_to_id: '4' }),
        ),
        listed(),
      ]).reconcile(post),
    ).toEqual({ kind: 'absent' })
  })

  it('is reconciled by files if there are some, whatever the text', async () => {
    const withFile = outgoingPost({
      text: 'x',
      media: [syntheticFile('image/png', { assetId: 'a' })],
      progress: { files: { a: { id: '1', isReady: true } } },
    })
    expect(
      await run([
        listed(
          status('9', { content: 'x' }),
          status('50', { content: 'changed', media_attachments: [{ id: '1', url: null }] }),
        ),
      ]).reconcile(withFile),
    ).toMatchObject({ kind: 'sent', remoteId: '50' })
    expect(await run([listed(status('9', { content: '<p>x</p>' })), listed()]).reconcile(withFile)).toEqual({
      kind: 'absent',
    })
    const attached = says(422, 'Media 1 not found or already attached to another post')
    expect(
      await run([attached, listed(status('50', { media_attachments: [{ id: '1', url: null }] }))]).send(withFile),
    ).toMatchObject({ kind: 'sent', remoteId: '50' })
    expect(await run([attached, listed()]).send(withFile)).toMatchObject({ kind: 'retry', first: 'prepare' })
    expect(await run([attached, { fails: 'lost' }]).send(withFile)).toMatchObject({ kind: 'unknown' })
  })

  it("isn't resolved by a failed lookup", async () => {
    expect((await run([listed()], 0).reconcile(post)).kind).toBe('retry')
    expect((await run([says(403, 'This action is not allowed')]).reconcile(post)).kind).toBe('unknown')
  })
})

describe('the follow-ups of a post', () => {
  const post = outgoingPost({
    contents: ['One', 'Two', 'Two'].map((text, index) => ({
      text,
      media: index === 1 ? [syntheticFile('image/jpeg', { assetId: 'a' })] : [],
    })),
    firstComment: 'And this',
    details: { privacy: 'unlisted' },
    progress: { files: { a: { id: '1', isReady: true } }, wasReady: true },
  })
  const sent = (...ids: string[]) =>
    ids.map((remoteId, index) => ({ key: index === 0 ? 'post' : `item ${index}`, remoteId, progress: {} }))
  const item = (n: number, more: Partial<FollowUpToSend> = {}): FollowUpToSend => ({
    key: `item ${n}`,
    kind: 'item',
    item: n,
    sendKey: `key ${n}`,
    progress: {},
    sent: sent('50', '51').slice(0, n),
    ...more,
  })

  it('are the items in order, then the comment', async () => {
    expect(publish.followUps?.(post).map(({ key }) => key)).toEqual(['item 1', 'item 2', 'comment'])
    const first = run([publishes('51')])
    expect(await first.part(post, item(1))).toMatchObject({ kind: 'sent', remoteId: '51' })
    expect(bodies(first.fetch)).toEqual([
      { status: 'Two', media_ids: ['1'], in_reply_to_id: '50', visibility: 'unlisted' },
    ])
    const second = run([publishes('52')])
    await second.part(post, item(2))
    expect(bodies(second.fetch)).toMatchObject([{ in_reply_to_id: '51' }])
    const comment = run([publishes('53')])
    await comment.part(post, {
      key: 'comment',
      kind: 'comment',
      sendKey: 'c',
      progress: {},
      sent: sent('50', '51', '52'),
    })
    expect(bodies(comment.fetch)).toMatchObject([{ status: 'And this', in_reply_to_id: '50' }])
  })

  it('upload files again that are gone, before sending', async () => {
    const again = await run([says(422, 'Media 1 not found or already attached to another post'), listed()]).part(
      post,
      item(1),
    )
    expect(again).toMatchObject({ kind: 'preparing', progress: { again: true } })
    const looked = await run([looks('1', 404)]).part(post, item(1, { progress: { again: true } }))
    expect(looked).toMatchObject({ kind: 'preparing', progress: { files: {}, again: true } })
    const up = await run([uploads('2')]).part(
      post,
      item(1, { progress: looked?.kind === 'preparing' ? looked.progress : {} }),
    )
    const ready = await run([]).part(post, item(1, { progress: up?.kind === 'preparing' ? up.progress : {} }))
    expect(ready).toMatchObject({ kind: 'preparing', progress: { again: false } })
    const { fetch, part } = run([publishes('51')])
    await part(post, item(1, { progress: ready?.kind === 'preparing' ? ready.progress : {} }))
    expect(bodies(fetch)).toMatchObject([{ media_ids: ['2'] }])
  })

  it('are reconciled by what they reply to, and never by known posts', async () => {
    expect(
      await run([
        listed(
          status('51', { content: 'Two', in_reply_to_id: '51' }),
          status('60', { content: 'Two', in_reply_to_id: '50' }),
        ),
        listed(),
      ]).reconcileFollowUp(post, item(2)),
    ).toEqual({ kind: 'absent' })
    expect(
      await run([listed(status('52', { content: 'Two', in_reply_to_id: '51' })), listed()]).reconcileFollowUp(
        post,
        item(2),
      ),
    ).toMatchObject({ kind: 'sent', remoteId: '52' })
    expect(
      await run([says(404, 'The post you are trying to reply to does not appear to exist.')]).part(post, item(2)),
    ).toMatchObject({ kind: 'rejected', reason: { code: 'parent-gone' } })
  })
})

describe('after publishing', () => {
  it('edits keep existing files, describe them, and add new ones', async () => {
    const media = [
      syntheticFile('image/jpeg', { assetId: 'a', altText: 'New' }),
      syntheticFile('image/jpeg', { assetId: 'b' }),
    ]
    const { fetch, edit } = run([
      { on: `GET ${HOST}/statuses/50`, json: status('50', { media_attachments: [{ id: '1', url: null }] }) },
      uploads('2'),
      { on: `PUT ${HOST}/statuses/50`, json: status('50') },
    ])
    expect(
      await edit(outgoingPost({ text: 'Better', media, progress: { files: { a: { id: '1', isReady: true } } } }), '50'),
    ).toEqual({ kind: 'edited', remoteId: '50' })
    expect(bodies(fetch).at(-1)).toEqual({
      status: 'Better',
      spoiler_text: '',
      sensitive: false,
      media_ids: ['1', '2'],
      media_attributes: [{ id: '1', description: 'New' }],
    })
    expect(await run([says(404, 'Record not found')]).edit(outgoingPost({ text: 'x' }), '50')).toMatchObject({
      kind: 'rejected',
    })
  })

  it('leaves out metrics of deleted posts, and finds people by name', async () => {
    const posts = ['50', '51'].map((remoteId) => ({ remoteId, postType: 'post' as const, publishedAt: PLANNED_AT }))
    const { reach } = run([
      { json: status('50', { favourites_count: 8, replies_count: 3, reblogs_count: 2, quotes_count: 1 }) },
      says(404, 'Record not found'),
    ])
    expect(await metrics?.read(reach, secret, account, posts)).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          '50',
          {
            reactions: 8,
            comments: 3,
            shares: 3,
            reposts: 2,
            quotes: 1,
          },
        ],
      ]),
    })
    const found = await lookups?.people?.(
      run([{ json: [{ id: '8', acct: 'crow@birds.example', display_name: 'Crow', avatar: 'x' }] }]).reach,
      secret,
      account,
      { query: '@cro', limit: 5 },
    )
    expect(found).toEqual({
      kind: 'found',
      items: [
        { id: '8', name: 'Crow', detail: '@crow@birds.example', pictureUrl: null, insert: '@crow@birds.example' },
      ],
    })
    expect(await lookups?.people?.(run([]).reach, secret, account, { query: ' ', limit: 5 })).toEqual({
      kind: 'found',
      items: [],
    })
  })
})

it('reads the text of HTML', () => {
  expect(textOfHtml('<p>a<br />b &amp; &#39;c&#x27; &nope;</p><p>d</p>')).toBe("a\nb & 'c' &nope;\n\nd")
  expect(withShownMentions('@rook@example.com, mail me@example.com')).toBe('@rook, mail me@example.com')
})

describe('a mention', () => {
  const link = (name: string) =>
    `<span class="h-card"><a href="https://mastodon.example/@${name}" class="u-url mention">@<span>${name}</span></a></span>`
  it.each([
    ['as its account writes it', '@anna@mastodon.example', link('anna'), '@anna@mastodon.example', 'sent'],
    ['with its name in other capitals', '@Anna@mastodon.example', link('anna'), '@anna@mastodon.example', 'sent'],
    ['with its server in other capitals', '@anna@Mastodon.Example', link('anna'), '@anna@mastodon.example', 'sent'],
    ['of the own server in other capitals', '@Zoe', link('zoe'), '@zoe', 'sent'],
    ['of the own server, in full', '@Zoe@rook.example', link('zoe'), '@zoe', 'sent'],
    [
      'by another domain of its server',
      '@Anna@social.mastodon.example',
      link('anna'),
      '@anna@mastodon.example',
      'sent',
    ],
    ['by another name', '@hello@anna.example', link('anna'), '@anna@mastodon.example', 'rejected'],
    [
      'beside another one with the same name',
      '@Anna@a.example and @ANNA@b.example',
      `${link('anna@a.example')} and ${link('anna@b.example')}`,
      '@anna@a.example and @anna@b.example',
      'sent',
    ],
  ])('%s never proves that a post is absent', async (_name, written, shown, source, kind) => {
    const seen = status('50', { content: `<p>Hi ${shown} there</p>`, application: { name: 'Rookery' } })
    const asked = { on: `GET ${HOST}/statuses/50/source`, json: { id: '50', text: `Hi ${source} there` } }
    const { reconcile } = run([listed(seen), ...(kind === 'sent' ? [] : [asked]), listed()])
    const post = outgoingPost({ text: `Hi ${written} there`, details: { privacy: 'public' } })
    expect(await reconcile(post)).toMatchObject({ kind })
  })
})

it('takes no post whose numbers differ for the lost one, and asks for no source of it', async () => {
  const listed = Array.from({ length: 30 }, (_, index) => ({
    id: String(200 - index),
    created_at: new Date(PLANNED_AT.getTime() + 60_000 - index * 1000).toISOString(),
    content: `<p>Rook ${index + 1} of 300 flies</p>`,
    spoiler_text: '',
    url: null,
    in_reply_to_id: null,
    media_attachments: [],
    application: { name: 'Rookery' },
  }))
  const { fetch, reconcile } = run([
    { on: `GET ${HOST}/accounts/7/statuses`, json: listed },
    { on: `GET ${HOST}/accounts/7/statuses`, json: [] },
  ])
  expect(await reconcile(outgoingPost({ text: 'Rook 31 of 300 flies' }))).toEqual({ kind: 'absent' })
  expect(fetch.asked).toHaveLength(2)
})
