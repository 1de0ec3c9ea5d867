import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { createApp } from '../app.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* The process's metrics are for its operator. */

let app: TestApp
let served: FastifyInstance
let behind: FastifyInstance
beforeAll(async () => {
  app = await startApp()
  const options = { routes: [], onSeen: () => {}, metrics: async () => 'figures' }
  served = await createApp(app.parts, options)
  behind = await createApp({ ...app.parts, env: { ...app.parts.env, TRUST_PROXY: ['10.0.0.1'] } }, options)
})
afterAll(async () => {
  await served.close()
  await behind.close()
  await app.close()
})

const ask = async (of: FastifyInstance, remoteAddress: string, forwarded?: string) =>
  (
    await of.inject({
      url: '/metrics',
      remoteAddress,
      headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    })
  ).statusCode

it('are returned on this machine and in private networks, and to nobody else', async () => {
  expect([await ask(served, '127.0.0.1'), await ask(served, '10.2.3.4'), await ask(served, '::1')]).toEqual([
    200, 200, 200,
  ])
  expect([await ask(served, '8.8.8.8'), await ask(served, '2606:4700::1111')]).toEqual([404, 404])
})

it("aren't returned through a proxy, unless it's trusted and the client is in a private network", async () => {
  expect(await ask(served, '127.0.0.1', '8.8.8.8')).toBe(404)
  expect(await ask(served, '127.0.0.1', '10.2.3.4')).toBe(404)
  expect([await ask(behind, '10.0.0.1', '8.8.8.8'), await ask(behind, '10.0.0.1', '10.2.3.4')]).toEqual([404, 200])
})
