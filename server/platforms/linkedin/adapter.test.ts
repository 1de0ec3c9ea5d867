import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createLinkedIn } from './adapter.ts'
import { fromLittle, toLittle } from './littleText.ts'
import type { LinkedInSecret } from './schemas.ts'

const { connect, publish, metrics } = createLinkedIn()
const PAGE = 'urn:li:organization:77'
const PERSON = 'urn:li:person:abc'
const secretOf = (author: string): LinkedInSecret => ({
  accessToken: 'token',
  refreshToken: 'again',
  refreshEndsAt: '2027-11-21T10:00:00.000Z',
  endsAt: '2027-01-20T10:00:00.000Z',
  author,
  clientId: 'app',
  scopes: [],
})
const account = { remoteId: PAGE, handle: 'rooks', service: null }
const app = { clientId: 'app', clientSecret: 'hush' }
const API = 'api.linkedin.com'
const date = 'Sat, 21 Nov 2026 10:00:00 GMT'
const URN = 'urn:li:share:700'

const run = (steps: Step[], { lost, author = PAGE }: { lost?: number; author?: string } = {}) => {
  const fetch = scriptedFetch('linkedin', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal, app }
  const secret = secretOf(author)
  return {
    fetch,
    reach,
    secret,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (urn = URN) => publish.readBack(reach, secret, account, outgoingPost({}), urn),
    part: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.sendFollowUp?.(reach, secret, account, post, part),
    reconcileFollowUp: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, part),
  }
}
const says = (
  status: number,
  message: string,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Step => ({ status, json: { status, message, ...more }, headers })
const publishes = (urn = URN): Step => ({ on: `POST ${API}/rest/posts`, status: 201, headers: { 'x-restli-id': urn } })
const shown = (more: Record<string, unknown> = {}) => ({
  id: URN,
  commentary: 'Good morning',
  lifecycleState: 'PUBLISHED',
  publishedAt: PLANNED_AT.getTime(),
  ...more,
})
const listed = (...elements: unknown[]): Step => ({ on: `GET ${API}/rest/posts`, json: { elements } })
const bodies = (fetch: ReturnType<typeof scriptedFetch>) =>
  fetch.asked.filter(({ method }) => method === 'POST').map(({ body }) => body.value)
const post = outgoingPost({ text: 'Good morning' })

describe('signing in', () => {
  const tokens = (more: Record<string, unknown> = {}): Step => ({
    on: 'POST www.linkedin.com/oauth/v2/accessToken',
    headers: { date },
    json: { access_token: 'token', expires_in: 5_184_000, scope: 'openid,profile,w_member_social', ...more },
  })
  const me: Step = {
    on: `GET ${API}/v2/userinfo`,
    json: { sub: 'abc', name: 'The Rook', picture: 'https://cdn.test/rook.jpg' },
  }
  const ask = { redirectUri: 'https://rookery.test/oauth/linkedin/callback', state: 'a-state' }

  async function answered(steps: Step[], variant: string, lost?: number) {
    const begun = await connect.withPage?.begin(run([]).reach, { ...ask, variant })
    if (begun?.kind !== 'begun') throw new Error('not begun')
    return {
      url: new URL(begun.url),
      answer: await connect.withPage?.answer(run(steps, lost === undefined ? {} : { lost }).reach, begun.keep, {
        code: 'code',
        state: 'a-state',
      }),
    }
  }

  it('to a profile only requests permissions that any app has', async () => {
    const { url, answer } = await answered([tokens(), me], 'profile')
    expect(url.searchParams.get('scope')).toBe('openid profile w_member_social')
    expect(answer).toEqual({
      kind: 'accounts',
      accounts: [
        {
          account: {
            remoteId: PERSON,
            name: 'The Rook',
            handle: 'The Rook',
            pictureUrl: 'https://cdn.test/rook.jpg',
            service: null,
          },
          secret: {
            accessToken: 'token',
            refreshToken: null,
            refreshEndsAt: null,
            endsAt: '2027-01-20T10:00:00.000Z',
            author: PERSON,
            clientId: 'app',
            scopes: ['openid', 'profile', 'w_member_social'],
          },
          expiresAt: new Date('2027-01-20T10:00:00Z'),
          endsAt: new Date('2027-01-20T10:00:00Z'),
          kind: 'Profile',
        },
      ],
    })
  })

  /** What an app with the Community Management API gets: it has no `openid`. */
  const pagesScopes =
    'r_basicprofile,w_member_social,w_member_social_feed,r_member_postAnalytics,rw_organization_admin,r_organization_social,r_organization_social_feed,w_organization_social,w_organization_social_feed'
  const member: Step = {
    on: `GET ${API}/v2/me`,
    json: {
      id: 'abc',
      localizedFirstName: 'The',
      localizedLastName: 'Rook',
      profilePicture: {
        'displayImage~': { elements: [{ identifiers: [{ identifier: 'https://cdn.test/rook.jpg' }] }] },
      },
    },
  }
  const roles: Step = {
    on: `GET ${API}/rest/organizationAcls`,
    json: {
      elements: [
        { role: 'ADMINISTRATOR', state: 'APPROVED', organization: PAGE },
        { role: 'ANALYST', state: 'APPROVED', organization: 'urn:li:organization:78' },
        { role: 'CONTENT_ADMIN', state: 'APPROVED', organizationTarget: 'urn:li:organization:79' },
      ],
    },
  }
  const page = (id: number): Step => ({
    on: `GET ${API}/rest/organizations/${id}`,
    json: { localizedName: `Rooks ${id}`, vanityName: `rooks-${id}` },
  })

  it('to Pages offers those that the person may publish to, and lists what each is missing', async () => {
    const steps = [
      tokens({ scope: 'w_member_social', refresh_token: 'again', refresh_token_expires_in: 31_536_000 }),
      member,
      roles,
      page(77),
      page(79),
    ]
    const { answer } = await answered(steps, 'pages')
    const accounts = answer?.kind === 'accounts' ? answer.accounts : []
    const ofPages = [
      'rw_organization_admin',
      'r_organization_social',
      'r_organization_social_feed',
      'w_organization_social',
      'w_organization_social_feed',
    ]
    expect(accounts.map(({ account: { remoteId }, kind, missing }) => [remoteId, kind, missing])).toEqual([
      [PAGE, 'Organization', ['r_basicprofile', ...ofPages]],
      ['urn:li:organization:79', 'Organization', ['r_basicprofile', ...ofPages]],
      [PERSON, 'Profile', ['r_basicprofile', 'w_member_social_feed', 'r_member_postAnalytics']],
    ])
    expect(accounts[0]).toMatchObject({
      endsAt: new Date('2027-11-21T10:00:00Z'),
      expiresAt: new Date('2027-01-20T10:00:00Z'),
    })
    for (const lost of [0, 1, 2, 3, 4]) expect((await answered(steps, 'pages', lost)).answer?.kind).toBe('retry')
    // without the right to list Pages the profile is left
    expect(
      (await answered([tokens({ scope: pagesScopes }), member, says(403, 'Not enough permissions')], 'pages')).answer,
    ).toMatchObject({
      kind: 'accounts',
      accounts: [{ kind: 'Profile' }],
    })
  })

  it('with an app for Pages only requests what the Community Management API grants', async () => {
    const { url, answer } = await answered([tokens({ scope: pagesScopes }), member, roles, page(77), page(79)], 'pages')
    const asked = url.searchParams.get('scope')?.split(' ')
    expect(asked).not.toContain('openid')
    expect(asked).not.toContain('profile')
    expect(asked).toEqual(pagesScopes.split(','))
    expect(answer).toMatchObject({
      accounts: [
        { account: { remoteId: PAGE } },
        {},
        { account: { remoteId: PERSON, name: 'The Rook', pictureUrl: 'https://cdn.test/rook.jpg' } },
      ],
    })
    expect(answer?.kind === 'accounts' && answer.accounts.flatMap(({ missing }) => missing ?? [])).toEqual([])
    // a member may have no picture
    expect(
      (
        await answered(
          [
            tokens({ scope: pagesScopes }),
            { ...member, json: { id: 'abc', localizedFirstName: 'Rook' } },
            says(403, 'No'),
          ],
          'pages',
        )
      ).answer,
    ).toMatchObject({ accounts: [{ account: { name: 'Rook', pictureUrl: null } }] })
  })

  it("is renewed if LinkedIn issued a refresh token, whose expiration doesn't change", async () => {
    const { reach, secret } = run([tokens({ access_token: 'newer', refresh_token_expires_in: 86_400 })])
    expect(await connect.refresh(reach, secret, account)).toMatchObject({
      kind: 'refreshed',
      secret: { accessToken: 'newer', refreshToken: 'again' },
      expiresAt: new Date('2027-01-20T10:00:00Z'),
    })
    expect(await connect.refresh(run([]).reach, { ...secret, refreshToken: null }, account)).toMatchObject({
      kind: 'reconnect',
    })
    expect(
      await connect.refresh(run([{ status: 400, json: { error: 'invalid_grant' } }]).reach, secret, account),
    ).toMatchObject({ kind: 'reconnect' })
    expect(await connect.refresh(run([{ status: 503, text: '' }]).reach, secret, account)).toMatchObject({
      kind: 'retry',
    })
    // a refresh token is not spent: a lost answer costs nothing
    expect(await connect.refresh(run([{ fails: 'lost' }]).reach, secret, account)).toMatchObject({
      kind: 'retry',
      reason: { code: 'renewal-unanswered' },
    })
    const expiresAt = new Date('2027-01-20T10:00:00Z')
    expect(
      [new Date('2027-01-12T10:00:00Z'), new Date('2027-01-14T10:00:00Z')].map((now) =>
        connect.needsRefresh(secret, expiresAt, now),
      ),
    ).toEqual([false, true])
    expect(connect.needsRefresh({ ...secret, refreshToken: null }, expiresAt, expiresAt)).toBe(false)
  })

  it("is checked daily: for a Page, by the person's role", async () => {
    const works = { kind: 'works', endsAt: new Date('2027-11-21T10:00:00Z') }
    expect(await connect.check?.(run([roles]).reach, secretOf(PAGE), account)).toEqual(works)
    expect(await connect.check?.(run([roles]).reach, secretOf('urn:li:organization:78'), account)).toMatchObject({
      kind: 'reconnect',
      reason: { platformCode: 'no-role' },
    })
    expect(await connect.check?.(run([me]).reach, { ...secretOf(PERSON), scopes: ['openid'] }, account)).toEqual({
      ...works,
      pictureUrl: 'https://cdn.test/rook.jpg',
    })
    expect(
      await connect.check?.(run([member]).reach, { ...secretOf(PERSON), scopes: ['r_basicprofile'] }, account),
    ).toEqual({ ...works, pictureUrl: 'https://cdn.test/rook.jpg' })
    expect(
      await connect.check?.(
        run([says(401, 'The token has been revoked', { serviceErrorCode: 65_601 })]).reach,
        secretOf(PERSON),
        account,
      ),
    ).toMatchObject({ kind: 'reconnect', reason: { code: 'sign-in-revoked' } })
    expect(await connect.check?.(run([]).reach, { nonsense: 1 }, account)).toMatchObject({ kind: 'reconnect' })
  })
})

describe('text', () => {
  it.each([
    [
      'a (b) [c] {d} <e> *f* _g_ ~h~ |i| \\ j@k.example',
      String.raw`a \(b\) \[c\] \{d\} \<e\> \*f\* \_g\_ \~h\~ \|i\| \\ j\@k.example`,
    ],
    ['Hello #rooks and #1 and #a_b', String.raw`Hello {hashtag|\#|rooks} and \#1 and {hashtag|\#|a\_b}`],
    ['#हिन्दी ＃日本・東京', String.raw`{hashtag|\#|हिन्दी} {hashtag|＃|日本・東京}`],
    [
      'By @[Acme (Rooks)](urn:li:organization:1), #ok',
      String.raw`By @[Acme \(Rooks\)](urn:li:organization:1), {hashtag|\#|ok}`,
    ],
    ['https://example.com/a_b?c=(d)#e', String.raw`https://example.com/a\_b?c=\(d\)\#e`],
    ['', ''],
  ])('%s', (text, little) => {
    expect(toLittle(text)).toBe(little)
    expect(fromLittle(little)).toBe(text.replace('@[Acme (Rooks)](urn:li:organization:1)', 'Acme (Rooks)'))
  })
})

describe('the files of a post', () => {
  const photo = (assetId: string) => syntheticFile('image/jpeg', { assetId, altText: `Rook ${assetId}` })
  const files = (...ids: string[]) => ({
    files: Object.fromEntries(ids.map((id) => [id, { urn: `urn:li:image:${id}`, state: 'ready' }])),
  })
  const contentOf = async (given: Outgoing) => {
    const { fetch, send } = run([publishes()])
    expect(await send(given)).toMatchObject({ kind: 'sent', remoteId: URN })
    return bodies(fetch)[0]
  }

  it('can be one file, several pictures, or a document with its name', async () => {
    expect(await contentOf(outgoingPost({ text: 'x', media: [photo('a')], progress: files('a') }))).toMatchObject({
      author: PAGE,
      commentary: 'x',
      visibility: 'PUBLIC',
      lifecycleState: 'PUBLISHED',
      content: { media: { id: 'urn:li:image:a', altText: 'Rook a' } },
    })
    const many = Array.from({ length: 20 }, (_, index) => `p${index}`)
    expect(await contentOf(outgoingPost({ media: many.map(photo), progress: files(...many) }))).toMatchObject({
      content: { multiImage: { images: many.map((id) => ({ id: `urn:li:image:${id}`, altText: `Rook ${id}` })) } },
    })
    const paper = syntheticFile('application/pdf', { assetId: 'd', fileName: 'Rooks 2026.pdf' })
    expect(
      await contentOf(
        outgoingPost({ media: [paper], progress: { files: { d: { urn: 'urn:li:document:d', state: 'ready' } } } }),
      ),
    ).toMatchObject({ content: { media: { id: 'urn:li:document:d', title: 'Rooks 2026' } } })
    expect(await run([]).send(outgoingPost({ media: [photo('a')] }))).toMatchObject({ kind: 'retry', first: 'prepare' })
  })

  it("can be a card with the composer's texts", async () => {
    const linkCard = { uri: 'https://example.com/a', title: '', description: 'About', imageAssetId: 'a' }
    const extraMedia = new Map([['a', photo('a')]])
    expect(
      await contentOf(outgoingPost({ text: 'x', details: { linkCard }, extraMedia, progress: files('a') })),
    ).toMatchObject({
      content: {
        article: {
          source: 'https://example.com/a',
          title: 'example.com',
          description: 'About',
          thumbnail: 'urn:li:image:a',
        },
      },
    })
    expect(await run([]).prepare(outgoingPost({ text: 'x', details: { linkCard } }))).toMatchObject({
      kind: 'rejected',
    })
    // files win over a card
    expect(
      await contentOf(outgoingPost({ media: [photo('b')], details: { linkCard }, progress: files('b') })),
    ).toMatchObject({ content: { media: { id: 'urn:li:image:b' } } })
  })
})

describe('files', () => {
  const start: Step = {
    on: `POST ${API}/rest/images`,
    json: { value: { uploadUrl: 'https://www.linkedin.com/dms-uploads/1', image: 'urn:li:image:1' } },
  }
  const put: Step = { on: 'PUT www.linkedin.com/dms-uploads/1', status: 201 }
  const look = (status: string): Step => ({
    on: `GET ${API}/rest/images/urn%3Ali%3Aimage%3A1`,
    json: { id: 'urn:li:image:1', status },
  })
  const given = outgoingPost({ media: [syntheticFile('image/png', { assetId: 'a', bytes: 5 })] })
  const waiting = { ...given, progress: { files: { a: { urn: 'urn:li:image:1', state: 'waits' } } } }

  it('are uploaded and waited for', async () => {
    const first = await run([start, put]).prepare(given)
    expect(first).toMatchObject({
      kind: 'preparing',
      checkAfterSeconds: 0,
      progress: { files: { a: { urn: 'urn:li:image:1', state: 'waits' } } },
    })
    for (const lost of [0, 1]) expect(await run([start, put], { lost }).prepare(given)).toMatchObject({ kind: 'retry' })
    expect(await run([look('PROCESSING')]).prepare(waiting)).toMatchObject({ kind: 'preparing', checkAfterSeconds: 10 })
    expect(await run([look('AVAILABLE')]).prepare(waiting)).toMatchObject({ kind: 'prepared' })
    expect(await run([look('PROCESSING_FAILED')]).prepare(waiting)).toMatchObject({ kind: 'rejected' })
    expect(await run([says(404, 'Not found')]).prepare(waiting)).toMatchObject({
      kind: 'preparing',
      progress: { files: {}, failed: 1 },
    })
    expect(
      await run([look('WAITING_UPLOAD')]).prepare({ ...waiting, progress: { ...waiting.progress, failed: 3 } }),
    ).toMatchObject({ kind: 'rejected' })
    expect(
      await run([look('PROCESSING')]).prepare({ ...waiting, progress: { ...waiting.progress, looks: 120 } }),
    ).toMatchObject({ kind: 'rejected' })
  })

  it('include videos in the pieces that LinkedIn names; a piece is repeated after a lost response', async () => {
    const video = outgoingPost({ media: [syntheticFile('video/mp4', { assetId: 'v', bytes: 10 })] })
    const begin: Step = {
      on: `POST ${API}/rest/videos`,
      json: {
        value: {
          video: 'urn:li:video:1',
          uploadToken: '',
          uploadInstructions: [
            { uploadUrl: 'https://www.linkedin.com/dms-uploads/1', firstByte: 0, lastByte: 5 },
            { uploadUrl: 'https://www.linkedin.com/dms-uploads/2', firstByte: 6, lastByte: 9 },
          ],
        },
      },
    }
    const piece = (n: number): Step => ({ on: `PUT www.linkedin.com/dms-uploads/${n}`, headers: { etag: `"e${n}"` } })
    const { fetch, prepare } = run([begin, piece(1), piece(1), piece(2)], { lost: 1 })
    const up = await prepare(video)
    expect(fetch.asked.slice(1).map(({ body }) => body.bytes)).toEqual([6, 6, 4])
    expect(up).toMatchObject({
      kind: 'preparing',
      progress: { files: { v: { urn: 'urn:li:video:1', state: 'uploaded', token: '', pieces: ['e1', 'e2'] } } },
    })
    if (up.kind !== 'preparing') return
    const end = run([{ on: `POST ${API}/rest/videos`, status: 200 }])
    expect(await end.prepare({ ...video, progress: up.progress })).toMatchObject({
      kind: 'preparing',
      progress: { files: { v: { state: 'waits' } } },
    })
    expect(bodies(end.fetch)).toEqual([
      { finalizeUploadRequest: { video: 'urn:li:video:1', uploadToken: '', uploadedPartIds: ['e1', 'e2'] } },
    ])
    expect(await run([{ fails: 'lost' }]).prepare({ ...video, progress: up.progress })).toMatchObject({ kind: 'retry' })
    // finalized already: a look at it tells
    expect(await run([says(400, 'Already finalized')]).prepare({ ...video, progress: up.progress })).toMatchObject({
      kind: 'preparing',
      progress: { files: { v: { state: 'waits' } } },
    })
  })
})

describe('sending', () => {
  it.each([
    ['a revoked token', says(401, 'Revoked', { serviceErrorCode: 65_601 }), 'reconnect'],
    ['a token that has run out', says(401, 'Expired', { serviceErrorCode: 65_602 }), 'reconnect'],
    ['an invalid token', says(401, 'Invalid access token', { serviceErrorCode: 65_600 }), 'reconnect'],
    [
      'a role that is missing',
      says(403, 'Not enough permissions to access: posts.CREATE', { serviceErrorCode: 100 }),
      'rejected',
    ],
    [
      'too long a text',
      says(400, 'Validation failed', { errorDetails: { inputErrors: [{ code: 'COMMENTARY_LENGTH_TOO_LONG' }] } }),
      'rejected',
    ],
    [
      'a version that is over',
      says(426, 'Requested version 20250701 is not active', { code: 'NONEXISTENT_VERSION' }),
      'rejected',
    ],
    ['the same, said otherwise', says(400, 'Bad request', { code: 'VERSION_MISSING' }), 'rejected'],
    ['something else that is wrong', says(400, 'Moonphase is wrong'), 'rejected'],
    ['too many posts', says(429, 'Resource level throttle DAY limit'), 'retry'],
    ['a gateway that is in the way', { status: 400, text: '<html>' }, 'retry'],
    ['trouble of its own', says(500, 'Internal'), 'unknown'],
    ['no time', { status: 503, text: '' }, 'unknown'],
    ['a lost answer', { fails: 'lost' }, 'unknown'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['an answer without a name', { status: 201 }, 'unknown'],
  ] as const)('%s', async (_, step, kind) => {
    const answer = await run([step]).send(post)
    expect(answer.kind).toBe(kind)
    expect(JSON.stringify(answer)).not.toMatch(/"(token|hush|again)"/)
  })

  it('waits until the quota resets', async () => {
    expect(await run([says(429, 'Throttled', {}, { date })]).send(post)).toMatchObject({
      kind: 'retry',
      afterSeconds: 14 * 3600,
      closesBudget: true,
    })
  })

  it("reads the post back; if that isn't allowed, the acknowledgement is enough", async () => {
    const permalink = 'https://www.linkedin.com/feed/update/urn:li:share:700/'
    expect(await run([{ json: shown() }]).readBack()).toEqual({ kind: 'live', permalink })
    expect(await run([says(403, 'No')], { author: PERSON }).readBack()).toEqual({ kind: 'live', permalink })
    expect(await run([says(404, 'No')]).readBack()).toEqual({ kind: 'missing' })
    expect(await run([{ json: shown({ lifecycleState: 'PUBLISH_REQUESTED' }) }]).readBack()).toMatchObject({
      kind: 'retry',
    })
    expect((await run([says(400, 'What')]).readBack()).kind).toBe('unknown')
  })
})

describe('a lost response', () => {
  const day = 86_400_000
  const numbered = (at: number) => `urn:li:share:${(BigInt(at) << 22n).toString()}`
  const twin = (urn: string): Step => says(422, `Content is a duplicate of ${urn}`)

  it('is reconciled by the second send, whose refusal names the existing post', async () => {
    expect(await run([twin(URN), { json: shown() }]).send(post)).toMatchObject({ kind: 'sent', remoteId: URN })
    expect(
      await run([twin(URN), { json: shown({ publishedAt: PLANNED_AT.getTime() - day }) }]).send(post),
    ).toMatchObject({ kind: 'rejected', reason: { code: 'duplicate' } })
  })

  it("is reconciled by that post's ID if it can't be read", async () => {
    const ours = numbered(PLANNED_AT.getTime() + 5000)
    const older = numbered(PLANNED_AT.getTime() - day)
    expect(await run([twin(ours), says(403, 'No')], { author: PERSON }).send(post)).toMatchObject({
      kind: 'sent',
      remoteId: ours,
    })
    expect((await run([twin(older), says(403, 'No')], { author: PERSON }).send(post)).kind).toBe('rejected')
  })

  it('is reconciled by text and time, or by files', async () => {
    expect(
      await run([
        listed(
          shown({ id: 'urn:li:share:1', commentary: 'Other' }),
          shown(),
          shown({ id: 'urn:li:share:2', publishedAt: PLANNED_AT.getTime() - day }),
        ),
        listed(),
      ]).reconcile(post),
    ).toMatchObject({ kind: 'sent', remoteId: URN })
    expect(await run([listed(shown({ publishedAt: PLANNED_AT.getTime() - day })), listed()]).reconcile(post)).toEqual({
      kind: 'absent',
    })
    const withFile = outgoingPost({
      text: 'x',
      media: [syntheticFile('image/png', { assetId: 'a' })],
      progress: { files: { a: { urn: 'urn:li:image:1', state: 'ready' } } },
    })
    expect(
      await run([
        listed(
          shown({ commentary: 'x' }),
          shown({ id: 'urn:li:share:9', content: { multiImage: { images: [{ id: 'urn:li:image:1' }] } } }),
        ),
      ]).reconcile(withFile),
    ).toMatchObject({ kind: 'sent', remoteId: 'urn:li:share:9' })
    expect(await run([listed(shown({ commentary: 'x' })), listed()]).reconcile(withFile)).toEqual({ kind: 'absent' })
  })

  it("isn't resolved by a failed lookup; LinkedIn shows no member's posts, so a person checks", async () => {
    expect((await run([listed()], { lost: 0 }).reconcile(post)).kind).toBe('retry')
    expect((await run([{ json: { elements: [7] } }]).reconcile(post)).kind).toBe('retry')
    expect((await run([says(400, 'What')]).reconcile(post)).kind).toBe('unknown')
    expect(await run([says(403, 'Not enough permissions')], { author: PERSON }).reconcile(post)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'linkedin-posts-closed' },
    })
    // of a Page a right is missing, which comes back with a reconnect
    expect((await run([says(403, 'Not enough permissions')]).reconcile(post)).kind).toBe('unknown')
    expect((await run([{ status: 403, text: '<html>' }]).reconcile(post)).kind).toBe('retry')
  })

  it("to a first comment is reconciled by the author's comments", async () => {
    const commented = outgoingPost({ text: 'One', firstComment: 'And this' })
    const part: FollowUpToSend = {
      key: 'comment',
      kind: 'comment',
      sendKey: 'key',
      progress: {},
      sent: [{ key: 'post', remoteId: URN, progress: {} }],
    }
    expect(publish.followUps?.(commented)).toEqual([{ key: 'comment', kind: 'comment' }])
    const made = run([
      {
        on: `POST ${API}/rest/socialActions/urn%3Ali%3Ashare%3A700/comments`,
        status: 201,
        json: { id: '6', commentUrn: 'urn:li:comment:(urn:li:activity:1,6)' },
      },
    ])
    expect(await made.part(commented, part)).toMatchObject({
      kind: 'sent',
      remoteId: 'urn:li:comment:(urn:li:activity:1,6)',
    })
    expect(bodies(made.fetch)).toEqual([{ actor: PAGE, object: URN, message: { text: 'And this' } }])
    expect((await run([{ fails: 'lost' }]).part(commented, part))?.kind).toBe('unknown')
    const comments = (...elements: unknown[]): Step => ({ json: { elements } })
    expect(
      await run([
        comments(
          { id: '5', actor: PERSON, message: { text: 'And this' } },
          { id: '6', actor: PAGE, message: { text: 'And this' }, created: { time: PLANNED_AT.getTime() } },
        ),
        comments(),
      ]).reconcileFollowUp(commented, part),
    ).toMatchObject({ kind: 'sent', remoteId: '6' })
    expect(
      await run([comments({ id: '5', actor: PERSON, message: { text: 'And this' } }), comments()]).reconcileFollowUp(
        commented,
        part,
      ),
    ).toEqual({ kind: 'absent' })
    expect((await run([says(400, 'No')]).reconcileFollowUp(commented, part))?.kind).toBe('unknown')
    expect(await run([says(403, 'No')], { author: PERSON }).reconcileFollowUp(commented, part)).toMatchObject({
      kind: 'rejected',
      reason: {
        code: 'linkedin-comments-closed',
      },
    })
  })
})

describe('after publishing', () => {
  it("reads a Page's metrics in one call per kind of post", async () => {
    const total = {
      impressionCount: 90,
      uniqueImpressionsCount: 50,
      clickCount: 7,
      likeCount: -1,
      commentCount: 3,
      shareCount: 2,
      engagement: 0.1,
    }
    const { fetch, reach, secret } = run([
      { json: { elements: [{ share: URN, totalShareStatistics: total }] } },
      { json: { elements: [] } },
    ])
    const posts = [URN, 'urn:li:share:701', 'urn:li:ugcPost:702'].map((remoteId) => ({
      remoteId,
      postType: 'post' as const,
      publishedAt: PLANNED_AT,
    }))
    expect(await metrics?.read(reach, secret, account, posts)).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          URN,
          {
            impressions: 90,
            reach: 50,
            reactions: 0,
            comments: 3,
            shares: 2,
            clicks: 7,
          },
        ],
      ]),
    })
    expect(fetch.asked[0]?.url.search).toContain('shares=List(urn%3Ali%3Ashare%3A700,urn%3Ali%3Ashare%3A701)')
  })

  it("reads a profile's metrics one by one, and is refused without the permission", async () => {
    const posts = [{ remoteId: URN, postType: 'post' as const, publishedAt: PLANNED_AT }]
    const told = run(
      [
        ...[90, 50, 8, 3, 2].map((count) => ({ json: { elements: [{ count }] } })),
        { json: { elements: [{ count: 4 }] } },
        // an empty set isn't 0, and a kind that this post has none of is no failure
        { json: { elements: [] } },
        says(400, 'Invalid query type'),
      ],
      { author: PERSON },
    )
    expect(await metrics?.read(told.reach, told.secret, account, posts)).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          URN,
          {
            impressions: 90,
            reach: 50,
            reactions: 8,
            comments: 3,
            shares: 6,
            reposts: 2,
            sends: 4,
          },
        ],
      ]),
    })
    const closed = run([says(403, 'No')], { author: PERSON })
    expect(await metrics?.read(closed.reach, closed.secret, account, posts)).toMatchObject({ kind: 'rejected' })
  })
})
