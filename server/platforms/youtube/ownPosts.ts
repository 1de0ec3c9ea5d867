import { z } from 'zod'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import type { Reach, Refusal } from '../platform.ts'
import { call, isNoPlaylist, refusalOf, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { ListedVideos, type ListedVideo, type Upload, type YoutubeSecret } from './schemas.ts'
import { uploadsPage, uploadsPlaylist } from './uploads.ts'
import { permalinkOf } from './video.ts'

/** The most that a page of playlistItems and a call of videos.list have. */
const PAGE = 50
const showing = { doing: 'show-posts', irreversible: false } as const

/** Pages are places in the list, which moves when videos are added or deleted before them. */
const Cursor = z.object({
  playlist: z.string(),
  /** Of the page to read; the one before is read again where videos have moved into it. */
  token: z.string(),
  before: z.string().nullable(),
  /** How many videos there were, and those of the page before. */
  total: z.number().nullable(),
  seen: z.array(z.string()),
})
type Cursor = z.infer<typeof Cursor>

/**
 * The playlist of the channel's uploads: a unit of the quota, one for the videos' states and figures, and one for the playlist's ID with
 * the first page. Private videos, with those that are scheduled, and unfinished ones are left out.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const at = cursor === null ? await firstPage(reach, own) : cursorIn(cursor)
    if (at === undefined) return { kind: 'posts', posts: [], next: null }
    if ('kind' in at) return at
    const page = await pageAt(reach, own, at, atMost)
    if (page === undefined) return { kind: 'posts', posts: [], next: null }
    if ('kind' in page) return page
    const posts = await videosOf(
      reach,
      own,
      page.uploads.filter(({ snippet }) => !at.seen.includes(snippet.resourceId.videoId)),
    )
    return 'kind' in posts ? posts : { kind: 'posts', posts: posts.list, next: page.next && JSON.stringify(page.next) }
  }),
}

type Place = Omit<Cursor, 'token'> & { token: string | null }

async function firstPage(reach: Reach, own: YoutubeSecret): Promise<Place | Refusal | undefined> {
  const found = await uploadsPlaylist(reach, own)
  if (found.kind !== 'ok') return refusalOf(found, showing)
  return found.value === null ? undefined : { playlist: found.value, token: null, before: null, total: null, seen: [] }
}

function cursorIn(cursor: string): Place | undefined {
  try {
    return Cursor.safeParse(JSON.parse(cursor)).data
  } catch {
    return undefined
  }
}

/** The page there, or the one before if videos are gone: as many of the next page have moved into it. */
async function pageAt(
  reach: Reach,
  own: YoutubeSecret,
  at: Place,
  most: number,
): Promise<{ uploads: Upload[]; next: Cursor | null } | Refusal | undefined> {
  const read = async (pageToken: string | null) =>
    await uploadsPage(reach, own, at.playlist, { most, pageToken: pageToken ?? undefined })
  let [page, token] = [await read(at.token), at.token]
  if (page.kind === 'ok' && at.token !== null && hasShrunk(at.total, page.value.total)) {
    token = at.before
    page = await read(token)
  }
  // a channel without videos has no such playlist yet
  if (page.kind !== 'ok') return isNoPlaylist(page) ? undefined : refusalOf(page, showing)
  const { uploads, next, total } = page.value
  const seen = uploads.map(({ snippet }) => snippet.resourceId.videoId)
  return { uploads, next: next === null ? null : { playlist: at.playlist, token: next, before: token, total, seen } }
}

const hasShrunk = (before: number | null, now: number | null): boolean =>
  before !== null && now !== null && now < before

/** Those that the public can see, with what the videos themselves say. */
export async function videosOf(
  reach: Reach,
  own: YoutubeSecret,
  uploads: readonly Upload[],
): Promise<{ list: FoundPost[] } | Refusal> {
  if (uploads.length === 0) return { list: [] }
  const found = await call(reach, own, {
    path: '/videos',
    query: {
      part: 'status,statistics,contentDetails,player',
      id: uploads.map(({ snippet }) => snippet.resourceId.videoId).join(','),
      // the player has the video's shape if it's asked for with a size
      maxHeight: '720',
    },
    reply: ListedVideos,
  })
  if (found.kind !== 'ok') return refusalOf(found, showing)
  const videos = new Map(found.value.items.map((video) => [video.id, video]))
  const list = uploads.flatMap((upload) => {
    const video = videos.get(upload.snippet.resourceId.videoId)
    return video && isShown(video) ? (postOf(upload, video) ?? []) : []
  })
  return { list: list.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()) }
}

const isShown = ({ status }: ListedVideo): boolean =>
  (status?.privacyStatus === 'public' || status?.privacyStatus === 'unlisted') &&
  !['failed', 'rejected', 'deleted'].includes(status.uploadStatus)

function postOf({ snippet, contentDetails }: Upload, video: ListedVideo): FoundPost | undefined {
  const postType = isShort(video) ? 'shorts' : 'video'
  return foundPost({
    remoteId: video.id,
    postType,
    // when it became public, which may be later than its upload
    publishedAt: contentDetails.videoPublishedAt ?? snippet.publishedAt,
    text: [snippet.title, snippet.description].filter((words) => words.trim() !== '').join('\n\n'),
    permalink: permalinkOf({ postType }, video.id),
    pictureUrl: snippet.thumbnails,
    figures: metricsIn(video.statistics),
  })
}

/** Nothing marks a Short: it's any upright or square video of up to three minutes. */
const isShort = ({ contentDetails, player }: ListedVideo): boolean =>
  contentDetails.duration !== null &&
  contentDetails.duration <= 180 &&
  player.embedHeight !== null &&
  player.embedWidth !== null &&
  player.embedHeight >= player.embedWidth
