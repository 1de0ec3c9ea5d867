import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { MediaFile, Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createYoutube } from './adapter.ts'
import type { YoutubeSecret } from './schemas.ts'

const { publish, lookups, additions } = createYoutube()
const secret: YoutubeSecret = {
  accessToken: 'access',
  refreshToken: 'again',
  clientId: 'app',
  scopes: [],
  endsAt: null,
  channelId: 'UC1',
}
const account = { remoteId: 'UC1', handle: '@rook', service: null }
const H = 'www.googleapis.com'
const UP = `${H}/upload/youtube/v3/videos`
const session = `https://${UP}?uploadType=resumable&upload_id=s1`
const MIB8 = 8 * 1024 * 1024

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('youtube', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    reach,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    poll: async (post: Outgoing) => await publish.poll?.(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    edit: async (post: Outgoing, id: string) => await publish.edit?.(reach, secret, account, post, id),
    part: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.sendFollowUp?.(reach, secret, account, post, part),
    reconcileFollowUp: async (post: Outgoing, part: FollowUpToSend) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, part),
  }
}
const video = (file: Partial<MediaFile> = {}, more: Partial<Outgoing> = {}) =>
  outgoingPost({
    postType: 'video',
    contents: [{ title: 'Rooks', text: 'About them', media: [syntheticFile('video/mp4', file)] }],
    details: { privacy: 'unlisted', madeForKids: false, categoryId: '22' },
    ...more,
  })
const holds = (bytes: number): Step => ({
  on: `PUT ${UP}`,
  status: 308,
  headers: bytes > 0 ? { range: `bytes=0-${bytes - 1}` } : {},
})
const whole: Step = { on: `PUT ${UP}`, json: { id: 'v1' } }
const googleError = (code: number, reason: string, headers: Record<string, string> = {}): Step => ({
  status: code,
  headers,
  json: {
    error: {
      code,
      message: `Words about ${reason}`,
      errors: [{ reason, message: 'w', domain: 'youtube' }],
      status: 'SOME',
    },
  },
})
const ranges = (fetch: ReturnType<typeof scriptedFetch>) => fetch.asked.map(({ headers }) => headers['content-range'])

describe('an upload', () => {
  it("starts with the video's metadata", async () => {
    const { fetch, prepare } = run([{ on: `POST ${UP}`, headers: { location: session }, text: '' }])
    expect(await prepare(video({ bytes: 20_000_000 }))).toMatchObject({
      kind: 'preparing',
      progress: { session, sent: 0 },
    })
    expect(fetch.asked[0]?.body.value).toEqual({
      snippet: { title: 'Rooks', description: 'About them', categoryId: '22' },
      status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: false },
    })
    expect(fetch.asked[0]?.headers).toMatchObject({
      'x-upload-content-length': '20000000',
      'x-upload-content-type': 'video/mp4',
    })
  })

  it('sends all but the last piece ahead, and the last one at its time', async () => {
    const post = video({ bytes: 20_000_000 }, { progress: { session } })
    const ahead = run([holds(0), holds(MIB8), holds(2 * MIB8)])
    const ready = await ahead.prepare(post)
    expect(ranges(ahead.fetch)).toEqual([
      'bytes */20000000',
      `bytes 0-${MIB8 - 1}/20000000`,
      `bytes ${MIB8}-${2 * MIB8 - 1}/20000000`,
    ])
    if (ready.kind !== 'prepared') throw new Error(ready.kind)
    const last = run([holds(2 * MIB8), whole])
    expect(await last.send({ ...post, progress: ready.progress })).toMatchObject({
      kind: 'processing',
      progress: { videoId: 'v1' },
    })
    expect(ranges(last.fetch)[1]).toBe(`bytes ${2 * MIB8}-19999999/20000000`)
  })

  it('of 8 GB continues where YouTube is, and stores its progress', async () => {
    const bytes = 8_000_000_000
    const at = 900 * MIB8
    const post = video({ bytes }, { progress: { session } })
    const { fetch, prepare } = run([
      holds(at),
      ...Array.from({ length: 25 }, (_, index) => holds(at + (index + 1) * MIB8)),
    ])
    expect(await prepare(post)).toMatchObject({
      kind: 'preparing',
      progress: { sent: at + 25 * MIB8 },
      checkAfterSeconds: 0,
    })
    expect(fetch.asked[1]?.body.bytes).toBe(MIB8)
  })

  it('starts over if its session is gone, and fails after three attempts', async () => {
    expect(await run([{ status: 404 }]).prepare(video({}, { progress: { session } }))).toMatchObject({
      kind: 'preparing',
      progress: { session: null, rounds: 1 },
    })
    expect(await run([{ status: 410 }]).prepare(video({}, { progress: { session, rounds: 2 } }))).toMatchObject({
      kind: 'rejected',
    })
  })

  it("isn't started with a thumbnail that is too large", async () => {
    expect(await run([]).prepare(video({ thumbnail: syntheticFile('image/png', { bytes: 2_097_153 }) }))).toMatchObject(
      { kind: 'rejected', reason: { code: 'youtube-thumbnail' } },
    )
  })
})

describe('a last piece without a clear response', () => {
  const post = video({ bytes: 1000 }, { progress: { session } })
  it.each<[Step]>([[{ fails: 'lost' }], [{ status: 503 }], [{ json: { nothing: true } }]])(
    'is unknown: %o',
    async (step) => {
      expect(await run([holds(0), step]).send(post)).toMatchObject({ kind: 'unknown' })
    },
  )
  it('is reconciled by the session', async () => {
    expect(await run([whole]).reconcile(post)).toMatchObject({
      kind: 'sent',
      remoteId: 'v1',
      progress: { videoId: 'v1' },
    })
    expect(await run([holds(0)]).reconcile(post)).toEqual({ kind: 'absent' })
    expect(await run([{ fails: 'lost' }]).reconcile(post)).toMatchObject({ kind: 'retry' })
    expect(await run([googleError(403, 'forbidden')]).reconcile(post)).toMatchObject({ kind: 'unknown' })
  })
  it('is reconciled by the uploads if the session is gone', async () => {
    const channel: Step = {
      on: `GET ${H}/youtube/v3/channels`,
      json: { items: [{ id: 'UC1', contentDetails: { relatedPlaylists: { uploads: 'UU1' } } }] },
    }
    const uploads = (title: string): Step => ({
      on: `GET ${H}/youtube/v3/playlistItems`,
      json: {
        items: [
          {
            id: 'i',
            snippet: {
              title,
              description: 'About them',
              publishedAt: new Date(PLANNED_AT.getTime() + 9000).toISOString(),
              resourceId: { videoId: 'v9' },
            },
          },
        ],
      },
    })
    expect(await run([{ status: 404 }, channel, uploads('Rooks')]).reconcile(post)).toMatchObject({
      kind: 'sent',
      remoteId: 'v9',
    })
    expect(await run([{ status: 404 }, channel, uploads('Crows')]).reconcile(post)).toEqual({ kind: 'absent' })
  })
  it('is never sent twice: a complete session returns its video', async () => {
    const { fetch, send } = run([whole])
    expect(await send(post)).toMatchObject({ kind: 'processing', progress: { videoId: 'v1' } })
    expect(fetch.calls()).toHaveLength(1)
  })
})

describe('an uploaded video', () => {
  const post = video(
    { thumbnail: syntheticFile('image/jpeg', { bytes: 5000 }) },
    {
      progress: { session, videoId: 'v1' },
      firstComment: 'First',
      details: { privacy: 'public', madeForKids: false, playlistId: 'PL1' },
    },
  )
  const status = (uploadStatus: string, more = {}): Step => ({
    on: `GET ${H}/youtube/v3/videos`,
    json: { items: [{ id: 'v1', status: { uploadStatus, ...more } }] },
  })

  it("gets its thumbnail, or does without a refused one, and is live once it's processed", async () => {
    const given = { on: `POST ${H}/upload/youtube/v3/thumbnails/set`, json: {} }
    expect(await run([status('uploaded'), given]).poll(post)).toMatchObject({
      kind: 'processing',
      progress: { thumbnail: true },
    })
    expect(await run([status('uploaded'), googleError(403, 'forbidden')]).poll(post)).toMatchObject({
      kind: 'processing',
      progress: { thumbnail: true },
    })
    const done = { ...post, progress: { ...post.progress, thumbnail: true } }
    expect(await run([status('uploaded')]).poll(done)).toMatchObject({ kind: 'processing', checkAfterSeconds: 30 })
    expect(await run([status('processed')]).poll(done)).toMatchObject({ kind: 'sent', remoteId: 'v1' })
    expect(await run([status('uploaded')]).poll({ ...done, progress: { ...done.progress, looks: 27 } })).toMatchObject({
      kind: 'sent',
    })
    expect(await run([status('rejected', { rejectionReason: 'copyright' })]).poll(done)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'copyright' },
    })
    expect(await run([status('failed', { failureReason: 'codec' })]).poll(done)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'youtube-video-failed' },
    })
  })

  it('gets its comment and its place in a playlist', async () => {
    const sent = [{ key: 'post', remoteId: 'v1', progress: {} }]
    const [comment, playlist] = (publish.followUps?.(post) ?? []).map((part): FollowUpToSend => ({
      ...part,
      sendKey: part.key,
      progress: {},
      sent,
    }))
    if (!comment || !playlist) throw new Error('parts are missing')
    const asked = run([{ on: `POST ${H}/youtube/v3/playlistItems`, json: { id: 'i1' } }])
    expect(await asked.part(post, playlist)).toMatchObject({ kind: 'sent', remoteId: 'i1' })
    expect(asked.fetch.asked[0]?.body.value).toEqual({
      snippet: { playlistId: 'PL1', resourceId: { kind: 'youtube#video', videoId: 'v1' } },
    })
    expect(await run([{ json: { id: 'c1' } }], 0).part(post, comment)).toMatchObject({ kind: 'unknown' })
    expect(await run([googleError(403, 'commentsDisabled')]).part(post, comment)).toMatchObject({
      kind: 'rejected',
      reason: { code: 'youtube-comments-off' },
    })
    const said = (channel: string): Step => ({
      json: {
        items: [
          {
            id: 'c1',
            snippet: {
              topLevelComment: {
                id: 'c1',
                snippet: {
                  textOriginal: 'First',
                  publishedAt: PLANNED_AT.toISOString(),
                  authorChannelId: { value: channel },
                },
              },
            },
          },
        ],
      },
    })
    expect(await run([said('UC1')]).reconcileFollowUp(post, comment)).toMatchObject({ kind: 'sent', remoteId: 'c1' })
    expect(await run([said('UC2')]).reconcileFollowUp(post, comment)).toEqual({ kind: 'absent' })
    expect(
      await run([
        { json: { items: [{ id: 'i1', snippet: { title: '', resourceId: { videoId: 'v1' } } }] } },
      ]).reconcileFollowUp(post, playlist),
    ).toMatchObject({ kind: 'sent', remoteId: 'i1' })
  })

  it("is edited without losing fields that aren't ours", async () => {
    const before: Step = {
      json: {
        items: [
          {
            id: 'v1',
            snippet: { title: 'Old', description: '', categoryId: '24', tags: ['bird'], channelTitle: 'R' },
            status: { uploadStatus: 'processed', license: 'youtube', embeddable: false },
          },
        ],
      },
    }
    const { fetch, edit } = run([before, { on: `PUT ${H}/youtube/v3/videos`, json: { id: 'v1' } }])
    expect(await edit(post, 'v1')).toEqual({ kind: 'edited', remoteId: 'v1' })
    expect(fetch.asked[1]?.body.value).toEqual({
      id: 'v1',
      snippet: { title: 'Rooks', description: 'About them', categoryId: '24', tags: ['bird'] },
      status: { license: 'youtube', embeddable: false, privacyStatus: 'public', selfDeclaredMadeForKids: false },
    })
  })
})

it('finds playlists and categories, and adds a playlist', async () => {
  const ask = { query: '', limit: 50 }
  const playlists: Step[] = [
    {
      json: {
        items: [
          {
            id: 'PL1',
            snippet: { title: 'Owls' },
            status: { privacyStatus: 'private' },
            contentDetails: { itemCount: 3 },
          },
        ],
        nextPageToken: 'more',
      },
    },
    {
      json: {
        items: [
          {
            id: 'PL2',
            snippet: { title: 'Rooks' },
            status: { privacyStatus: 'public' },
            contentDetails: { itemCount: 1 },
          },
        ],
      },
    },
  ]
  const found = await lookups?.playlists?.(run(playlists).reach, secret, account, ask)
  expect(found).toEqual({
    kind: 'found',
    items: [
      { id: 'PL1', name: 'Owls', detail: 'Private, 3 videos', pictureUrl: null, insert: null },
      { id: 'PL2', name: 'Rooks', detail: '1 video', pictureUrl: null, insert: null },
    ],
  })
  const categories: Step = {
    json: {
      items: [
        { id: '22', snippet: { title: 'People', assignable: true } },
        { id: '42', snippet: { title: 'Shorts', assignable: false } },
      ],
    },
  }
  expect(await lookups?.categories?.(run([categories]).reach, secret, account, ask)).toMatchObject({
    items: [{ id: '22', name: 'People' }],
  })
  const adding = run([
    {
      on: `POST ${H}/youtube/v3/playlists`,
      json: {
        id: 'PL3',
        snippet: { title: 'New' },
        status: { privacyStatus: 'private' },
        contentDetails: { itemCount: 0 },
      },
    },
  ])
  expect(
    await additions?.playlists?.(adding.reach, secret, account, {
      name: 'New',
      description: 'Of rooks',
      isPublic: false,
    }),
  ).toMatchObject({ kind: 'added', item: { id: 'PL3', name: 'New' } })
  expect(adding.fetch.asked[0]?.body.value).toEqual({
    snippet: { title: 'New', description: 'Of rooks' },
    status: { privacyStatus: 'private' },
  })
  expect(
    await additions?.playlists?.(run([{ fails: 'lost' }]).reach, secret, account, {
      name: 'New',
      description: '',
      isPublic: true,
    }),
  ).toMatchObject({ kind: 'unknown' })
})

it.each<[Step, object]>([
  [googleError(401, 'authError'), { kind: 'retry', first: 'renew' }],
  [googleError(401, 'youtubeSignupRequired'), { kind: 'rejected', reason: { code: 'youtube-no-channel' } }],
  // 10:00 in London is 02:00 on the Pacific coast
  [
    googleError(403, 'quotaExceeded', { date: 'Sat, 21 Nov 2026 10:00:00 GMT' }),
    { kind: 'retry', afterSeconds: 22 * 3600 + 60, closesBudget: true },
  ],
  [googleError(403, 'rateLimitExceeded'), { kind: 'retry', afterSeconds: 60, closesBudget: true }],
  [googleError(503, 'backendError'), { kind: 'retry' }],
  [{ fails: 'lost' }, { kind: 'retry' }],
  [googleError(400, 'uploadLimitExceeded'), { kind: 'rejected', reason: { code: 'youtube-daily-limit' } }],
  [googleError(400, 'invalidTitle'), { kind: 'rejected', reason: { code: 'youtube-title' } }],
  [googleError(400, 'invalidDescription'), { kind: 'rejected' }],
  [googleError(400, 'invalidCategoryId'), { kind: 'rejected' }],
  [googleError(400, 'invalidPublishAt'), { kind: 'rejected' }],
  [googleError(403, 'forbidden'), { kind: 'rejected', reason: { code: 'youtube-not-allowed' } }],
  [googleError(403, 'insufficientPermissions'), { kind: 'rejected', reason: { code: 'google-permission-missing' } }],
  [googleError(403, 'accessNotConfigured'), { kind: 'rejected', reason: { code: 'google-api-off' } }],
  [
    googleError(400, 'somethingNew'),
    {
      kind: 'rejected',
      reason: { params: { words: expect.stringContaining('Words about somethingNew') }, platformCode: 'somethingNew' },
    },
  ],
  [{ status: 403, text: '<html>' }, { kind: 'retry' }],
])('classifies a refusal: %o', async (step, expected) => {
  expect(await run([step]).prepare(video())).toMatchObject(expected)
})
