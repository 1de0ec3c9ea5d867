import { sentenceOf, adviceFor } from '#contract/failures/catalog.ts'
import { describe, expect, it } from 'vitest'
import { outgoingPost, PLANNED_AT, syntheticFile } from '../../testing/outgoing.ts'
import { scriptedFetch, type ScriptedRequest, type Step } from '../../testing/scriptedFetch.ts'
import type { Outgoing, FollowUpToSend, Reach } from '../platform.ts'
import { createFacebook } from './adapter.ts'
import type { FacebookSecret } from './schemas.ts'

const { publish, metrics, ownPosts } = createFacebook()
const secret: FacebookSecret = { accessToken: 'page-token', pageId: '77', clientId: 'app', scopes: [] }
const account = { remoteId: '77', handle: '@rook', service: null }
const G = 'graph.facebook.com/v25.0'
const at = '2026-11-21T10:00:05+0000'

const run = (steps: (Step | ((request: ScriptedRequest) => Step))[], lost?: number) => {
  const fetch = scriptedFetch('facebook', steps, lost === undefined ? {} : { lost })
  const reach: Reach = { fetch, signal: new AbortController().signal }
  return {
    fetch,
    reach,
    prepare: (post: Outgoing) => publish.prepare(reach, secret, account, post),
    send: (post: Outgoing) => publish.send(reach, secret, account, post),
    poll: async (post: Outgoing) => await publish.poll?.(reach, secret, account, post),
    reconcile: (post: Outgoing) => publish.reconcile(reach, secret, account, post),
    readBack: (post: Outgoing, id: string) => publish.readBack(reach, secret, account, post, id),
    remove: async (id: string) => await publish.remove?.(reach, secret, account, id),
    edit: async (post: Outgoing, id: string) => await publish.edit?.(reach, secret, account, post, id),
    part: async (post: Outgoing) => await publish.sendFollowUp?.(reach, secret, account, post, comment),
    reconcileFollowUp: async (post: Outgoing) =>
      await publish.reconcileFollowUp?.(reach, secret, account, post, comment),
  }
}
const comment: FollowUpToSend = {
  key: 'comment',
  kind: 'comment',
  sendKey: 'key',
  progress: {},
  sent: [{ key: 'post', remoteId: '77_1', progress: {} }],
}
/** What was sent in forms, as text: a check against a description may have read numbers and flags out of it. */
const forms = (fetch: ReturnType<typeof scriptedFetch>) =>
  fetch.asked
    .filter(({ method }) => method === 'POST')
    .map(({ body }) =>
      Object.fromEntries(Object.entries(body.value ?? {}).map(([name, value]) => [name, String(value)])),
    )
const graphError = (code: number, more: Record<string, unknown> = {}, status = 400): Step => ({
  status,
  json: { error: { message: 'Words of the platform', type: 'OAuthException', code, ...more } },
})
const photo = (altText = '') => syntheticFile('image/jpeg', { altText })
const clip = (bytes = 5000) => syntheticFile('video/mp4', { bytes })

describe('text and links', () => {
  it('are posted to the feed in one call, without preparation', async () => {
    const post = outgoingPost({ text: 'Good morning', details: { link: 'https://example.com/a', placeId: '123' } })
    expect(publish.needsPrepare(post)).toBe(false)
    const { fetch, send } = run([{ on: `POST ${G}/77/feed`, json: { id: '77_1' } }])
    expect(await send(post)).toEqual({ kind: 'sent', remoteId: '77_1', progress: {} })
    expect(forms(fetch)).toEqual([{ message: 'Good morning', link: 'https://example.com/a', place: '123' }])
    expect(fetch.asked[0]?.headers.authorization).toBe('Bearer page-token')
  })

  it('are read back with their URL', async () => {
    expect(
      await run([{ json: { id: '77_1', permalink_url: 'https://www.facebook.com/77/posts/1' } }]).readBack(
        outgoingPost({}),
        '77_1',
      ),
    ).toEqual({ kind: 'live', permalink: 'https://www.facebook.com/77/posts/1' })
    expect(await run([graphError(100, { error_subcode: 33 })]).readBack(outgoingPost({}), '77_1')).toEqual({
      kind: 'missing',
    })
  })
})

describe('pictures', () => {
  it('are uploaded unpublished, progress is stored every five, and one post shows all thirty', async () => {
    const media = Array.from({ length: 30 }, () => photo('A rook'))
    let post = outgoingPost({ text: 'All', media, details: { link: 'https://example.com' } })
    const ids: string[] = []
    for (let round = 0; round < 6; round++) {
      const five = Array.from({ length: 5 }, (_, index) => String(1000 + round * 5 + index))
      ids.push(...five)
      const { fetch, prepare } = run(five.map((id) => ({ on: `POST ${G}/77/photos`, json: { id } })))
      const answer = await prepare(post)
      expect(answer.kind).toBe(round < 5 ? 'preparing' : 'prepared')
      expect(fetch.asked[0]?.body).toMatchObject({
        value: { alt_text_custom: 'A rook' },
        files: { source: { bytes: 1000, contentType: 'image/jpeg' } },
      })
      if (answer.kind === 'preparing' || answer.kind === 'prepared') post = { ...post, progress: answer.progress }
    }
    const { fetch, send } = run([{ json: { id: '77_1' } }])
    expect(await send(post)).toMatchObject({ kind: 'sent' })
    const form = forms(fetch)[0]
    expect(form).toMatchObject({
      message: 'All\nhttps://example.com',
      'attached_media[0]': '{"media_fbid":"1000"}',
      'attached_media[29]': '{"media_fbid":"1029"}',
    })
    expect(form).not.toHaveProperty('link')
    expect(ids).toEqual(post.progress.photos)
  })

  it("aren't shown by a send that comes before them", async () => {
    expect(await run([]).send(outgoingPost({ media: [photo()] }))).toMatchObject({ kind: 'retry', first: 'prepare' })
  })
})

describe('a feed video', () => {
  const start = (startAt: number, end: number): Step => ({
    on: `POST ${G}/77/videos`,
    json: { video_id: '500', upload_session_id: '600', start_offset: String(startAt), end_offset: String(end) },
  })
  const piece = (startAt: number, end: number): Step => ({
    on: `POST ${G}/77/videos`,
    json: { start_offset: String(startAt), end_offset: String(end) },
  })

  it("is uploaded in the pieces that the platform requests, published by the last call, and checked until it's live", async () => {
    const post = outgoingPost({
      text: 'Watch',
      media: [syntheticFile('video/mp4', { bytes: 5000, thumbnail: syntheticFile('image/jpeg', { bytes: 10 }) })],
    })
    const begun = await run([start(0, 2000)]).prepare(post)
    expect(begun).toMatchObject({ kind: 'preparing', progress: { videoId: '500', session: '600' } })
    if (begun.kind !== 'preparing') return
    const pieces = run([piece(2000, 4000), piece(4000, 5000), piece(5000, 5000)])
    const whole = await pieces.prepare({ ...post, progress: begun.progress })
    expect(pieces.fetch.asked.map(({ body }) => [body.value, body.files.video_file_chunk?.bytes])).toMatchObject([
      [{ upload_phase: 'transfer', upload_session_id: '600', start_offset: expect.anything() }, 2000],
      [{ upload_phase: 'transfer' }, 2000],
      [{ upload_phase: 'transfer' }, 1000],
    ])
    if (whole.kind !== 'prepared') throw new Error(whole.kind)
    const finish = run([{ on: `POST ${G}/77/videos`, json: { success: true } }])
    expect(await finish.send({ ...post, progress: whole.progress })).toMatchObject({ kind: 'processing' })
    expect(finish.fetch.asked[0]?.body).toMatchObject({
      value: { upload_phase: 'finish', description: 'Watch' },
      files: { thumb: { bytes: 10 } },
    })
    const ready = { ...post, progress: whole.progress }
    expect(await run([{ json: { id: '500', status: { video_status: 'processing' } } }]).poll(ready)).toMatchObject({
      kind: 'processing',
    })
    expect(
      await run([{ json: { id: '500', published: true, status: { video_status: 'ready' } } }]).poll(ready),
    ).toMatchObject({ kind: 'sent', remoteId: '500' })
    expect(await run([{ json: { id: '500', permalink_url: '/77/videos/500/' } }]).readBack(post, '500')).toEqual({
      kind: 'live',
      permalink: 'https://www.facebook.com/77/videos/500/',
    })
  })

  it('stores progress while gigabytes are uploaded, and never has more than a piece in memory', async () => {
    const bytes = 1_000_000_000
    const post = outgoingPost({
      media: [clip(bytes)],
      progress: { videoId: '500', session: '600', start: 0, end: 100_000_000 },
    })
    const answer = await run([piece(100_000_000, 200_000_000), piece(200_000_000, 300_000_000)]).prepare(post)
    expect(answer).toMatchObject({
      kind: 'preparing',
      checkAfterSeconds: 0,
      progress: { start: 200_000_000, end: 300_000_000 },
    })
  })

  it('continues where the platform is after a lost response to a piece', async () => {
    const post = outgoingPost({ media: [clip()], progress: { videoId: '500', session: '600', start: 0, end: 2000 } })
    expect(await run([piece(2000, 4000)], 0).prepare(post)).toMatchObject({ kind: 'retry' })
    const again = run([
      graphError(6001, { error_subcode: 1363037, error_data: { start_offset: 4000, end_offset: 5000 } }),
      piece(5000, 5000),
    ])
    expect(await again.prepare(post)).toMatchObject({ kind: 'prepared' })
    expect(again.fetch.asked[1]?.body.files.video_file_chunk?.bytes).toBe(1000)
    const asText = run([
      graphError(6000, { error_subcode: 1363037, error_data: '{"start_offset":4000}' }),
      piece(5000, 5000),
    ])
    expect(await asText.prepare(post)).toMatchObject({ kind: 'prepared' })
    expect(asText.fetch.asked[1]?.body.files.video_file_chunk?.bytes).toBe(1000)
  })

  it('starts over if the upload is gone, and fails after three attempts', async () => {
    const post = (failed: number) =>
      outgoingPost({ media: [clip()], progress: { videoId: '500', session: '600', start: 0, end: 2000, failed } })
    expect(await run([graphError(6000)]).prepare(post(0))).toMatchObject({
      kind: 'preparing',
      progress: { session: null, failed: 1 },
    })
    expect(await run([graphError(6000)]).prepare(post(2))).toMatchObject({ kind: 'rejected' })
  })

  it('reports why it failed on the platform', async () => {
    const post = outgoingPost({ media: [clip()], progress: { videoId: '500', session: '600' } })
    expect(
      await run([
        {
          json: {
            id: '500',
            status: { video_status: 'error', processing_phase: { status: 'error', errors: [{ message: 'No sound' }] } },
          },
        },
      ]).poll(post),
    ).toMatchObject({
      kind: 'rejected',
      reason: { code: 'facebook-video-failed', params: { words: 'No sound.' } },
    })
  })
})

describe('reels', () => {
  const uploadUrl = 'https://rupload.facebook.com/video-upload/v25.0/500'
  const post = (progress: Record<string, unknown> = { videoId: '500', uploadUrl }) =>
    outgoingPost({ postType: 'reel', text: 'Reel', media: [clip()], progress })
  const look = (uploading: Record<string, unknown>, more: Record<string, unknown> = {}): Step => ({
    on: `GET ${G}/500`,
    json: {
      id: '500',
      status: {
        video_status: 'processing',
        uploading_phase: uploading,
        processing_phase: { status: 'not_started' },
        publishing_phase: { status: 'not_started' },
        ...more,
      },
    },
  })

  it('are started, streamed to the upload host, finished and checked', async () => {
    expect(
      await run([{ on: `POST ${G}/77/video_reels`, json: { video_id: '500', upload_url: uploadUrl } }]).prepare(
        post({}),
      ),
    ).toMatchObject({ kind: 'preparing', progress: { videoId: '500', uploadUrl } })
    const upload = run([
      look({ status: 'not_started' }),
      { on: 'POST rupload.facebook.com/video-upload/v25.0/500', json: { success: true } },
    ])
    expect(await upload.prepare(post())).toMatchObject({ kind: 'preparing', checkAfterSeconds: 0 })
    expect(upload.fetch.asked[1]).toMatchObject({
      headers: { authorization: 'OAuth page-token', offset: '0', file_size: '5000' },
      body: { bytes: 5000 },
    })
    expect(await run([look({ status: 'complete' })]).prepare(post())).toMatchObject({ kind: 'prepared' })
    const finish = run([{ on: `POST ${G}/77/video_reels`, json: { success: true } }])
    expect(await finish.send(post())).toMatchObject({ kind: 'processing' })
    expect(forms(finish.fetch)).toEqual([
      { upload_phase: 'finish', video_id: '500', video_state: 'PUBLISHED', description: 'Reel' },
    ])
    expect(
      await run([look({ status: 'complete' }, { publishing_phase: { status: 'in_progress' } })]).poll(post()),
    ).toMatchObject({ kind: 'processing' })
    expect(
      await run([look({ status: 'complete' }, { publishing_phase: { status: 'complete' } })]).poll(post()),
    ).toMatchObject({ kind: 'sent', remoteId: '500' })
  })

  describe('after a complete upload', () => {
    /** Sixty rounds of preparation against a status that never says more than this. */
    async function prepareAgainAndAgain(uploading: Record<string, unknown>) {
      let [uploads, waited, ended]: [number, number, string] = [0, 0, 'preparing']
      let progress: Record<string, unknown> = { videoId: '500', uploadUrl }
      for (let round = 0; round < 60 && ended === 'preparing'; round++) {
        const { fetch, prepare } = run([
          look(uploads === 0 ? { status: 'not_started' } : uploading),
          { json: { success: true } },
        ])
        const answer = await prepare(post(progress))
        uploads += fetch.asked.filter(({ url }) => url.host === 'rupload.facebook.com').length
        if ('progress' in answer) progress = answer.progress
        waited += answer.kind === 'preparing' ? answer.checkAfterSeconds : 0
        // a new video id begins a new round, which is another story
        ended = progress.videoId === null ? 'afresh' : answer.kind
      }
      return { uploads, waited, ended }
    }

    it.each([
      ['the SDK spells it complete', { status: 'complete' }],
      ['the Reels page spells it completed', { status: 'completed' }],
    ])('are ready: %s', async (_, uploading) => {
      expect(await prepareAgainAndAgain(uploading)).toEqual({ uploads: 1, waited: 0, ended: 'prepared' })
    })

    it.each([
      ['it says no bytes', { status: 'in_progress' }],
      ['the SDK spells them bytes_transferred', { status: 'in_progress', bytes_transferred: 5000 }],
      ['the Reels page spells them bytes_transfered', { status: 'in_progress', bytes_transfered: 5000 }],
      ['it names fewer bytes than were taken', { status: 'in_progress', bytes_transferred: 10 }],
    ])("wait and aren't uploaded again: %s", async (_, uploading) => {
      expect(await prepareAgainAndAgain(uploading)).toEqual({ uploads: 1, waited: 600, ended: 'afresh' })
    })
  })

  it.each([
    ['errors', { errors: [{ message: 'The video is too dark' }] }],
    ['error', { error: { message: 'The video is too dark' } }],
  ])("report why they failed, whether it's in %s", async (_, more) => {
    const failed = { processing_phase: { status: 'error', ...more } }
    expect(await run([look({ status: 'complete' }, failed)]).poll(post())).toMatchObject({
      kind: 'rejected',
      reason: { code: 'facebook-video-failed', params: { words: 'The video is too dark.' } },
    })
  })

  it('are published with either spelling', async () => {
    for (const status of ['complete', 'completed'])
      expect(await run([look({ status }, { publishing_phase: { status } })]).poll(post())).toMatchObject({
        kind: 'sent',
      })
  })

  it('continue where the stream was interrupted', async () => {
    for (const name of ['bytes_transferred', 'bytes_transfered']) {
      const upload = run([look({ status: 'in_progress', [name]: 3000 }), { json: { success: true } }])
      await upload.prepare(post())
      expect(upload.fetch.asked[1]).toMatchObject({
        headers: { offset: '3000', file_size: '5000' },
        body: { bytes: 2000 },
      })
    }
  })

  it("send no token to a URL that isn't on the upload host", async () => {
    expect(
      await run([{ json: { video_id: '500', upload_url: 'https://evil.test/500' } }]).prepare(post({})),
    ).toMatchObject({ kind: 'retry', reason: { platformCode: 'garbled' } })
  })

  it('get the chosen cover, and do without a refused one', async () => {
    const media = [syntheticFile('video/mp4', { bytes: 5000, thumbnail: syntheticFile('image/jpeg', { bytes: 10 }) })]
    const covered = run([look({ status: 'complete' }), { on: `POST ${G}/500/thumbnails`, json: { success: true } }])
    expect(await covered.prepare({ ...post(), contents: [{ text: '', media }] })).toMatchObject({
      kind: 'prepared',
      progress: { cover: true },
    })
    expect(covered.fetch.asked[1]?.body).toMatchObject({
      value: { is_preferred: 'true' },
      files: { source: { bytes: 10 } },
    })
    expect(
      await run([look({ status: 'complete' }), graphError(100)]).prepare({
        ...post(),
        contents: [{ text: '', media }],
      }),
    ).toMatchObject({ kind: 'prepared' })
  })

  it('are reconciled by the video itself after a lost response to the last call', async () => {
    expect(await run([{ json: { success: true } }], 0).send(post())).toMatchObject({ kind: 'unknown' })
    const complete = { status: 'complete' }
    expect(await run([look(complete, { publishing_phase: complete })]).reconcile(post())).toMatchObject({
      kind: 'sent',
      remoteId: '500',
    })
    expect(await run([look(complete)]).reconcile(post())).toEqual({ kind: 'absent' })
    expect(
      await run([look(complete, { processing_phase: { status: 'in_progress' } })]).reconcile(post()),
    ).toMatchObject({
      kind: 'retry',
    })
    expect(await run([graphError(100, { error_subcode: 33 })]).reconcile(post())).toEqual({ kind: 'absent' })
    expect(await run([look(complete)], 0).reconcile(post())).toMatchObject({ kind: 'retry' })
  })
})

describe('stories', () => {
  const pictureStory = outgoingPost({ postType: 'story', media: [photo()], progress: { photos: ['300'] } })
  const videoStory = outgoingPost({
    postType: 'story',
    media: [clip()],
    progress: { videoId: '500', uploadUrl: 'https://rupload.facebook.com/video-upload/500' },
  })
  const stories = (...data: unknown[]): Step => ({ on: `GET ${G}/77/stories`, json: { data } })

  it('with a picture or a video are published by one call', async () => {
    const picture = run([{ on: `POST ${G}/77/photo_stories`, json: { success: true, post_id: '9' } }])
    expect(await picture.send(pictureStory)).toMatchObject({ kind: 'sent', remoteId: '9' })
    expect(forms(picture.fetch)).toEqual([{ photo_id: '300' }])
    const video = run([
      { on: `POST ${G}/77/video_stories`, json: { success: true } },
      stories({ post_id: '8', media_id: '500' }),
    ])
    expect(await video.send(videoStory)).toMatchObject({ kind: 'processing' })
    expect(forms(video.fetch)).toEqual([{ upload_phase: 'finish', video_id: '500' }])
    expect(await video.poll(videoStory)).toMatchObject({ kind: 'sent', remoteId: '8' })
  })

  it('are found by their picture after a lost response, and read back from the list', async () => {
    expect(await run([stories({ post_id: '9', media_id: '300' })]).reconcile(pictureStory)).toMatchObject({
      kind: 'sent',
      remoteId: '9',
    })
    expect(await run([stories({ post_id: '9', media_id: '301' })]).reconcile(pictureStory)).toEqual({ kind: 'absent' })
    expect(
      await run([stories({ post_id: '9', media_id: '300', url: 'https://www.facebook.com/stories/9' })]).readBack(
        pictureStory,
        '9',
      ),
    ).toEqual({ kind: 'live', permalink: 'https://www.facebook.com/stories/9' })
    expect(await run([stories()]).readBack(pictureStory, '9')).toEqual({ kind: 'missing' })
  })
})

describe('a lost response to a feed post', () => {
  const posts = (...data: unknown[]): Step => ({ on: `GET ${G}/77/published_posts`, json: { data } })
  const text = outgoingPost({ text: 'Good morning' })

  it('is temporary for any upload', async () => {
    expect(await run([{ json: { id: '1' } }], 0).prepare(outgoingPost({ media: [photo()] }))).toMatchObject({
      kind: 'retry',
    })
  })

  it('is reconciled by the text since the planned time', async () => {
    expect(await run([{ json: { id: '77_1' } }], 0).send(text)).toMatchObject({ kind: 'unknown' })
    expect(
      await run([
        posts(
          { id: '77_2', message: 'Other', created_time: at },
          { id: '77_1', message: 'Good  morning\n', created_time: at },
        ),
      ]).reconcile(text),
    ).toMatchObject({ kind: 'sent', remoteId: '77_1' })
    expect(
      await run([posts({ id: '77_1', message: 'Good morning', created_time: '2026-11-20T10:00:00+0000' })]).reconcile(
        text,
      ),
    ).toEqual({ kind: 'absent' })
    expect(await run([posts()], 0).reconcile(text)).toMatchObject({ kind: 'retry' })
    expect(await run([graphError(10)]).reconcile(text)).toMatchObject({ kind: 'unknown' })
  })

  it('is reconciled by the pictures, or by the text if no other pictures contradict it', async () => {
    const post = outgoingPost({ text: 'Good morning', media: [photo(), photo()], progress: { photos: ['300', '301'] } })
    const shown = {
      id: '77_1',
      message: 'edited since',
      created_time: at,
      attachments: { data: [{ target: { id: '1' }, subattachments: { data: [{ target: { id: '301' } }] } }] },
    }
    expect(await run([posts(shown)]).reconcile(post)).toMatchObject({ kind: 'sent', remoteId: '77_1' })
    expect(
      await run([posts({ ...shown, message: 'Good morning', attachments: undefined })]).reconcile(post),
    ).toMatchObject({ kind: 'sent' })
    const others = { data: [{ target: { id: '999' } }] }
    expect(await run([posts({ ...shown, attachments: others })]).reconcile(post)).toEqual({ kind: 'absent' })
    // rather a person than twice: whether the ids in attachments are those of pictures is not sure
    expect(
      await run([posts({ ...shown, message: 'Good morning', attachments: others })]).reconcile(post),
    ).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'other-pictures' },
    })
  })

  it('is reconciled by the link if there is no text', async () => {
    const post = outgoingPost({ details: { link: 'https://example.com/a' } })
    const shown = (url: string) =>
      posts({ id: '77_1', created_time: at, attachments: { data: [{ unshimmed_url: url }] } })
    expect(await run([shown('https://example.com/a')]).reconcile(post)).toMatchObject({ kind: 'sent' })
    // Facebook may have followed it to another address
    expect(await run([shown('https://example.com/b')]).reconcile(post)).toMatchObject({ kind: 'rejected' })
    expect(await run([shown('https://www.facebook.com/photo/?fbid=1')]).reconcile(post)).toEqual({ kind: 'absent' })
  })

  it('can also follow from error 506: the same post exists, or another one with this text', async () => {
    expect(
      await run([graphError(506), posts({ id: '77_1', message: 'Good morning', created_time: at })]).send(text),
    ).toMatchObject({ kind: 'sent', remoteId: '77_1' })
    expect(await run([graphError(506), posts()]).send(text)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: '506' },
    })
    expect(await run([graphError(506), { fails: 'lost' }]).send(text)).toMatchObject({ kind: 'unknown' })
  })
})

describe('each class of error', () => {
  it.each([
    ...[458, 459, 460, 463, 464, 467, 492].map(
      (subcode) => [`190/${subcode}`, graphError(190, { error_subcode: subcode }), 'reconnect'] as const,
    ),
    ['102', graphError(102), 'reconnect'],
    ...[4, 17, 32, 341, 613, 80_001, 80_014].map((code) => [String(code), graphError(code), 'retry'] as const),
    ...[1, 2].map((code) => [String(code), graphError(code), 'unknown'] as const),
    ...[10, 200, 299, 100, 368].map((code) => [String(code), graphError(code), 'rejected'] as const),
    ['1609005', graphError(1609005), 'rejected'],
    ['an error with status 200', graphError(100, {}, 200), 'rejected'],
    ['a gateway', { status: 503, text: 'busy' }, 'unknown'],
    ['nothing sent', { fails: 'unsent' }, 'retry'],
    ['no sense', { json: {} }, 'unknown'],
  ] as const)('%s', async (_, step, kind) => {
    const answer = await run([step]).send(outgoingPost({ text: 'x' }))
    expect(answer.kind).toBe(kind)
    if ('reason' in answer) expect(adviceFor(answer.reason)).not.toBe('')
  })

  it("uses the platform's wait", async () => {
    const usage = JSON.stringify({ 77: [{ type: 'pages', call_count: 100, estimated_time_to_regain_access: 12 }] })
    expect(
      await run([{ ...graphError(80_001), headers: { 'x-business-use-case-usage': usage } }]).send(
        outgoingPost({ text: 'x' }),
      ),
    ).toMatchObject({ kind: 'retry', afterSeconds: 720, closesBudget: true })
  })

  it('recognizes on one Page that the whole app is limited', async () => {
    expect(await run([graphError(4)]).send(outgoingPost({ text: 'x' }))).toMatchObject({
      kind: 'retry',
      closesBudget: 'app-hour',
    })
    expect(createFacebook().budgets).toContainEqual(expect.objectContaining({ name: 'app-hour', per: 'credentials' }))
    expect(await run([graphError(32)]).send(outgoingPost({ text: 'x' }))).toMatchObject({
      kind: 'retry',
      closesBudget: true,
    })
  })

  it('keeps unknown messages of the platform short and without tokens', async () => {
    const answer = await run([
      graphError(9999, { message: `Bad EAAB${'x'.repeat(180)} ${'words '.repeat(200)}` }),
    ]).send(outgoingPost({ text: 'x' }))
    expect(answer).toMatchObject({ kind: 'rejected', reason: { platformCode: '9999' } })
    if (answer.kind !== 'rejected') return
    expect(sentenceOf(answer.reason).length).toBeLessThan(360)
    expect(sentenceOf(answer.reason)).not.toContain('EAAB')
  })
})

describe('after publishing', () => {
  const post = outgoingPost({ text: 'Good evening', firstComment: 'First' })

  it("adds a first comment, except to stories, and reconciles it by the Page's text", async () => {
    expect(publish.followUps?.(post)).toEqual([{ key: 'comment', kind: 'comment' }])
    expect(publish.followUps?.({ ...post, postType: 'story' })).toEqual([])
    const { fetch, part } = run([{ on: `POST ${G}/77_1/comments`, json: { id: '1_2' } }])
    expect(await part(post)).toMatchObject({ kind: 'sent', remoteId: '1_2' })
    expect(forms(fetch)).toEqual([{ message: 'First' }])
    expect(await run([{ json: { id: '1_2' } }], 0).part(post)).toMatchObject({ kind: 'unknown' })
    const comments = (from: string): Step => ({
      on: `GET ${G}/77_1/comments`,
      json: { data: [{ id: '1_2', message: 'First', created_time: at, from: { id: from } }] },
    })
    expect(await run([comments('77')]).reconcileFollowUp(post)).toMatchObject({ kind: 'sent', remoteId: '1_2' })
    expect(await run([comments('78')]).reconcileFollowUp(post)).toEqual({ kind: 'absent' })
  })

  it('edits text, but not of stories', async () => {
    const { fetch, edit } = run([{ on: `POST ${G}/77_1`, json: { success: true } }])
    expect(await edit(post, '77_1')).toEqual({ kind: 'edited', remoteId: '77_1' })
    expect(forms(fetch)).toEqual([{ message: 'Good evening' }])
    const reel = run([{ json: { success: true } }])
    await reel.edit({ ...post, postType: 'reel' }, '500')
    expect(forms(reel.fetch)).toEqual([{ description: 'Good evening' }])
    expect(await run([]).edit({ ...post, postType: 'story' }, '9')).toMatchObject({ kind: 'rejected' })
  })

  it('deletes, also twice', async () => {
    expect(await run([{ on: `DELETE ${G}/77_1`, json: { success: true } }]).remove('77_1')).toEqual({ kind: 'removed' })
    expect(await run([graphError(100, { error_subcode: 33 })]).remove('77_1')).toEqual({ kind: 'removed' })
    expect(await run([graphError(200)]).remove('77_1')).toMatchObject({ kind: 'rejected' })
  })

  it('reads metrics with valid names', async () => {
    const insight = (name: string, value: unknown) => ({ name, values: [{ value }] })
    const { fetch, reach } = run([
      {
        json: {
          id: '77_1',
          shares: { count: 4 },
          reactions: { summary: { total_count: 9 } },
          comments: { summary: { total_count: 2 } },
          insights: {
            data: [
              insight('post_media_view', 100),
              insight('post_total_media_view_unique', 80),
              insight('post_clicks', 12),
              insight('post_reactions_by_type_total', { like: 7, love: 2 }),
            ],
          },
        },
      },
      {
        json: {
          id: '500',
          views: 70,
          likes: { summary: { total_count: 6 } },
          comments: { summary: { total_count: 1 } },
        },
      },
      graphError(100, { error_subcode: 33 }),
    ])
    const of = (remoteId: string, postType: 'post' | 'reel') => ({ remoteId, postType, publishedAt: PLANNED_AT })
    const answer = await metrics?.read(reach, secret, account, [
      of('77_1', 'post'),
      of('500', 'reel'),
      of('77_9', 'post'),
    ])
    expect(answer).toEqual({
      kind: 'metrics',
      of: new Map([
        [
          '77_1',
          {
            views: 100,
            reach: 80,
            clicks: 12,
            reactions: 9,
            likes: 7,
            loves: 2,
            laughs: 0,
            wows: 0,
            sads: 0,
            angers: 0,
            comments: 2,
            shares: 4,
          },
        ],
        ['500', { views: 70, videoViews: 70, reactions: 6, comments: 1 }],
      ]),
    })
    expect(fetch.asked.map(({ url }) => url.searchParams.get('fields')).join()).not.toMatch(/impressions|fans|_10s/)
  })

  it('reads the counts when Facebook has retired a name of the insights, and never reads an empty set as 0', async () => {
    const counts = { id: '77_1', reactions: { summary: { total_count: 9 } }, comments: { summary: { total_count: 2 } } }
    const empty = { name: 'post_media_view', values: [] }
    const { fetch, reach } = run([
      graphError(100),
      { json: counts },
      { json: { ...counts, insights: { data: [empty] } } },
    ])
    const posts = ['77_1', '77_2'].map((remoteId) => ({ remoteId, postType: 'post' as const, publishedAt: PLANNED_AT }))
    expect(await metrics?.read(reach, secret, account, posts)).toEqual({
      kind: 'metrics',
      of: new Map([
        ['77_1', { reactions: 9, comments: 2 }],
        ['77_2', { reactions: 9, comments: 2 }],
      ]),
    })
    expect(fetch.asked[1]?.url.searchParams.get('fields')).not.toContain('insights')
  })

  it('lists posts, without one that has no time', async () => {
    const { reach } = run([
      { json: { data: [{ id: '77_1', message: 'One', created_time: '2026-11-21T10:00:00+0000' }, { id: '77_2' }] } },
      { json: { data: [] } },
      { json: { data: [] } },
    ])
    expect(await ownPosts?.list(reach, secret, account, { cursor: null })).toMatchObject({
      kind: 'posts',
      posts: [{ text: 'One', publishedAt: PLANNED_AT }],
    })
  })
})
