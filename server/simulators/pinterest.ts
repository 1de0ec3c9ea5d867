import { daysBetween, followersAt, valueOfDay } from './accountSeries.ts'
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
 * Pinterest: boards, Pins from URLs, base64 or uploaded videos, and uploads to a separate storage host. Refresh tokens
 * rotate. An app whose client ID ends with `trial` can only create Pins in the sandbox.
 */
const api = 'api.pinterest.com/v5'
const sandboxHost = 'api-sandbox.pinterest.com'
const store = 'pinterest-media-upload.s3-accelerate.amazonaws.com'
const photos = { types: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'], bytes: 20_000_000 }
const kinds: Record<Why, [status: number, code: number]> = {
  token: [401, 2],
  expired: [401, 2],
  scope: [403, 29],
  request: [400, 1],
  missing: [404, 50],
  limit: [429, 8],
  duplicate: [409, 12],
  media: [400, 235],
}

function refusal(why: Why, message: string): Reply {
  const [status, code] = kinds[why]
  return { status, json: { code, message } }
}

type Film = { account: string; key: string; policy: string; bytes: number; looks: number }

export function pinterestSimulator(around: Surroundings): PlatformSimulator {
  const world = new World('pinterest', peopleOf('pinterest', 3), refusal)
  world.usualType = 'pin'
  world.native = ({ number, account, text }) => ({
    id: number,
    kind: 'pin',
    text,
    permalink: `https://www.pinterest.com/pin/${number}/`,
    more: { title: '', board_id: [...boards].find(([, { account: of }]) => of === account)?.[0] },
  })
  const boards = new Map<string, { account: string; name: string; description?: string; privacy?: string }>()
  for (const { id } of world.accounts)
    for (const name of ['Bread', 'The shop', 'Mornings']) boards.set(world.nextId(), { account: id, name })
  return {
    world,
    hosts: ['www.pinterest.com', 'api.pinterest.com', sandboxHost, store, 'pinterest-media-upload.s3.amazonaws.com'],
    routes: inSandboxToo([
      ...oauthRoutes(world, {
        label: 'Pinterest',
        page: ['www.pinterest.com/oauth/', 'www.pinterest.com/oauth'],
        token: [`POST ${api}/oauth/token`],
        separator: ' ',
        pkce: 'none',
        codeSeconds: 600,
        accessSeconds: 30 * 24 * 3600,
        refresh: { seconds: 60 * 24 * 3600, rotates: true },
        more: () => ({ response_type: 'authorization_code', refresh_token_expires_in: 60 * 24 * 3600 }),
        wrong: (_error, message) => ({ status: 400, json: { code: 283, message } }),
      }),
      [
        `GET ${api}/user_account/analytics`,
        (call) => {
          const { account } = world.who(call, 'user_accounts:read')
          const names = call.text('metric_types').split(',')
          const days = daysBetween(call.text('start_date'), call.text('end_date'))
          // it keeps 90 days
          if (Date.parse(days[0] ?? '') < call.now - 91 * 86_400_000)
            world.no('request', 'The start date is too far back.')
          const daily = days.map((date) => {
            const told = names.map((name): [string, number | null] => [
              name,
              valueOfDay({ account, name, day: date, about: 40 }, call.now, { delayHours: 24, finalHours: 48 }),
            ])
            const isReady = told.every(([, value]) => value !== null)
            return {
              date,
              data_status: isReady ? 'READY' : 'PROCESSING',
              metrics: isReady ? Object.fromEntries(told) : {},
            }
          })
          return { json: { all: { daily_metrics: daily, summary_metrics: {} } } }
        },
      ],
      [
        `GET ${api}/user_account`,
        (call) => {
          const person = world.account(world.who(call, 'user_accounts:read').account)
          return {
            json: {
              id: person?.id,
              account_type: 'BUSINESS',
              username: person?.handle,
              business_name: person?.name,
              profile_image: person?.picture,
              follower_count: followersAt(person?.id ?? '', call.now),
              pin_count: world.live((pin) => pin.account === person?.id).length,
              board_count: 3,
            },
          }
        },
      ],
      [
        `GET ${api}/boards`,
        (call) => {
          const { account } = world.who(call, 'boards:read')
          return listed(
            call,
            [...boards]
              .filter(([, board]) => board.account === account)
              .map(([id, { name, description = '', privacy = 'PUBLIC' }]) => ({
                id,
                name,
                description,
                privacy,
                owner: { username: world.account(account)?.handle },
              })),
          )
        },
      ],
      [
        `POST ${api}/boards`,
        (call) => {
          const { account } = world.who(call, 'boards:write')
          const id = world.nextId()
          boards.set(id, { account, name: call.text('name') })
          return { status: 201, json: { id, name: call.text('name'), privacy: 'PUBLIC' } }
        },
      ],
      [
        `PATCH ${api}/boards/{id}`,
        (call) => {
          const { account } = world.who(call, 'boards:write')
          const id = call.path.id ?? ''
          const board = boards.get(id) ?? world.no('missing', 'Board not found.')
          if (board.account !== account) world.no('scope', 'You are not permitted to access that resource.')
          Object.assign(
            board,
            z
              .object({
                name: z.string().optional(),
                description: z.string().optional(),
                privacy: z.enum(['PUBLIC', 'SECRET']).optional(),
              })
              .parse(call.body.value),
          )
          return { json: { id, description: '', privacy: 'PUBLIC', ...board } }
        },
      ],
      ...pins(world, around, boards),
    ]),
  }
}

/** The sandbox has the same calls. */
const inSandboxToo = (routes: Route[]): Route[] =>
  routes.flatMap((route) => {
    const [pattern, answer] = route
    return pattern.includes(api) ? [route, [pattern.replace('api.pinterest.com', sandboxHost), answer]] : [route]
  })

/** A page; a bookmark goes on after the item that it names, even if that one is gone. */
function listed<T extends { id?: unknown }>(
  call: Call,
  all: readonly T[],
  isThere: (item: T) => boolean = () => true,
): Reply {
  const [, after] = /^after-(.+)$/.exec(call.text('bookmark')) ?? []
  const rest = all.slice(all.findIndex(({ id }) => id === after) + 1).filter(isThere)
  const items = rest.slice(0, sizeOf(call, 'page_size', { usual: 25, most: 250 }))
  return { json: { items, bookmark: items.length < rest.length ? `after-${String(items.at(-1)?.id)}` : null } }
}

const Source = z.looseObject({
  source_type: z.string(),
  url: z.string().optional(),
  items: z.array(z.looseObject({ url: z.string().optional() })).default([]),
  media_id: z.string().optional(),
  cover_image_url: z.string().optional(),
})
const Pin = z.object({
  board_id: z.string(),
  title: z.string().optional(),
  description: z.string().default(''),
  link: z.string().optional(),
  alt_text: z.string().optional(),
  media_source: Source,
})
const Changed = Pin.omit({ media_source: true }).partial()

function pins(world: World, around: Surroundings, boards: ReadonlyMap<string, { account: string }>): Route[] {
  const films = new Map<string, Film>()
  const own = (call: Call, ...rights: string[]): SimulatedPost => {
    const { account } = world.who(call, ...rights)
    const pin = world.post(call.path.id ?? '')
    return pin.account === account ? pin : world.no('scope', 'You are not permitted to access that resource.')
  }
  const boardOf = (id: string, account: string): string => {
    const board = boards.get(id) ?? world.no('missing', 'Board not found.')
    return board.account === account ? id : world.no('scope', 'You are not permitted to save to that board.')
  }
  /** The storage host for videos: the form it issued, the file last, no token. */
  const upload = (call: Call): Reply => {
    const film = [...films.values()].find(
      ({ key, policy }) => key === call.text('key') && policy === call.text('policy'),
    )
    const file = call.body.files.file
    if (!film || call.headers.authorization !== undefined)
      return { status: 403, html: '<Error><Code>AccessDenied</Code></Error>' }
    if (!file || file.bytes === 0 || file.bytes > 2_000_000_000)
      return { status: 400, html: '<Error><Code>EntityTooLarge</Code></Error>' }
    film.bytes = file.bytes
    return { status: 204 }
  }
  return [
    [
      `POST ${api}/media`,
      (call) => {
        const { account } = world.who(call, 'pins:write')
        const id = world.nextId()
        const film = {
          account,
          key: `uploads/${id}.mp4`,
          policy: randomBytes(12).toString('base64'),
          bytes: 0,
          looks: 0,
        }
        films.set(id, film)
        return {
          status: 201,
          json: {
            media_id: id,
            media_type: 'video',
            upload_url: `https://${store}/`,
            upload_parameters: {
              'x-amz-date': '20261121T080000Z',
              'x-amz-signature': 'simulated',
              'x-amz-security-token': 'simulated',
              'x-amz-algorithm': 'AWS4-HMAC-SHA256',
              'x-amz-credential': 'simulated',
              key: film.key,
              policy: film.policy,
              'Content-Type': 'multipart/form-data',
            },
          },
        }
      },
    ],
    [`POST ${store}/`, upload],
    [
      `GET ${api}/media/{id}`,
      (call) => {
        const { account } = world.who(call, 'pins:read')
        const film = films.get(call.path.id ?? '')
        if (film?.account !== account) return refusal('missing', 'Media not found.')
        const done = film.bytes > 0 && film.looks++ >= world.looks
        return {
          json: {
            media_id: call.path.id,
            media_type: 'video',
            status: film.bytes === 0 ? 'registered' : done ? 'succeeded' : 'processing',
          },
        }
      },
    ],
    [
      `POST ${api}/pins`,
      async (call) => {
        const { account, clientId } = world.who(call, 'pins:write')
        if (clientId.endsWith('trial') && call.url.host !== sandboxHost)
          return {
            status: 403,
            json: {
              code: 29,
              message:
                'Apps with Trial access may not create Pins in production https://api.pinterest.com - use API Sandbox https://api-sandbox.pinterest.com instead.',
            },
          }
        const pin = Pin.parse(call.body.value)
        const board = boardOf(pin.board_id, account)
        const { media_source: source } = pin
        for (const url of [source.url, source.cover_image_url, ...source.items.map((item) => item.url)].filter(
          (item) => item !== undefined,
        )) {
          const file = await pull(around.pull, url, photos)
          if (typeof file === 'string') world.no('media', `Sorry we could not fetch the image: it ${file}`)
        }
        const film = source.media_id === undefined ? undefined : films.get(source.media_id)
        if (
          source.source_type === 'video_id' &&
          (film?.account !== account || film.bytes === 0 || film.looks <= world.looks)
        )
          world.no('media', 'The media is not ready.')
        const id = world.nextId()
        const made = world.publish(
          {
            id,
            account,
            kind: 'pin',
            text: pin.description,
            media: [source.media_id ?? source.url ?? source.source_type],
            permalink: `https://www.pinterest.com/pin/${id}/`,
            more: {
              ...pin,
              media_source: undefined,
              board_id: board,
              film: film !== undefined,
              many: source.items.length > 0,
            },
          },
          call.now,
        )
        return { status: 201, json: node(made, call) }
      },
    ],
    [`GET ${api}/pins`, (call) => ownPins(world, call, world.who(call, 'pins:read').account)],
    [
      `GET ${api}/boards/{board}/pins`,
      (call) => ownPins(world, call, world.who(call, 'pins:read').account, call.path.board),
    ],
    [`GET ${api}/pins/{id}`, (call) => ({ json: node(own(call, 'pins:read'), call) })],
    [
      `PATCH ${api}/pins/{id}`,
      (call) => {
        const pin = own(call, 'pins:write')
        const changed = Changed.parse(call.body.value)
        if (changed.board_id !== undefined) boardOf(changed.board_id, pin.account)
        pin.text = changed.description ?? pin.text
        Object.assign(pin.more, changed)
        return { json: node(pin, call) }
      },
    ],
    [
      `DELETE ${api}/pins/{id}`,
      (call) => {
        own(call, 'pins:write').deleted = true
        return { status: 204 }
      },
    ],
    [
      `GET ${api}/pins/{id}/analytics`,
      (call) => {
        const pin = own(call, 'pins:read')
        return {
          json: {
            all: { lifetime_metrics: figures(pin, call), summary_metrics: figures(pin, call), daily_metrics: [] },
          },
        }
      },
    ],
    [
      `GET ${api}/pins/analytics`,
      (call) => {
        const { account } = world.who(call, 'pins:read')
        return {
          json: Object.fromEntries(
            call
              .text('pin_ids')
              .split(',')
              .flatMap((id) => world.live((pin) => pin.id === id && pin.account === account))
              .map((pin) => [
                pin.id,
                { all: { lifetime_metrics: figures(pin, call), summary_metrics: figures(pin, call) } },
              ]),
          ),
        }
      },
    ],
  ]
}

const figures = (pin: SimulatedPost, call: Call): Record<string, number> =>
  Object.fromEntries(
    (call.text('metric_types') || 'IMPRESSION,SAVE')
      .split(',')
      .map((name) => [name, grown(pin, name, call.now, name === 'IMPRESSION' ? 40 : 2)]),
  )
/** A page of the account's Pins, newest first. */
const ownPins = (world: World, call: Call, account: string, board?: string): Reply =>
  listed(
    call,
    world.newestFirst((pin) => pin.account === account).map((pin) => node(pin, call)),
    ({ id, board_id: on }) => world.find(String(id)) !== undefined && (board === undefined || on === board),
  )

function node(pin: SimulatedPost, call: Call): Record<string, unknown> {
  const { title, link, alt_text, board_id } = Changed.parse(pin.more)
  const metrics = {
    impression: grown(pin, 'IMPRESSION', call.now, 40),
    save: grown(pin, 'SAVE', call.now),
    pin_click: grown(pin, 'PIN_CLICK', call.now, 2),
    clickthrough: grown(pin, 'OUTBOUND_CLICK', call.now, 2),
    reaction: grown(pin, 'TOTAL_REACTIONS', call.now),
    comment: 0,
  }
  return {
    id: pin.id,
    title: title ?? null,
    description: pin.text,
    link: link ?? null,
    alt_text: alt_text ?? null,
    board_id,
    created_at: new Date(pin.createdAt).toISOString().slice(0, 19),
    creative_type: pin.more.film ? 'VIDEO' : pin.more.many ? 'CAROUSEL' : 'REGULAR',
    is_owner: true,
    parent_pin_id: null,
    media: {
      media_type: pin.more.film ? 'video' : pin.more.many ? 'multiple_images' : 'image',
      images: { '600x': { width: 600, height: 900, url: `https://pinterest.simulated/pictures/${pin.id}.png` } },
    },
    ...(call.text('pin_metrics') === 'true' && { pin_metrics: { '90d': metrics, lifetime_metrics: metrics } }),
  }
}
