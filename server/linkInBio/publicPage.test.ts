import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { BIO } from '#contract/linkInBio/limits.ts'
import { bioPagesOn, visitFrom } from '../testing/bioPages.ts'
import { contentOn, drawPicture } from '../testing/content.ts'
import { figuresOn } from '../testing/figures.ts'
import type { TestHome } from '../testing/people.ts'
import { postsOn } from '../testing/posts.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { until } from '../testing/until.ts'

let app: TestApp
let home: TestHome
let pages: ReturnType<typeof bioPagesOn>
beforeAll(async () => {
  app = await startApp()
  pages = bioPagesOn(app.database)
  home = await app.signedInOwner()
})
afterAll(() => app.close())
beforeEach(() => app.clock.set(TEST_NOW))

let made = 0
const freshSlug = () => `public-${++made}`
type Headers = Record<string, string>
const open = (path: string, headers: Headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.app.inject({ method, url: `/b/${path}`, headers: { host: 'rookery.test', ...headers } })
const query = (text: string, values: unknown[] = []) => app.database.owner.query(text, values)
/** Waits until a page in memory shows it. */
const shows = (slug: string, text: string) => until(async () => (await open(slug)).body.includes(text))

describe('a public page', () => {
  it('shows what its project wrote, for everyone, without cookies and scripts', async () => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug, name: 'Autumn <Studio>', about: 'Fired twice' })
    await pages.item(page, { label: 'Shop & more' })
    await pages.item(page, { label: 'Write to us', url: 'mailto:hello@autumn.example' })
    await pages.item(page, { label: 'Not yet', hidden: true })
    const reply = await open(slug, { cookie: 'rookery=whatever' })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      vary: 'accept-encoding',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; img-src 'self'; style-src 'sha256-[\w+/=]+'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'$/,
      ),
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers['set-cookie']).toBeUndefined()
    expect(reply.headers['x-robots-tag']).toBeUndefined()
    expect(reply.body).toContain('<h1 dir="auto">Autumn &lt;Studio&gt;</h1>')
    expect(reply.body).toContain(`<a href="/b/${slug}/1" rel="nofollow noopener ugc">Shop &amp; more</a>`)
    expect(reply.body).toContain('<a href="mailto:hello@autumn.example" rel="nofollow noopener ugc">Write to us</a>')
    expect(reply.body).toContain(`<link rel="canonical" href="http://rookery.test/b/${slug}">`)
    expect(reply.body).not.toContain('Not yet')
    expect(reply.body).not.toContain('<script')
    expect((await open(slug.toUpperCase())).body).toBe(reply.body)
  })

  it('is sent compressed, and not again to browsers that have it; HEAD sends what GET would without the body', async () => {
    const slug = freshSlug()
    await pages.page(home, { slug })
    const plain = await open(slug)
    const br = await open(slug, { 'accept-encoding': 'gzip, deflate, br, zstd' })
    const gzip = await open(slug, { 'accept-encoding': 'gzip, br;q=0' })
    expect([br.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body)
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body)
    const etag = String(plain.headers.etag)
    const again = await open(slug, { 'if-none-match': etag })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    expect((await open(slug, { 'if-none-match': 'W/"other"' })).statusCode).toBe(200)
    const head = await open(slug, {}, 'HEAD')
    expect([head.statusCode, head.body, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(plain.body)),
    ])
  })

  it('is under 15 kB on the wire with all 50 buttons and 60 posts', async () => {
    const words = 'shop our new winter collection of handmade bowls from berlin with workshops every week'.split(' ')
    let seed = 7
    const label = () =>
      Array.from({ length: 20 }, () => words[(seed = (seed * 48271) % 2147483647) % words.length])
        .join(' ')
        .slice(0, BIO.label)
    const slug = freshSlug()
    const page = await pages.page(home, { slug, about: label() })
    const channel = await contentOn(app.parts).channel(home)
    for (let n = 0; n < BIO.buttons; n += 1) await pages.item(page, { label: label() })
    for (let n = 0; n < BIO.posts; n += 1) {
      const postId = await figuresOn(app.database).elsewhere(home, channel, '2026-11-20T10:00:00Z')
      await pages.item(page, { label: label(), postId, pictureKey: `${home.orgId}/${postId}` })
    }
    const { rawPayload } = await open(slug, { 'accept-encoding': 'br' })
    const html = brotliDecompressSync(rawPayload)
    expect(html.toString().match(/<li>/g)).toHaveLength(110)
    expect(rawPayload.length).toBeLessThan(8000)
    expect((await open(slug, { 'accept-encoding': 'gzip' })).rawPayload.length).toBeLessThan(9000)
    expect(brotliCompressSync(html).length).toBeLessThan(rawPayload.length + 1000)
  })

  it('asks search engines to leave it out, in the page and beside it, if its project wants so', async () => {
    const slug = freshSlug()
    await pages.page(home, { slug, noindex: true })
    const reply = await open(slug)
    expect(reply.headers['x-robots-tag']).toBe('noindex')
    expect(reply.body).toContain('<meta name="robots" content="noindex">')
  })

  it("isn't there for strangers before it's live, in a deleted project, or in an organization that's being deleted", async () => {
    const other = await app.signedInOwner()
    const slug = freshSlug()
    const page = await pages.page(other, { slug, live: false })
    const status = async () => (await open(slug)).statusCode
    expect(await status()).toBe(404)
    await query('update bio_page set live = true where id = $1', [page])
    await until(async () => (await status()) === 200)
    await query('update project set deleted_at = now() where id = $1', [other.projectId])
    await until(async () => (await status()) === 404)
    await query('update project set deleted_at = null where id = $1', [other.projectId])
    await until(async () => (await status()) === 200)
    await query('update organization set deletes_at = now() where org_id = $1', [other.orgId])
    await until(async () => (await status()) === 404)
    const missing = await open('no-such-page')
    expect([missing.statusCode, missing.headers['x-robots-tag'], missing.headers['cache-control']]).toEqual([
      404,
      'noindex',
      'no-store',
    ])
    expect(missing.body).toContain('This page doesn&#39;t exist')
  })

  it.each(['No_Such', 'a', 'x'.repeat(31), '-a-', 'a--b', '%00', 'Ünder', '..', '__proto__', "a'or'1"])(
    "doesn't look up what can't be an address: %s",
    async (slug) => {
      const { reads } = app.publicPages.stats()
      expect((await open(encodeURIComponent(slug))).statusCode).toBe(404)
      expect(app.publicPages.stats().reads).toBe(reads)
    },
  )
})

describe('what is in memory', () => {
  it('is sent without the database until something changes, then the change is', async () => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug, name: 'Before' })
    const number = await pages.item(page)
    await shows(slug, 'Before')
    await until(async () => {
      const { reads } = app.publicPages.stats()
      await open(slug)
      await open(`${slug}/${number}`)
      return app.publicPages.stats().reads === reads
    })
    await query("update bio_page set name = 'After' where id = $1", [page])
    await shows(slug, 'After')
    await query("update bio_item set label = 'Another label' where page_id = $1", [page])
    await shows(slug, 'Another label')
    await query('delete from bio_page where id = $1', [page]).catch(() => {})
  })

  it('is read again after a minute', async () => {
    const slug = freshSlug()
    await pages.page(home, { slug })
    await shows(slug, 'Our page')
    await until(async () => {
      const { reads } = app.publicPages.stats()
      await open(slug)
      return app.publicPages.stats().reads === reads
    })
    const { reads } = app.publicPages.stats()
    app.clock.advance({ seconds: 59 })
    await open(slug)
    expect(app.publicPages.stats().reads).toBe(reads)
    app.clock.advance({ seconds: 1 })
    await open(slug)
    expect(app.publicPages.stats().reads).toBe(reads + 1)
  })

  it('shows a link from its start to its end, to the second', async () => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const number = await pages.item(page, {
      label: 'Sale',
      starts: '2026-11-21T10:00:30Z',
      ends: '2026-11-21T10:00:45Z',
    })
    const seen = async () => [
      (await open(slug)).body.includes('Sale'),
      (await open(`${slug}/${number}`)).headers.location === 'https://shop.example/',
    ]
    expect(await seen()).toEqual([false, false])
    app.clock.advance({ ms: 29_999 })
    expect(await seen()).toEqual([false, false])
    app.clock.advance({ ms: 1 })
    expect(await seen()).toEqual([true, true])
    app.clock.advance({ ms: 14_999 })
    expect(await seen()).toEqual([true, true])
    app.clock.advance({ ms: 1 })
    expect(await seen()).toEqual([false, false])
  })
})

describe('a link', () => {
  it('leads to where its number says, and nowhere else', async () => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const number = await pages.item(page, { url: 'https://shop.example/a?b=c&d=%20e' })
    const reply = await open(`${slug}/${number}?url=https://evil.example`)
    expect([reply.statusCode, reply.headers.location]).toEqual([302, 'https://shop.example/a?b=c&d=%20e'])
    expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' })
    for (const rest of ['99', '0', '01', '-1', '1e3', 'https:evil.example', '@evil.example']) {
      const other = await open(`${slug}/${rest}`)
      expect([other.statusCode, other.headers.location]).toEqual([302, `/b/${slug}`])
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'https://user@evil.example/',
    'http://rookery.test/s/abc',
    'http://rookery.test/b/other/1',
    'ftp://a.example/',
    'https://a.example/\r\nset-cookie: a=b',
  ])('that could do harm is left out, however it came into the database: %s', async (url) => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const number = await pages.item(page, { label: 'Hostile', url })
    const html = (await open(slug)).body
    const { headers } = await open(`${slug}/${number}`)
    if (url.includes('\r')) {
      // as browsers read it: without the line break
      expect(headers.location).toBe('https://a.example/set-cookie:%20a=b')
      expect(headers['set-cookie']).toBeUndefined()
    } else {
      expect(html).not.toContain('Hostile')
      expect(headers.location).toBe(`/b/${slug}`)
    }
  })
})

describe('the grid', () => {
  it('shows posts while their channel does, each with a picture in two sizes', async () => {
    const content = contentOn(app.parts)
    const posts = postsOn(app, app.database)
    const channel = await content.channel(home)
    const asset = await content.picture(home, { width: 900, height: 600 })
    const postId = await posts.post(home, channel, { media: [{ assetId: asset }] })
    await posts.put(postId, 'PUBLISHED')
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const number = await pages.item(page, { label: 'A blue bowl', postId })
    const html = (await open(slug)).body
    const [, small = '', large = ''] = /src="([^"]+)" srcset="([^"]+) 2x" alt="A blue bowl"/.exec(html) ?? []
    for (const [url, side] of [
      [small, 256],
      [large, 512],
    ] as const) {
      const picture = await app.app.inject({ url, headers: { host: 'rookery.test' } })
      expect([picture.statusCode, picture.headers['content-type']]).toEqual([200, 'image/webp'])
      expect(picture.headers['cache-control']).toBe('private, max-age=604800, immutable')
      expect(await sharp(picture.rawPayload).metadata()).toMatchObject({ width: side, height: side })
    }
    expect((await open(`${slug}/${number}`)).headers.location).toBe('https://shop.example/')
    await query('update measured_post set gone_at = now() where id = $1', [postId])
    await until(async () => !(await open(slug)).body.includes('A blue bowl'))
    expect((await app.app.inject({ url: small, headers: { host: 'rookery.test' } })).statusCode).toBe(404)
    expect((await open(`${slug}/${number}`)).headers.location).toBe(`/b/${slug}`)
    await query('update measured_post set gone_at = null where id = $1', [postId])
    await shows(slug, 'A blue bowl')
    await query('update measured_post set listed = false where id = $1', [postId])
    await until(async () => !(await open(slug)).body.includes('A blue bowl'))
  })

  it('shows the stored picture of a post published elsewhere, and a text if there is none', async () => {
    const channel = await contentOn(app.parts).channel(home)
    const post = () => figuresOn(app.database).elsewhere(home, channel, '2026-11-20T10:00:00Z')
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const [first, second] = [await post(), await post()]
    const key = `${home.orgId}/${first}`
    await app.parts.media.put(key, await drawPicture({ width: 300, height: 200 }))
    await pages.item(page, { label: 'With', postId: first, pictureKey: key })
    await pages.item(page, { label: 'Without', postId: second })
    const html = (await open(slug)).body
    const [, small = ''] = /<img src="([^"]+)" srcset="[^"]+" alt="With"/.exec(html) ?? []
    expect(html).toContain('<span>Without</span>')
    expect((await app.app.inject({ url: small, headers: { host: 'rookery.test' } })).statusCode).toBe(200)
    expect((await app.parts.media.read(`${key}-256`)).length).toBeGreaterThan(0)
    await app.parts.media.delete(key)
    await expect(app.parts.media.read(`${key}-256`)).rejects.toThrow(/ENOENT|does not exist/)
  })

  it("shows the page's own picture", async () => {
    const picture = await contentOn(app.parts).picture(home, { width: 300, height: 500 })
    const slug = freshSlug()
    await pages.page(home, { slug, picture })
    const [, small = '', large = ''] =
      /class="face" src="([^"]+)" srcset="([^"]+) 2x"/.exec((await open(slug)).body) ?? []
    const sides = []
    for (const url of [small, large])
      sides.push(
        (await sharp((await app.app.inject({ url, headers: { host: 'rookery.test' } })).rawPayload).metadata()).width,
      )
    expect(sides).toEqual([128, 256])
    expect((await open(`${slug}/p/nosuchname`)).statusCode).toBe(404)
  })
})

describe('counting', () => {
  it('counts views and clicks of people, and neither HEAD nor bots', async () => {
    const slug = freshSlug()
    const page = await pages.page(home, { slug })
    const number = await pages.item(page)
    const { headers } = visitFrom('')
    const agent = { 'user-agent': String(headers['user-agent']) }
    await open(slug, agent)
    await open(slug, agent)
    await open(slug, agent, 'HEAD')
    await open(slug, { 'user-agent': 'Googlebot/2.1' })
    await open(`${slug}/${number}`, agent)
    await open(`${slug}/${number + 1}`, agent)
    await app.parts.clicks.flush()
    const { rows } = await query(
      'select number, views, visitors, clicks from bio_count where page_id = $1 order by number',
      [page],
    )
    expect(rows).toEqual([
      { number: 0, views: 2, visitors: 1, clicks: 0 },
      { number, views: 0, visitors: 0, clicks: 1 },
    ])
  })
})
