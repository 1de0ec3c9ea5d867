import { reportedMetrics, sumOfReported, type PostMetrics } from '#contract/metrics.ts'
import type { Metrics } from '../platform.ts'
import { READ_TIMEOUT_MS } from './records.ts'
import { refusalOf } from './refusals.ts'
import { PostViews, type PostView } from './schemas.ts'
import { tokenOf, withSecret } from './secret.ts'
import { xrpc } from './xrpc.ts'

/**
 * Metrics of posts as the network counts them (lexicon app.bsky.feed.getPosts, 25 per call). The account's own server
 * asks its app view. Deleted posts are missing from the response. Views aren't counted.
 */
export const metrics: Metrics = {
  most: 25,
  read: withSecret(async (reach, session, _account, posts) => {
    const params = { uris: posts.map(({ remoteId }) => remoteId) }
    const seen = await xrpc(reach, {
      service: session.pds,
      nsid: 'app.bsky.feed.getPosts',
      params,
      as: tokenOf(session),
      reply: PostViews,
      timeoutMs: READ_TIMEOUT_MS,
    })
    if (seen.kind !== 'ok') return refusalOf(seen, { doing: 'show-figures', irreversible: false })
    return { kind: 'metrics', of: new Map(seen.value.posts.map((post) => [post.uri, metricsIn(post)])) }
  }),
}

export const metricsIn = (post: PostView): PostMetrics =>
  reportedMetrics({
    reactions: post.likeCount,
    comments: post.replyCount,
    // a repost and a quote are each someone passing the post on
    shares: sumOfReported(post.repostCount, post.quoteCount),
    reposts: post.repostCount,
    quotes: post.quoteCount,
    saves: post.bookmarkCount,
  })
