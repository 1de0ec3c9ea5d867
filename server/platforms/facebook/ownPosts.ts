import type { z } from 'zod'
import { reportedMetrics } from '#contract/metrics.ts'
import { timelineOf, type ListedPage } from '../graphTimeline.ts'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import type { Reach, Refusal } from '../platform.ts'
import { LABEL, onFacebook, read, refusalOf, withSecret } from './client.ts'
import {
  OwnFeed,
  OwnReels,
  OwnStories,
  type FacebookSecret,
  type FeedPost,
  type OwnReel,
  type OwnStory,
} from './schemas.ts'

/** Facebook refuses more posts with their attachments at once. */
const PAGE = 50
const COUNTED = '.limit(0).summary(total_count)'
const COUNTS = `shares,reactions${COUNTED},comments${COUNTED}`
export const FEED = `id,from{id},message,story,created_time,permalink_url,full_picture,is_published,parent_id,attachments{media_type,target{id}},${COUNTS}`
const REELS = `id,description,created_time,permalink_url,picture,published,views,likes${COUNTED},comments${COUNTED}`

/**
 * The feed, reels, which it may leave out, and stories: a call for each. A video is known by its own ID, as publishing stores it, not by
 * that of the post that shows it.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const limit = String(Math.min(PAGE, atMost))
    const ofPage =
      <T extends Item>(edge: string, fields: string, reply: z.ZodType<Edge<T>>, as: As<T>, isFeed = false) =>
      async (until: Record<string, string>): Promise<ListedPage | Refusal> =>
        await readEdge(reach, own, { edge, query: { fields, limit, ...until }, reply, as, isFeed })
    return await timelineOf(LABEL, { cursor, most: Math.min(PAGE, atMost) }, [
      ofPage('published_posts', FEED, OwnFeed, (post) => postOf(post, own.pageId), true),
      ofPage('video_reels', REELS, OwnReels, reelOf),
      ofPage('stories', 'post_id,creation_time,url', OwnStories, storyOf),
    ])
  }),
}

type Item = { at: Date | null }
type As<T> = (item: T) => FoundPost | undefined
type Edge<T> = { data: T[]; paging: { next: string | null } }

async function readEdge<T extends Item>(
  reach: Reach,
  own: FacebookSecret,
  asked: { edge: string; query: Record<string, string>; reply: z.ZodType<Edge<T>>; as: As<T>; isFeed: boolean },
): Promise<ListedPage | Refusal> {
  const list = await read(reach, own, `/${own.pageId}/${asked.edge}`, asked.query, asked.reply)
  if (list.kind === 'ok')
    return {
      kind: 'page',
      items: list.value.data.map((item) => ({ at: item.at, post: asked.as(item) })),
      isLast: list.value.paging.next === null,
    }
  const refusal = refusalOf(list, 'show-posts')
  // a Page that has no reels or stories still has posts
  return refusal.kind === 'rejected' && !asked.isFeed ? { kind: 'page', items: [], isLast: true } : refusal
}

/** Posts of the Page itself: not those of others on it, and not those that it only passed on. */
export function postOf(post: FeedPost, pageId: string): FoundPost | undefined {
  const isShared = post.parent_id !== null && post.message === ''
  if (post.is_published === false || isShared || (post.from !== null && post.from.id !== pageId)) return undefined
  const [shown] = post.attachments.data
  const videoId = shown?.media_type === 'video' ? (shown.target?.id ?? null) : null
  return foundPost({
    remoteId: videoId ?? post.id,
    postType: /\/reel\//.test(post.permalink_url) ? 'reel' : 'post',
    publishedAt: post.at,
    text: post.message || post.story,
    permalink: onFacebook(post.permalink_url || `/${post.id}`),
    pictureUrl: post.full_picture,
    figures: reportedMetrics({ reactions: post.reactions, comments: post.comments, shares: post.shares }),
  })
}

const reelOf = (reel: OwnReel): FoundPost | undefined =>
  reel.published === false
    ? undefined
    : foundPost({
        remoteId: reel.id,
        postType: 'reel',
        publishedAt: reel.at,
        text: reel.description,
        permalink: onFacebook(reel.permalink_url || `/reel/${reel.id}/`),
        pictureUrl: reel.picture,
        figures: reportedMetrics({
          views: reel.views,
          videoViews: reel.views,
          reactions: reel.likes,
          comments: reel.comments,
        }),
      })

/** Facebook tells nothing of a story but that it was there. */
const storyOf = (story: OwnStory): FoundPost | undefined =>
  story.post_id === null
    ? undefined
    : foundPost({
        remoteId: story.post_id,
        postType: 'story',
        publishedAt: story.at,
        text: '',
        permalink: onFacebook(story.url),
        pictureUrl: null,
      })
