import { reportedMetrics } from '#contract/metrics.ts'
import type { PostType } from '#contract/platforms/rules.ts'
import { timelineOf, type ListedPage } from '../graphTimeline.ts'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import type { Reach, Refusal } from '../platform.ts'
import { read, withSecret } from './client.ts'
import { LABEL, refusalOf } from './refusals.ts'
import { OwnMedia, type InstagramSecret, type OwnMedium } from './schemas.ts'

const PAGE = 50
const FIELDS =
  'id,caption,media_type,media_product_type,permalink,timestamp,media_url,thumbnail_url,like_count,comments_count'

/**
 * The feed and reels, of which Instagram lists the last 10,000, and with the first page the stories of the last 24 hours: it shows no
 * others.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const limit = String(Math.min(PAGE, atMost))
    const ofMedia = async (until: Record<string, string>) => await readEdge(reach, own, 'media', { limit, ...until })
    const ofStories = async (): Promise<ListedPage | Refusal> => {
      const stories = await readEdge(reach, own, 'stories', {})
      // an account that has none still has posts
      return stories.kind === 'rejected' ? { kind: 'page', items: [], isLast: true } : stories
    }
    const lists = cursor === null ? [ofMedia, ofStories] : [ofMedia]
    return await timelineOf(LABEL, { cursor, most: Math.min(PAGE, atMost) }, lists)
  }),
}

async function readEdge(
  reach: Reach,
  own: InstagramSecret,
  edge: 'media' | 'stories',
  query: Record<string, string>,
): Promise<ListedPage | Refusal> {
  const list = await read(reach, own, `/${own.userId}/${edge}`, { fields: FIELDS, ...query }, OwnMedia)
  if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
  return {
    kind: 'page',
    items: list.value.data.map((medium) => ({ at: medium.timestamp, post: postOf(medium) })),
    isLast: edge === 'stories' || list.value.paging.next === null,
  }
}

const types: Record<string, PostType> = { REELS: 'reel', STORY: 'story' }

/** A single video in the feed is a reel. Ads are no posts. */
export function postOf(medium: OwnMedium): FoundPost | undefined {
  if (medium.media_product_type === 'AD') return undefined
  return foundPost({
    remoteId: medium.id,
    postType: types[medium.media_product_type] ?? 'post',
    publishedAt: medium.timestamp,
    text: medium.caption,
    permalink: medium.permalink,
    // the URL of a video is no picture
    pictureUrl: medium.thumbnail_url ?? (medium.media_type === 'VIDEO' ? null : medium.media_url),
    figures: reportedMetrics({ reactions: medium.like_count, comments: medium.comments_count }),
  })
}
