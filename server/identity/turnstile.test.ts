import { afterAll, beforeAll, expect, it } from 'vitest'
import { humanChallenge, signUp } from '#contract/identity.ts'
import { readEnv } from '../env.ts'
import type { SafeAnswer, SafeRequest } from '../platforms/safeHttp.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { createTurnstile, SITEVERIFY } from './turnstile.ts'

const keys = { TURNSTILE_SITE_KEY: 'site-key', TURNSTILE_SECRET_KEY: 'secret-key' }
const asked: { url: string; request: SafeRequest }[] = []
let verdict: SafeAnswer
const answers = (body: unknown, status = 200): SafeAnswer => ({
  kind: 'answer',
  status,
  headers: {},
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  url: SITEVERIFY,
})
const fetch = async (url: string, request: SafeRequest) => {
  asked.push({ url, request })
  return verdict
}

let app: TestApp
beforeAll(async () => {
  app = await startApp({ env: keys, fetch })
})
afterAll(() => app.close())

const join = (email: string) =>
  app.call(signUp, { body: { email, password: 'Larch-Otter7', token: 'token from the widget' } })

it('gives the page the site key, and never the secret', async () => {
  const response = await app.send(humanChallenge, {})
  expect(response.json()).toEqual({ kind: 'turnstile', siteKey: 'site-key' })
})

it('verifies a token with Cloudflare before creating an account', async () => {
  verdict = answers({ success: true, 'error-codes': [], hostname: 'rookery.test' })
  await join('human@example.org')
  expect(asked.at(-1)).toMatchObject({
    url: SITEVERIFY,
    request: { method: 'POST', body: 'secret=secret-key&response=token+from+the+widget' },
  })
  expect(asked.at(-1)?.request.redirects).toBeUndefined()
})

it.each<[string, SafeAnswer]>([
  ['says no', answers({ success: false, 'error-codes': ['timeout-or-duplicate'] })],
  ['does not know our secret', answers({ success: false, 'error-codes': ['invalid-input-secret'] })],
  ['answers something else', answers('<html>busy</html>', 503)],
  ['answers half of it', answers({ ok: true })],
  ['is away', { kind: 'unsent', why: 'unreachable', detail: 'no route' }],
  ['does not answer in time', { kind: 'lost', why: 'timeout', detail: '10 s' }],
])('nobody passes while Cloudflare %s', async (_, answer) => {
  verdict = answer
  await expect(join('machine@example.org')).rejects.toMatchObject({ code: 'HUMAN_CHECK_FAILED' })
  expect((await app.database.owner.query("select from person where email = 'machine@example.org'")).rowCount).toBe(0)
})

it("tells the operator when Cloudflare rejects the secret or can't be reached", async () => {
  const said: string[] = []
  const log = {
    info: () => {},
    warn: (_: unknown, message: string) => void said.push(`warn ${message}`),
    error: (_: unknown, message: string) => void said.push(`error ${message}`),
  }
  const check = createTurnstile({ siteKey: 'a', secretKey: 'b', fetch, log, siteverify: 'https://stub.example/verify' })
  verdict = answers({ success: false, 'error-codes': ['invalid-input-secret'] })
  expect(await check.accepts('token', app.clock.now())).toBe(false)
  verdict = { kind: 'unsent', why: 'unreachable', detail: 'no route' }
  expect(await check.accepts('token', app.clock.now())).toBe(false)
  expect(asked.at(-1)?.url).toBe('https://stub.example/verify')
  expect(said).toEqual([
    'error Turnstile rejects TURNSTILE_SECRET_KEY: nobody can pass the human check',
    "warn Turnstile can't be reached: nobody can pass the human check",
  ])
})

it('needs both keys or neither', () => {
  for (const name of ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'])
    expect(() => readEnv({ [name]: 'x' })).toThrow('TURNSTILE_SITE_KEY, TURNSTILE_SECRET_KEY: set both, or neither')
  expect(readEnv(keys)).toMatchObject(keys)
})
