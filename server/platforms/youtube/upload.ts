import { because } from '#contract/failures/catalog.ts'
import { isGone } from '../google.ts'
import { rest, type RestFailed } from '../jsonCalls.ts'
import type { MediaFile, Outgoing, PrepareAnswer, Publish, Reach, Refusal } from '../platform.ts'
import { refusalOf, UPLOAD, withSecret } from './client.ts'
import { Anything, Made, Prepared, type YoutubeSecret } from './schemas.ts'
import { metadataOf } from './video.ts'

/*
 * A video is uploaded in a session, in pieces; the piece with its last byte creates the video. A session says what it
 * has, accepts each byte once, and creates one video
 * (developers.google.com/youtube/v3/guides/using_resumable_upload_protocol).
 */

/** Pieces are multiples of 256 KiB. */
const PIECE = 8 * 1024 * 1024
/** Progress is stored after this many bytes, so that an interruption costs no more. */
const STORED_EVERY = 25 * PIECE
const START_TIMEOUT_MS = 30_000
export const PIECE_TIMEOUT_MS = 90_000
export const LOOK_TIMEOUT_MS = 15_000
/** How many sessions may be lost before the post fails. */
const ROUNDS = 3
/** developers.google.com/youtube/v3/docs/thumbnails/set */
const THUMBNAIL_BYTES = 2_097_152
const uploading = { doing: 'accept-video', irreversible: false } as const

export const videoOf = ({ contents }: Pick<Outgoing, 'contents'>): MediaFile | undefined =>
  contents[0]?.media.find(({ contentType }) => contentType.startsWith('video/'))
export const noVideo: Refusal = {
  kind: 'rejected',
  reason: { ...because('youtube-no-video'), platformCode: 'no-video' },
}

/** Where the last piece starts. */
const lastPiece = (bytes: number): number => Math.max(0, Math.floor((bytes - 1) / PIECE) * PIECE)

/** Opens the session and sends everything but the last piece, so nothing is visible to anyone. */
export const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post): Promise<PrepareAnswer> => {
  const file = videoOf(post)
  if (!file) return noVideo
  const { thumbnail } = file
  if (thumbnail && thumbnail.bytes > THUMBNAIL_BYTES)
    return { kind: 'rejected', reason: { ...because('youtube-thumbnail'), platformCode: 'thumbnail-size' } }
  const saved = Prepared.parse(post.progress)
  const progress = (next: Prepared): Record<string, unknown> => ({ ...post.progress, ...next })
  if (saved.session === null) {
    const begun = await startSession(reach, own, post, file)
    return begun.kind === 'begun'
      ? { kind: 'preparing', progress: progress({ ...saved, session: begun.session, sent: 0 }), checkAfterSeconds: 0 }
      : begun
  }
  const state = await stateOf(reach, own, saved.session, file)
  if (state.kind === 'gone') {
    if (saved.rounds + 1 >= ROUNDS)
      return { kind: 'rejected', reason: { ...because('youtube-upload-lost'), platformCode: 'session-lost' } }
    return {
      kind: 'preparing',
      progress: progress({ ...saved, session: null, sent: 0, rounds: saved.rounds + 1 }),
      checkAfterSeconds: 30,
    }
  }
  // the last piece arrived with an earlier send
  if (state.kind === 'whole') return { kind: 'prepared', progress: progress({ ...saved, videoId: state.videoId }) }
  if (state.kind !== 'holds') return state
  const last = lastPiece(file.bytes)
  const stopAt = Math.min(last, state.bytes + STORED_EVERY)
  let { bytes: sent } = state
  while (sent < stopAt) {
    const answer = await sendPiece(reach, own, saved.session, file, sent, Math.min(sent + PIECE, last))
    if (answer.kind === 'gone')
      return { kind: 'preparing', progress: progress({ ...saved, sent }), checkAfterSeconds: 5 }
    if (answer.kind !== 'holds')
      return answer.kind === 'whole'
        ? { kind: 'prepared', progress: progress({ ...saved, videoId: answer.videoId }) }
        : refusalOf(answer, uploading)
    if (answer.bytes <= sent)
      return { kind: 'retry', reason: { ...because('youtube-piece-refused'), platformCode: 'no-progress' } }
    sent = answer.bytes
  }
  return sent < last
    ? { kind: 'preparing', progress: progress({ ...saved, sent }), checkAfterSeconds: 0 }
    : { kind: 'prepared', progress: progress({ ...saved, sent }) }
})

async function startSession(
  reach: Reach,
  secret: YoutubeSecret,
  post: Outgoing,
  file: MediaFile,
): Promise<{ kind: 'begun'; session: string } | Refusal> {
  const begun = await rest(reach, {
    url: `${UPLOAD}/videos`,
    method: 'POST',
    token: secret.accessToken,
    query: { uploadType: 'resumable', part: 'snippet,status' },
    headers: { 'x-upload-content-length': String(file.bytes), 'x-upload-content-type': file.contentType },
    json: metadataOf(post),
    reply: Anything,
    timeoutMs: START_TIMEOUT_MS,
  })
  if (begun.kind !== 'ok') return refusalOf(begun, uploading)
  const session = Prepared.parse({ session: begun.headers.location }).session
  return session === null
    ? { kind: 'retry', reason: { ...because('youtube-no-address'), platformCode: 'no-session' } }
    : { kind: 'begun', session }
}

export type SessionState = { kind: 'holds'; bytes: number } | { kind: 'whole'; videoId: string } | { kind: 'gone' }

/** What the session has. A complete upload returns its video. */
export async function stateOf(
  reach: Reach,
  secret: YoutubeSecret,
  session: string,
  file: MediaFile,
): Promise<SessionState | Refusal> {
  const answer = stateIn(
    await rest(reach, {
      url: session,
      method: 'PUT',
      token: secret.accessToken,
      headers: { 'content-range': `bytes */${file.bytes}`, 'content-length': '0' },
      raw: { body: '', contentType: file.contentType },
      reply: Made,
      timeoutMs: LOOK_TIMEOUT_MS,
    }),
  )
  return answer.kind === 'failed' ? refusalOf(answer, { doing: 'show-upload-progress', irreversible: false }) : answer
}

/** Sends the bytes from `start` up to `end`. */
export async function sendPiece(
  reach: Reach,
  secret: YoutubeSecret,
  session: string,
  file: MediaFile,
  start: number,
  end: number,
): Promise<SessionState | RestFailed> {
  const body = { bytes: end - start, open: () => file.stream({ start, end }) }
  return stateIn(
    await rest(reach, {
      url: session,
      method: 'PUT',
      token: secret.accessToken,
      headers: { 'content-range': `bytes ${start}-${end - 1}/${file.bytes}` },
      raw: { body, contentType: file.contentType },
      reply: Made,
      timeoutMs: PIECE_TIMEOUT_MS,
    }),
  )
}

function stateIn(answer: Awaited<ReturnType<typeof rest<{ id: string }>>>): SessionState | RestFailed {
  if (answer.kind === 'ok') return { kind: 'whole', videoId: answer.value.id }
  if (isGone(answer)) return { kind: 'gone' }
  if (answer.cause !== 'answered' || answer.status !== 308) return answer
  // without a range, it has nothing yet
  const last = /^bytes=0-(\d+)$/.exec(answer.headers.range ?? '')?.[1]
  return { kind: 'holds', bytes: last === undefined ? 0 : Number(last) + 1 }
}
