import { daysBetween, followersAt, valueOfDay } from './accountSeries.ts'
import { z } from 'zod'
import { comments } from './linkedinComments.ts'
import { oauthRoutes, standardWrong } from './oauth.ts'
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
  type Why,
} from './world.ts'

/**
 * LinkedIn: members and the organizations they administer; IDs are URNs, and a new object's ID is in a header. Each app
 * has permissions by its products, and requesting another one refuses the whole sign-in (`refusesScope`). Refresh
 * tokens are only issued with the switch `refresh`, as to approved apps. Reading members' own posts needs the closed
 * permission r_member_social, unless the switch `member posts` is on: for single posts, the documentation isn't clear.
 */
const rest = 'api.linkedin.com/rest'
const uploadHost = 'www.linkedin.com/dms-uploads'
const PART = 4_194_304
const kinds: Record<Why, [status: number, code: string, serviceErrorCode: number]> = {
  token: [401, 'INVALID_ACCESS_TOKEN', 65_600],
  expired: [401, 'EXPIRED_ACCESS_TOKEN', 65_602],
  scope: [403, 'ACCESS_DENIED', 100],
  request: [400, 'ILLEGAL_ARGUMENT', 100],
  missing: [404, 'NOT_FOUND', 100],
  limit: [429, 'TOO_MANY_REQUESTS', 101],
  duplicate: [422, 'DUPLICATE_POST', 100],
  media: [400, 'MEDIA_ASSET_PROCESSING_FAILED', 100],
}

function refusal(why: Why, message: string): Reply {
  const [status, code, serviceErrorCode] = kinds[why]
  return { status, json: { status, code, serviceErrorCode, message } }
}

type Asset = {
  owner: string
  kind: string
  size: number
  parts: Map<number, { etag: string; bytes: number }>
  finished: boolean
  looks: number
}

export function linkedinSimulator(): PlatformSimulator {
  const [nora, bakery, books, studio, otis] = peopleOf('linkedin', 5)
  const world = new World(
    'linkedin',
    [
      ...(nora ? [{ ...nora, owns: [bakery, books].flatMap((page) => page ?? []) }] : []),
      ...(otis ? [{ ...otis, owns: studio ? [studio] : [] }] : []),
    ],
    refusal,
  )
  world.native = ({ account, number, text }) => {
    const isPage = world.accounts.some(({ owns }) => owns.some(({ id }) => id === account))
    const id = `urn:li:share:${number}`
    const author = `urn:li:${isPage ? 'organization' : 'person'}:${account}`
    return {
      id,
      account: author,
      kind: 'post',
      permalink: `https://www.linkedin.com/feed/update/${id}/`,
      more: { body: { author, commentary: text } },
    }
  }
  const assets = new Map<string, Asset>()
  return {
    world,
    hosts: ['www.linkedin.com', 'api.linkedin.com'],
    routes: [
      ...oauthRoutes(world, {
        label: 'LinkedIn',
        page: ['www.linkedin.com/oauth/v2/authorization'],
        token: ['POST www.linkedin.com/oauth/v2/accessToken'],
        revoke: 'POST www.linkedin.com/oauth/v2/revoke',
        separator: ' ',
        pkce: 'none',
        refusesScope,
        codeSeconds: 1800,
        accessSeconds: 60 * 24 * 3600,
        refresh: { seconds: 365 * 24 * 3600, rotates: false, when: () => world.switches.has('refresh') },
        more: () => ({ ...(world.switches.has('refresh') && { refresh_token_expires_in: 365 * 24 * 3600 }) }),
        wrong: standardWrong,
      }),
      ...accounts(world),
      ...media(world, assets),
      ...posts(world, assets),
      ...comments(world, author),
    ],
  }
}

/**
 * What the two self-service products grant, and what the Community Management API does, which must be an app's only
 * product.
 */
const openProducts = ['openid', 'profile', 'email', 'w_member_social']
const communityManagement = [
  'r_basicprofile',
  'r_1st_connections_size',
  'r_member_postAnalytics',
  'r_member_profileAnalytics',
  'r_organization_followers',
  'r_organization_social',
  'r_organization_social_feed',
  'rw_organization_admin',
  'w_member_social',
  'w_member_social_feed',
  'w_organization_social',
  'w_organization_social_feed',
]

/**
 * A client whose ID ends with `pages` is an app with the Community Management API; any other one has the two open
 * products.
 */
function refusesScope(clientId: string, scopes: readonly string[]): Record<string, string> | undefined {
  const granted = clientId.endsWith('pages') ? communityManagement : openProducts
  const refused = scopes.find((scope) => !granted.includes(scope))
  return refused === undefined
    ? undefined
    : {
        error: 'unauthorized_scope_error',
        error_description: `Scope "${refused}" is not authorized for your application`,
      }
}

function accounts(world: World): Route[] {
  return [
    [
      'GET api.linkedin.com/v2/me',
      (call) => {
        const person = world.account(world.who(call, 'r_basicprofile').account)
        const [first, ...rest] = person?.name.split(' ') ?? []
        return {
          json: {
            id: person?.id,
            localizedFirstName: first,
            localizedLastName: rest.join(' '),
            profilePicture: {
              'displayImage~': { elements: [{ identifiers: [{ identifier: person?.picture }] }] },
            },
          },
        }
      },
    ],
    [
      'GET api.linkedin.com/v2/userinfo',
      (call) => {
        const person = world.account(world.who(call, 'openid').account)
        return {
          json: {
            sub: person?.id,
            name: person?.name,
            given_name: person?.name.split(' ')[0],
            family_name: person?.name.split(' ').slice(1).join(' '),
            picture: person?.picture,
            locale: { country: 'GB', language: 'en' },
          },
        }
      },
    ],
    [
      `GET ${rest}/organizationAcls`,
      (call) => {
        const { account } = world.who(call, 'rw_organization_admin', 'r_organization_admin', 'w_organization_social')
        const owned = world.account(account)?.owns ?? []
        return {
          json: {
            elements: owned.map(({ id }) => ({
              role: 'ADMINISTRATOR',
              state: 'APPROVED',
              organization: `urn:li:organization:${id}`,
              organizationTarget: `urn:li:organization:${id}`,
              roleAssignee: `urn:li:person:${account}`,
            })),
            paging: { start: 0, count: 10, total: owned.length, links: [] },
          },
        }
      },
    ],
    [
      `GET ${rest}/organizations`,
      (call) => {
        world.who(call, 'rw_organization_admin', 'r_organization_admin')
        const found = world.accounts
          .flatMap(({ owns }) => owns)
          .filter(({ handle }) => handle === call.text('vanityName'))
        return {
          json: {
            elements: found.map(({ id, name, handle }) => ({
              id: Number(id),
              localizedName: name,
              vanityName: handle,
            })),
            paging: { start: 0, count: 10, links: [] },
          },
        }
      },
    ],
    [
      `GET ${rest}/organizations/{id}`,
      (call) => {
        world.who(call)
        const found = world.account(call.path.id ?? '') ?? world.no('missing', 'Not found')
        return {
          json: {
            id: Number(found.id),
            localizedName: found.name,
            vanityName: found.handle,
            name: { localized: { en_US: found.name }, preferredLocale: { country: 'US', language: 'en' } },
          },
        }
      },
    ],
  ]
}

/** The author: the member, or an organization of theirs, with the permission that it needs. */
function author(world: World, call: Call, urn: string): string {
  const [, kind, id = ''] = /^urn:li:(person|organization):(.+)$/.exec(urn) ?? []
  const { account } = world.who(call, ...(kind === 'organization' ? ['w_organization_social'] : ['w_member_social']))
  const may = kind === 'person' ? account === id : (world.account(account)?.owns ?? []).some((owned) => owned.id === id)
  return may ? urn : world.no('scope', `You may not act for ${urn}.`)
}

const Init = z.object({
  initializeUploadRequest: z.object({ owner: z.string(), fileSizeBytes: z.number().optional() }),
})
const Finalize = z.object({
  finalizeUploadRequest: z.object({ video: z.string(), uploadToken: z.string(), uploadedPartIds: z.array(z.string()) }),
})

function media(world: World, assets: Map<string, Asset>): Route[] {
  const open = (call: Call, kind: string): { urn: string; asset: Asset; address: (part: number) => string } => {
    const { owner, fileSizeBytes } = Init.parse(call.body.value).initializeUploadRequest
    const urn = `urn:li:${kind}:C5${BigInt(world.nextId()).toString(36)}`
    const asset: Asset = {
      owner: author(world, call, owner),
      kind,
      size: fileSizeBytes ?? 0,
      parts: new Map(),
      finished: false,
      looks: 0,
    }
    assets.set(urn, asset)
    return {
      urn,
      asset,
      address: (part) => `https://${uploadHost}/${urn.split(':').at(-1)}/${part}?ca=simulated&cn=uploads`,
    }
  }
  const until = (now: number): number => now + 3_600_000
  const simple = (kind: 'image' | 'document'): Route[] => [
    [
      `POST ${rest}/${kind}s`,
      (call) => {
        const { urn, address } = open(call, kind)
        return { json: { value: { uploadUrlExpiresAt: until(call.now), uploadUrl: address(0), [kind]: urn } } }
      },
    ],
    [`GET ${rest}/${kind}s/{urn}`, (call) => look(world, assets, call)],
  ]
  return [
    ...simple('image'),
    ...simple('document'),
    [
      `POST ${rest}/videos`,
      (call) => {
        if (call.text('action') === 'finalizeUpload') return finalize(world, assets, call)
        const { urn, asset, address } = open(call, 'video')
        if (asset.size < 75_000 || asset.size > 500_000_000)
          world.no('request', 'The size of the video is out of bounds.')
        const uploadInstructions = Array.from({ length: Math.ceil(asset.size / PART) }, (_, i) => ({
          uploadUrl: address(i),
          firstByte: i * PART,
          lastByte: Math.min(asset.size, (i + 1) * PART) - 1,
        }))
        return {
          json: { value: { uploadUrlsExpireAt: until(call.now), video: urn, uploadInstructions, uploadToken: '' } },
        }
      },
    ],
    [`GET ${rest}/videos/{urn}`, (call) => look(world, assets, call)],
    [
      `PUT ${uploadHost}/{asset}/{part}`,
      (call) => {
        const [, asset] = [...assets].find(([urn]) => urn.endsWith(`:${call.path.asset}`)) ?? []
        if (!asset) return { status: 404 }
        const part = Number(call.path.part)
        const expected = Math.min(asset.size, (part + 1) * PART) - part * PART
        if (
          call.body.bytes === 0 ||
          (asset.kind === 'video' && call.body.bytes !== expected) ||
          (asset.kind === 'document' && call.body.bytes > 100_000_000)
        )
          return { status: 400 }
        const etag = call.body.sha256.slice(0, 32)
        asset.parts.set(part, { etag, bytes: call.body.bytes })
        // this completes pictures and documents
        if (asset.kind !== 'video') asset.finished = true
        return { status: asset.kind === 'video' ? 200 : 201, headers: { etag } }
      },
    ],
  ]
}

function finalize(world: World, assets: Map<string, Asset>, call: Call): Reply {
  const { video, uploadedPartIds } = Finalize.parse(call.body.value).finalizeUploadRequest
  const asset = assets.get(video) ?? world.no('missing', 'Not found')
  author(world, call, asset.owner)
  const order = [...asset.parts].toSorted(([a], [b]) => a - b).map(([, { etag }]) => etag)
  const bytes = [...asset.parts.values()].reduce((sum, part) => sum + part.bytes, 0)
  if (bytes !== asset.size || order.join() !== uploadedPartIds.map((id) => id.replaceAll('"', '')).join())
    world.no('media', 'The parts are not the ones that were uploaded, or not in order.')
  asset.finished = true
  return { status: 200 }
}

function look(world: World, assets: Map<string, Asset>, call: Call): Reply {
  world.who(call)
  const asset = assets.get(call.path.urn ?? '') ?? world.no('missing', 'Not found')
  const done = asset.finished && asset.looks++ >= world.looks
  return {
    json: {
      id: call.path.urn,
      owner: asset.owner,
      status: done ? 'AVAILABLE' : asset.finished ? 'PROCESSING' : 'WAITING_UPLOAD',
    },
  }
}

const Content = z.object({
  media: z.object({ id: z.string(), title: z.string().optional(), altText: z.string().optional() }).optional(),
  multiImage: z.object({ images: z.array(z.object({ id: z.string(), altText: z.string().optional() })) }).optional(),
  article: z.looseObject({}).optional(),
})
const Body = z.looseObject({ author: z.string(), commentary: z.string(), content: Content.optional() })

function posts(world: World, assets: Map<string, Asset>): Route[] {
  const own = (call: Call): SimulatedPost => {
    const post = world.post(call.path.urn ?? '')
    author(world, call, post.account)
    return post
  }
  return [
    [
      `POST ${rest}/posts`,
      (call) => {
        const body = Body.parse(call.body.value)
        const by = author(world, call, body.author)
        const ids = [body.content?.media?.id, ...(body.content?.multiImage?.images.map(({ id }) => id) ?? [])].filter(
          (id) => id !== undefined,
        )
        for (const id of ids) {
          const asset = assets.get(id)
          // pictures can be used while they're processed, videos and documents can't
          if (!asset?.finished || asset.owner !== by || (asset.kind !== 'image' && asset.looks <= world.looks))
            world.no('media', `${id} is not available.`)
        }
        if (
          /(^|[^\\])[|{}@[\]()<>*_~]/.test(
            body.commentary.replaceAll(/\{hashtag\|\\?#\|[^}]*\}|@\[[^\]]*\]\(urn:li:\w+:\w+\)/g, ''),
          )
        )
          world.no('request', 'commentary holds reserved characters that are not escaped.')
        const twin = world.live(
          (post) =>
            post.account === by &&
            post.text === world.keeps(body.commentary) &&
            post.media.join() === ids.join() &&
            post.parent === null,
        )[0]
        if (twin && !world.switches.has('no idempotency')) world.no('duplicate', `Content is a duplicate of ${twin.id}`)
        const id = `urn:li:${ids.some((urn) => urn.includes(':video:')) ? 'ugcPost' : 'share'}:${world.nextId()}`
        world.publish(
          {
            id,
            account: by,
            kind: 'post',
            text: body.commentary,
            media: ids,
            permalink: `https://www.linkedin.com/feed/update/${id}/`,
            more: { body },
          },
          call.now,
        )
        return { status: 201, headers: { 'x-restli-id': id, location: `/posts/${encodeURIComponent(id)}` } }
      },
    ],
    [
      `GET ${rest}/posts`,
      (call) => {
        const by = call.text('author')
        world.who(
          call,
          ...(by.includes(':organization:') ? ['r_organization_social', 'w_organization_social'] : ['r_member_social']),
        )
        return listed(
          call,
          world.live((post) => post.account === by && post.parent === null),
          node,
        )
      },
    ],
    [
      `GET ${rest}/posts/{urn}`,
      (call) => {
        const post = world.post(call.path.urn ?? '')
        world.who(
          call,
          ...(post.account.includes(':organization:')
            ? ['r_organization_social', 'w_organization_social']
            : ['r_member_social', ...(world.switches.has('member posts') ? ['w_member_social'] : [])]),
        )
        return { json: node(post) }
      },
    ],
    [
      `POST ${rest}/posts/{urn}`,
      (call) => {
        const { $set: set } = z
          .object({ patch: z.object({ $set: z.object({ commentary: z.string().optional() }) }) })
          .parse(call.body.value).patch
        const post = own(call)
        post.text = set.commentary ?? post.text
        return { status: 204 }
      },
    ],
    [
      `DELETE ${rest}/posts/{urn}`,
      (call) => {
        // deleting again succeeds
        if (world.posts.get(call.path.urn ?? '')?.deleted !== true) own(call).deleted = true
        return { status: 204 }
      },
    ],
    [
      `GET ${rest}/organizationalEntityShareStatistics`,
      (call) => {
        world.who(call, 'rw_organization_admin', 'r_organization_social')
        const byDay = daysAsked(call, (at, value) => ({
          organizationalEntity: call.text('organizationalEntity'),
          timeRange: { start: at, end: at + 86_400_000 },
          totalShareStatistics: {
            impressionCount: value('impressions', 400),
            uniqueImpressionsCount: value('unique', 260),
            clickCount: value('clicks', 12),
            likeCount: value('likes', 15),
            commentCount: value('comments', 2),
            shareCount: value('shares', 1),
            engagement: 0.07,
          },
        }))
        if (byDay) return { json: { elements: byDay, paging: { start: 0, count: 10, links: [] } } }
        const urns = [
          ...decodeURIComponent(`${call.text('shares')},${call.text('ugcPosts')}`).matchAll(
            /urn:li:(?:share|ugcPost):\d+/g,
          ),
        ].map(([urn]) => urn)
        const elements = urns
          .flatMap((urn) => world.find(urn) ?? [])
          .map((post) => ({
            organizationalEntity: call.text('organizationalEntity'),
            [post.id.includes('share') ? 'share' : 'ugcPost']: post.id,
            totalShareStatistics: Object.fromEntries(
              ['impressionCount', 'uniqueImpressionsCount', 'clickCount', 'likeCount', 'commentCount', 'shareCount']
                .map((name) => [name, grown(post, name, call.now, name.startsWith('i') ? 40 : 2)])
                .concat([['engagement', 0.05]]),
            ),
          }))
        return { json: { elements, paging: { start: 0, count: 10, links: [] } } }
      },
    ],
    [
      `GET ${rest}/organizationalEntityFollowerStatistics`,
      (call) => {
        world.who(call, 'rw_organization_admin')
        const counts = (n: number) => ({ organicFollowerCount: n, paidFollowerCount: 0 })
        const elements = daysAsked(call, (at, value) => ({
          organizationalEntity: call.text('organizationalEntity'),
          timeRange: { start: at, end: at + 86_400_000 },
          followerGains: { organicFollowerGain: value('gains', 3), paidFollowerGain: 0 },
        })) ?? [
          {
            followerCountsByGeoCountry: [{ geo: 'urn:li:geo:101282230', followerCounts: counts(140) }],
            followerCountsByIndustry: [{ industry: 'urn:li:industry:34', followerCounts: counts(60) }],
            followerCountsBySeniority: [{ seniority: 'urn:li:seniority:4', followerCounts: counts(80) }],
          },
        ]
        return { json: { elements, paging: { start: 0, count: 10, links: [] } } }
      },
    ],
    [
      `GET ${rest}/organizationPageStatistics`,
      (call) => {
        world.who(call, 'rw_organization_admin')
        const elements = daysAsked(call, (at, value) => ({
          organization: call.text('organization'),
          timeRange: { start: at, end: at + 86_400_000 },
          totalPageStatistics: { views: { allPageViews: { pageViews: value('views', 20) } } },
        }))
        return { json: { elements: elements ?? [], paging: { start: 0, count: 10, links: [] } } }
      },
    ],
    [
      `GET ${rest}/networkSizes/{urn}`,
      (call) => {
        world.who(call)
        return { json: { firstDegreeSize: followersAt(call.path.urn ?? '', call.now) } }
      },
    ],
    [
      `GET ${rest}/memberCreatorPostAnalytics`,
      (call) => {
        world.who(call, 'r_member_postAnalytics')
        const urn = /urn:li:(?:share|ugcPost):\d+/.exec(decodeURIComponent(call.text('entity')))?.[0] ?? ''
        return {
          json: {
            elements: world
              .live((post) => post.id === urn)
              .map((post) => ({
                count: grown(post, call.text('queryType'), call.now, 5),
                metricType: call.text('queryType'),
              })),
            paging: { start: 0, count: 10, links: [] },
          },
        }
      },
    ],
  ]
}

/** What a Page tells of each day of the interval that was asked for; undefined without one. */
function daysAsked<T>(
  call: Call,
  element: (at: number, value: (name: string, about: number) => number) => T,
): T[] | undefined {
  const [, start, end] = /start:(\d+),end:(\d+)/.exec(decodeURIComponent(call.text('timeIntervals'))) ?? []
  if (start === undefined || end === undefined) return undefined
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  const account = call.text('organizationalEntity') || call.text('organization')
  return daysBetween(day(Number(start)), day(Number(end) - 1)).flatMap((date) => {
    const told = (name: string, about: number) =>
      valueOfDay({ account, name, day: date, about }, call.now, { delayHours: 24, finalHours: 48 })
    return told('day', 1) === null ? [] : [element(Date.parse(date), (name, about) => told(name, about) ?? 0)]
  })
}

/** A page by `start` and `count`. No links lead to the next one, as in real responses of the Posts API. */
function listed(call: Call, posts: readonly SimulatedPost[], node: (post: SimulatedPost) => unknown): Reply {
  const count = sizeOf(call, 'count', { usual: 10, most: 100 })
  const { items } = pageOf(posts, count, call.text('start'))
  return { json: { elements: items.map(node), paging: { start: Number(call.text('start')) || 0, count, links: [] } } }
}

/**
 * A commentary is stored as plain text with attributes, and shown as little text again (learn.microsoft.com/linkedin,
 * little text format): hashtags are templates and all reserved characters are escaped, however they were written.
 */
function fromStored(little: string): string {
  const parts =
    /\{hashtag\|\\?(?<sign>[#＃])\|(?<template>(?:\\.|[^\\}])*)\}|(?<mention>@\[(?:\\.|[^\\\]])*\]\(urn:li:\w+:\w+\))|#(?<tag>[\p{L}\p{M}\p{N}_]+)|\\(?<escaped>.)|(?<plain>.)/gsu
  return [...little.matchAll(parts)]
    .map(({ groups: { sign = '#', template, mention, tag, escaped, plain } = {} }) => {
      const name = template ?? tag
      if (name !== undefined) return String.raw`{hashtag|${sign === '#' ? '\\#' : sign}|${name}}`
      return mention ?? (escaped ?? plain ?? '').replace(/[|{}@[\]()<>#\\*_~]/, String.raw`\$&`)
    })
    .join('')
}

/** Fields that a test gives a post. */
const Extra = z.looseObject({}).catch({})

function node(post: SimulatedPost): Record<string, unknown> {
  return {
    ...Body.parse(post.more.body),
    id: post.id,
    author: post.account,
    commentary: fromStored(post.text),
    createdAt: post.createdAt,
    publishedAt: post.createdAt,
    lastModifiedAt: post.createdAt,
    lifecycleState: 'PUBLISHED',
    visibility: 'PUBLIC',
    ...Extra.parse(post.more.extra),
  }
}
