import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { SimulatedVideoService } from '../../simulators/bluesky/videoService.ts'
import { openOnServer, type Channel, type OnServer } from '../../testing/pds/onServer.ts'
import type { MediaFile, Outgoing, PrepareAnswer } from '../platform.ts'
import { film, outgoing } from './fixtures/outgoing.ts'
import { createBluesky } from './adapter.ts'
import { VIDEO_SERVICE, videoServiceFor } from './video.ts'

/*
 * Videos on the real server, with the video service beside it: the service is played, but the tokens are the server's own and what
 * the service converted is stored on the server with them.
 */

const BYTES = 200_000
let server: OnServer
let video: SimulatedVideoService
/** Each test has a file of its own: the service recognizes one that it knows. */
let mark = 0

beforeAll(async () => {
  server = await openOnServer({ videoService: true })
  if (!server.video) throw new Error('no video service')
  ;({ video } = server)
})
afterEach(() => {
  Object.assign(video, { looks: 2, confirmed: true, videosLeft: 25, bytesLeft: 10_000_000_000, failure: undefined })
  video.uploads.length = 0
})
afterAll(() => server.close())

const freshFilm = (): MediaFile => film(BYTES, undefined, (mark += 1))
const step = ({ secret, ref }: Channel, post: Outgoing): Promise<PrepareAnswer> =>
  server.bluesky.publish.prepare(server.reach, secret, ref, post)

/** Prepares step by step, as the publisher does, with the seconds that it was asked to wait. */
async function prepareAll(bird: Channel, post: Outgoing, waits: number[] = []) {
  let answer = await step(bird, post)
  for (let steps = 0; answer.kind === 'preparing' && steps < 200; steps++) {
    waits.push(answer.checkAfterSeconds)
    answer = await step(bird, { ...post, progress: answer.progress })
  }
  return answer
}

async function embedOf({ account }: Channel) {
  const [post] = await server.pds.posts(account)
  return post?.value.embed
}

describe('a video', () => {
  it('is converted and stored by the video service before a post shows it', async () => {
    const bird = await server.channel()
    const post = outgoing('A film', { media: [freshFilm()] })
    const waits: number[] = []
    const prepared = await prepareAll(bird, post, waits)
    if (prepared.kind !== 'prepared') throw new Error(JSON.stringify(prepared))
    expect(waits).toEqual([2, 4, 8])
    const sent = await server.bluesky.publish.send(server.reach, bird.secret, bird.ref, {
      ...post,
      progress: prepared.progress,
    })
    expect(sent.kind).toBe('sent')
    expect(await embedOf(bird)).toMatchObject({
      $type: 'app.bsky.embed.video',
      video: { mimeType: 'video/mp4', size: BYTES },
      alt: 'Rooks at dusk',
    })
    expect(video.uploads).toHaveLength(1)
  })

  it('is uploaded once, however long the service takes', async () => {
    const bird = await server.channel()
    video.looks = 40
    const waits: number[] = []
    expect((await prepareAll(bird, outgoing('', { media: [freshFilm()] }), waits)).kind).toBe('prepared')
    expect(video.uploads).toHaveLength(1)
    expect(Math.max(...waits)).toBe(30)
  })

  it('fails after about an hour of checks', async () => {
    const bird = await server.channel()
    video.looks = 1000
    const waits: number[] = []
    expect(await prepareAll(bird, outgoing('', { media: [freshFilm()] }), waits)).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'timeout' },
    })
    expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(3000)
    expect(video.uploads).toHaveLength(1)
  })

  it("isn't uploaded again if the service already has it", async () => {
    const bird = await server.channel()
    const file = freshFilm()
    expect((await prepareAll(bird, outgoing('', { media: [file] }))).kind).toBe('prepared')
    expect((await prepareAll(bird, outgoing('Again', { media: [{ ...file, assetId: 'other' }] }))).kind).toBe(
      'prepared',
    )
    expect(video.uploads).toHaveLength(1)
  })

  it('goes to the server directly if the service only has a copy that the server dropped', async () => {
    const bird = await server.channel()
    const other = await server.channel()
    const post = outgoing('', { media: [freshFilm()] })
    const elsewhere = await prepareAll(other, post)
    if (elsewhere.kind !== 'prepared') throw new Error('not prepared')
    // the server of this account doesn't have the blob, and refuses the post
    const prepared = { ...post, progress: elsewhere.progress }
    const send = (by: Outgoing) => server.bluesky.publish.send(server.reach, bird.secret, bird.ref, by)
    expect(await send(prepared)).toMatchObject({ kind: 'retry', first: 'prepare' })
    const again = await prepareAll(bird, prepared)
    if (again.kind !== 'prepared') throw new Error(JSON.stringify(again))
    expect((await send({ ...post, progress: again.progress })).kind).toBe('sent')
  })

  it.each([
    ['unconfirmed_email', () => (video.confirmed = false), 'bluesky-email-unconfirmed', 0],
    ['daily-limit', () => (video.videosLeft = 0), 'bluesky-video-limit', 0],
    ['daily-limit', () => (video.bytesLeft = BYTES - 1), 'bluesky-video-limit', 0],
    ['encoding_failure', () => (video.failure = 'encoding_failure'), 'bluesky-video-unplayable', 1],
    [
      'pds_upload_unsupported_blob_size',
      () => (video.failure = 'pds_upload_unsupported_blob_size'),
      'bluesky-video-too-large',
      1,
    ],
    // trouble that may pass: one more upload, after a pause
    ['generic_failure', () => (video.failure = 'generic_failure'), 'bluesky-video-failed', 2],
    ['video-failed', () => (video.failure = ''), 'bluesky-video-failed', 2],
  ])('is refused with a reason: %s', async (platformCode, arrange, code, uploads) => {
    const bird = await server.channel()
    arrange()
    const waits: number[] = []
    const answer = await prepareAll(bird, outgoing('', { media: [freshFilm()] }), waits)
    expect(answer).toMatchObject({
      kind: 'rejected',
      reason: { platformCode, code },
    })
    expect(video.uploads).toHaveLength(uploads)
    if (uploads === 2) expect(waits).toContain(30)
    expect(await server.pds.posts(bird.account)).toEqual([])
  })

  it("is refused for what it is if it's not a video", async () => {
    const bird = await server.channel()
    const zeros: MediaFile = {
      ...freshFilm(),
      async *stream() {
        yield Buffer.alloc(BYTES)
      },
    }
    expect(await prepareAll(bird, outgoing('', { media: [zeros] }))).toMatchObject({
      kind: 'rejected',
      reason: { platformCode: 'validation_failure' },
    })
  })

  it('waits for a video service that is down, and says so', async () => {
    const bird = await server.channel()
    const away = createBluesky({
      plcDirectory: server.pds.directory,
      videoService: () => 'https://nobody.video.test',
    })
    const post = outgoing('', { media: [freshFilm()] })
    expect(await away.publish.prepare(server.reach, bird.secret, bird.ref, post)).toMatchObject({
      kind: 'retry',
      reason: { code: 'bluesky-video-service-unreachable' },
    })
  })

  it('of a later thread item is uploaded again before the item is sent if its copy was dropped', async () => {
    const bird = await server.channel()
    const file = freshFilm()
    const post: Outgoing = {
      ...outgoing(''),
      contents: [
        { text: 'One', media: [] },
        { text: 'Two', media: [file] },
      ],
    }
    const { publish } = server.bluesky
    const root = await publish.send(server.reach, bird.secret, bird.ref, post)
    const [part] = publish.followUps?.(post) ?? []
    if (root.kind !== 'sent' || !part || !publish.sendFollowUp) throw new Error('not sent')
    const sendKey = publish.followUpSendKey?.(post.sendKey, part) ?? ''
    let progress: Record<string, unknown> = {}
    for (let steps = 0; steps < 20; steps++) {
      const sent = [{ key: 'post', remoteId: root.remoteId, progress: root.progress }]
      const answer = await publish.sendFollowUp(server.reach, bird.secret, bird.ref, post, {
        ...part,
        sendKey,
        progress,
        sent,
      })
      if (answer.kind === 'sent') break
      if (answer.kind !== 'preparing') throw new Error(JSON.stringify(answer))
      ;({ progress } = answer)
    }
    expect(await embedOf(bird)).toMatchObject({ $type: 'app.bsky.embed.video', video: { size: BYTES } })
    expect(video.uploads).toHaveLength(1)
  })
})

describe('the video service of an account', () => {
  it("is the network's, unless another or none is configured", () => {
    expect(videoServiceFor()('https://pds.example.com')).toBe(VIDEO_SERVICE)
    expect(videoServiceFor('https://video.example.com')('https://pds.example.com')).toBe('https://video.example.com')
    expect(videoServiceFor('none')('https://pds.example.com')).toBeNull()
  })

  it("can't reach a server on this machine, except the simulator, which has its own", () => {
    expect(videoServiceFor()('http://localhost:2583')).toBeNull()
    expect(videoServiceFor(VIDEO_SERVICE, 'http://127.0.0.1:4455')('http://127.0.0.1:4455')).toBe(
      'http://127.0.0.1:4455',
    )
  })
})
