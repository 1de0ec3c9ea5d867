import { advised } from '../advice.ts'
import type { MediaFile, Reach, Reason, Refusal } from '../platform.ts'
import { sentence } from '../words.ts'
import { claimsOf } from './account.ts'
import { refusalOf } from './refusals.ts'
import { JobReply, ServiceToken, UploadLimits, type BlueskySecret, type Blob, type VideoJob } from './schemas.ts'
import { tokenOf } from './secret.ts'
import { xrpc, type Failed, type Token } from './xrpc.ts'

/*
 * Videos go through Bluesky's video service, as docs.bsky.app/docs/tutorials/video recommends: it converts the file, stores it on
 * the account's own server in the account's name and only then names the blob that a post may show. So a post is never published
 * with a video that can't be played, and what is wrong with a video is known before.
 */

export const VIDEO_SERVICE = 'https://video.bsky.app'

/** The origin of the video service for accounts on a server; null where there is none. */
export type VideoServiceFor = (pds: string) => string | null

/**
 * The video service that is named, `none` for a network without one. It has to reach the account's server, so one on this machine,
 * the only kind with plain http, has none; except a `simulator`, which is its own.
 */
export const videoServiceFor =
  (named: string = VIDEO_SERVICE, simulator?: string): VideoServiceFor =>
  (pds) =>
    pds === simulator ? pds : named === 'none' || pds.startsWith('http:') ? null : named

export type Errand = { reach: Reach; session: BlueskySecret; service: string }
export type VideoAnswer =
  | { kind: 'done'; blob: Blob }
  | { kind: 'working'; job: VideoJob; checkAfterSeconds: number }
  /** The account's server hands out no tokens for services: the file has to be uploaded to it directly. */
  | { kind: 'unsupported' }
  | Refusal

const CALL_TIMEOUT_MS = 15_000
const UPLOAD_TIMEOUT_MS = 300_000
/** The video service needs its token until the converted file is stored; half an hour is what the tutorial advises. */
const TOKEN_MINUTES = 30
/** Seconds until the first look; each further one comes after twice the time, up to half a minute. */
const FIRST_LOOK_SECONDS = 2
const MOST_SECONDS = 30
/** Looks at one job: about an hour. */
const LOOKS = 120
/** Jobs of one video that may fail for a passing reason. */
const ROUNDS = 2

/** One step: uploads the video, or looks at what has become of it. A job that is under way is never uploaded again. */
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
  // the token that was just made says what time it is there: it ends a minute later (lexicon getServiceAuth)
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

/** Whether the service would refuse the file anyway: an unconfirmed email address, or the day's videos or bytes are used up. */
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
  if (remainingDailyBytes !== undefined && remainingDailyBytes < file.bytes) return dailyLimit('megabytes of video')
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
  // a video that the service knew already is told as an error, with its blob
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

/** After trouble that may pass: one more upload, then a person is asked. */
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
  return refusalOf(made, { doing: 'allow its video service to store the video', irreversible: false })
}

/** Servers and services are named by their host (official app, getServiceAuthAudFromUrl). */
const didOf = (origin: string): string => `did:web:${new URL(origin).hostname}`

const rejected = (platformCode: string, text: string, advice: string): Refusal => ({
  kind: 'rejected',
  reason: { text, advice, platformCode },
})

/** Failures that only a person can end, by the codes of app.bsky.video.defs and of the service's own answers; undefined for all others. */
function failure(code: string, message: string): Refusal | undefined {
  switch (code) {
    case 'unconfirmed_email':
      return rejected(
        code,
        "This account can't upload videos because its email address isn't confirmed on Bluesky.",
        'Confirm it in the Bluesky app under Settings, Account. Then send the post again.',
      )
    case 'validation_failure':
    case 'encoding_failure':
      return rejected(
        code,
        `Bluesky can't play this video${saying(message)}`,
        'Save it as MP4 with H.264 video and AAC audio, then send the post again.',
      )
    case 'pds_upload_unsupported_blob_size':
      return rejected(
        code,
        'The converted video is larger than the server of this account takes.',
        'Shrink it or choose another one.',
      )
    default:
      return undefined
  }
}

const dailyLimit = (of: string): Refusal =>
  rejected(
    'daily-limit',
    `This account has no ${of} left on Bluesky today.`,
    'Send the post again tomorrow, or post it without the video.',
  )

const unclear = (code: string, message: string): Refusal =>
  rejected(
    code || 'video-failed',
    `Bluesky didn't process this video${saying(message)}`,
    'Send the post again later, or choose another video.',
  )

const saying = (message: string): string => (message ? `: ${sentence(message)}` : '.')

/** What the video service's failure means. It has nothing to do with the sign-in: its tokens are made for the moment. */
function refusedByService(failed: Failed): Refusal {
  const retry = (
    text: string,
    platformCode: string,
    more: Partial<Reason> & { afterSeconds?: number } = {},
  ): Refusal => {
    const { afterSeconds, ...reason } = more
    return {
      kind: 'retry',
      ...(afterSeconds !== undefined && { afterSeconds }),
      reason: { text, ...advised('retry'), platformCode, ...reason },
    }
  }
  if (failed.cause === 'unsent') return retry("Bluesky's video service couldn't be reached.", 'unreachable')
  if (failed.cause !== 'answered') return retry("The answer of Bluesky's video service was lost.", failed.cause)
  const { status, code, message, waitSeconds } = failed
  const platformCode = code || String(status)
  if (status === 429)
    return retry("Bluesky's video service asks us to slow down.", platformCode, {
      afterSeconds: waitSeconds ?? 60,
      ...advised('slow'),
    })
  if (status >= 500 || !code) return retry("Bluesky's video service has trouble of its own.", platformCode)
  return failure(code, message) ?? unclear(code, message)
}
