import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createSecureServer, type Http2SecureServer } from 'node:http2'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testClock } from '#server/clock.ts'
import { testCertificate } from '#server/testing/tls.ts'
import { createSafeFetch } from './safeFetch.ts'
import type { SafeRequest } from './safeHttp.ts'

const open: (() => void)[] = []
afterEach(() => open.splice(0).forEach((close) => close()))

async function listen(server: Server | Http2SecureServer | ReturnType<typeof createTcpServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket))
  open.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // a listening TCP server has an address with a port
  return (server.address() as AddressInfo).port
}
async function serve(listener: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const port = await listen(createServer((request, response) => void listener(request, response)))
  return { port, host: `127.0.0.1:${port}`, url: `http://127.0.0.1:${port}` }
}
async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}
const post: SafeRequest = { method: 'POST', body: '{}', timeoutMs: 5000, maxBytes: 10_000 }
const get: SafeRequest = { timeoutMs: 5000, maxBytes: 10_000 }
const text = (body: Uint8Array) => Buffer.from(body).toString()

describe('allowed addresses', () => {
  it.each([
    'http://127.0.0.1:1/',
    'http://[::1]:1/',
    'http://[::ffff:127.0.0.1]:1/',
    'http://2130706433:1/',
    'http://0x7f.1:1/',
    'http://169.254.169.254/latest/meta-data',
    'http://0/',
    'http://localhost:1/',
  ])('refuses %s', async (url) =>
    expect(await createSafeFetch({ allow: [] })(url, get)).toMatchObject({ kind: 'unsent', why: 'address-refused' }),
  )

  it.each([
    'ftp://example.com/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://user:secret@example.com/',
    'http://user@example.com/',
    'nonsense',
    '',
  ])('refuses %j', async (url) =>
    expect(await createSafeFetch({ allow: [] })(url, get)).toMatchObject({ kind: 'unsent', why: 'address-refused' }),
  )

  it('include an allowed private address, only at that port', async () => {
    const site = await serve((_, response) => response.end('here'))
    const fetch = createSafeFetch({ allow: [site.host] })
    expect(await fetch(site.url, get)).toMatchObject({ kind: 'answer', status: 200 })
    expect(await fetch(`http://127.0.0.1:${site.port === 1 ? 2 : 1}`, get)).toMatchObject({
      kind: 'unsent',
      why: 'address-refused',
    })
  })

  it("are resolved once: a second, private DNS response can't be reached", async () => {
    let reached = 0
    const site = await serve((_, response) => response.end(String(++reached)))
    const answers = [[{ address: '192.0.1.1', family: 4 }], [{ address: '127.0.0.1', family: 4 }]]
    let asked = 0
    const fetch = createSafeFetch({ allow: [], resolve: async () => answers[Math.min(asked++, 1)] ?? [] })
    const first = await fetch(`http://rebind.test:${site.port}`, { ...get, timeoutMs: 300 })
    expect(first).toMatchObject({ kind: 'unsent', why: 'unreachable' })
    expect(asked).toBe(1)
    expect(await fetch(`http://rebind.test:${site.port}`, get)).toMatchObject({
      kind: 'unsent',
      why: 'address-refused',
    })
    expect(reached).toBe(0)
  })

  it('exclude a name with one private address among public ones', async () => {
    const resolve = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: '10.0.0.1', family: 4 },
    ]
    expect(await createSafeFetch({ allow: [], resolve })('http://both.test/', get)).toMatchObject({
      kind: 'unsent',
      why: 'address-refused',
    })
  })

  it('include whatever an allowed name resolves to', async () => {
    const site = await serve((_, response) => response.end('here'))
    const fetch = createSafeFetch({
      allow: [`pds.test:${site.port}`],
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    expect(await fetch(`http://pds.test:${site.port}/x`, get)).toMatchObject({
      kind: 'answer',
      status: 200,
      url: `http://pds.test:${site.port}/x`,
    })
  })
})

describe('connections', () => {
  it('are kept alive: consecutive requests use the same one', async () => {
    const connections = new Set<unknown>()
    const site = await serve((request, response) => response.end(String(connections.add(request.socket).size)))
    const fetch = createSafeFetch({ allow: [site.host] })
    for (let i = 0; i < 5; i++) {
      await fetch(site.url, post)
      // a connection is free again once its response was read to the end
      await new Promise((resolve) => setImmediate(resolve))
    }
    for (let i = 0; i < 5; i++) {
      await fetch(site.url, get)
      await new Promise((resolve) => setImmediate(resolve))
    }
    // one for requests that change something, one for requests that only read
    expect(connections.size).toBe(2)
  })

  describe('with a server that offers HTTP/2, requests', () => {
    const authorities = getCACertificates('default')
    beforeEach(() => setDefaultCACertificates([...authorities, testCertificate.cert]))
    afterEach(() => setDefaultCACertificates(authorities))

    async function serveTls() {
      const seen: { version: string; method: string; socket: unknown }[] = []
      const server = createSecureServer({ ...testCertificate, allowHTTP1: true }, (request, response) => {
        const { httpVersion: version, method } = request
        seen.push({ version, method, socket: version === '2.0' ? request.stream.session : request.socket })
        // all concurrent requests arrive before the first response
        setImmediate(() => response.end(version))
      })
      const host = `tls.test:${await listen(server)}`
      const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
      return { seen, url: `https://${host}/`, host, resolve }
    }

    it('share a connection by HTTP/2 if they only read, and have their own by HTTP/1.1 if they change something', async () => {
      const { seen, url, host, resolve } = await serveTls()
      const fetch = createSafeFetch({ allow: [host], resolve })
      expect(await fetch(url, get)).toMatchObject({ kind: 'answer', status: 200 })
      const answers = await Promise.all(Array.from({ length: 20 }, () => fetch(url, get)))
      expect(answers.every((answer) => answer.kind === 'answer' && text(answer.body) === '2.0')).toBe(true)
      await Promise.all(Array.from({ length: 3 }, () => fetch(url, post)))
      const by = (method: string) => seen.filter((one) => one.method === method)
      expect(new Set(by('GET').map(({ socket }) => socket)).size).toBe(1)
      expect(by('POST').map(({ version }) => version)).toEqual(['1.1', '1.1', '1.1'])
      expect(new Set(by('POST').map(({ socket }) => socket)).size).toBe(3)
    })

    it('refuse private addresses by HTTP/2 too, by name and after a second DNS response', async () => {
      const { seen, url, resolve } = await serveTls()
      for (const request of [get, post])
        expect(await createSafeFetch({ allow: [], resolve })(url, request)).toMatchObject({
          kind: 'unsent',
          why: 'address-refused',
        })
      expect(seen).toEqual([])
    })

    it("are withdrawn before they're sent if they're no longer wanted, by HTTP/2 too", async () => {
      const { seen, url, host, resolve } = await serveTls()
      const fetch = createSafeFetch({ allow: [host], resolve })
      expect(await fetch(url, { ...get, stillWanted: () => false })).toMatchObject({ kind: 'unsent', why: 'aborted' })
      expect(seen).toEqual([])
      expect(await fetch(url, get)).toMatchObject({ kind: 'answer' })
    })
  })
})

describe('redirects', () => {
  it('are followed up to the limit', async () => {
    const site = await serve((request, response) =>
      request.url === '/end'
        ? response.end('end')
        : response.writeHead(302, { location: request.url === '/a' ? '/b' : '/end' }).end(),
    )
    const fetch = createSafeFetch({ allow: [site.host] })
    expect(await fetch(`${site.url}/a`, { ...get, redirects: 2 })).toMatchObject({
      kind: 'answer',
      status: 200,
      url: `${site.url}/end`,
    })
    expect(await fetch(`${site.url}/a`, { ...get, redirects: 1 })).toMatchObject({ kind: 'lost', why: 'redirect' })
    expect(await fetch(`${site.url}/a`, get)).toMatchObject({ kind: 'lost', why: 'redirect' })
  })

  it("are checked like the first URL; what was sent before isn't unsent", async () => {
    const site = await serve((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/' }).end())
    expect(await createSafeFetch({ allow: [site.host] })(site.url, { ...get, redirects: 3 })).toMatchObject({
      kind: 'lost',
      why: 'address-refused',
    })
  })

  it('leave credentials out when they lead to another origin, and keep them otherwise', async () => {
    const seen: (string | undefined)[] = []
    const other = await serve((request, response) =>
      response.end(
        String(seen.push(request.headers.authorization, request.headers.cookie, request.headers['x-mine']?.toString())),
      ),
    )
    const site = await serve((request, response) => {
      if (request.url === '/same') return response.writeHead(307, { location: '/end' }).end()
      if (request.url === '/end') return response.end(String(seen.push(request.headers.authorization)))
      return response.writeHead(307, { location: other.url }).end()
    })
    const fetch = createSafeFetch({ allow: [site.host, other.host] })
    const headers = { Authorization: 'Bearer t', cookie: 'c=1', 'x-mine': 'y' }
    await fetch(`${site.url}/other`, { ...get, headers, redirects: 1 })
    await fetch(`${site.url}/same`, { ...get, headers, redirects: 1 })
    expect(seen).toEqual([undefined, undefined, 'y', 'Bearer t'])
  })

  it.each([
    [302, 'GET', ''],
    [303, 'GET', ''],
    [307, 'POST', '{"a":1}'],
    [308, 'POST', '{"a":1}'],
  ])('%i turns POST into %s', async (status, method, body) => {
    const seen: string[] = []
    const site = await serve(async (request, response) => {
      if (request.url === '/end') seen.push(request.method ?? '', await bodyOf(request))
      response.writeHead(request.url === '/end' ? 200 : status, { location: '/end' }).end()
    })
    await createSafeFetch({ allow: [site.host] })(site.url, { ...post, body: '{"a":1}', redirects: 1 })
    expect(seen).toEqual([method, body])
  })
})

describe('unsent: nothing was written', () => {
  it('when the connection is refused', async () => {
    const site = await serve((_, response) => response.end())
    open.splice(0).forEach((close) => close())
    expect(await createSafeFetch({ allow: [site.host] })(site.url, post)).toMatchObject({
      kind: 'unsent',
      why: 'unreachable',
    })
  })

  it('when the name is not found', async () => {
    const resolve = async () => Promise.reject(new Error('ENOTFOUND'))
    expect(await createSafeFetch({ allow: [], resolve })('https://nowhere.test/', post)).toMatchObject({
      kind: 'unsent',
      why: 'unreachable',
      detail: expect.stringContaining('ENOTFOUND'),
    })
  })

  it('when TLS fails', async () => {
    let requests = 0
    const site = await serve(() => requests++)
    expect(await createSafeFetch({ allow: [site.host] })(`https://127.0.0.1:${site.port}/`, post)).toMatchObject({
      kind: 'unsent',
      why: 'unreachable',
    })
    expect(requests).toBe(0)
  })

  it('when it was aborted before', async () => {
    const site = await serve((_, response) => response.end())
    expect(
      await createSafeFetch({ allow: [site.host] })(site.url, { ...post, signal: AbortSignal.abort() }),
    ).toMatchObject({ kind: 'unsent', why: 'aborted' })
  })

  it("when it's no longer wanted in the tick of the write", async () => {
    let requests = 0
    const site = await serve((_, response) => response.end(String(++requests)))
    const fetch = createSafeFetch({ allow: [site.host] })
    expect(await fetch(site.url, { ...post, stillWanted: () => false })).toMatchObject({
      kind: 'unsent',
      why: 'aborted',
    })
    expect(await fetch(site.url, { ...post, stillWanted: () => true })).toMatchObject({ kind: 'answer' })
    expect(requests).toBe(1)
  })

  it('when its time had passed by the tick of the write, as after a suspended process', async () => {
    let requests = 0
    const site = await serve((_, response) => response.end(String(++requests)))
    const clock = testClock(new Date(0))
    const resolve = async () => {
      clock.advance({ seconds: 6 })
      return [{ address: '127.0.0.1', family: 4 }]
    }
    const fetch = createSafeFetch({ allow: [`late.test:${site.port}`], resolve, clock })
    expect(await fetch(`http://late.test:${site.port}`, { ...post, timeoutMs: 5000 })).toMatchObject({ kind: 'unsent' })
    expect(requests).toBe(0)
  })

  it("when the time ran out while the name was resolved, and it's never sent later", async () => {
    let requests = 0
    const site = await serve((_, response) => response.end(String(++requests)))
    const name = Promise.withResolvers<{ address: string; family: number }[]>()
    const host = `slow.test:${site.port}`
    const fetch = createSafeFetch({ allow: [host], resolve: () => name.promise })
    expect(await fetch(`http://${host}/first`, { ...post, timeoutMs: 20 })).toMatchObject({
      kind: 'unsent',
      why: 'unreachable',
    })
    name.resolve([{ address: '127.0.0.1', family: 4 }])
    expect(await fetch(`http://${host}/second`, post)).toMatchObject({ kind: 'answer' })
    expect(requests).toBe(1)
  })
})

describe('lost: it may have arrived', () => {
  it('when the connection drops after the request', async () => {
    const site = await serve((request) => request.socket.destroy())
    expect(await createSafeFetch({ allow: [site.host] })(site.url, post)).toMatchObject({
      kind: 'lost',
      why: 'dropped',
    })
  })

  it('when a kept-alive connection is closed during the second request', async () => {
    const seen = new Set<unknown>()
    const site = await serve((request, response) =>
      seen.has(request.socket) ? request.socket.destroy() : (seen.add(request.socket), response.end('ok')),
    )
    const fetch = createSafeFetch({ allow: [site.host] })
    const kinds: string[] = []
    // two requests in a row may open a second connection; the third reuses one in any case
    for (let i = 0; i < 3; i++) kinds.push((await fetch(site.url, post)).kind)
    expect(kinds.slice(seen.size)).toContain('lost')
    expect(seen.size).toBeLessThan(3)
  })

  it('when the response is truncated', async () => {
    const site = await serve((request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => request.socket.destroy())
    })
    expect(await createSafeFetch({ allow: [site.host] })(site.url, post)).toMatchObject({
      kind: 'lost',
      why: 'dropped',
    })
  })

  it("when the response isn't HTTP", async () => {
    const port = await listen(createTcpServer((socket) => socket.on('data', () => socket.end('nonsense\r\n\r\n'))))
    expect(await createSafeFetch({ allow: [`127.0.0.1:${port}`] })(`http://127.0.0.1:${port}`, post)).toMatchObject({
      kind: 'lost',
      why: 'dropped',
    })
  })

  it('when no response comes in time', async () => {
    const site = await serve(() => {})
    expect(await createSafeFetch({ allow: [site.host] })(site.url, { ...post, timeoutMs: 100 })).toMatchObject({
      kind: 'lost',
      why: 'timeout',
    })
  })

  it("when it's aborted on the way", async () => {
    const stop = new AbortController()
    const site = await serve(() => stop.abort())
    expect(await createSafeFetch({ allow: [site.host] })(site.url, { ...post, signal: stop.signal })).toMatchObject({
      kind: 'lost',
      why: 'aborted',
    })
  })

  it('when the response is too large, declared or not', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/announced') return response.end('x'.repeat(10_001))
      response.write('x'.repeat(6000))
      return response.end('x'.repeat(6000))
    })
    const fetch = createSafeFetch({ allow: [site.host] })
    for (const path of ['/announced', '/chunked'])
      expect(await fetch(site.url + path, get)).toMatchObject({ kind: 'lost', why: 'too-large' })
  })

  it('when a compressed response becomes too large', async () => {
    const site = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1_000_000))),
    )
    expect(await createSafeFetch({ allow: [site.host] })(site.url, get)).toMatchObject({
      kind: 'lost',
      why: 'too-large',
    })
  })
})

describe('responses', () => {
  it('have status, headers and body, whatever the status', async () => {
    const site = await serve(async (request, response) =>
      response
        .writeHead(404, { 'x-seen': `${request.method} ${String(request.headers['x-a'])}` })
        .end(await bodyOf(request)),
    )
    const answer = await createSafeFetch({ allow: [site.host] })(`${site.url}/p?q=1`, {
      ...post,
      body: Buffer.from('bytes'),
      headers: { 'x-a': 'b' },
    })
    expect(answer).toMatchObject({ kind: 'answer', status: 404, headers: { 'x-seen': 'POST b' } })
    expect(answer.kind === 'answer' && text(answer.body)).toBe('bytes')
  })

  it('are decompressed', async () => {
    const site = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed')),
    )
    const answer = await createSafeFetch({ allow: [site.host] })(site.url, get)
    expect(answer.kind === 'answer' && text(answer.body)).toBe('packed')
  })

  it('are cut if only the beginning matters', async () => {
    const site = await serve((_, response) => response.end('x'.repeat(1_000_000)))
    const answer = await createSafeFetch({ allow: [site.host] })(site.url, { ...get, cut: true })
    expect(answer.kind === 'answer' && answer.body.length).toBe(10_000)
  })

  it('use kept-alive connections', async () => {
    const sockets = new Set<unknown>()
    const site = await serve((request, response) => response.end(String(sockets.add(request.socket).size)))
    const fetch = createSafeFetch({ allow: [site.host] })
    for (let i = 0; i < 50; i++) await fetch(site.url, post)
    // undici frees a connection a tick after its response, so a second one serves the next call
    expect(sockets.size).toBeLessThan(3)
  })

  it('refuse a header that would inject another', async () => {
    const site = await serve((_, response) => response.end())
    expect(
      await createSafeFetch({ allow: [site.host] })(site.url, { ...post, headers: { a: 'b\r\nc: d' } }),
    ).toMatchObject({ kind: 'unsent' })
  })
})
