import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { deletePost } from '#contract/posts.ts'
import { setShortLinkBlocked } from './block.ts'
import { contentOn } from '../testing/content.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'

let app: TestApp
let home: TestHome
let postId: string
beforeAll(async () => {
  app = await startApp({ env: { PUBLIC_URL: 'http://rookery.example', SHORT_URL: 'https://go.example' } })
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  const channelId = await contentOn(app.parts).channel(home)
  const posts = postsOn(app, app.database)
  postId = await posts.post(home, channelId)
  await posts.put(postId, 'PUBLISHED')
})

const query = (text: string, values: unknown[] = []) => app.database.owner.query(text, values)
let made = 0
/** A stored short link of the post. Returns its code. */
async function link(url: string): Promise<string> {
  const code = `abcde${String((made += 1))
    .padStart(3, '2')
    .replaceAll('0', 'x')
    .replaceAll('1', 'y')}`
  await query(
    'insert into short_link (org_id, code, project_id, post_id, url, created_at) values ($1, $2, $3, $4, $5, $6)',
    [home.orgId, code, home.projectId, postId, url, app.clock.now()],
  )
  return code
}
const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
const open = (
  path: string,
  {
    host = 'go.example',
    method = 'GET',
    headers = {},
  }: { host?: string; method?: 'GET' | 'HEAD'; headers?: object } = {},
) => app.app.inject({ method, url: path, headers: { host, ...browser, ...headers } })
const clicked = async (): Promise<number> => {
  await app.parts.clicks.flush()
  const { rows } = await query(
    "select coalesce(sum(n), 0)::int as n from post_click where post_id = $1 and name = 'shortLinkClicks'",
    [postId],
  )
  return Number(rows[0]?.['n'])
}

describe('a short link', () => {
  it('leads to its address, is never kept by browsers, and sets no cookie', async () => {
    const code = await link('https://acme.example/new?utm_source=x#top')
    for (const host of ['go.example', 'rookery.example']) {
      const reply = await open(`/s/${code}`, { host })
      expect([reply.statusCode, reply.body]).toEqual([302, ''])
      expect(reply.headers).toMatchObject({
        location: 'https://acme.example/new?utm_source=x#top',
        'cache-control': 'private, no-store, max-age=0',
        'referrer-policy': 'strict-origin-when-cross-origin',
        'x-robots-tag': 'noindex',
      })
      expect(reply.headers['set-cookie']).toBeUndefined()
    }
    expect((await open(`/s/${code.toUpperCase()}?fbclid=1`)).headers.location).toBe(
      'https://acme.example/new?utm_source=x#top',
    )
  })

  it('leads to an address in another script as browsers write it', async () => {
    const code = await link('https://münchen.example/straße?q=ü')
    expect((await open(`/s/${code}`)).headers.location).toBe('https://xn--mnchen-3ya.example/stra%C3%9Fe?q=%C3%BC')
  })

  it('counts each click of a person for its post, in the zone of its project, and nothing else', async () => {
    const code = await link('https://acme.example')
    await open(`/s/${code}`)
    await open(`/s/${code}`)
    await open(`/s/${code}`, { method: 'HEAD' })
    await open(`/s/${code}`, { headers: { 'sec-purpose': 'prefetch' } })
    await open(`/s/${code}`, { headers: { 'user-agent': 'facebookexternalhit/1.1' } })
    expect(await clicked()).toBe(2)
    app.clock.set(new Date('2026-11-21T23:30:00Z'))
    await query("update project set zone = 'Pacific/Auckland' where id = $1", [home.projectId])
    await open(`/s/${code}`)
    await app.parts.clicks.flush()
    const { rows } = await query('select day::text, n::int from post_click where post_id = $1 order by day', [postId])
    expect(rows).toEqual([
      { day: '2026-11-21', n: 2 },
      { day: '2026-11-22', n: 1 },
    ])
  })

  it('counts 1,000 clicks at the same time, of several links and nodes', async () => {
    const other = await startApp({
      database: app.database,
      env: { PUBLIC_URL: 'http://rookery.example', SHORT_URL: 'https://go.example' },
    })
    const codes = [await link('https://acme.example/1'), await link('https://acme.example/2')]
    const replies = await Promise.all(
      Array.from({ length: 1000 }, (_, i) =>
        (i % 3 === 0 ? other : app).app.inject({
          url: `/s/${codes[i % 2]}`,
          remoteAddress: `10.0.0.${i % 100}`,
          headers: { host: 'go.example', ...browser },
        }),
      ),
    )
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([302]))
    await other.parts.clicks.flush()
    expect(await clicked()).toBe(1000)
    await other.close()
  })

  it('leads on when its post was deleted here or on its platform, until the row is gone', async () => {
    const code = await link('https://acme.example')
    const { version } = (await query('select version from post where id = $1', [postId])).rows[0] ?? {}
    expect(version).toBeDefined()
    await app.call(deletePost, { params: { ...home.params, postId } }, { as: home.person })
    expect((await open(`/s/${code}`)).statusCode).toBe(302)
    await query('delete from delivery where subject_id = $1', [postId])
    await query('delete from post where id = $1', [postId])
    app.clock.advance({ seconds: 61 })
    expect((await open(`/s/${code}`)).statusCode).toBe(404)
  })

  it('leads nowhere within a minute once its project or organization is deleted', async () => {
    const code = await link('https://acme.example')
    const status = async () => {
      app.clock.advance({ seconds: 61 })
      return (await open(`/s/${code}`)).statusCode
    }
    expect(await status()).toBe(302)
    await query('update project set deleted_at = now() where id = $1', [home.projectId])
    expect(await status()).toBe(404)
    await query('update project set deleted_at = null where id = $1', [home.projectId])
    expect(await status()).toBe(302)
    await query('update organization set deletes_at = now() where org_id = $1', [home.orgId])
    expect(await status()).toBe(404)
  })

  it('leads nowhere within a minute once an operator stopped it', async () => {
    const code = await link('https://acme.example')
    const status = async () => {
      app.clock.advance({ seconds: 61 })
      return (await open(`/s/${code}`)).statusCode
    }
    expect(await setShortLinkBlocked(app.parts.databases, code, app.clock.now())).toBe('https://acme.example')
    expect(await status()).toBe(404)
    await setShortLinkBlocked(app.parts.databases, code, null)
    expect(await status()).toBe(302)
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    '//evil.example',
    'https://go.example/s/abcdefgh',
    'https://rookery.example/b/them/1',
  ])('never leads to %s, however that came into the database', async (url) => {
    expect((await open(`/s/${await link(url)}`)).statusCode).toBe(404)
  })

  it.each(['', 'abc', 'abcdefgl', 'abcdefgh2', '%2e%2e', 'abcdefgh/x', '<script>'])(
    'that nobody has is a plain page: %j',
    async (code) => {
      const reply = await open(`/s/${code}`)
      expect([404, 421]).toContain(reply.statusCode)
      expect(reply.headers.location).toBeUndefined()
    },
  )

  it('says in plain words that there is nothing, and stops looking for one who guesses', async () => {
    const missing = await open('/s/zzzzzzzz')
    expect(missing.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(missing.headers['cache-control']).toBe('no-store')
    expect(missing.body).toContain('This link doesn&#39;t exist')
    const statuses = []
    for (let n = 0; n < 70; n += 1) statuses.push((await open(`/s/yyyyyy${n % 8 ? 'yy' : 'zz'}`)).statusCode)
    expect(statuses.at(-1)).toBe(429)
    // a link that is known goes on
    const code = await link('https://acme.example')
    app.clock.advance({ minutes: 2 })
    expect((await open(`/s/${code}`)).statusCode).toBe(302)
  })
})

describe('the address of short links', () => {
  it('has short links and health, and nothing else', async () => {
    for (const path of ['/', '/login', '/b/acme', '/api/home', '/api/openapi.json', '/metrics', '/s', '/s/../login'])
      expect([path, (await open(path)).statusCode]).toEqual([path, 421])
    expect((await open('/healthz')).statusCode).toBe(200)
  })

  it('is a second one: the first has short links as well', async () => {
    const code = await link('https://acme.example')
    expect((await open(`/s/${code}`, { host: 'rookery.example' })).statusCode).toBe(302)
    expect((await open(`/s/${code}`, { host: 'evil.example' })).statusCode).toBe(421)
  })
})

describe('what is in memory', () => {
  it('is answered without the database, also in front of everything else', async () => {
    const address = await app.listen()
    const code = await link('https://acme.example')
    const ask = (method: 'GET' | 'HEAD' = 'GET') =>
      fetch(`${address}/s/${code}`, { method, redirect: 'manual', headers: { ...browser, host: 'go.example' } })
    expect((await ask()).status).toBe(302)
    await query('update short_link set url = $1 where code = $2', ['https://changed.example', code])
    const again = await ask()
    expect([again.status, again.headers.get('location')]).toEqual([302, 'https://acme.example/'])
    expect(again.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await ask('HEAD')).status).toBe(302)
    expect(await clicked()).toBe(2)
  })
})

it('has a code of its own in another organization: the same code is never given twice', async () => {
  const code = await link('https://acme.example')
  const there = await app.signedInOwner()
  await expect(
    query(
      'insert into short_link (org_id, code, project_id, post_id, url, created_at) values ($1, $2, $3, $4, $5, now())',
      [there.orgId, code, there.projectId, randomUUIDv7(), 'https://else.example'],
    ),
  ).rejects.toThrow(/short_link_code_key/)
})
