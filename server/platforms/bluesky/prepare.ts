import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import type { MediaFile, Outgoing, Publish, Reach, Refusal } from '../platform.ts'
import { cardOf, mentionedHandles, textOf } from './record.ts'
import { refusalOf } from './refusals.ts'
import { ResolvedHandle, UploadedBlob, type BlueskySecret, type Prepared } from './schemas.ts'
import { readSecret, tokenOf } from './secret.ts'
import { xrpc } from './xrpc.ts'

/** Bytes that a card's picture may have (lexicon app.bsky.embed.external). */
const MAX_THUMB = 1_000_000
const UPLOAD_TIMEOUT_MS = 60_000
const RESOLVE_TIMEOUT_MS = 15_000

/** Whether there are files to upload or people to look up. */
export const needsPrepare: Publish['needsPrepare'] = (post) => {
  const content = post.contents[0]
  return Boolean(content?.media.length || cardOf(post)?.imageAssetId || mentionedHandles(textOf(post)).length)
}

/**
 * Uploads the pictures, one after the other so that a large post holds one file in memory, and looks up who is
 * mentioned. Nothing of it is visible to anybody; files that no post uses are dropped by the server.
 */
export const prepare: Publish['prepare'] = async (reach, secret, _account, post) => {
  const session = readSecret(secret)
  if (session.kind !== 'secret') return session
  const prepared: Prepared = { blobs: {}, dids: {} }
  const thumbId = cardOf(post)?.imageAssetId
  if (thumbId && !post.extraMedia.has(thumbId)) return { kind: 'rejected', reason: { text: 'The picture of the link card is gone.', advice: 'Read the link again, or take the picture off its card.', platformCode: 'no-picture' } }
  for (const { file, maxBytes, what } of filesOf(post)) {
    const refused = tooLarge(file, maxBytes, what)
    if (refused) return refused
    const uploaded = await upload(reach, session.value, file)
    if (uploaded.kind !== 'ok') return refusalOf(uploaded, { doing: `take the ${what}`, irreversible: false })
    prepared.blobs[file.assetId] = uploaded.value.blob
  }
  for (const handle of mentionedHandles(textOf(post))) {
    const found = await resolveHandle(reach, session.value, handle)
    if (found.kind !== 'found') return found
    prepared.dids[handle] = found.did
  }
  return { kind: 'prepared', progress: { ...post.progress, ...prepared } }
}

type Wanted = { file: MediaFile; maxBytes: number; what: string }

function filesOf(post: Outgoing): Wanted[] {
  const images = post.contents[0]?.media.map((file) => ({ file, maxBytes: imageBytes(), what: 'picture' })) ?? []
  const thumbId = cardOf(post)?.imageAssetId
  const thumb = thumbId ? post.extraMedia.get(thumbId) : undefined
  return thumb ? [...images, { file: thumb, maxBytes: MAX_THUMB, what: 'picture of the link card' }] : images
}

const imageBytes = () => rules.posts[0]?.images.bytes ?? 0

/** The server takes larger files and refuses only the post that shows them. */
function tooLarge(file: MediaFile, maxBytes: number, what: string): Refusal | undefined {
  if (file.bytes <= maxBytes) return undefined
  return { kind: 'rejected', reason: { text: `The ${what} has ${(file.bytes / 1_000_000).toFixed(1)} MB; Bluesky takes ${maxBytes / 1_000_000} MB.`, advice: 'Shrink it or take another one.', platformCode: 'BlobTooLarge' } }
}

async function upload(reach: Reach, session: BlueskySecret, file: MediaFile) {
  const bytes = await file.read()
  return xrpc(reach, { service: session.pds, nsid: 'com.atproto.repo.uploadBlob', as: tokenOf(session), file: { bytes, contentType: file.contentType }, reply: UploadedBlob, timeoutMs: UPLOAD_TIMEOUT_MS })
}

async function resolveHandle(reach: Reach, session: BlueskySecret, handle: string): Promise<{ kind: 'found'; did: string | null } | Refusal> {
  const answer = await xrpc(reach, { service: session.pds, nsid: 'com.atproto.identity.resolveHandle', params: { handle }, reply: ResolvedHandle, timeoutMs: RESOLVE_TIMEOUT_MS })
  if (answer.kind === 'ok') return { kind: 'found', did: answer.value.did }
  // HandleNotFound by the lexicon, InvalidRequest by the server of today: nobody has this handle
  if (answer.cause === 'answered' && (answer.status === 400 || answer.status === 404) && answer.code) return { kind: 'found', did: null }
  return refusalOf(answer, { doing: `look up @${handle}`, irreversible: false })
}
