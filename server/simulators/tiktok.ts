import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { oauthRoutes } from './oauth.ts'
import { pull, type Surroundings } from './pull.ts'
import {
  grown,
  sizeOf,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
  type Why,
} from './world.ts'

/**
 * TikTok: creator info before every post, chunks or URLs, then a publish ID to poll. With the switch `unaudited` it
 * only accepts SELF_ONLY.
 */
const api = 'open.tiktokapis.com/v2'
const MB = 1024 * 1024
const types = ['video/mp4', 'video/quicktime', 'video/webm']
const kinds: Record<Why, [status: number, code: string]> = {
  token: [401, 'access_token_invalid'],
  expired: [401, 'access_token_invalid'],
  scope: [401, 'scope_not_authorized'],
  request: [400, 'invalid_params'],
  missing: [400, 'invalid_publish_id'],
  limit: [403, 'spam_risk_too_many_posts'],
  duplicate: [403, 'spam_risk'],
  media: [400, 'invalid_params'],
}

function refusal(why: Why, message: string): Reply {
  const [status, code] = kinds[why]
  return failed(status, code, message)
}

const failed = (status: number, code: string, message: string): Reply => ({
  status,
  json: { data: {}, error: { code, message, log_id: 'simulated' } },
})
const ok = (data: Record<string, unknown>): Reply => ({
  json: { data, error: { code: 'ok', message: '', log_id: 'simulated' } },
})

type Publishing = {
  account: string
  kind: 'video' | 'photo'
  text: string
  title: string
  privacy: string
  /** The post's metadata. */ info: Record<string, unknown>
  size: number
  chunk: number
  chunks: number
  received: number
  token: string
  madeAt: number
  looks: number
  failure: string
  post: string | null
  media: string[]
}

export function tiktokSimulator(around: Surroundings): PlatformSimulator {
  const world = new World('tiktok', peopleOf('tiktok', 3), refusal)
  world.limit = 15
  world.native = ({ number, account, text }) => ({
    id: number,
    kind: 'video',
    permalink: `https://www.tiktok.com/@${world.account(account)?.handle}/video/${number}`,
    more: { title: text, privacy: 'PUBLIC_TO_EVERYONE', info: {} },
  })
  return {
    world,
    hosts: ['www.tiktok.com', 'open.tiktokapis.com', 'open-upload.tiktokapis.com'],
    routes: [
      ...oauthRoutes(world, {
        label: 'TikTok',
        page: ['www.tiktok.com/v2/auth/authorize/'],
        token: [`POST ${api}/oauth/token/`],
        revoke: `POST ${api}/oauth/revoke/`,
        clientField: 'client_key',
        separator: ',',
        pkce: 'optional',
        codeSeconds: 300,
        accessSeconds: 86_400,
        refresh: { seconds: 31_536_000, rotates: true },
        more: (token) => ({ open_id: token.account }),
        wrong: (error, description) => ({
          status: 400,
          json: { error, error_description: description, log_id: 'simulated' },
        }),
      }),
      [
        `GET ${api}/user/info/`,
        (call) => {
          const { account, scopes } = world.who(call, 'user.info.basic')
          const person = world.account(account)
          const whole: Record<string, unknown> = {
            open_id: account,
            union_id: account,
            display_name: person?.name,
            avatar_url: person?.picture,
            avatar_url_100: person?.picture,
            ...(scopes.includes('user.info.profile') && {
              username: person?.handle,
              profile_deep_link: `https://www.tiktok.com/@${person?.handle}`,
            }),
            ...(scopes.includes('user.info.stats') && {
              follower_count: 120,
              following_count: 12,
              likes_count: 900,
              video_count: world.live((post) => post.account === account).length,
            }),
          }
          const asked = call.text('fields').split(',')
          return ok({ user: Object.fromEntries(Object.entries(whole).filter(([name]) => asked.includes(name))) })
        },
      ],
      ...publishing(world, around),
      ...videos(world),
    ],
  }
}

const options = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY']
const Init = z.object({
  post_info: z.object({
    title: z.string().default(''),
    description: z.string().default(''),
    privacy_level: z.string().default(''),
    brand_content_toggle: z.boolean().optional(),
    brand_organic_toggle: z.boolean().optional(),
  }),
  source_info: z.object({
    source: z.string(),
    video_url: z.string().optional(),
    video_size: z.number().default(0),
    chunk_size: z.number().default(0),
    total_chunk_count: z.number().default(0),
    photo_images: z.array(z.string()).default([]),
    photo_cover_index: z.number().default(0),
  }),
})

function publishing(world: World, around: Surroundings): Route[] {
  const all = new Map<string, Publishing>()
  /** Accounts that read creator info since their last post. */
  const informed = new Set<string>()
  const start = (
    call: Call,
    account: string,
    of: Partial<Publishing> & Pick<Publishing, 'kind'>,
    post: z.infer<typeof Init>['post_info'],
    text: string,
    title: string,
  ): string | Reply => {
    const { privacy_level: privacy } = post
    if (!informed.has(account)) world.no('request', 'Ask for creator_info first.')
    if (!options.includes(privacy))
      return failed(403, 'privacy_level_option_mismatch', "privacy_level is none of the creator's options.")
    if (post.brand_content_toggle && privacy === 'SELF_ONLY')
      return failed(400, 'invalid_params', 'Branded content visibility cannot be set to private.')
    if (world.switches.has('unaudited') && privacy !== 'SELF_ONLY')
      return failed(
        403,
        'unaudited_client_can_only_post_to_private_accounts',
        'Please review our integration guidelines.',
      )
    if (world.live((post) => post.account === account && call.now - post.createdAt < 86_400_000).length >= world.limit)
      world.no('limit', 'The daily post cap from the API is reached.')
    informed.delete(account)
    const id = `${of.kind === 'video' ? 'v_pub' : 'p_pub'}_${'token' in of ? 'file' : 'url'}~v2.${world.nextId()}`
    all.set(id, {
      account,
      text,
      title,
      privacy,
      info: post,
      size: 0,
      chunk: 0,
      chunks: 0,
      received: 0,
      token: '',
      madeAt: call.now,
      looks: 0,
      failure: '',
      post: null,
      media: [],
      ...of,
    })
    return id
  }
  return [
    [
      `POST ${api}/post/publish/creator_info/query/`,
      (call) => {
        const { account } = world.who(call, 'video.publish')
        informed.add(account)
        const person = world.account(account)
        return ok({
          creator_avatar_url: person?.picture,
          creator_username: person?.handle,
          creator_nickname: person?.name,
          privacy_level_options: options,
          comment_disabled: false,
          duet_disabled: false,
          stitch_disabled: true,
          max_video_post_duration_sec: 300,
        })
      },
    ],
    [
      `POST ${api}/post/publish/video/init/`,
      async (call) => {
        const { account } = world.who(call, 'video.publish')
        const { post_info: post, source_info: source } = Init.parse(call.body.value)
        if (source.source === 'PULL_FROM_URL') {
          const file = await pull(around.pull, source.video_url ?? '', { types, bytes: 4_000_000_000 })
          const id = start(
            call,
            account,
            {
              kind: 'video',
              failure:
                typeof file === 'string'
                  ? /not video/.test(file)
                    ? 'file_format_check_failed'
                    : 'video_pull_failed'
                  : '',
              size: 1,
              received: 1,
            },
            post,
            post.title,
            '',
          )
          return typeof id === 'string' ? ok({ publish_id: id }) : id
        }
        const { video_size: size, chunk_size: chunk, total_chunk_count: chunks } = source
        const fits =
          size < 5 * MB
            ? chunk === size && chunks === 1
            : chunk >= 5 * MB && chunk <= 64 * MB && chunks === Math.max(1, Math.floor(size / chunk)) && chunk <= size
        if (!fits) world.no('request', 'The chunk size is invalid.')
        const token = randomBytes(8).toString('hex')
        const id = start(call, account, { kind: 'video', size, chunk, chunks, token }, post, post.title, '')
        return typeof id === 'string'
          ? ok({
              publish_id: id,
              upload_url: `https://open-upload.tiktokapis.com/video/?upload_id=${id.split('.').at(-1)}&upload_token=${token}`,
            })
          : id
      },
    ],
    [
      'PUT open-upload.tiktokapis.com/video/',
      (call) => {
        const found = [...all].find(
          ([id, { token }]) => id.endsWith(`.${call.text('upload_id')}`) && token === call.text('upload_token'),
        )?.[1]
        if (!found || call.now - found.madeAt > 3_600_000) return { status: 403 }
        const [, from, to, of] =
          /^bytes (\d+)-(\d+)\/(\d+)$/.exec(call.headers['content-range'] ?? '')?.map(Number) ?? []
        if (from !== found.received || of !== found.size || to === undefined || to - from + 1 !== call.body.bytes)
          return { status: 416 }
        const last = to + 1 === found.size
        if (!last && call.body.bytes !== found.chunk) return { status: 416 }
        found.received += call.body.bytes
        return { status: last ? 201 : 206, headers: { 'content-range': `bytes 0-${to}/${of}` } }
      },
    ],
    [
      `POST ${api}/post/publish/content/init/`,
      async (call) => {
        const { account } = world.who(call, 'video.publish')
        const { post_info: post, source_info: source } = Init.parse(call.body.value)
        if (source.photo_cover_index >= source.photo_images.length)
          world.no('request', 'photo_cover_index is out of range.')
        const pulled = await Promise.all(
          source.photo_images.map((url) =>
            pull(around.pull, url, { types: ['image/jpeg', 'image/webp'], bytes: 20_000_000 }),
          ),
        )
        const wrong = pulled.find((file) => typeof file === 'string')
        const id = start(
          call,
          account,
          {
            kind: 'photo',
            failure:
              wrong === undefined ? '' : /not image/.test(wrong) ? 'file_format_check_failed' : 'photo_pull_failed',
            size: 1,
            received: 1,
            media: source.photo_images,
          },
          post,
          post.description,
          post.title,
        )
        return typeof id === 'string' ? ok({ publish_id: id }) : id
      },
    ],
    [
      `POST ${api}/post/publish/status/fetch/`,
      (call) => {
        const { account } = world.who(call, 'video.publish')
        const found = all.get(call.text('publish_id'))
        if (found?.account !== account) return refusal('missing', 'The publish_id does not exist.')
        return ok(status(world, found, call))
      },
    ],
  ]
}

function status(world: World, found: Publishing, call: Call): Record<string, unknown> {
  const bytes = found.token ? { uploaded_bytes: found.received } : { downloaded_bytes: found.received }
  if (found.failure) return { status: 'FAILED', fail_reason: found.failure, ...bytes }
  if (found.received < found.size) return { status: 'PROCESSING_UPLOAD', fail_reason: '', ...bytes }
  if (found.looks++ < world.looks)
    return { status: found.token ? 'PROCESSING_UPLOAD' : 'PROCESSING_DOWNLOAD', fail_reason: '', ...bytes }
  if (found.post === null) {
    const id = world.nextId()
    found.post = id
    world.publish(
      {
        id,
        account: found.account,
        kind: found.kind,
        text: found.text,
        media: found.media,
        permalink: `https://www.tiktok.com/@${world.account(found.account)?.handle}/${found.kind}/${id}`,
        more: { title: found.title, privacy: found.privacy, info: found.info },
      },
      call.now,
    )
  }
  // only public posts get an ID, and only after moderation: one check later
  const shown = found.privacy === 'PUBLIC_TO_EVERYONE' && found.looks > world.looks + 1
  return {
    status: 'PUBLISH_COMPLETE',
    fail_reason: '',
    ...bytes,
    ...(shown && { publicaly_available_post_id: [Number(found.post)] }),
  }
}

const Query = z.object({ filters: z.object({ video_ids: z.array(z.string()) }) })

function videos(world: World): Route[] {
  const node = (post: SimulatedPost, call: Call): Record<string, unknown> => {
    const whole: Record<string, unknown> = {
      id: post.id,
      create_time: Math.floor(post.createdAt / 1000),
      share_url: post.permalink,
      embed_link: post.permalink,
      cover_image_url: `https://tiktok.simulated/pictures/${post.id}.png`,
      video_description: post.text,
      title: post.more.title || post.text,
      duration: 30,
      view_count: grown(post, 'views', call.now, 40),
      like_count: grown(post, 'likes', call.now, 5),
      comment_count: grown(post, 'comments', call.now),
      share_count: grown(post, 'shares', call.now),
    }
    const asked = call.text('fields').split(',')
    return Object.fromEntries(Object.entries(whole).filter(([name]) => asked.includes(name)))
  }
  // only public posts are listed
  const own = (account: string): SimulatedPost[] =>
    world.live((post) => post.account === account && post.more.privacy === 'PUBLIC_TO_EVERYONE')
  return [
    [
      `POST ${api}/video/list/`,
      (call) => {
        const { account } = world.who(call, 'video.list')
        // tiktok-api-v2-video-list: those from before the cursor, a time in milliseconds
        const before = Number(call.text('cursor')) || Infinity
        const older = own(account).filter(({ createdAt }) => createdAt < before)
        const items = older.slice(0, sizeOf(call, 'max_count', { usual: 10, most: 20 }))
        return ok({
          videos: items.map((post) => node(post, call)),
          cursor: items.at(-1)?.createdAt ?? 0,
          has_more: items.length < older.length,
        })
      },
    ],
    [
      `POST ${api}/video/query/`,
      (call) => {
        const { account } = world.who(call, 'video.list')
        const { video_ids: ids } = Query.parse(call.body.value).filters
        return ok({
          videos: own(account)
            .filter(({ id }) => ids.includes(id))
            .map((post) => node(post, call)),
        })
      },
    ],
  ]
}
