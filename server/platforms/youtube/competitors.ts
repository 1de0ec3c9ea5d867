import { z } from 'zod'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { call, isNoPlaylist, refusalOf, withSecret } from './client.ts'
import { videosOf } from './ownPosts.ts'
import { ChannelCounts, Channels, type YoutubeSecret } from './schemas.ts'
import { uploadsPage } from './uploads.ts'

const ID = /^UC[\w-]{10,30}$/
const gone: NotThere = { kind: 'none', why: 'gone' }

/** Both halves of a channel that one call returns. */
const Found = z.unknown().transform((json) => ({
  channel: Channels.safeParse(json).data?.items[0],
  counts: ChannelCounts.safeParse(json).data?.items[0]?.statistics,
}))

/** Any public channel: its numbers, of which subscribers are rounded, and its newest videos. Three units of the quota. */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const by = wantedIn(text)
    const found = by ? await channelOf(reach, own, by) : gone
    return 'uploads' in found ? { kind: 'account', account: found.account } : found
  }),
  read: withSecret(async (reach, own, _account, { remoteId }, most) => {
    const found = await channelOf(reach, own, { id: remoteId })
    if (!('uploads' in found)) return found
    const nothing = { kind: 'read', account: found.account, posts: [], isAll: true } as const
    if (found.uploads === '') return nothing
    const page = await uploadsPage(reach, own, found.uploads, { most })
    if (page.kind !== 'ok')
      return isNoPlaylist(page) ? nothing : refusalOf(page, { doing: 'show-posts', irreversible: false })
    const videos = await videosOf(reach, own, page.value.uploads)
    if ('kind' in videos) return videos
    return { kind: 'read', account: found.account, posts: videos.list, isAll: page.value.next === null }
  }),
}

type By = { id: string } | { forHandle: string } | { forUsername: string }

/** The channel that a handle, an ID or an address means. */
function wantedIn(text: string): By | undefined {
  const named = namedIn(text, ['youtube.com'], /^\/((?:channel\/|user\/|@)[^/]+)/)
  if (named === undefined) return undefined
  const [, kind, name = ''] = /^(channel\/|user\/)?@?(.+)$/.exec(named) ?? []
  if (ID.test(name)) return { id: name }
  if (!/^[^\s/@]{1,100}$/u.test(name) || kind === 'channel/') return undefined
  return kind === 'user/' ? { forUsername: name } : { forHandle: `@${name}` }
}

async function channelOf(
  reach: Reach,
  own: YoutubeSecret,
  by: By,
): Promise<{ kind: 'channel'; account: CompetitorAccount; uploads: string } | NotThere | Refusal> {
  const found = await call(reach, own, {
    path: '/channels',
    query: { part: 'snippet,statistics,contentDetails', ...by },
    reply: Found,
  })
  if (found.kind !== 'ok') return refusalOf(found, { doing: 'find-account', irreversible: false })
  const { channel, counts } = found.value
  if (!channel) return gone
  const { id, snippet, contentDetails } = channel
  return {
    kind: 'channel',
    uploads: contentDetails?.relatedPlaylists.uploads ?? '',
    account: {
      remoteId: id,
      name: snippet.title || id,
      handle: snippet.customUrl.startsWith('@') ? snippet.customUrl : snippet.title || id,
      pictureUrl: snippet.thumbnails,
      profileUrl: `https://www.youtube.com/channel/${id}`,
      // a channel can hide its subscribers
      figures: reported({
        followers: counts?.hiddenSubscriberCount ? null : counts?.subscriberCount,
        posts: counts?.videoCount,
      }),
    },
  }
}
