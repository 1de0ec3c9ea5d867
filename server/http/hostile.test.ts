import { connect } from 'node:net'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { Problem } from '#contract/errors.ts'
import { modelRuns } from '../testing/modelRuns.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/** The error log. */
const logged: string[] = []

let app: TestApp
let port: number
beforeAll(async () => {
  const webRoot = join(mkdtempSync(join(inject('cluster').folder, 'hostile-')), 'web')
  mkdirSync(join(webRoot, 'assets'), { recursive: true })
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Rookery</title>')
  writeFileSync(join(webRoot, 'screens.json'), '{}')
  writeFileSync(join(webRoot, 'assets', 'main-a1b2c3.js'), 'start()')
  writeFileSync(join(webRoot, '..', 'secret.txt'), 'swordfish')
  app = await startApp({
    webRoot,
    env: { LOG_LEVEL: 'error' },
    http: { logTo: { write: (line) => void logged.push(line) } },
  })
  port = Number(new URL(await app.listen()).port)
})
afterAll(() => app.close())
afterEach(() => void logged.splice(0))

/** Requests a target exactly as it's written: clients that build URLs would normalize it. */
function ask(target: string, method = 'GET'): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.on('error', reject)
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString('latin1')
      resolve({ status: Number(text.slice(9, 12)), text })
    })
    socket.write(
      Buffer.from(`${method} ${target} HTTP/1.1\r\nhost: rookery.test\r\nconnection: close\r\n\r\n`, 'latin1'),
    )
  })
}

const long = 'x'.repeat(5000)
/** Where the response is the page or a file: the page does its own routing. */
const harmless = ['/', '/a/', '/index.html/x', '/.well-known/nothing']

describe('a hostile URL', () => {
  it.each([
    ['another host', '//evil.example/%2e%2e'],
    ['a backslash', '/\\evil'],
    ['an encoded backslash', '/..%5c..%5cx'],
    ['a zero byte', '/%00'],
    ['a zero byte in a name', '/a%00.js'],
    ['5,000 letters', `/${long}`],
    ['2,500 folders', `/${'x/'.repeat(2500)}`],
    ['5,000 letters of an asset', `/assets/${long}.js`],
    ['a name of 300 letters', `/${long.slice(0, 300)}`],
    ['a folder of an asset', '/assets/main-a1b2c3.js/'],
    ['a file in a file', '/assets/main-a1b2c3.js/x'],
    ['a folder', '/assets'],
    ['a folder with a slash', '/assets/'],
    ['dots', '/../secret.txt'],
    ['encoded dots', '/%2e%2e/secret.txt'],
    ['dots from assets', '/assets/%2e%2e/%2e%2e/secret.txt'],
    ['an encoded slash', '/..%2fsecret.txt'],
    ['overlong dots', '/%c0%ae%c0%ae/secret.txt'],
    ['a broken escape', '/%zz'],
    ['half an escape', '/%'],
    ['a broken letter', '/%ff'],
    ['a hidden file', '/.env.js'],
    ['slashes', '//'],
    ['many slashes', '///'],
    ['a dot', '/./'],
    ['an empty folder', '/a//b'],
    ['dots from the reference', '/api/docs/files/../../secret.txt'],
    ['encoded dots from the reference', '/api/docs/files/%2e%2e%2f%2e%2e%2fpackage.json'],
    ['a zero byte in the reference', '/api/docs/files/%00'],
    ['a zero byte in a media link', '/api/media/file/%00/x'],
    ['dots as an upload', '/api/upload/%2e%2e%2f'],
    ['a zero byte as an organization', '/api/%00'],
    ['another host below /api', '/api//evil.example/%2e%2e'],
  ])('is refused without an error in the log: %s', async (_, target) => {
    for (const method of ['GET', 'HEAD']) {
      const { status, text } = await ask(target, method)
      expect([400, 404]).toContain(status)
      expect(text).not.toContain('swordfish')
    }
    expect(logged).toEqual([])
  })

  it.each([
    ['/api/%zz', 400, 'BAD_INPUT'],
    ['/api/%ed%a0%80', 400, 'BAD_INPUT'],
    ['/api/%', 400, 'BAD_INPUT'],
    ['/%ff', 400, 'BAD_INPUT'],
    [`/api/public/invite/${long.slice(0, 201)}`, 404, 'NOT_FOUND'],
    [`/api/public/invite/${long.slice(0, 200)}%zz`, 400, 'BAD_INPUT'],
  ])('that no endpoint can be looked up for is answered with problem details: %s', async (url, status, code) => {
    for (const method of ['GET', 'POST'] as const) {
      const reply = await app.app.inject({ url, method, headers: { host: 'rookery.test' } })
      expect(reply.headers['content-type']).toContain('application/problem+json')
      expect(reply.headers['x-content-type-options']).toBe('nosniff')
      expect(Problem.parse(reply.json())).toMatchObject({ status, code, requestId: reply.headers['x-request-id'] })
      expect(reply.statusCode).toBe(status)
      if (url.startsWith('/api/')) expect(reply.headers['cache-control']).toBe('no-store')
      expect(reply.body).not.toContain('FST_')
    }
    expect(logged).toEqual([])
  })

  it("isn't one that merely looks odd", async () => {
    for (const target of harmless)
      expect({ target, status: (await ask(target)).status }).toEqual({ target, status: 200 })
  })

  const { runs, seed, timeout } = modelRuns('hostile paths')
  it('never causes an internal error, whatever it contains', { timeout }, async () => {
    const part = fc.oneof(
      fc.constantFrom('/', '//', '\\', '.', '..', '%2e', '%2f', '%5c', '%00', '%', '%u0041', '?', ';', '*', ':', '~'),
      fc.constantFrom('api', 'assets', 'index.html', 'main-a1b2c3.js', 'media', 'upload', 'docs', 'files', 'project'),
      fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((text) => text.replaceAll(/\s/g, '_')),
      fc
        .string({ unit: 'binary', maxLength: 4 })
        .filter((text) => text.isWellFormed())
        .map(encodeURIComponent),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 12 }),
        fc.constantFrom('GET', 'HEAD', 'POST'),
        async (parts, method) => {
          const { status, text } = await ask(`/${parts.join('')}`.replaceAll('#', ''), method)
          expect(status, text).toBeGreaterThanOrEqual(200)
          expect(status, text).toBeLessThan(500)
          expect(logged).toEqual([])
        },
      ),
      { numRuns: runs, seed },
    )
  })

  it.each(['/API/nothing', '/Api/public/user/login', '/aPI', '/api', '/API/../x', '/%41PI/nothing'])(
    "below /api in any spelling isn't a page: %s",
    async (target) => {
      const { status, text } = await ask(target)
      expect(status).toBe(404)
      const body = text.slice(text.indexOf('\r\n\r\n') + 4)
      expect(Problem.parse(JSON.parse(body)).code).toBe('NOT_FOUND')
    },
  )
})
