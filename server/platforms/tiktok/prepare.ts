import { because } from '#contract/failures/catalog.ts'
import type { RestFailed } from '../jsonCalls.ts'
import type { MediaFile, Outgoing, Preparing, Publish, Reach, Refusal } from '../platform.ts'
import { call, creatorOf, problemIn, put, stateOf, withSecret } from './client.ts'
import { cutOf, pieceOf, problemOf, videoInfo, videoOf } from './post.ts'
import { refusalOf } from './refusals.ts'
import { Prepared, VideoBegun, type Creator, type TikTokSecret } from './schemas.ts'

const INIT_TIMEOUT_MS = 30_000
/** The slowest upload of a piece we allow for: half a megabyte per second. */
const BYTES_PER_MS = 500
/** Progress is stored after this many pieces, so that an interruption costs no more. */
const STORED_EVERY = 25
const ROUNDS = 3
const LOOK_SECONDS = 60
const taking = { doing: 'accept-video', irreversible: false } as const

type Answer = { kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal
type Bench = { reach: Reach; secret: TikTokSecret; post: Outgoing; video: MediaFile; saved: Prepared }

const preparing = ({ post }: Bench, next: Prepared, checkAfterSeconds = 0): Preparing => ({
  kind: 'preparing',
  progress: { ...post.progress, ...next },
  checkAfterSeconds,
})
const prepared = ({ post }: Bench, next: Prepared): Answer => ({
  kind: 'prepared',
  progress: { ...post.progress, ...next },
})

/**
 * Reads what the account may do and uploads all pieces of a video but the last, which publishes it. TikTok fetches
 * photos when the post is sent. The publish ID is stored before the first piece is sent.
 */
export const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post): Promise<Answer> => {
  const saved = Prepared.parse(post.progress)
  const video = videoOf(post)
  if (video && saved.publishId !== null) {
    const bench = { reach, secret: own, post, video, saved }
    return saved.ready || saved.gone ? await lookAgain(bench, saved.publishId) : await upload(bench, saved.publishId)
  }
  const creator = await creatorOf(reach, own)
  if (creator.kind !== 'ok') return refusalOf(creator, { doing: 'show-rights', irreversible: false })
  const problem = problemOf(post, creator.value)
  if (problem) return problem
  if (video) return await begin({ reach, secret: own, post, video, saved }, creator.value)
  // if the response is lost, an earlier failed publication mustn't be taken for this one
  return {
    kind: 'prepared',
    progress: { ...post.progress, publishId: null, ready: true, askedAt: creator.at?.toISOString() ?? null },
  }
})

async function begin(bench: Bench, creator: Creator): Promise<Answer> {
  const { reach, secret, post, video, saved } = bench
  const { chunk, count } = cutOf(video.bytes)
  const json = {
    post_info: videoInfo(post, video, creator),
    source_info: { source: 'FILE_UPLOAD', video_size: video.bytes, chunk_size: chunk, total_chunk_count: count },
  }
  const begun = await call(reach, secret, {
    path: '/v2/post/publish/video/init/',
    json,
    reply: VideoBegun,
    timeoutMs: INIT_TIMEOUT_MS,
  })
  if (begun.kind !== 'ok') return refusalOf(begun, taking)
  return preparing(bench, {
    ...saved,
    publishId: begun.value.publish_id,
    address: begun.value.upload_url,
    sent: 0,
    ready: false,
    gone: false,
  })
}

/** Uploads the pieces up to the second to last. */
async function upload(bench: Bench, publishId: string): Promise<Answer> {
  const { reach, video, saved } = bench
  const { count } = cutOf(video.bytes)
  const until = Math.min(count - 1, saved.sent + STORED_EVERY)
  for (let index = saved.sent; index < until; index++) {
    const sent = await putPiece(reach, saved.address ?? '', video, index)
    // a piece whose response was lost may have arrived: TikTok refuses pieces that it has
    if (sent.kind === 'refused' && sent.status === 416) return await fromWhereItIs(bench, publishId)
    if (sent.kind === 'refused' && sent.status < 500 && sent.status !== 429) return afresh(bench)
    if (sent.kind !== 'taken') return sent.kind === 'refused' ? passing(String(sent.status)) : refusalOf(sent, taking)
  }
  const next = { ...saved, sent: Math.max(until, saved.sent) }
  return next.sent < count - 1 ? preparing(bench, next) : prepared(bench, { ...next, ready: true })
}

const passing = (platformCode: string): Refusal => ({
  kind: 'retry',
  reason: { ...because('platform-trouble', { platform: 'TikTok', doing: 'accept-video' }), platformCode },
})

/** Continues after the bytes that TikTok says it has. */
async function fromWhereItIs(bench: Bench, publishId: string): Promise<Answer> {
  const { reach, secret, video, saved } = bench
  const state = await stateOf(reach, secret, publishId)
  if (state.kind !== 'ok') return refusalOf(state, { doing: 'show-video-progress', irreversible: false })
  const sent = Math.floor((state.value.bytes ?? 0) / cutOf(video.bytes).chunk)
  return state.value.status === 'PROCESSING_UPLOAD' && sent > saved.sent
    ? preparing(bench, { ...saved, sent })
    : afresh(bench)
}

/**
 * After the last piece was refused, or when a person retries a failed post: starts over only if the post is certainly
 * not being published.
 */
async function lookAgain(bench: Bench, publishId: string): Promise<Answer> {
  const { reach, secret, video, saved } = bench
  const state = await stateOf(reach, secret, publishId)
  if (state.kind !== 'ok') {
    const isForgotten = state.cause === 'answered' && problemIn(state).code === 'invalid_publish_id'
    return isForgotten ? afresh(bench) : refusalOf(state, { doing: 'show-video-progress', irreversible: false })
  }
  const { status, bytes } = state.value
  if (status === 'FAILED') return afresh(bench)
  if (status !== 'PROCESSING_UPLOAD' || bytes === video.bytes) return prepared(bench, { ...saved, gone: true })
  // while it's unknown what has arrived, no second upload is started
  return bytes === null ? preparing(bench, saved, LOOK_SECONDS) : afresh(bench)
}

/** A new upload when the old one can no longer succeed. */
function afresh(bench: Bench): Answer {
  const failed = bench.saved.failed + 1
  if (failed < ROUNDS) return preparing(bench, { ...Prepared.parse({}), failed }, LOOK_SECONDS)
  return { kind: 'rejected', reason: { ...because('tiktok-video'), platformCode: 'upload-failed' } }
}

/** Uploads one piece. 201 means that everything has arrived, 206 that more is needed. */
export async function putPiece(
  reach: Reach,
  address: string,
  video: MediaFile,
  index: number,
  timeoutMs?: number,
): Promise<{ kind: 'taken' } | { kind: 'refused'; status: number } | RestFailed> {
  const { start, end } = pieceOf(video.bytes, index)
  const body = { bytes: end - start, open: () => video.stream({ start, end }) }
  const answer = await put(reach, address, {
    body,
    range: `bytes ${start}-${end - 1}/${video.bytes}`,
    contentType: video.contentType,
    timeoutMs: timeoutMs ?? INIT_TIMEOUT_MS + Math.ceil((end - start) / BYTES_PER_MS),
  })
  if (answer.kind === 'ok') return { kind: 'taken' }
  return answer.cause === 'answered' ? { kind: 'refused', status: answer.status } : answer
}
