import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { isGone } from '../google.ts'
import { rest, unsure } from '../jsonCalls.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import type {
  MediaFile,
  Outgoing,
  Processing,
  Publish,
  Reach,
  Refusal,
  SendAnswer,
  ReconcileAnswer,
} from '../platform.ts'
import { both, isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { codeWord } from '../quotes.ts'
import { call, LABEL, PAGES, READ_TIMEOUT_MS, refusalOf, unclear, UPLOAD, withSecret } from './client.ts'
import { followUps, sendFollowUp, reconcileFollowUp } from './parts.ts'
import { Anything, Prepared, Videos, type YoutubeSecret } from './schemas.ts'
import { LOOK_TIMEOUT_MS, noVideo, PIECE_TIMEOUT_MS, prepare, sendPiece, stateOf, videoOf } from './upload.ts'
import { ownUploads } from './uploads.ts'
import { metadataOf, permalinkOf } from './video.ts'

const CHANGE_TIMEOUT_MS = 30_000
const THUMBNAIL_TIMEOUT_MS = 60_000
const posting = { doing: 'accept-video', irreversible: true } as const
/**
 * Checks of a video in processing: every half a minute at first, then every five. After an hour and a half it counts as
 * published, which it is in low quality.
 */
const EARLY_LOOKS = 10
const LOOKS = 28
const lookAfter = (looks: number): number => (looks < EARLY_LOOKS ? 30 : 300)
const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'YouTube' }), platformCode: 'not-prepared' },
}

const uploaded = (post: Outgoing, videoId: string): Processing => ({
  kind: 'processing',
  progress: { ...post.progress, videoId, looks: 0 },
  checkAfterSeconds: 5,
})

/** Reads what the session has and sends the rest, which creates the video. */
const send: Publish['send'] = withSecret(async (reach, own, _account, post): Promise<SendAnswer> => {
  const file = videoOf(post)
  if (!file) return noVideo
  const { session, videoId } = Prepared.parse(post.progress)
  if (videoId !== null) return uploaded(post, videoId)
  if (session === null) return notPrepared
  const state = await stateOf(reach, own, session, file)
  if (state.kind === 'whole') return uploaded(post, state.videoId)
  if (state.kind === 'gone') return notPrepared
  if (state.kind !== 'holds') return state
  // more than the last piece is missing, which doesn't fit into a send's time limit
  if (file.bytes - state.bytes > 2 * PIECE_BYTES) return notPrepared
  // one attempt: the session tells whether it created the video
  const answer = await sendPiece(reach, own, session, file, state.bytes, file.bytes)
  if (answer.kind === 'whole') return uploaded(post, answer.videoId)
  if (answer.kind === 'failed') return refusalOf(answer, posting)
  return answer.kind === 'gone'
    ? { kind: 'unknown', reason: { ...because('youtube-upload-unknown'), platformCode: 'session-gone' } }
    : notPrepared
})
const PIECE_BYTES = 8 * 1024 * 1024

/** One check of the video; sets its thumbnail as soon as it exists. */
const poll: Publish['poll'] = withSecret(async (reach, own, _account, post): Promise<SendAnswer> => {
  const saved = Prepared.parse(post.progress)
  if (saved.videoId === null) return notPrepared
  const seen = await call(reach, own, { path: '/videos', query: { part: 'status', id: saved.videoId }, reply: Videos })
  if (seen.kind !== 'ok') return unclear(seen)
  const status = seen.value.items[0]?.status
  const looks = saved.looks + 1
  const wait = {
    kind: 'processing',
    progress: { ...post.progress, looks },
    checkAfterSeconds: lookAfter(looks),
  } as const
  if (!status)
    return looks < LOOKS
      ? wait
      : { kind: 'rejected', reason: { ...because('youtube-not-shown'), platformCode: 'gone' } }
  const refused = problemOf(status)
  if (refused) return refused
  const thumbnail = await giveThumbnail(reach, own, saved, videoOf(post)?.thumbnail)
  if (thumbnail !== undefined)
    return thumbnail.kind === 'given'
      ? { ...wait, progress: { ...wait.progress, thumbnail: true }, checkAfterSeconds: 0 }
      : looks < LOOKS
        ? wait
        : { kind: 'sent', remoteId: saved.videoId, progress: wait.progress }
  return status.uploadStatus === 'processed' || looks >= LOOKS
    ? { kind: 'sent', remoteId: saved.videoId, progress: { ...post.progress, looks } }
    : wait
})

function problemOf({
  uploadStatus,
  failureReason,
  rejectionReason,
}: {
  uploadStatus: string
  failureReason: string
  rejectionReason: string
}): Refusal | undefined {
  if (!['failed', 'rejected', 'deleted'].includes(uploadStatus)) return undefined
  const code = codeWord(failureReason || rejectionReason) || uploadStatus
  const failed = uploadStatus === 'failed' ? 'youtube-video-failed' : 'youtube-video-rejected'
  return {
    kind: 'rejected',
    reason: { ...because(failed, { problem: code }), platformCode: code },
    // developers.google.com/youtube/v3/docs/videos, status.rejectionReason
    ...(code === 'duplicate' && { isDuplicate: true }),
  }
}

/** Undefined if there is nothing to do. A channel that may not set thumbnails keeps the one that YouTube chose. */
async function giveThumbnail(
  reach: Reach,
  secret: YoutubeSecret,
  saved: Prepared,
  picture: MediaFile | undefined,
): Promise<{ kind: 'given' } | Refusal | undefined> {
  if (!picture || saved.thumbnail || saved.videoId === null) return undefined
  const given = await rest(reach, {
    url: `${UPLOAD}/thumbnails/set`,
    method: 'POST',
    token: secret.accessToken,
    query: { uploadType: 'media', videoId: saved.videoId },
    raw: { body: { bytes: picture.bytes, open: () => picture.stream() }, contentType: picture.contentType },
    reply: Anything,
    timeoutMs: THUMBNAIL_TIMEOUT_MS,
  })
  const refusal = given.kind === 'ok' ? undefined : refusalOf(given, { doing: 'accept-thumbnail', irreversible: false })
  return refusal === undefined || refusal.kind === 'rejected' ? { kind: 'given' } : refusal
}

/**
 * The session tells. If it's unknown by now, it may have created its video: then the channel's uploads are searched.
 */
const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post): Promise<ReconcileAnswer> => {
  const file = videoOf(post)
  const { session, videoId } = Prepared.parse(post.progress)
  if (videoId !== null) return { kind: 'sent', remoteId: videoId, progress: post.progress }
  if (session === null || !file) return { kind: 'absent' }
  const state = await stateOf(reach, own, session, file)
  if (state.kind === 'whole')
    return { kind: 'sent', remoteId: state.videoId, progress: { ...post.progress, videoId: state.videoId } }
  if (state.kind === 'holds') return { kind: 'absent' }
  if (state.kind !== 'gone') return unsure(state)
  const { snippet } = metadataOf(post)
  const found = await lookBack({
    label: LABEL,
    things: 'videos',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (token) => {
      const list = await ownUploads(reach, own, 50, token ?? undefined)
      return list.kind === 'uploads'
        ? { kind: 'page', items: list.uploads.map((upload) => ({ ...upload, id: upload.videoId })), next: list.next }
        : list
    },
    isIt: ({ title, description }) => both(isText(title, snippet.title), isText(description, snippet.description)),
  })
  const progress = found.kind === 'found' ? { ...post.progress, videoId: found.item.videoId } : post.progress
  return reconciledAs(foundAs(found), progress)
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const seen = await call(reach, own, { path: '/videos', query: { part: 'status', id: remoteId }, reply: Videos })
  if (seen.kind !== 'ok') return unclear(seen)
  return seen.value.items.length > 0 ? { kind: 'live', permalink: permalinkOf(post, remoteId) } : { kind: 'missing' }
})

/** Its comments are deleted with it, and playlists no longer show it. */
const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await call(reach, own, {
    path: '/videos',
    method: 'DELETE',
    query: { id: remoteId },
    reply: Anything,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone)
    ? { kind: 'removed' }
    : refusalOf(gone, { doing: 'delete-video', irreversible: false })
})

/**
 * An update clears what it leaves out, so everything is read first and sent back with the changes
 * (developers.google.com/youtube/v3/docs/videos/update).
 */
const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const changing = { doing: 'change-video', irreversible: false } as const
  const seen = await call(reach, own, {
    path: '/videos',
    query: { part: 'snippet,status', id: remoteId },
    reply: Videos,
  })
  if (seen.kind !== 'ok') return refusalOf(seen, changing)
  const [video] = seen.value.items
  if (!video?.snippet)
    return { kind: 'rejected', reason: { ...because('youtube-video-gone'), platformCode: 'videoNotFound' } }
  const { snippet, status } = metadataOf(post)
  const json = {
    id: remoteId,
    snippet: { ...kept(video.snippet, ['tags', 'categoryId', 'defaultLanguage', 'defaultAudioLanguage']), ...snippet },
    status: {
      ...kept(video.status ?? {}, ['license', 'embeddable', 'publicStatsViewable', 'containsSyntheticMedia']),
      ...status,
    },
  }
  const changed = await call(reach, own, {
    path: '/videos',
    method: 'PUT',
    query: { part: 'snippet,status' },
    json,
    reply: Anything,
    timeoutMs: CHANGE_TIMEOUT_MS,
  })
  // an edit can be repeated, since it sends the same content
  return changed.kind === 'ok' ? { kind: 'edited', remoteId } : refusalOf(changed, changing)
})
const kept = (from: Record<string, unknown>, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])))

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (LOOK_TIMEOUT_MS + PIECE_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: () => true,
  prepare,
  send,
  poll,
  readBack,
  reconcile,
  sendIsRepeatable: false,
  followUps,
  sendFollowUp,
  reconcileFollowUp,
  remove,
  edit,
}
