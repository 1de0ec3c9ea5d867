import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { foundAs, lookBack } from '../lookBack.ts'
import type { AccountRef, Outgoing, Publish, Reach, Refusal, SendAnswer, Sent, ReconcileAnswer } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs } from '../findSent.ts'
import { call, creatorOf, isLast, isPublic, newest, READ_TIMEOUT_MS, stateOf, videosOf, withSecret } from './client.ts'
import { cutOf, photoInfo, privacyOf, problemOf, videoOf, wordsOf } from './post.ts'
import { prepare, putPiece } from './prepare.ts'
import { refusalOf, refusalOfProblem, unclear } from './refusals.ts'
import { PhotoBegun, Prepared, type PublishState, type TikTokSecret } from './schemas.ts'

/** The last piece of a video is below 16 MB: half a megabyte per second, and some margin. */
const SEND_TIMEOUT_MS = 60_000
const FIRST_LOOK_SECONDS = 15
const LOOK_SECONDS = 30
/** Checks for the public ID of a published post: moderation usually takes less than these five minutes. */
const LOOKS = 10
/** Photos are sent this soon after reading what the account may do, so that it's still true when they're sent. */
const FRESH_MS = 25 * 60_000
/** After this time a public post is in the list if it exists: moderation usually takes minutes. */
const MODERATION_MS = 20 * 60_000

/** How many pages of twenty posts one search may read. */
const PAGES = 15

const posting = { doing: 'publish-post', irreversible: true } as const
const notPrepared: Extract<Refusal, { kind: 'retry' }> = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('prepared-gone', { platform: 'TikTok' }), platformCode: 'not-prepared' },
}
const inDoubt = (platformCode: string): Refusal => ({
  kind: 'unknown',
  reason: { ...because('tiktok-upload-unclear'), platformCode },
})
const working: Refusal = {
  kind: 'retry',
  afterSeconds: LOOK_SECONDS,
  reason: { ...because('still-working', { platform: 'TikTok' }), platformCode: 'processing' },
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const video = videoOf(post)
  if (!video) return await sendPhotos(reach, own, post)
  const saved = Prepared.parse(post.progress)
  const processing = {
    kind: 'processing',
    progress: { ...post.progress, looks: 0 },
    checkAfterSeconds: FIRST_LOOK_SECONDS,
  } as const
  if (saved.gone) return processing
  if (saved.publishId === null || saved.address === null || !saved.ready) return notPrepared
  // the last piece publishes the post: one attempt. An upload makes one post, however often its end is sent
  const sent = await putPiece(reach, saved.address, video, cutOf(video.bytes).count - 1, SEND_TIMEOUT_MS)
  if (sent.kind === 'taken') return processing
  if (sent.kind === 'failed') return refusalOf(sent, posting)
  // the URL has expired or never existed: first check what has arrived
  if (sent.status === 403 || sent.status === 404 || sent.status === 410)
    return { ...notPrepared, reason: { ...notPrepared.reason, platformCode: String(sent.status) } }
  return inDoubt(String(sent.status))
})

async function sendPhotos(reach: Reach, secret: TikTokSecret, post: Outgoing): Promise<SendAnswer> {
  const { ready, publishId, askedAt } = Prepared.parse(post.progress)
  if (!ready || publishId !== null) return notPrepared
  const creator = await creatorOf(reach, secret)
  if (creator.kind !== 'ok') return refusalOf(creator, { doing: 'show-rights', irreversible: false })
  const problem = problemOf(post, creator.value)
  if (problem) return problem
  if (askedAt !== null && creator.at !== null && creator.at.getTime() - Date.parse(askedAt) > FRESH_MS)
    return { ...notPrepared, afterSeconds: 0 }
  const urls = post.contents[0]?.media.map((file) => file.url()) ?? []
  const json = {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: photoInfo(post, creator.value),
    source_info: { source: 'PULL_FROM_URL', photo_images: urls, photo_cover_index: 0 },
  }
  const begun = await call(reach, secret, {
    path: '/v2/post/publish/content/init/',
    json,
    reply: PhotoBegun,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return begun.kind === 'ok'
    ? {
        kind: 'processing',
        progress: { ...post.progress, publishId: begun.value.publish_id, looks: 0 },
        checkAfterSeconds: FIRST_LOOK_SECONDS,
      }
    : refusalOf(begun, posting)
}

/**
 * A public post gets its ID after moderation; other posts, and those that wait too long for it, keep their publish ID.
 */
function outOf(state: PublishState, post: Outgoing, publishId: string, lastLook: boolean): Sent | undefined {
  if (state.status !== 'PUBLISH_COMPLETE') return undefined
  if (state.postId !== null) return { kind: 'sent', remoteId: state.postId, progress: post.progress }
  return lastLook || privacyOf(post) !== 'PUBLIC_TO_EVERYONE'
    ? { kind: 'sent', remoteId: publishId, progress: post.progress }
    : undefined
}

const poll: NonNullable<Publish['poll']> = withSecret(async (reach, own, _account, post) => {
  const { publishId, looks } = Prepared.parse(post.progress)
  if (publishId === null) return inDoubt('no-publish-id')
  const state = await stateOf(reach, own, publishId)
  if (state.kind !== 'ok') return unclear(state)
  if (state.value.status === 'FAILED') return refusalOfProblem(state.value.problem)
  const out = outOf(state.value, post, publishId, looks >= LOOKS)
  if (out) return out
  // only checks of a published post are counted: processing may take hours
  return {
    kind: 'processing',
    progress: { ...post.progress, looks: state.value.status === 'PUBLISH_COMPLETE' ? looks + 1 : looks },
    checkAfterSeconds: LOOK_SECONDS,
  }
})

/** A stored publish ID tells; without one, the account's public posts are searched. */
const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post): Promise<ReconcileAnswer> => {
  const { publishId } = Prepared.parse(post.progress)
  const video = videoOf(post)
  if (publishId === null) return await settleByList(reach, own, post)
  const state = await stateOf(reach, own, publishId)
  if (state.kind !== 'ok') return unclear(state)
  const { status, bytes } = state.value
  if (status === 'FAILED') return { kind: 'absent' }
  const out = outOf(state.value, post, publishId, true)
  if (out) return out
  return status === 'PROCESSING_UPLOAD' && video && bytes !== video.bytes ? { kind: 'absent' } : working
})

/**
 * Photos whose response was lost have no publish ID. Only public posts are listed, and only after moderation, so one
 * that is missing may still appear. It's absent only if it had time to appear and the list shows posts of its kind and
 * goes back far enough; otherwise a person decides, rather than sending a post twice.
 */
async function settleByList(reach: Reach, secret: TikTokSecret, post: Outgoing): Promise<ReconcileAnswer> {
  const { title, description } = wordsOf(post)
  const seen = { photos: false, at: null as Date | null }
  const found = await lookBack({
    label: 'TikTok',
    things: 'posts',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (cursor) => {
      const list = await newest(reach, secret, { cursor: cursor === null ? undefined : Number(cursor) })
      if (list.kind !== 'ok') return unclear(list)
      const { videos, cursor: next } = list.value
      seen.at ??= list.at
      seen.photos ||= videos.some(({ share_url: url }) => url?.includes('/photo/'))
      const items = videos.map((one) => ({
        ...one,
        at: one.create_time === null ? null : new Date(one.create_time * 1000),
      }))
      const oldest = items.at(-1)?.at?.getTime() ?? 0
      return { kind: 'page', items, next: isLast(list.value) ? null : String(next ?? oldest) }
    },
    isIt: (one) =>
      isText(one.video_description || one.title, description || title) ||
      isText(one.video_description, `${title} ${description}`),
  })
  if (found.kind !== 'none') return reconciledAs(foundAs(found), post.progress)
  const { askedAt } = Prepared.parse(post.progress)
  const sinceAsked = askedAt === null || seen.at === null ? 0 : seen.at.getTime() - Date.parse(askedAt)
  const showsSuch = privacyOf(post) === 'PUBLIC_TO_EVERYONE' && seen.photos
  if (sinceAsked > FRESH_MS + MODERATION_MS && showsSuch) return { kind: 'absent' }
  return { kind: 'unknown', reason: { ...because('tiktok-not-listed'), platformCode: 'not-listed' } }
}

const readBack: Publish['readBack'] = withSecret(async (reach, own, account, post, remoteId) => {
  if (isPublic(remoteId) && own.scopes.includes('video.list')) {
    const found = await videosOf(reach, own, [remoteId])
    if (found.kind !== 'ok') return unclear(found)
    const url = found.value.videos.find(({ id }) => id === remoteId)?.share_url
    if (url) return { kind: 'live', permalink: withoutTracking(url) }
  }
  // posts that aren't public, and maybe photos, are in no list: their publish ID says that they're published
  const publishId = isPublic(remoteId) ? Prepared.parse(post.progress).publishId : remoteId
  if (publishId === null) return { kind: 'missing' }
  const state = await stateOf(reach, own, publishId)
  if (state.kind !== 'ok') return unclear(state)
  return state.value.status === 'PUBLISH_COMPLETE'
    ? { kind: 'live', permalink: addressOf(account, post, state.value.postId) }
    : { kind: 'missing' }
})

/** The share URL contains who shared it. */
export function withoutTracking(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

/** A post without a public ID has no page of its own, so this is the profile's. */
function addressOf({ handle }: AccountRef, post: Pick<Outgoing, 'contents'>, postId: string | null): string {
  const profile = handle.startsWith('@') ? `https://www.tiktok.com/${handle}` : 'https://www.tiktok.com/'
  return postId === null || !handle.startsWith('@')
    ? profile
    : `${profile}/${videoOf(post) ? 'video' : 'photo'}/${postId}`
}

/** TikTok's API can't edit, delete or comment on posts. */
export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + 2 * READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare: () => true,
  prepare,
  send,
  poll,
  readBack,
  reconcile,
  sendIsRepeatable: false,
}
