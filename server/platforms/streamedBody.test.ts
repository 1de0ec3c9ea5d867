import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { until } from '../testing/until.ts'
import { createSafeFetch } from './safeFetch.ts'
import type { StreamedBody } from './safeHttp.ts'

/* Bodies that are never in memory as a whole: what arrives, and what happens when either side breaks off. */

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((close) => close()))

async function serve(listener: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const server = createServer((request, response) => void listener(request, response))
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // a listening TCP server has an address with a port
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, fetch: createSafeFetch({ allow: [`127.0.0.1:${port}`] }) }
}

const PIECE = 64 * 1024
/** This many chunks, counted as they are read; `ended` says whether the source was closed. */
function source(
  pieces: number,
  more: { breaksAt?: number; length?: number } = {},
): StreamedBody & { pulled: number; ended: boolean; opened: number } {
  const body = {
    bytes: more.length ?? pieces * PIECE,
    pulled: 0,
    opened: 0,
    ended: false,
    async *open() {
      body.opened += 1
      try {
        for (let i = 0; i < pieces; i++) {
          if (i === more.breaksAt) throw new Error('the store is away')
          body.pulled += 1
          yield Buffer.alloc(PIECE, i % 251)
        }
      } finally {
        body.ended = true
      }
    },
  }
  return body
}
const put = (body: StreamedBody) => ({ method: 'PUT' as const, body, timeoutMs: 20_000, maxBytes: 10_000 })

test('sends 64 MB completely, with their length declared and without chunked encoding', async () => {
  let got = 0
  let sum = 0
  let headers: IncomingMessage['headers'] = {}
  const site = await serve(async (request, response) => {
    headers = request.headers
    // a stream without an encoding gives buffers
    for await (const piece of request as AsyncIterable<Buffer>) {
      got += piece.length
      sum = (sum + (piece[0] ?? 0)) % 1_000_003
    }
    response.end('thanks')
  })
  const body = source(1024)
  expect(await site.fetch(site.url, put(body))).toMatchObject({ kind: 'answer', status: 200 })
  expect(headers['content-length']).toBe(String(1024 * PIECE))
  expect(headers['transfer-encoding']).toBeUndefined()
  expect(got).toBe(1024 * PIECE)
  expect(body).toMatchObject({ opened: 1, pulled: 1024, ended: true })
})

test('reads chunks as the other side accepts them: while it reads nothing, next to nothing is read from the store', async () => {
  let go = () => {}
  let arrived = false
  const site = await serve(async (request, response) => {
    arrived = true
    request.pause()
    await new Promise<void>((resolve) => (go = resolve))
    for await (const _ of request) continue
    response.end()
  })
  const body = source(1024)
  const answer = site.fetch(site.url, put(body))
  await until(() => arrived)
  // both sockets' kernel buffers fill up, and then nothing more is read
  let before = -1
  let looks = 0
  await until(() => {
    looks = before === body.pulled ? looks + 1 : 0
    before = body.pulled
    return looks === 30
  })
  const standing = body.pulled
  expect(standing).toBeLessThan(512)
  go()
  expect((await answer).kind).toBe('answer')
  expect(body.pulled).toBe(1024)
})

test('accepts a response that comes before the end of the body, and closes the source', async () => {
  const site = await serve((_, response) => response.writeHead(413, { connection: 'close' }).end('too large'))
  const body = source(100_000)
  const answer = await site.fetch(site.url, put(body))
  // the refusal, or a broken connection: never a success, and never unsent
  expect(answer.kind === 'answer' ? answer.status : answer.kind).toSatisfy(
    (outcome: unknown) => outcome === 413 || outcome === 'lost',
  )
  await until(() => body.ended)
  expect(body.pulled).toBeLessThan(100_000)
})

test('loses the request if the source breaks: something may have arrived', async () => {
  let aborted = false
  const site = await serve((request) => {
    request.on('error', () => (aborted = true))
    request.resume()
  })
  expect(await site.fetch(site.url, put(source(100, { breaksAt: 20 })))).toMatchObject({
    kind: 'lost',
    why: 'dropped',
    detail: expect.stringContaining('the store is away'),
  })
  await until(() => aborted)
})

test.each([
  ['shorter', 10 * PIECE + 1],
  ['longer', 10 * PIECE - 1],
])('fails if the source is %s than declared', async (_, length) => {
  const site = await serve(async (request, response) => {
    for await (const __ of request) continue
    response.end('thanks')
  })
  expect((await site.fetch(site.url, put(source(10, { length })))).kind).toBe('lost')
})

test('closes the source when the request is aborted', async () => {
  const site = await serve((request) => void request.pause())
  const body = source(100_000)
  const stop = new AbortController()
  const answer = site.fetch(site.url, { ...put(body), signal: stop.signal })
  await until(() => body.pulled > 0)
  stop.abort()
  expect(await answer).toMatchObject({ kind: 'lost', why: 'aborted' })
  await until(() => body.ended)
})

test('sends no byte of a withdrawn request, and closes the source', async () => {
  let arrived = 0
  const site = await serve((_, response) => {
    arrived += 1
    response.end()
  })
  const body = source(10)
  expect(await site.fetch(site.url, { ...put(body), stillWanted: () => false })).toMatchObject({ kind: 'unsent' })
  // a first chunk may have been read ahead
  expect(body.pulled).toBeLessThanOrEqual(1)
  await until(() => body.pulled === 0 || body.ended)
  expect(arrived).toBe(0)
})

test("doesn't follow a redirect that would send it again", async () => {
  const site = await serve(async (request, response) => {
    for await (const _ of request) continue
    response.writeHead(307, { location: '/again' }).end()
  })
  const body = source(4)
  expect(await site.fetch(site.url, { ...put(body), redirects: 3 })).toMatchObject({ kind: 'lost', why: 'redirect' })
  expect(body.opened).toBe(1)
})
