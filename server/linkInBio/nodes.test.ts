import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { asClient } from '../db/roles.ts'
import { openDatabases, type Databases } from '../db/pools.ts'
import { bioPagesOn, visitFrom } from '../testing/bioPages.ts'
import { createTestDatabase, type TestDatabase } from '../testing/database.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'
import { blockPage, unblockPage } from './block.ts'

// two nodes with pools and connections of their own, over one database

let database: TestDatabase
let others: Databases
let nodes: [TestApp, TestApp]
let addresses: [string, string]
let home: TestHome
let pages: ReturnType<typeof bioPagesOn>
beforeAll(async () => {
  database = await createTestDatabase()
  others = openDatabases(database.settings)
  const env = { ALLOWED_HOSTS: '127.0.0.1' }
  nodes = [await startApp({ database, env }), await startApp({ database: { ...database, databases: others }, env })]
  addresses = [await nodes[0].listen(), await nodes[1].listen()]
  home = await nodes[0].signedInOwner()
  pages = bioPagesOn(database)
})
afterAll(async () => {
  for (const node of nodes) await node.close()
  await others.close()
  await database.drop()
})

const { headers } = visitFrom('')
const open = async (node: 0 | 1, path: string, how: { method?: string; headers?: Record<string, string> } = {}) => {
  const response = await fetch(`${addresses[node]}/b/${path}`, {
    redirect: 'manual',
    ...how,
    headers: { 'user-agent': String(headers['user-agent']), ...how.headers },
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}
const readsOf = (node: 0 | 1) => nodes[node].publicPages.stats().reads
/** Waits until the node sends the page from its memory. */
const isKept = (node: 0 | 1, slug: string) =>
  until(async () => {
    const reads = readsOf(node)
    await open(node, slug)
    return readsOf(node) === reads
  })
const query = (text: string, values: unknown[] = []) => database.owner.query(text, values)

it('send from memory what they send from the database, before everything else', async () => {
  const page = await pages.page(home, { slug: 'autumn', name: 'Autumn' })
  const number = await pages.item(page)
  await open(0, 'autumn')
  await isKept(0, 'autumn')
  const ignored = ['x-request-id', 'date', 'connection', 'keep-alive']
  for (const path of ['autumn', `autumn/${number}`]) {
    const url = `/b/${path}`
    // a simulated request always goes through all hooks
    const through = await nodes[0].app.inject({ url, headers: { host: '127.0.0.1', 'accept-encoding': 'gzip' } })
    const { headers: sent, ...kept } = await open(0, path, { headers: { 'accept-encoding': 'gzip' } })
    expect(kept.status).toBe(through.statusCode)
    expect([through.headers['x-request-id'] === undefined, sent.has('x-request-id')]).toEqual([false, false])
    expect(Object.fromEntries([...sent].filter(([name]) => !ignored.includes(name)))).toEqual(
      Object.fromEntries(Object.entries(through.headers).filter(([name]) => !ignored.includes(name))),
    )
  }
  const kept = await open(0, 'autumn')
  expect(kept.text).toContain('>Autumn</h1>')
  const etag = kept.headers.get('etag') ?? ''
  expect((await open(0, 'autumn', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const head = await open(0, 'autumn', { method: 'HEAD' })
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([
    200,
    '',
    kept.headers.get('content-length'),
  ])
  expect((await open(0, 'autumn', { method: 'POST' })).status).toBe(404)
})

it('count what they send from memory like everything else', async () => {
  const page = await pages.page(home, { slug: 'counted' })
  const number = await pages.item(page)
  await open(1, 'counted')
  await isKept(1, 'counted')
  await nodes[1].parts.clicks.flush()
  const counts = async () =>
    (await query('select number, views, clicks from bio_count where page_id = $1 order by number', [page])).rows
  const [before] = await counts()
  for (let n = 0; n < 3; n += 1) await open(1, 'counted')
  await open(1, `counted/${number}`)
  await open(1, 'counted', { method: 'HEAD' })
  await nodes[1].parts.clicks.flush()
  expect(await counts()).toEqual([
    { number: 0, views: before.views + 3, clicks: 0 },
    { number, views: 0, clicks: 1 },
  ])
})

it("show a save, a rename, a block and its end at once, wherever they're made", async () => {
  const page = await pages.page(home, { slug: 'shared', name: 'Before' })
  const number = await pages.item(page)
  for (const node of [0, 1] as const) await isKept(node, 'shared')
  await query("update bio_page set name = 'After' where id = $1", [page])
  for (const node of [0, 1] as const) await until(async () => (await open(node, 'shared')).text.includes('>After<'))
  await pages.rename(page, 'renamed', '2027-02-19T10:00:00Z')
  for (const node of [0, 1] as const) {
    await until(async () => (await open(node, 'shared')).headers.get('location') === '/b/renamed')
    expect((await open(node, `shared/${number}`)).headers.get('location')).toBe(`/b/renamed/${number}`)
    await isKept(node, 'renamed')
  }
  expect(await blockPage(nodes[0].parts.databases, 'renamed', 'Phishing', new Date())).toBe('renamed')
  for (const node of [0, 1] as const) {
    await until(async () => (await open(node, 'renamed')).status === 410)
    const blocked = await open(node, 'renamed')
    expect(blocked.text).toContain('This page is no longer available')
    expect(blocked.text).not.toContain('Phishing')
    // neither its links nor its earlier address lead anywhere
    expect((await open(node, `renamed/${number}`)).status).toBe(410)
    expect((await open(node, 'shared')).status).toBe(410)
  }
  await unblockPage(nodes[1].parts.databases, 'shared')
  for (const node of [0, 1] as const) await until(async () => (await open(node, 'renamed')).status === 200)
})

it('send nothing from memory while they may have missed a change', async () => {
  const page = await pages.page(home, { slug: 'unheard' })
  await isKept(1, 'unheard')
  // each new connection is refused until the test allows them again
  const refused = (limit: number) =>
    asClient(inject('cluster').superuser, (client) => client.query(`alter database ${name} connection limit ${limit}`))
  const name = database.settings.app.database
  const served = nodes[1].parts.databases.system
  // one connection for each reading stays open
  const held = await Promise.all(Array.from({ length: 3 }, () => served.connect()))
  for (const client of held) client.release()
  await refused(1)
  try {
    await asClient(inject('cluster').superuser, (client) =>
      client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'rookery notifications'",
        [name],
      ),
    )
    // from here on nothing is heard: a page that was stopped isn't sent again
    await until(async () => {
      const reads = readsOf(1)
      await open(1, 'unheard')
      return readsOf(1) > reads
    })
    await query("update bio_page set blocked_at = now(), blocked_reason = 'Phishing' where id = $1", [page])
    expect((await open(1, 'unheard')).status).toBe(410)
    const reads = readsOf(1)
    for (let n = 0; n < 3; n += 1) expect((await open(1, 'unheard')).status).toBe(410)
    expect(readsOf(1)).toBe(reads + 3)
  } finally {
    await refused(-1)
  }
  await isKept(1, 'unheard')
})
