import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OrgParams } from '#contract/common.ts'
import { anyMember, endpoint, everybody } from '#contract/endpoint.ts'
import { errorCatalog, Problem } from '#contract/errors.ts'
import { getCode, login, signUp } from '#contract/identity.ts'
import { passkeyLogin } from '#contract/secondFactor.ts'
import { createOrganization, createProject, home, plan } from '#contract/organizations.ts'
import { openDatabases } from '../db/pools.ts'
import { TEST_PASSWORD } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { handle } from './route.ts'

const crash = endpoint({
  method: 'GET',
  path: '/api/public/test/crash',
  summary: 'For this test',
  access: everybody,
  cost: 'light',
  reads: [],
  reply: z.object({}),
  audit: null,
})
const extra = endpoint({
  method: 'GET',
  path: '/api/:orgId/test/extra',
  summary: 'For this test',
  access: anyMember,
  cost: 'light',
  reads: [],
  params: OrgParams,
  reply: z.object({ said: z.string() }),
  audit: null,
})
const wrongReply = endpoint({
  method: 'GET',
  path: '/api/:orgId/test/wrong-reply',
  summary: 'For this test',
  access: anyMember,
  cost: 'light',
  reads: [],
  params: OrgParams,
  reply: z.object({ said: z.int().min(10) }),
  audit: null,
})

const severed = endpoint({
  method: 'GET',
  path: '/api/:orgId/test/severed',
  summary: 'For this test',
  access: anyMember,
  cost: 'light',
  reads: [],
  params: OrgParams,
  reply: z.object({}),
  audit: null,
})

let app: TestApp
beforeAll(async () => {
  const replies = { said: 'yes', unsaid: 'no' }
  app = await startApp({
    routes: (routes) => [
      ...routes,
      handle(crash, async () => {
        throw new Error('the password is swordfish')
      }),
      handle(extra, async () => replies),
      handle(severed, async (c) => {
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(c.tx)
        return {}
      }),
      handle(wrongReply, async () => ({ said: 1 })),
    ],
  })
})
afterAll(() => app.close())

describe('a failure', () => {
  it("returns problem details with a code and the request's id", async () => {
    const response = await app.send(home, {})
    expect(response.headers['content-type']).toBe('application/problem+json')
    expect(Problem.parse(response.json())).toEqual({
      type: 'urn:rookery:error:unauthorized',
      title: 'Unauthorized',
      status: 401,
      detail: 'Please log in to continue.',
      code: 'UNAUTHORIZED',
      requestId: response.headers['x-request-id'],
    })
  })

  it("that isn't declared reveals nothing of its cause", async () => {
    const response = await app.send(crash, {})
    expect(response.json()).toMatchObject({ code: 'INTERNAL', detail: errorCatalog.INTERNAL.detail })
    expect(response.body).not.toContain('swordfish')
  })

  it.each([
    ['broken JSON', { payload: '{', headers: { 'content-type': 'application/json' } }, 400, 'BAD_INPUT'],
    ['a body of another type', { payload: '<a/>', headers: { 'content-type': 'text/xml' } }, 400, 'BAD_INPUT'],
    [
      'a form, which other sites can send',
      { payload: 'email=a', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      400,
      'BAD_INPUT',
    ],
    ['no body', {}, 400, 'BAD_INPUT'],
    ['an array', { payload: '[]', headers: { 'content-type': 'application/json' } }, 400, 'BAD_INPUT'],
    [
      'too much',
      { payload: JSON.stringify({ email: 'x'.repeat(2_000_001) }), headers: { 'content-type': 'application/json' } },
      413,
      'PAYLOAD_TOO_LARGE',
    ],
  ])('answers %s', async (_, request, status, code) => {
    const response = await app.app.inject({ method: 'POST', url: login.path, ...request })
    expect({ status: response.statusCode, ...response.json() }).toMatchObject({ status, code })
  })

  it.each(['zero\u0000byte', 'half a pair \ud83d'])("reports text that the database can't store: %j", async (text) => {
    const owner = await app.signedInOwner()
    const body = { projectName: 'A rookery', projectDesc: text }
    const response = await app.send(createProject, { params: { orgId: owner.orgId }, body }, { as: owner.person })
    expect({ status: response.statusCode, ...response.json() }).toMatchObject({
      status: 400,
      code: 'BAD_INPUT',
      errors: { projectDesc: [expect.any(String)] },
    })
    const signedIn = await app.send(login, { body: { email: `${text}@example.test`, password: text } })
    expect(signedIn.statusCode).toBe(400)
  })

  it('says what is wrong with each field in plain words, and one thing about a blank field', async () => {
    const errorsOf = async (body: object) =>
      Problem.parse((await app.app.inject({ method: 'POST', url: signUp.path, payload: body })).json()).errors
    const blank = await errorsOf({ email: '', password: '', firstName: ' ', lastName: 'Lovelace', token: '' })
    expect(blank).toMatchObject({ email: ['Email is required'], password: [expect.any(String)] })
    for (const messages of Object.values(blank ?? {})) expect(messages).toHaveLength(1)
    expect(await errorsOf({ token: 7 })).toMatchObject({ email: ['Email is required'], token: ['Must be text'] })
  })

  it('reports an unknown call under /api', async () => {
    for (const method of ['GET', 'POST', 'DELETE'] as const)
      expect((await app.app.inject({ method, url: '/api/nothing/here' })).json()).toMatchObject({ code: 'NOT_FOUND' })
    expect((await app.app.inject({ method: 'GET', url: '/api/%zz' })).statusCode).toBe(400)
  })

  it('of a missing or malformed organization or project has the specified message', async () => {
    const home = await app.signedInOwner()
    const ask = async (url: string) =>
      (
        await app.app.inject({
          method: 'GET',
          url,
          headers: { cookie: `rookery=${home.person.cookies.get('rookery')}` },
        })
      ).json()
    expect(await ask('/api/undefined/plan')).toMatchObject({
      status: 404,
      code: 'IDENTIFIERS_ERROR',
      detail: 'Organization ID not found',
    })
    expect(await ask(`/api/${home.orgId}/project/undefined/roles/me`)).toMatchObject({
      status: 404,
      code: 'IDENTIFIERS_ERROR',
      detail: 'Organization or Project ID is missing',
    })
  })
})

describe('a reply', () => {
  it('contains what the contract says and nothing else', async () => {
    const owner = await app.signedInOwner()
    expect(await app.call(extra, { params: owner.params }, { as: owner.person })).toEqual({ said: 'yes' })
  })

  it("that doesn't match the contract fails in tests", async () => {
    const owner = await app.signedInOwner()
    await expect(app.call(wrongReply, { params: owner.params }, { as: owner.person })).rejects.toMatchObject({
      code: 'INTERNAL',
    })
  })

  it("isn't cached or sniffed", async () => {
    const response = await app.app.inject({ method: 'GET', url: '/api/openapi.json' })
    expect(response.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
    })
  })
})

it('with a hundred thousand values is bad input before any schema names them', async () => {
  const home = await app.signedInOwner()
  const names = Array.from({ length: 100_000 }, (_, place) => [`n${place}`, 0])
  const response = await app.app.inject({
    method: 'POST',
    url: `/api/${home.orgId}/project/${home.projectId}/post/`,
    headers: { 'content-type': 'application/json', cookie: `rookery=${home.person.cookies.get('rookery')}` },
    payload: JSON.stringify(Object.fromEntries(names)),
  })
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { code: 'BAD_INPUT', detail: expect.stringContaining('too many values') },
  ])
})

it('that is endlessly nested is bad input, not an internal error', async () => {
  const depth = 15_000
  const nested = `{"response":{"id":"a","x":${'['.repeat(depth)}${']'.repeat(depth)}}}`
  const response = await app.app.inject({
    method: 'POST',
    url: passkeyLogin.path,
    headers: { 'content-type': 'application/json' },
    payload: nested,
  })
  expect(response.json()).toMatchObject({ code: 'BAD_INPUT' })
})

describe('another site', () => {
  const body = { orgType: 'organization', orgName: 'Crossed', orgSize: '2-10' } as const
  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'http://rookery.test.evil.example' }],
    [{ origin: 'https://rookery.test' }],
    [{ origin: 'null' }],
    [{ 'sec-fetch-site': 'cross-site' }],
    [{ origin: 'http://rookery.test', 'sec-fetch-site': 'cross-site' }],
  ])('cannot change anything: %j', async (headers) => {
    const person = await app.person()
    await expect(app.call(createOrganization, { body }, { as: person, headers })).rejects.toMatchObject({
      code: 'FOREIGN_ORIGIN',
      status: 403,
    })
    expect((await app.call(home, {}, { as: person })).organizations).toEqual([])
  })

  it("can't lead a browser to a GET that changes something, nor can a HEAD", async () => {
    const person = await app.person({ confirmed: false })
    await expect(
      app.call(getCode, {}, { as: person, headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } }),
    ).rejects.toMatchObject({ code: 'FOREIGN_ORIGIN' })
    const cookie = `rookery=${person.cookies.get('rookery')}`
    expect((await app.app.inject({ method: 'HEAD', url: getCode.path, headers: { cookie } })).statusCode).toBe(404)
    expect(app.outbox.filter(({ to }) => to === person.email)).toEqual([])
    await app.call(getCode, {}, { as: person, headers: { 'sec-fetch-site': 'same-origin' } })
  })

  it.each([
    [{ origin: 'http://rookery.test' }],
    [{ 'sec-fetch-site': 'same-origin' }],
    [{ origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
    [{}],
  ])('is not who sends %j', async (headers: Record<string, string>) => {
    const person = await app.person()
    await app.call(createOrganization, { body }, { as: person, headers })
  })
})

describe('the session cookie', () => {
  it('is bound to its host and Secure under HTTPS', async () => {
    const secure = await startApp({ database: app.database, env: { PUBLIC_URL: 'https://rookery.example' } })
    const person = await secure.person()
    const response = await secure.send(login, { body: { email: person.email, password: TEST_PASSWORD } })
    expect(response.headers['set-cookie']).toMatch(
      /^__Host-rookery=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    )
    // the cookie of plain HTTP opens nothing there
    expect((await secure.send(home, {}, { as: person })).statusCode).toBe(401)
    await secure.close()
  })

  it("is ignored if it's invalid", async () => {
    for (const token of ['', 'x', 'x'.repeat(5000), '%00', '\u00e4']) {
      const response = await app.app.inject({
        method: 'GET',
        url: home.path,
        headers: { cookie: `rookery=${encodeURIComponent(token)}` },
      })
      expect(response.statusCode).toBe(401)
    }
  })
})

describe("a client's address", () => {
  const asked = async (proxies: string) => {
    const behind = await startApp({ database: app.database, env: { TRUST_PROXY: proxies } })
    const person = await behind.person()
    const { orgId } = await behind.call(
      createOrganization,
      { body: { orgType: 'organization', orgName: 'Behind', orgSize: '2-10' } },
      { as: person, headers: { 'x-forwarded-for': '203.0.113.9' }, remoteAddress: '10.0.0.5' },
    )
    await behind.close()
    return (
      await app.database.owner.query<{ address: string }>('select address from audit_client where org_id = $1', [orgId])
    ).rows[0]?.address
  }
  it('is only read from configured proxies', async () => {
    expect(await asked('')).toBe('10.0.0.5')
    expect(await asked('10.0.0.0/8')).toBe('203.0.113.9')
    expect(await asked('10.9.0.0/16')).toBe('10.0.0.5')
  })
})

describe('an unavailable database', () => {
  it("is reported as UNAVAILABLE, whether it can't be reached or fails during a request", async () => {
    const owner = await app.signedInOwner()
    const { settings } = app.database
    const nowhere = openDatabases({ ...settings, app: { ...settings.app, host: '/nowhere' } })
    const cut = await startApp({ database: app.database, parts: (deps) => ({ ...deps, databases: nowhere }) })
    expect((await cut.send(plan, { params: owner.params }, { as: owner.person })).json()).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
    })
    await cut.close()
    await nowhere.close()
    expect((await app.send(severed, { params: owner.params }, { as: owner.person })).json()).toMatchObject({
      status: 503,
      code: 'UNAVAILABLE',
    })
    expect((await app.send(plan, { params: owner.params }, { as: owner.person })).statusCode).toBe(200)
  })
})
