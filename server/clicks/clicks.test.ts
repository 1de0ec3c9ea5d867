import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bioPagesOn, visitFrom } from '../testing/bioPages.ts'
import { contentOn } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { quietLog } from '../testing/publishing.ts'
import { startApp, type TestApp } from '../testing/startApp.ts'
import { createClicks, type Clicks } from './clicks.ts'
import { forgetVisitors } from './salts.ts'

let app: TestApp
let home: TestHome
let pageId: string
let postId: string
let nodes: [Clicks, Clicks]
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  await Promise.all((nodes ?? []).map((node) => node.close()))
  home = await app.signedInOwner()
  pageId = await bioPagesOn(app.database).page(home)
  const channelId = await contentOn(app.parts).channel(home)
  postId = await figuresOn(app.database).published(home, channelId, '2026-11-20T10:00:00Z')
  nodes = [createNode(), createNode()]
})

const createNode = () => createClicks({ databases: app.parts.databases, clock: app.clock, log: quietLog })
const page = (zone = 'UTC') => ({ orgId: home.orgId, pageId, zone })
const link = (zone = 'UTC') => ({ orgId: home.orgId, postId, zone })
const item = (number: number, ofPost = false) => ({ number, postId: ofPost ? postId : null })
const written = async () => {
  for (const node of nodes) await node.flush()
  const { rows } = await app.database.owner.query<{
    day: string
    number: number
    views: number
    visitors: number
    clicks: number
  }>('select day::text, number, views, visitors, clicks from bio_count where page_id = $1 order by day, number', [
    pageId,
  ])
  return rows.map(({ day, number, views, visitors, clicks }) => [day, number, views, visitors, clicks])
}
const clicked = async () =>
  (
    await app.database.owner.query<{ name: string; day: string; n: number }>(
      'select name, day::text, n::int, told::int from post_click where post_id = $1 order by name, day',
      [postId],
    )
  ).rows
const one = visitFrom('192.0.2.1')

describe('counting', () => {
  it('agrees with a recount of 1,000 simultaneous views and clicks on two nodes', async () => {
    const did = Array.from({ length: 1000 }, (_, nth) => {
      const [byte = 0, what = 0, where = 0] = randomBytes(3)
      return { nth, address: `198.51.100.${byte % 50}`, what: what % 4, number: 1 + (where % 5), node: nth % 2 }
    })
    const writing: Promise<void>[] = []
    for (const { address, what, number, node, nth } of did) {
      const visit = visitFrom(address)
      const clicks = nodes[node === 0 ? 0 : 1]
      if (what === 0) clicks.pageView(page(), visit)
      else if (what === 1) clicks.itemClick(page(), item(number), visit)
      else if (what === 2) clicks.itemClick(page(), item(number + 5, true), visit)
      else clicks.linkClick(link(), visit)
      if (nth % 37 === 0) writing.push(clicks.flush())
    }
    await Promise.all(writing)
    const did0 = did.filter(({ what }) => what === 0)
    const clicksOn = (number: number) =>
      did.filter((one) => (one.what === 1 && one.number === number) || (one.what === 2 && one.number + 5 === number))
        .length
    expect(await written()).toEqual([
      ['2026-11-21', 0, did0.length, new Set(did0.map(({ address }) => address)).size, 0],
      ...Array.from({ length: 10 }, (_, nth) => ['2026-11-21', nth + 1, 0, 0, clicksOn(nth + 1)]).filter(
        ([, , , , n]) => n !== 0,
      ),
    ])
    expect(await clicked()).toEqual([
      { name: 'bioClicks', day: '2026-11-21', n: did.filter(({ what }) => what === 2).length, told: 0 },
      { name: 'shortLinkClicks', day: '2026-11-21', n: did.filter(({ what }) => what === 3).length, told: 0 },
    ])
  })

  it('leaves out programs, HEAD, and browsers that only prepare for a click', async () => {
    const [node] = nodes
    for (const visit of [
      visitFrom('192.0.2.1', {
        'user-agent': 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
      }),
      visitFrom('192.0.2.1', { 'user-agent': 'curl/8.9.0' }),
      visitFrom('192.0.2.1', { 'user-agent': '' }),
      { ...one, method: 'HEAD' },
      visitFrom('192.0.2.1', { 'sec-purpose': 'prefetch;prerender' }),
      visitFrom('192.0.2.1', { purpose: 'prefetch' }),
      visitFrom('192.0.2.1', { 'x-moz': 'prefetch' }),
    ]) {
      node.pageView(page(), visit)
      node.itemClick(page(), item(1, true), visit)
      node.linkClick(link(), visit)
    }
    expect([await written(), await clicked()]).toEqual([[], []])
  })

  it('counts in days of the project, also where the clock changes', async () => {
    const zone = 'America/New_York'
    // 03:30 UTC: still the day before in New York. 05:30 UTC: after midnight there, on a day of 25 hours
    for (const [at, times] of [
      ['2027-11-07T03:30:00Z', 1],
      ['2027-11-07T04:00:00Z', 2],
      ['2027-11-08T04:59:59Z', 4],
      ['2027-11-08T05:00:00Z', 8],
    ] as const) {
      app.clock.set(new Date(at))
      for (let n = 0; n < times; n += 1) nodes[0].pageView(page(zone), one)
      await nodes[0].flush()
    }
    expect(await written()).toEqual([
      ['2027-11-06', 0, 1, 1, 0],
      ['2027-11-07', 0, 6, 1, 0],
      ['2027-11-08', 0, 8, 1, 0],
    ])
  })

  it('is lost neither with a page or post that is missing, nor with one that is being saved', async () => {
    const [node] = nodes
    node.pageView({ ...page(), pageId: crypto.randomUUID() }, one)
    node.linkClick({ ...link(), postId: crypto.randomUUID() }, one)
    node.pageView(page(), one)
    const client = await app.database.owner.connect()
    try {
      await client.query('begin')
      await client.query('select from bio_page where id = $1 for update', [pageId])
      await node.flush()
      expect(await client.query('select from bio_count where page_id = $1', [pageId])).toMatchObject({ rowCount: 0 })
      await client.query('rollback')
    } finally {
      client.release()
    }
    expect(await written()).toEqual([['2027-11-08', 0, 1, 1, 0]].map(([, ...rest]) => [today(), ...rest]))
  })

  it('of one organization that fails delays no other, and is written later', async () => {
    const sick = await app.signedInOwner()
    const sickPage = { orgId: sick.orgId, pageId: await bioPagesOn(app.database).page(sick), zone: 'UTC' }
    await app.database.owner.query(
      `create function fail_clicks() returns trigger language plpgsql as $$ begin if new.org_id = '${sick.orgId}' then raise 'poisoned'; end if; return new; end $$;
       create trigger fail_clicks before insert on bio_count for each row execute function fail_clicks()`,
    )
    const [node] = nodes
    node.pageView(sickPage, one)
    node.pageView(page(), one)
    expect(await written()).toEqual([[today(), 0, 1, 1, 0]])
    await app.database.owner.query('drop trigger fail_clicks on bio_count; drop function fail_clicks')
    await node.flush()
    const { rows } = await app.database.owner.query('select views from bio_count where page_id = $1', [sickPage.pageId])
    expect(rows).toEqual([{ views: 1 }])
  })

  it('waits while the database is down, and is written once', async () => {
    let isDown = true
    const { system } = app.parts.databases
    const down = new Proxy(system, {
      get: (pool, name) => {
        if (isDown && (name === 'connect' || name === 'query'))
          return () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))
        const value: unknown = Reflect.get(pool, name)
        return typeof value === 'function' ? value.bind(pool) : value
      },
    })
    const node = createClicks({ databases: { system: down }, clock: app.clock, log: quietLog })
    for (let n = 0; n < 3; n += 1) {
      node.pageView(page(), one)
      node.linkClick(link(), one)
      await node.flush()
    }
    isDown = false
    await node.flush()
    await node.close()
    expect(await written()).toEqual([[today(), 0, 3, 1, 0]])
    expect(await clicked()).toEqual([{ name: 'shortLinkClicks', day: today(), n: 3, told: 0 }])
  })
})

const today = () => app.clock.now().toISOString().slice(0, 10)

describe('visitors', () => {
  const stored = async () =>
    (
      await app.database.owner.query<{ day: string; visitor: Buffer }>(
        'select day::text, visitor from bio_visitor where page_id = $1 order by day',
        [pageId],
      )
    ).rows

  it('count once a day on every node, and cannot be recognized on the next', async () => {
    app.clock.set(new Date('2027-12-01T12:00:00Z'))
    for (const node of nodes) node.pageView(page(), one)
    await written()
    app.clock.set(new Date('2027-12-02T12:00:00Z'))
    for (const node of nodes) node.pageView(page(), one)
    expect(await written()).toEqual([
      ['2027-12-01', 0, 2, 1, 0],
      ['2027-12-02', 0, 2, 1, 0],
    ])
    const [first, second] = await stored()
    expect(first?.visitor).toHaveLength(16)
    expect(first?.visitor.equals(second?.visitor ?? Buffer.alloc(0))).toBe(false)
  })

  it('are forgotten with the salt when the day is over everywhere, and only numbers remain', async () => {
    app.clock.set(new Date('2027-12-03T12:00:00Z'))
    nodes[0].pageView(page(), one)
    nodes[0].linkClick(link(), one)
    await written()
    app.clock.set(new Date('2027-12-04T11:59:00Z'))
    await forgetVisitors(app.parts.databases, app.clock.now())
    expect(await stored()).toHaveLength(1)
    app.clock.set(new Date('2027-12-04T12:00:00Z'))
    await forgetVisitors(app.parts.databases, app.clock.now())
    expect(await stored()).toEqual([])
    const { rows } = await app.database.owner.query("select from visitor_salt where day <= '2027-12-03'")
    expect(rows).toEqual([])
    // what comes late finds no salt any more: it's a view of that day, and nobody's
    const { rows: columns } = await app.database.owner.query<{ kept: string }>(
      `select string_agg(table_name || '.' || column_name, ' ' order by table_name, ordinal_position) as kept
       from information_schema.columns where table_name in ('bio_count', 'post_click')`,
    )
    expect(columns[0]?.kept).toBe(
      'bio_count.org_id bio_count.page_id bio_count.day bio_count.number bio_count.views bio_count.visitors bio_count.clicks post_click.org_id post_click.post_id post_click.name post_click.day post_click.n post_click.told',
    )
  })

  it('of one network with forged agents are at most 64, and of one organization at most 10,000 wait', async () => {
    const [node] = nodes
    const agent = (n: number) => ({
      'user-agent': `Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/${n}.0 Safari/537.36`,
    })
    for (let n = 0; n < 5_000; n += 1) node.pageView(page(), visitFrom('2001:db8::1', agent(n)))
    // another address of the same network
    for (let n = 0; n < 5_000; n += 1) node.pageView(page(), visitFrom('2001:db8::2', agent(n)))
    expect(await written()).toEqual([[today(), 0, 10_000, 64, 0]])
    for (let n = 0; n < 12_000; n += 1) node.pageView(page(), visitFrom(`10.${n >> 16}.${(n >> 8) % 256}.${n % 256}`))
    expect(await written()).toEqual([[today(), 0, 22_000, 10_064, 0]])
  })

  it('of a page are told apart up to 100,000 in a day', async () => {
    nodes[0].pageView(page(), one)
    await written()
    await app.database.owner.query('update bio_count set visitors = 99999 where page_id = $1', [pageId])
    for (let n = 0; n < 3; n += 1) nodes[0].pageView(page(), visitFrom(`10.0.0.${n}`))
    expect(await written()).toEqual([[today(), 0, 4, 100_000, 0]])
    expect(await stored()).toHaveLength(2)
  })
})
