import { isIPv6, Socket } from 'node:net'
import type { ServerResponse } from 'node:http'
import { compile } from '@fastify/proxy-addr'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Env } from '../env.ts'
import { fail } from '../errors.ts'

/** What connections may cost. Times in milliseconds, sizes in bytes. docs/operations.md prints them. */
export type ConnectionLimits = {
  /** From the first byte of a request to the end of its headers; also how long a new connection may be silent. */
  headersMs: number
  /** From the end of the headers to the end of the body, except for uploads. */
  bodyMs: number
  /** An upload may take as long as it likes if each of these windows brings `uploadBytes`. */
  uploadWindowMs: number
  uploadBytes: number
  /** A connection without traffic in either direction. */
  idleMs: number
  /** Between two requests. Longer than the minute for which load balancers usually keep theirs. */
  keepAliveMs: number
  /** The process's connections. */
  connections: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  headersMs: 20_000,
  bodyMs: 60_000,
  uploadWindowMs: 60_000,
  uploadBytes: 16_384,
  idleMs: 300_000,
  keepAliveMs: 72_000,
  connections: 10_000,
}

/** The largest body of a call without a session, and of any other before its session is known. In bytes. */
export const SMALL_BODY = 32_768
/** The largest body of a call with a session, whatever its schema accepts, unless its endpoint declares one. In bytes. */
export const SIGNED_IN_BODY = 2_000_000

/** The largest address and headers: of 500 ids, which calls for some channels take, with a cookie. In bytes. */
const LONGEST_HEAD = 32_768

/** What the HTTP server itself enforces. There's no overall limit for bodies, because an upload may take hours. */
export const serverTimeouts = ({ headersMs, idleMs, keepAliveMs }: ConnectionLimits) => ({
  connectionTimeout: idleMs,
  keepAliveTimeout: keepAliveMs,
  requestTimeout: 0,
  http: {
    maxHeaderSize: LONGEST_HEAD,
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.ceil(headersMs / 4),
  },
})

type Connections = {
  /** How many are open right now. */
  stats(): { open: number }
}

declare module 'fastify' {
  interface FastifyInstance {
    connections: Connections
  }
  interface FastifyContextConfig {
    /** The body goes to disk as it arrives. It's judged by its progress and never held in memory. */
    streamed?: true
    /** The body is passed on as it is: the code that checks its signature parses it. */
    rawBody?: 'text' | 'base64'
  }
}

type Options = { env: Env; clock: Clock; limits: ConnectionLimits; warn: (facts: object, message: string) => void }

/**
 * Limits what clients can hold: connections and running requests per address, and the time a body takes. A connection from a proxy in TRUST_PROXY is counted by the addresses it forwards.
 */
export function boundConnections(app: FastifyInstance, { env, clock, limits, warn }: Options): void {
  const most = env.CONNECTIONS_PER_ADDRESS
  const trusted = env.TRUST_PROXY.length > 0 ? compile(env.TRUST_PROXY) : () => false
  const sockets = counter()
  const requests = counter()
  const warnOnce = atMostEveryMinute(clock, (address: string) =>
    warn({ address, most }, 'an address has too many open connections; new ones are refused until it closes some'),
  )

  app.server.maxConnections = limits.connections
  app.server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || trusted(address, 0)) return
    const key = networkOf(address)
    if (sockets.of(key) >= most) {
      warnOnce(address)
      socket.destroy()
      return
    }
    sockets.add(key, 1)
    socket.once('close', () => sockets.add(key, -1))
  })

  app.addHook('onRequest', async (request, reply) => {
    const key = networkOf(request.ip)
    if (requests.of(key) >= most) {
      warnOnce(request.ip)
      throw fail('RATE_LIMITED', { detail: TOO_MANY, meta: { retryAfterSeconds: 10 } })
    }
    requests.add(key, 1)
    whenOver(reply.raw, () => requests.add(key, -1))
    if (hasBody(request)) watchBody(request, reply, limits)
  })

  app.decorate('connections', { stats: () => ({ open: sockets.sum() }) })
}

const TOO_MANY = 'Your network is sending too many requests at once. Try again in a moment.'

/** Whether a request has a body, possibly of unknown length. */
export const hasBody = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** The announced length in bytes; undefined for chunked bodies. */
export const lengthOf = ({ headers }: Pick<FastifyRequest, 'headers'>): number | undefined =>
  headers['content-length'] === undefined ? undefined : Number(headers['content-length'])

/** Closes the connection of a client whose body doesn't arrive in time. */
function watchBody(request: FastifyRequest, reply: FastifyReply, limits: ConnectionLimits): void {
  const { raw } = request
  // a simulated request is complete from the start
  if (!(raw.socket instanceof Socket)) return
  const isStreamed = request.routeOptions.config.streamed === true
  let before = raw.socket.bytesRead
  const timer = setInterval(
    () => {
      const arrived = raw.socket.bytesRead - before
      before = raw.socket.bytesRead
      // waiting for our own disk isn't the client's delay
      const isMoving = arrived >= limits.uploadBytes || raw.readableLength >= raw.readableHighWaterMark
      if (!isStreamed || !isMoving) cut(request, reply)
    },
    isStreamed ? limits.uploadWindowMs : limits.bodyMs,
  ).unref()
  raw.once('close', () => clearInterval(timer))
}

function cut({ raw: { complete, socket } }: FastifyRequest, reply: FastifyReply): void {
  if (complete) return
  if (reply.raw.headersSent) socket.destroy()
  // as Node responds when its own limit ends a request
  else socket.end('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n', () => socket.destroy())
}

/** Runs once, when a response was sent or its connection closed. */
export function whenOver(response: ServerResponse, job: () => void): void {
  let over = false
  const end = () => {
    if (over) return
    over = true
    job()
  }
  // a simulated response may end without closing
  response.once('finish', end)
  response.once('close', end)
}

/** Numbers by key, and their sum. A key whose number returns to zero is removed. */
export function counter() {
  const counts = new Map<string, number>()
  let sum = 0
  return {
    of: (key: string) => counts.get(key) ?? 0,
    sum: () => sum,
    add(key: string, by: number) {
      sum += by
      const next = (counts.get(key) ?? 0) + by
      if (next === 0) counts.delete(key)
      else counts.set(key, next)
    },
  }
}

/** One client: an IPv4 address, or the /64 network of an IPv6 one, which usually belongs to a single subscriber. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  return [...groups, ...Array.from({ length: zeros }, () => '0'), ...rest]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

function atMostEveryMinute<T>(clock: Clock, job: (value: T) => void): (value: T) => void {
  let last = -Infinity
  return (value) => {
    if (clock.monotonic() - last < 60_000) return
    last = clock.monotonic()
    job(value)
  }
}
