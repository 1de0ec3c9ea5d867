import { Readable } from 'node:stream'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compressReplies } from './compress.ts'

const LONG = JSON.stringify({ said: 'The rooks come back to the old elms. '.repeat(1000) })
const MIDDLING = JSON.stringify({ said: 'rook '.repeat(300) })

let app: FastifyInstance
beforeAll(() => {
  app = fastify()
  compressReplies(app)
  const text = (url: string, type: string, body: string, headers: Record<string, string> = {}) =>
    app.get(url, (_request, reply) => reply.type(type).headers(headers).send(body))
  text('/long', 'application/json; charset=utf-8', LONG, { vary: 'origin' })
  text('/middling', 'application/problem+json', MIDDLING)
  text('/short', 'application/json', '{"said":"rook"}')
  text('/as-it-is', 'application/json', LONG, { 'cache-control': 'no-store, no-transform' })
  text('/export', 'text/csv', LONG)
  text('/packed', 'application/json', LONG, { 'content-encoding': 'zstd' })
  app.get('/picture', (_request, reply) => reply.type('image/png').send(Buffer.alloc(5000)))
  app.get('/stream', (_request, reply) => reply.type('application/json').send(Readable.from([LONG])))
})
afterAll(() => app.close())

const get = (url: string, accept?: string, headers: Record<string, string> = {}) =>
  app.inject({ url, headers: { ...(accept !== undefined && { 'accept-encoding': accept }), ...headers } })

describe('a reply of 1 kB or more', () => {
  it.each(['/long', '/middling'])('is sent as brotli where the client accepts it: %s', async (url) => {
    const plain = await get(url)
    const reply = await get(url, 'gzip, deflate, br, zstd')
    expect(reply.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(reply.rawPayload).toString()).toBe(plain.body)
    expect(Number(reply.headers['content-length'])).toBe(reply.rawPayload.length)
    expect(reply.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
    expect(reply.headers['content-type']).toBe(plain.headers['content-type'])
  })

  it.each(['/long', '/middling'])('is sent as gzip where that is all the client accepts: %s', async (url) => {
    const reply = await get(url, 'gzip, deflate')
    expect(reply.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(reply.rawPayload).toString()).toBe((await get(url)).body)
  })

  it.each([
    ['br;q=0.5, gzip;q=0.9', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['BR', 'br'],
    ['identity, br;q=0.1', undefined],
    ['br;q=0, gzip;q=0', undefined],
    ['zstd', undefined],
    ['', undefined],
    [';;q=,,=', undefined],
  ])('follows the weights of accept-encoding: %j', async (accept, encoding) => {
    expect((await get('/long', accept)).headers['content-encoding']).toBe(encoding)
  })

  it('tells caches that it depends on accept-encoding, compressed or not', async () => {
    expect((await get('/long', 'br')).headers['vary']).toBe('origin, accept-encoding')
    expect((await get('/middling')).headers['vary']).toBe('accept-encoding')
  })

  it('has the same headers when only those are asked for', async () => {
    const full = await get('/long', 'br')
    const head = await app.inject({ method: 'HEAD', url: '/long', headers: { 'accept-encoding': 'br' } })
    expect(head.rawPayload.length).toBe(0)
    expect(head.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': full.headers['content-length'] })
  })

  it.each(['cross-site', 'same-site'])(
    'stays uncompressed for another site, which could learn from its length: %s',
    async (site) => {
      const reply = await get('/long', 'br', { 'sec-fetch-site': site })
      expect(reply.headers['content-encoding']).toBeUndefined()
      expect(reply.body).toBe(LONG)
    },
  )
})

it.each(['/short', '/as-it-is', '/export', '/packed', '/picture', '/stream'])("isn't done for %s", async (url) => {
  const [plain, reply] = [await get(url), await get(url, 'br, gzip')]
  expect(reply.headers['content-encoding']).toBe(plain.headers['content-encoding'])
  expect(reply.rawPayload.equals(plain.rawPayload)).toBe(true)
})
