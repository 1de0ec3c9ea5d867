import { because } from '#contract/failures/catalog.ts'
import type { MediaFile, Preparing, Reach, Refusal } from '../platform.ts'
import { graph, isGone, type GraphFailed } from '../graph.ts'
import { sentence } from '../quotes.ts'
import { change, read, refusalOf, type Shape } from './client.ts'
import {
  Expected,
  Made,
  Prepared,
  Started,
  StartedReel,
  Success,
  Transferred,
  VideoState,
  type FacebookSecret,
} from './schemas.ts'

/*
 * Videos are uploaded in two ways: feed videos in pieces whose size the platform chooses; reels and stories in one
 * stream to a separate host, which can be resumed. Neither publishes anything.
 */

type Bench = {
  reach: Reach
  secret: FacebookSecret
  file: MediaFile
  saved: Prepared
  progress: Record<string, unknown>
}
type Answer = { kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal

const START_TIMEOUT_MS = 30_000
const PIECE_TIMEOUT_MS = 10 * 60_000
/** The slowest upload we allow for: half a megabyte per second. */
const BYTES_PER_MS = 500
/** Progress is stored after this many bytes, so that an interruption costs no more. */
const STORED_EVERY = 200_000_000
const LOOK_SECONDS = 30
/** How often a finished upload is checked: for 10 minutes. */
const LOOKS = 20
const ROUNDS = 3
/** A piece that isn't the next expected one (Video API, error codes). */
const WRONG_OFFSET = 1_363_037

/** The upload is unknown by now, or failed on the platform (Video API, error 6000). */
const isOver = (failed: GraphFailed): boolean =>
  isGone(failed) || (failed.cause === 'answered' && failed.code === UPLOAD_FAILED)
const UPLOAD_FAILED = 6000

const preparing = ({ progress }: Bench, next: Prepared, checkAfterSeconds: number): Preparing => ({
  kind: 'preparing',
  progress: { ...progress, ...next },
  checkAfterSeconds,
})
const prepared = ({ progress }: Bench, next: Prepared): Answer => ({
  kind: 'prepared',
  progress: { ...progress, ...next },
})

/** A feed video: start, then pieces until the platform wants no more. */
export async function uploadInPieces(bench: Bench): Promise<Answer> {
  const { reach, secret, file, saved } = bench
  const path = `/${secret.pageId}/videos`
  if (saved.videoId === null || saved.session === null) {
    const started = await change(reach, secret, {
      path,
      method: 'POST',
      form: { upload_phase: 'start', file_size: String(file.bytes) },
      reply: Started,
      timeoutMs: START_TIMEOUT_MS,
    })
    if (started.kind !== 'ok') return refusalOf(started, 'accept-video')
    const { video_id: videoId, upload_session_id: session, start_offset: start, end_offset: end } = started.value
    return preparing(bench, { ...saved, videoId, session, start, end }, 0)
  }
  const { session } = saved
  let { start, end } = saved
  const stopAt = start + STORED_EVERY
  while (start < end) {
    if (start >= stopAt) return preparing(bench, { ...saved, start, end }, 0)
    const piece = { field: 'video_file_chunk', file, range: { start, end: Math.min(end, file.bytes) } }
    const sent = await change(reach, secret, {
      path,
      method: 'POST',
      form: { upload_phase: 'transfer', upload_session_id: session, start_offset: String(start) },
      file: piece,
      reply: Transferred,
      timeoutMs: PIECE_TIMEOUT_MS,
    })
    if (sent.kind !== 'ok') {
      // an earlier piece arrived although its response was lost: the platform says where to continue
      const expected =
        sent.cause === 'answered' && sent.subcode === WRONG_OFFSET ? Expected.safeParse(sent.data) : undefined
      if (!expected?.success || expected.data.start_offset === start)
        return isOver(sent) ? afresh(bench, '') : refusalOf(sent, 'accept-video')
      const size = end - start
      start = expected.data.start_offset
      end = expected.data.end_offset ?? Math.min(start + size, file.bytes)
    } else if (sent.value.start_offset > start) ({ start_offset: start, end_offset: end } = sent.value)
    // it keeps asking for the same piece
    else return afresh(bench, '')
  }
  return prepared(bench, { ...saved, start, end })
}

/** A reel or a video story: start, then one stream that continues where an earlier one stopped. */
export async function uploadInOneStream(bench: Bench, shape: Shape): Promise<Answer> {
  const { reach, secret, file, saved } = bench
  if (saved.videoId === null || saved.uploadUrl === null) {
    const path = `/${secret.pageId}/${shape === 'reel' ? 'video_reels' : 'video_stories'}`
    const started = await change(reach, secret, {
      path,
      method: 'POST',
      form: { upload_phase: 'start' },
      reply: StartedReel,
      timeoutMs: START_TIMEOUT_MS,
    })
    if (started.kind !== 'ok') return refusalOf(started, 'accept-video')
    return preparing(bench, { ...saved, videoId: started.value.video_id, uploadUrl: started.value.upload_url }, 0)
  }
  const before = await look(bench, saved.videoId)
  if (before.kind === 'gone') return afresh(bench, '')
  if (before.kind !== 'state') return before
  const phase = before.state.status.uploading_phase
  if (phase.status === 'complete') return await withCover(bench, saved.videoId)
  if (
    phase.status === 'error' ||
    before.state.status.video_status === 'error' ||
    before.state.status.video_status === 'expired'
  )
    return afresh(bench, phase.errors[0]?.message ?? '')
  const offset = phase.bytes ?? 0
  // after the last byte, wait for it, whatever the status says in the meantime
  if (saved.whole || offset >= file.bytes)
    return saved.looks + 1 < LOOKS
      ? preparing(bench, { ...saved, looks: saved.looks + 1 }, LOOK_SECONDS)
      : afresh(bench, '')
  const sent = await stream(reach, secret, file, saved.uploadUrl, offset)
  if (sent.kind !== 'ok') return refusalOf(sent, 'accept-video')
  return preparing(bench, { ...saved, whole: true }, 0)
}

function stream(reach: Reach, secret: FacebookSecret, file: MediaFile, uploadUrl: string, offset: number) {
  const left = file.bytes - offset
  const raw = {
    body: { bytes: left, open: () => file.stream({ start: offset, end: file.bytes }) },
    headers: { offset: String(offset), file_size: String(file.bytes), 'content-type': 'application/octet-stream' },
  }
  return graph(reach, {
    base: uploadUrl,
    path: '',
    method: 'POST',
    token: secret.accessToken,
    scheme: 'OAuth',
    raw,
    reply: Success,
    timeoutMs: START_TIMEOUT_MS + Math.ceil(left / BYTES_PER_MS),
  })
}

async function look(
  { reach, secret }: Bench,
  videoId: string,
): Promise<{ kind: 'state'; state: VideoState } | { kind: 'gone' } | Refusal> {
  const seen = await read(reach, secret, `/${videoId}`, { fields: 'id,status' }, VideoState)
  if (seen.kind === 'ok') return { kind: 'state', state: seen.value }
  return isGone(seen) ? { kind: 'gone' } : refusalOf(seen, 'show-video-progress')
}

/** The cover of a reel. If the platform refuses it, the reel shows a frame instead. */
async function withCover(bench: Bench, videoId: string): Promise<Answer> {
  const { reach, secret, file, saved } = bench
  const { thumbnail } = file
  if (!thumbnail || saved.cover) return prepared(bench, saved)
  const given = await change(reach, secret, {
    path: `/${videoId}/thumbnails`,
    method: 'POST',
    form: { is_preferred: 'true' },
    file: { field: 'source', file: thumbnail },
    reply: Success,
    timeoutMs: PIECE_TIMEOUT_MS,
  })
  const refusal = given.kind === 'ok' ? undefined : refusalOf(given, 'accept-cover')
  return refusal && refusal.kind !== 'rejected' ? refusal : prepared(bench, { ...saved, cover: true })
}

/** Starts a new upload if the old one failed. */
function afresh(bench: Bench, words: string): Answer {
  const failed = bench.saved.failed + 1
  if (failed < ROUNDS) return preparing(bench, { ...Prepared.parse({}), failed }, LOOK_SECONDS)
  return {
    kind: 'rejected',
    reason: {
      ...because('facebook-upload-failed', { words: words ? sentence(words) : undefined }),
      platformCode: 'upload-failed',
    },
  }
}

/** Uploads a picture that nobody sees until a post shows it. */
export async function uploadPhoto(
  reach: Reach,
  secret: FacebookSecret,
  file: MediaFile,
): Promise<{ kind: 'photo'; id: string } | Refusal> {
  const form = { published: 'false', alt_text_custom: file.altText || undefined }
  const made = await change(reach, secret, {
    path: `/${secret.pageId}/photos`,
    method: 'POST',
    form,
    file: { field: 'source', file },
    reply: Made,
    timeoutMs: PIECE_TIMEOUT_MS,
  })
  return made.kind === 'ok' ? { kind: 'photo', id: made.value.id } : refusalOf(made, 'accept-picture')
}
