import type { Reach, Refusal } from '../platform.ts'
import { call, unclear } from './client.ts'
import { Channels, Uploads, type YoutubeSecret } from './schemas.ts'

export type OwnUpload = { videoId: string; title: string; description: string; at: Date | null }

/** The channel's own videos, newest first, private ones too: a playlist that YouTube keeps. */
export async function ownUploads(
  reach: Reach,
  secret: YoutubeSecret,
  most: number,
): Promise<{ kind: 'uploads'; uploads: OwnUpload[] } | Refusal> {
  const channel = await call(reach, secret, {
    path: '/channels',
    query: { part: 'contentDetails', id: secret.channelId },
    reply: Channels,
  })
  if (channel.kind !== 'ok') return unclear(channel)
  const playlistId = channel.value.items[0]?.contentDetails?.relatedPlaylists.uploads
  if (!playlistId) return { kind: 'uploads', uploads: [] }
  const list = await call(reach, secret, {
    path: '/playlistItems',
    query: { part: 'snippet', playlistId, maxResults: String(Math.min(most, 50)) },
    reply: Uploads,
  })
  if (list.kind !== 'ok') return unclear(list)
  return {
    kind: 'uploads',
    uploads: list.value.items.map(({ snippet: { title, description, publishedAt: at, resourceId } }) => ({
      videoId: resourceId.videoId,
      title,
      description,
      at,
    })),
  }
}
