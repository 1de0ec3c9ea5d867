import { z } from 'zod'
import { adviceFor, sentenceOf, wordsOf } from '../failures/catalog.ts'
import { StoredReason } from '../failures/define.ts'
import { FollowUp, followUpName } from '../failures/publishing.ts'
import { PostFailure } from '../postLists.ts'
import { PlatformKey } from '../platforms/rules.ts'
import { platformLabel } from '../platforms/registry.ts'
import { count, notification, postOnPlatform, toCalendar, toPost } from './define.ts'

/* About posts and promotions that weren't published as planned. */

/** For people who can't reconnect a channel, instead of the advice to do so. */
const ASK_TO_RECONNECT = 'Ask a project admin to reconnect the channel.'

const aboutPost = postOnPlatform.extend({
  /** The start of the post's text, with an ellipsis if it continues; empty for a post without text. */
  excerpt: z.string(),
})
const followUp = aboutPost.extend({
  followUp: FollowUp,
})

const quoted = (excerpt: string) => (excerpt === '' ? '' : `“${excerpt}” `)

const boostProblems = { FAILED: "couldn't be started", REJECTED: 'was rejected', HELD: 'is on hold' }

export const postNotifications = {
  'post-failed': notification({
    topic: 'failed_posts',
    params: aboutPost.extend({ failure: PostFailure, canReconnect: z.boolean().default(true) }),
    title: ({ platform }) => `A post on ${platformLabel(platform)} wasn't published`,
    body: ({ excerpt, failure, canReconnect }) =>
      `${quoted(excerpt)}${sentenceOf(failure)} ${failure.action === 'reconnect' && !canReconnect ? ASK_TO_RECONNECT : adviceFor(failure)}`,
    link: toPost,
  }),
  'post-unconfirmed': notification({
    topic: 'failed_posts',
    params: aboutPost.extend({ failure: PostFailure }),
    title: ({ platform }) => `Was this post published on ${platformLabel(platform)}?`,
    body: ({ excerpt, failure }) => `${quoted(excerpt)}${wordsOf(failure)}`,
    link: toPost,
  }),
  'follow-up-failed': notification({
    topic: 'failed_posts',
    params: followUp,
    title: (params) =>
      `The ${followUpName(params.followUp)} of a post on ${platformLabel(params.platform)} wasn't published`,
    body: ({ excerpt }) => `${quoted(excerpt)}The post itself is live. Open it to see why and to retry the rest.`,
    link: toPost,
  }),
  'follow-up-unconfirmed': notification({
    topic: 'failed_posts',
    params: followUp,
    title: (params) =>
      `Was the ${followUpName(params.followUp)} of this post published on ${platformLabel(params.platform)}?`,
    body: ({ excerpt, platform }) =>
      `${quoted(excerpt)}The post itself is live. Check it on ${platformLabel(platform)}, then tell us whether it's complete.`,
    link: toPost,
  }),
  'post-overdue': notification({
    topic: 'failed_posts',
    params: z.object({ count, /** The only one. */ postId: z.string().nullable() }),
    title: ({ count: posts }) =>
      posts === 1 ? "A post wasn't published on time" : `${posts} posts weren't published on time`,
    body: ({ count: posts }) =>
      posts === 1
        ? "We'll publish it as soon as we can, unless it's too late by then."
        : "We'll publish them as soon as we can, unless they're too late by then.",
    link: ({ postId }, place) => (postId === null ? toCalendar(undefined, place) : toPost({ postId }, place)),
  }),
  'boost-trouble': notification({
    topic: 'failed_posts',
    params: z.object({
      postId: z.string(),
      platform: PlatformKey.nullable(),
      state: z.enum(['FAILED', 'REJECTED', 'HELD']),
      problem: StoredReason.nullable(),
    }),
    title: ({ platform, state }) =>
      `A promotion on ${platform === null ? 'a platform' : platformLabel(platform)} ${boostProblems[state]}`,
    body: ({ problem }) => (problem ? wordsOf(problem, 'boost') : 'Open the post to see why.'),
    link: toPost,
  }),
  'boost-unstopped': notification({
    topic: 'failed_posts',
    params: postOnPlatform,
    title: ({ platform }) => `A promotion on ${platformLabel(platform)} may still be running`,
    body: ({ platform }) =>
      `Its channel was deleted, and ${platformLabel(platform)} didn't confirm that the promotion ended. Check it in Ads Manager.`,
    link: toPost,
  }),
  'publishing-held': notification({
    topic: 'publishing',
    params: z.object({}),
    title: () => 'Publishing is paused',
    body: () =>
      "Rookery's database was restored from a backup or copied. Nothing is published until your Rookery administrator resumes publishing. Posts that may have been published in the meantime are checked first.",
    link: toCalendar,
  }),
  'zones-changed': notification({
    topic: 'publishing',
    params: z.object({ count, zone: z.string() }),
    title: () => 'A time zone changed its clocks',
    body: ({ count: posts, zone }) =>
      posts === 1
        ? `1 scheduled post keeps its local time in ${zone}, so it will be published at a different moment than planned. Its timeline has the details.`
        : `${posts} scheduled posts keep their local time in ${zone}, so they will be published at a different moment than planned. Their timelines have the details.`,
    link: toCalendar,
  }),
}
