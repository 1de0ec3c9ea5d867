import { sentenceOf, adviceFor } from '#contract/failures/catalog.ts'
import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type Step } from '../../testing/scriptedFetch.ts'
import type { MediaFile, Outgoing, Reach } from '../platform.ts'
import { createTiktok } from './adapter.ts'
import { cutOf, pieceOf } from './post.ts'
import type { TikTokSecret } from './schemas.ts'

const { publish } = createTiktok()
const secret: TikTokSecret = {
  accessToken: 'act.secret',
  refreshToken: 'rft.secret',
  endsAt: null,
  openId: 'open-77',
  clientId: 'app',
  scopes: ['user.info.basic', 'video.publish', 'video.list'],
}
const account = { remoteId: 'open-77', handle: '@rook', service: null }
const HOST = 'open.tiktokapis.com/v2'
const UPLOAD = 'open-upload.tiktokapis.com/video/'
const ADDRESS = `https://${UPLOAD}?upload_id=1&upload_token=t`
const ID = 'v_pub_file~v2.1'

const run = (steps: Step[], lost?: number) => {
  const fetch = scriptedFetch('tiktok', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    said: () => fetch.asked.map(({ body }) => body.value),
    ranges: () => fetch.asked.filter(({ method }) => method === 'PUT').map(({ headers }) => headers['content-range']),
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    poll: async (post: Outgoing) => await publish.poll?.(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (id: string, post = outgoingPost({ media: [clip()] })) =>
      publish.readBack(reach, secret, account, post, id),
  }
}
const ok = (data: unknown): Pick<Step, 'json'> => ({ json: { data, error: { code: 'ok', message: '', log_id: 'x' } } })
const error = (status: number, code: string, message = 'Words of the platform'): Step => ({
  status,
  json: { error: { code, message, log_id: 'x' } },
})
const creator = (more: object = {}, headers: Record<string, string> = {}): Step => ({
  on: `POST ${HOST}/post/publish/creator_info/query/`,
  headers,
  ...ok({
    creator_username: 'rook',
    privacy_level_options: ['PUBLIC_TO_EVERYONE', 'SELF_ONLY'],
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: true,
    max_video_post_duration_sec: 300,
    ...more,
  }),
})
const begun: Step = { on: `POST ${HOST}/post/publish/video/init/`, ...ok({ publish_id: ID, upload_url: ADDRESS }) }
const photosBegun: Step = { on: `POST ${HOST}/post/publish/content/init/`, ...ok({ publish_id: 'p_pub_url~v2.1' }) }
const piece = (status: number): Step => ({ on: `PUT ${UPLOAD}`, status })
const state = (status: string, more: object = {}): Step => ({
  on: `POST ${HOST}/post/publish/status/fetch/`,
  ...ok({ status, fail_reason: '', ...more }),
})
const listed = (videos: object[], headers: Record<string, string> = {}): Step => ({
  on: `POST ${HOST}/video/list/`,
  headers,
  ...ok({ videos, cursor: 0, has_more: false }),
})

const photo = (more: Partial<MediaFile> & { name?: string } = {}) =>
  syntheticFile('image/jpeg', { name: 'a.jpg', ...more })
const clip = (more: Partial<MediaFile> = {}) => syntheticFile('video/mp4', { bytes: 3_000_000, ...more })
const details = { privacy: 'PUBLIC_TO_EVERYONE' }
const post = (media: readonly MediaFile[], more: Parameters<typeof outgoingPost>[0] = {}): Outgoing =>
  outgoingPost({ text: 'Baked today', media, details, ...more })
const ready = (more: Partial<MediaFile> = {}, progress: Record<string, unknown> = {}): Outgoing =>
  post([clip(more)], { progress: { publishId: ID, address: ADDRESS, ready: true, ...progress } })
const askedAt = PLANNED_AT.toISOString()
const pictures = (more: Parameters<typeof outgoingPost>[0] = {}) =>
  post([photo()], { progress: { ready: true, publishId: null, askedAt }, ...more })

describe('the pieces of a video', () => {
  it.each([
    [1, 1],
    [4_999_999, 1],
    [15_999_999, 1],
    [16_000_000, 2],
    [33_000_000, 4],
    [1_000_000_000, 125],
  ])('%i bytes in %i pieces', (size, count) => {
    const { chunk } = cutOf(size)
    expect(cutOf(size)).toEqual({ chunk: count === 1 ? size : 8_000_000, count })
    // as TikTok counts
    expect(Math.floor(size / chunk)).toBe(count)
    const pieces = Array.from({ length: count }, (_, index) => pieceOf(size, index))
    expect(pieces[0]?.start).toBe(0)
    expect(pieces.at(-1)?.end).toBe(size)
    for (const [index, { start, end }] of pieces.entries()) {
      expect(start).toBe(pieces[index - 1]?.end ?? 0)
      expect(end - start).toBeLessThan(16_000_000)
    }
  })
})

describe('a video', () => {
  it('is initialized with exactly the chosen options', async () => {
    const { said, prepare } = run([creator(), begun])
    const interactions = { comment: true, duet: false, stitch: true }
    expect(
      await prepare(post([clip({ thumbnailSeconds: 1.5 })], { details: { ...details, interactions } })),
    ).toMatchObject({ kind: 'preparing', progress: { publishId: ID, address: ADDRESS, sent: 0 } })
    // stitches are switched off in the account
    expect(said()[1]).toEqual({
      post_info: {
        title: 'Baked today',
        privacy_level: 'PUBLIC_TO_EVERYONE',
        disable_comment: false,
        disable_duet: true,
        disable_stitch: true,
        brand_organic_toggle: false,
        brand_content_toggle: false,
        video_cover_timestamp_ms: 1500,
      },
      source_info: { source: 'FILE_UPLOAD', video_size: 3_000_000, chunk_size: 3_000_000, total_chunk_count: 1 },
    })
    const silent = run([creator(), begun])
    await silent.prepare(post([clip()], { contents: [{ title: 'Rye', text: 'Baked', media: [clip()] }] }))
    expect(silent.said()[1]).toMatchObject({
      post_info: { title: 'Rye\nBaked', disable_comment: true, disable_duet: true, disable_stitch: true },
    })
  })

  it("declares what it promotes, and isn't sent as private branded content", async () => {
    const disclosure = { yourBrand: true, brandedContent: true }
    const branded = run([creator(), begun])
    await branded.prepare(post([clip()], { details: { ...details, disclosure } }))
    expect(branded.said()[1]).toMatchObject({
      post_info: { brand_organic_toggle: true, brand_content_toggle: true },
    })
    const hidden = run([creator()])
    expect(await hidden.prepare(post([clip()], { details: { privacy: 'SELF_ONLY', disclosure } }))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'branded-private' },
    })
    // what promotes the author alone may be private
    const own = run([creator(), begun])
    expect(
      await own.prepare(
        post([clip()], { details: { privacy: 'SELF_ONLY', disclosure: { yourBrand: true, brandedContent: false } } }),
      ),
    ).toMatchObject({ kind: 'preparing' })
  })

  it('is uploaded except for its last piece, which is the send', async () => {
    const media = { bytes: 24_500_000 }
    const first = run([piece(206), piece(206)])
    expect(await first.prepare(ready(media, { ready: false }))).toMatchObject({
      kind: 'prepared',
      progress: { sent: 2, ready: true },
    })
    expect(first.ranges()).toEqual(['bytes 0-7999999/24500000', 'bytes 8000000-15999999/24500000'])
    const last = run([piece(201)])
    expect(await last.send(ready(media, { sent: 2 }))).toMatchObject({ kind: 'processing' })
    expect(last.ranges()).toEqual(['bytes 16000000-24499999/24500000'])
    expect(last.fetch.asked[0]?.headers.authorization).toBeUndefined()
    expect(last.fetch.asked[0]?.headers['content-type']).toBe('video/mp4')
  })

  it('of one piece needs no upload before its send', async () => {
    expect(await run([]).prepare(ready({}, { ready: false }))).toMatchObject({
      kind: 'prepared',
      progress: { ready: true, sent: 0 },
    })
  })

  it('stores its progress every 25 pieces', async () => {
    const { prepare } = run(Array.from({ length: 25 }, () => piece(206)))
    expect(await prepare(ready({ bytes: 240_000_000 }, { ready: false }))).toMatchObject({
      kind: 'preparing',
      progress: { sent: 25 },
      checkAfterSeconds: 0,
    })
  })

  it("continues after what has arrived, and starts over if the old upload can't succeed", async () => {
    const large = { bytes: 33_000_000 }
    const open = ready(large, { ready: false })
    expect(await run([{ fails: 'lost' }]).prepare(open)).toMatchObject({ kind: 'retry' })
    expect(
      await run([piece(416), state('PROCESSING_UPLOAD', { uploaded_bytes: 8_000_000 })]).prepare(open),
    ).toMatchObject({ kind: 'preparing', progress: { sent: 1, publishId: ID } })
    expect(await run([piece(416), state('PROCESSING_UPLOAD', { uploaded_bytes: 0 })]).prepare(open)).toMatchObject({
      kind: 'preparing',
      progress: { publishId: null, failed: 1 },
    })
    expect(await run([piece(403)]).prepare(open)).toMatchObject({
      kind: 'preparing',
      progress: { publishId: null, failed: 1 },
    })
    expect(await run([piece(403)]).prepare(ready(large, { ready: false, failed: 2 }))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'upload-failed' },
    })
    expect(await run([piece(503)]).prepare(open)).toMatchObject({ kind: 'retry' })
  })

  it('checks what has arrived before starting over if the URL has expired', async () => {
    expect(await run([piece(403)]).send(ready())).toMatchObject({ kind: 'retry', first: 'prepare' })
    expect(await run([state('PROCESSING_UPLOAD', { uploaded_bytes: 0 })]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { publishId: null },
    })
    expect(await run([state('FAILED', { fail_reason: 'internal' })]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { publishId: null },
    })
    expect(await run([error(400, 'invalid_publish_id')]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { publishId: null },
    })
    expect(await run([state('PROCESSING_UPLOAD')]).prepare(ready())).toMatchObject({
      kind: 'preparing',
      progress: { publishId: ID },
    })
    for (const gone of [state('PUBLISH_COMPLETE'), state('PROCESSING_UPLOAD', { uploaded_bytes: 3_000_000 })]) {
      const answer = await run([gone]).prepare(ready())
      expect(answer).toMatchObject({ kind: 'prepared', progress: { gone: true } })
      // nothing is sent any more
      if (answer.kind === 'prepared')
        expect(await run([]).send(ready({}, answer.progress))).toMatchObject({ kind: 'processing' })
    }
  })

  it.each([
    ['a lost answer', { fails: 'lost' }, 'unknown'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['a wrong range', piece(416), 'unknown'],
    ['trouble', piece(500), 'unknown'],
  ] as const)('has a last piece: %s', async (_, step, kind) => {
    expect((await run([step]).send(ready())).kind).toBe(kind)
  })

  it('is reconciled by its publish ID', async () => {
    expect(await run([state('PROCESSING_UPLOAD', { uploaded_bytes: 0 })]).reconcile(ready())).toEqual({
      kind: 'absent',
    })
    expect(await run([state('FAILED', { fail_reason: 'internal' })]).reconcile(ready())).toEqual({ kind: 'absent' })
    expect(await run([state('PROCESSING_UPLOAD', { uploaded_bytes: 3_000_000 })]).reconcile(ready())).toMatchObject({
      kind: 'retry',
      afterSeconds: 30,
    })
    expect(
      await run([state('PUBLISH_COMPLETE', { publicaly_available_post_id: [555] })]).reconcile(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '555' })
    expect(await run([state('PUBLISH_COMPLETE')]).reconcile(ready())).toMatchObject({ kind: 'sent', remoteId: ID })
    for (const step of [{ fails: 'lost' } as const, error(500, 'internal_error'), error(400, 'invalid_param')])
      expect(['retry', 'unknown']).toContain((await run([step]).reconcile(ready())).kind)
  })
})

describe("posts that this account can't publish", () => {
  it.each([
    [
      'other viewers than it may choose',
      post([clip()], { details: { privacy: 'FOLLOWER_OF_CREATOR' } }),
      'privacy_level_option_mismatch',
    ],
    ['viewers that nobody chose', post([clip()], { details: {} }), 'no-privacy'],
    ['a longer video than it may post', post([clip({ seconds: 301 })]), 'duration_check_failed'],
    [
      'title and text that are too long together',
      post([], { contents: [{ title: 'R'.repeat(90), text: 'x'.repeat(2200), media: [clip()] }] }),
      'title-too-long',
    ],
    ['pictures that TikTok cannot fetch', post([photo({ url: () => null })]), 'no-public-address'],
    ['words alone', post([]), 'no-media'],
  ])('%s', async (_, given, platformCode) => {
    const answer = await run([creator()]).prepare(given)
    expect(answer).toMatchObject({ kind: 'rejected', reason: { platformCode } })
  })

  it("don't include texts at their limits", async () => {
    expect(
      await run([creator(), begun]).prepare(post([clip({ seconds: 300 })], { text: 'x'.repeat(2200) })),
    ).toMatchObject({ kind: 'preparing' })
  })
})

describe('photos', () => {
  it('can be 35, with title and text at their limits', async () => {
    const given = pictures({
      contents: [{ title: 't'.repeat(90), text: 'x'.repeat(2200), media: Array.from({ length: 35 }, () => photo()) }],
    })
    const { said, send } = run([creator(), photosBegun])
    expect(await send(given)).toMatchObject({ kind: 'processing', progress: { publishId: 'p_pub_url~v2.1' } })
    expect(said()[1]).toEqual({
      media_type: 'PHOTO',
      post_mode: 'DIRECT_POST',
      post_info: {
        title: 't'.repeat(90),
        description: 'x'.repeat(2200),
        privacy_level: 'PUBLIC_TO_EVERYONE',
        disable_comment: true,
        brand_organic_toggle: false,
        brand_content_toggle: false,
      },
      source_info: {
        source: 'PULL_FROM_URL',
        photo_images: Array.from({ length: 35 }, () => 'https://media.rookery.test/a.jpg'),
        photo_cover_index: 0,
      },
    })
  })

  it("are sent soon after reading the account's options, or prepared again", async () => {
    const late = new Date(PLANNED_AT.getTime() + 26 * 60_000).toUTCString()
    expect(await run([creator({}, { date: late })]).send(pictures())).toMatchObject({
      kind: 'retry',
      first: 'prepare',
      afterSeconds: 0,
    })
    expect(await run([]).send(post([photo()]))).toMatchObject({ kind: 'retry', first: 'prepare' })
    // one that failed is not taken for this one
    expect(
      await run([]).send(pictures({ progress: { ready: true, publishId: 'p_pub_url~v2.0', askedAt } })),
    ).toMatchObject({ kind: 'retry', first: 'prepare' })
    expect(await run([creator({}, { date: PLANNED_AT.toUTCString() })]).prepare(post([photo()]))).toMatchObject({
      kind: 'prepared',
      progress: { askedAt, publishId: null },
    })
  })

  const other = {
    id: '1',
    create_time: PLANNED_AT.getTime() / 1000 - 7200,
    share_url: 'https://www.tiktok.com/@rook/photo/1',
    video_description: 'Older',
    title: '',
  }
  const after = (minutes: number) => ({ date: new Date(PLANNED_AT.getTime() + minutes * 60_000).toUTCString() })

  it('are found by their text after a lost response', async () => {
    const ours = { ...other, id: '2', create_time: PLANNED_AT.getTime() / 1000 + 5, video_description: ' Baked  today' }
    expect(
      await run([listed([ours, { ...ours, id: '3', create_time: ours.create_time - 86_400 }])]).reconcile(pictures()),
    ).toMatchObject({ kind: 'sent', remoteId: '2' })
  })

  it.each([
    ['had no time to come', pictures(), listed([other], after(44))],
    ['are not public', pictures({ details: { privacy: 'SELF_ONLY' } }), listed([other], after(50))],
    [
      'are of a kind that the list does not show',
      pictures(),
      listed([{ ...other, share_url: 'https://www.tiktok.com/@rook/video/1' }], after(50)),
    ],
    [
      'were asked for at no time',
      pictures({ progress: { ready: true, publishId: null, askedAt: null } }),
      listed([other], after(50)),
    ],
  ])("ask a person if they aren't listed and %s", async (_, given, list) => {
    expect(await run([list]).reconcile(given)).toMatchObject({
      kind: 'unknown',
      reason: { platformCode: 'not-listed' },
    })
  })

  it("are looked for on the next page if they aren't on the first", async () => {
    const newer = Array.from({ length: 20 }, (_, index) => ({
      ...other,
      id: String(index + 1),
      create_time: PLANNED_AT.getTime() / 1000 + 60,
    }))
    const more = { videos: newer, has_more: true, cursor: (PLANNED_AT.getTime() / 1000 + 60) * 1000 }
    const first = await run([{ ...ok(more), headers: after(50) }, { fails: 'lost' }]).reconcile(pictures())
    expect(first).toMatchObject({ kind: 'retry' })
    const whole = run([{ ...ok(more), headers: after(50) }, listed([{ ...other, id: '99' }], after(50))])
    expect(await whole.reconcile(pictures())).toEqual({ kind: 'absent' })
    expect(whole.fetch.asked.at(-1)?.body.value).toEqual({ max_count: 20, cursor: more.cursor })
  })

  it("are absent if they aren't listed although they had time to appear", async () => {
    expect(await run([listed([other], after(46))]).reconcile(pictures())).toEqual({ kind: 'absent' })
  })

  it('are reconciled by their publish ID if they have one', async () => {
    const given = pictures({ progress: { ready: true, publishId: 'p_pub_url~v2.1', askedAt } })
    expect(await run([state('PROCESSING_DOWNLOAD')]).reconcile(given)).toMatchObject({ kind: 'retry' })
    expect(await run([state('PUBLISH_COMPLETE', { publicaly_available_post_id: [7] })]).reconcile(given)).toMatchObject(
      {
        kind: 'sent',
        remoteId: '7',
      },
    )
  })

  it.each([
    ['dead token', error(401, 'access_token_invalid'), { kind: 'retry', first: 'renew' }],
    ['no right', error(401, 'scope_not_authorized'), { kind: 'reconnect' }],
    ['throttled', error(429, 'rate_limit_exceeded'), { kind: 'retry', afterSeconds: 60, closesBudget: true }],
    [
      'too many posts',
      error(403, 'spam_risk_too_many_posts'),
      { kind: 'retry', afterSeconds: 3600, closesBudget: true },
    ],
    ['too many accounts of the app', error(403, 'reached_active_user_cap'), { kind: 'retry', afterSeconds: 3600 }],
    ['banned', error(403, 'spam_risk_user_banned_from_posting'), { kind: 'rejected' }],
    ['spam', error(403, 'spam_risk'), { kind: 'rejected' }],
    ['spam in the text, with status 200', error(200, 'spam_risk_text'), { kind: 'rejected' }],
    ['address not verified', error(403, 'url_ownership_unverified'), { kind: 'rejected' }],
    ['viewers', error(403, 'privacy_level_option_mismatch'), { kind: 'rejected' }],
    ['not audited', error(403, 'unaudited_client_can_only_post_to_private_accounts'), { kind: 'rejected' }],
    [
      'bad parameter',
      error(400, 'invalid_param', 'The title is too long'),
      {
        kind: 'rejected',
        reason: { code: 'refused', params: { doing: 'publish-post', words: 'The title is too long.' } },
      },
    ],
    ['trouble of its own', error(500, 'internal_error'), { kind: 'unknown' }],
    ['trouble with status 200', error(200, 'internal_error'), { kind: 'unknown' }],
    ['no words at all', { status: 502, text: 'Bad gateway' }, { kind: 'unknown' }],
    ['a gateway that refuses', { status: 403, text: '<html>' }, { kind: 'retry' }],
    ['a lost answer', { fails: 'lost' }, { kind: 'unknown' }],
    ['nothing sent', { fails: 'unsent' }, { kind: 'retry' }],
    ['an answer without sense', { json: { hello: 1 } }, { kind: 'unknown' }],
  ] as const)('%s', async (_, step, expected) => {
    const answer = await run([creator(), step]).send(pictures())
    expect(answer).toMatchObject(expected)
    expect('reason' in answer && sentenceOf(answer.reason) && adviceFor(answer.reason)).toBeTruthy()
    expect(JSON.stringify(answer)).not.toContain('act.secret')
  })

  it("weren't sent if the response to reading the account is lost", async () => {
    expect(await run([creator(), photosBegun], 0).send(pictures())).toMatchObject({ kind: 'retry' })
    expect(await run([creator()], 0).prepare(post([photo()]))).toMatchObject({ kind: 'retry' })
    for (const lost of [0, 1])
      expect(await run([creator(), begun], lost).prepare(post([clip()]))).toMatchObject({ kind: 'retry' })
  })
})

describe('a post in progress', () => {
  it("is checked until it's published; a public one gets its ID a little later", async () => {
    expect(await run([state('PROCESSING_UPLOAD')]).poll(ready())).toMatchObject({
      kind: 'processing',
      progress: { looks: 0 },
    })
    expect(await run([state('PUBLISH_COMPLETE')]).poll(ready())).toMatchObject({
      kind: 'processing',
      progress: { looks: 1 },
    })
    expect(
      await run([
        {
          text: '{"data":{"status":"PUBLISH_COMPLETE","publicaly_available_post_id":[7541234567890123456]},"error":{"code":"ok","message":""}}',
        },
      ]).poll(ready()),
    ).toMatchObject({ kind: 'sent', remoteId: '7541234567890123456' })
    expect(await run([state('PUBLISH_COMPLETE')]).poll(ready({}, { looks: 10 }))).toMatchObject({
      kind: 'sent',
      remoteId: ID,
    })
    expect(
      await run([state('PUBLISH_COMPLETE')]).poll({ ...ready(), details: { privacy: 'SELF_ONLY' } }),
    ).toMatchObject({ kind: 'sent', remoteId: ID })
    expect((await run([{ fails: 'lost' }]).poll(ready()))?.kind).toBe('retry')
  })

  it.each([
    'file_format_check_failed',
    'duration_check_failed',
    'frame_rate_check_failed',
    'picture_size_check_failed',
    'internal',
    'video_pull_failed',
    'photo_pull_failed',
    'publish_cancelled',
    'auth_removed',
    'spam_risk_too_many_posts',
    'spam_risk_user_banned_from_posting',
    'spam_risk_text',
    'spam_risk',
    '',
  ])('explains why it failed for %s and what to do', async (fail_reason) => {
    const answer = await run([state('FAILED', { fail_reason })]).poll(ready())
    expect(answer).toMatchObject({
      kind: 'rejected',
      reason: {
        platformCode: fail_reason || 'FAILED',
        code: expect.any(String),
      },
    })
  })

  it("is read back by its URL, or by its publish ID if it's in no list", async () => {
    const query = (videos: object[]): Step => ({ on: `POST ${HOST}/video/query/`, ...ok({ videos }) })
    expect(
      await run([
        query([{ id: '555', share_url: 'https://www.tiktok.com/@rook/video/555?utm_campaign=tt4d&utm_source=app' }]),
      ]).readBack('555'),
    ).toEqual({ kind: 'live', permalink: 'https://www.tiktok.com/@rook/video/555' })
    expect(
      await run([query([]), state('PUBLISH_COMPLETE', { publicaly_available_post_id: [555] })]).readBack('555', {
        ...post([photo()]),
        progress: { publishId: 'p' },
      }),
    ).toEqual({ kind: 'live', permalink: 'https://www.tiktok.com/@rook/photo/555' })
    expect(await run([state('PUBLISH_COMPLETE')]).readBack(ID)).toEqual({
      kind: 'live',
      permalink: 'https://www.tiktok.com/@rook',
    })
    expect(await run([query([])]).readBack('555')).toEqual({ kind: 'missing' })
    expect(await run([state('FAILED')]).readBack(ID)).toEqual({ kind: 'missing' })
    expect((await run([error(400, 'invalid_publish_id')]).readBack(ID)).kind).toBe('unknown')
  })
})
