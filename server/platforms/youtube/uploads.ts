import type { Reach, Refusal } from '../platform.ts'
import { call, unclear } from './client.ts'
import { Channels, Uploads, type YoutubeSecret } from './schemas.ts'

export type OwnUpload = { videoId: string; title: string; description: string; at: Date | null }

/**
 * A page of the channel's own videos, newest first, including private ones: a playlist that YouTube maintains. `next`
 * is the token of the following page.
 */
export async function ownUploads(
  reach: Reach,
  secret: YoutubeSecret,
  most: number,
  pageToken?: string,
): Promise<{ kind: 'uploads'; uploads: OwnUpload[]; next: string | null } | Refusal> {
  const channel = await call(reach, secret, {
    path: '/channels',
    query: { part: 'contentDetails', id: secret.channelId },
    reply: Channels,
  })
  if (channel.kind !== 'ok') return unclear(channel)
  const playlistId = channel.value.items[0]?.contentDetails?.relatedPlaylists.uploads
  if (!playlistId) return { kind: 'uploads', uploads: [], next: null }
  const list = await call(reach, secret, {
    path: '/playlistItems',
    query: { part: 'snippet', playlistId, maxResults: String(Math.min(most, 50)), pageToken },
    reply: Uploads,
  })
  if (list.kind !== 'ok') return unclear(list)
  return {
    kind: 'uploads',
    next: list.value.nextPageToken ?? null,
    uploads: list.value.items.map(({ snippet: { title, description, publishedAt: at, resourceId } }) => ({
      videoId: resourceId.videoId,
      title,
      description,
      at,
    })),
  }
}
