import { createHash } from 'node:crypto'
import { countText } from '#contract/platforms/countText.ts'
import { addressesIn, addressPlaces } from '#contract/platforms/webAddresses.ts'
import { z } from 'zod'
import { mentions } from './xMentions.ts'
import { messages } from './xMessages.ts'
import { oauthRoutes, standardWrong } from './oauth.ts'
import {
  grown,
  pageOf,
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
 * X. Texts are returned as by the real one: NFC, URLs and bare names shortened to t.co, `&`, `<` and `>` escaped, and
 * replies with a mention of whom they answer. The switch `summoned`
 * refuses replies to posts that don't mention the account, as for self-serve apps.
 */
const api = 'api.x.com/2'
const limits: Record<string, { bytes: number; types: RegExp }> = {
  tweet_image: { bytes: 5_000_000, types: /^image\/(jpeg|pjpeg|png|webp|bmp|tiff)$/ },
  tweet_gif: { bytes: 15_000_000, types: /^image\/gif$/ },
  tweet_video: { bytes: 512_000_000, types: /^video\// },
}

const kinds: Record<Why, [status: number, title: string, type: string]> = {
  token: [401, 'Unauthorized', 'about:blank'],
  expired: [401, 'Unauthorized', 'about:blank'],
  scope: [403, 'Forbidden', 'https://api.x.com/2/problems/not-authorized-for-resource'],
  request: [400, 'Invalid Request', 'https://api.x.com/2/problems/invalid-request'],
  missing: [404, 'Not Found Error', 'https://api.x.com/2/problems/resource-not-found'],
  limit: [429, 'Too Many Requests', 'about:blank'],
  duplicate: [403, 'Forbidden', 'about:blank'],
  media: [400, 'Invalid Request', 'https://api.x.com/2/problems/invalid-request'],
}

function problem(why: Why, detail: string): Reply {
  const [status, title, type] = kinds[why]
  return { status, json: { title, type, status, detail }, headers: { 'content-type': 'application/problem+json' } }
}

export function xSimulator(): PlatformSimulator {
  const world = new World('x', peopleOf('x', 3), problem)
  // as it was written: stored() says how it's compared and shown
  world.keeps = (text) => text
  world.native = ({ number, account }) => ({
    id: number,
    kind: 'post',
    permalink: `https://x.com/${world.account(account)?.handle}/status/${number}`,
    more: { history: [number], altTexts: [] },
  })
  const media = new Map<string, Upload>()
  return {
    world,
    hosts: ['x.com', 'twitter.com', 'api.x.com'],
    routes: [
      ...oauthRoutes(world, {
        label: 'X',
        page: ['x.com/i/oauth2/authorize', 'twitter.com/i/oauth2/authorize'],
        token: [`POST ${api}/oauth2/token`],
        revoke: `POST ${api}/oauth2/revoke`,
        separator: ' ',
        pkce: 'required',
        codeSeconds: 30,
        accessSeconds: 7200,
        refresh: { seconds: null, rotates: true, when: (asked) => (asked.scope ?? '').includes('offline.access') },
        wrong: standardWrong,
      }),
      ...uploads(world, media),
      ...posts(world, media),
      ...mentions(world, (post, call) => node(world, post, call)),
      ...messages(world),
      [`GET ${api}/users/me`, (call) => ({ json: { data: person(world, world.who(call, 'users.read').account) } })],
      [
        `GET ${api}/users/{id}`,
        (call) => {
          world.who(call, 'users.read')
          const id = call.path.id ?? ''
          return { json: world.account(id) ? { data: person(world, id) } : { errors: [absent('id', id)] } }
        },
      ],
      [
        `GET ${api}/users/by/username/{name}`,
        (call) => {
          world.who(call, 'users.read')
          const found = world.accounts.find(({ handle }) => handle === call.path.name?.toLowerCase())
          return {
            json: found ? { data: person(world, found.id) } : { errors: [absent('username', call.path.name ?? '')] },
          }
        },
      ],
    ],
  }
}

const absent = (parameter: string, value: string) => ({
  type: 'https://api.x.com/2/problems/resource-not-found',
  title: 'Not Found Error',
  detail: `Could not find ${parameter} with value: [${value}].`,
  status: 404,
  parameter,
  value,
  resource_id: value,
  resource_type: parameter === 'username' ? 'user' : 'post',
})

function person(world: World, id: string): Record<string, unknown> {
  const account = world.account(id)
  return {
    id,
    name: account?.name,
    username: account?.handle,
    profile_image_url: account?.picture,
    protected: world.switches.has('protected'),
    public_metrics: {
      followers_count: 120,
      following_count: 8,
      tweet_count: world.live((post) => post.account === id).length,
      post_count: world.live((post) => post.account === id).length,
      listed_count: 1,
    },
    verified: world.switches.has('verified'),
    verified_type: world.switches.has('verified') ? 'blue' : 'none',
  }
}

type Upload = {
  account: string
  category: string
  type: string
  total: number
  segments: Map<number, number>
  finished: boolean
  looks: number
  used: boolean
  altText: string
}

const MetadataBody = z.object({ metadata: z.object({ alt_text: z.object({ text: z.string() }) }) })

function uploads(world: World, all: Map<string, Upload>): Route[] {
  const open = (call: Call, account: string, category: string, type: string, total: number): string => {
    const limit = limits[category] ?? world.no('request', `media_category ${category} is not played here.`)
    if (!limit.types.test(type)) world.no('media', `media_type ${type} does not go with ${category}.`)
    if (total > limit.bytes) world.no('media', `The file is larger than ${limit.bytes} bytes.`)
    const id = world.nextId()
    all.set(id, {
      account,
      category,
      type,
      total,
      segments: new Map(),
      finished: false,
      looks: 0,
      used: false,
      altText: '',
    })
    return id
  }
  const own = (call: Call, id: string): Upload => {
    const found = all.get(id)
    return found?.account === world.who(call, 'media.write').account
      ? found
      : world.no('missing', `Could not find media with id: [${id}].`)
  }
  const state = (id: string, upload: Upload, look: boolean) => {
    const waits = upload.category !== 'tweet_image'
    const done = !waits || upload.looks >= world.looks
    if (look) upload.looks += 1
    return {
      id,
      media_key: `7_${id}`,
      size: upload.total,
      expires_after_secs: 86_400,
      ...(waits && {
        processing_info: done
          ? { state: 'succeeded', progress_percent: 100 }
          : { state: upload.looks === 0 ? 'pending' : 'in_progress', check_after_secs: 1, progress_percent: 30 },
      }),
    }
  }
  return [
    [
      `POST ${api}/media/upload/initialize`,
      (call) => {
        const id = open(
          call,
          world.who(call, 'media.write').account,
          call.text('media_category'),
          call.text('media_type'),
          Number(call.text('total_bytes')),
        )
        return { json: { data: { id, media_key: `7_${id}`, expires_after_secs: 86_400 } } }
      },
    ],
    [
      `POST ${api}/media/upload/{id}/append`,
      (call) => {
        const upload = own(call, call.path.id ?? '')
        const bytes = call.body.files.media?.bytes ?? Buffer.from(call.text('media'), 'base64').length
        if (upload.finished || bytes === 0) world.no('request', 'The segment is empty, or the upload is finished.')
        upload.segments.set(Number(call.text('segment_index')), bytes)
        return { json: { data: { expires_at: Math.floor(call.now / 1000) + 86_400 } } }
      },
    ],
    [
      `POST ${api}/media/upload/{id}/finalize`,
      (call) => {
        const upload = own(call, call.path.id ?? '')
        const order = [...upload.segments.keys()].toSorted((a, b) => a - b)
        const whole =
          order.every((segment, i) => segment === i) &&
          [...upload.segments.values()].reduce((sum, bytes) => sum + bytes, 0) === upload.total
        if (!whole) world.no('media', 'Segments do not add up to provided total file size.')
        upload.finished = true
        return { json: { data: state(call.path.id ?? '', upload, false) } }
      },
    ],
    [
      `GET ${api}/media/upload`,
      (call) => ({ json: { data: state(call.text('media_id'), own(call, call.text('media_id')), true) } }),
    ],
    [
      `POST ${api}/media/upload`,
      (call) => {
        const { account } = world.who(call, 'media.write')
        const file = call.body.files.media ?? {
          bytes: Buffer.from(call.text('media'), 'base64').length,
          contentType: 'image/jpeg',
        }
        const type =
          file.contentType === 'application/octet-stream' || file.contentType === 'text/plain'
            ? 'image/jpeg'
            : file.contentType
        const id = open(call, account, call.text('media_category'), type, file.bytes)
        const upload = all.get(id)
        if (upload) upload.finished = true
        return { json: { data: { id, media_key: `3_${id}`, size: file.bytes, expires_after_secs: 86_400 } } }
      },
    ],
    [
      `POST ${api}/media/metadata`,
      (call) => {
        own(call, call.text('id')).altText = MetadataBody.parse(call.fields).metadata.alt_text.text
        return { json: { data: { id: call.text('id'), associated_metadata: call.fields.metadata ?? {} } } }
      },
    ],
  ]
}

const Body = z.object({
  text: z.string().default(''),
  media: z.object({ media_ids: z.array(z.string()) }).optional(),
  poll: z.unknown().optional(),
  reply: z.object({ in_reply_to_tweet_id: z.string() }).optional(),
  quote_tweet_id: z.string().optional(),
  edit_options: z.object({ previous_post_id: z.string() }).optional(),
})

function posts(world: World, all: Map<string, Upload>): Route[] {
  const read = (call: Call): string => world.who(call, 'tweet.read').account
  return [
    [`POST ${api}/tweets`, (call) => create(world, all, call)],
    [
      `DELETE ${api}/tweets/{id}`,
      (call) => {
        const { account } = world.who(call, 'tweet.write')
        const post = world.post(call.path.id ?? '')
        if (post.account !== account) world.no('scope', 'You are not authorized to delete this Tweet.')
        post.deleted = true
        return { json: { data: { deleted: true } } }
      },
    ],
    [
      `GET ${api}/users/{id}/tweets`,
      (call) => {
        read(call)
        const exclude = call.text('exclude')
        const since = Date.parse(call.text('start_time')) || 0
        const ever = world.newestFirst(
          (post) =>
            post.account === call.path.id &&
            post.createdAt >= since &&
            !(exclude.includes('replies') && post.parent !== null),
        )
        // older than that post, even if it was deleted
        const until = call.text('until_id')
        const below = ever.findIndex(({ id }) => id === until)
        const older =
          below === -1 && until ? ever.filter(({ id }) => BigInt(id) < BigInt(until)) : ever.slice(below + 1)
        // GET /2/users/:id/tweets: without replies, the last 800 only
        const shown = exclude.includes('replies') ? older.filter((post) => ever.indexOf(post) < 800) : older
        const { items, next } = pageOf(
          shown.filter(({ deleted }) => !deleted),
          Math.min(100, Number(call.text('max_results')) || 10),
          call.text('pagination_token'),
        )
        return {
          json: {
            ...(items.length > 0 && { data: items.map((post) => node(world, post, call)) }),
            meta: {
              result_count: items.length,
              ...(items[0] && { newest_id: items[0].id, oldest_id: items.at(-1)?.id }),
              ...(next && { next_token: next }),
            },
          },
        }
      },
    ],
    [
      `GET ${api}/tweets`,
      (call) => {
        read(call)
        const ids = call.text('ids').split(',')
        const found = ids.flatMap((id) => world.find(id) ?? [])
        const lost = ids.filter((id) => !found.some((post) => post.id === id))
        return {
          json: {
            ...(found.length > 0 && { data: found.map((post) => node(world, post, call)) }),
            ...(lost.length > 0 && { errors: lost.map((id) => absent('ids', id)) }),
          },
        }
      },
    ],
    [
      `GET ${api}/tweets/{id}`,
      (call) => {
        read(call)
        const found = world.find(call.path.id ?? '')
        return { json: found ? { data: node(world, found, call) } : { errors: [absent('id', call.path.id ?? '')] } }
      },
    ],
  ]
}

function create(world: World, all: Map<string, Upload>, call: Call): Reply {
  const { account } = world.who(call, 'tweet.write')
  const { text, media, poll, reply, edit_options: edit } = Body.parse(call.body.value)
  const ids = media?.media_ids ?? []
  if (!text && ids.length === 0 && poll === undefined)
    world.no('request', 'One or more parameters to your request was invalid.')
  if (countText(text, 'weighted') > (world.switches.has('verified') ? 25_000 : 280))
    world.no('request', 'Your Tweet text is too long.')
  if ((text.match(/(^|\s)\$[A-Za-z]{1,6}\b/g) ?? []).length > 1) world.no('scope', 'You may use one cashtag.')
  const used = ids.map((id) => all.get(id))
  const ready = used.every(
    (upload) =>
      upload?.account === account &&
      upload.finished &&
      (upload.category === 'tweet_image' || upload.looks > world.looks),
  )
  if (!ready || (used.length > 1 && used.some((upload) => upload?.category !== 'tweet_image')))
    world.no('request', 'Your media IDs are invalid.')
  const parent = reply?.in_reply_to_tweet_id ?? null
  const answered = parent === null ? undefined : world.find(parent)
  if (parent !== null && !answered)
    world.no('scope', 'You attempted to reply to a Tweet that is deleted or not visible to you.')
  if (answered && world.switches.has('summoned') && !answered.text.includes(`@${world.account(account)?.handle}`))
    world.no('scope', 'You are not permitted to reply to this post: its author has not mentioned you.')
  const old = edit ? world.post(edit.previous_post_id) : undefined
  if (
    !old &&
    !world.switches.has('no idempotency') &&
    world.live(
      (post) =>
        post.account === account &&
        stored(post.text) === stored(text) &&
        text !== '' &&
        post.parent === parent &&
        post.media.length === 0 &&
        ids.length === 0,
    ).length > 0
  )
    world.no('duplicate', 'You are not allowed to create a Tweet with duplicate content.')
  const history = old === undefined ? [] : Array.isArray(old.more.history) ? old.more.history.map(String) : [old.id]
  if (old && (history.length > 5 || call.now - old.createdAt > 30 * 60_000 || old.account !== account))
    world.no('scope', 'This Tweet can no longer be edited.')
  const id = world.nextId()
  const post = world.publish(
    {
      id,
      account,
      kind: 'post',
      text,
      media: ids,
      parent,
      permalink: `https://x.com/${world.account(account)?.handle}/status/${id}`,
      more: { history: [...history, id], altTexts: used.map((upload) => upload?.altText ?? '') },
    },
    call.now,
  )
  if (old) old.deleted = true
  return { status: 201, json: { data: { id, text: shown(world, post), edit_history_tweet_ids: post.more.history } } }
}

const shortened = (url: string): string =>
  `https://t.co/${createHash('sha256').update(url).digest('base64url').slice(0, 10)}`
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The text as X stores it: NFC, without white space around it. */
const stored = (text: string): string => text.normalize('NFC').trim()
/** URLs of a text, names without a protocol too (docs.x.com, fundamentals, t.co links). */
const linksIn = (post: SimulatedPost): string[] => addressesIn(stored(post.text), 'named')

/** In front of a reply to someone else, X mentions them. */
function mentionOf(world: World, post: SimulatedPost): string {
  const author = post.parent === null ? undefined : world.posts.get(post.parent)?.account
  const handle = author === undefined || author === post.account ? undefined : world.account(author)?.handle
  return handle === undefined || new RegExp(`@${handle}\\b`, 'i').test(post.text) ? '' : `@${handle} `
}

/** Escaped, with each URL as its t.co URL, and with one for the files. */
function shown(world: World, post: SimulatedPost): string {
  const text = stored(post.text)
  let [written, at] = [mentionOf(world, post), 0]
  for (const { start, end } of addressPlaces(text, 'named')) {
    written += escaped(text.slice(at, start)) + shortened(text.slice(start, end))
    at = end
  }
  return written + escaped(text.slice(at)) + (post.media.length > 0 ? ` ${shortened(post.id)}` : '')
}

/** A conversation's ID is that of the first post of its thread. */
function rootOf(world: World, post: SimulatedPost): string {
  // even if that one was deleted
  const above = post.parent === null ? undefined : world.posts.get(post.parent)
  return above ? rootOf(world, above) : (post.parent ?? post.id)
}

function node(world: World, post: SimulatedPost, call: Call): Record<string, unknown> {
  const fields = `${call.text('tweet.fields')},${call.text('post.fields')},${call.text('expansions')}`.split(',')
  const root = rootOf(world, post)
  const keys = post.media.map((id) => `7_${id}`)
  const ofMedia =
    keys[0] === undefined
      ? []
      : [
          {
            start: 0,
            end: 23,
            url: shortened(post.id),
            expanded_url: `${post.permalink}/photo/1`,
            display_url: 'pic.x.com',
            media_key: keys[0],
          },
        ]
  const whole: Record<string, unknown> = {
    created_at: new Date(post.createdAt).toISOString(),
    author_id: post.account,
    conversation_id: root,
    entities: {
      urls: linksIn(post)
        .map((url): Record<string, unknown> => ({
          start: 0,
          end: 23,
          url: shortened(url),
          expanded_url: /^https?:/i.test(url) ? url : `http://${url}`,
          display_url: url.replace(/^https?:\/\//, ''),
        }))
        .concat(ofMedia),
    },
    ...(keys.length > 0 && { attachments: { media_keys: keys } }),
    // the documentation and the API description use different names: both
    public_metrics: {
      retweet_count: grown(post, 'retweets', call.now),
      repost_count: grown(post, 'retweets', call.now),
      reply_count: grown(post, 'replies', call.now),
      like_count: grown(post, 'likes', call.now, 5),
      quote_count: grown(post, 'quotes', call.now),
      bookmark_count: grown(post, 'bookmarks', call.now),
      impression_count: grown(post, 'impressions', call.now, 40),
    },
    non_public_metrics: {
      url_link_clicks: grown(post, 'clicks', call.now, 2),
      user_profile_clicks: grown(post, 'profile', call.now),
      engagements: grown(post, 'engagements', call.now, 8),
      impression_count: grown(post, 'impressions', call.now, 40),
    },
    ...(post.parent !== null && { in_reply_to_user_id: world.posts.get(post.parent)?.account }),
    ...(post.parent !== null && { referenced_tweets: [{ type: 'replied_to', id: post.parent }] }),
  }
  return {
    id: post.id,
    text: shown(world, post),
    edit_history_tweet_ids: post.more.history ?? [post.id],
    ...Object.fromEntries(Object.entries(whole).filter(([name]) => fields.includes(name))),
  }
}
