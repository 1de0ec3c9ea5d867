import { because } from '#contract/failures/catalog.ts'
import { foundAs, lookBack } from '../lookBack.ts'
import { commentFollowUp } from '../parts.ts'
import type { Outgoing, FollowUp, Publish, Reach, Refusal } from '../platform.ts'
import { isText, type Match } from '../alterations.ts'
import { reconciledAs, type Found } from '../findSent.ts'
import { call, LABEL, PAGES, refusalOf, unclear, withSecret } from './client.ts'
import { Made, Threads, Uploads, type YoutubeSecret } from './schemas.ts'
import { detailsOf } from './video.ts'

/*
 * A video's follow-ups: its first comment, then its place in a playlist. Neither has a key, so the video's comments and
 * the playlist are searched.
 */

const TIMEOUT_MS = 30_000
const noPost: Refusal = {
  kind: 'rejected',
  reason: { ...because('parent-unknown', { platform: 'YouTube' }), platformCode: 'no-post' },
}

export const followUps = ({ firstComment, details }: Pick<Outgoing, 'firstComment' | 'details'>): FollowUp[] => [
  ...commentFollowUp({ firstComment }),
  ...(detailsOf({ details }).playlistId === undefined ? [] : [{ key: 'playlist', kind: 'playlist' } as const]),
]

export const sendFollowUp: NonNullable<Publish['sendFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    const videoId = part.sent[0]?.remoteId
    if (videoId === undefined) return noPost
    const made =
      part.kind === 'playlist'
        ? await call(reach, own, {
            path: '/playlistItems',
            method: 'POST',
            query: { part: 'snippet' },
            json: {
              snippet: { playlistId: detailsOf(post).playlistId, resourceId: { kind: 'youtube#video', videoId } },
            },
            reply: Made,
            timeoutMs: TIMEOUT_MS,
          })
        : await call(reach, own, {
            path: '/commentThreads',
            method: 'POST',
            query: { part: 'snippet' },
            json: {
              snippet: {
                channelId: own.channelId,
                videoId,
                topLevelComment: { snippet: { textOriginal: post.firstComment ?? '' } },
              },
            },
            reply: Made,
            timeoutMs: TIMEOUT_MS,
          })
    if (made.kind === 'ok') return { kind: 'sent', remoteId: made.value.id, progress: part.progress }
    return refusalOf(made, {
      doing: part.kind === 'playlist' ? 'add-to-playlist' : 'publish-comment',
      irreversible: true,
    })
  },
)

export const reconcileFollowUp: NonNullable<Publish['reconcileFollowUp']> = withSecret(
  async (reach, own, _account, post, part) => {
    const videoId = part.sent[0]?.remoteId
    if (videoId === undefined) return noPost
    const found =
      part.kind === 'playlist'
        ? await inPlaylist(reach, own, detailsOf(post).playlistId ?? '', videoId)
        : await ownComment(reach, own, post, videoId)
    return reconciledAs(found, part.progress)
  },
)

/** YouTube shows the original text only to its author; what it shows otherwise has titles of videos instead of links. */
export const saysText = (
  shown: { textOriginal: string; textDisplay: string },
  text: string | null | undefined,
): Match =>
  isText(shown.textOriginal || shown.textDisplay, text) ||
  (shown.textOriginal === '' && /https?:/i.test(text ?? '') ? 'maybe' : false)

async function inPlaylist(reach: Reach, secret: YoutubeSecret, playlistId: string, videoId: string): Promise<Found> {
  const list = await call(reach, secret, {
    path: '/playlistItems',
    query: { part: 'snippet', playlistId, videoId, maxResults: '5' },
    reply: Uploads,
  })
  if (list.kind !== 'ok') return unclear(list)
  const item = list.value.items.find(({ snippet }) => snippet.resourceId.videoId === videoId)
  return item ? { kind: 'found', id: item.id || videoId } : { kind: 'none' }
}

async function ownComment(reach: Reach, secret: YoutubeSecret, post: Outgoing, videoId: string): Promise<Found> {
  const newest = { part: 'snippet', videoId, order: 'time', maxResults: '100', textFormat: 'plainText' }
  const found = await lookBack({
    label: LABEL,
    things: 'comments',
    since: post.createdAt,
    order: 'newest first',
    mostPages: PAGES,
    page: async (token) => {
      const query = { ...newest, pageToken: token ?? undefined }
      const list = await call(reach, secret, { path: '/commentThreads', query, reply: Threads })
      if (list.kind !== 'ok') return unclear(list)
      const items = list.value.items.map(({ id, snippet: { topLevelComment } }) => ({
        id,
        ...topLevelComment.snippet,
        at: topLevelComment.snippet.publishedAt,
      }))
      return { kind: 'page', items, next: list.value.nextPageToken ?? null }
    },
    isIt: (one) =>
      (one.authorChannelId === null || one.authorChannelId.value === secret.channelId) &&
      saysText(one, post.firstComment),
  })
  return foundAs(found)
}
