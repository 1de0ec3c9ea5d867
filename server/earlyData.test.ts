import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import cookies from '@fastify/cookie'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { z } from 'zod'
import { firstCalls } from '#contract/early.ts'
import { logout } from '#contract/identity.ts'
import { earlyDataOf } from './earlyData.ts'
import type { TestHome, TestPerson } from './testing/people.ts'
import { startApp, type TestApp } from './testing/startApp.ts'
import { until } from './testing/until.ts'

const PAGE = '<!doctype html><script type="module" src="/assets/a.js"></script><noscript>Rookery</noscript>'
const Early = z.object({
  events: z.object({ after: z.string(), readAt: z.string() }),
  replies: z.record(z.string(), z.unknown()),
})

let app: TestApp
beforeAll(async () => {
  const webRoot = mkdtempSync(join(inject('cluster').folder, 'early-'))
  writeFileSync(join(webRoot, 'index.html'), PAGE)
  writeFileSync(join(webRoot, 'screens.json'), '{}')
  app = await startApp({ webRoot })
})
afterAll(() => app.close())

const cookiesOf = (person: TestPerson) => [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
const open = (path: string, as?: TestPerson) =>
  app.app.inject({ url: path, headers: { host: 'rookery.test', ...(as && { cookie: cookiesOf(as) }) } })
const calendarOf = ({ orgId, projectId }: TestHome['params']) => `/${orgId}/project/${projectId}/calendar`

/** Opens a project's page until it brings data: on a busy machine the page may be sent before they are there. */
const openWithData = (path: string, as: TestPerson) =>
  until(async () => {
    const page = await open(path, as)
    return earlyIn(page.body) && page
  })

/** What a browser reads: the text of the element, up to the first end tag. */
function earlyIn(body: string) {
  const [, json] = /<script id="early" type="application\/json">([^]*?)<\/script>/.exec(body) ?? []
  return json === undefined ? undefined : Early.parse(JSON.parse(json))
}

it("contains the first replies of a project's page, and the position of live events", async () => {
  const home = await app.signedInOwner()
  const page = await openWithData(calendarOf(home.params), home.person)
  expect({ status: page.statusCode, cache: page.headers['cache-control'], etag: page.headers.etag }).toEqual({
    status: 200,
    cache: 'no-store',
    etag: undefined,
  })
  const early = earlyIn(page.body)
  expect(early?.events).toEqual({ after: expect.stringMatching(/^\d+-0$/), readAt: app.clock.now().toISOString() })
  expect(Object.keys(early?.replies ?? {})).toEqual(firstCalls(home.params))
  for (const url of firstCalls(home.params))
    expect(early?.replies[url], url).toEqual((await open(url, home.person)).json())
})

it.each([
  '</script><script>alert(1)</script>',
  '<!--<script>',
  ']]><img src=x onerror=alert(1)>',
  "$& $' $` \\u003c/script>\u2028",
])('cannot be left by what people write: %s', async (text) => {
  const home = await app.signedInOwner()
  await app.database.owner.query('update organization set name = $2 where org_id = $1', [home.orgId, text])
  await app.database.owner.query('update project set name = $2 where id = $1', [home.projectId, text])
  const { body } = await openWithData(calendarOf(home.params), home.person)
  const [before = '', after = ''] = PAGE.split('<noscript>')
  expect(body.startsWith(before) && body.endsWith(`</script>\n    <noscript>${after}`)).toBe(true)
  // between the start of the element and its end there is nothing that HTML would read
  const inside = body.slice(before.length + '<script id="early" type="application/json">'.length, -after.length - 24)
  expect(inside).not.toContain('<')
  const early = earlyIn(body)
  expect(JSON.stringify(early)).toContain(JSON.stringify(text).slice(1, -1))
  expect(early?.replies['/api/home']).toMatchObject({
    organizations: [{ orgName: text, projects: [{ projectName: text }] }],
  })
})

it("contains nothing for strangers, other pages, ended sessions, or others' projects", async () => {
  const [home, other] = [await app.signedInOwner(), await app.signedInOwner()]
  const plain = await open(calendarOf(home.params))
  expect({ body: plain.body, cache: plain.headers['cache-control'] }).toEqual({ body: PAGE, cache: 'no-cache' })
  const odd = `/${home.orgId}/project/x/calendar`
  for (const path of ['/', '/login', '/profile', `/${home.orgId}`, odd])
    expect((await open(path, home.person)).body, path).toBe(PAGE)
  const foreign = earlyIn((await openWithData(calendarOf(other.params), home.person)).body)
  expect(Object.keys(foreign?.replies ?? {})).toEqual(['/api/home'])
  expect(JSON.stringify(foreign)).not.toContain(other.person.email)
  const cookie = cookiesOf(home.person)
  await app.call(logout, {}, { as: home.person })
  const after = await app.app.inject({ url: calendarOf(home.params), headers: { host: 'rookery.test', cookie } })
  expect(after.body).toBe(PAGE)
})

it("leaves out what the role doesn't allow", async () => {
  const home = await app.signedInOwner()
  const colleague = await app.colleague(home, 'user')
  const early = earlyIn((await openWithData(calendarOf(home.params), colleague)).body)
  const allowed: string[] = []
  for (const url of firstCalls(home.params)) if ((await open(url, colleague)).statusCode === 200) allowed.push(url)
  expect(Object.keys(early?.replies ?? {})).toEqual(allowed)
})

it('waits longer for the first replies after a start, which compile code and open connections', async () => {
  const home = await app.signedInOwner()
  const earlyData = earlyDataOf(app.app, app.parts, { cold: 60_000, warm: 0 })
  const pages = fastify()
  await pages.register(cookies)
  pages.get('/*', (request) => earlyData(request).then((data) => data ?? PAGE))
  const ask = () =>
    pages.inject({
      url: calendarOf(home.params),
      headers: { host: 'rookery.test', cookie: cookiesOf(home.person) },
    })
  const { system } = app.parts.databases
  const hold = () => Promise.all(Array.from({ length: system.options.max }, () => system.connect()))
  const free = (held: Awaited<ReturnType<typeof hold>>) => {
    for (const client of held) client.release()
  }
  const held = await hold()
  const first = ask()
  await until(() => system.waitingCount > 0 || undefined)
  free(held)
  expect(Object.keys(earlyIn((await first).body)?.replies ?? {})).toEqual(firstCalls(home.params))
  const heldAgain = await hold()
  expect((await ask()).body).toBe(PAGE)
  free(heldAgain)
  await pages.close()
})

it("sends the page without them when the database doesn't answer", async () => {
  const home = await app.signedInOwner()
  const { system } = app.parts.databases
  const held = await Promise.all(Array.from({ length: system.options.max }, () => system.connect()))
  try {
    expect((await open(calendarOf(home.params), home.person)).body).toBe(PAGE)
  } finally {
    for (const client of held) client.release()
  }
})
