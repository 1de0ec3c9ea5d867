import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { readEnv } from '../env.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { securityHeaders } from './securityHeaders.ts'

const addresses = [
  '/login',
  '/api/docs',
  '/api/docs/start.js',
  '/api/openapi.json',
  '/api/nothing',
  '/nothing.js',
  '/%00',
  '/%zz',
  '/api/%zz',
  '/api/%ed%a0%80',
  `/api/public/invite/${'x'.repeat(201)}`,
]

let plain: TestApp
let secure: TestApp
beforeAll(async () => {
  const webRoot = mkdtempSync(join(inject('cluster').folder, 'headers-'))
  writeFileSync(join(webRoot, 'index.html'), '<!doctype html><title>Rookery</title>')
  writeFileSync(join(webRoot, 'screens.json'), '{}')
  plain = await startApp({ webRoot })
  secure = await startApp({ webRoot, database: plain.database, env: { PUBLIC_URL: 'https://rookery.example' } })
})
afterAll(async () => {
  await secure.close()
  await plain.close()
})

const host = { plain: 'rookery.test', secure: 'rookery.example' }

it.each(addresses)('every reply tells browsers what it may do: %s', async (url) => {
  const { headers } = await plain.app.inject({ url, headers: { host: host.plain } })
  expect(headers).toMatchObject({
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
  })
  expect(headers['strict-transport-security']).toBeUndefined()
})

it.each(addresses)("requires https from browsers if it's reached by https: %s", async (url) => {
  const { headers } = await secure.app.inject({ url, headers: { host: host.secure } })
  expect(headers['strict-transport-security']).toBe('max-age=63072000')
})

it('requires it for the names below as well only where the operator asks for it', () => {
  const requires = (more: Record<string, string>) => securityHeaders(readEnv(more))['strict-transport-security']
  expect(requires({ PUBLIC_URL: 'https://rookery.example', HSTS_SUBDOMAINS: '1' })).toBe(
    'max-age=63072000; includeSubDomains',
  )
  expect(requires({ PUBLIC_URL: 'http://rookery.example', HSTS_SUBDOMAINS: '1' })).toBeUndefined()
})
