import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { createOrganization, home } from '#contract/organizations.ts'
import { createApp } from '../app.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let named: TestApp
let served: FastifyInstance
beforeAll(async () => {
  app = await startApp({ env: { PUBLIC_URL: 'https://rookery.example', TRUST_PROXY: '10.0.0.1' } })
  named = await startApp({ database: app.database, env: { ALLOWED_HOSTS: 'rookery.prod.svc, Internal.example' } })
  served = await createApp(app.parts, { routes: [], onSeen: () => {}, metrics: async () => 'figures' })
})
afterAll(async () => {
  await served.close()
  await named.close()
  await app.close()
})

const statusOf = async (of: FastifyInstance, url: string, headers: Record<string, string>, remoteAddress?: string) =>
  (await of.inject({ url, headers, ...(remoteAddress !== undefined && { remoteAddress }) })).statusCode
const paths = ['/metrics', '/api/openapi.json', '/api/nothing', '/login']

describe('a request for another name', () => {
  it.each(['evil.example', 'evil.example:3000', 'rookery.example.evil.example', 'xrookery.example', 'a@b@c.example'])(
    'gets nothing: %s',
    async (host) => {
      for (const path of paths) expect(await statusOf(served, path, { host })).toBe(421)
    },
  )

  it('changes nothing, even if its origin has the same name', async () => {
    const person = await app.person()
    const headers = { host: 'evil.example', origin: 'http://evil.example' }
    const body = { orgType: 'organization', orgName: 'Rebound', orgSize: '2-10' } as const
    const cookies = { as: person, headers }
    await expect(app.call(createOrganization, { body }, cookies)).rejects.toMatchObject({
      code: 'FOREIGN_HOST',
      status: 421,
    })
  })

  it("may check the node's health: load balancers use names of their own", async () => {
    for (const path of ['/healthz', '/readyz'])
      expect(await statusOf(served, path, { host: 'targets.example' })).toBe(200)
  })
})

describe('a request for this installation', () => {
  it.each([
    'rookery.example',
    'ROOKERY.example:443',
    'localhost:3000',
    'rookery.localhost',
    '127.0.0.1:3000',
    '[::1]:3000',
    '192.168.1.20',
    'web:3000',
  ])('is answered: %s', async (host) => {
    expect(await statusOf(served, '/metrics', { host })).toBe(200)
  })

  it('may use names in ALLOWED_HOSTS, and no others', async () => {
    const status = (host: string) => statusOf(named.app, home.path, { host })
    expect([await status('rookery.prod.svc:3000'), await status('internal.example')]).toEqual([401, 401])
    expect(await status('other.prod.svc')).toBe(421)
  })

  it('may come through a trusted proxy that uses another name', async () => {
    const headers = { host: 'backend.internal', 'x-forwarded-host': 'rookery.example', 'x-forwarded-for': '8.8.8.8' }
    expect(await statusOf(served, '/api/openapi.json', headers, '10.0.0.1')).toBe(200)
    expect(await statusOf(served, '/api/openapi.json', headers, '10.0.0.2')).toBe(421)
  })
})
