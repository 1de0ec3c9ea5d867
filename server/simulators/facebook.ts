import { facebookAdRoutes, promotable } from './facebookAds.ts'
import { commentNode, commentsOf, facebookInboxRoutes, listed, withComments } from './facebookInbox.ts'
import { facebookPlaceRoutes } from './facebookPlaces.ts'
import { facebookVideoRoutes } from './facebookVideos.ts'
import { nodeOf, pageOfCall, put } from './facebookPage.ts'
import { accountInsights } from './accountSeries.ts'
import { fieldsOf, graphError, graphRefusal, graphTime, insights, edgePage } from './graphParts.ts'
import { lengthen, oauthRoutes } from './oauth.ts'
import { pull, type Surroundings } from './pull.ts'
import {
  grown,
  pageOf,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedAccount,
  type SimulatedPost,
  type Token,
} from './world.ts'

/**
 * Facebook: people sign in, their Pages publish. Accounts are people; they own Pages; a Page owns an Instagram account.
 */
const graph = 'graph.facebook.com/{v}'
const pictures = {
  types: ['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/bmp', 'image/tiff'],
  bytes: 10_000_000,
}
const DAY = 24 * 3600
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

export function facebookSimulator(around: Surroundings): PlatformSimulator {
  const world = new World('facebook', people(), graphRefusal)
  return {
    world,
    hosts: ['www.facebook.com', 'graph.facebook.com', 'graph-video.facebook.com', 'rupload.facebook.com'],
    routes: [
      ...signIn(world),
      ...facebookPlaceRoutes(world),
      ...facebookAdRoutes(world),
      ...facebookInboxRoutes(world),
      ...publishing(world, around),
      ...facebookVideoRoutes(world, around),
      ...reading(world),
    ],
  }
}

/** People, their Pages, and the Instagram accounts that are linked to Pages. */
function people(): SimulatedAccount[] {
  const [nora, bakery, books, studio, otis] = peopleOf('facebook', 5)
  if (!nora || !bakery || !books || !studio || !otis) return []
  // Pages that are linked to an Instagram account of the same name
  const [, bread, shelf] = peopleOf('instagram', 3)
  return [
    {
      ...nora,
      owns: [
        { ...bakery, owns: bread ? [bread] : [] },
        { ...books, owns: shelf ? [shelf] : [] },
      ],
    },
    { ...otis, owns: [studio] },
  ]
}

function signIn(world: World): Route[] {
  const exchange = (call: Call): Reply | undefined => {
    if (call.text('grant_type') !== 'fb_exchange_token') return undefined
    return {
      json: {
        access_token: lengthen(world, call, 'fb_exchange_token', 60 * DAY).text,
        token_type: 'bearer',
        expires_in: 60 * DAY,
      },
    }
  }
  const tokenRoutes = ['GET', 'POST'].flatMap((method) => [
    `${method} ${graph}/oauth/access_token`,
    `${method} graph.facebook.com/oauth/access_token`,
  ])
  return [
    ...tokenRoutes.map((route): Route => [route, exchange]),
    ...oauthRoutes(world, {
      label: 'Facebook',
      page: ['www.facebook.com/{v}/dialog/oauth', 'www.facebook.com/dialog/oauth'],
      token: tokenRoutes,
      separator: null,
      pkce: 'optional',
      codeSeconds: 600,
      accessSeconds: 5400,
      refresh: null,
      wrong: (_error, description) => graphError(100, 36_009, description),
    }),
    [`GET ${graph}/me/permissions`, (call) => ({ json: { data: permissions(world.who(call)) } })],
    [`GET ${graph}/{id}/permissions`, (call) => ({ json: { data: permissions(world.who(call)) } })],
    [
      `DELETE ${graph}/{id}/permissions`,
      (call) => {
        const { account } = world.who(call)
        const pages = world.account(account)?.owns.map(({ id }) => id) ?? []
        for (const token of world.tokens.values())
          if (token.account === account || pages.includes(token.account)) token.revoked = true
        return { json: { success: true } }
      },
    ],
    [
      `GET ${graph}/debug_token`,
      (call) => {
        const token = world.tokens.get(call.text('input_token'))
        const good = token !== undefined && !token.revoked && (token.expiresAt === null || token.expiresAt > call.now)
        return {
          json: {
            data: {
              app_id: token?.clientId ?? '',
              type: token?.kind === 'page' ? 'PAGE' : 'USER',
              is_valid: good,
              expires_at: token?.expiresAt ? Math.floor(token.expiresAt / 1000) : 0,
              data_access_expires_at: Math.floor(call.now / 1000) + 90 * DAY,
              scopes: token?.scopes ?? [],
              ...(token && { user_id: token.account, ...(token.kind === 'page' && { profile_id: token.account }) }),
            },
          },
        }
      },
    ],
    [
      `GET ${graph}/{id}/accounts`,
      (call) => {
        const token = world.who(call, 'pages_show_list')
        const user = world.account(token.account)
        const { items, next } = pageOf(user?.owns ?? [], Number(call.text('limit')) || 25, call.text('after'))
        const data = items.map((page) => fieldsOf(call, pageNode(page, pageToken(world, token, page.id, call.now))))
        return {
          json: {
            data,
            paging: {
              ...(next && {
                cursors: { after: next },
                next: `https://${call.url.host}${call.url.pathname}?after=${next}`,
              }),
            },
          },
        }
      },
    ],
  ]
}

function permissions({ asked, scopes }: Token): { permission: string; status: string }[] {
  return [...new Set([...asked, 'public_profile'])].map((permission) => ({
    permission,
    status: permission === 'public_profile' || scopes.includes(permission) ? 'granted' : 'declined',
  }))
}

/** A Page token derived from a person's long-lived token doesn't expire. */
function pageToken(world: World, of: Token, page: string, now: number): string {
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
const pageNode = (page: SimulatedAccount, token?: string): Record<string, unknown> => ({
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

function publishing(world: World, around: Surroundings): Route[] {
  return [
    [
      `POST ${graph}/{id}/feed`,
      (call) => {
        const { page } = pageOfCall(world, call, 'pages_manage_posts')
        const media = attached(world, call, page)
        const text = call.text('message')
        if (!text && !call.text('link') && media.length === 0)
          world.no('request', 'One of message, link or attached_media is required.')
        const [last] = world.live(({ account, parent }) => account === page && parent === null)
        if (
          last &&
          text !== '' &&
          last.text === world.keeps(text) &&
          last.more.link === call.text('link') &&
          media.length === 0 &&
          last.media.length === 0
        )
          world.no('duplicate', 'Duplicate status message')
        for (const id of media) world.post(id).more.used = true
        return {
          json: {
            id: put(world, page, 'post', text, call.now, {
              media,
              more: { link: call.text('link'), place: call.text('place') },
            }).id,
          },
        }
      },
    ],
    [
      `POST ${graph}/{id}/photos`,
      async (call) => {
        const { page } = pageOfCall(world, call, 'pages_manage_posts')
        const file =
          call.body.files.source ?? (call.text('url') ? await pull(around.pull, call.text('url'), pictures) : undefined)
        if (file === undefined) world.no('media', 'Missing or invalid image file')
        if (typeof file === 'string') world.no('media', `The picture ${file}`)
        if (!pictures.types.includes(file.contentType) || file.bytes > pictures.bytes)
          world.no(
            'media',
            "Your photos couldn't be uploaded. Photos should be smaller than 10 MB and saved as JPG, PNG, GIF, TIFF, HEIF or WebP files.",
          )
        const published = call.text('published') !== 'false'
        const text = call.text('caption') || call.text('message')
        const photo = world.publish(
          {
            account: page,
            kind: 'photo',
            text: published ? text : '',
            more: { ...file, hidden: true, alt: call.text('alt_text_custom') },
          },
          call.now,
        )
        return {
          json: {
            id: photo.id,
            ...(published && { post_id: put(world, page, 'post', text, call.now, { media: [photo.id] }).id }),
          },
        }
      },
    ],
    [
      `POST ${graph}/{id}/photo_stories`,
      (call) => {
        const { page } = pageOfCall(world, call, 'pages_manage_posts')
        const photo = world.post(call.text('photo_id'))
        if (photo.kind !== 'photo' || photo.more.used) world.no('request', 'photo_id must be an unpublished photo.')
        photo.more.used = true
        return {
          json: {
            success: true,
            post_id: put(world, page, 'story', '', call.now, { media: [photo.id] }).id.replace(/^\d+_/, ''),
          },
        }
      },
    ],
    [
      `POST ${graph}/{id}/comments`,
      (call) => {
        const token = world.who(call, 'pages_manage_engagement')
        const post = nodeOf(world, call.path.id ?? '')
        if (!call.text('message') && !call.text('attachment_url')) world.no('request', 'A comment needs a message.')
        return {
          json: {
            id: world.publish(
              {
                id: `${post.id.replace(/^\d+_/, '')}_${world.nextId()}`,
                account: token.account,
                kind: 'comment',
                text: call.text('message'),
                parent: post.id,
              },
              call.now,
            ).id,
          },
        }
      },
    ],
    [
      `POST ${graph}/{id}`,
      (call) => {
        const post = nodeOf(world, call.path.id ?? '')
        pageOfCall(world, { ...call, path: { id: post.account } }, 'pages_manage_posts', 'pages_manage_engagement')
        post.text = call.text('message') || call.text('description') || post.text
        return { json: { success: true } }
      },
    ],
    [
      `DELETE ${graph}/{id}`,
      (call) => {
        const post = nodeOf(world, call.path.id ?? '')
        pageOfCall(world, { ...call, path: { id: post.account } }, 'pages_manage_posts', 'pages_manage_engagement')
        post.deleted = true
        return { json: { success: true } }
      },
    ],
  ]
}

/** `attached_media[0]={"media_fbid":"…"}` and so on, or one list: photos that are unpublished and not used yet. */
function attached(world: World, call: Call, page: string): string[] {
  // one list, as JSON in a form; each item names its photo
  const listed: unknown = call.fields.attached_media
  const many: unknown[] = Array.isArray(listed)
    ? listed
    : typeof listed === 'string'
      ? (listed.match(/\{[^}]*\}/g) ?? [])
      : []
  const single = Object.entries(call.fields)
    .filter(([name]) => /^attached_media\[\d+\]$/.test(name))
    .map(([, value]) => value)
  return [...many, ...single].map((item) => {
    const text = typeof item === 'string' ? item : JSON.stringify(item)
    const photo = world.post(/"media_fbid" *: *"?(\d+)/.exec(text)?.[1] ?? '')
    if (photo.kind !== 'photo' || photo.account !== page || photo.more.used)
      world.no('request', 'Invalid parameter: attached_media')
    return photo.id
  })
}

function reading(world: World): Route[] {
  const list = (call: Call): Reply => {
    const { token } = pageOfCall(world, call, 'pages_read_engagement')
    const posts = world.live(
      ({ account, kind }) => account === call.path.id && ['post', 'video', 'reel'].includes(kind),
    )
    return listed(call, posts, (post) => withComments(world, token, post, postNode(post, call.now)))
  }
  return [
    ...['feed', 'posts', 'published_posts'].map((edge): Route => [`GET ${graph}/{id}/${edge}`, list]),
    [
      `GET ${graph}/{id}/stories`,
      (call) => (
        pageOfCall(world, call, 'pages_read_engagement'),
        edgePage(
          call,
          world.live(({ account, kind }) => account === call.path.id && kind === 'story'),
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
        const account = world.account(id)
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
        const post = world.posts.get(id) ?? world.live((known) => known.id.endsWith(`_${id}`))[0] ?? world.post(id)
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
    ...(kind === 'reel' && { attachments: { data: [{ media_type: 'video', target: { id: post.media[0] } }] } }),
    shares: { count: grown(post, 'shares', now, 1) },
    likes: count('likes', 4),
    reactions: count('reactions', 5),
    comments: count('comments', 1),
    ...(post.more.status === undefined ? {} : { status: post.more.status, published: true, post_id: post.more.postId }),
  }
}
