import type { LookupAddress } from 'node:dns'
import { Agent } from 'undici'
import { systemClock, type Clock } from '#server/clock.ts'
import { createCookieJar } from './cookies.ts'
import { exchange } from './exchange.ts'
import type { SafeAnswer, SafeRequest } from './safeHttp.ts'
import { guardedConnector, refusalOfUrl, type Resolve } from './guardedConnector.ts'

/** Never throws. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeAnswer>

export type SafeFetchOptions = {
  /** Private `host:port` pairs that may be connected to, exactly as in the URL. */
  allow: readonly string[]
  /** Resolves a host's addresses. Called once per connection; these addresses are checked and connected to. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
  clock?: Clock
  /** Called with hosts that were refused. */
  onRefused?: (host: string) => void
}

/** Connections to one origin; further requests wait, within their own time limit. */
const CONNECTIONS_PER_ORIGIN = 1024
const REDIRECTS = [301, 302, 303, 307, 308]
/** Headers that aren't sent to another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'dpop']

/**
 * The only way to send requests to other servers: resolves names once, refuses private and special addresses, checks
 * redirects again, and limits size and time. It has its own pool of kept-alive connections: create one per process.
 *
 * Requests that may change something use HTTP/1.1, so that one connection carries one request and we know what was
 * written: over HTTP/2, undici repeats a request if the server refuses its stream or closes the connection. Requests
 * that only read share a connection by HTTP/2 if the server offers it.
 */
export function createSafeFetch({ allow, resolve, clock = systemClock, onRefused }: SafeFetchOptions): SafeFetch {
  const allowed = new Set(allow.map((pair) => pair.toLowerCase()))
  const agentWith = (allowH2: boolean) =>
    new Agent({
      connect: guardedConnector(allowed, resolve satisfies Resolve | undefined, { allowH2 }),
      allowH2,
      connections: CONNECTIONS_PER_ORIGIN,
      keepAliveTimeout: 10_000,
      keepAliveMaxTimeout: 60_000,
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const [writing, reading] = [agentWith(false), agentWith(true)]

  return async function safeFetch(address, request) {
    const deadline = clock.monotonic() + request.timeoutMs
    let hop = { url: address, request }
    const jar = request.cookies ? createCookieJar() : undefined
    for (let redirects = 0; ; redirects++) {
      const refusal = refusalOfUrl(hop.url, allowed)
      const answer = refusal
        ? ({ kind: 'unsent', why: 'address-refused', detail: refusal } as const)
        : await exchange(onlyReads(hop.request) ? reading : writing, new URL(hop.url), hop.request, deadline, clock)
      if (answer.kind !== 'answer' && answer.why === 'address-refused')
        onRefused?.(URL.canParse(hop.url) ? new URL(hop.url).host : '')
      if (answer.kind === 'unsent' && redirects > 0) return { ...answer, kind: 'lost' }
      if (answer.kind !== 'answer' || !REDIRECTS.includes(answer.status) || !answer.headers.location) return answer
      if (redirects >= (request.redirects ?? 0))
        return { kind: 'lost', why: 'redirect', detail: `${answer.status} from ${hop.url}` }
      const sendsAgain = answer.status >= 307 && typeof hop.request.body === 'object' && 'open' in hop.request.body
      if (sendsAgain) return { kind: 'lost', why: 'redirect', detail: `${answer.status} from ${hop.url}` }
      if (!URL.canParse(answer.headers.location, hop.url))
        return { kind: 'lost', why: 'redirect', detail: `${answer.status} to no address` }
      jar?.keep(hop.url, answer.headers['set-cookie'])
      hop = follow(hop.url, answer.status, answer.headers.location, hop.request)
      const cookie = jar?.of(hop.url)
      if (cookie) hop.request = { ...hop.request, headers: { ...hop.request.headers, cookie } }
    }
  }
}

/** Whether repeating it changes nothing (RFC 9110, 9.2.1). Large streamed responses also get their own connection. */
const onlyReads = ({ method = 'GET', body, into }: SafeRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && body === undefined && into === undefined

/** The next request of a redirect (RFC 9110, 15.4): credentials aren't sent to another origin. */
function follow(
  from: string,
  status: number,
  location: string,
  request: SafeRequest,
): { url: string; request: SafeRequest } {
  const url = new URL(location, from)
  const turnsToGet = status === 303 ? request.method !== 'HEAD' : status < 303 && request.method === 'POST'
  const dropped = new Set([
    ...(url.origin === new URL(from).origin ? [] : CREDENTIALS),
    ...(turnsToGet ? ['content-type', 'content-length', 'content-encoding'] : []),
  ])
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).filter(([name]) => !dropped.has(name.toLowerCase())),
  )
  if (!turnsToGet) return { url: url.href, request: { ...request, headers } }
  const { body: _, ...rest } = request
  return { url: url.href, request: { ...rest, method: 'GET', headers } }
}
