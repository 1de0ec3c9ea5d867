import type { z } from 'zod'
import { rest, type RestFailed } from '../jsonCalls.ts'
import type { MediaFile, Preparing, Reach, Refusal } from '../platform.ts'
import { call, encoded } from './client.ts'
import { fileRefused, isClosed, isGone, refusalOf } from './refusals.ts'
import {
  Anything,
  Asset,
  DocumentStart,
  ImageStart,
  Uploads,
  VideoStart,
  type LinkedInSecret,
  type Upload,
} from './schemas.ts'

/* Each file gets a URN and a URL to upload it to; videos in pieces. Nobody sees it until a post shows it. */

const START_TIMEOUT_MS = 30_000
/** The slowest upload we allow for: half a megabyte per second. */
const BYTES_PER_MS = 500
const LOOK_SECONDS = 10
/** Checks of one file before giving up: 20 minutes. */
const LOOKS = 120
/** How often an upload starts over when LinkedIn no longer knows the earlier one. */
const ROUNDS = 3
const PIECE_TRIES = 3
const doing = { doing: 'accept-file', irreversible: false } as const

type Answer = { kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal
type Up = { kind: 'up'; upload: Upload } | Refusal

export type Family = 'images' | 'videos' | 'documents'
/** Which upload API a file needs. */
export const familyOf = ({ contentType }: Pick<MediaFile, 'contentType'>): Family =>
  contentType.startsWith('image/') ? 'images' : contentType.startsWith('video/') ? 'videos' : 'documents'

/** Uploads the files, one per call, and waits until all can be shown. */
export async function makeReady(
  reach: Reach,
  secret: LinkedInSecret,
  media: readonly MediaFile[],
  progress: Record<string, unknown>,
): Promise<Answer> {
  const saved = Uploads.parse(progress)
  const files = { ...saved.files }
  const preparing = (checkAfterSeconds: number, more: Partial<Uploads> = {}): Preparing => ({
    kind: 'preparing',
    progress: { ...progress, files, looks: 0, failed: saved.failed, ...more },
    checkAfterSeconds,
  })
  for (const file of media) {
    const known = files[file.assetId]
    if (!known) {
      const up = await upload(reach, secret, file)
      if (up.kind !== 'up') return up
      files[file.assetId] = up.upload
      return preparing(0)
    }
    if (known.state === 'ready') continue
    if (known.state === 'uploaded') {
      const refused = await finalize(reach, secret, known)
      if (refused) return refused
      files[file.assetId] = { urn: known.urn, state: 'waits' }
      return preparing(0)
    }
    const state = await look(reach, secret, file, known.urn)
    if (state === 'AVAILABLE') files[file.assetId] = { urn: known.urn, state: 'ready' }
    else if (state === 'PROCESSING')
      return saved.looks < LOOKS ? preparing(LOOK_SECONDS, { looks: saved.looks + 1 }) : fileRefused
    else if (state === 'PROCESSING_FAILED') return fileRefused
    else if (typeof state === 'object') return state
    else {
      delete files[file.assetId]
      return saved.failed < ROUNDS ? preparing(LOOK_SECONDS, { failed: saved.failed + 1 }) : fileRefused
    }
  }
  return { kind: 'prepared', progress: { ...progress, files, looks: 0 } }
}

/**
 * How far LinkedIn is with a file. If that may not be read, an uploaded file is assumed to be ready: otherwise LinkedIn
 * refuses the post.
 */
async function look(
  reach: Reach,
  secret: LinkedInSecret,
  file: MediaFile,
  urn: string,
): Promise<'AVAILABLE' | 'PROCESSING' | 'PROCESSING_FAILED' | 'gone' | Refusal> {
  const seen = await call(reach, secret, { path: `/rest/${familyOf(file)}/${encoded(urn)}`, reply: Asset })
  if (seen.kind === 'ok') return seen.value.status === 'WAITING_UPLOAD' ? 'gone' : seen.value.status
  if (isGone(seen)) return 'gone'
  return isClosed(seen) ? 'AVAILABLE' : refusalOf(seen, doing)
}

function upload(reach: Reach, secret: LinkedInSecret, file: MediaFile): Promise<Up> {
  switch (familyOf(file)) {
    case 'videos':
      return uploadVideo(reach, secret, file)
    case 'images':
      return uploadWhole(reach, secret, file, ImageStart, (value) => value.image)
    case 'documents':
    default:
      return uploadWhole(reach, secret, file, DocumentStart, (value) => value.document)
  }
}

async function uploadWhole<V extends { uploadUrl: string }>(
  reach: Reach,
  secret: LinkedInSecret,
  file: MediaFile,
  reply: z.ZodType<{ value: V }>,
  urnOf: (value: V) => string,
): Promise<Up> {
  const started = await call(reach, secret, {
    path: `/rest/${familyOf(file)}`,
    method: 'POST',
    query: { action: 'initializeUpload' },
    json: { initializeUploadRequest: { owner: secret.author } },
    reply,
    timeoutMs: START_TIMEOUT_MS,
  })
  if (started.kind !== 'ok') return refusalOf(started, doing)
  const put = await putBytes(reach, started.value.value.uploadUrl, file, undefined, { token: secret.accessToken })
  return put.kind === 'ok'
    ? { kind: 'up', upload: { urn: urnOf(started.value.value), state: 'waits' } }
    : refusalOf(put, doing)
}

/** Uploads bytes to one URL. The token is only sent to LinkedIn's own hosts. */
function putBytes(
  reach: Reach,
  url: string,
  file: MediaFile,
  range: { start: number; end: number } | undefined,
  { token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) {
  const bytes = range ? range.end - range.start : file.bytes
  const isOurs = /(^|\.)linkedin\.com$/.test(new URL(url).hostname)
  return rest(reach, {
    url,
    method: 'PUT',
    ...(isOurs && token !== undefined && { token }),
    headers,
    raw: { body: { bytes, open: () => file.stream(range) }, contentType: 'application/octet-stream' },
    reply: Anything,
    timeoutMs: START_TIMEOUT_MS + Math.ceil(bytes / BYTES_PER_MS),
  })
}

/** Uploads pieces of 4 MB to the URLs that LinkedIn names; each response has an ETag. */
async function uploadVideo(reach: Reach, secret: LinkedInSecret, file: MediaFile): Promise<Up> {
  const started = await call(reach, secret, {
    path: '/rest/videos',
    method: 'POST',
    query: { action: 'initializeUpload' },
    json: {
      initializeUploadRequest: {
        owner: secret.author,
        fileSizeBytes: file.bytes,
        uploadCaptions: false,
        uploadThumbnail: file.thumbnail !== undefined,
      },
    },
    reply: VideoStart,
    timeoutMs: START_TIMEOUT_MS,
  })
  if (started.kind !== 'ok') return refusalOf(started, doing)
  const { video, uploadToken, uploadInstructions, thumbnailUploadUrl } = started.value.value
  const pieces: string[] = []
  for (const { uploadUrl, firstByte, lastByte } of uploadInstructions) {
    const etag = await putPiece(reach, uploadUrl, file, { start: firstByte, end: Math.min(lastByte + 1, file.bytes) })
    if (typeof etag !== 'string') return refusalOf(etag, doing)
    pieces.push(etag)
  }
  // without a thumbnail, LinkedIn shows a frame, so a refused one is left out
  if (file.thumbnail && thumbnailUploadUrl !== null)
    await putBytes(reach, thumbnailUploadUrl, file.thumbnail, undefined, {
      headers: { 'media-type-family': 'STILLIMAGE' },
    })
  return { kind: 'up', upload: { urn: video, state: 'uploaded', token: uploadToken, pieces } }
}

/** Can be repeated: it's the same piece. */
async function putPiece(
  reach: Reach,
  url: string,
  file: MediaFile,
  range: { start: number; end: number },
): Promise<string | RestFailed> {
  let failed: RestFailed = { kind: 'failed', cause: 'garbled', detail: 'a piece came without ETag' }
  for (let tries = 0; tries < PIECE_TRIES; tries++) {
    const put = await putBytes(reach, url, file, range)
    const etag = put.kind === 'ok' ? put.headers.etag?.replace(/^"(.*)"$/, '$1') : undefined
    if (etag) return etag
    if (put.kind === 'failed') failed = put
    if (put.kind === 'failed' && put.cause === 'answered' && put.status < 500) return put
  }
  return failed
}

/** A video that is already finalized is refused here; reading it tells. */
async function finalize(
  reach: Reach,
  secret: LinkedInSecret,
  { urn, token = '', pieces = [] }: Upload,
): Promise<Refusal | undefined> {
  const done = await call(reach, secret, {
    path: '/rest/videos',
    method: 'POST',
    query: { action: 'finalizeUpload' },
    json: { finalizeUploadRequest: { video: urn, uploadToken: token, uploadedPartIds: pieces } },
    reply: Anything,
    timeoutMs: START_TIMEOUT_MS,
  })
  if (done.kind === 'ok') return undefined
  const refusal = refusalOf(done, doing)
  return refusal.kind === 'rejected' ? undefined : refusal
}

/** The URNs of these files, in order; undefined if one isn't uploaded. */
export function urnsOf(media: readonly MediaFile[], progress: Record<string, unknown>): string[] | undefined {
  const { files } = Uploads.parse(progress)
  const urns = media.flatMap(({ assetId }) => files[assetId]?.urn ?? [])
  return urns.length === media.length ? urns : undefined
}
