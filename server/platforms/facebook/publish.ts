import { because } from '#contract/failures/catalog.ts'
import { randomUUID } from 'node:crypto'
import { isGone, pageQuery } from '../graph.ts'
import { unclear } from '../graphRefusals.ts'
import { unsure } from '../jsonCalls.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { commentFollowUp } from '../parts.ts'
import type { Outgoing, FollowUp, Publish, Reach, Refusal, SendAnswer } from '../platform.ts'
import { isText } from '../alterations.ts'
import { reconciledAs, type Found } from '../findSent.ts'
import { sentence } from '../quotes.ts'
import {
  cardOf,
  change,
  LABEL,
  messageOf,
  onFacebook,
  placeOf,
  read,
  READ_TIMEOUT_MS,
  refusalOf,
  shapeOf,
  withSecret,
} from './client.ts'
import { needsPrepare, prepare } from './prepare.ts'
import { CommentList, Made, Post, Prepared, StoryMade, Success, VideoState, type FacebookSecret } from './schemas.ts'
import { findPost, findStory, isOut, problemOf, searchStories, settleVideo } from './reconcile.ts'

const SEND_TIMEOUT_MS = 60_000
const POLL_SECONDS = 30
/** The error for a post that is the same as the one before it: a repeated send gets it too. */
const DUPLICATE = 506
/** How many pages of a hundred comments one search may read. */
const COMMENT_PAGES = 10
const taking = 'publish-post'

const notPrepared: Refusal = {
  kind: 'retry',
  first: 'prepare',
  reason: { ...because('not-uploaded', { platform: 'Facebook' }), platformCode: 'not-prepared' },
}

const send: Publish['send'] = withSecret(async (reach, own, _account, post) => {
  const saved = Prepared.parse(post.progress)
  const files = post.contents[0]?.media.length ?? 0
  switch (shapeOf(post)) {
    case 'feed':
      return saved.photos.length === files ? await sendToFeed(reach, own, post, saved.photos) : notPrepared
    case 'photoStory':
      return saved.photos[0] === undefined
        ? notPrepared
        : await sendStory(reach, own, post, '/photo_stories', { photo_id: saved.photos[0] })
    case 'videoStory':
      return saved.videoId === null
        ? notPrepared
        : await sendStory(reach, own, post, '/video_stories', { upload_phase: 'finish', video_id: saved.videoId })
    case 'video':
      return saved.session === null
        ? notPrepared
        : await finishVideo(reach, own, post, '/videos', {
            upload_phase: 'finish',
            upload_session_id: saved.session,
            description: messageOf(post) || undefined,
          })
    case 'reel':
    default:
      return saved.videoId === null
        ? notPrepared
        : await finishVideo(reach, own, post, '/video_reels', {
            upload_phase: 'finish',
            video_id: saved.videoId,
            video_state: 'PUBLISHED',
            description: messageOf(post) || undefined,
          })
  }
})

async function sendToFeed(
  reach: Reach,
  secret: FacebookSecret,
  post: Outgoing,
  photos: readonly string[],
): Promise<SendAnswer> {
  const attached = Object.fromEntries(
    photos.map((id, index) => [`attached_media[${index}]`, JSON.stringify({ media_fbid: id })]),
  )
  const form = {
    message: messageOf(post) || undefined,
    link: cardOf(post) || undefined,
    place: placeOf(post),
    ...attached,
  }
  const made = await change(reach, secret, {
    path: `/${secret.pageId}/feed`,
    method: 'POST',
    form,
    reply: Made,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.id, progress: post.progress }
  if (made.cause === 'answered' && made.code === DUPLICATE) {
    const found = await findPost(reach, secret, post)
    if (found.kind === 'found') return { kind: 'sent', remoteId: found.id, progress: post.progress }
    if (found.kind !== 'none') return { kind: 'unknown', reason: found.reason }
  }
  return refusalOf(made, taking, true)
}

async function sendStory(
  reach: Reach,
  secret: FacebookSecret,
  post: Outgoing,
  edge: string,
  form: Record<string, string>,
): Promise<SendAnswer> {
  const made = await change(reach, secret, {
    path: `/${secret.pageId}${edge}`,
    method: 'POST',
    form,
    reply: StoryMade,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind !== 'ok') return refusalOf(made, 'publish-story', true)
  if (made.value.post_id !== undefined) return { kind: 'sent', remoteId: made.value.post_id, progress: post.progress }
  return { kind: 'processing', progress: post.progress, checkAfterSeconds: POLL_SECONDS }
}

/** A video's cover is sent with the call that publishes it; a reel got its own before. */
async function finishVideo(
  reach: Reach,
  secret: FacebookSecret,
  post: Outgoing,
  edge: string,
  form: Record<string, string | undefined>,
): Promise<SendAnswer> {
  const cover = edge === '/videos' ? post.contents[0]?.media[0]?.thumbnail : undefined
  const made = await change(reach, secret, {
    path: `/${secret.pageId}${edge}`,
    method: 'POST',
    form,
    ...(cover && { file: { field: 'thumb', file: cover } }),
    reply: Success,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  if (made.kind !== 'ok') return refusalOf(made, 'accept-video', true)
  if (!made.value.success)
    return { kind: 'unknown', reason: { ...because('facebook-video-unclear'), platformCode: 'no-success' } }
  return { kind: 'processing', progress: post.progress, checkAfterSeconds: POLL_SECONDS }
}

const poll: NonNullable<Publish['poll']> = withSecret(async (reach, own, _account, post) => {
  const { videoId, photos } = Prepared.parse(post.progress)
  const again = { kind: 'processing', progress: post.progress, checkAfterSeconds: POLL_SECONDS } as const
  const shape = shapeOf(post)
  if (shape === 'photoStory' || shape === 'videoStory') {
    const found = await findStory(reach, own, shape === 'photoStory' ? photos[0] : videoId, post.createdAt)
    if (found.kind === 'found') return { kind: 'sent', remoteId: found.id, progress: post.progress }
    return found.kind === 'none' ? again : found
  }
  const seen = await read(reach, own, `/${videoId ?? ''}`, { fields: 'id,status,published' }, VideoState)
  if (seen.kind !== 'ok') return unclear(seen, LABEL)
  if (isOut(seen.value)) return { kind: 'sent', remoteId: seen.value.id, progress: post.progress }
  const problem = problemOf(seen.value)
  return problem === undefined
    ? again
    : {
        kind: 'rejected',
        reason: { ...because('facebook-video-failed', { words: sentence(problem) }), platformCode: 'video-error' },
      }
})

const reconcile: Publish['reconcile'] = withSecret(async (reach, own, _account, post) => {
  const { videoId, photos } = Prepared.parse(post.progress)
  const shape = shapeOf(post)
  if (shape === 'video' || shape === 'reel') return await settleVideo(reach, own, post, videoId)
  const found =
    shape === 'feed'
      ? await findPost(reach, own, post)
      : await findStory(reach, own, shape === 'photoStory' ? photos[0] : videoId, post.createdAt)
  return reconciledAs(found, post.progress)
})

const readBack: Publish['readBack'] = withSecret(async (reach, own, _account, post, remoteId) => {
  if (post.postType === 'story') {
    const story = await searchStories(reach, own, post.createdAt, ({ post_id: id }) => id === remoteId)
    if (story.kind === 'found')
      return { kind: 'live', permalink: onFacebook(story.item.url || `/stories/${own.pageId}`) }
    return story.kind === 'none' ? { kind: 'missing' } : unsure(story)
  }
  // a feed post's ID is the Page's and its own, a video has one ID
  const found = await read(
    reach,
    own,
    `/${remoteId}`,
    { fields: remoteId.includes('_') ? 'id,permalink_url' : 'id,permalink_url,status' },
    Post,
  )
  if (found.kind === 'ok') return { kind: 'live', permalink: onFacebook(found.value.permalink_url || `/${remoteId}`) }
  return isGone(found) ? { kind: 'missing' } : unclear(found, LABEL)
})

/** Succeeds if the post is already deleted, so it can be repeated. Comments are deleted with their post. */
const remove: Publish['remove'] = withSecret(async (reach, own, _account, remoteId) => {
  const gone = await change(reach, own, {
    path: `/${remoteId}`,
    method: 'DELETE',
    reply: Success,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return gone.kind === 'ok' || isGone(gone) ? { kind: 'removed' } : refusalOf(gone, 'delete-post')
})

/** Only changes the text, and only of posts that this app created. */
const edit: Publish['edit'] = withSecret(async (reach, own, _account, post, remoteId) => {
  const shape = shapeOf(post)
  if (post.postType === 'story')
    return { kind: 'rejected', reason: { ...because('facebook-story-not-editable'), platformCode: 'not-editable' } }
  const form = shape === 'feed' ? { message: messageOf(post) } : { description: messageOf(post) }
  const changed = await change(reach, own, {
    path: `/${remoteId}`,
    method: 'POST',
    form,
    reply: Success,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return changed.kind === 'ok' ? { kind: 'edited', remoteId } : refusalOf(changed, 'change-post')
})

const followUps = ({ postType, firstComment }: Pick<Outgoing, 'postType' | 'firstComment'>): FollowUp[] =>
  postType === 'story' ? [] : commentFollowUp({ firstComment })

const sendFollowUp: NonNullable<Publish['sendFollowUp']> = withSecret(async (reach, own, _account, post, part) => {
  const made = await change(reach, own, {
    path: `/${part.sent[0]?.remoteId ?? ''}/comments`,
    method: 'POST',
    form: { message: post.firstComment ?? '' },
    reply: Made,
    timeoutMs: SEND_TIMEOUT_MS,
  })
  return made.kind === 'ok'
    ? { kind: 'sent', remoteId: made.value.id, progress: part.progress }
    : refusalOf(made, 'publish-comment', true)
})

/** The Page's own comment with this text, since the attempt. */
async function findComment(reach: Reach, secret: FacebookSecret, post: Outgoing, remoteId: string): Promise<Found> {
  const newestFirst = {
    fields: 'id,message,from,created_time',
    filter: 'stream',
    order: 'reverse_chronological',
    limit: '100',
  }
  const found = await lookBack({
    label: LABEL,
    things: 'comments',
    since: post.createdAt,
    order: 'newest first',
    mostPages: COMMENT_PAGES,
    page: async (next) => {
      const query = { ...newestFirst, ...pageQuery(next) }
      const list = await read(reach, secret, `/${remoteId}/comments`, query, CommentList)
      return list.kind === 'ok'
        ? {
            kind: 'page',
            items: list.value.data.map((one) => ({ ...one, at: one.created_time })),
            next: list.value.paging.next,
          }
        : unclear(list, LABEL)
    },
    isIt: ({ message, from }) => (from === null || from.id === secret.pageId) && isText(message, post.firstComment),
  })
  return foundAs(found)
}

const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    return reconciledAs(await findComment(reach, own, post, part.sent[0]?.remoteId ?? ''), part.progress)
  },
)

export const publish: Publish = {
  chooseSendKey: () => randomUUID(),
  sendTimeoutSeconds: (SEND_TIMEOUT_MS + READ_TIMEOUT_MS) / 1000 + 5,
  needsPrepare,
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
