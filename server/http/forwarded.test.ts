import fastify from 'fastify'
import { expect, it } from 'vitest'
import { watchForwarded } from './forwarded.ts'

/** What is logged about requests from these addresses, all with X-Forwarded-For unless `plain`. */
async function said(trustProxy: string[] | false, from: string[], plain = false) {
  const warnings: unknown[] = []
  const app = fastify({ trustProxy })
  watchForwarded(app, (facts) => void warnings.push(facts))
  app.get('/', () => 'hello')
  for (const remoteAddress of from)
    await app.inject({ url: '/', remoteAddress, headers: plain ? {} : { 'x-forwarded-for': '198.51.100.7' } })
  await app.close()
  return warnings
}

it("logs once that a proxy isn't trusted, and which", async () => {
  expect(await said(false, ['10.0.0.1', '10.0.0.1', '10.0.0.2'])).toEqual([{ proxy: '10.0.0.1' }])
  expect(await said(['10.0.0.9'], ['10.0.0.9', '10.0.0.1'])).toEqual([{ proxy: '10.0.0.1' }])
})

it('logs nothing if proxies are configured, or if there is none', async () => {
  expect(await said(['10.0.0.0/8'], ['10.0.0.1', '10.0.0.2'])).toEqual([])
  expect(await said(false, ['10.0.0.1'], true)).toEqual([])
})
