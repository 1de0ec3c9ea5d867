import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import { isLast, LISTED, newest, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { withoutTracking } from './publish.ts'
import { refusalOf } from './refusals.ts'
import type { Video } from './schemas.ts'

const RIGHT = 'video.list'

/** The account's public videos and photos, once TikTok has moderated them. A page is what is older than a time. */
export const ownPosts: OwnPosts = {
  most: LISTED,
  needs: [RIGHT],
  list: withSecret(async (reach, own, _account, { cursor, atMost }) => {
    if (!own.scopes.includes(RIGHT)) return { kind: 'rights', missing: [RIGHT] }
    const list = await newest(reach, own, { cursor: cursor === null ? undefined : Number(cursor), most: atMost })
    if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
    const { videos, cursor: next } = list.value
    const oldest = videos.at(-1)?.create_time ?? null
    // without a cursor, TikTok's is the time of the last one
    const after = next ?? (oldest === null ? null : oldest * 1000)
    return {
      kind: 'posts',
      posts: videos.flatMap((video) => postOf(video) ?? []),
      next: isLast(list.value) || after === null ? null : String(after),
    }
  }),
}

const postOf = (video: Video): FoundPost | undefined =>
  foundPost({
    remoteId: video.id,
    postType: 'post',
    publishedAt: video.create_time === null ? null : new Date(video.create_time * 1000),
    text: video.video_description || video.title,
    permalink: video.share_url && withoutTracking(video.share_url),
    pictureUrl: video.cover_image_url,
    figures: metricsIn(video),
  })
