import { hash } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib'
import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { serveWeb } from './webFiles.ts'

const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`

const WORKER = 'const BUILD = {}'

const INLINE = "document.documentElement.dataset.theme = 'dark'"
const PAGE = `<!doctype html><title>Rookery</title><script>${INLINE}</script><script type="module" crossorigin src="/assets/main-a1b2c3.js"></script>`
const SCREENS = {
  login: ['assets/LoginScreen-1.js', 'assets/forms-1.js'],
  shell: ['assets/shell-1.js'],
  calendar: ['assets/CalendarScreen-1.js', 'assets/shell-1.js'],
  post: ['assets/PostScreen-1.js'],
}

async function serving(options: Parameters<typeof serveWeb>[2] = {}): Promise<FastifyInstance> {
  // an installation may lie anywhere, also below a folder of this name
  const root = join(mkdtempSync(join(inject('cluster').folder, 'web-')), 'assets', 'web')
  mkdirSync(root, { recursive: true })
  mkdirSync(join(root, 'assets'))
  writeFileSync(join(root, 'index.html'), PAGE)
  writeFileSync(join(root, 'screens.json'), JSON.stringify(SCREENS))
  writeFileSync(join(root, 'manifest.webmanifest'), '{}')
  writeFileSync(join(root, 'sw.js'), WORKER)
  writeFileSync(join(root, 'assets', 'main-a1b2c3.js'), SCRIPT)
  writeFileSync(join(root, 'assets', 'main-a1b2c3.js.br'), brotliCompressSync(SCRIPT))
  writeFileSync(join(root, 'assets', 'main-a1b2c3.js.gz'), gzipSync(SCRIPT))
  const app = fastify()
  await serveWeb(app, root, options)
  return app
}

let app: FastifyInstance
beforeAll(async () => {
  app = await serving()
})
afterAll(() => app.close())
const get = (url: string, headers: Record<string, string> = {}) => app.inject({ method: 'GET', url, headers })

describe('the web', () => {
  it('is one page for every address of the app, asked for again each time', async () => {
    for (const url of ['/', '/login', '/0192/project/0193/calendar?view=month', '/reset-password?token=a.b']) {
      const response = await get(url)
      expect({
        url,
        status: response.statusCode,
        type: response.headers['content-type'],
        cache: response.headers['cache-control'],
      }).toEqual({ url, status: 200, type: 'text/html; charset=utf-8', cache: 'no-cache' })
    }
  })

  it('links the files of the screen that the address shows', async () => {
    const linkedAt = async (url: string) =>
      [...(await get(url)).body.matchAll(/<link rel="modulepreload" crossorigin href="\/assets\/(.+?)-1\.js">/g)].map(
        ([, name]) => name,
      )
    expect(await linkedAt('/login?reason=x')).toEqual(['LoginScreen', 'forms'])
    expect(await linkedAt('/0192/project/0193/calendar?view=month')).toEqual(['shell', 'CalendarScreen'])
    expect(await linkedAt('/0192/project/0193/post/0194')).toEqual(['shell', 'PostScreen'])
    expect(await linkedAt('/0192/project/0193/calendar/other')).toEqual(['shell'])
    expect(await linkedAt('/0192/project/0193/__proto__')).toEqual(['shell'])
    for (const url of ['/', '/constructor', '/nowhere', '/signup/verify']) expect(await linkedAt(url), url).toEqual([])
    for (const url of ['/screens.json', '/index.html']) expect((await get(url)).statusCode, url).toBe(404)
  })

  it('sends the page again only when it changed', async () => {
    const { etag } = (await get('/login')).headers
    const again = await get('/login', { 'if-none-match': String(etag) })
    expect({ status: again.statusCode, body: again.body }).toEqual({ status: 304, body: '' })
    expect(again.headers).toMatchObject({ etag, 'cache-control': 'no-cache' })
    expect((await get('/0192/project/0193/calendar', { 'if-none-match': String(etag) })).statusCode).toBe(200)
    const head = await app.inject({ method: 'HEAD', url: '/login' })
    expect({ status: head.statusCode, body: head.body, etag: head.headers.etag }).toEqual({
      status: 200,
      body: '',
      etag,
    })
  })

  it('keeps hashed assets for a year, and sends their compressed twins', async () => {
    const plain = await get('/assets/main-a1b2c3.js')
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.body).toBe(SCRIPT)
    const compressed = await get('/assets/main-a1b2c3.js', { 'accept-encoding': 'br' })
    expect(compressed.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': expect.stringContaining('javascript'),
    })
    expect((await get('/manifest.webmanifest')).headers['cache-control']).toBe('no-cache')
  })

  it('sends compressed copies by what the client accepts, with HEAD, ranges and revalidation', async () => {
    const url = '/assets/main-a1b2c3.js'
    const ask = (accept: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
      app.inject({ method, url, headers: { 'accept-encoding': accept, ...headers } })
    const encodingOf = async (accept: string) => (await ask(accept)).headers['content-encoding']
    expect(await encodingOf('gzip, deflate, br')).toBe('br')
    expect(await encodingOf('gzip')).toBe('gzip')
    expect(await encodingOf('br;q=0, gzip;q=0.5')).toBe('gzip')
    expect(await encodingOf('br;q=0')).toBeUndefined()
    const full = await ask('br')
    expect(brotliDecompressSync(full.rawPayload).toString()).toBe(SCRIPT)
    expect(full.headers['vary']).toBe('accept-encoding')
    const head = await ask('br', {}, 'HEAD')
    expect(head.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': full.headers['content-length'] })
    const part = await ask('br', { range: 'bytes=0-9' })
    expect(part.statusCode).toBe(206)
    expect(part.headers['content-range']).toBe(`bytes 0-9/${full.rawPayload.length}`)
    expect(part.rawPayload.equals(full.rawPayload.subarray(0, 10))).toBe(true)
    const again = await ask('br', { 'if-none-match': String(full.headers['etag']) })
    expect(again.statusCode).toBe(304)
    expect((await ask('gzip', { 'if-none-match': String(full.headers['etag']) })).statusCode).toBe(200)
  })

  it('never returns a page for a missing file or a change', async () => {
    for (const url of ['/assets/main-0ld.js', '/robots.txt', '/assets/../../package.json', '/..%2f..%2fpackage.json'])
      expect((await get(url)).statusCode, url).toBeGreaterThanOrEqual(400)
    expect((await app.inject({ method: 'POST', url: '/login' })).statusCode).toBe(404)
  })

  it("runs only its own scripts and can't be framed", async () => {
    const { headers } = await get('/login')
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split('; ')
        .map((line) => [line.split(' ')[0], line.split(' ').slice(1).join(' ')]),
    )
    expect(policy).toMatchObject({
      'default-src': "'self'",
      'script-src': `'self' 'sha256-${hash('sha256', INLINE, 'base64')}'`,
      // we serve pictures of accounts: members' browsers never contact a platform
      'img-src': "'self' data: blob:",
      'object-src': "'none'",
      'frame-ancestors': "'none'",
      'worker-src': "'self' blob:",
      'base-uri': "'none'",
      'form-action': "'self'",
    })
  })

  it("allows Turnstile's script and frame only if it's the human check", async () => {
    const policy = String((await get('/login')).headers['content-security-policy'])
    expect(policy).not.toContain('cloudflare')
    expect(policy).not.toContain('frame-src')
    const checked = await serving({ turnstile: true })
    const { headers } = await checked.inject({ method: 'GET', url: '/login' })
    expect(String(headers['content-security-policy']).split('; ')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^script-src 'self' 'sha256-\S+' https:\/\/challenges\.cloudflare\.com$/),
        'frame-src https://challenges.cloudflare.com',
        "connect-src 'self'",
      ]),
    )
    await checked.close()
  })

  it("allows Paddle's overlay only if Paddle takes the payments", async () => {
    expect(String((await get('/login')).headers['content-security-policy'])).not.toContain('paddle')
    const paying = await serving({ paddle: true })
    const { headers } = await paying.inject({ method: 'GET', url: '/login' })
    expect(String(headers['content-security-policy']).split('; ')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^script-src 'self' 'sha256-\S+' https:\/\/cdn\.paddle\.com$/),
        'frame-src https://buy.paddle.com https://sandbox-buy.paddle.com https://cdn.paddle.com https://sandbox-cdn.paddle.com',
        "connect-src 'self' https://*.paddle.com",
      ]),
    )
    await paying.close()
  })

  it("serves its service worker unless it's turned off, which removes it from browsers", async () => {
    const on = await get('/sw.js')
    expect({ body: on.body, cache: on.headers['cache-control'] }).toEqual({ body: WORKER, cache: 'no-cache' })
    const off = await serving({ serviceWorker: false })
    const { statusCode, headers, body } = await off.inject({ method: 'GET', url: '/sw.js?again' })
    expect({ statusCode, type: headers['content-type'], cache: headers['cache-control'] }).toEqual({
      statusCode: 200,
      type: expect.stringContaining('javascript'),
      cache: 'no-cache',
    })
    expect(body).toContain('registration.unregister()')
    expect(body).toContain('caches.delete')
    // a worker that listens for requests would keep answering them
    expect(body).not.toContain("'fetch'")
    await off.close()
  })

  it("says so if it wasn't built", async () => {
    const bare = fastify()
    await serveWeb(bare, '/nowhere')
    const response = await bare.inject({ method: 'GET', url: '/' })
    expect({ status: response.statusCode, body: response.body }).toEqual({
      status: 404,
      body: "The web app hasn't been built. Run npm start or npm run dev.",
    })
    await bare.close()
  })
})
