import { facebookAdRoutes } from './facebookAds.ts'
import { facebookInboxRoutes } from './facebookInbox.ts'
import { facebookPlaceRoutes } from './facebookPlaces.ts'
import { facebookReadingRoutes, pageNode, pageToken } from './facebookReading.ts'
import { facebookVideoRoutes } from './facebookVideos.ts'
import { nodeOf, pageOfCall, put } from './facebookPage.ts'
import { fieldsOf, graphError, graphRefusal } from './graphParts.ts'
import { lengthen, oauthRoutes } from './oauth.ts'
import { pull, type Surroundings } from './pull.ts'
import {
  pageOf,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedAccount,
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
export function facebookSimulator(around: Surroundings): PlatformSimulator {
  const world = new World('facebook', people(), graphRefusal)
  // a reel or a video has an ID of its own beside that of the post that shows it
  world.native = ({ account, number, postType }) =>
    postType === 'reel'
      ? {
          id: `${account}_${number}`,
          kind: 'reel',
          media: [`${number}1`],
          permalink: `https://www.facebook.com/reel/${number}1/`,
          more: { video: true, offFeed: true },
        }
      : postType === 'story'
        ? {
            id: `${account}_${number}`,
            kind: 'story',
            text: '',
            permalink: `https://www.facebook.com/stories/${account}/${number}`,
          }
        : postType === 'video'
          ? {
              id: number,
              kind: 'video',
              permalink: `https://www.facebook.com/${account}/videos/${number}`,
              more: { status: {} },
            }
          : {
              id: `${account}_${number}`,
              kind: 'post',
              permalink: `https://www.facebook.com/${account}/posts/${number}`,
              more: { link: '', place: '' },
            }
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
      ...facebookReadingRoutes(world),
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
