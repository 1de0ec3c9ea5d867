import { daysBetween, followersAt, valueOfDay } from './accountSeries.ts'
import { z } from 'zod'
import { googleError, googleRefusal, googleSignIn } from './google.ts'
import { comments } from './youtubeComments.ts'
import {
  grown,
  pageOf,
  sizeOf,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
} from './world.ts'

/**
 * YouTube: resumable sessions, videos that are processed, thumbnails, playlists, comments. A Google account is a
 * channel.
 */
const hosts = ['www.googleapis.com', 'youtube.googleapis.com']
const url = (scope: string): string => `https://www.googleapis.com/auth/${scope}`
const manage = ['youtube', 'youtube.force-ssl'].map(url)
const uploading = [...manage, url('youtube.upload')]
const reading = [...manage, url('youtube.readonly')]
const PIECE = 256 * 1024

type Session = {
  account: string
  size: number
  type: string
  received: number
  video: z.infer<typeof Video>
  done: string | null
}

const Video = z.object({
  id: z.string().optional(),
  snippet: z.object({
    title: z.string().default(''),
    description: z.string().default(''),
    tags: z.array(z.string()).default([]),
    categoryId: z.string().default('22'),
  }),
  status: z
    .object({
      privacyStatus: z.string().default('public'),
      publishAt: z.string().optional(),
      selfDeclaredMadeForKids: z.boolean().optional(),
      containsSyntheticMedia: z.boolean().optional(),
      uploadStatus: z.string().optional(),
    })
    .default({ privacyStatus: 'public' }),
})

export function youtubeSimulator(): PlatformSimulator {
  const world = new World(
    'youtube',
    peopleOf('youtube', 3).map((account) => ({ ...account, id: `UC${account.id}simulated`.slice(0, 24) })),
    googleRefusal,
  )
  world.usualType = 'video'
  world.native = ({ number, postType, text }) => {
    const id = `n${number.slice(-10)}`
    return {
      id,
      kind: 'video',
      permalink: `https://www.youtube.com/watch?v=${id}`,
      more: {
        snippet: { title: text.slice(0, 100), description: text },
        status: { privacyStatus: 'public' },
        looks: world.looks + 1,
        isUpright: postType === 'shorts',
      },
    }
  }
  world.limit = 100
  const sessions = new Map<string, Session>()
  const on = (method: string, path: string, answer: Route[1]): Route[] =>
    hosts.map((host) => [`${method} ${host}${path}`, answer])
  return {
    world,
    hosts: ['accounts.google.com', 'oauth2.googleapis.com', 'youtubeanalytics.googleapis.com', ...hosts],
    routes: [
      ...googleSignIn(world),
      ...on('POST', '/upload/youtube/v3/videos', (call) => begin(world, sessions, call)),
      ...on('PUT', '/upload/youtube/v3/videos', (call) => receive(world, sessions, call)),
      ...on('POST', '/upload/youtube/v3/thumbnails/set', (call) => thumbnail(world, call)),
      ...videos(world, on),
      ...around(world, on),
      ...comments(world, on),
    ],
  }
}

type On = (method: string, path: string, answer: Route[1]) => Route[]

function begin(world: World, sessions: Map<string, Session>, call: Call): Reply {
  const { account } = world.who(call, ...uploading)
  if (call.text('uploadType') !== 'resumable') world.no('request', 'Only resumable uploads are played here.')
  const video = Video.parse(call.body.value)
  const wrong = judge(video)
  if (wrong) return wrong
  const today = world.live((post) => post.kind === 'video' && call.now - post.createdAt < 24 * 3_600_000).length
  if (today >= world.limit)
    return googleError(
      403,
      'quotaExceeded',
      'The request cannot be completed because you have exceeded your quota.',
      'RESOURCE_EXHAUSTED',
    )
  const id = `s${world.nextId()}`
  sessions.set(id, {
    account,
    size: Number(call.headers['x-upload-content-length']) || 0,
    type: call.headers['x-upload-content-type'] ?? 'video/*',
    received: 0,
    video,
    done: null,
  })
  return {
    headers: { location: `https://${call.url.host}/upload/youtube/v3/videos?uploadType=resumable&upload_id=${id}` },
  }
}

/** Refuses what YouTube never accepts. */
function judge({ snippet, status }: z.infer<typeof Video>): Reply | undefined {
  const bad = (text: string): boolean => /[<>]/.test(text)
  if (!snippet.title || snippet.title.length > 100 || bad(snippet.title))
    return googleError(400, 'invalidTitle', 'The request metadata specifies an invalid or empty video title.')
  if (Buffer.byteLength(snippet.description) > 5000 || bad(snippet.description))
    return googleError(400, 'invalidDescription', 'The request metadata specifies an invalid video description.')
  if (snippet.tags.join(',').length > 500)
    return googleError(400, 'invalidTags', 'The request metadata specifies invalid video keywords.')
  if (!categories.some(({ id }) => id === snippet.categoryId))
    return googleError(400, 'invalidCategoryId', 'The snippet.categoryId property specifies an invalid category ID.')
  return status.publishAt !== undefined && status.privacyStatus !== 'private'
    ? googleError(400, 'invalidPublishAt', 'The request metadata specifies an invalid scheduled publishing time.')
    : undefined
}

/** Chunks in order; `bytes * /N` asks how much has arrived. */
function receive(world: World, sessions: Map<string, Session>, call: Call): Reply {
  world.who(call, ...uploading)
  const session = sessions.get(call.text('upload_id'))
  if (!session) return { status: 404 }
  const [, from, to, of] =
    /^bytes (?:(\d+)-(\d+)|\*)\/(\d+|\*)$/.exec(
      call.headers['content-range'] ?? `bytes 0-${call.body.bytes - 1}/${call.body.bytes}`,
    ) ?? []
  if (of !== undefined && of !== '*') session.size ||= Number(of)
  if (session.done !== null && world.switches.has('no idempotency')) return { status: 404 }
  if (session.done !== null) return { json: node(world, world.post(session.done), call) }
  const more = (): Reply => ({
    status: 308,
    headers: session.received > 0 ? { range: `bytes=0-${session.received - 1}` } : {},
  })
  if (from === undefined || to === undefined) return more()
  const bytes = Number(to) - Number(from) + 1
  const last = Number(from) + bytes === session.size
  if (Number(from) !== session.received || bytes !== call.body.bytes || (!last && bytes % PIECE !== 0))
    return {
      status: 400,
      json: {
        error: { code: 400, message: 'Failed to parse Content-Range header, or the chunk is no multiple of 256 KiB.' },
      },
    }
  session.received += bytes
  if (session.received < session.size) return more()
  const { snippet, status } = session.video
  const id = `v${world.nextId().slice(-10)}`
  const post = world.publish(
    {
      id,
      account: session.account,
      kind: 'video',
      text: snippet.description,
      permalink: `https://www.youtube.com/watch?v=${id}`,
      more: { snippet, status, looks: 0, bytes: session.size },
    },
    call.now,
  )
  session.done = post.id
  return { status: 200, json: node(world, post, call) }
}

function thumbnail(world: World, call: Call): Reply {
  world.who(call, ...uploading)
  const video = world.post(call.text('videoId'))
  if (call.body.bytes === 0 || call.body.bytes > 2_097_152)
    return googleError(400, 'mediaBodyRequired', 'The request does not include the image, or it is larger than 2 MB.')
  if (!/^image\/(jpeg|png)|octet-stream/.test(call.body.contentType))
    return googleError(400, 'invalidImage', 'The provided image content is invalid.')
  video.more.thumbnail = call.body.sha256
  return {
    json: {
      kind: 'youtube#thumbnailSetResponse',
      etag: 'simulated',
      items: [{ default: { url: `https://i.ytimg.com/vi/${video.id}/default.jpg`, width: 120, height: 90 } }],
    },
  }
}

function node(world: World, post: SimulatedPost, call: Call): Record<string, unknown> {
  const { snippet, status } = Video.parse(post.more)
  const parts = (call.text('part') || 'snippet,status').split(',')
  const processed = typeof post.more.looks === 'number' && post.more.looks > world.looks
  const count = (name: string, each: number): string => String(grown(post, name, call.now, each))
  const whole: Record<string, unknown> = {
    snippet: {
      ...snippet,
      publishedAt: new Date(post.createdAt).toISOString(),
      channelId: post.account,
      channelTitle: world.account(post.account)?.name,
    },
    status: {
      ...status,
      uploadStatus: status.uploadStatus ?? (processed ? 'processed' : 'uploaded'),
      license: 'youtube',
      embeddable: true,
      madeForKids: status.selfDeclaredMadeForKids ?? false,
    },
    statistics: {
      viewCount: count('views', 4),
      likeCount: count('likes', 0.2),
      favoriteCount: '0',
      commentCount: String(world.live(({ parent }) => parent === post.id).length),
    },
    processingDetails: { processingStatus: processed ? 'succeeded' : 'processing' },
    contentDetails: { duration: 'PT30S', dimension: '2d', definition: 'hd' },
    player: {
      embedHtml: '<iframe></iframe>',
      // only if a size was asked for
      ...((call.text('maxHeight') || call.text('maxWidth')) &&
        (post.more.isUpright === true
          ? { embedHeight: '720', embedWidth: '405' }
          : { embedHeight: '720', embedWidth: '1280' })),
    },
  }
  return {
    kind: 'youtube#video',
    etag: 'simulated',
    id: post.id,
    ...Object.fromEntries(Object.entries(whole).filter(([name]) => parts.includes(name))),
  }
}

const list = (kind: string, items: unknown[], next?: string, total = items.length): Reply => ({
  json: {
    kind: `youtube#${kind}ListResponse`,
    etag: 'simulated',
    items,
    pageInfo: { totalResults: total, resultsPerPage: items.length },
    ...(next && { nextPageToken: next }),
  },
})

function videos(world: World, on: On): Route[] {
  const own = (call: Call, id: string): SimulatedPost => {
    const { account } = world.who(call, ...manage)
    const post = world.post(id)
    return post.account === account ? post : world.no('scope', 'Forbidden')
  }
  return [
    ...on('GET', '/youtube/v3/videos', (call) => {
      world.who(call, ...reading, ...uploading)
      const found = call
        .text('id')
        .split(',')
        .flatMap((id) => world.live((post) => post.id === id && post.kind === 'video'))
      for (const post of found) post.more.looks = Number(post.more.looks) + 1
      return list(
        'video',
        found.map((post) => node(world, post, call)),
      )
    }),
    ...on('PUT', '/youtube/v3/videos', (call) => {
      const changed = Video.parse(call.body.value)
      const post = own(call, changed.id ?? '')
      const wrong = judge(changed)
      if (wrong) return wrong
      Object.assign(post, { text: changed.snippet.description })
      Object.assign(post.more, {
        snippet: changed.snippet,
        ...(call.text('part').includes('status') && { status: changed.status }),
      })
      return { json: node(world, post, call) }
    }),
    ...on('DELETE', '/youtube/v3/videos', (call) => {
      own(call, call.text('id')).deleted = true
      return { status: 204 }
    }),
    ...on('GET', '/youtube/v3/channels', (call) => {
      const { account } = world.who(call, ...reading, ...uploading)
      const [id, handle] = [call.text('id'), call.text('forHandle').replace(/^@/, '').toLowerCase()]
      const named = handle ? world.accounts.find((one) => one.handle === handle) : world.account(id || account)
      const channel = world.switches.has('no channel') ? undefined : named
      return list(
        'channel',
        channel
          ? [
              {
                kind: 'youtube#channel',
                etag: 'simulated',
                id: channel.id,
                snippet: {
                  title: channel.name,
                  customUrl: `@${channel.handle}`,
                  description: '',
                  thumbnails: { default: { url: channel.picture } },
                },
                contentDetails: { relatedPlaylists: { uploads: channel.id.replace(/^UC/, 'UU') } },
                statistics: {
                  viewCount: '1200',
                  subscriberCount: String(followersAt(channel.id, call.now)),
                  hiddenSubscriberCount: false,
                  videoCount: String(world.live((post) => post.account === channel.id && post.kind === 'video').length),
                },
              },
            ]
          : [],
      )
    }),
  ]
}

const categories = [
  ['1', 'Film & Animation'],
  ['10', 'Music'],
  ['15', 'Pets & Animals'],
  ['22', 'People & Blogs'],
  ['24', 'Entertainment'],
  ['26', 'Howto & Style'],
  ['27', 'Education'],
  ['28', 'Science & Technology'],
].map(([id = '', title = '']) => ({ id, title }))
const Item = z.object({
  snippet: z.object({
    playlistId: z.string(),
    resourceId: z.object({ kind: z.literal('youtube#video'), videoId: z.string() }),
  }),
})

/** Playlists, categories, a channel's uploads, and metrics. */
function around(world: World, on: On): Route[] {
  const playlists = new Map<string, { account: string; title: string; videos: string[] }>(
    world.accounts.flatMap(({ id }) =>
      ['Baking at home', 'Behind the counter'].map(
        (title, i) => [`PL${id.slice(2, 12)}${i}`, { account: id, title, videos: [] }] as const,
      ),
    ),
  )
  return [
    ...on('GET', '/youtube/v3/playlists', (call) => {
      const { account } = world.who(call, ...reading)
      return list(
        'playlist',
        [...playlists]
          .filter(([, playlist]) => playlist.account === account)
          .map(([id, { title, videos: inside }]) => ({
            kind: 'youtube#playlist',
            etag: 'simulated',
            id,
            snippet: { title, channelId: account, description: '', thumbnails: {} },
            contentDetails: { itemCount: inside.length },
          })),
      )
    }),
    ...on('POST', '/youtube/v3/playlists', (call) => {
      const { account } = world.who(call, ...manage)
      const { snippet, status } = z
        .object({
          snippet: z.object({ title: z.string().min(1).max(150), description: z.string().max(5000).default('') }),
          status: z.object({ privacyStatus: z.enum(['public', 'unlisted', 'private']) }).optional(),
        })
        .parse(call.body.value)
      const id = `PL${world.nextId()}`
      playlists.set(id, { account, title: snippet.title, videos: [] })
      return {
        json: {
          kind: 'youtube#playlist',
          etag: 'simulated',
          id,
          snippet: { ...snippet, channelId: account, thumbnails: {} },
          status: status ?? { privacyStatus: 'public' },
          contentDetails: { itemCount: 0 },
        },
      }
    }),
    ...on('GET', '/youtube/v3/playlistItems', (call) => {
      world.who(call, ...reading)
      const id = call.text('playlistId')
      const ids = id.startsWith('UU')
        ? world.live((post) => post.account === id.replace(/^UU/, 'UC') && post.kind === 'video').map((post) => post.id)
        : (playlists.get(id)?.videos ?? world.no('missing', 'The playlist cannot be found.'))
      const wanted = ids.filter((video) => !call.text('videoId') || video === call.text('videoId'))
      const { items, next } = pageOf(wanted, sizeOf(call, 'maxResults', { usual: 5, most: 50 }), call.text('pageToken'))
      return list(
        'playlistItem',
        items.map((video) => ({
          kind: 'youtube#playlistItem',
          etag: 'simulated',
          id: `${id}.${video}`,
          snippet: {
            playlistId: id,
            title: Video.parse(world.post(video).more).snippet.title,
            description: world.post(video).text,
            publishedAt: new Date(world.post(video).createdAt).toISOString(),
            thumbnails: {
              default: { url: `https://i.ytimg.com/vi/${video}/default.jpg`, width: 120, height: 90 },
              medium: { url: `https://i.ytimg.com/vi/${video}/mqdefault.jpg`, width: 320, height: 180 },
            },
            resourceId: { kind: 'youtube#video', videoId: video },
          },
          contentDetails: { videoId: video, videoPublishedAt: new Date(world.post(video).createdAt).toISOString() },
        })),
        next,
        wanted.length,
      )
    }),
    ...on('POST', '/youtube/v3/playlistItems', (call) => {
      world.who(call, ...manage)
      const { snippet } = Item.parse(call.body.value)
      const playlist = playlists.get(snippet.playlistId) ?? googleThrow(world)
      playlist.videos.push(world.post(snippet.resourceId.videoId).id)
      return {
        json: {
          kind: 'youtube#playlistItem',
          etag: 'simulated',
          id: `${snippet.playlistId}.${snippet.resourceId.videoId}`,
          snippet,
        },
      }
    }),
    ...on('GET', '/youtube/v3/videoCategories', (call) => {
      world.who(call, ...reading, ...uploading)
      return list(
        'videoCategory',
        categories.map(({ id, title }) => ({
          kind: 'youtube#videoCategory',
          etag: 'simulated',
          id,
          snippet: { title, assignable: true, channelId: 'UCBR8-60-B28hp2BmDPdntcQ' },
        })),
      )
    }),
    [
      'GET youtubeanalytics.googleapis.com/v2/reports',
      (call) => {
        world.who(call, url('yt-analytics.readonly'))
        const ids = /video==([\w,-]+)/.exec(call.text('filters'))?.[1]?.split(',') ?? []
        const names = call.text('metrics').split(',')
        const dimension = call.text('dimensions')
        if (ids.length === 0 && dimension) {
          const { account } = world.who(call)
          const table = (rows: (string | number)[][]) => ({
            json: {
              kind: 'youtubeAnalytics#resultTable',
              columnHeaders: [
                { name: dimension, columnType: 'DIMENSION', dataType: 'STRING' },
                ...names.map((name) => ({ name, columnType: 'METRIC', dataType: 'INTEGER' })),
              ],
              ...(rows.length > 0 && { rows }),
            },
          })
          if (dimension !== 'day')
            return table(
              [
                ['DE', 60.5],
                ['US', 39.5],
              ].map(([name = '', value = 0]) => [name, ...names.map(() => value)]),
            )
          return table(
            daysBetween(call.text('startDate'), call.text('endDate')).flatMap((day) => {
              const values = names.map((name) =>
                valueOfDay({ account, name, day, about: 30 }, call.now, { delayHours: 48, finalHours: 72 }),
              )
              return values.every((value) => value === null) ? [] : [[day, ...values.map((value) => value ?? 0)]]
            }),
          )
        }
        const rows = ids
          .flatMap((id) => world.find(id) ?? [])
          .map((post) => [
            ...(call.text('dimensions') ? [post.id] : []),
            ...names.map((name) => grown(post, name, call.now, 4)),
          ])
        return {
          json: {
            kind: 'youtubeAnalytics#resultTable',
            columnHeaders: [
              ...(call.text('dimensions') ? [{ name: 'video', columnType: 'DIMENSION', dataType: 'STRING' }] : []),
              ...names.map((name) => ({ name, columnType: 'METRIC', dataType: 'INTEGER' })),
            ],
            rows,
          },
        }
      },
    ],
  ]
}

const googleThrow = (world: World): never => world.no('missing', 'The playlist cannot be found.')
