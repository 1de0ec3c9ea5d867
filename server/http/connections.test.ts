import { randomUUIDv7 } from 'node:crypto'
import { statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeAll, afterAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { anyUser, endpoint, everybody } from '#contract/endpoint.ts'
import { login } from '#contract/identity.ts'
import { createUpload } from '#contract/media.ts'
import { openEvents } from '../testing/events.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type StartAppOptions, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { CONNECTION_LIMITS, networkOf, SMALL_BODY } from './connections.ts'
import { handle } from './route.ts'

const keep = endpoint({
  method: 'POST',
  path: '/api/test/keep',
  summary: 'For this test',
  access: anyUser,
  cost: 'light',
  changes: [],
  body: z.object({ text: z.string().max(2_000_000) }),
  reply: z.object({ length: z.int() }),
  audit: null,
})
const say = endpoint({
  method: 'POST',
  path: '/api/public/test/say',
  summary: 'For this test',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ text: z.string() }),
  reply: z.object({}),
  audit: null,
})

const LONG = 1_950_000
const { bodyMs, uploadWindowMs, uploadBytes } = CONNECTION_LIMITS

/** The error log. */
const logged: string[] = []
const options: StartAppOptions = {
  env: { LOG_LEVEL: 'error' },
  http: { logTo: { write: (line) => void logged.push(line) } },
  routes: (routes) => [
    ...routes,
    handle(keep, async (c) => ({ length: c.body.text.length })),
    handle(say, async () => ({})),
  ],
}

let app: TestApp
let port: number
let owner: TestHome
const sockets: Socket[] = []
/** The server's side of each connection. */
const accepted: Socket[] = []

const portOf = (address: string) => Number(new URL(address).port)
beforeAll(async () => {
  app = await startApp(options)
  app.app.server.on('connection', (socket: Socket) => void accepted.push(socket))
  port = portOf(await app.listen())
  owner = await app.signedInOwner()
})
afterAll(() => app.close())
afterEach(() => {
  vi.useRealTimers()
  for (const socket of sockets.splice(0)) socket.destroy()
})

type Client = { socket: Socket; said: () => string; closed: () => boolean; write: (text: string) => void }

/** A connection that a test controls in every detail. */
function client(at = port): Client {
  const socket = connect({ port: at, host: '127.0.0.1' })
  sockets.push(socket)
  let said = ''
  socket.setEncoding('utf8').on('data', (text: string) => (said += text))
  // the server closes while the client still writes
  socket.on('error', () => undefined)
  return { socket, said: () => said, closed: () => socket.closed, write: (text) => void socket.write(text) }
}

const cookieOf = ({ person }: TestHome) => `rookery=${person.cookies.get('rookery')}`
const head = (method: string, path: string, headers: Record<string, string | number>) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: rookery.test',
    ...Object.entries(headers).map(([k, v]) => `${k}: ${v}`),
    '',
    '',
  ].join('\r\n')
const json = { 'content-type': 'application/json' }
const half = (path: string, bytes: number, headers: Record<string, string> = {}) =>
  head('POST', path, { ...json, ...headers, 'content-length': bytes }) + '{"text":"'

/** How many bytes of an open connection the server has read. Earlier connections may have had its port. */
const readOf = ({ socket }: Client) =>
  accepted.findLast((one) => one.remotePort === socket.localPort && !one.destroyed)?.bytesRead ?? 0

/** Advances the time after which bodies are judged, and nothing else. */
function pass(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds)
}

describe('an incomplete body', () => {
  it.each([
    ['a call without a session', login.path, {}],
    ['a call that needs one', keep.path, {}],
    ['an unknown call', '/api/nothing/here', {}],
  ])('ends its connection after a minute: %s', async (_, path, headers) => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const one = client()
    one.write(half(path, 1000, headers))
    await until(() => app.app.heldBytes() > 0)
    pass(bodyMs - 1)
    await nextTurn()
    expect(one.closed()).toBe(false)
    // a byte now and then changes nothing
    one.write('x')
    pass(1)
    await until(one.closed)
    expect(one.said()).toMatch(/^HTTP\/1\.1 408 /)
    await until(() => app.app.heldBytes() === 0)
    expect(logged).toEqual([])
  })

  it("of a client that disconnects isn't our error", async () => {
    const one = client()
    one.write(half(login.path, 1000))
    await until(() => app.app.heldBytes() > 0)
    one.socket.destroy()
    await until(() => app.app.heldBytes() === 0)
    await until(() => app.app.connections.stats().open === 0)
    expect(logged).toEqual([])
  })

  it("of 2 MB isn't kept in memory for 300 clients without a session", async () => {
    const before = accepted.length
    const all = Array.from({ length: 300 }, (_, i) => {
      const one = client()
      one.write(half(i % 2 === 0 ? login.path : keep.path, 2_000_000) + 'x'.repeat(LONG))
      return one
    })
    await until(() => all.every((one) => one.closed() || /^HTTP\/1\.1 4(?:13|01) /.test(one.said())), {
      deadline: 60_000,
    })
    expect(app.app.heldBytes()).toBe(0)
    expect(accepted.length - before).toBe(300)
  })

  it("in endless chunks is cut at the call's limit, and not read before its session is known", async () => {
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`
    const anonymous = client()
    anonymous.write(head('POST', keep.path, { ...json, 'transfer-encoding': 'chunked' }) + chunk)
    await until(() => anonymous.said().startsWith('HTTP/1.1 401 '))
    expect(app.app.heldBytes()).toBe(0)
    const open = client()
    open.write(head('POST', say.path, { ...json, 'transfer-encoding': 'chunked' }) + chunk + chunk + chunk)
    await until(() => open.said().startsWith('HTTP/1.1 413 '))
    await until(() => app.app.heldBytes() === 0)
  })
})

describe('a complete body', () => {
  const body = (length: number) => JSON.stringify({ text: 'x'.repeat(length - 11) })
  it('may be 32 kB without a session and 2 MB with one', async () => {
    const ask = async (path: string, length: number, cookie = '') =>
      (await app.app.inject({ method: 'POST', url: path, headers: { ...json, cookie }, payload: body(length) }))
        .statusCode
    expect(await ask(say.path, SMALL_BODY)).toBe(200)
    expect(await ask(say.path, SMALL_BODY + 1)).toBe(413)
    expect(await ask(keep.path, 2_000_000, cookieOf(owner))).toBe(200)
    expect(await ask(keep.path, 2_000_001, cookieOf(owner))).toBe(413)
    expect(await ask(keep.path, 2_000_000)).toBe(401)
    expect(await ask(keep.path, 2_000_000, 'rookery=nonsense')).toBe(401)
  })
})

describe('an address', () => {
  const ask = async (count: number) => {
    const one = client()
    const ids = Array.from({ length: count }, () => randomUUIDv7()).join('%2C')
    const { orgId, projectId } = owner
    one.write(
      head('GET', `/api/${orgId}/project/${projectId}/insights/summary?channelIds=${ids}`, { cookie: cookieOf(owner) }),
    )
    await until(() => one.said().includes('}'))
    return one
  }

  it('may name as many ids as calls take', async () => {
    expect((await ask(500)).said()).toMatch(/^HTTP\/1\.1 200 /)
    // refused by the call itself
    expect((await ask(501)).said()).toContain('Too many channels')
  })

  it('that is too long, and what is no request, is refused like everything else', async () => {
    const long = await ask(900)
    await until(long.closed)
    const [headers = '', body = ''] = long.said().split('\r\n\r\n')
    expect(headers).toMatch(/^HTTP\/1\.1 413 .*application\/problem\+json/s)
    expect(JSON.parse(body)).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      detail: 'The address of this request is too long. Choose less at once.',
    })
    const none = client()
    none.write('hello\r\n\r\n')
    await until(none.closed)
    expect(none.said()).toMatch(/^HTTP\/1\.1 400 .*"code":"BAD_INPUT"/s)
  })
})

describe('an upload', () => {
  const bytes = 6 * uploadBytes
  const begin = async () => {
    const { assetId, uploadUrl } = await app.call(
      createUpload,
      { params: owner.params, body: { fileName: 'clip.mp4', contentType: 'video/mp4', bytes } },
      { as: owner.person },
    )
    const one = client()
    const start = head('PATCH', uploadUrl, {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': 0,
      'content-length': bytes,
    })
    one.write(start)
    await until(() => readOf(one) === start.length)
    return { one, uploadUrl, file: join(app.dataDir, 'media', 'uploads', assetId) }
  }
  const more = async (one: Client) => {
    const before = readOf(one)
    one.write('x'.repeat(uploadBytes))
    await until(() => readOf(one) === before + uploadBytes)
  }

  it('that is slow but progresses may take longer than any other body', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { one } = await begin()
    for (let piece = 0; piece < 5; piece++) {
      await more(one)
      pass(uploadWindowMs)
    }
    expect(one.closed()).toBe(false)
    one.write('x'.repeat(uploadBytes))
    // complete, and refused for what it is: not a video
    await until(() => /^HTTP\/1\.1 (?:204|4\d\d) /.test(one.said()))
    expect(one.said()).not.toContain(' 408 ')
  })

  it('that stalls is cut after a minute and can be resumed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { one, uploadUrl, file } = await begin()
    await more(one)
    // what arrived may still be on its way to the disk
    await until(() => statSync(file).size >= uploadBytes)
    pass(uploadWindowMs)
    one.write('x')
    pass(uploadWindowMs)
    await until(one.closed)
    vi.useRealTimers()
    const asked = await app.app.inject({ method: 'HEAD', url: uploadUrl, headers: { 'tus-resumable': '1.0.0' } })
    expect(Number(asked.headers['upload-offset'])).toBeGreaterThanOrEqual(uploadBytes)
    expect(logged).toEqual([])
  })
})

it.each([
  ['that says nothing', ''],
  ['that never ends its headers', 'GET /healthz HTTP/1.1\r\nhost: rookery.test\r\nx-a: '],
])('a connection is closed %s', async (_, start) => {
  const hasty = await startApp({
    ...options,
    database: app.database,
    http: { ...options.http, limits: { headersMs: 100 } },
  })
  const one = client(portOf(await hasty.listen()))
  one.write(start)
  await until(one.closed)
  expect(hasty.app.connections.stats().open).toBe(0)
  await hasty.close()
})

it('closes a connection without traffic, whatever it waits for', async () => {
  const impatient = await startApp({
    ...options,
    database: app.database,
    http: { ...options.http, limits: { idleMs: 200 } },
    routes: (routes) => [...routes, handle(say, () => new Promise(() => undefined))],
  })
  const one = client(portOf(await impatient.listen()))
  const body = '{"text":""}'
  one.write(head('POST', say.path, { ...json, 'content-length': body.length }) + body)
  await until(one.closed)
  await impatient.close()
})

describe('one address', () => {
  it("can't hold more than its share of connections", async () => {
    const narrow = await startApp({
      ...options,
      database: app.database,
      env: { ...options.env, CONNECTIONS_PER_ADDRESS: '5' },
    })
    const at = portOf(await narrow.listen())
    const all = Array.from({ length: 12 }, () => client(at))
    await until(() => all.filter((one) => one.closed()).length === 7)
    expect(narrow.app.connections.stats().open).toBe(5)
    all.find((one) => !one.closed())?.socket.destroy()
    await until(() => narrow.app.connections.stats().open === 4)
    const next = client(at)
    next.write(head('GET', '/healthz', {}))
    await until(() => next.said().startsWith('HTTP/1.1 200 '))
    await narrow.close()
  })

  it("can't hold all event streams, even behind a proxy, where others still get theirs", async () => {
    const behind = await startApp({
      ...options,
      database: app.database,
      env: { ...options.env, CONNECTIONS_PER_ADDRESS: '3', TRUST_PROXY: '127.0.0.1' },
    })
    const address = await behind.listen()
    const open = (from: string) =>
      openEvents(address, owner.params, owner.person, undefined, { 'x-forwarded-for': from })
    const streams = [await open('198.51.100.1'), await open('198.51.100.1'), await open('198.51.100.1')]
    await expect(open('198.51.100.1')).rejects.toThrow('429')
    streams.push(await open('198.51.100.2'))
    streams[0]?.close()
    await until(async () => streams.push(await open('198.51.100.1')))
    for (const stream of streams) stream.close()
    await behind.close()
  })
})

it.each([
  ['198.51.100.7', '198.51.100.7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
