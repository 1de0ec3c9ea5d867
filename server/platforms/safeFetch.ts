import type { LookupAddress } from 'node:dns'
import { Agent } from 'undici'
import { systemClock, type Clock } from '#server/clock.ts'
import { exchange } from './exchange.ts'
import { guardedConnector, refusalOfUrl, type Resolve } from './guardedConnector.ts'

/** The one way out: resolves once, refuses private and special addresses, rechecks redirects, bounds size and time. */
export type SafeRequest = {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD'
  headers?: Record<string, string>
  /** A streamed body is opened once, when the request is written: such a request follows no redirect that would send it again. */
  body?: string | Uint8Array | StreamedBody
  /** Milliseconds for the whole exchange, from the call to the last byte of the answer. */
  timeoutMs: number
  /** Answers larger than this many bytes are refused. */
  maxBytes: number
  /**
   * Takes the bytes of a 200 as they come, so that they never stand in memory whole; the answer's body is empty then. The
   * next ones are asked for when its promise is done. A throw ends the exchange (`lost`, `aborted`). A packed answer is
   * not handed on: it comes as the body, 20 MB at most.
   */
  into?: (chunk: Uint8Array) => Promise<void>
  /** A larger answer is cut at `maxBytes` instead: for pages of which only the beginning matters. */
  cut?: boolean
  /** How many redirects are followed; 0 for API calls, where a redirect is a fault. */
  redirects?: number
  signal?: AbortSignal
  /**
   * Asked in the very tick in which the first byte would be written, however long the connection took. False withdraws
   * the request: the answer is `unsent`. This is where a sender looks whether its lease still holds.
   */
  stillWanted?: () => boolean
}

/** A body that never stands in memory whole; `bytes` is its exact length. */
export type StreamedBody = { bytes: number; open: () => AsyncIterable<Uint8Array> }

/** Lower-case names; a header that came more than once is joined with a comma. */
export type SafeAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: Uint8Array; url: string }
  /** No byte of the request was written: refused address, no connection, name not found, withdrawn. */
  | { kind: 'unsent'; why: 'address-refused' | 'unreachable' | 'aborted'; detail: string }
  /** The request may have arrived, but no whole answer came back. After a redirect also what stopped the next hop. */
  | {
      kind: 'lost'
      why: 'timeout' | 'dropped' | 'too-large' | 'aborted' | 'redirect' | 'address-refused' | 'unreachable'
      detail: string
    }

/** Never throws. */
export type SafeFetch = (url: string, request: SafeRequest) => Promise<SafeAnswer>

export type SafeFetchOptions = {
  /** `host:port` pairs that may be reached although they are private. Exact, as they stand in the address. */
  allow: readonly string[]
  /** Every address of a name. Asked once per connection; what it answers is what is checked and connected to. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>
  clock?: Clock
  /** Hears of hosts that may not be reached and were not. */
  onRefused?: (host: string) => void
}

/** Connections kept to one origin; beyond it requests wait, within their own time. */
const CONNECTIONS_PER_ORIGIN = 256
const REDIRECTS = [301, 302, 303, 307, 308]
/** What must not travel to another origin. */
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization', 'dpop']

/**
 * Makes the fetch with its pool of kept connections: one per process. HTTP/1.1 only, so that one connection carries
 * one request and what was written is known.
 */
export function createSafeFetch({ allow, resolve, clock = systemClock, onRefused }: SafeFetchOptions): SafeFetch {
  const allowed = new Set(allow.map((pair) => pair.toLowerCase()))
  const connect = guardedConnector(allowed, resolve satisfies Resolve | undefined)
  const agent = new Agent({
    connect,
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: 10_000,
    keepAliveMaxTimeout: 60_000,
    headersTimeout: 0,
    bodyTimeout: 0,
  })

  return async function safeFetch(address, request) {
    const deadline = clock.monotonic() + request.timeoutMs
    let hop = { url: address, request }
    for (let redirects = 0; ; redirects++) {
      const refusal = refusalOfUrl(hop.url, allowed)
      const answer = refusal
        ? ({ kind: 'unsent', why: 'address-refused', detail: refusal } as const)
        : await exchange(agent, new URL(hop.url), hop.request, deadline, clock)
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
      hop = follow(hop.url, answer.status, answer.headers.location, hop.request)
    }
  }
}

/** The next request of a redirect (RFC 9110, 15.4): credentials stay at the origin that they were meant for. */
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
