import { foundPost, type OwnPosts } from '../ownPosts.ts'
import type { AccountRef } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { refusalOf } from './refusals.ts'
import { OwnTimeline, type OwnPost } from './schemas.ts'
import { addressOf, FIELDS, shownText } from './timeline.ts'

/** A page has at least 5 and at most 100 posts, and each costs credits (docs.x.com, pricing). */
const PAGE = 100
const LEAST = 5

/** A page that the platform found nothing for, although there are older posts, is left by its token. */
const TOKEN = 'token:'

/**
 * GET /2/users/:id/tweets without replies and reposts, of which X shows the last 800. Below an ID, so that what is added or deleted
 * meanwhile moves nothing. Files aren't expanded: each would cost as much as a post.
 */
export const ownPosts: OwnPosts = {
  most: PAGE,
  list: withSecret(async (reach, own, account, { cursor, atMost = PAGE }) => {
    const list = await call(reach, own, {
      path: `/2/users/${own.userId}/tweets`,
      query: {
        max_results: String(Math.min(PAGE, Math.max(LEAST, atMost))),
        exclude: 'replies,retweets',
        'tweet.fields': `${FIELDS},public_metrics`,
        ...placeOf(cursor),
      },
      reply: OwnTimeline,
    })
    if (list.kind !== 'ok') return refusalOf(list, { doing: 'show-posts', irreversible: false })
    const { data, meta } = list.value
    const isLast = meta.next_token === null
    return {
      kind: 'posts',
      posts: data.flatMap((post) => (isReply(post) ? [] : (postOf(post, account) ?? []))),
      next: isLast ? null : (meta.oldest_id ?? `${TOKEN}${meta.next_token}`),
    }
  }),
}

const placeOf = (cursor: string | null): Record<string, string> =>
  cursor === null
    ? {}
    : cursor.startsWith(TOKEN)
      ? { pagination_token: cursor.slice(TOKEN.length) }
      : { until_id: cursor }

/** In the conversation of another post. An edited one may be in that of its first version. */
const isReply = ({ id, conversation_id: root, edit_history_tweet_ids: versions }: OwnPost): boolean =>
  root !== null && root !== id && !versions.includes(root)

const postOf = (post: OwnPost, account: AccountRef) =>
  foundPost({
    remoteId: post.id,
    postType: 'post',
    publishedAt: post.created_at,
    text: shownText(post),
    permalink: addressOf(account, post.id),
    pictureUrl: null,
    figures: metricsIn(post),
  })
