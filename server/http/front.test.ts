import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bioPagesOn } from '../testing/bioPages.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
let port: number
beforeAll(async () => {
  app = await startApp()
  await bioPagesOn(app.database).page(await app.signedInOwner(), { slug: 'in-front' })
  port = Number(new URL(await app.listen()).port)
  // in memory from when changes of pages can be heard
  await until(async () => (await exchange(get('/b/in-front'), 1)).every((reply) => !isFromFastify(reply)))
})
afterAll(() => app.close())

/** The status lines and bodies of what is sent for these requests in one connection. */
async function exchange(requests: string, replies: number): Promise<string[]> {
  const socket = connect({ port, host: '127.0.0.1' })
  let said = ''
  socket.on('data', (bytes) => (said += bytes.toString('latin1')))
  socket.write(requests)
  await until(() => said.split('HTTP/1.1 ').length > replies)
  socket.destroy()
  return said.split('HTTP/1.1 ').slice(1)
}
const get = (path: string, headers = 'Host: rookery.test') => `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`
/** Only Fastify's replies have an ID. */
const isFromFastify = (reply: string) => reply.includes('x-request-id')

it('answers pipelined requests in their order', async () => {
  const replies = await exchange(get('/b/in-front') + get('/healthz') + get('/b/in-front'), 3)
  expect(replies.map(isFromFastify)).toEqual([false, true, false])
})

it('leaves requests for another name, and those with a body, to the rules for all', async () => {
  const [foreign = ''] = await exchange(get('/b/in-front', 'Host: evil.example'), 1)
  expect([foreign.slice(0, 3), isFromFastify(foreign)]).toEqual(['421', true])
  for (const body of ['Content-Length: 5', 'Transfer-Encoding: chunked']) {
    const [reply = ''] = await exchange(get('/b/in-front', `Host: rookery.test\r\n${body}`), 1)
    expect([reply.slice(0, 3), isFromFastify(reply)], body).toEqual(['200', true])
  }
})
