import { timelineOf } from '../graphTimeline.ts'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import { read, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { OwnThreads, type OwnThread } from './schemas.ts'

/** The most that a page has (developers.facebook.com/docs/threads, retrieve threads). */
const PAGE = 100
export const FIELDS = 'id,media_type,text,permalink,timestamp,media_url,thumbnail_url'

/** The account's own posts, without replies, which are another list: of a thread its first post. */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(
    async (reach, own, _account, { cursor, atMost = PAGE }) =>
      await timelineOf(LABEL, { cursor, most: Math.min(PAGE, atMost) }, [
        async (until) => {
          const query = { limit: String(Math.min(PAGE, atMost)), ...until }
          const list = await read(reach, own, `/${own.userId}/threads`, FIELDS, OwnThreads, query)
          if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
          return {
            kind: 'page',
            items: list.value.data.map((thread) => ({ at: thread.timestamp, post: postOf(thread) })),
            isLast: list.value.paging.next === null,
          }
        },
      ]),
  ),
}

/** A post of a list, if it isn't a repost. */
export const postOf = (thread: OwnThread): FoundPost | undefined =>
  thread.media_type === 'REPOST_FACADE'
    ? undefined
    : foundPost({
        remoteId: thread.id,
        postType: 'post',
        publishedAt: thread.timestamp,
        text: thread.text,
        permalink: thread.permalink,
        // the URL of a video is no picture
        pictureUrl: thread.thumbnail_url ?? (thread.media_type === 'VIDEO' ? null : thread.media_url),
      })
