import { Containers, type Container } from './containers.ts'
import { accountInsights, demographics, followersAt } from './accountSeries.ts'
import { fieldsOf, graphError, graphRefusal, graphTime, insights, isTrue, edgePage, within } from './graphParts.ts'
import { hashtagRoutes, isOfHashtags } from './instagramHashtags.ts'
import { commentEdge, instagramInboxRoutes } from './instagramInbox.ts'
import { listed } from './facebookInbox.ts'
import { lengthen, oauthRoutes } from './oauth.ts'
import type { Surroundings } from './pull.ts'
import {
  grown,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
} from './world.ts'

/** Instagram by its own sign-in (graph.instagram.com) and by Facebook's (graph.facebook.com), on the same accounts. */
const DAY = 24 * 3600
const picture = { types: ['image/jpeg'], bytes: 8_000_000 }
const film = { types: ['video/mp4', 'video/quicktime'], bytes: 300_000_000 }
const mediaMetrics = {
  views: 40,
  reach: 30,
  likes: 5,
  comments: 1,
  saved: 1,
  shares: 1,
  reposts: 1,
  total_interactions: 8,
  follows: 1,
  profile_visits: 2,
  profile_activity: 1,
  navigation: 2,
  replies: 1,
  ig_reels_avg_watch_time: 100,
  ig_reels_video_view_total_time: 1000,
}

export function instagramSimulator(around: Surroundings, facebook: World): PlatformSimulator {
  const world = new World('instagram', peopleOf('instagram', 3), graphRefusal, facebook.tokens)
  world.limit = 50
  world.native = ({ number, postType }) => ({
    id: number,
    kind: postType === 'reel' ? 'REELS' : postType === 'story' ? 'STORIES' : 'IMAGE',
    permalink: `https://www.instagram.com/p/${BigInt(number).toString(36)}/`,
    more: {},
  })
  const containers = new Containers(world, around)
  const both = (method: string, path: string, answer: Route[1]): Route[] =>
    ['graph.instagram.com', 'graph.facebook.com'].map((host) => [`${method} ${host}/{v}/${path}`, answer])
  return {
    world,
    hosts: [
      'www.instagram.com',
      'api.instagram.com',
      'graph.instagram.com',
      'graph.facebook.com',
      'rupload.facebook.com',
    ],
    owns: (url) => {
      if (!url.host.endsWith('.facebook.com')) return true
      const id = url.pathname.split('/').find((part) => /^\d{6,}$/.test(part)) ?? ''
      // with a Page token, `me` is the Page, so Facebook's adapter names the Page instead
      return (
        /^\/v[\d.]+\/me\/(messages|conversations)$/.test(url.pathname) ||
        url.pathname.startsWith('/ig-api-upload/') ||
        isOfHashtags(url.pathname) ||
        world.account(id) !== undefined ||
        world.posts.has(id) ||
        containers.find(id) !== undefined
      )
    },
    routes: [
      ...signIn(world),
      ...instagramInboxRoutes(world, facebook, both, (call, id, ...rights) =>
        accountOf(world, facebook, call, id, ...rights),
      ),
      ...hashtagRoutes(world, facebook, (call, id) => accountOf(world, facebook, call, id, ...readRights)),
      ...publishing(world, facebook, containers, both),
      ...reading(world, facebook, containers, both),
    ],
  }
}

/** The named account, if the token's sign-in may act for it: its own, its Page's or that of the Page's owner. */
function accountOf(world: World, facebook: World, call: Call, id: string, ...rights: string[]): string {
  const token = world.who(call, ...rights)
  const account = id === 'me' ? token.account : id
  const page = facebook.accounts
    .flatMap(({ owns }) => owns)
    .find(({ owns }) => owns.some((owned) => owned.id === account))
  const person = facebook.accounts.find(({ owns }) => owns.some((owned) => owned === page))
  if (token.account !== account && token.account !== page?.id && token.account !== person?.id)
    world.no('scope', 'The account is not yours.')
  return account
}

const publishRights = ['instagram_business_content_publish', 'instagram_content_publish']
const readRights = ['instagram_business_basic', 'instagram_basic']
const commentRights = ['instagram_business_manage_comments', 'instagram_manage_comments']
/** Of an account, as the total of a range. */
const accountMetrics = {
  views: 800,
  reach: 520,
  accounts_engaged: 30,
  total_interactions: 46,
  likes: 34,
  comments: 5,
  shares: 3,
  saves: 4,
  profile_links_taps: 6,
  follows_and_unfollows: 5,
}
/** A range of an account's figures. */
const MOST_SECONDS = 30 * 86_400
const insightRights = ['instagram_business_manage_insights', 'instagram_manage_insights']

function signIn(world: World): Route[] {
  return [
    ...oauthRoutes(world, {
      label: 'Instagram',
      page: ['www.instagram.com/oauth/authorize'],
      token: ['POST api.instagram.com/oauth/access_token'],
      separator: null,
      pkce: 'none',
      codeSeconds: 3600,
      accessSeconds: 3600,
      refresh: null,
      suffix: '#_',
      more: (token) => ({ user_id: Number(token.account), permissions: token.scopes }),
      wrong: (_error, description) => ({
        status: 400,
        json: { error_type: 'OAuthException', code: 400, error_message: description },
      }),
    }),
    ['GET graph.instagram.com/access_token', (call) => longer(lengthen(world, call, 'access_token', 60 * DAY).text)],
    [
      'GET graph.instagram.com/refresh_access_token',
      (call) => {
        const old = world.who(call)
        if (call.now - old.issuedAt < DAY * 1000) world.no('request', 'The token must be at least 24 hours old.')
        return longer(lengthen(world, call, 'access_token', 60 * DAY).text)
      },
    ],
  ]
}

const longer = (text: string): Reply => ({ json: { access_token: text, token_type: 'bearer', expires_in: 60 * DAY } })

type Both = (method: string, path: string, answer: Route[1]) => Route[]

function publishing(world: World, facebook: World, containers: Containers, both: Both): Route[] {
  return [
    ...both('POST', '{id}/media', async (call) => {
      const account = accountOf(world, facebook, call, call.path.id ?? '', ...publishRights)
      if (containers.madeToday(account, call.now) >= 400)
        return graphError(9, 2_207_042, 'Too many containers were made in 24 hours.')
      const made = await container(world, containers, call, account)
      return !('id' in made)
        ? made
        : {
            json: {
              id: made.id,
              ...(call.text('upload_type') === 'resumable' && {
                uri: `https://rupload.facebook.com/ig-api-upload/${call.path.v}/${made.id}`,
              }),
            },
          }
    }),
    ['POST rupload.facebook.com/ig-api-upload/{v}/{id}', (call) => upload(world, containers, call)],
    ...both('POST', '{id}/media_publish', (call) => {
      const account = accountOf(world, facebook, call, call.path.id ?? '', ...publishRights)
      const found = containers.find(call.text('creation_id'), account)
      const status = found ? containers.status(found, call.now, false) : 'EXPIRED'
      if (!found || status === 'EXPIRED' || status === 'PUBLISHED')
        return graphError(24, 2_207_006, 'The requested resource does not exist: Media ID is not available')
      if (status === 'IN_PROGRESS')
        return graphError(
          9007,
          2_207_027,
          'Media ID is not available: The media is not ready for publishing, please wait for a moment',
        )
      if (status === 'ERROR') return graphError(-1, 2_207_032, 'Create media fail, please try to re-create media')
      if (used(world, account, call.now) >= world.limit)
        return graphError(
          9,
          2_207_042,
          'You reached maximum number of posts that is allowed to be published by Content Publishing API.',
        )
      if (found.isChild) world.no('request', 'An item of a carousel is not published by itself.')
      const id = world.nextId()
      const code = BigInt(id).toString(36)
      world.publish(
        {
          id,
          account,
          kind: found.kind,
          text: found.text,
          media: found.children.length > 0 ? found.children : [found.id],
          permalink: `https://www.instagram.com/${found.kind === 'REELS' ? 'reel' : found.kind === 'STORIES' ? `stories/${world.account(account)?.handle}` : 'p'}/${code}/`,
          more: found.more,
        },
        call.now,
      )
      found.published = id
      return { json: { id } }
    }),
    ...both('POST', '{id}/comments', (call) => {
      const post = world.post(call.path.id ?? '')
      accountOf(world, facebook, call, post.account, ...commentRights)
      if (post.kind === 'STORIES') world.no('request', 'A story takes no comments.')
      return {
        json: {
          id: world.publish(
            { account: post.account, kind: 'comment', text: call.text('message'), parent: post.id },
            call.now,
          ).id,
        },
      }
    }),
    // only with Facebook's sign-in
    [
      'DELETE graph.facebook.com/{v}/{id}',
      (call) => (
        accountOf(world, facebook, call, world.post(call.path.id ?? '').account, ...publishRights),
        (world.post(call.path.id ?? '').deleted = true),
        { json: { success: true } }
      ),
    ],
  ]
}

const used = (world: World, account: string, now: number): number =>
  world.live(
    (post) =>
      post.account === account &&
      !['comment', 'message', 'tagged'].includes(post.kind) &&
      now - post.createdAt < DAY * 1000,
  ).length

async function container(
  world: World,
  containers: Containers,
  call: Call,
  account: string,
): Promise<Container | Reply> {
  const isChild = isTrue(call.text('is_carousel_item'))
  const type = call.text('media_type') || (call.text('image_url') ? 'IMAGE' : '')
  const text = call.text('caption')
  const more = { alt: call.text('alt_text'), place: call.text('location_id'), tags: call.text('user_tags') }
  if (text.length > 2200 || (text.match(/#\w/g) ?? []).length > 30)
    return graphError(-1, 2_207_010, 'The caption was too long.')
  if (type === 'CAROUSEL') {
    const children = call
      .text('children')
      .split(',')
      .concat(Array.isArray(call.fields.children) ? call.fields.children.map(String) : [])
      .filter(Boolean)
    if (children.length < 2 || children.length > 10) return graphError(-1, 2_207_028, 'A carousel takes 2 to 10 items.')
    if (children.some((id) => containers.find(id, account)?.isChild !== true))
      world.no('request', 'children must be containers made with is_carousel_item.')
    return containers.make(call, { account, kind: 'CAROUSEL_ALBUM', text, children, isChild: false, more }, null)
  }
  const image = call.text('image_url')
  const url = image || call.text('video_url')
  if (call.text('upload_type') === 'resumable')
    return containers.make(call, { account, kind: type, text, isChild, more: { ...more, awaits: true } }, null)
  if (!url) world.no('request', 'The parameter image_url or video_url is required.')
  if (!image && type !== 'REELS' && type !== 'STORIES' && !(isChild && type === 'VIDEO'))
    world.no('request', 'media_type VIDEO is gone: use REELS.')
  const made = await containers.make(
    call,
    { account, kind: type === 'IMAGE' ? 'IMAGE' : type, text, url, isChild, more },
    image ? picture : film,
  )
  // pictures are checked right away, videos while the container is processed
  if (!image || made.failure === null) return made
  if (/larger/.test(made.failure)) return graphError(36_000, 2_207_004, 'The image size is too large.')
  return /not image/.test(made.failure)
    ? graphError(36_001, 2_207_005, 'The image format is not supported.')
    : graphError(9004, 2_207_052, `The media could not be fetched from this URI: it ${made.failure}`)
}

function upload(world: World, containers: Containers, call: Call): Reply {
  world.who(call, ...publishRights)
  const found = containers.find(call.path.id ?? '') ?? world.no('missing', 'The container does not exist.')
  if (call.headers.offset !== '0' || Number(call.headers.file_size) !== call.body.bytes)
    return {
      status: 400,
      json: { debug_info: { retriable: false, type: 'ProcessingFailedError', message: 'The file is not whole' } },
    }
  found.more = { file: { bytes: call.body.bytes } }
  return { json: { success: true, message: 'Upload successful.' } }
}

function reading(world: World, facebook: World, containers: Containers, both: Both): Route[] {
  return [
    ...both('GET', '{id}/content_publishing_limit', (call) => {
      const account = accountOf(world, facebook, call, call.path.id ?? '', ...publishRights)
      return {
        json: {
          data: [
            { quota_usage: used(world, account, call.now), config: { quota_total: world.limit, quota_duration: DAY } },
          ],
        },
      }
    }),
    ...both('GET', '{id}/media', (call) => {
      const account = accountOf(world, facebook, call, call.path.id ?? '', ...readRights)
      const posts = world.live(
        (post) => post.account === account && !['comment', 'STORIES', 'message', 'tagged'].includes(post.kind),
      )
      return listed(call, within(call, posts), (post) => ({
        ...mediaNode(world, post, call.now),
        comments: commentEdge(world, post),
      }))
    }),
    ...both('GET', '{id}/stories', (call) => {
      const account = accountOf(world, facebook, call, call.path.id ?? '', ...readRights)
      const stories = world.live(
        (post) => post.account === account && post.kind === 'STORIES' && call.now - post.createdAt < DAY * 1000,
      )
      return edgePage(call, stories, 100, (post) => fieldsOf(call, mediaNode(world, post, call.now)))
    }),
    ...both('GET', '{id}/insights', (call) => {
      const account = world.account(call.path.id ?? '')
      if (account) {
        accountOf(world, facebook, call, account.id, ...insightRights)
        if (call.text('metric') === 'follower_demographics') return demographics(call)
        if (Number(call.text('until')) - Number(call.text('since')) > MOST_SECONDS)
          return graphError(
            100,
            undefined,
            `(#100) There cannot be more than 30 days (${MOST_SECONDS} s) between since and until`,
          )
        return accountInsights(call, account.id, accountMetrics, 'total')
      }
      const post = world.post(call.path.id ?? '')
      accountOf(world, facebook, call, post.account, ...insightRights)
      return insights(call, post, mediaMetrics)
    }),
    ...both('GET', '{id}', (call) => {
      const token = world.who(call)
      const id = call.path.id === 'me' ? token.account : (call.path.id ?? '')
      const account = world.account(id)
      if (account) {
        accountOf(world, facebook, call, id)
        // another professional account, by its exact name (business discovery)
        const [, name] = /^business_discovery\.username\(([^)]+)\)/.exec(call.text('fields')) ?? []
        if (name !== undefined) {
          // Meta's own login has no such field
          if (call.url.host !== 'graph.facebook.com') world.no('request', 'Tried accessing nonexisting field')
          return { json: { id, business_discovery: discovered(world, call, name) } }
        }
        return {
          json: fieldsOf(call, {
            id,
            user_id: id,
            username: account.handle,
            name: account.name,
            account_type: 'BUSINESS',
            profile_picture_url: account.picture,
            followers_count: followersAt(id, call.now),
            media_count: used(world, id, call.now),
          }),
        }
      }
      const made = containers.find(id)
      if (made) {
        const code = containers.status(made, call.now)
        return {
          json: fieldsOf(call, {
            id,
            status_code: code,
            status: code === 'ERROR' ? `Error: ${made.failure ?? 'an item failed'}` : code,
          }),
        }
      }
      return { json: fieldsOf(call, mediaNode(world, world.post(id), call.now)) }
    }),
  ]
}

function discovered(world: World, call: Call, name: string): Record<string, unknown> {
  const { now } = call
  const account =
    world.accounts.find(({ handle }) => handle === name) ??
    world.no('missing', 'The user with this username cannot be found.')
  const posts = world.live(
    (post) => post.account === account.id && !['comment', 'STORIES', 'message', 'tagged'].includes(post.kind),
  )
  const [, limit] = /media\.limit\((\d+)\)/.exec(call.text('fields')) ?? []
  return {
    id: account.id,
    username: account.handle,
    name: account.name,
    profile_picture_url: account.picture,
    ...(/followers_count/.test(call.text('fields')) && {
      followers_count: followersAt(account.id, now),
      media_count: posts.length,
    }),
    ...(limit !== undefined && {
      media: {
        data: posts.slice(0, Number(limit)).map((post) => mediaNode(world, post, now)),
        paging: { cursors: { after: 'simulated' } },
      },
    }),
  }
}

function mediaNode(world: World, post: SimulatedPost, now: number): Record<string, unknown> {
  const film = post.kind === 'REELS' || post.kind === 'VIDEO'
  return {
    id: post.id,
    caption: post.text,
    media_type: post.kind === 'CAROUSEL_ALBUM' ? post.kind : film ? 'VIDEO' : 'IMAGE',
    media_product_type: post.kind === 'REELS' ? 'REELS' : post.kind === 'STORIES' ? 'STORY' : 'FEED',
    permalink: post.permalink,
    media_url: film
      ? `https://instagram.simulated/videos/${post.id}.mp4`
      : `https://instagram.simulated/pictures/${post.id}.png`,
    ...(film && { thumbnail_url: `https://instagram.simulated/pictures/${post.id}.png` }),
    timestamp: graphTime(post.createdAt),
    username: world.account(post.account)?.handle,
    shortcode: BigInt(post.id).toString(36),
    like_count: grown(post, 'likes', now, 5),
    comments_count: world.live(({ parent }) => parent === post.id).length,
  }
}
