import { because } from '#contract/failures/catalog.ts'
import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import type { MediaFile, Outgoing, Publish, Reach, Refusal } from '../platform.ts'
import { cardOf, isVideo, mentionedHandles, textOf } from './record.ts'
import { refusalOf } from './refusals.ts'
import { Prepared, preparedIn, ResolvedHandle, UploadedBlob, type BlueskySecret } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { bringVideo, type VideoServiceFor } from './video.ts'
import { xrpc } from './xrpc.ts'

/** The maximum size of a link card's picture (lexicon app.bsky.embed.external). */
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
 * Uploads the files of the post and its thread one by one, so that at most one picture is in memory (videos are
 * streamed), waits for the video service, and looks up mentioned accounts. Nothing of this is visible to anyone; the
 * server drops files that no post uses.
 */
export const prepareBy = (videoServiceFor: VideoServiceFor): Publish['prepare'] =>
  withSecret(async (reach, session, _account, post) => {
    const saved = preparedIn(post.progress)
    const into = saved.unfinished ? saved : afresh(saved)
    const thumbId = cardOf(post)?.imageAssetId
    if (thumbId && !post.extraMedia.has(thumbId))
      return { kind: 'rejected', reason: { ...because('link-picture-missing'), platformCode: 'no-picture' } }
    // people first, because a failed lookup must not repeat uploads
    const refused = await lookUpAll(
      reach,
      session,
      post.contents.map(({ text }) => text),
      into,
    )
    if (refused) return refused
    const brought = await bringFiles({ reach, session, service: videoServiceFor(session.pds) }, filesOf(post), into)
    if (brought.kind === 'working')
      return {
        kind: 'preparing',
        progress: { ...post.progress, ...into, unfinished: true },
        checkAfterSeconds: brought.checkAfterSeconds,
      }
    if (brought.kind !== 'ready') return brought
    return { kind: 'prepared', progress: { ...post.progress, ...into, jobs: {}, unfinished: false } }
  })

/** Forgets earlier uploads, which the server no longer has when this is needed. */
export const afresh = ({ blobs, dropped }: Prepared): Prepared => ({
  ...Prepared.parse({}),
  dropped: [...new Set([...dropped, ...Object.values(blobs).map(({ ref }) => ref.$link)])],
})

/**
 * One step of preparing a follow-up: uploads files that the server has dropped and looks up mentioned accounts. Nothing
 * of this is visible to anyone.
 */
export async function preparePart(
  errand: FileErrand,
  piece: Outgoing,
  prepared: Prepared,
): Promise<{ kind: 'made'; prepared: Prepared; checkAfterSeconds: number } | Refusal> {
  const own: Prepared = {
    ...prepared,
    blobs: { ...prepared.blobs },
    dids: { ...prepared.dids },
    jobs: { ...prepared.jobs },
  }
  const refused = await lookUpAll(errand.reach, errand.session, [textOf(piece)], own)
  if (refused) return refused
  const brought = await bringFiles(errand, filesOf(piece), own)
  if (brought.kind === 'ready') return { kind: 'made', prepared: own, checkAfterSeconds: 0 }
  return brought.kind === 'working'
    ? { kind: 'made', prepared: own, checkAfterSeconds: brought.checkAfterSeconds }
    : brought
}

/** `service` is the video service; null if videos are uploaded like other files. */
export type FileErrand = { reach: Reach; session: BlueskySecret; service: string | null }

/**
 * Uploads what is missing and checks on videos in progress. Results are stored in `into`, even if not everything is
 * ready.
 */
async function bringFiles(
  errand: FileErrand,
  files: readonly Wanted[],
  into: Prepared,
): Promise<{ kind: 'ready' } | { kind: 'working'; checkAfterSeconds: number } | Refusal> {
  const waits: number[] = []
  for (const wanted of files) {
    const { file, maxBytes, what } = wanted
    if (into.blobs[file.assetId]) continue
    const refused = tooLarge(file, maxBytes, what)
    if (refused) return refused
    const job = into.jobs[file.assetId]
    const { service } = errand
    const answer =
      isVideo(file) && service !== null
        ? await bringVideo({ ...errand, service }, file, job)
        : ({ kind: 'unsupported' } as const)
    if (answer.kind === 'working') {
      into.jobs[file.assetId] = answer.job
      // stored right away, so that a later failure doesn't repeat the upload
      if (job?.id !== answer.job.id) return answer
      waits.push(answer.checkAfterSeconds)
    } else if (answer.kind === 'done' && !into.dropped.includes(answer.blob.ref.$link)) {
      into.blobs[file.assetId] = answer.blob
    } else if (answer.kind === 'done' || answer.kind === 'unsupported') {
      const failed = await upload(errand, wanted, into)
      if (failed) return failed
    } else return answer
  }
  return waits.length === 0 ? { kind: 'ready' } : { kind: 'working', checkAfterSeconds: Math.min(...waits) }
}

/** Uploads to the account's server. Videos too, if the video service only knows a copy that the server has dropped. */
async function upload(
  { reach, session }: FileErrand,
  { file, what }: Wanted,
  into: Prepared,
): Promise<Refusal | undefined> {
  const body = isVideo(file) ? { bytes: file.bytes, open: () => file.stream() } : await file.read()
  const uploaded = await xrpc(reach, {
    service: session.pds,
    nsid: 'com.atproto.repo.uploadBlob',
    as: tokenOf(session),
    file: { body, contentType: file.contentType },
    reply: UploadedBlob,
    timeoutMs: isVideo(file) ? VIDEO_TIMEOUT_MS : UPLOAD_TIMEOUT_MS,
  })
  if (uploaded.kind !== 'ok') return refusalOf(uploaded, { doing: `accept-${what}`, irreversible: false })
  into.blobs[file.assetId] = uploaded.value.blob
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

type Wanted = { file: MediaFile; maxBytes: number; what: 'picture' | 'video' | 'card-picture' }

function filesOf(post: Outgoing): Wanted[] {
  const images = post.contents
    .flatMap(({ media }) => media)
    .map((file) =>
      isVideo(file)
        ? { file, maxBytes: videoBytes(), what: 'video' as const }
        : { file, maxBytes: imageBytes(), what: 'picture' as const },
    )
  const thumbId = cardOf(post)?.imageAssetId
  const thumb = thumbId ? post.extraMedia.get(thumbId) : undefined
  return thumb ? [...images, { file: thumb, maxBytes: MAX_THUMB, what: 'card-picture' as const }] : images
}

const imageBytes = () => rules.posts[0]?.images.bytes ?? 0
const videoBytes = () => rules.posts[0]?.videos.bytes ?? 0

/** Refuses a file early: the server would accept it and only refuse the post that shows it. */
function tooLarge(file: MediaFile, maxBytes: number, what: Wanted['what']): Refusal | undefined {
  if (file.bytes <= maxBytes) return undefined
  return {
    kind: 'rejected',
    reason: {
      ...because('bluesky-file-too-large', {
        file: what,
        megabytes: (file.bytes / 1_000_000).toFixed(1),
        most: maxBytes / 1_000_000,
      }),
      platformCode: 'BlobTooLarge',
    },
  }
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
  // nobody has this handle: HandleNotFound in the lexicon, InvalidRequest from current servers
  if (answer.cause === 'answered' && (answer.status === 400 || answer.status === 404) && answer.code)
    return { kind: 'found', did: null }
  return refusalOf(answer, { doing: 'find-mention', irreversible: false })
}
