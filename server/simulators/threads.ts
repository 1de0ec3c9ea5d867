import { accountInsights, demographics } from './accountSeries.ts'
import { countText } from '#contract/platforms/countText.ts'
import { Containers } from './containers.ts'
import { fieldsOf, graphError, graphRefusal, graphTime, insights, isTrue, edgePage, within } from './graphParts.ts'
import { lengthen, oauthRoutes } from './oauth.ts'
import type { Surroundings } from './pull.ts'
import { discoveryRoutes } from './threadsDiscovery.ts'
import {
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
} from './world.ts'

/** Threads: containers that become posts; replies are posts with a parent. */
const DAY = 24 * 3600
const graph = 'graph.threads.net/v1.0'
const picture = { types: ['image/jpeg', 'image/png'], bytes: 8_000_000 }
const film = { types: ['video/mp4', 'video/quicktime'], bytes: 1_000_000_000 }
const metrics = { views: 40, likes: 5, replies: 1, reposts: 1, quotes: 1, shares: 1 }

export function threadsSimulator(around: Surroundings): PlatformSimulator {
  const world = new World('threads', peopleOf('threads', 3), graphRefusal)
  world.limit = 250
  world.native = ({ number, account }) => ({
    id: number,
    kind: 'TEXT',
    permalink: `https://www.threads.com/@${world.account(account)?.handle}/post/${BigInt(number).toString(36)}`,
    more: {},
  })
  const containers = new Containers(world, around)
  return {
    world,
    hosts: ['threads.net', 'www.threads.net', 'threads.com', 'www.threads.com', 'graph.threads.net'],
    routes: [
      ...signIn(world),
      ...discoveryRoutes(world, node),
      ...publishing(world, containers),
      ...reading(world, containers),
    ],
  }
}

const accountMetrics = { views: 90, likes: 12, replies: 3, reposts: 2, quotes: 1, clicks: 4 }

function mine(world: World, call: Call, ...rights: string[]): string {
  const { account } = world.who(call, ...rights)
  if (call.path.id !== 'me' && call.path.id !== account) world.no('scope', 'The account is not yours.')
  return account
}

const longer = (text: string): Reply => ({ json: { access_token: text, token_type: 'bearer', expires_in: 60 * DAY } })

function signIn(world: World): Route[] {
  return [
    ...oauthRoutes(world, {
      label: 'Threads',
      page: ['threads.net', 'www.threads.net', 'threads.com', 'www.threads.com'].map(
        (host) => `${host}/oauth/authorize`,
      ),
      token: ['POST graph.threads.net/oauth/access_token'],
      separator: null,
      pkce: 'none',
      codeSeconds: 3600,
      accessSeconds: 3600,
      refresh: null,
      suffix: '#_',
      more: (token) => ({ user_id: Number(token.account) }),
      wrong: (_error, description) => ({
        status: 400,
        json: { error_type: 'OAuthException', code: 400, error_message: description },
      }),
    }),
    ['GET graph.threads.net/access_token', (call) => longer(lengthen(world, call, 'access_token', 60 * DAY).text)],
    [
      'GET graph.threads.net/refresh_access_token',
      (call) => {
        const old = world.who(call)
        if (call.now - old.issuedAt < DAY * 1000) world.no('request', 'The token must be at least 24 hours old.')
        return longer(lengthen(world, call, 'access_token', 60 * DAY).text)
      },
    ],
  ]
}

function publishing(world: World, containers: Containers): Route[] {
  return [
    [
      `POST ${graph}/{id}/threads`,
      async (call) => {
        const account = mine(world, call, 'threads_content_publish')
        const text = call.text('text')
        if (countText(text, 'emojibytes') > 500) world.no('request', 'Param text must be at most 500 characters long.')
        if (new Set(text.match(/https?:\/\/\S+/g) ?? []).size > 5)
          return graphError(100, undefined, 'THREADS_API__LINK_LIMIT_EXCEEDED')
        const kind = call.text('media_type')
        const parent = call.text('reply_to_id') || null
        if (parent !== null) world.post(parent)
        const of = {
          account,
          kind,
          text,
          parent,
          isChild: isTrue(call.text('is_carousel_item')),
          more: { alt: call.text('alt_text'), link: call.text('link_attachment'), topic: call.text('topic_tag') },
        }
        if (kind === 'TEXT' && !text && !of.more.link) world.no('request', 'The parameter text is required.')
        if (kind !== 'TEXT' && of.more.link) world.no('request', 'link_attachment goes with TEXT only.')
        if (kind === 'CAROUSEL') {
          const children = call
            .text('children')
            .split(',')
            .concat(Array.isArray(call.fields.children) ? call.fields.children.map(String) : [])
            .filter(Boolean)
          if (children.some((id) => containers.find(id, account)?.isChild !== true))
            world.no('request', 'children must be containers made with is_carousel_item.')
          return { json: { id: (await containers.make(call, { ...of, children }, null)).id } }
        }
        const url = kind === 'IMAGE' ? call.text('image_url') : kind === 'VIDEO' ? call.text('video_url') : ''
        if (kind !== 'TEXT' && !url) world.no('request', `The parameter ${kind.toLowerCase()}_url is required.`)
        const made = await containers.make(call, { ...of, url }, kind === 'IMAGE' ? picture : film)
        if (isTrue(call.text('auto_publish_text')) && kind === 'TEXT')
          return { json: { id: stand(world, made, call.now).id } }
        return { json: { id: made.id } }
      },
    ],
    [
      `POST ${graph}/{id}/threads_publish`,
      (call) => {
        const account = mine(world, call, 'threads_content_publish')
        const found = containers.find(call.text('creation_id'), account)
        const status = found ? containers.status(found, call.now, false) : 'EXPIRED'
        if (!found || status === 'EXPIRED' || status === 'PUBLISHED')
          return graphError(24, 4_279_009, 'Media Not Found: The media with id cannot be found.')
        if (status !== 'FINISHED') return graphError(-1, 2_207_027, `The media is not ready for publishing: ${status}`)
        if (found.isChild) world.no('request', 'An item of a carousel is not published by itself.')
        const replies = found.parent !== null
        if (used(world, account, call.now, replies) >= (replies ? 1000 : world.limit))
          return graphError(9, 2_207_042, 'You reached the maximum number of posts that may be published in 24 hours.')
        return { json: { id: stand(world, found, call.now).id } }
      },
    ],
    [
      `DELETE ${graph}/{id}`,
      (call) => {
        const { account } = world.who(call, 'threads_delete')
        const post = world.post(call.path.id ?? '')
        if (post.account !== account) world.no('scope', 'The post is not yours.')
        post.deleted = true
        return { json: { success: true, deleted_id: post.id } }
      },
    ],
  ]
}

function stand(
  world: World,
  made: {
    account: string
    kind: string
    text: string
    parent: string | null
    children: string[]
    id: string
    more: Record<string, unknown>
    published: string | null
  },
  now: number,
): SimulatedPost {
  const id = world.nextId()
  made.published = id
  return world.publish(
    {
      id,
      account: made.account,
      kind: made.kind,
      text: made.text,
      parent: made.parent,
      media: made.children.length > 0 ? made.children : made.kind === 'TEXT' ? [] : [made.id],
      more: made.more,
      permalink: `https://www.threads.com/@${world.account(made.account)?.handle}/post/${BigInt(id).toString(36)}`,
    },
    now,
  )
}

const used = (world: World, account: string, now: number, replies: boolean): number =>
  [...world.posts.values()].filter(
    (post) => post.account === account && (post.parent !== null) === replies && now - post.createdAt < DAY * 1000,
  ).length

function reading(world: World, containers: Containers): Route[] {
  const list = (call: Call, posts: SimulatedPost[]): Reply =>
    edgePage(call, posts, 100, (post) => fieldsOf(call, node(world, post)))
  return [
    [
      `GET ${graph}/{id}/threads`,
      (call) => {
        const account = mine(world, call, 'threads_basic')
        return list(
          call,
          within(
            call,
            world.live((post) => post.account === account && post.parent === null),
          ),
        )
      },
    ],
    [
      `GET ${graph}/{id}/replies`,
      (call) => {
        const { account } = world.who(call, 'threads_basic')
        const own = call.path.id === 'me' || call.path.id === account
        if (!own) world.who(call, 'threads_read_replies', 'threads_manage_replies')
        return list(
          call,
          world.live((post) => (own ? post.account === account && post.parent !== null : post.parent === call.path.id)),
        )
      },
    ],
    [
      `GET ${graph}/{id}/conversation`,
      (call) => {
        const { account } = world.who(call, 'threads_read_replies', 'threads_manage_replies')
        // only for the account's own posts
        if (world.post(call.path.id ?? '').account !== account) world.no('scope', 'The post is not yours.')
        const replies = world
          .live((post) => rootOf(world, post) === call.path.id && post.id !== call.path.id)
          .toSorted((a, b) => b.createdAt - a.createdAt)
        return edgePage(call, call.text('reverse') === 'false' ? replies.toReversed() : replies, 100, (post) =>
          fieldsOf(call, { ...node(world, post), ...replyFields(post, account) }),
        )
      },
    ],
    [
      `GET ${graph}/{id}/mentions`,
      (call) => {
        const account = mine(world, call, 'threads_manage_mentions')
        const name = world.account(account)?.handle ?? ''
        return list(
          call,
          world.live((post) => post.account !== account && new RegExp(`@${name}\\b`).test(post.text)),
        )
      },
    ],
    [
      `POST ${graph}/{id}/manage_reply`,
      (call) => {
        const { account } = world.who(call, 'threads_manage_replies')
        const reply = world.post(call.path.id ?? '')
        const above = reply.parent === null ? undefined : world.post(reply.parent)
        // top-level replies to the account's own posts, with the replies to those
        if (above?.account !== account || above.parent !== null || reply.account === account)
          world.no('request', 'Only top-level replies to your own posts can be hidden.')
        reply.more.hidden = isTrue(call.text('hide'))
        return { json: { success: true } }
      },
    ],
    [
      `GET ${graph}/{id}/threads_publishing_limit`,
      (call) => {
        const account = mine(world, call, 'threads_basic')
        const quota = (total: number) => ({ quota_total: total, quota_duration: DAY })
        return {
          json: {
            data: [
              {
                quota_usage: used(world, account, call.now, false),
                config: quota(world.limit),
                reply_quota_usage: used(world, account, call.now, true),
                reply_config: quota(1000),
                delete_quota_usage: 0,
                delete_config: quota(100),
              },
            ],
          },
        }
      },
    ],
    [
      `GET ${graph}/{id}/threads_insights`,
      (call) => {
        const account = mine(world, call, 'threads_manage_insights')
        if (call.text('metric') === 'follower_demographics') return demographics(call)
        return accountInsights(call, account, accountMetrics, 'total')
      },
    ],
    [
      `GET ${graph}/{id}/insights`,
      (call) => (world.who(call, 'threads_manage_insights'), insights(call, world.post(call.path.id ?? ''), metrics)),
    ],
    [
      `GET ${graph}/{id}`,
      (call) => {
        const { account } = world.who(call, 'threads_basic')
        const id = call.path.id === 'me' ? account : (call.path.id ?? '')
        const person = world.account(id)
        if (person)
          return {
            json: fieldsOf(call, {
              id,
              username: person.handle,
              name: person.name,
              threads_profile_picture_url: person.picture,
              threads_biography: '',
              is_verified: false,
            }),
          }
        const made = containers.find(id, account)
        if (!made) return { json: fieldsOf(call, node(world, world.post(id))) }
        const status = containers.status(made, call.now)
        return {
          json: fieldsOf(call, {
            id,
            status,
            ...(status === 'ERROR' && {
              error_message: /larger|not video/.test(made.failure ?? '')
                ? 'INVALID_VIDEO_CODEC_OR_CONTAINER'
                : made.kind === 'VIDEO'
                  ? 'FAILED_DOWNLOADING_VIDEO'
                  : 'FAILED_DOWNLOADING_IMAGE',
            }),
          }),
        }
      },
    ],
  ]
}

const replyFields = (post: SimulatedPost, account: string): Record<string, unknown> => ({
  is_reply_owned_by_me: post.account === account,
  hide_status: post.more.hidden === true ? 'HIDDEN' : 'NOT_HUSHED',
})

function rootOf(world: World, post: SimulatedPost): string {
  const parent = post.parent === null ? undefined : world.posts.get(post.parent)
  return parent ? rootOf(world, parent) : post.id
}

const shown: Record<string, string> = { TEXT: 'TEXT_POST', CAROUSEL: 'CAROUSEL_ALBUM' }

function node(world: World, post: SimulatedPost): Record<string, unknown> {
  return {
    id: post.id,
    media_product_type: 'THREADS',
    media_type: shown[post.kind] ?? post.kind,
    text: post.text,
    permalink: post.permalink,
    ...(['IMAGE', 'CAROUSEL'].includes(post.kind) && {
      media_url: `https://threads.simulated/pictures/${post.id}.png`,
    }),
    ...(post.kind === 'VIDEO' && {
      media_url: `https://threads.simulated/videos/${post.id}.mp4`,
      thumbnail_url: `https://threads.simulated/pictures/${post.id}.png`,
    }),
    owner: { id: post.account },
    username: world.account(post.account)?.handle,
    timestamp: graphTime(post.createdAt),
    shortcode: BigInt(post.id).toString(36),
    is_reply: post.parent !== null,
    has_replies: world.live(({ parent }) => parent === post.id).length > 0,
    ...(post.parent !== null && { root_post: { id: rootOf(world, post) }, replied_to: { id: post.parent } }),
  }
}
