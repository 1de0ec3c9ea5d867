import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import type { MediaFile, Outgoing, Publish, Reach, Refusal } from '../platform.ts'
import { cardOf, isVideo, mentionedHandles, textOf } from './record.ts'
import { refusalOf } from './refusals.ts'
import { ResolvedHandle, UploadedBlob, type BlueskySecret, type Prepared } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc } from './xrpc.ts'

/** Bytes that a card's picture may have (lexicon app.bsky.embed.external). */
const MAX_THUMB = 1_000_000
const UPLOAD_TIMEOUT_MS = 60_000
const VIDEO_TIMEOUT_MS = 300_000
const RESOLVE_TIMEOUT_MS = 15_000

/** Whether there are files to upload or people to look up. */
export const needsPrepare: Publish['needsPrepare'] = (post) => {
  return (
    Boolean(cardOf(post)?.imageAssetId) ||
    post.contents.some(({ text, media }) => media.length > 0 || mentionedHandles(text).length > 0)
  )
}

/**
 * Uploads the files of the post and of its thread, one after the other so that a large post holds one picture in memory (a
 * video never is), and looks up who is mentioned. Nothing of it is visible to anybody; files that no post uses are dropped by the server.
 */
export const prepare: Publish['prepare'] = withSecret(async (reach, session, _account, post) => {
  const prepared: Prepared = { blobs: {}, dids: {} }
  const thumbId = cardOf(post)?.imageAssetId
  if (thumbId && !post.extraMedia.has(thumbId))
    return {
      kind: 'rejected',
      reason: {
        text: 'The picture of the link card is gone.',
        advice: 'Read the link again, or take the picture off its card.',
        platformCode: 'no-picture',
      },
    }
  const refused =
    (await uploadAll(reach, session, filesOf(post), prepared)) ??
    (await lookUpAll(
      reach,
      session,
      post.contents.map(({ text }) => text),
      prepared,
    ))
  return refused ?? { kind: 'prepared', progress: { ...post.progress, ...prepared } }
})

/** What one part still lacks: files that the server has dropped meanwhile, and whom a comment mentions. Nothing of it is visible. */
export async function preparePart(
  reach: Reach,
  session: BlueskySecret,
  piece: Outgoing,
  prepared: Prepared,
): Promise<Prepared | Refusal> {
  const own: Prepared = { blobs: { ...prepared.blobs }, dids: { ...prepared.dids } }
  const refused =
    (await uploadAll(
      reach,
      session,
      filesOf(piece).filter(({ file }) => !own.blobs[file.assetId]),
      own,
    )) ?? (await lookUpAll(reach, session, [textOf(piece)], own))
  return refused ?? own
}

async function uploadAll(
  reach: Reach,
  session: BlueskySecret,
  files: readonly Wanted[],
  into: Prepared,
): Promise<Refusal | undefined> {
  for (const { file, maxBytes, what } of files) {
    const refused = tooLarge(file, maxBytes, what)
    if (refused) return refused
    const uploaded = await upload(reach, session, file)
    if (uploaded.kind !== 'ok') return refusalOf(uploaded, { doing: `take the ${what}`, irreversible: false })
    into.blobs[file.assetId] = uploaded.value.blob
  }
  return undefined
}

async function lookUpAll(
  reach: Reach,
  session: BlueskySecret,
  texts: readonly string[],
  into: Prepared,
): Promise<Refusal | undefined> {
  for (const handle of new Set(texts.flatMap((text) => mentionedHandles(text.trim())))) {
    if (into.dids[handle] !== undefined) continue
    const found = await resolveHandle(reach, session, handle)
    if (found.kind !== 'found') return found
    into.dids[handle] = found.did
  }
  return undefined
}

type Wanted = { file: MediaFile; maxBytes: number; what: string }

function filesOf(post: Outgoing): Wanted[] {
  const images = post.contents
    .flatMap(({ media }) => media)
    .map((file) =>
      isVideo(file)
        ? { file, maxBytes: videoBytes(), what: 'video' }
        : { file, maxBytes: imageBytes(), what: 'picture' },
    )
  const thumbId = cardOf(post)?.imageAssetId
  const thumb = thumbId ? post.extraMedia.get(thumbId) : undefined
  return thumb ? [...images, { file: thumb, maxBytes: MAX_THUMB, what: 'picture of the link card' }] : images
}

const imageBytes = () => rules.posts[0]?.images.bytes ?? 0
const videoBytes = () => rules.posts[0]?.videos.bytes ?? 0

/** The server takes larger files and refuses only the post that shows them. */
function tooLarge(file: MediaFile, maxBytes: number, what: string): Refusal | undefined {
  if (file.bytes <= maxBytes) return undefined
  return {
    kind: 'rejected',
    reason: {
      text: `The ${what} has ${(file.bytes / 1_000_000).toFixed(1)} MB; Bluesky takes ${maxBytes / 1_000_000} MB.`,
      advice: 'Shrink it or take another one.',
      platformCode: 'BlobTooLarge',
    },
  }
}

async function upload(reach: Reach, session: BlueskySecret, file: MediaFile) {
  const body = isVideo(file) ? { bytes: file.bytes, open: () => file.stream() } : await file.read()
  return xrpc(reach, {
    service: session.pds,
    nsid: 'com.atproto.repo.uploadBlob',
    as: tokenOf(session),
    file: { body, contentType: file.contentType },
    reply: UploadedBlob,
    timeoutMs: isVideo(file) ? VIDEO_TIMEOUT_MS : UPLOAD_TIMEOUT_MS,
  })
}

async function resolveHandle(
  reach: Reach,
  session: BlueskySecret,
  handle: string,
): Promise<{ kind: 'found'; did: string | null } | Refusal> {
  const answer = await xrpc(reach, {
    service: session.pds,
    nsid: 'com.atproto.identity.resolveHandle',
    params: { handle },
    reply: ResolvedHandle,
    timeoutMs: RESOLVE_TIMEOUT_MS,
  })
  if (answer.kind === 'ok') return { kind: 'found', did: answer.value.did }
  // HandleNotFound by the lexicon, InvalidRequest by the server of today: nobody has this handle
  if (answer.cause === 'answered' && (answer.status === 400 || answer.status === 404) && answer.code)
    return { kind: 'found', did: null }
  return refusalOf(answer, { doing: `look up @${handle}`, irreversible: false })
}
