import { sentenceOf, adviceFor } from '#contract/failures/catalog.ts'
import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { MediaFile, Outgoing, Reach } from '../platform.ts'
import { createPinterest } from './adapter.ts'
import type { PinterestSecret } from './schemas.ts'

const { publish } = createPinterest()
const secret: PinterestSecret = {
  accessToken: 'pina_secret',
  refreshToken: 'pinr_secret',
  clientId: 'app',
  scopes: [],
  sandbox: false,
}
const account = { remoteId: '77', handle: '@rook', service: null }
const HOST = 'api.pinterest.com/v5'
const STORE = 'pinterest-media-upload.s3-accelerate.amazonaws.com'

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('pinterest', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    said: () => fetch.asked.map(({ body }) => body.value),
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (id: string) => publish.readBack(reach, secret, account, outgoingPost({}), id),
    remove: async (id: string) => await publish.remove?.(reach, secret, account, id),
    edit: async (post: Outgoing, id: string) => await publish.edit?.(reach, secret, account, post, id),
  }
}
const photo = (more: Partial<MediaFile> & { name?: string } = {}) =>
  syntheticFile('image/jpeg', { name: 'a.jpg', bytes: 3, ...more })
const clip = (more: Partial<MediaFile> = {}) =>
  syntheticFile('video/mp4', { bytes: 2_000_000, thumbnail: photo(), ...more })
const pin = (media: readonly MediaFile[], more: Partial<Outgoing> = {}): Outgoing =>
  outgoingPost({
    postType: 'pin',
    contents: [{ title: 'Rye', text: 'Baked today', media }],
    details: { boardId: '5' },
    ...more,
  })
const made: Step = { on: `POST ${HOST}/pins`, status: 201, json: { id: '900' } }
const problem = (
  status: number,
  code: number,
  message = 'Words of the platform',
  headers: Record<string, string> = {},
): Step => ({ status, headers, json: { code, message } })
const registered: Step = {
  on: `POST ${HOST}/media`,
  status: 201,
  json: {
    media_id: '12',
    media_type: 'video',
    upload_url: `https://${STORE}/`,
    upload_parameters: { key: 'uploads/12', policy: 'p', 'x-amz-signature': 's' },
  },
}
const stored: Step = { on: `POST ${STORE}/`, status: 204 }
const looked = (status: string): Step => ({
  on: `GET ${HOST}/media/12`,
  json: { media_id: '12', media_type: 'video', status },
})

describe('the content of a Pin', () => {
  it('has texts up to their limits, a link and alt text', async () => {
    const { said, send } = run([made])
    const [title, text, link, altText] = [
      't'.repeat(100),
      'd'.repeat(800),
      `https://example.com/${'l'.repeat(2028)}`,
      'a'.repeat(500),
    ]
    const media = [photo({ altText })]
    expect(
      await send(
        outgoingPost({ postType: 'pin', contents: [{ title, text, media }], details: { boardId: '5', link } }),
      ),
    ).toEqual({ kind: 'sent', remoteId: '900', progress: { files: [media[0]?.assetId] } })
    expect(said()).toEqual([
      {
        board_id: '5',
        title,
        description: text,
        link,
        alt_text: altText,
        media_source: { source_type: 'image_url', url: 'https://media.rookery.test/a.jpg' },
      },
    ])
  })

  it.each([
    [
      'a picture that cannot be fetched from here',
      [photo({ url: () => null })],
      { source_type: 'image_base64', content_type: 'image/jpeg', data: 'AAAA' },
    ],
    [
      'five pictures',
      Array.from({ length: 5 }, () => photo()),
      {
        source_type: 'multiple_image_urls',
        items: Array.from({ length: 5 }, () => ({ url: 'https://media.rookery.test/a.jpg' })),
      },
    ],
  ])('%s', async (_, media, source) => {
    const { said, send } = run([made])
    expect(await send(pin(media))).toMatchObject({ kind: 'sent' })
    expect(said()).toEqual([{ board_id: '5', title: 'Rye', description: 'Baked today', media_source: source }])
  })

  it("includes pictures in the call if they can't be fetched from here", async () => {
    const { said, send } = run([{ ...made, unchecked: true }])
    expect(await send(pin([photo({ url: () => null }), photo()]))).toMatchObject({ kind: 'sent' })
    expect(said()).toMatchObject([
      {
        media_source: {
          source_type: 'multiple_image_base64',
          items: [
            { content_type: 'image/jpeg', data: 'AAAA' },
            { content_type: 'image/jpeg', data: 'AAAA' },
          ],
        },
      },
    ])
  })

  it('can be a video with its thumbnail, or else its first frame', async () => {
    const ready = { mediaId: '12', ready: true }
    const first = run([made])
    await first.send(pin([clip()], { progress: ready }))
    expect(first.said()).toMatchObject([
      {
        media_source: {
          source_type: 'video_id',
          media_id: '12',
          cover_image_content_type: 'image/jpeg',
          cover_image_data: 'AAAA',
        },
      },
    ])
    const second = run([made])
    await second.send(pin([syntheticFile('video/mp4')], { progress: ready }))
    expect(second.said()).toMatchObject([
      { media_source: { source_type: 'video_id', media_id: '12', cover_image_key_frame_time: 0 } },
    ])
  })

  it("is refused without a board or a file, and isn't sent before its video is uploaded", async () => {
    const { send } = run([])
    expect(await send(pin([photo()], { details: {} }))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'no-board' },
    })
    expect(await send(pin([]))).toMatchObject({ kind: 'rejected', reason: { platformCode: 'no-media' } })
    expect(await send(pin([clip()]))).toMatchObject({ kind: 'retry', first: 'prepare' })
  })
})

describe('a video', () => {
  it('is uploaded to the storage host in one stream, without our token, and waited for', async () => {
    const bytes = 50_000_000
    const first = run([registered, stored])
    const answer = await first.prepare(pin([clip({ bytes })]))
    expect(answer).toMatchObject({ kind: 'preparing', progress: { mediaId: '12', looks: 0 } })
    expect(first.fetch.asked[1]?.headers.authorization).toBeUndefined()
    expect(first.fetch.asked[1]?.body.value).toMatchObject({ key: 'uploads/12', policy: 'p', 'x-amz-signature': 's' })
    expect(first.fetch.asked[1]).toMatchObject({ timeoutMs: 30_000 + bytes / 500 })
    expect(first.fetch.asked[1]?.body.bytes).toBeGreaterThan(bytes)
    if (answer.kind !== 'preparing') return
    const second = await run([looked('processing')]).prepare(pin([clip()], { progress: answer.progress }))
    expect(second).toMatchObject({ kind: 'preparing', progress: { looks: 1 }, checkAfterSeconds: 15 })
    expect(await run([looked('succeeded')]).prepare(pin([clip()], { progress: answer.progress }))).toMatchObject({
      kind: 'prepared',
      progress: { mediaId: '12', ready: true },
    })
  })

  it('is uploaded again if it failed, is gone or never finishes; after three attempts the post fails', async () => {
    const at = (progress: Record<string, unknown>) => pin([clip()], { progress: { mediaId: '12', ...progress } })
    expect(await run([looked('failed')]).prepare(at({}))).toMatchObject({
      kind: 'preparing',
      progress: { mediaId: null, failed: 1 },
    })
    expect(await run([problem(404, 50)]).prepare(at({}))).toMatchObject({
      kind: 'preparing',
      progress: { mediaId: null },
    })
    expect(await run([looked('registered')]).prepare(at({ looks: 119 }))).toMatchObject({
      kind: 'preparing',
      progress: { mediaId: null, failed: 1 },
    })
    expect(await run([looked('failed')]).prepare(at({ failed: 2 }))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'media-failed' },
    })
  })

  it('is uploaded again if the upload is lost or refused, because nobody has seen it', async () => {
    for (const lost of [0, 1])
      expect(await run([registered, stored], lost).prepare(pin([clip()]))).toMatchObject({ kind: 'retry' })
    expect(
      await run([registered, { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' }]).prepare(pin([clip()])),
    ).toMatchObject({ kind: 'retry' })
    expect(await run([looked('processing')], 0).prepare(pin([clip()], { progress: { mediaId: '12' } }))).toMatchObject({
      kind: 'retry',
    })
  })

  it('is the only kind of file that needs preparing', () => {
    expect([publish.needsPrepare(pin([clip()])), publish.needsPrepare(pin([photo()]))]).toEqual([true, false])
  })
})

describe('the response to a send', () => {
  it.each([
    ['dead token', problem(401, 2), { kind: 'retry', first: 'renew' }],
    [
      'throttled, in seconds',
      problem(429, 8, 'slow', { 'x-ratelimit-reset': '42' }),
      { kind: 'retry', afterSeconds: 42, closesBudget: true },
    ],
    [
      'throttled until a moment',
      problem(429, 8, 'slow', { 'x-ratelimit-reset': '1795255290', date: new Date(1_795_255_260_000).toUTCString() }),
      { kind: 'retry', afterSeconds: 30 },
    ],
    ['throttled without a word', problem(429, 8), { kind: 'retry', afterSeconds: 300 }],
    ['no right, or an app on trial', problem(403, 29), { kind: 'rejected', reason: { platformCode: '403/29' } }],
    ['board gone', problem(404, 40), { kind: 'rejected', reason: { code: 'pinterest-board-gone' } }],
    [
      'bad parameter',
      problem(400, 1, 'title is too long'),
      { kind: 'rejected', reason: { code: 'refused', params: { doing: 'publish-pin', words: 'title is too long.' } } },
    ],
    ['trouble of its own', problem(500, 0), { kind: 'unknown' }],
    ['no words at all', { status: 502, text: 'Bad gateway' }, { kind: 'unknown' }],
    ['a gateway that refuses', { status: 403, text: '<html>' }, { kind: 'retry' }],
    ['a lost answer', { fails: 'lost' }, { kind: 'unknown' }],
    ['nothing sent', { fails: 'unsent' }, { kind: 'retry' }],
    ['an answer without sense', { status: 201, json: { hello: 1 } }, { kind: 'unknown' }],
  ] as const)('%s', async (_, step, expected) => {
    const answer = await run([step]).send(pin([photo()]))
    expect(answer).toMatchObject(expected)
    expect('reason' in answer && adviceFor(answer.reason)).toBeTruthy()
    expect(JSON.stringify(answer)).not.toContain('pina_secret')
  })

  it('is shown shortened, without anything that could be a token', async () => {
    const answer = await run([problem(400, 1, `pina_${'A'.repeat(60)} ${'long '.repeat(200)}`)]).send(pin([photo()]))
    expect('reason' in answer && sentenceOf(answer.reason).length).toBeLessThan(350)
    expect(JSON.stringify(answer)).not.toContain('pina_A')
  })
})

describe('a lost response', () => {
  const listed = (items: object[], bookmark: string | null = null): Step => ({
    on: `GET ${HOST}/boards/5/pins`,
    json: { items, bookmark },
  })
  const there = (id: string, created_at: string, more: object = {}) => ({
    id,
    title: 'Rye',
    description: 'Baked  today ',
    created_at,
    ...more,
  })

  it('is reconciled by the board: the same text since the planned time, the oldest first, on any page', async () => {
    const { reconcile } = run([
      listed(
        [
          there('1', '2026-11-14T10:00:00'),
          there('903', '2026-11-21T10:05:00'),
          there('904', '2026-11-21T10:00:01', { title: 'Other' }),
        ],
        'next',
      ),
      listed([there('900', '2026-11-21T10:00:02')]),
    ])
    expect(await reconcile(pin([photo()]))).toMatchObject({ kind: 'sent', remoteId: '900' })
  })

  it('accepts times with or without an offset', async () => {
    expect(await run([listed([there('900', '2026-11-21T11:00:05+01:00')])]).reconcile(pin([photo()]))).toMatchObject({
      kind: 'sent',
      remoteId: '900',
    })
    expect(
      await run([listed([there('900', '2026-11-21T09:00:05')])]).reconcile(pin([photo()], { createdAt: PLANNED_AT })),
    ).toEqual({ kind: 'absent' })
  })

  it('proves that a Pin is absent on a large board only if the newest were read', async () => {
    const reconcile = (...times: string[]) =>
      run(times.map((time, page) => listed([there(String(page), time, { title: 'Other' })], `more ${page}`))).reconcile(
        pin([photo()]),
      )
    const upTo = (count: number, time: (nth: number) => string) => Array.from({ length: count }, (_, nth) => time(nth))
    expect(await reconcile(...upTo(9, (nth) => `2026-11-21T10:0${9 - nth}:00`), '2026-11-18T09:00:00')).toEqual({
      kind: 'absent',
    })
    for (const time of [
      (nth: number) => `2026-11-21T10:${30 - nth}:00`,
      (nth: number) => `2026-11-${10 + nth}T10:00:00`,
      () => 'no time',
    ])
      expect(await reconcile(...upTo(10, time))).toMatchObject({
        kind: 'rejected',
        reason: { platformCode: 'too-many-to-search' },
      })
  })

  it("proves that a Pin is absent if the board doesn't show it, or is deleted", async () => {
    expect(await run([listed([])]).reconcile(pin([photo()]))).toEqual({ kind: 'absent' })
    expect(await run([problem(404, 40)]).reconcile(pin([photo()]))).toEqual({ kind: 'absent' })
  })

  it.each([
    { fails: 'lost' },
    problem(500, 0),
    problem(429, 8),
    problem(401, 2),
    problem(403, 29),
    { status: 200, json: { hello: 1 } },
  ] as const)("isn't resolved if the board can't be read: %o", async (step) => {
    expect(['retry', 'unknown']).toContain((await run([step]).reconcile(pin([photo()]))).kind)
  })
})

describe('after publishing', () => {
  it('reads the Pin back with its URL', async () => {
    expect(await run([{ on: `GET ${HOST}/pins/900`, json: { id: '900' } }]).readBack('900')).toEqual({
      kind: 'live',
      permalink: 'https://www.pinterest.com/pin/900/',
    })
    expect(await run([problem(404, 50)]).readBack('900')).toEqual({ kind: 'missing' })
    expect((await run([problem(400, 1)]).readBack('900')).kind).toBe('unknown')
  })

  it('deletes it, also twice', async () => {
    expect(await run([{ on: `DELETE ${HOST}/pins/900`, status: 204 }]).remove('900')).toEqual({ kind: 'removed' })
    expect(await run([problem(404, 50)]).remove('900')).toEqual({ kind: 'removed' })
    expect((await run([problem(403, 29)]).remove('900'))?.kind).toBe('rejected')
  })

  it('edits its texts, clears only what was set, and keeps its pictures', async () => {
    const media = [photo()]
    const { said, edit } = run([
      { json: { id: '900', link: 'https://old.test', alt_text: null } },
      { on: `PATCH ${HOST}/pins/900`, json: { id: '900' } },
    ])
    expect(await edit(pin(media, { progress: { files: [media[0]?.assetId] } }), '900')).toEqual({
      kind: 'edited',
      remoteId: '900',
    })
    expect(said()[1]).toEqual({ title: 'Rye', description: 'Baked today', link: '', board_id: '5' })
    expect(await run([]).edit(pin(media, { progress: { files: ['other'] } }), '900')).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'not-editable' },
    })
    expect(await run([problem(404, 50)]).edit(pin(media), '900')).toMatchObject({ kind: 'rejected' })
  })
})
