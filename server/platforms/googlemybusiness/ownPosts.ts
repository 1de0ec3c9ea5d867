import type { PostType } from '#contract/platforms/rules.ts'
import { foundPost, type FoundPost, type OwnPosts } from '../ownPosts.ts'
import { call, refusalOf, withSecret } from './client.ts'
import { OwnLocalPosts, type BusinessSecret, type OwnLocalPost } from './schemas.ts'

/** The most that a page has (accounts.locations.localPosts.list). */
const PAGE = 100

const types: Record<string, PostType> = { EVENT: 'events', OFFER: 'offers' }
/** Published: not under review, rejected or scheduled. */
const SHOWN = new Set(['LIVE', 'RECURRING'])

/** The location's posts. Google promises no order, so a page is sorted here, and reports nothing about single posts. */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, _account, { cursor, atMost = PAGE }) => {
    const list = await call(reach, own, {
      path: `${own.parent}/localPosts`,
      query: { pageSize: String(Math.min(PAGE, atMost)), pageToken: cursor ?? undefined },
      reply: OwnLocalPosts,
    })
    if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
    const posts = list.value.localPosts.flatMap((post) => (SHOWN.has(post.state) ? (postOf(post, own) ?? []) : []))
    return {
      kind: 'posts',
      posts: posts.toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime()),
      next: list.value.nextPageToken || null,
    }
  }),
}

const postOf = (post: OwnLocalPost, { mapsUri }: BusinessSecret): FoundPost | undefined =>
  foundPost({
    remoteId: post.name,
    postType: types[post.topicType] ?? 'update',
    publishedAt: post.scheduledTime ?? post.createTime,
    text: [post.event?.title ?? '', post.summary].filter((words) => words.trim() !== '').join('\n\n'),
    permalink: post.searchUrl ?? mapsUri,
    pictureUrl: post.media.map(({ thumbnailUrl, googleUrl }) => thumbnailUrl ?? googleUrl).find((url) => url !== null),
  })
