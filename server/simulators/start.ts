import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { PlatformKey } from '#contract/platforms/rules.ts'
import { systemClock } from '../clock.ts'
import { isPretended } from '../platforms/simulated.ts'
import { described } from './described.ts'
import { remember, writtenKind, type Past } from './past.ts'
import { PlatformFaults, type PlatformFault } from './faults.ts'
import { deletePost, Deleted, Natives, publishNatives } from './natives.ts'
import { portrait } from './portraits.ts'
import type { Fetcher } from './pull.ts'
import { seeBody } from './seenBody.ts'
import { simulators } from './registry.ts'
import {
  Refused,
  type Call,
  type PlatformSimulator,
  type Reply,
  type Route,
  type SimulatedAccount,
  type World,
} from './world.ts'

/*
 * All simulated platforms in one program: each real host is served below its own name,
 * https://graph.facebook.com/v25.0/me at {base}/graph.facebook.com/v25.0/me. Requests are checked against the
 * platform's own API description, if it's available.
 */

export type OnePlatform = {
  state: World
  faults: PlatformFaults
  accounts: SimulatedAccount[]
  /** Calls in order, as `METHOD host/path`. */
  calls: string[]
  /** Requests that were refused because the platform's description doesn't allow them. */
  violations: string[]
  /** The simulator's own responses that don't match the description: its bugs. */
  mistakes: string[]
}

export type RunningPlatforms = {
  base: string
  /** `host:port`, for the list of private addresses that may be connected to. */
  allow: string
  stop: () => Promise<void>
  platform: (key: PlatformKey) => OnePlatform
  /**
   * What a person does on the consent page at this real URL: chooses an account and allows. Returns where the browser
   * is sent.
   */
  consent: (
    url: string,
    choice?: {
      account?: string
      /** Which of the offered accounts, from 0, wrapping around; the first if absent. */ nth?: number
      deny?: boolean
      without?: readonly string[]
    },
  ) => Promise<URL>
}

type Options = {
  port?: number
  /** Milliseconds since 1970; tests advance it. */
  now?: () => number
  /** Fetches files from URLs. */
  fetcher?: Fetcher
  /** What was written to accounts before. */
  past?: Past
}

/** Starts them on localhost, on a free port unless one is given. */
export async function startPlatforms({
  port = 0,
  now = () => systemClock.now().getTime(),
  fetcher = fetch,
  past = [],
}: Options = {}): Promise<RunningPlatforms> {
  const all = simulators({ pull: fetcher })
  for (const { world } of all) remember(world, past)
  const one = new Map<PlatformKey, OnePlatform>(
    all.map(({ world }) => [
      world.key,
      { state: world, faults: new PlatformFaults(), accounts: world.accounts, calls: [], violations: [], mistakes: [] },
    ]),
  )
  const platform = (key: PlatformKey): OnePlatform => {
    const found = one.get(key)
    if (!found) throw new Error(`No simulator of ${key}`)
    return found
  }
  let latencyMs = 0
  const compiled = all.map((simulator) => ({ simulator, routes: simulator.routes.map(compile) }))

  const server = createServer((request, response) => {
    // the platform's clock is the one that tests advance
    response.setHeader('date', new Date(now()).toUTCString())
    serve(request, response).catch((error: unknown) => {
      console.error(error)
      if (!response.headersSent) send(response, { status: 500, json: { simulator: String(error) } })
    })
  })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, host = '', rest = ''] = /^\/([^/?]+)(.*)$/.exec(request.url ?? '') ?? []
    const url = URL.canParse(`https://${host}${rest || '/'}`) ? new URL(`https://${host}${rest || '/'}`) : undefined
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    )
    const body = await seeBody(headers['content-type'], request)
    if (rest === '/latency' && host === 'sim') {
      latencyMs = Latency.parse(body.value).ms
      return send(response, { json: {} })
    }
    if (host === 'sim') return send(response, control(rest, body.value, platform, now()))
    if (!url) return send(response, { status: 404, json: { simulator: 'no host' } })
    if (isPretended(url.host) && url.pathname.startsWith('/pictures/')) {
      const bytes = await portrait(url.href)
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length })
      return void response.end(bytes)
    }
    const call = callOf(request.method ?? 'GET', url, headers, body, now())
    const said = `${call.method} ${url.host}${url.pathname}`
    for (const { simulator, routes } of compiled) {
      if (!answersFor(simulator, url)) continue
      const { faults, calls } = platform(simulator.world.key)
      const fitting = routes.flatMap((route) => match(route, call) ?? [])
      if (fitting.length === 0) continue
      calls.push(said)
      const fault = faults.take(said)
      if (fault?.drop === 'before') return void request.socket.destroy()
      const instead = fault?.answer && faulty(fault.answer)
      const reply = instead && !fault.done ? instead : await answer(simulator.world, call, fitting)
      const wait = latencyMs + (fault?.delayMs ?? 0)
      if (wait > 0) await pause(wait)
      if (fault?.drop === 'after') return void request.socket.destroy()
      return send(response, instead ?? reply)
    }
    const known = compiled.find(({ simulator }) => answersFor(simulator, url))
    if (known) platform(known.simulator.world.key).calls.push(said)
    send(
      response,
      known
        ? known.simulator.world.refuse('missing', `Unknown path ${url.pathname}`)
        : { status: 404, json: { simulator: `nobody plays ${host}` } },
    )
  }

  async function answer(
    world: World,
    call: Call,
    fitting: readonly { answer: Route[1]; path: Record<string, string> }[],
  ): Promise<Reply> {
    const { violations, mistakes } = platform(world.key)
    const asked = {
      method: call.method,
      url: withoutOurs(call.url),
      headers: call.headers,
      body: { ...call.body, value: asPublic(call.body.value) },
    }
    const wrong = (await described(world.key)?.check(asked)) ?? []
    violations.push(...wrong.map((violation) => `${call.method} ${call.url.host}${call.url.pathname}: ${violation}`))
    // the caller is identified before the body is parsed, as on real platforms: a call without a token is left to its
    // route
    if (wrong.some((violation) => violation !== 'no token')) return world.refuse('request', wrong.join('; '))
    const reply = await firstAnswer(call, fitting).catch((error: unknown) => {
      if (error instanceof Refused) return error.reply
      if (error instanceof z.ZodError)
        return world.refuse(
          'request',
          error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '),
        )
      throw error
    })
    const status = reply?.status ?? 200
    // error responses have a separate description, which the library doesn't check
    if (reply?.json !== undefined && reply.headers?.['content-type'] === undefined)
      mistakes.push(
        ...(described(world.key)?.checkAnswer(asked, status, reply.json) ?? []).map(
          (mistake) => `${call.method} ${call.url.host}${call.url.pathname} ${status}: ${mistake}`,
        ),
      )
    return reply ?? world.refuse('missing', `Unknown path ${call.url.pathname}`)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  // a TCP server's address is an object
  const address = server.address() as AddressInfo
  const base = `http://127.0.0.1:${address.port}`
  return {
    base,
    allow: `127.0.0.1:${address.port}`,
    platform,
    consent: (url, choice = {}) => consent(base, url, choice),
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function firstAnswer(
  call: Call,
  fitting: readonly { answer: Route[1]; path: Record<string, string> }[],
): Promise<Reply | undefined> {
  for (const { answer, path } of fitting) {
    const reply = await answer({ ...call, path })
    if (reply) return reply
  }
  return undefined
}

function answersFor({ hosts, owns }: PlatformSimulator, url: URL): boolean {
  return (
    hosts.some((host) => (host.startsWith('*') ? url.host.endsWith(host.slice(1)) : host === url.host)) &&
    (owns?.(url) ?? true)
  )
}

type Compiled = { method: string; host: string; path: RegExp; answer: Route[1] }

/**
 * `GET graph.threads.net/v1.0/{id}/insights`: `{name}` is one segment of the path, or the rest of it with `{name*}`.
 */
function compile([pattern, answer]: Route): Compiled {
  const [, method = '', host = '', path = ''] = /^(\S+) ([^/]+)(.*)$/.exec(pattern) ?? []
  const regex = path
    .split(/(\{\w+\*?\})/)
    .map((part) =>
      /^\{\w+\*\}$/.test(part)
        ? `(?<${part.slice(1, -2)}>.+)`
        : /^\{\w+\}$/.test(part)
          ? `(?<${part.slice(1, -1)}>[^/]+?)`
          : part.replaceAll(/[.+?^$()|[\]\\*]/g, '\\$&'),
    )
    .join('')
  return { method, host, path: new RegExp(`^${regex}$`), answer }
}

function match(
  { method, host, path, answer }: Compiled,
  call: Call,
): { answer: Route[1]; path: Record<string, string> } | undefined {
  if (
    method !== call.method ||
    !(host.startsWith('*') ? call.url.host.endsWith(host.slice(1)) : host === call.url.host)
  )
    return undefined
  const found = path.exec(call.url.pathname)
  return found
    ? {
        answer,
        path: Object.fromEntries(
          Object.entries(found.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        ),
      }
    : undefined
}

function callOf(method: string, url: URL, headers: Record<string, string>, body: Call['body'], now: number): Call {
  const query = Object.fromEntries(url.searchParams)
  const fields: Record<string, unknown> = {
    ...query,
    ...(typeof body.value === 'object' && body.value !== null && !Array.isArray(body.value) ? body.value : {}),
  }
  const text = (name: string): string => {
    const value = fields[name]
    return typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : ''
  }
  return { method, url, headers, path: {}, query, body, fields, text, now }
}

/** The URL without what the consent page adds. */
function withoutOurs(url: URL): string {
  const plain = new URL(url)
  for (const name of Object.keys(Object.fromEntries(plain.searchParams)))
    if (name.startsWith('sim_')) plain.searchParams.delete(name)
  return plain.href
}

/** In development, files are fetched from this machine, which replaces the public https URL that platforms require. */
function asPublic(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(/^http:(?=\/\/(?:localhost|127\.0\.0\.1)[:/])/, 'https:')
  if (Array.isArray(value)) return value.map(asPublic)
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, asPublic(one)]))
    : value
}

function send(response: ServerResponse, { status = 200, json, html, headers }: Reply): void {
  const text = html ?? (json === undefined ? '' : JSON.stringify(json))
  const type =
    html === undefined
      ? json === undefined
        ? {}
        : { 'content-type': 'application/json; charset=utf-8' }
      : { 'content-type': 'text/html; charset=utf-8' }
  response.writeHead(status, { ...type, 'content-length': Buffer.byteLength(text), ...headers })
  response.end(text)
}

const faulty = ({ status, json, text, headers = {} }: NonNullable<PlatformFault['answer']>): Reply => ({
  status,
  headers,
  ...(text === undefined ? { json } : { html: text }),
})

/** Platforms that are simulated here. */
const Played = PlatformKey.refine((key) => key !== 'bluesky', 'Bluesky has a simulator of its own')
const Asked = z.object({
  platform: Played,
  on: z.string().optional(),
  drop: z.enum(['before', 'after']).optional(),
  delayMs: z.number().optional(),
  times: z.number().optional(),
  done: z.boolean().optional(),
  after: z.number().optional(),
  answer: z.object({ status: z.number(), json: z.unknown().optional(), text: z.string().optional() }).optional(),
})

/** POST /sim/latency: the delay of every response, after the call was carried out. */
const Latency = z.object({ ms: z.number().min(0) })
/** POST /sim/people: how many more people can sign in at a platform; returns their IDs. */
const People = z.object({ platform: Played, count: z.number().int().min(0) })

/** For other processes: POST /sim/faults, POST /sim/expire {platform}, POST /sim/people, GET /sim/posts/{platform}. */
function control(path: string, body: unknown, platform: (key: PlatformKey) => OnePlatform, now: number): Reply {
  const [, what, key] = path.split('/')
  const written = what === 'write' ? Written.safeParse(body).data : undefined
  if (written) return write(platform(written.platform).state, written)
  const people = what === 'people' ? People.safeParse(body).data : undefined
  if (people) return { json: { ids: platform(people.platform).state.morePeople(people.count) } }
  const natives = what === 'publish' ? Natives.safeParse(body).data : undefined
  if (natives)
    return { json: { ids: publishNatives(platform(natives.platform).state, natives, now).map(({ id }) => id) } }
  const deleted = what === 'delete' ? Deleted.safeParse(body).data : undefined
  if (deleted) return deletePost(platform(deleted.platform).state, deleted.id)
  const asked = what === 'posts' ? Asked.safeParse({ platform: key }) : Asked.safeParse(body)
  if (!asked.success)
    return {
      status: 400,
      json: { simulator: asked.error.issues.map(({ path: at, message }) => `${at.join('.')}: ${message}`).join('; ') },
    }
  const { platform: named, ...fault } = asked.data
  const { state, faults, calls, violations } = platform(named)
  if (what === 'posts') return { json: { posts: state.live(), calls, violations } }
  if (what === 'faults') faults.add(fault)
  else if (what === 'expire') state.expireTokens()
  else
    return {
      status: 404,
      json: {
        simulator:
          'POST /sim/faults, POST /sim/expire, POST /sim/latency, POST /sim/people, POST /sim/write, POST /sim/publish, POST /sim/delete, GET /sim/posts/{platform}',
      },
    }
  return { json: {} }
}

const Written = z.object({
  platform: PlatformKey,
  /** The author's handle. */
  from: z.string(),
  text: z.string(),
  /** The post that it replies to. */
  parent: z.string().nullable().default(null),
  /** The platform's own value, such as `direct`. */
  visibility: z.string().default('public'),
})

/** Someone writes on the platform itself. */
function write(world: World, { from, text, parent, visibility }: z.infer<typeof Written>): Reply {
  const author = world.accounts.find(({ handle }) => handle === from)
  if (!author) return { status: 404, json: { simulator: `${from} is not on this platform` } }
  const post = world.publish(
    { account: author.id, kind: writtenKind(world, parent), text, parent, more: { visibility } },
    systemClock.now().getTime(),
  )
  return { json: { id: post.id } }
}

/**
 * What a person does on the consent page at this real URL, on the simulators at `base`: chooses an account and allows.
 */
export async function consent(
  base: string,
  url: string,
  { account, nth = 0, deny, without }: NonNullable<Parameters<RunningPlatforms['consent']>[1]>,
): Promise<URL> {
  const { host, pathname, searchParams } = new URL(url)
  const page = `${base}/${host}${pathname}`
  const first = await fetch(`${page}?${searchParams.toString()}`, { redirect: 'manual' })
  const offered = [...(await first.text()).matchAll(/name="sim_account" value="([^"]+)"/g)].map(([, id]) => id ?? '')
  const chosen = account ?? offered[nth % offered.length] ?? ''
  if (deny) searchParams.set('sim_deny', '1')
  else searchParams.set('sim_account', chosen)
  if (without) searchParams.set('sim_without', without.join(' '))
  const answer =
    first.status === 302 ? first : await fetch(`${page}?${searchParams.toString()}`, { redirect: 'manual' })
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`The page of ${host} answered ${answer.status}`)
  return new URL(location)
}
