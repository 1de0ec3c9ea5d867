import { because, type Reason } from '#contract/failures/catalog.ts'
import type { MediaFile, Reach, Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import { claimsOf } from './account.ts'
import { refusalOf, rejected } from './refusals.ts'
import { JobReply, ServiceToken, UploadLimits, type BlueskySecret, type Blob, type VideoJob } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc, type Failed, type Token } from './xrpc.ts'

/*
 * Videos go through Bluesky's video service, as docs.bsky.app/docs/tutorials/video recommends: it converts the file,
 * stores it on the account's server on the account's behalf, and only then returns the blob that a post can show. So a
 * post is never published with a video that can't be played, and problems with a video are known before sending.
 */

export const VIDEO_SERVICE = 'https://video.bsky.app'

/** The origin of the video service for accounts on a server; null if there is none. */
export type VideoServiceFor = (pds: string) => string | null

/**
 * The configured video service; `none` for a network without one. It has to reach the account's server, so local
 * servers (the only ones with plain http) have none, except the `simulator`'s own.
 */
export const videoServiceFor =
  (named: string = VIDEO_SERVICE, simulator?: string): VideoServiceFor =>
  (pds) =>
    pds === simulator ? pds : named === 'none' || pds.startsWith('http:') ? null : named

export type Errand = { reach: Reach; session: BlueskySecret; service: string }
export type VideoAnswer =
  | { kind: 'done'; blob: Blob }
  | { kind: 'working'; job: VideoJob; checkAfterSeconds: number }
  /** The account's server issues no tokens for services: the file has to be uploaded to it directly. */
  | { kind: 'unsupported' }
  | Refusal

const CALL_TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 300_000
/** The video service needs its token until the converted file is stored; the tutorial recommends half an hour. */
const TOKEN_MINUTES = 30
/** Seconds until the first check; the interval doubles up to half a minute. */
const FIRST_LOOK_SECONDS = 2
const MOST_SECONDS = 30
/** Checks of one job: about an hour. */
const LOOKS = 120
/** How many jobs of one video may fail for a temporary reason. */
const ROUNDS = 2

/** One step: uploads the video or checks on its job. A video with an active job is never uploaded again. */
export async function bringVideo(errand: Errand, file: MediaFile, job: VideoJob | undefined): Promise<VideoAnswer> {
  const before = job ?? { id: null, looks: 0, failed: 0 }
  return before.id === null
    ? await uploadVideo(errand, file, before)
    : await lookAtJob(errand, { ...before, id: before.id })
}

async function uploadVideo(errand: Errand, file: MediaFile, before: VideoJob): Promise<VideoAnswer> {
  const { reach, session, service } = errand
  const asking = await serviceToken(errand, didOf(service), 'app.bsky.video.getUploadLimits')
  if (asking.kind !== 'token') return asking
  const refused = await refusedByLimits(errand, { token: asking.token }, file)
  if (refused) return refused
  // the new token tells the server's time: it expires a minute later (lexicon getServiceAuth)
  const inAMinute = claimsOf(asking.token)?.exp
  const until = inAMinute === undefined ? undefined : inAMinute + (TOKEN_MINUTES - 1) * 60
  const storing = await serviceToken(errand, didOf(session.pds), 'com.atproto.repo.uploadBlob', until)
  if (storing.kind !== 'token') return storing
  const taken = await xrpc(reach, {
    service,
    nsid: 'app.bsky.video.uploadVideo',
    params: { did: session.did, name: `${file.assetId}.mp4` },
    as: { token: storing.token },
    file: { body: { bytes: file.bytes, open: () => file.stream() }, contentType: file.contentType },
    reply: JobReply,
    readsErrors: true,
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  if (taken.kind !== 'ok') return refusedByService(taken)
  const { jobId, blob, error = '', message = '' } = taken.value
  if (blob) return { kind: 'done', blob }
  if (!jobId) return failure(error, message) ?? unclear(error, message)
  return { kind: 'working', job: { ...before, id: jobId, looks: 0 }, checkAfterSeconds: FIRST_LOOK_SECONDS }
}

/**
 * Whether the service would refuse the file anyway: the email address isn't confirmed, or the daily limit of videos or
 * bytes is reached.
 */
async function refusedByLimits({ reach, service }: Errand, as: Token, file: MediaFile): Promise<Refusal | undefined> {
  const limits = await xrpc(reach, {
    service,
    nsid: 'app.bsky.video.getUploadLimits',
    as,
    reply: UploadLimits,
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (limits.kind !== 'ok') return refusedByService(limits)
  const { canUpload, remainingDailyVideos, remainingDailyBytes, error = '', message = '' } = limits.value
  if (remainingDailyVideos === 0) return dailyLimit('videos')
  if (remainingDailyBytes !== undefined && remainingDailyBytes < file.bytes) return dailyLimit('megabytes')
  if (canUpload) return undefined
  return failure(error, message) ?? unclear(error, message)
}

async function lookAtJob({ reach, service }: Errand, before: VideoJob & { id: string }): Promise<VideoAnswer> {
  const seen = await xrpc(reach, {
    service,
    nsid: 'app.bsky.video.getJobStatus',
    params: { jobId: before.id },
    reply: JobReply,
    readsErrors: true,
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (seen.kind !== 'ok') {
    const isUnknown = seen.cause === 'answered' && (seen.status === 400 || seen.status === 404)
    return isUnknown ? again(before, '', '') : refusedByService(seen)
  }
  const { state, blob, error = '', failureCode = '', message = '' } = seen.value
  // the service reports a video that it already has as an error, with its blob
  if (blob) return { kind: 'done', blob }
  if (state === 'JOB_STATE_FAILED') return failure(failureCode || error, message) ?? again(before, failureCode, message)
  const looks = before.looks + 1
  if (looks >= LOOKS) return unclear('timeout', '')
  return {
    kind: 'working',
    job: { ...before, looks },
    checkAfterSeconds: Math.min(FIRST_LOOK_SECONDS * 2 ** looks, MOST_SECONDS),
  }
}

/** After a temporary problem: one more upload, then a person is asked. */
function again(before: VideoJob, code: string, message: string): VideoAnswer {
  const failed = before.failed + 1
  return failed < ROUNDS
    ? { kind: 'working', job: { id: null, looks: 0, failed }, checkAfterSeconds: MOST_SECONDS }
    : unclear(code, message)
}

async function serviceToken(
  { reach, session }: Errand,
  aud: string,
  lxm: string,
  exp?: number,
): Promise<{ kind: 'token'; token: string } | { kind: 'unsupported' } | Refusal> {
  const made = await xrpc(reach, {
    service: session.pds,
    nsid: 'com.atproto.server.getServiceAuth',
    params: { aud, lxm, ...(exp !== undefined && { exp: String(exp) }) },
    as: tokenOf(session),
    reply: ServiceToken,
    timeoutMs: CALL_TIMEOUT_MS,
  })
  if (made.kind === 'ok') return { kind: 'token', token: made.value.token }
  if (made.cause === 'answered' && (made.status === 404 || made.status === 501)) return { kind: 'unsupported' }
  return refusalOf(made, { doing: 'store-video', irreversible: false })
}

/** Servers and services are identified by their host (official app, getServiceAuthAudFromUrl). */
const didOf = (origin: string): string => `did:web:${new URL(origin).hostname}`

/**
 * The reason for failures that only a person can resolve, by the codes of app.bsky.video.defs and of the service's
 * responses; undefined for all others.
 */
function failure(code: string, message: string): Refusal | undefined {
  switch (code) {
    case 'unconfirmed_email':
      return rejected(code, because('bluesky-email-unconfirmed'))
    case 'validation_failure':
    case 'encoding_failure':
      return rejected(code, because('bluesky-video-unplayable', { words: saying(message) }))
    case 'pds_upload_unsupported_blob_size':
      return rejected(code, because('bluesky-video-too-large'))
    default:
      return undefined
  }
}

const dailyLimit = (of: 'videos' | 'megabytes'): Refusal =>
  rejected('daily-limit', because('bluesky-video-limit', { of }))

const unclear = (code: string, message: string): Refusal =>
  rejected(code || 'video-failed', because('bluesky-video-failed', { words: saying(message) }))

const saying = (message: string): string | undefined => (message ? sentence(message) : undefined)

/** What a failure of the video service means. It never concerns the sign-in, because each call has a fresh token. */
function refusedByService(failed: Failed): Refusal {
  const retry = (reason: Reason, platformCode: string): Extract<Refusal, { kind: 'retry' }> => ({
    kind: 'retry',
    reason: { ...reason, platformCode },
  })
  if (failed.cause === 'unsent') return retry(because('bluesky-video-service-unreachable'), 'unreachable')
  if (failed.cause !== 'answered') return retry(because('bluesky-video-service-answer-lost'), failed.cause)
  const { status, code, message, waitSeconds } = failed
  const platformCode = code || String(status)
  if (status === 429)
    return { ...retry(because('bluesky-video-service-slow'), platformCode), afterSeconds: waitSeconds ?? 60 }
  if (status >= 500 || !code) return retry(because('bluesky-video-service-trouble'), platformCode)
  return failure(code, message) ?? unclear(code, message)
}
