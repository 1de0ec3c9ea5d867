import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serveWeb } from '../http/webFiles.ts'
import { testPlatform } from '../testing/content.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { mountConnectPages } from './pages.ts'

const unasked = async (): Promise<never> => {
  throw new Error('the test did not expect this call')
}
const metadata = { client_id: 'https://app.rookery.social/oauth/bluesky/client-metadata.json' }

let open: TestApp
let local: TestApp
beforeAll(async () => {
  open = await startApp({
    env: { PUBLIC_URL: 'https://app.rookery.social' },
    platforms: { bluesky: testPlatform({ page: { begin: unasked, answer: unasked, metadata: async () => metadata } }) },
  })
  local = await startApp({
    env: { PUBLIC_URL: 'http://localhost:3000' },
    platforms: { bluesky: testPlatform({ page: { begin: unasked, answer: unasked } }) },
  })
})
afterAll(async () => {
  await open.close()
  await local.close()
})

it('what a platform reads about us is public, if there is something', async () => {
  const shown = await open.app.inject({ url: '/oauth/bluesky/client-metadata.json' })
  expect([shown.statusCode, shown.headers['content-type'], shown.json()]).toEqual([
    200,
    expect.stringContaining('application/json'),
    metadata,
  ])
  for (const [app, platform] of [
    [open, 'x'],
    [open, 'constructor'],
    [local, 'bluesky'],
  ] as const)
    expect((await app.app.inject({ url: `/oauth/${platform}/client-metadata.json` })).statusCode).toBe(404)
})

it("the redirect leads from this machine's IP address to its name, with all parameters, and nowhere else", async () => {
  const back = (app: TestApp, host: string) =>
    app.app.inject({
      url: '/oauth/bluesky/callback?state=s&code=c&iss=http%3A%2F%2Flocalhost%3A2583',
      headers: { host },
    })
  const moved = await back(local, '127.0.0.1:3000')
  expect([moved.statusCode, moved.headers.location]).toEqual([
    302,
    'http://localhost:3000/oauth/bluesky/callback?state=s&code=c&iss=http%3A%2F%2Flocalhost%3A2583',
  ])
  // elsewhere it's a page of the app, which this test doesn't serve
  for (const [app, host] of [
    [local, 'localhost:3000'],
    [open, '127.0.0.1:3000'],
  ] as const)
    expect((await back(app, host)).statusCode).toBe(404)
  expect((await back(local, 'evil.example')).statusCode).toBe(421)
})

it('the redirect is a page of the app, at the public URL', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rookery-web-'))
  writeFileSync(join(root, 'index.html'), 'the app')
  writeFileSync(join(root, 'screens.json'), '{}')
  const app = fastify()
  mountConnectPages(app, local.parts)
  await serveWeb(app, root)
  const page = await app.inject({ url: '/oauth/bluesky/callback?state=s', headers: { host: 'localhost:3000' } })
  expect([page.statusCode, page.headers['content-type'], page.body]).toEqual([
    200,
    expect.stringContaining('text/html'),
    'the app',
  ])
  expect((await app.inject({ url: '/oauth/bluesky/client-metadata.json' })).statusCode).toBe(404)
  await app.close()
  rmSync(root, { recursive: true })
})
