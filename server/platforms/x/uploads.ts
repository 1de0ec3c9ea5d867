import { because, type Reason } from '#contract/failures/catalog.ts'
import type { MediaFile, Outgoing, Preparing, Reach, Refusal } from '../platform.ts'
import { sentence } from '../quotes.ts'
import { call } from './client.ts'
import { refusalOf } from './refusals.ts'
import { Anything, Upload, type Uploaded, type XSecret } from './schemas.ts'

/*
 * Files are uploaded in pieces: initialize, append each piece, finalize, check until X has processed them, then add the
 * alt text. Nobody sees them before a post shows them, and X drops them after a day (docs.x.com,
 * media/quickstart/best-practices).
 */

/** Pieces of at most 5 MB, up to a thousand. */
const PIECE = 4_000_000
/** Progress is stored after this many bytes, so that an interruption costs no more. */
const STORED_EVERY = 100_000_000
const CHANGE_TIMEOUT_MS = 30_000
const PIECE_TIMEOUT_MS = 120_000
/** Checks of an uploaded file before giving up: one per 10 seconds, half an hour. */
const LOOKS = 180
const LONGEST_LOOK_SECONDS = 60

export type Media = Record<string, Uploaded>
type Wanted = { place: string; file: MediaFile }

/** An item's files with their positions: a different file in the same position is a different upload. */
export const filesOf = (contents: Outgoing['contents'], item: number): Wanted[] =>
  (contents[item]?.media ?? []).map((file, index) => ({ place: `${item}.${index}.${file.assetId}`, file }))
/** The IDs of files, in order; undefined while one isn't ready. */
export function idsOf(files: readonly Wanted[], media: Media): string[] | undefined {
  const ids = files.map(({ place }) => media[place]).filter((one) => one?.ready === true)
  return ids.length === files.length ? ids.flatMap((one) => (one ? [one.id] : [])) : undefined
}

/** How many steps are taken before progress is stored: four pictures take twelve. */
const STRETCH = 16

type Answer = { kind: 'whole' } | { kind: 'some'; media: Media; checkAfterSeconds: number } | Refusal

/** Uploads until all files are ready (`whole`), X has to be waited for, or the progress should be stored (`some`). */
export async function uploadSome(
  reach: Reach,
  secret: XSecret,
  files: readonly Wanted[],
  media: Media,
): Promise<Answer> {
  let now = media
  for (let step = 0; step < STRETCH; step++) {
    const answer = await uploadStep(reach, secret, files, now)
    if (answer.kind === 'whole' && now !== media) return { kind: 'some', media: now, checkAfterSeconds: 0 }
    if (answer.kind !== 'some') return answer
    const isLarge = files.some(
      ({ place, file }) => file.bytes > STORED_EVERY && answer.media[place]?.sent !== now[place]?.sent,
    )
    if (answer.checkAfterSeconds > 0 || isLarge) return answer
    now = answer.media
  }
  return { kind: 'some', media: now, checkAfterSeconds: 0 }
}

/** One step for the first file that isn't ready. */
async function uploadStep(reach: Reach, secret: XSecret, files: readonly Wanted[], media: Media): Promise<Answer> {
  const next = files.find(({ place }) => media[place]?.ready !== true)
  if (!next) return { kind: 'whole' }
  const done = (state: Uploaded, checkAfterSeconds = 0) => ({
    kind: 'some' as const,
    media: { ...media, [next.place]: state },
    checkAfterSeconds,
  })
  const known = media[next.place]
  if (!known) {
    const begun = await initialize(reach, secret, next.file)
    return begun.kind === 'begun' ? done({ id: begun.id, sent: 0, finalized: false, ready: false, looks: 0 }) : begun
  }
  if (known.sent < next.file.bytes) {
    const sent = await append(reach, secret, next.file, known)
    return sent.kind === 'sent' ? done({ ...known, sent: sent.bytes }) : sent
  }
  const seen = await (known.finalized
    ? call(reach, secret, { path: '/2/media/upload', query: { command: 'STATUS', media_id: known.id }, reply: Upload })
    : call(reach, secret, {
        path: `/2/media/upload/${known.id}/finalize`,
        method: 'POST',
        reply: Upload,
        timeoutMs: CHANGE_TIMEOUT_MS,
      }))
  if (seen.kind !== 'ok') {
    // the file's state tells whether it was finalized by a call whose response was lost
    if (!known.finalized && seen.cause !== 'unsent' && !(seen.cause === 'answered' && seen.status < 500))
      return done({ ...known, finalized: true }, 5)
    // it wasn't finalized, or X has no state for such a file: it's uploaded again
    const { [next.place]: _, ...others } = media
    if (known.finalized && seen.cause === 'answered' && [400, 404].includes(seen.status))
      return { kind: 'some', media: others, checkAfterSeconds: 5 }
    return refusalOf(seen, uploading)
  }
  const { processing_info: work } = seen.value.data
  if (work?.state === 'failed') return couldNotUse(work.error?.message || work.error?.name || '')
  if (work && work.state !== 'succeeded')
    return known.looks < LOOKS
      ? done(
          { ...known, finalized: true, looks: known.looks + 1 },
          Math.min(Math.max(work.check_after_secs, 1), LONGEST_LOOK_SECONDS),
        )
      : mediaFailed(because('x-file-never-finished'))
  const described = await describe(reach, secret, known.id, next.file)
  return described ?? done({ ...known, finalized: true, ready: true })
}

const uploading = { doing: 'accept-file', irreversible: false } as const
const mediaFailed = (reason: Reason): Refusal => ({
  kind: 'rejected',
  reason: { ...reason, platformCode: 'media-failed' },
})
const couldNotUse = (words: string): Refusal =>
  mediaFailed(because('x-file', { words: words ? sentence(words) : undefined }))

const categoryOf = ({ contentType }: MediaFile): string =>
  contentType.startsWith('video/') ? 'tweet_video' : contentType === 'image/gif' ? 'tweet_gif' : 'tweet_image'

async function initialize(
  reach: Reach,
  secret: XSecret,
  file: MediaFile,
): Promise<{ kind: 'begun'; id: string } | Refusal> {
  const begun = await call(reach, secret, {
    path: '/2/media/upload/initialize',
    method: 'POST',
    json: { media_type: file.contentType, media_category: categoryOf(file), total_bytes: file.bytes },
    reply: Upload,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return begun.kind === 'ok' ? { kind: 'begun', id: begun.value.data.id } : refusalOf(begun, uploading)
}

/** Sends pieces until the file is complete or the progress has to be stored. A piece can be sent twice. */
async function append(
  reach: Reach,
  secret: XSecret,
  file: MediaFile,
  { id, sent }: Uploaded,
): Promise<{ kind: 'sent'; bytes: number } | Refusal> {
  const stopAt = Math.min(file.bytes, sent + STORED_EVERY)
  let at = sent
  while (at < stopAt) {
    const end = Math.min(at + PIECE, file.bytes)
    const piece = {
      field: 'media',
      file,
      fields: { segment_index: String(Math.floor(at / PIECE)) },
      range: { start: at, end },
    }
    const answer = await call(reach, secret, {
      path: `/2/media/upload/${id}/append`,
      method: 'POST',
      file: piece,
      reply: Anything,
      timeoutMs: PIECE_TIMEOUT_MS,
    })
    // stores what arrived before it, unless it was nothing
    if (answer.kind !== 'ok')
      return at > sent && !(answer.cause === 'answered' && answer.status < 500)
        ? { kind: 'sent', bytes: at }
        : refusalOf(answer, uploading)
    at = end
  }
  return { kind: 'sent', bytes: at }
}

/** Sets a picture's alt text. Videos have none. */
async function describe(reach: Reach, secret: XSecret, id: string, file: MediaFile): Promise<Refusal | undefined> {
  if (!file.altText || file.contentType.startsWith('video/')) return undefined
  const said = await call(reach, secret, {
    path: '/2/media/metadata',
    method: 'POST',
    json: { id, metadata: { alt_text: { text: file.altText } } },
    reply: Anything,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return said.kind === 'ok' ? undefined : refusalOf(said, { doing: 'accept-alt-text', irreversible: false })
}

export const preparing = (progress: Record<string, unknown>, media: Media, checkAfterSeconds: number): Preparing => ({
  kind: 'preparing',
  progress: { ...progress, media },
  checkAfterSeconds,
})
