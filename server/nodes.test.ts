import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { testClock } from './clock.ts'
import { asTenant } from './db/tenant.ts'
import { emit } from './live/emit.ts'
import { bioPagesOn, visitFrom } from './testing/bioPages.ts'
import { createTestDatabase, type TestDatabase } from './testing/database.ts'
import { openEvents } from './testing/events.ts'
import { buildersOn } from './testing/people.ts'
import { fillDataDir } from './testing/preparedCluster.ts'
import { runProgram, startProgram, type Program } from './testing/program.ts'
import { until } from './testing/until.ts'

// Several nodes of one installation: the same program over one external database, sharing nothing else.

const folder = () => mkdtempSync(join(inject('cluster').folder, 'node-'))

let database: TestDatabase
let nodes: Program[]
beforeAll(async () => {
  database = await createTestDatabase()
  const { superuser } = inject('cluster')
  const url = `postgres://${superuser.user}:${encodeURIComponent(superuser.password ?? '')}@localhost/${database.settings.app.database}?host=${encodeURIComponent(superuser.host)}`
  const shared = { DATABASE_URL: url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
  nodes = await Promise.all(['web', 'web', 'worker'].map((ROLE) => startProgram(folder(), { ...shared, ROLE })))
})
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop('SIGKILL')))
  await database.drop()
})

const [FIRST, SECOND, WORKER] = [0, 1, 2]
const at = (node: number) => nodes[node]?.address ?? ''
const status = async (node: number, path: string, cookie = '') =>
  (await fetch(at(node) + path, { headers: { cookie } })).status
const figures = async (node: number) => (await fetch(`${at(node)}/metrics`)).text()

it('share sessions and changes: what one node commits, a stream of another tells', async () => {
  const now = new Date()
  const builders = buildersOn({ databases: database.databases, clock: testClock(now) })
  const home = await builders.signedInOwner()
  const cookie = `rookery=${home.person.cookies.get('rookery')}`
  expect([await status(FIRST, '/api/home', cookie), await status(SECOND, '/api/home', cookie)]).toEqual([200, 200])
  const stream = await openEvents(at(SECOND), home.params, home.person)
  await until(() => stream.messages.length === 1)
  await asTenant(database.databases.web, home.orgId, (tx) =>
    emit(tx, { kind: 'post', ref: 'from elsewhere', orgId: home.orgId, projectId: home.projectId }, now),
  )
  await until(() => stream.changes().some((change) => change.ref === 'from elsewhere'))
  // a logout at the first node ends the stream at the second
  await fetch(`${at(FIRST)}/api/public/user/logout`, { method: 'POST', headers: { cookie } })
  await stream.ended
})

it('do what their role says: only the worker sends, only the web serves people', async () => {
  expect(await figures(WORKER)).toContain('rookery_publishing_claims')
  expect(await figures(FIRST)).not.toContain('rookery_publishing_claims')
  expect([
    await status(WORKER, '/readyz'),
    await status(WORKER, '/api/home'),
    await status(FIRST, '/api/home'),
  ]).toEqual([200, 404, 401])
})

it('end without touching the database of all, and write what they counted of public pages', async () => {
  const home = await buildersOn({ databases: database.databases, clock: testClock(new Date()) }).signedInOwner()
  const pageId = await bioPagesOn(database).page(home, { slug: 'last-second' })
  const { headers } = visitFrom('')
  const opened = await Promise.all(
    Array.from({ length: 5 }, () =>
      fetch(`${at(SECOND)}/b/last-second`, { headers: { 'user-agent': String(headers['user-agent']) } }),
    ),
  )
  expect(opened.map(({ status: one }) => one)).toEqual([200, 200, 200, 200, 200])
  expect(await nodes[SECOND]?.stop()).toBe(0)
  expect(await status(FIRST, '/readyz')).toBe(200)
  const { rows } = await database.owner.query('select views, visitors from bio_count where page_id = $1', [pageId])
  expect(rows).toEqual([{ views: 5, visitors: 1 }])
})

it("say in a sentence why they don't start", async () => {
  const wrong = await runProgram(folder(), { PORT: 'eighty', LOG_LEVEL: 'loud' })
  expect(wrong).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^Rookery couldn't start: PORT: .*\nLOG_LEVEL: /),
  })
  const unreachable = await runProgram(folder(), { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })
  expect(unreachable.code).toBe(1)
  expect(unreachable.output).toMatch(/^Rookery couldn't start: .+/)
  const squatter = createServer()
  await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
  const address = squatter.address()
  const port = String(typeof address === 'object' && address ? address.port : 0)
  const dataDir = folder()
  await fillDataDir(dataDir)
  const taken = await runProgram(dataDir, { PORT: port })
  expect(taken.code).toBe(1)
  expect(taken.output).toContain('Another program is using this port')
  squatter.close()
})
