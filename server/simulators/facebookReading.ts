import { promotable } from './facebookAds.ts'
import { commentNode, commentsOf, listed, withComments } from './facebookInbox.ts'
import { feedIdOf, nodeOf, pageOfCall } from './facebookPage.ts'
import { accountInsights, followersAt } from './accountSeries.ts'
import { edgePage, fieldsOf, graphError, graphTime, insights, within } from './graphParts.ts'
import {
  grown,
  Refused,
  type Call,
  type Reply,
  type Route,
  type SimulatedAccount,
  type SimulatedPost,
  type Token,
  type World,
} from './world.ts'

/* What a Page's token reads: its lists, a post, a Page, and their figures. */

const graph = 'graph.facebook.com/{v}'
/** Valid names; those that were removed on 2026-06-15 aren't among them. */
const postMetrics = {
  post_media_view: 40,
  post_total_media_view_unique: 30,
  post_clicks: 3,
  post_reactions_like_total: 5,
  post_reactions_by_type_total: 5,
  post_video_views: 20,
  post_video_avg_time_watched: 1,
  post_activity: 2,
}
/** By day, for a Page. */
const pageMetrics = {
  page_media_view: 900,
  page_total_media_view_unique: 600,
  page_follows: 1,
  page_post_engagements: 60,
  page_views_total: 25,
  page_video_views: 180,
}
const videoMetrics = {
  blue_reels_play_count: 50,
  post_video_avg_time_watched: 1,
  post_video_view_time: 100,
  post_impressions_unique: 30,
  fb_reels_total_plays: 55,
  total_video_views: 40,
  post_video_likes_by_reaction_type: 3,
  post_video_social_actions: 2,
}

/** A Page token derived from a person's long-lived token doesn't expire. */
export function pageToken(world: World, of: Token, page: string, now: number): string {
  const known = [...world.tokens.values()].find(
    (token) =>
      token.kind === 'page' &&
      token.account === page &&
      token.clientId === of.clientId &&
      !token.revoked &&
      (of.kind !== 'long' || token.expiresAt === null) &&
      token.scopes.join() === of.scopes.join(),
  )
  return (known ?? world.issue('page', { ...of, account: page }, of.kind === 'long' ? null : 3600, now)).text
}

const tasks = ['ADVERTISE', 'ANALYZE', 'CREATE_CONTENT', 'MESSAGING', 'MODERATE', 'MANAGE']
export const pageNode = (page: SimulatedAccount, token?: string): Record<string, unknown> => ({
  id: page.id,
  name: page.name,
  username: page.handle,
  link: `https://www.facebook.com/${page.handle}`,
  category: 'Local business',
  tasks,
  picture: { data: { url: page.picture, is_silhouette: false, height: 50, width: 50 } },
  ...(token !== undefined && { access_token: token }),
  ...(page.owns[0] && {
    instagram_business_account: {
      id: page.owns[0].id,
      username: page.owns[0].handle,
      name: page.owns[0].name,
      profile_picture_url: page.owns[0].picture,
    },
  }),
})

/** Other Pages are only read by apps with Page Public Content Access: not with the switch `no public content`. */
function mayReadOthers(world: World, token: Token): void {
  if (token.kind === 'page' && world.switches.has('no public content'))
    throw new Refused(
      graphError(10, undefined, "(#10) This endpoint requires the 'Page Public Content Access' feature"),
    )
}

export function facebookReadingRoutes(world: World): Route[] {
  const list = (call: Call): Reply => {
    const token = world.who(call, 'pages_read_engagement')
    if (!call.url.pathname.endsWith('/posts') || token.account === call.path.id)
      pageOfCall(world, call, 'pages_read_engagement')
    else mayReadOthers(world, token)
    const posts = world.live(
      ({ account, kind, more }) =>
        account === call.path.id && ['post', 'video', 'reel'].includes(kind) && more.offFeed !== true,
    )
    return listed(call, within(call, posts), (post) =>
      withComments(world, token, post, { ...postNode(post, call.now), id: feedIdOf(post) }),
    )
  }
  return [
    ...['feed', 'posts', 'published_posts'].map((edge): Route => [`GET ${graph}/{id}/${edge}`, list]),
    [
      `GET ${graph}/{id}/video_reels`,
      (call) => {
        const { token } = pageOfCall(world, call, 'pages_read_engagement')
        const reels = world.live(({ account, kind }) => account === call.path.id && kind === 'reel')
        return listed(call, within(call, reels), (reel) => {
          const node = postNode(reel, call.now)
          return withComments(world, token, reel, {
            ...node,
            id: reel.media[0] ?? reel.id,
            description: reel.text,
            permalink_url: `/reel/${reel.media[0] ?? reel.id}/`,
            picture: `https://facebook.simulated/pictures/${reel.id}.png`,
            published: true,
            views: grown(reel, 'views', call.now, 40),
          })
        })
      },
    ],
    [
      `GET ${graph}/{id}/stories`,
      (call) => (
        pageOfCall(world, call, 'pages_read_engagement'),
        edgePage(
          call,
          within(
            call,
            world.live(({ account, kind }) => account === call.path.id && kind === 'story'),
          ),
          100,
          (story) => ({
            post_id: story.id.replace(/^\d+_/, ''),
            status: 'published',
            creation_time: String(Math.floor(story.createdAt / 1000)),
            media_type: story.more.video ? 'video' : 'photo',
            ...(story.media[0] !== undefined && { media_id: story.media[0] }),
            url: story.permalink,
          }),
        )
      ),
    ],
    [
      `GET ${graph}/{id}/comments`,
      (call) => {
        const token = world.who(call, 'pages_read_engagement', 'pages_read_user_content')
        return listed(call, commentsOf(world, nodeOf(world, call.path.id ?? '')), (comment) =>
          commentNode(world, token, comment),
        )
      },
    ],
    [
      `GET ${graph}/{id}/insights`,
      (call) => {
        world.who(call, 'read_insights')
        const page = world.account(call.path.id ?? '')
        return page
          ? accountInsights(call, page.id, pageMetrics, 'time')
          : insights(call, nodeOf(world, call.path.id ?? ''), postMetrics)
      },
    ],
    [
      `GET ${graph}/{id}/video_insights`,
      (call) => (world.who(call, 'read_insights'), insights(call, nodeOf(world, call.path.id ?? ''), videoMetrics)),
    ],
    [
      `GET ${graph}/{id}`,
      (call) => {
        const token = world.who(call)
        const id = call.path.id === 'me' ? token.account : (call.path.id ?? '')
        const named = world.accounts.flatMap(({ owns }) => owns).find(({ handle }) => handle === id.toLowerCase())
        const account = world.account(id) ?? named
        if (account && token.kind === 'page' && token.account !== account.id) {
          mayReadOthers(world, token)
          const count = followersAt(account.id, call.now)
          return { json: fieldsOf(call, { ...pageNode(account), fan_count: count - 9, followers_count: count }) }
        }
        if (!/^\d/.test(id) && !account)
          return graphError(803, undefined, `(#803) Some of the aliases you requested do not exist: ${id}`)
        if (account)
          return {
            json: fieldsOf(
              call,
              pageNode(
                account,
                token.kind === 'page' && token.account === id
                  ? token.text
                  : token.kind !== 'page'
                    ? pageToken(world, token, id, call.now)
                    : undefined,
              ),
            ),
          }
        // stories have an ID without the Page's
        const known = world.posts.get(id) ?? world.live((one) => one.id.endsWith(`_${id}`))[0]
        const post = known ?? nodeOf(world, id)
        return { json: fieldsOf(call, { ...postNode(world.post(post.id), call.now), ...promotable(world, post) }) }
      },
    ],
  ]
}

function postNode(post: SimulatedPost, now: number): Record<string, unknown> {
  const { id, text, createdAt, permalink, kind, account } = post
  const count = (name: string, each: number) => ({ summary: { total_count: grown(post, name, now, each) }, data: [] })
  return {
    id,
    ...(text && { message: text, description: text }),
    created_time: graphTime(createdAt),
    permalink_url: kind === 'video' ? `/${account}/videos/${id}` : permalink,
    status_type: 'added_photos',
    is_published: true,
    from: { id: account, name: '' },
    full_picture: `https://facebook.simulated/pictures/${id}.png`,
    ...(kind === 'reel' && { attachments: { data: [{ media_type: 'video', target: { id: post.media[0] } }] } }),
    ...(kind === 'video' && { attachments: { data: [{ media_type: 'video', target: { id } }] } }),
    shares: { count: grown(post, 'shares', now, 1) },
    likes: count('likes', 4),
    reactions: count('reactions', 5),
    comments: count('comments', 1),
    ...(post.more.status === undefined ? {} : { status: post.more.status, published: true, post_id: post.more.postId }),
  }
}
