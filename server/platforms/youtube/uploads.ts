import type { RestAnswer } from '../jsonCalls.ts'
import type { Reach, Refusal } from '../platform.ts'
import { call, unclear } from './client.ts'
import { Channels, Uploads, type Upload, type YoutubeSecret } from './schemas.ts'

type OwnUpload = { videoId: string; title: string; description: string; at: Date | null }
type UploadsPage = { uploads: Upload[]; next: string | null; total: number | null }

/** The playlist of the channel's own videos, which YouTube maintains; null if it has none. */
export async function uploadsPlaylist(reach: Reach, secret: YoutubeSecret): Promise<RestAnswer<string | null>> {
  const query = { part: 'contentDetails', id: secret.channelId }
  const channel = await call(reach, secret, { path: '/channels', query, reply: Channels })
  return channel.kind === 'ok'
    ? { ...channel, value: channel.value.items[0]?.contentDetails?.relatedPlaylists.uploads || null }
    : channel
}

/** A page of that playlist, newest first, including private videos. `next` is the token of the following page. */
export async function uploadsPage(
  reach: Reach,
  secret: YoutubeSecret,
  playlistId: string,
  { most, pageToken }: { most: number; pageToken?: string | undefined },
): Promise<RestAnswer<UploadsPage>> {
  const list = await call(reach, secret, {
    path: '/playlistItems',
    query: { part: 'snippet,contentDetails', playlistId, maxResults: String(Math.min(most, 50)), pageToken },
    reply: Uploads,
  })
  if (list.kind !== 'ok') return list
  const { items: uploads, nextPageToken: next = null, pageInfo } = list.value
  return { ...list, value: { uploads, next, total: pageInfo.totalResults } }
}

/** The same for a search after a lost response. */
export async function ownUploads(
  reach: Reach,
  secret: YoutubeSecret,
  most: number,
  pageToken?: string,
): Promise<{ kind: 'uploads'; uploads: OwnUpload[]; next: string | null } | Refusal> {
  const playlist = await uploadsPlaylist(reach, secret)
  if (playlist.kind !== 'ok') return unclear(playlist)
  if (playlist.value === null) return { kind: 'uploads', uploads: [], next: null }
  const list = await uploadsPage(reach, secret, playlist.value, { most, pageToken })
  if (list.kind !== 'ok') return unclear(list)
  return {
    kind: 'uploads',
    next: list.value.next,
    uploads: list.value.uploads.map(({ snippet: { title, description, publishedAt: at, resourceId } }) => ({
      videoId: resourceId.videoId,
      title,
      description,
      at,
    })),
  }
}
