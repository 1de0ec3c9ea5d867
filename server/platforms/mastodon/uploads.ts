import { because } from '#contract/failures/catalog.ts'
import type { MediaFile, Preparing, Reach, Refusal } from '../platform.ts'
import { call, hostOf, refused } from './client.ts'
import { isGone } from './refusals.ts'
import { Attachment, Uploads, type MastodonSecret } from './schemas.ts'

const UPLOAD_TIMEOUT_MS = 30_000
/** The slowest upload we allow for: half a megabyte per second. */
const BYTES_PER_MS = 500
const LOOK_SECONDS = 20
/** Checks of one post's files before giving up: 20 minutes. */
const LOOKS = 60

/**
 * Uploads the files, one per call, and waits until the server has processed them. A file that no status shows is
 * deleted after a day: if everything was ready before, each file is checked, and missing ones are uploaded again.
 */
export async function makeReady(
  reach: Reach,
  secret: MastodonSecret,
  media: readonly MediaFile[],
  progress: Record<string, unknown>,
): Promise<{ kind: 'prepared'; progress: Record<string, unknown> } | Preparing | Refusal> {
  const saved = Uploads.parse(progress)
  const files = saved.wasReady
    ? Object.fromEntries(Object.entries(saved.files).map(([assetId, { id }]) => [assetId, { id, isReady: false }]))
    : { ...saved.files }
  const next = (looks: number, wasReady = false): Record<string, unknown> => ({ ...progress, files, looks, wasReady })
  for (const file of media) {
    const known = files[file.assetId]
    if (!known) {
      const up = await upload(reach, secret, file)
      if (up.kind !== 'up') return up
      files[file.assetId] = { id: up.id, isReady: up.isReady }
      // each upload is stored before the next one starts
      return { kind: 'preparing', progress: next(0), checkAfterSeconds: up.isReady ? 0 : LOOK_SECONDS }
    }
    if (known.isReady) continue
    const seen = await call(reach, secret, { path: `/api/v1/media/${known.id}`, reply: Attachment })
    if (seen.kind === 'failed' && isGone(seen)) {
      delete files[file.assetId]
      return { kind: 'preparing', progress: next(0), checkAfterSeconds: 0 }
    }
    if (seen.kind !== 'ok') return refused(seen, secret, 'accept-file')
    if (seen.status === 206)
      return saved.looks < LOOKS
        ? { kind: 'preparing', progress: next(saved.looks + 1), checkAfterSeconds: LOOK_SECONDS }
        : neverReady(secret)
    files[file.assetId] = { id: known.id, isReady: true }
  }
  return { kind: 'prepared', progress: next(0, true) }
}

async function upload(
  reach: Reach,
  secret: MastodonSecret,
  file: MediaFile,
): Promise<{ kind: 'up'; id: string; isReady: boolean } | Refusal> {
  const timeoutMs = UPLOAD_TIMEOUT_MS + Math.ceil(file.bytes / BYTES_PER_MS)
  const up = await call(reach, secret, {
    path: '/api/v2/media',
    method: 'POST',
    file: { field: 'file', file, fields: file.altText ? { description: file.altText } : {} },
    reply: Attachment,
    timeoutMs,
  })
  return up.kind === 'ok'
    ? { kind: 'up', id: up.value.id, isReady: up.status !== 202 }
    : refused(up, secret, 'accept-file')
}

const neverReady = (secret: MastodonSecret): Refusal => ({
  kind: 'rejected',
  reason: { ...because('mastodon-files-never-ready', { host: hostOf(secret) }), platformCode: 'never-ready' },
})

/** The server's IDs of uploaded files, by asset. */
export const idsIn = (progress: Record<string, unknown>): Partial<Record<string, string>> =>
  Object.fromEntries(Object.entries(Uploads.parse(progress).files).map(([assetId, { id }]) => [assetId, id]))

/** The server's IDs of these files, in order; undefined if one isn't uploaded. Later progress wins. */
export function idsOf(
  media: readonly MediaFile[],
  ...progress: readonly Record<string, unknown>[]
): string[] | undefined {
  const known: Partial<Record<string, string>> = Object.assign({}, ...progress.map(idsIn))
  const ids = media.flatMap(({ assetId }) => known[assetId] ?? [])
  return ids.length === media.length ? ids : undefined
}
