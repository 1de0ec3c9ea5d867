import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApp, type TestApp } from '../testing/startApp.ts'

/* The folder of unsent emails is an absolute path of this machine: only those who use the app on it see it. */

let app: TestApp
let port: number
beforeAll(async () => {
  app = await startApp({ env: { PUBLIC_URL: 'http://localhost:3000' } })
  port = Number(new URL(await app.listen()).port)
})
afterAll(() => app.close())

type From = { headers?: Record<string, string>; remoteAddress?: string }
const answer = async ({ headers = {}, remoteAddress = '127.0.0.1' }: From = {}): Promise<string> => {
  const reply = await app.app.inject({
    url: '/api/public/mail-folder',
    headers: { host: 'localhost:3000', ...headers },
    remoteAddress,
  })
  return reply.body
}

/** As a program sends it that speaks this version of HTTP. */
const spoken = (version: '1.0' | '1.1'): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString()))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
    socket.write(`GET /api/public/mail-folder HTTP/${version}\r\nhost: localhost:${port}\r\nconnection: close\r\n\r\n`)
  })

describe('the folder of unsent emails', () => {
  it.each<[string, From]>([
    ['a program', {}],
    ['a program by IPv6', { remoteAddress: '::1', headers: { host: '[::1]:3000' } }],
    ['a program by a mapped address', { remoteAddress: '::ffff:127.0.0.1', headers: { host: '127.0.0.1:3000' } }],
    [
      'a browser',
      {
        headers: {
          origin: 'http://localhost:3000',
          referer: 'http://localhost:3000/verify',
          'sec-fetch-site': 'same-origin',
        },
      },
    ],
  ])('is shown to %s on this machine', async (_, from) => {
    expect(await answer(from)).toMatch(/outbox"}$/)
  })

  it.each([
    ['X-Forwarded-For', '127.0.0.1'],
    ['X-Forwarded-Host', 'localhost'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Server', 'proxy'],
    ['Forwarded', 'for=127.0.0.1'],
    ['Via', '1.1 proxy'],
    ['X-Real-IP', '127.0.0.1'],
    ['X-Client-IP', '127.0.0.1'],
    ['True-Client-IP', '127.0.0.1'],
    ['CF-Connecting-IP', '127.0.0.1'],
    ['X-Amzn-Trace-Id', 'Root=1'],
    ['Origin', 'https://rookery.example'],
    ['Origin', 'null'],
    ['Referer', 'https://rookery.example/verify'],
    ['Sec-Fetch-Site', 'cross-site'],
    ['Host', 'nas:3000'],
    ['Host', '192.168.1.2:3000'],
    ['Host', '127.evil'],
  ])("isn't shown with %s: %s", async (name, value) => {
    expect(await answer({ headers: { [name.toLowerCase()]: value } })).not.toContain('outbox')
  })

  it.each(['192.168.1.2', '203.0.113.7', '::ffff:192.168.1.2', 'fe80::1'])(
    "isn't shown to %s",
    async (remoteAddress) => {
      expect(await answer({ remoteAddress })).toBe('{"folder":null}')
    },
  )

  it("isn't shown to proxies, which speak HTTP/1.0 unless they're told otherwise", async () => {
    expect(await spoken('1.1')).toContain('outbox')
    expect(await spoken('1.0')).not.toContain('outbox')
  })
})
