import { z } from 'zod'
import { namedIn, type CompetitorAccount, type Competitors, type NotThere } from '../competitor.ts'
import { foundPost } from '../ownPosts.ts'
import { reported, type Reach, type Refusal } from '../platform.ts'
import { call, withSecret } from './client.ts'
import { metricsIn } from './metrics.ts'
import { isGone, refusalOf } from './refusals.ts'
import { OwnTimeline, type OwnPost, type XSecret } from './schemas.ts'
import { addressOf, FIELDS, shownText } from './timeline.ts'

/** The least that X takes as the size of a page. */
const LEAST = 5
const Count = z.int().nonnegative().nullable().catch(null)
/** Without `data` for an account that doesn't exist or is suspended. */
const User = z.object({
  data: z
    .object({
      id: z.string().min(1),
      name: z.string().catch(''),
      username: z.string().min(1),
      protected: z.boolean().catch(false),
      profile_image_url: z.string().nullable().catch(null),
      public_metrics: z
        .object({ followers_count: Count, tweet_count: Count, post_count: Count })
        .catch({ followers_count: null, tweet_count: null, post_count: null }),
    })
    .optional(),
})
const gone: NotThere = { kind: 'none', why: 'gone' }

/** Any account, by its username: X charges for it, and for each of its posts. */
export const competitors: Competitors = {
  find: withSecret(async (reach, own, _account, text) => {
    const name = namedIn(text, ['x.com', 'twitter.com'], /^\/(\w+)/)?.replace(/^@/, '') ?? ''
    if (!/^\w{1,15}$/.test(name)) return gone
    const found = await userOf(reach, own, `/2/users/by/username/${name}`)
    return found.kind === 'user' ? { kind: 'account', account: found.account } : found
  }),
  read: withSecret(async (reach, own, _account, { remoteId }, most) => {
    const found = await userOf(reach, own, `/2/users/${remoteId}`)
    if (found.kind !== 'user') return found
    if (found.isProtected) return { kind: 'none', why: 'private' }
    const list = await call(reach, own, {
      path: `/2/users/${remoteId}/tweets`,
      query: {
        max_results: String(Math.max(LEAST, most)),
        exclude: 'replies,retweets',
        'tweet.fields': `${FIELDS},public_metrics`,
      },
      reply: OwnTimeline,
    })
    if (list.kind !== 'ok') return isGone(list) ? gone : refusalOf(list, { doing: 'show-posts', irreversible: false })
    return {
      kind: 'read',
      account: found.account,
      posts: list.value.data.flatMap((post) => postOf(post, found.account) ?? []),
      isAll: list.value.meta.next_token === null,
    }
  }),
}

async function userOf(
  reach: Reach,
  own: XSecret,
  path: string,
): Promise<{ kind: 'user'; account: CompetitorAccount; isProtected: boolean } | NotThere | Refusal> {
  const found = await call(reach, own, {
    path,
    query: { 'user.fields': 'public_metrics,profile_image_url,protected' },
    reply: User,
  })
  if (found.kind !== 'ok')
    return isGone(found) ? gone : refusalOf(found, { doing: 'find-account', irreversible: false })
  const user = found.value.data
  if (!user) return gone
  const { followers_count: followers, tweet_count: tweets, post_count: posts } = user.public_metrics
  return {
    kind: 'user',
    isProtected: user.protected,
    account: {
      remoteId: user.id,
      name: user.name || `@${user.username}`,
      handle: `@${user.username}`,
      pictureUrl: user.profile_image_url,
      profileUrl: `https://x.com/${user.username}`,
      figures: reported({ followers, posts: tweets ?? posts }),
    },
  }
}

const postOf = (post: OwnPost, account: Pick<CompetitorAccount, 'handle'>) =>
  foundPost({
    remoteId: post.id,
    postType: 'post',
    publishedAt: post.created_at,
    text: shownText(post),
    permalink: addressOf(account, post.id),
    pictureUrl: null,
    figures: metricsIn(post),
  })
