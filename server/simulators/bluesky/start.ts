import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import { systemClock } from '../../clock.ts'
import {
  Accounts,
  pictureOf,
  readServiceToken,
  readToken,
  serviceToken,
  type Account,
  type LedgerEntry,
  type StoredRecord,
} from './accounts.ts'
import { draw, noFaults, seeded, type Fault, type Faults } from './faults.ts'
import { followersAt } from '../accountSeries.ts'
import type { Past } from '../past.ts'
import { Deleted, deleteNative, Natives, publishNatives } from './natives.ts'
import { pastOf } from './past.ts'
import { People, type Said, type SentInChat, type Written } from './people.ts'
import { SimulatedVideoService } from './videoService.ts'

/*
 * A server with those of Bluesky's calls that publishing needs, for many accounts, with faults on demand and a ledger
 * of commits. Plain node:http, so that benches don't measure a framework.
 */

const LIKES = 'app.bsky.feed.like'
type Put = { collection: string; rkey: string; record: { subject: { uri: string; cid: string } } }

export type Simulator = {
  origin: string
  /** `host:port`, for the list of private addresses that may be connected to. */
  allow: string
  ledger: readonly LedgerEntry[]
  duplicates: readonly LedgerEntry[]
  /** Requests by method name. */
  calls: ReadonlyMap<string, number>
  /** Its accounts' video service, at the same address. */
  video: SimulatedVideoService
  /** What people write to its accounts. */
  people: People
  /** Posts that accounts like, by account and key of the like. */
  likes: ReadonlyMap<string, string>
  /** Changes how it fails from now on. */
  setFaults(faults: Partial<Faults>): void
  /** Invalidates all tokens until a new session renews them. */
  expireSessions(): void
  stop(): Promise<void>
}

type Answer = { status: number; body: unknown; headers?: Record<string, string> }

const ok = (body: unknown): Answer => ({ status: 200, body })
const wrong = (status: number, error: string, message: string): Answer => ({ status, body: { error, message } })

export type SimulatorOptions = {
  port?: number
  faults?: Partial<Faults>
  /** The directory to ask about accounts that aren't the simulator's. */
  otherAccounts?: string
  /** The time when people write, in milliseconds since 1970. */
  now?: () => number
  /** What was written to accounts before. */
  past?: Past
}

/** Starts it on localhost, on a free port unless one is given. It's also the directory of its accounts. */
export async function startBlueskySimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  let faults = { ...noFaults, ...options.faults }
  let random = seeded(faults.seed)
  let validFrom = 0
  const accounts = new Accounts(() => faults.accessSeconds)
  const likes = new Map<string, string>()
  const people = new People(accounts, options.now ?? (() => systemClock.now().getTime()))
  const remembered = (options.past ?? []).filter(({ platform }) => platform === 'bluesky')
  const known = new Set(remembered.map(({ account }) => account))
  people.remember(remembered)
  const calls = new Map<string, number>()

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://simulator')
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => serve(request, response, url, Buffer.concat(chunks)))
    request.on('error', () => response.destroy())
  })

  function serve(request: IncomingMessage, response: ServerResponse, url: URL, body: Buffer): void {
    if (url.pathname.startsWith('/sim/')) return serveControl(response, url, body)
    if (url.pathname.startsWith('/did')) return void serveDocument(response, decodeURIComponent(url.pathname.slice(1)))
    const method = url.pathname.replace('/xrpc/', '')
    calls.set(method, (calls.get(method) ?? 0) + 1)
    const drawn = draw(faults, random)
    // only a record can be refused
    const fault = drawn === 'refused' && method !== 'com.atproto.repo.createRecord' ? 'none' : drawn
    if (fault === 'dropBefore') return void request.socket.destroy()
    if (fault === 'limited')
      return reply(
        response,
        {
          ...wrong(429, 'RateLimitExceeded', 'Rate Limit Exceeded'),
          headers: {
            'retry-after': String(faults.limitedSeconds),
            'ratelimit-reset': String(Math.ceil(systemClock.now().getTime() / 1000) + faults.limitedSeconds),
          },
        },
        'none',
      )
    if (fault === 'broken') return reply(response, wrong(500, 'InternalServerError', 'Internal Server Error'), 'none')
    if (fault === 'refused')
      return reply(
        response,
        wrong(
          400,
          'InvalidRequest',
          'Invalid app.bsky.feed.post record: Record/text must not be longer than 300 graphemes',
        ),
        'none',
      )
    const finish = (answer: Answer): void => {
      if (fault === 'dropAfter') request.socket.destroy()
      else reply(response, answer, fault)
    }
    if (!method.startsWith('app.bsky.video.')) return finish(answerTo(method, request, url, body))
    const contentType = request.headers['content-type'] ?? ''
    void video
      .answer({ method, url, token: bearer(request), contentType, body })
      .then((answer) => finish(answer ?? unknown))
  }

  // the simulator is named by its host, like real servers; there are no rate limits here
  const ownDid = 'did:web:127.0.0.1'
  const video = new SimulatedVideoService(
    ownDid,
    () => ownDid,
    async (token, bytes) => (readServiceToken(token)?.aud === ownDid ? blobOf('video/mp4', bytes.length) : undefined),
  )
  video.looks = 0

  function reply(response: ServerResponse, answer: Answer, fault: Fault): void {
    const text = fault === 'garbled' ? '{"uri": "at://did:plc' : JSON.stringify(answer.body)
    const send = () => {
      response.writeHead(answer.status, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
        ...answer.headers,
      })
      response.end(text)
    }
    const wait = faults.latencyMs + (fault === 'late' ? faults.lateMs : 0)
    if (wait > 0) setTimeout(send, wait)
    else send()
  }

  function serveControl(response: ServerResponse, url: URL, body: Buffer): void {
    // sent by our own tests
    if (url.pathname === '/sim/faults') setFaults(JSON.parse(body.toString()) as Partial<Faults>)
    else if (url.pathname === '/sim/expire') expireSessions()
    // sent from a terminal, and by our own tests
    else if (url.pathname === '/sim/write')
      return reply(response, ok({ uri: people.write(JSON.parse(body.toString()) as Written) }), 'none')
    else if (url.pathname === '/sim/publish')
      return reply(response, ok({ ids: publishNatives(accounts, Natives.parse(JSON.parse(body.toString()))) }), 'none')
    else if (url.pathname === '/sim/delete') deleteNative(accounts, Deleted.parse(JSON.parse(body.toString())))
    else if (url.pathname === '/sim/say')
      return reply(response, ok({ id: people.say(JSON.parse(body.toString()) as Said) }), 'none')
    reply(
      response,
      ok({ ledger: accounts.ledger, duplicates: accounts.duplicates, calls: Object.fromEntries(calls) }),
      'none',
    )
  }

  async function serveDocument(response: ServerResponse, did: string): Promise<void> {
    const account = accounts.known(did)
    if (account) return reply(response, ok(identity(account).didDoc), 'none')
    const other = options.otherAccounts
      ? await fetch(new URL(`/${encodeURIComponent(did)}`, options.otherAccounts)).catch(() => undefined)
      : undefined
    const body: unknown = await other?.json().catch(() => undefined)
    reply(
      response,
      other ? { status: other.status, body } : { status: 404, body: { message: `DID not registered: ${did}` } },
      'none',
    )
  }

  function answerTo(method: string, request: IncomingMessage, url: URL, body: Buffer): Answer {
    if (method === 'com.atproto.server.createSession')
      // invalid JSON fails the test's request, as it should
      return createSession(JSON.parse(body.toString()) as { identifier: string; password: string })
    if (method === 'com.atproto.identity.resolveHandle')
      return ok({ did: accounts.named(url.searchParams.get('handle') ?? '').did })
    if (method === 'com.atproto.server.refreshSession') return refreshSession(bearer(request))
    if (method === 'com.atproto.server.deleteSession') return ok({})
    const account = signedIn(bearer(request))
    switch (method) {
      case 'com.atproto.repo.getRecord':
        // public on the real server too
        return getRecord(accounts.named(url.searchParams.get('repo') ?? ''), url.searchParams.get('rkey') ?? '')
      case 'com.atproto.repo.listRecords':
        // public as well
        return listRecords(accounts.named(url.searchParams.get('repo') ?? ''), url.searchParams)
      case 'com.atproto.repo.createRecord':
        return account
          ? createRecord(account, JSON.parse(body.toString()) as { rkey?: string; record: unknown })
          : expired // sent by our own adapter
      case 'com.atproto.repo.deleteRecord':
        return account
          ? deleteRecord(account, JSON.parse(body.toString()) as { rkey: string; collection?: string })
          : expired // sent by our own adapter
      case 'com.atproto.repo.putRecord':
        return account ? putLike(account, JSON.parse(body.toString()) as Put) : expired // sent by our own adapter
      case 'com.atproto.repo.uploadBlob':
        return account ? ok({ blob: blobOf(request.headers['content-type'], body.length) }) : expired
      case 'com.atproto.server.getServiceAuth':
        return account ? serviceAuth(account, url.searchParams) : expired
      case 'app.bsky.actor.getProfile':
        return profile(url.searchParams.get('actor') ?? '')
      case 'app.bsky.feed.getAuthorFeed':
        return authorFeed(url.searchParams)
      case 'app.bsky.actor.searchActorsTypeahead':
        return actors(accounts.beginning(url.searchParams.get('q') ?? '', Number(url.searchParams.get('limit') ?? 10)))
      case 'app.bsky.feed.getPosts':
        return account
          ? ok({ posts: indexed(url.searchParams.getAll('uris')).flatMap((uri) => postView(uri)) })
          : expired
      case 'app.bsky.notification.listNotifications':
        return account ? ok(people.notifications(account, url.searchParams)) : expired
      case 'app.bsky.feed.getPostThread':
        return thread(url.searchParams.get('uri') ?? '')
      case 'com.atproto.server.getSession':
        return account ? ok({ did: account.did, handle: account.handle }) : expired
      default:
        return method.startsWith('chat.bsky.convo.') ? chat(account, method, request, url, body) : unknown
    }
  }

  const indexed = (uris: readonly string[]) => uris.filter((uri) => !people.unindexed.has(uri))

  function thread(uri: string): Answer {
    const found = people.thread(uri, (one) => postView(one)[0])
    return found === undefined ? wrong(400, 'NotFound', `Post not found: ${uri}`) : ok({ thread: found })
  }

  /** Another service, which the account's server calls on its behalf. */
  function chat(
    account: Account | undefined,
    method: string,
    request: IncomingMessage,
    url: URL,
    sent: Buffer,
  ): Answer {
    if (!account) return expired
    if (request.headers['atproto-proxy'] !== 'did:web:api.bsky.chat#bsky_chat') return unknown
    // like a real server's response to an app password without access to direct messages
    if (account.handle.startsWith('nochat')) return wrong(400, 'InvalidToken', 'Bad token method')
    if (request.method === 'POST') {
      // sent by our own adapter
      const done = people.writeInChat(account, method, JSON.parse(sent.toString()) as SentInChat)
      return done === undefined ? wrong(400, 'InvalidRequest', 'Convo not found') : ok(done)
    }
    const body = people.chat(account, method, url.searchParams)
    return body === undefined ? unknown : ok(body)
  }

  const unknown = wrong(501, 'MethodNotImplemented', 'Method Not Implemented')

  const blobOf = (mimeType: string | undefined, size: number) => ({
    $type: 'blob',
    ref: { $link: 'bafkreisimulatedsimulatedsimulatedsimulatedsimulatedsimulated' },
    mimeType,
    size,
  })

  /** Like the real server: valid for a minute, unless an expiration within the hour is requested. */
  function serviceAuth({ did }: Account, params: URLSearchParams): Answer {
    const now = Math.floor(systemClock.now().getTime() / 1000)
    const exp = Number(params.get('exp') ?? now + 60)
    if (exp <= now || exp > now + 3600)
      return wrong(400, 'BadExpiration', 'cannot request a token with this expiration')
    return ok({ token: serviceToken({ iss: did, aud: params.get('aud') ?? '', lxm: params.get('lxm') ?? '', exp }) })
  }

  const expired = wrong(400, 'ExpiredToken', 'Token has expired')

  function createSession({ identifier, password }: { identifier: string; password: string }): Answer {
    if (password === 'wrong') return wrong(401, 'AuthenticationRequired', 'Invalid identifier or password')
    const account = accounts.named(identifier)
    return ok({
      ...accounts.session(account),
      ...identity(account),
      email: `${account.handle}@example.test`,
      active: true,
    })
  }

  function refreshSession(token: string): Answer {
    const claims = readToken(token)
    if (claims?.scope !== 'com.atproto.refresh') return wrong(400, 'InvalidToken', 'Token could not be verified')
    const account = accounts.named(claims.sub)
    if (account.refresh !== token) return wrong(400, 'ExpiredToken', 'Token has been revoked')
    return ok({ ...accounts.session(account), ...identity(account), active: true })
  }

  function identity(account: Account) {
    return {
      did: account.did,
      handle: account.handle,
      didDoc: {
        id: account.did,
        alsoKnownAs: [`at://${account.handle}`],
        service: [{ id: '#atproto_pds', type: 'AtprotoPersonalDataServer', serviceEndpoint: origin }],
      },
    }
  }

  function signedIn(token: string): Account | undefined {
    const claims = readToken(token)
    if (claims?.scope !== 'com.atproto.access') return undefined
    return claims.exp * 1000 > systemClock.now().getTime() && claims.exp > validFrom
      ? accounts.named(claims.sub)
      : undefined
  }

  function createRecord(account: Account, { rkey, record }: { rkey?: string; record: unknown }): Answer {
    const key = rkey ?? `auto${accounts.ledger.length}`
    const stored = accounts.create(account, key, record, performance.timeOrigin + performance.now())
    if (!stored) return wrong(400, 'InvalidRequest', `Record already exists: ${key}`)
    return ok({
      uri: uriOf(account, key),
      cid: stored.cid,
      commit: { cid: stored.cid, rev: key },
      validationStatus: 'valid',
    })
  }

  function getRecord(account: Account, rkey: string): Answer {
    const stored = account.records.get(rkey)
    if (!stored) return wrong(400, 'RecordNotFound', `Could not locate record: ${uriOf(account, rkey)}`)
    return ok({ uri: uriOf(account, rkey), cid: stored.cid, value: stored.record })
  }

  /** A page of an account's records, newest first; the cursor goes on after a record, even if that one is gone. */
  function listRecords(account: Account, params: URLSearchParams): Answer {
    const placeOf = ({ rkey, record }: { rkey: string; record: unknown }) => `${String(indexedAt(record))}/${rkey}`
    const all = recordsOf(account).toSorted((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1))
    const after = params.get('cursor')
    const rest = all.filter((one) => after === null || placeOf(one) < after)
    const items = rest.slice(0, Number(params.get('limit') ?? 50))
    const last = items.at(-1)
    return ok({
      records: items.map(({ rkey, record }) => ({
        uri: uriOf(account, rkey),
        cid: 'bafyreisimulated',
        value: record,
      })),
      ...(last && items.length < rest.length && { cursor: placeOf(last) }),
    })
  }

  /** When the network indexed a record: when it was written. */
  const indexedAt = (record: unknown): unknown =>
    typeof record === 'object' && record !== null && 'createdAt' in record
      ? record.createdAt
      : '2026-11-21T00:00:00.000Z'

  /** A post with constant metrics; nothing for posts that don't exist. */
  function postView(uri: string, past?: unknown): unknown[] {
    const [, did = '', rkey = ''] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri) ?? []
    const account = accounts.known(did)
    const stored: StoredRecord | undefined =
      account?.records.get(rkey) ?? (past === undefined ? undefined : { cid: 'bafyreisimulated', record: past })
    if (!account || !stored) return []
    const { figures } = stored
    const [likeCount = 0, replyCount = 0, repostCount = 0, quoteCount = 0, bookmarkCount = 0] = createHash('sha256')
      .update(uri)
      .digest()
    const age = systemClock.now().getTime() - Date.parse(String(indexedAt(stored.record)))
    // most of it came on its first day
    const now = (inTheEnd = 0) => Math.round(inTheEnd * (1 - Math.exp(-Math.max(0, age) / (14 * 3_600_000))))
    const counts = figures
      ? {
          likeCount: now(figures.reactions),
          replyCount: now(figures.comments),
          repostCount: Math.max(0, now(figures.shares) - now(figures.quotes)),
          quoteCount: now(figures.quotes),
          bookmarkCount: now(figures.saves),
        }
      : {
          likeCount,
          replyCount: replyCount >> 4,
          repostCount: repostCount >> 3,
          quoteCount: quoteCount >> 5,
          bookmarkCount: bookmarkCount >> 5,
        }
    return [
      {
        uri,
        cid: stored.cid,
        author: actor(account),
        record: stored.record,
        ...counts,
        indexedAt: indexedAt(stored.record),
      },
    ]
  }

  function putLike(account: Account, { collection, rkey, record }: Put): Answer {
    if (collection !== LIKES || !/^[2-7a-j][2-7a-z]{12}$/.test(rkey))
      return wrong(400, 'InvalidRequest', `Invalid ${collection} record key: ${rkey}`)
    if (postView(record.subject.uri).length === 0) return wrong(400, 'InvalidRequest', 'Could not resolve subject')
    likes.set(`${account.did} ${rkey}`, record.subject.uri)
    return ok({ uri: `at://${account.did}/${LIKES}/${rkey}`, cid: record.subject.cid })
  }

  function deleteRecord(account: Account, { rkey, collection }: { rkey: string; collection?: string }): Answer {
    if (collection === LIKES) likes.delete(`${account.did} ${rkey}`)
    else account.records.delete(rkey)
    return ok({ commit: { cid: 'bafyreisimulated', rev: rkey } })
  }

  /** Any handle exists, unless it begins with `nobody`. */
  function profile(named: string): Answer {
    if (named.startsWith('nobody')) return wrong(400, 'InvalidRequest', 'Profile not found')
    const account = accounts.named(named)
    const followersCount = followersAt(account.did, systemClock.now().getTime())
    return ok({ ...actor(account), followersCount, followsCount: 12, postsCount: recordsOf(account).length })
  }

  const recordsOf = (account: Account) => [
    ...[...account.records].toReversed().map(([rkey, { record }]) => ({ rkey, record })),
    // of accounts that the seed made, it says what was there before
    ...(known.has(account.did) ? [] : pastOf(account)),
  ]

  /** Lexicon app.bsky.feed.getAuthorFeed: newest first. An account whose handle begins with `blocks` blocks everyone. */
  function authorFeed(params: URLSearchParams): Answer {
    const account = accounts.named(params.get('actor') ?? '')
    if (account.handle.startsWith('blocks'))
      return wrong(400, 'BlockedByActor', `Requester is blocked by actor: ${account.did}`)
    const isReply = (record: unknown) => typeof record === 'object' && record !== null && 'reply' in record
    const all = recordsOf(account)
      .filter(({ record }) => params.get('filter') !== 'posts_no_replies' || !isReply(record))
      .toSorted((a, b) => (String(indexedAt(a.record)) < String(indexedAt(b.record)) ? 1 : -1))
    const start = Number(params.get('cursor') ?? 0)
    const end = start + Number(params.get('limit') ?? 50)
    return ok({
      feed: all.slice(start, end).flatMap(({ rkey, record }) => {
        const view = postView(uriOf(account, rkey), record)
        return view.map((post) => ({ post }))
      }),
      ...(end < all.length && { cursor: String(end) }),
    })
  }

  const actors = (found: readonly Account[]): Answer => ok({ actors: found.map(actor) })

  function actor(account: Account) {
    const { did, handle } = account
    const displayName = (handle.split('.')[0] ?? handle)
      .replace(/[-_]+/g, ' ')
      .replace(/\b\w/g, (letter) => letter.toUpperCase())
    return { did, handle, displayName, avatar: pictureOf(account) }
  }

  function setFaults(changed: Partial<Faults>): void {
    faults = { ...faults, ...changed }
    if (changed.seed !== undefined) random = seeded(changed.seed)
  }

  function expireSessions(): void {
    // tokens issued so far expire before those issued later with the same lifetime
    validFrom = Math.floor(systemClock.now().getTime() / 1000) + faults.accessSeconds
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  server.keepAliveTimeout = 30_000
  // a TCP server's address is an object
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    allow: `127.0.0.1:${port}`,
    ledger: accounts.ledger,
    duplicates: accounts.duplicates,
    calls,
    video,
    people,
    likes,
    setFaults,
    expireSessions,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function bearer(request: IncomingMessage): string {
  return (request.headers.authorization ?? '').replace(/^Bearer /, '')
}

function uriOf(account: Account, rkey: string): string {
  return `at://${account.did}/app.bsky.feed.post/${rkey}`
}
