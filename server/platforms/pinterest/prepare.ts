import { because } from '#contract/failures/catalog.ts'
import { rest } from '../jsonCalls.ts'
import type { MediaFile, Outgoing, PrepareAnswer, Preparing, Publish, Reach, Refusal } from '../platform.ts'
import { call, isGone, withSecret } from './client.ts'
import { refusalOf } from './refusals.ts'
import { MediaState, Nothing, Prepared, Registered, type PinterestSecret } from './schemas.ts'

const REGISTER_TIMEOUT_MS = 30_000
/** The slowest upload we allow for: half a megabyte per second. */
const BYTES_PER_MS = 500
const LOOK_SECONDS = 15
/** Checks of an uploaded video before giving up: half an hour. */
const LOOKS = 120
const ROUNDS = 3
const taking = { doing: 'accept-video', irreversible: false } as const

const isVideo = ({ contentType }: MediaFile): boolean => contentType.startsWith('video/')
/** The video of a Pin; pictures are sent with the Pin itself. */
export const videoOf = ({ contents }: Pick<Outgoing, 'contents'>): MediaFile | undefined =>
  contents[0]?.media.find(isVideo)

export const needsPrepare: Publish['needsPrepare'] = (post) => videoOf(post) !== undefined

/** Uploads the video and waits until Pinterest has processed it. Nobody sees it before a Pin does. */
export const prepare: Publish['prepare'] = withSecret(async (reach, own, _account, post): Promise<PrepareAnswer> => {
  const video = videoOf(post)
  if (!video) return { kind: 'prepared', progress: post.progress }
  const saved = Prepared.parse(post.progress)
  const again = (next: Prepared, checkAfterSeconds: number): Preparing => ({
    kind: 'preparing',
    progress: { ...post.progress, ...next },
    checkAfterSeconds,
  })
  if (saved.mediaId === null) {
    const uploaded = await upload(reach, own, video)
    return uploaded.kind === 'uploaded'
      ? again({ ...saved, mediaId: uploaded.mediaId, looks: 0, ready: false }, LOOK_SECONDS)
      : uploaded
  }
  const seen = await call(reach, own, { path: `/media/${encodeURIComponent(saved.mediaId)}`, reply: MediaState })
  if (seen.kind !== 'ok' && !isGone(seen)) return refusalOf(seen, { doing: 'show-video-progress', irreversible: false })
  const status = seen.kind === 'ok' ? seen.value.status : 'failed'
  if (status === 'succeeded') return { kind: 'prepared', progress: { ...post.progress, ...saved, ready: true } }
  if (status !== 'failed' && saved.looks + 1 < LOOKS) return again({ ...saved, looks: saved.looks + 1 }, LOOK_SECONDS)
  const failed = saved.failed + 1
  if (failed < ROUNDS) return again({ ...saved, mediaId: null, looks: 0, ready: false, failed }, LOOK_SECONDS)
  return { kind: 'rejected', reason: { ...because('pinterest-video'), platformCode: 'media-failed' } }
})

/** One upload, from its registration to its last byte; the form's fields are valid for one upload only. */
async function upload(
  reach: Reach,
  secret: PinterestSecret,
  video: MediaFile,
): Promise<{ kind: 'uploaded'; mediaId: string } | Refusal> {
  const registered = await call(reach, secret, {
    path: '/media',
    method: 'POST',
    json: { media_type: 'video' },
    reply: Registered,
    timeoutMs: REGISTER_TIMEOUT_MS,
  })
  if (registered.kind !== 'ok') return refusalOf(registered, taking)
  const { media_id: mediaId, upload_url: url, upload_parameters: parameters } = registered.value
  // the form is signed for this upload: our token mustn't be sent to the storage host
  const sent = await rest(reach, {
    url,
    method: 'POST',
    file: { field: 'file', file: video, fields: parameters },
    reply: Nothing,
    timeoutMs: REGISTER_TIMEOUT_MS + Math.ceil(video.bytes / BYTES_PER_MS),
  })
  if (sent.kind === 'ok') return { kind: 'uploaded', mediaId }
  const refusal = refusalOf(sent, taking)
  // the storage host isn't Pinterest's API: whatever it refuses, a new registration may fix
  return refusal.kind === 'retry' && refusal.first === undefined
    ? refusal
    : { kind: 'retry', reason: { ...refusal.reason, ...because('pinterest-upload-refused') } }
}
