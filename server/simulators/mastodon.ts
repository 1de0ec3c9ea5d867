import { createHash, randomBytes } from 'node:crypto'
import { countText } from '#contract/platforms/countText.ts'
import { findSpans } from '#contract/platforms/fediverse.ts'
import { addressPlaces } from '#contract/platforms/webAddresses.ts'
import { z } from 'zod'
import { pushSubscriptions } from './mastodonPush.ts'
import { followersAt } from './accountSeries.ts'
import { liveToken, oauthRoutes, standardWrong } from './oauth.ts'
import {
  grown,
  sizeOf,
  toldOf,
  peopleOf,
  World,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedPost,
  type Why,
} from './world.ts'

/** A Mastodon server under any name below `.simulated`: apps that register themselves, idempotency keys. */
const at = '*.simulated'
const largest = { image: 16_777_216, video: 103_809_024 }
const kinds: Record<Why, number> = {
  token: 401,
  expired: 401,
  scope: 403,
  request: 422,
  missing: 404,
  limit: 429,
  duplicate: 422,
  media: 422,
}
const refusal = (why: Why, error: string): Reply => ({
  status: kinds[why],
  json: {
    error:
      why === 'missing'
        ? 'Record not found'
        : why === 'token'
          ? 'The access token is invalid'
          : why === 'scope'
            ? 'This action is outside the authorized scopes'
            : error,
  },
})

type Media = { account: string; type: string; film: boolean; looks: number; description: string; used: boolean }

export function mastodonSimulator(): PlatformSimulator {
  const world = new World('mastodon', peopleOf('mastodon', 3), refusal)
  // app/models/status.rb strips texts, app/services/process_mentions_service.rb writes names as people do themselves
  world.keeps = (text) =>
    text.trim().replaceAll(/(?<![\w@/])@(\w+(?:@[\w.-]*\w)?)(?![\w@])/g, (whole, named: string) => {
      const handle = handleOf(world, named)
      return handle === undefined ? whole : `@${handle}`
    })
  world.native = ({ number, text }) => ({
    id: number,
    kind: 'status',
    more: { visibility: 'public', spoiler_text: '', sensitive: false, status: text, altTexts: [] },
  })
  /** When apps were registered, by server. */
  const registered = new Map<string, number[]>()
  const oauth = oauthRoutes(world, {
    label: 'Mastodon',
    page: [`${at}/oauth/authorize`],
    token: [`POST ${at}/oauth/token`],
    separator: ' ',
    pkce: 'optional',
    codeSeconds: 600,
    accessSeconds: null,
    refresh: null,
    more: (token) => ({ token_type: 'Bearer', created_at: Math.floor(token.issuedAt / 1000) }),
    // config/initializers/doorkeeper.rb and app/controllers/oauth/authorizations_controller.rb of mastodon/mastodon
    reuses: true,
    passes: (call) =>
      call.text('force_login') === 'true'
        ? undefined
        : liveToken(world, ({ clientId }) => clientId === call.text('client_id'))?.account,
    wrong: standardWrong,
  })
  return {
    world,
    hosts: [at],
    routes: [
      [
        `POST ${at}/api/v1/apps`,
        (call) => {
          const redirects: unknown = call.fields.redirect_uris
          const list = Array.isArray(redirects) ? redirects.map(String) : call.text('redirect_uris').split('\n')
          // config/initializers/rack_attack.rb: five in ten minutes from one IP address
          const lately = (registered.get(call.url.host) ?? []).filter((at) => call.now - at < 600_000)
          if (lately.length >= 5) return { status: 429, json: { error: 'Too many requests' } }
          registered.set(call.url.host, [...lately, call.now])
          const told = Buffer.from([...list, world.nextId()].join('\n')).toString('base64url')
          const id = `${told}.${seal(told)}`
          const secret = seal(id)
          return {
            json: {
              id: '1',
              name: call.text('client_name'),
              website: null,
              scopes: call.text('scopes').split(' '),
              redirect_uris: list,
              redirect_uri: list.join('\n'),
              client_id: id,
              client_secret: secret,
              client_secret_expires_at: 0,
            },
          }
        },
      ],
      // only registered apps, with a registered redirect URI
      [
        `GET ${at}/oauth/authorize`,
        (call) => {
          const id = call.text('client_id')
          return !world.forgottenApps.has(id) && redirectsOf(id).includes(call.text('redirect_uri'))
            ? undefined
            : {
                status: 401,
                html: 'Client authentication failed due to unknown client, or the redirect URI is not valid.',
              }
        },
      ],
      [
        `POST ${at}/oauth/token`,
        (call) => {
          if (!isApp(call) || world.forgottenApps.has(call.text('client_id')))
            return standardWrong('invalid_client', 'Client authentication failed due to unknown client.')
          if (call.text('grant_type') === 'client_credentials' && world.switches.has('fewer rights'))
            return standardWrong('invalid_scope', 'The requested scope is invalid, unknown, or malformed.')
          return call.text('grant_type') === 'client_credentials'
            ? { json: { access_token: `app-${world.nextId()}`, token_type: 'Bearer', scope: call.text('scope') } }
            : undefined
        },
      ],
      [
        `POST ${at}/oauth/revoke`,
        (call) => {
          if (!isApp(call))
            return {
              status: 403,
              json: { error: 'unauthorized_client', error_description: 'You are not authorized to revoke this token' },
            }
          const token = world.tokens.get(call.text('token'))
          if (token) token.revoked = true
          return { json: {} }
        },
      ],
      ...oauth,
      ...people(world),
      ...statuses(world),
      ...pushSubscriptions(world, isHeardBy),
    ],
  }
}

// an app's ID contains its redirect URIs, so that a restarted simulator knows it
const seal = (text: string): string => createHash('sha256').update(`mastodon ${text}`).digest('hex').slice(0, 16)
function redirectsOf(clientId: string): string[] {
  const [told = '', sealed] = clientId.split('.')
  return sealed === seal(told) ? Buffer.from(told, 'base64url').toString().split('\n') : []
}
const isApp = (call: Call): boolean =>
  redirectsOf(call.text('client_id')).length > 0 && call.text('client_secret') === seal(call.text('client_id'))

const person = (world: World, id: string, host: string): Record<string, unknown> => {
  const account = world.account(id)
  return {
    id,
    username: account?.handle,
    acct: account?.handle,
    display_name: account?.name,
    url: `https://${host}/@${account?.handle}`,
    avatar: account?.picture,
    avatar_static: account?.picture,
    bot: false,
    locked: false,
    followers_count: 12,
    following_count: 3,
    statuses_count: 1,
  }
}

function people(world: World): Route[] {
  return [
    [
      `GET ${at}/api/v1/accounts/verify_credentials`,
      (call) => ({ json: person(world, world.who(call, 'read', 'read:accounts', 'profile').account, call.url.host) }),
    ],
    // app/controllers/api/v1/accounts/lookup_controller.rb: only accounts that the server knows
    [
      `GET ${at}/api/v1/accounts/lookup`,
      (call) => {
        const [name = '', server = ''] = call.text('acct').toLowerCase().split('@')
        const isHere = server === '' || server === call.url.host
        const found = world.accounts.find(({ handle }) => isHere && handle === name)
        if (!found) return world.no('missing', '')
        const statuses_count = world.live(({ account }) => account === found.id).length
        const followers_count = followersAt(found.id, call.now)
        return { json: { ...person(world, found.id, call.url.host), followers_count, statuses_count } }
      },
    ],
    ...['/api/v1/accounts/search', '/api/v2/search'].map((path): Route => [
      `GET ${at}${path}`,
      (call) => {
        world.who(call, 'read', 'read:accounts', 'read:search')
        // accounts of other servers are found if the server may ask theirs
        const found = [...world.accounts, ...(call.text('resolve') === 'true' ? world.others : [])]
          .filter(({ name, handle }) =>
            `${name} ${handle}`.toLowerCase().includes(call.text('q').replace(/^@/, '').toLowerCase()),
          )
          .map(({ id }) => person(world, id, call.url.host))
        return { json: path.endsWith('v2/search') ? { accounts: found, statuses: [], hashtags: [] } : found }
      },
    ]),
    [
      `GET ${at}/api/v2/instance`,
      (call) => ({
        json: {
          domain: call.url.host,
          title: 'Simulated Mastodon',
          version: '4.4.0',
          languages: ['en'],
          configuration: {
            statuses: {
              max_characters: charactersOf(world),
              max_media_attachments: filesOf(world),
              characters_reserved_per_url: 23,
            },
            media_attachments: {
              supported_mime_types: [
                'image/jpeg',
                'image/png',
                'image/gif',
                'image/webp',
                'video/mp4',
                'video/quicktime',
                'video/webm',
              ],
              image_size_limit: largest.image,
              video_size_limit: largest.video,
              description_limit: 1500,
            },
          },
        },
      }),
    ],
  ]
}

/** The server's text limit: higher with the switch `roomy`. */
const charactersOf = ({ switches }: World): number => (switches.has('roomy') ? 2000 : 500)
const filesOf = ({ switches }: World): number => (switches.has('roomy') ? 8 : 4)

const escaped = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

/** Paragraphs between empty lines, and breaks (Rails' simple_format, without its newlines). */
const paragraphs = (html: string): string =>
  html
    .split(/\n\n+/)
    .map((lines) => `<p>${lines.replaceAll('\n', '<br />')}</p>`)
    .join('')

/**
 * A text as people see it (mastodon/mastodon, app/lib/text_formatter.rb): the protocol of a URL and what follows its
 * first 30 characters are hidden; people are named without their server, as they write themselves, whatever was written.
 */
function htmlOf(world: World, text: string, host: string): string {
  const links = addressPlaces(text, 'known').map(({ start, end }) => {
    const url = text.slice(start, end)
    const [prefix = ''] = /^https?:\/\/(?:www\.)?/i.exec(url) ?? []
    const shown = url.slice(prefix.length, prefix.length + 30)
    const hidden = url.slice(prefix.length + 30)
    const spans = `<span class="invisible">${escaped(prefix)}</span><span class="${hidden ? 'ellipsis' : ''}">${escaped(shown)}</span><span class="invisible">${escaped(hidden)}</span>`
    return {
      start,
      end,
      html: `<a href="${escaped(url)}" target="_blank" rel="nofollow noopener noreferrer">${spans}</a>`,
    }
  })
  const spans = findSpans(text).flatMap(({ kind, start, end, value }) => {
    if (kind === 'tag')
      return {
        start,
        end,
        html: `<a href="https://${host}/tags/${encodeURIComponent(value)}" class="mention hashtag" rel="tag">#<span>${escaped(value)}</span></a>`,
      }
    const handle = kind === 'mention' ? handleOf(world, value) : undefined
    if (handle === undefined) return []
    const [name = '', server = host] = handle.split('@')
    return {
      start,
      end,
      html: `<span class="h-card" translate="no"><a href="https://${server}/@${name}" class="u-url mention">@<span>${name}</span></a></span>`,
    }
  })
  let [html, at] = ['', 0]
  for (const place of [...links, ...spans].toSorted((a, b) => a.start - b.start)) {
    if (place.start < at) continue
    html += escaped(text.slice(at, place.start)) + place.html
    at = place.end
  }
  return paragraphs(html + escaped(text.slice(at)))
}

/** As servers that parse Markdown show it (glitch-soc, Akkoma, GoToSocial): without marks and link URLs. */
const markdown = (text: string): string =>
  paragraphs(escaped(text))
    .replace(/\*\*(.+?)\*\*/g, '<strong>$1</strong>')
    .replace(/\[(.+?)\]\((\S+?)\)/g, '<a href="$2">$1</a>')

const Status = z.object({
  status: z.string().default(''),
  media_ids: z.array(z.string()).default([]),
  in_reply_to_id: z.string().optional(),
  spoiler_text: z.string().default(''),
  visibility: z.string().default('public'),
  language: z.string().optional(),
  sensitive: z.boolean().default(false),
  scheduled_at: z.string().optional(),
})

/** People of this server whom a text mentions. */
const mentionedIn = (world: World, text: string) =>
  everyone(world).filter(({ handle }) => new RegExp(`@${handle}\\b`, 'i').test(text))
const everyone = ({ accounts, others }: World) => [...accounts, ...others]

/** People of other servers, who are also found under other names (app/services/resolve_account_service.rb). */
const elsewhere: Record<string, string> = {
  'anna@mastodon.example': 'anna@mastodon.example',
  'anna@social.mastodon.example': 'anna@mastodon.example',
  'hello@anna.example': 'anna@mastodon.example',
}

/** Whom a mention names, in any capitals, as they write themselves: with their server, unless it's this one. */
function handleOf(world: World, named: string): string | undefined {
  const [name = '', server = ''] = named.toLowerCase().split('@')
  return server === '' || server.endsWith('.simulated')
    ? everyone(world).find(({ handle }) => handle === name)?.handle
    : elsewhere[`${name}@${server}`]
}

/** Whether an account is notified of a status: it's mentioned, or answered. */
const isHeardBy = (world: World, account: string, { account: author, text, parent }: SimulatedPost): boolean =>
  author !== account &&
  (mentionedIn(world, text).some(({ id }) => id === account) ||
    (parent !== null && world.posts.get(parent)?.account === account))

/**
 * A page of a list, newest first: below `max_id`, or the oldest above `min_id` (docs.joinmastodon.org, api/guidelines).
 */
function pageById<T extends { id: string }>(
  call: Call,
  all: readonly T[],
  sizes: { usual: number; most: number },
): T[] {
  const [below, above] = [call.text('max_id'), call.text('min_id')]
  const within = all.filter(
    ({ id }) => (!below || BigInt(id) < BigInt(below)) && (!above || BigInt(id) > BigInt(above)),
  )
  const size = sizeOf(call, 'limit', sizes)
  return above ? within.slice(-size) : within.slice(0, size)
}

function statuses(world: World): Route[] {
  const uploads = new Map<string, Media>()
  /** Statuses by account and key, for an hour. */
  const keys = new Map<string, { id: string; at: number }>()
  /** Statuses that signed-in accounts favorited. */
  const favourites = new Set<string>()
  const write = ['write', 'write:statuses']
  const read = ['read', 'read:statuses']
  const show = (media: Media): boolean => !media.film || media.looks >= world.looks
  const mediaNode = (id: string, media: Media, host: string) => ({
    id,
    type: media.film ? 'video' : 'image',
    url: show(media) ? `https://${host}/media/${id}` : null,
    preview_url: `https://${host}/media/${id}/small`,
    description: media.description || null,
  })
  const node = (post: SimulatedPost, call: Call): Record<string, unknown> => ({
    id: post.id,
    created_at: new Date(post.createdAt).toISOString(),
    content: world.switches.has('markdown') ? markdown(post.text) : htmlOf(world, post.text, call.url.host),
    application: post.more.application ?? null,
    url: `https://${call.url.host}/@${world.account(post.account)?.handle}/${post.id}`,
    uri: `https://${call.url.host}/users/${world.account(post.account)?.handle}/statuses/${post.id}`,
    visibility: post.more.visibility,
    spoiler_text: post.more.spoiler_text,
    sensitive: post.more.sensitive,
    in_reply_to_id: post.parent,
    in_reply_to_account_id: post.parent === null ? null : (world.posts.get(post.parent)?.account ?? null),
    edited_at: post.more.edited_at ?? null,
    reblog: null,
    replies_count: toldOf(post, 'replies', call.now) ?? world.live(({ parent }) => parent === post.id).length,
    reblogs_count: grown(post, 'reblogs', call.now),
    favourites_count: grown(post, 'favourites', call.now, 4),
    favourited: favourites.has(post.id),
    account: person(world, post.account, call.url.host),
    media_attachments: post.media.flatMap((id) => {
      const found = uploads.get(id)
      return found ? [mediaNode(id, found, call.url.host)] : []
    }),
    mentions: mentionedIn(world, post.text).map(({ id, handle }) => ({
      id,
      username: handle,
      acct: handle,
      url: `https://${call.url.host}/@${handle}`,
    })),
    tags: [],
  })
  const ancestorsOf = (post: SimulatedPost): SimulatedPost[] => {
    const parent = post.parent === null ? undefined : world.posts.get(post.parent)
    return parent && !parent.deleted ? [...ancestorsOf(parent), parent] : []
  }
  /** Replies to this account and mentions of it, newest first. They have their own IDs. */
  const notificationsOf = (account: string) =>
    world.live((post) => isHeardBy(world, account, post)).map((post) => ({ id: `${post.id}0`, post }))
  const own = (call: Call, ...rights: readonly string[]): SimulatedPost => {
    const { account } = world.who(call, ...(rights.length > 0 ? rights : write))
    const post = world.post(call.path.id ?? '')
    return post.account === account ? post : world.no('missing', '')
  }
  const judge = (status: z.infer<typeof Status>, account: string, kept: readonly string[] = []): void => {
    if (countText(status.status, 'links23') + countText(status.spoiler_text, 'characters') > charactersOf(world))
      world.no('request', `Validation failed: Text character limit of ${charactersOf(world)} exceeded`)
    const media = status.media_ids.map((id) => uploads.get(id))
    if (media.length > filesOf(world))
      world.no('request', `Validation failed: Cannot attach more than ${filesOf(world)} files`)
    if (media.some((file, i) => file?.account !== account || (file.used && !kept.includes(status.media_ids[i] ?? ''))))
      world.no('missing', '')
    if (media.some((file) => file && !show(file)))
      world.no('request', 'Cannot attach files that have not finished processing. Try again in a moment!')
    if (media.length > 1 && media.some((file) => file?.film))
      world.no('request', 'Cannot attach a video to a post that already contains images')
    for (const file of media) if (file) file.used = true
  }
  return [
    [
      `POST ${at}/api/v2/media`,
      (call) => {
        const { account } = world.who(call, 'write', 'write:media')
        const file = call.body.files.file ?? world.no('media', "Validation failed: File can't be blank")
        const film = file.contentType.startsWith('video/')
        if (!film && !/^image\/(jpeg|png|gif|webp)$/.test(file.contentType))
          world.no('media', 'Validation failed: File content type is invalid')
        if (file.bytes > (film ? largest.video : largest.image))
          return { status: 413, json: { error: 'Payload too large' } }
        const id = world.nextId()
        const media = {
          account,
          type: file.contentType,
          film,
          looks: 0,
          description: call.text('description'),
          used: false,
        }
        uploads.set(id, media)
        return { status: show(media) ? 200 : 202, json: mediaNode(id, media, call.url.host) }
      },
    ],
    [
      `GET ${at}/api/v1/media/{id}`,
      (call) => {
        const { account } = world.who(call, 'write', 'write:media')
        const media = uploads.get(call.path.id ?? '')
        if (media?.account !== account) return refusal('missing', '')
        const ready = show(media)
        media.looks += 1
        return {
          status: ready ? 200 : 206,
          json: { ...mediaNode(call.path.id ?? '', media, call.url.host), ...(!ready && { url: null }) },
        }
      },
    ],
    [
      `POST ${at}/api/v1/statuses`,
      (call) => {
        const { account } = world.who(call, ...write)
        const key = `${account} ${call.headers['idempotency-key'] ?? randomBytes(8).toString('hex')}`
        const before = keys.get(key)
        const isKnown = before && call.now - before.at < 3_600_000 && !world.switches.has('no idempotency')
        if (isKnown) return { json: node(world.post(before.id), call) }
        const status = Status.parse(call.body.value)
        judge(status, account)
        if (status.in_reply_to_id !== undefined) world.post(status.in_reply_to_id)
        const post = world.publish(
          {
            account,
            kind: 'status',
            text: status.status,
            media: status.media_ids,
            parent: status.in_reply_to_id ?? null,
            // each file's details are stored, so that tests can compare them
            more: {
              ...status,
              application: { name: 'Rookery', website: null },
              altTexts: (status.media_ids ?? []).map((id) => uploads.get(id)?.description ?? ''),
            },
          },
          call.now,
        )
        keys.set(key, { id: post.id, at: call.now })
        return { json: node(post, call) }
      },
    ],
    [
      `GET ${at}/api/v1/statuses/{id}`,
      (call) => (world.who(call, ...read), { json: node(world.post(call.path.id ?? ''), call) }),
    ],
    [
      `GET ${at}/api/v1/statuses/{id}/source`,
      (call) => {
        const post = own(call, ...read)
        if (world.switches.has('no source')) world.no('missing', '')
        return { json: { id: post.id, text: post.text, spoiler_text: post.more.spoiler_text ?? '' } }
      },
    ],
    [
      `GET ${at}/api/v1/statuses`,
      (call) => {
        world.who(call, ...read)
        const ids = call.url.searchParams.getAll('id[]')
        // app/controllers/api/v1/statuses_controller.rb, check_statuses_limit; statuses hidden by StatusFilter are left
        // out
        if (ids.length > 20) world.no('request', 'Validation failed')
        const shown = world.live(({ id, more }) => ids.includes(id) && more.limited !== true)
        return { json: shown.map((post) => node(post, call)) }
      },
    ],
    [
      `GET ${at}/api/v1/statuses/{id}/context`,
      (call) => (
        world.who(call, ...read),
        {
          json: {
            ancestors: ancestorsOf(world.post(call.path.id ?? '')).map((post) => node(post, call)),
            descendants: world.live(({ parent }) => parent === call.path.id).map((post) => node(post, call)),
          },
        }
      ),
    ],
    ...['favourite', 'unfavourite'].map((verb): Route => [
      `POST ${at}/api/v1/statuses/{id}/${verb}`,
      (call) => {
        world.who(call, 'write', 'write:favourites')
        const post = world.post(call.path.id ?? '')
        if (verb === 'favourite') favourites.add(post.id)
        else favourites.delete(post.id)
        return { json: node(post, call) }
      },
    ]),
    [
      `GET ${at}/api/v1/accounts/{id}/statuses`,
      (call) => {
        world.who(call, ...read)
        // app/models/account_statuses_filter.rb: answers to oneself are no replies there
        const isReply = ({ parent, account }: SimulatedPost): boolean =>
          parent !== null && world.posts.get(parent)?.account !== account
        const all = world.newestFirst(
          (post) => post.account === call.path.id && !(call.text('exclude_replies') === 'true' && isReply(post)),
        )
        const below = all.findIndex(({ id }) => id === call.text('max_id'))
        const rest = below === -1 ? pageById(call, all, { usual: all.length, most: all.length }) : all.slice(below + 1)
        const shown = rest.filter(({ deleted }) => !deleted)
        const size = sizeOf(call, 'limit', { usual: 20, most: 40 })
        return {
          json: (call.text('min_id') ? shown.slice(-size) : shown.slice(0, size)).map((post) => node(post, call)),
        }
      },
    ],
    [
      `GET ${at}/api/v1/notifications`,
      (call) => {
        const { account } = world.who(call, 'read', 'read:notifications')
        const types = call.url.searchParams.getAll('types[]')
        const all = types.length === 0 || types.includes('mention') ? notificationsOf(account) : []
        return {
          json: pageById(call, all, { usual: 40, most: 80 }).map(({ id, post }) => ({
            id,
            type: 'mention',
            created_at: new Date(post.createdAt).toISOString(),
            account: person(world, post.account, call.url.host),
            status: node(post, call),
          })),
        }
      },
    ],
    [
      `PUT ${at}/api/v1/statuses/{id}`,
      (call) => {
        const post = own(call)
        const status = Status.parse(call.body.value)
        judge(status, post.account, post.media)
        post.text = world.keeps(status.status)
        post.media = status.media_ids
        Object.assign(post.more, {
          spoiler_text: status.spoiler_text,
          sensitive: status.sensitive,
          edited_at: new Date(call.now).toISOString(),
        })
        return { json: node(post, call) }
      },
    ],
    [
      `DELETE ${at}/api/v1/statuses/{id}`,
      (call) => {
        const post = own(call)
        const shown = node(post, call)
        post.deleted = true
        return { json: shown }
      },
    ],
  ]
}
