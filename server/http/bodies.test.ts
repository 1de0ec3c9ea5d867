import { connect, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { anyUser, endpoint, everybody } from '#contract/endpoint.ts'
import { Problem } from '#contract/errors.ts'
import { login } from '#contract/identity.ts'
import { createLabel } from '#contract/labels.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type StartAppOptions, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import type { BodyShares } from './bodies.ts'
import { SMALL_BODY } from './connections.ts'
import { handle } from './route.ts'

const keep = endpoint({
  method: 'POST',
  path: '/api/test/keep',
  summary: 'For this test',
  access: anyUser,
  cost: 'light',
  changes: [],
  body: z.object({ text: z.string().max(2_000_000) }),
  reply: z.object({ length: z.int() }),
  audit: null,
})
const notify = endpoint({
  method: 'POST',
  path: '/api/public/test/notify',
  summary: 'For this test',
  access: everybody,
  cost: 'light',
  changes: [],
  body: z.object({ text: z.string() }),
  bodyLimit: 1_000_000,
  reply: z.object({}),
  audit: null,
})

const options: StartAppOptions = {
  env: { TRUST_PROXY: '127.0.0.1' },
  routes: (routes) => [
    ...routes,
    handle(keep, async (c) => ({ length: c.body.text.length })),
    handle(notify, async () => ({})),
  ],
}

const apps: TestApp[] = []
const sockets: Socket[] = []
let main: TestApp
let owner: TestHome
beforeAll(async () => {
  main = await listening()
  owner = await main.signedInOwner()
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await until(() => apps.every(({ app }) => app.heldBytes() === 0))
})
afterAll(async () => {
  for (const app of apps.toReversed()) await app.close()
})

/** An app on a port, with its own shares of memory. */
async function listening(bodies?: BodyShares): Promise<TestApp> {
  const shared = apps[0] && { database: apps[0].database }
  const app = await startApp({ ...options, ...shared, ...(bodies && { http: { bodies } }) })
  apps.push(app)
  await app.listen()
  return app
}

const portOf = ({ app }: TestApp) => {
  const address = app.server.address()
  if (address === null || typeof address === 'string') throw new Error('the app listens on no port')
  return address.port
}
const cookieOf = ({ person }: Pick<TestHome, 'person'>) => `rookery=${person.cookies.get('rookery')}`

/** Sends the beginning of a body from an address, and returns its connection with what the server said. */
function begin(app: TestApp, path: string, from: string, { announced = 1_000_000, sent = 1, cookie = '' } = {}) {
  const socket = connect({ port: portOf(app), host: '127.0.0.1' })
  sockets.push(socket)
  let said = ''
  socket.setEncoding('utf8').on('data', (text: string) => (said += text))
  // the server may close while the client still writes
  socket.on('error', () => undefined)
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: rookery.test',
    'content-type: application/json',
    `x-forwarded-for: ${from}`,
    `cookie: ${cookie}`,
    `content-length: ${announced}`,
  ]
  socket.write(`${head.join('\r\n')}\r\n\r\n${' '.repeat(sent)}`)
  const more = (bytes: number) => void socket.write(' '.repeat(bytes))
  return {
    more,
    status: () => said.slice(9, 12),
    problem: () => Problem.parse(JSON.parse(said.split('\r\n\r\n')[1] ?? '')),
  }
}

type Begun = ReturnType<typeof begin>

/** Waits until so many bytes are held, or the server refused. */
const heldOrRefused = (app: TestApp, bytes: number, one: Begun) =>
  until(() => one.status() !== '' || app.app.heldBytes() >= bytes)

const whole = async (app: TestApp, length: number, from: string, cookie: string) =>
  (
    await app.app.inject({
      method: 'POST',
      url: keep.path,
      headers: { 'content-type': 'application/json', 'x-forwarded-for': from, cookie },
      payload: JSON.stringify({ text: 'x'.repeat(length - 11) }),
    })
  ).statusCode

it('announced by hundreds of strangers takes nothing from anyone', async () => {
  const strangers = Array.from({ length: 400 }, (_, i) => begin(main, notify.path, `198.51.${i % 16}.${i % 250}`))
  await until(() => main.app.heldBytes() === 400)
  expect(strangers.map((one) => one.status())).toEqual(strangers.map(() => ''))
  const other = await main.signedInOwner()
  const saved = await main.send(
    createLabel,
    { params: other.params, body: { labelName: 'Elms', color: 'purple' } },
    { as: other.person },
  )
  expect(saved.statusCode).toBe(200)
  expect(await whole(main, 2_000_000, '198.51.0.0', cookieOf(other))).toBe(200)
  const wrong = await main.send(login, { body: { email: 'nobody@rookery.test', password: 'wrong password' } })
  expect(Problem.parse(wrong.json()).code).toBe('LOGIN_FAILED')
})

describe('bytes that strangers send', () => {
  const bodies: BodyShares = {
    strangers: { all: 40_000, address: 12_000 },
    people: { all: 8_000_000, address: 4_000_000, person: 3_000_000 },
  }

  it('are bounded per address, however slowly they come', async () => {
    const small = await listening(bodies)
    const [first, second, elsewhere] = [
      begin(small, notify.path, '198.51.100.1'),
      begin(small, notify.path, '198.51.100.1'),
      begin(small, notify.path, '198.51.100.2'),
    ]
    for (let held = 1003; held <= 12_001; held += 1000) {
      const before = small.app.heldBytes()
      ;(held % 2000 === 3 ? first : second).more(1000)
      await until(() => small.app.heldBytes() > before || first.status() + second.status() !== '')
    }
    expect(small.app.heldBytes()).toBeLessThanOrEqual(12_001)
    first.more(2000)
    await until(() => first.status() === '429')
    expect(first.problem().code).toBe('RATE_LIMITED')
    elsewhere.more(5000)
    await until(() => small.app.heldBytes() >= 5001)
    expect(elsewhere.status()).toBe('')
  })

  it('that are sent slowly make room for a login from the same address, the oldest first', async () => {
    const small = await listening(bodies)
    const from = '198.51.100.1'
    const slow: Begun[] = []
    for (let i = 0; i < 3; i++) {
      const one = begin(small, notify.path, from, { sent: 4000 })
      slow.push(one)
      await heldOrRefused(small, (i + 1) * 4000, one)
    }
    const wrong = await small.app.inject({
      method: 'POST',
      url: login.path,
      headers: { 'x-forwarded-for': from },
      payload: { email: 'nobody@rookery.test', password: 'wrong password' },
    })
    expect(Problem.parse(wrong.json()).code).toBe('LOGIN_FAILED')
    await until(() => slow[0]?.status() === '429')
    expect(slow[0]?.problem().code).toBe('RATE_LIMITED')
    expect(slow.map((one) => one.status())).toEqual(['429', '', ''])
    expect(small.app.heldBytes()).toBe(8000)
  })

  it("keep no one from the first save of a session, which isn't a stranger's", async () => {
    const small = await listening(bodies)
    const newcomer = await main.signedInOwner()
    const from = '198.51.100.1'
    const first = begin(small, notify.path, from, { sent: 11_900 })
    await heldOrRefused(small, 11_900, first)
    expect(await whole(small, 3000, from, cookieOf(newcomer))).toBe(200)
    expect(first.status()).toBe('')
  })

  it('leave some room for the next stranger and all room for people who are signed in', async () => {
    const small = await listening(bodies)
    const held: Begun[] = []
    for (let i = 0; i < 12; i++) {
      const one = begin(small, notify.path, `198.51.100.${i}`, { sent: 10_000 })
      await until(() => one.status() !== '' || small.app.heldBytes() >= (held.length + 1) * 10_000)
      if (one.status() === '') held.push(one)
      else expect(one.status()).toBe('503')
    }
    expect(held).toHaveLength(3)
    expect(small.app.heldBytes()).toBe(30_000)
    const wrong = await small.send(login, { body: { email: 'nobody@rookery.test', password: 'wrong password' } })
    expect(Problem.parse(wrong.json()).code).toBe('LOGIN_FAILED')
    expect(await whole(small, 2_000_000, '198.51.100.1', cookieOf(owner))).toBe(200)
  })
})

it("of one person are bounded, so that a colleague behind the same address isn't refused", async () => {
  const small = await listening({
    strangers: { all: 40_000, address: 12_000 },
    people: { all: 9_000_000, address: 5_000_000, person: 2_500_000 },
  })
  const colleague = { person: await main.colleague(owner, 'editor') }
  const third = { person: await main.colleague(owner, 'editor') }
  const from = '198.51.100.1'
  const half = (who: Pick<TestHome, 'person'>, sent: number, address = from) =>
    begin(small, keep.path, address, { announced: 2_000_000, sent, cookie: cookieOf(who) })
  const first = half(owner, 1_200_000)
  await heldOrRefused(small, 1_200_000, first)
  const second = half(owner, 1_200_000)
  await heldOrRefused(small, 2_400_000, second)
  const refused = half(owner, 1_200_000)
  await until(() => refused.status() === '429')
  expect(refused.problem()).toMatchObject({ code: 'TOO_MANY_REQUESTS', meta: { limit: 'person' } })
  expect([first.status(), second.status()]).toEqual(['', ''])
  expect(await whole(small, 2_000_000, from, cookieOf(colleague))).toBe(200)
  // all people of an address together
  const theirs = half(colleague, 1_900_000)
  await heldOrRefused(small, 4_300_000, theirs)
  const network = half(third, 1_000_000)
  await until(() => network.status() === '429')
  expect(network.problem().code).toBe('RATE_LIMITED')
  expect(await whole(small, 2_000_000, '198.51.100.2', cookieOf(third))).toBe(200)
})

it('may only be as large as what its endpoint accepts', async () => {
  const label = (length: number) =>
    main.app.inject({
      method: 'POST',
      url: `/api/${owner.orgId}/project/${owner.params.projectId}/label`,
      headers: { 'content-type': 'application/json', cookie: cookieOf(owner) },
      payload: JSON.stringify({ labelName: `Rooks ${length}`, color: 'purple' }).padEnd(length),
    })
  expect((await label(SMALL_BODY)).statusCode).toBe(200)
  expect((await label(SMALL_BODY + 1)).statusCode).toBe(413)
})
