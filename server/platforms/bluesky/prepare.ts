import { because } from '#contract/failures/catalog.ts'
import { bluesky as rules } from '#contract/platforms/bluesky.ts'
import type { MediaFile, Outgoing, Publish, Reach, Refusal } from '../platform.ts'
import { cardOf, isVideo, mentionedHandles, textOf } from './record.ts'
import { refusalOf } from './refusals.ts'
import { Prepared, preparedIn, ResolvedHandle, UploadedBlob, type BlueskySecret } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { bringVideo, type VideoServiceFor } from './video.ts'
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
 * video never is), waits for the video service, and looks up who is mentioned. Nothing of it is visible to anyone; files that no
 * post uses are dropped by the server.
 */
export const prepareBy = (videoServiceFor: VideoServiceFor): Publish['prepare'] =>
  withSecret(async (reach, session, _account, post) => {
    const saved = preparedIn(post.progress)
    const into = saved.unfinished ? saved : afresh(saved)
    const thumbId = cardOf(post)?.imageAssetId
    if (thumbId && !post.extraMedia.has(thumbId))
      return { kind: 'rejected', reason: { ...because('link-picture-missing'), platformCode: 'no-picture' } }
    // people first: a look-up that fails must not cost another upload
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

/** Nothing prepared yet. What an earlier round had is no longer on the server, or it wouldn't be asked for again. */
export const afresh = ({ blobs, dropped }: Prepared): Prepared => ({
  ...Prepared.parse({}),
  dropped: [...new Set([...dropped, ...Object.values(blobs).map(({ ref }) => ref.$link)])],
})

/** One step towards what a part still lacks: files that the server has dropped meanwhile, and whom a comment mentions. Nothing of it is visible. */
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

/** `service` is the video service; null where videos are uploaded as other files are. */
export type FileErrand = { reach: Reach; session: BlueskySecret; service: string | null }

/** Uploads what is missing and looks at videos in work; what that brings stands in `into`, also when it isn't ready. */
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
      // stored at once: an upload must not be done again because of what comes after it
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

/** Straight to the account's server. A video goes there too where the video service only knows a copy that the server has dropped. */
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

/** The server takes larger files and refuses only the post that shows them. */
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
  // HandleNotFound by the lexicon, InvalidRequest by the server of today: nobody has this handle
  if (answer.cause === 'answered' && (answer.status === 400 || answer.status === 404) && answer.code)
    return { kind: 'found', did: null }
  return refusalOf(answer, { doing: 'find-mention', irreversible: false })
}
