import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bioPagesOn } from '../testing/bioPages.ts'
import type { TestHome } from '../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../testing/startApp.ts'
import { blockPage } from './block.ts'
import { forgetReports } from './upkeep.ts'

let app: TestApp
let home: TestHome
let pages: ReturnType<typeof bioPagesOn>
beforeAll(async () => {
  app = await startApp({ env: { SUPPORT_EMAIL: 'operator@rookery.test', TRUST_PROXY: '127.0.0.1' } })
  pages = bioPagesOn(app.database)
  home = await app.signedInOwner()
})
afterAll(() => app.close())

let made = 0
let slug: string
let page: string
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  slug = `reported-${++made}`
  page = await pages.page(home, { slug, name: 'Win <money>' })
  app.outbox.length = 0
})

let client = 0
const aClient = () => `203.0.113.${++client}`
const send = (body: string, headers: Record<string, string> = {}, at = slug) =>
  app.app.inject({
    method: 'POST',
    url: `/b/${at}/report`,
    headers: {
      host: 'rookery.test',
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': aClient(),
      ...headers,
    },
    body,
  })
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const stored = async () =>
  (
    await app.database.owner.query(
      'select slug, reason, words, email from bio_report where page_id = $1 order by created_at, id',
      [page],
    )
  ).rows
const mails = () => app.outbox.filter(({ to }) => to === 'operator@rookery.test')

describe('a report', () => {
  it('is sent with a form, without scripts and without an account', async () => {
    const reply = await app.app.inject({ url: `/b/${slug}/report`, headers: { host: 'rookery.test' } })
    expect(reply.statusCode).toBe(200)
    expect(reply.headers['content-security-policy']).toContain("form-action 'self'")
    expect(reply.headers['content-security-policy']).not.toContain('script')
    expect(reply.headers['x-robots-tag']).toBe('noindex')
    expect(reply.body).toContain('<h1>Report this page: Win &lt;money&gt;</h1>')
    expect(reply.body).toContain(`<form method="post" action="/b/${slug}/report">`)
    expect(
      (await app.app.inject({ url: '/b/no-such-page/report', headers: { host: 'rookery.test' } })).statusCode,
    ).toBe(404)
  })

  it('is stored and told to the operator', async () => {
    const reply = await send(form({ reason: 'phishing', words: 'Asks for\r\nmy <password>', email: 'ann@example.org' }))
    expect([reply.statusCode, reply.body.includes('Thank you for your report')]).toEqual([200, true])
    expect(await stored()).toEqual([
      { slug, reason: 'phishing', words: 'Asks for\nmy <password>', email: 'ann@example.org' },
    ])
    expect(mails()).toHaveLength(1)
    expect(mails()[0]?.text).toContain(`http://rookery.test/b/${slug}`)
    expect(mails()[0]?.html).toMatch(/<blockquote[^>]*>Asks for\nmy &lt;password&gt;<\/blockquote>/)
    expect(mails()[0]?.text).toContain('From ann@example.org\n> Asks for\n> my <password>\n')
  })

  it('is stored without zero bytes, which only programs send', async () => {
    const reply = await send('reason=other&words=a%00b')
    expect([reply.statusCode, (await stored())[0]?.words]).toEqual([200, 'ab'])
  })

  it('sends the operator at most one email per page and day', async () => {
    for (let n = 0; n < 3; n += 1) await send(form({ reason: 'other' }))
    expect([(await stored()).length, mails().length]).toEqual([3, 1])
    app.clock.advance({ days: 1, seconds: 1 })
    await send(form({ reason: 'other' }))
    expect(mails()).toHaveLength(2)
  })

  it('that is incomplete comes back with what was written, and why', async () => {
    const reply = await send(form({ words: '</textarea><script>x</script>', email: 'nobody' }))
    expect(reply.statusCode).toBe(400)
    expect(reply.body).toContain('Choose a reason')
    expect(reply.body).toContain('Enter an email address')
    expect(reply.body).toContain('&lt;/textarea&gt;&lt;script&gt;x&lt;/script&gt;</textarea>')
    expect(await stored()).toEqual([])
  })

  it('has 1,000 characters of any script, and no more', async () => {
    expect((await send(form({ reason: 'other', words: '漢'.repeat(1000) }))).statusCode).toBe(200)
    expect((await send(form({ reason: 'other', words: 'x'.repeat(1001) }))).statusCode).toBe(400)
    expect((await send(form({ reason: 'other', words: 'x'.repeat(20_000) }))).statusCode).toBe(413)
    expect((await send('x'.repeat(1_000_000))).statusCode).toBe(413)
    expect(await stored()).toHaveLength(1)
  })

  it('is accepted five times an hour from one network, and thirty times about one page', async () => {
    const from = { 'x-forwarded-for': '198.51.100.7' }
    const statuses = []
    for (let n = 0; n < 6; n += 1) statuses.push((await send(form({ reason: 'other' }), from)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    // the refused one keeps nobody else from reporting
    for (let n = 5; n < 30; n += 1) expect((await send(form({ reason: 'other' }))).statusCode).toBe(200)
    expect((await send(form({ reason: 'other' }))).statusCode).toBe(429)
    expect(await stored()).toHaveLength(30)
    app.clock.advance({ hours: 1, seconds: 1 })
    expect((await send(form({ reason: 'other' }), from)).statusCode).toBe(200)
  })

  it("isn't accepted from another site's form, or as anything but a form", async () => {
    const body = form({ reason: 'other' })
    expect((await send(body, { origin: 'https://evil.example' })).statusCode).toBe(403)
    expect((await send(body, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
    expect((await send(body, { origin: 'http://rookery.test' })).statusCode).toBe(200)
    expect((await send('{"reason":"other"}', { 'content-type': 'application/json' })).statusCode).toBe(400)
    expect(await stored()).toHaveLength(1)
  })

  it('is deleted 180 days after it was handled', async () => {
    await send(form({ reason: 'other' }))
    await send(form({ reason: 'abuse' }))
    await app.database.owner.query("update bio_report set handled_at = $2 where page_id = $1 and reason = 'abuse'", [
      page,
      app.clock.now(),
    ])
    app.clock.advance({ days: 180 })
    expect(await forgetReports(app.parts.databases, app.clock.now())).toBe(0)
    app.clock.advance({ seconds: 1 })
    expect(await forgetReports(app.parts.databases, app.clock.now())).toBe(1)
    expect((await stored()).map(({ reason }) => reason)).toEqual(['other'])
  })

  it('of a page that was stopped already is not needed', async () => {
    await blockPage(app.parts.databases, slug, 'Phishing', app.clock.now())
    expect((await send(form({ reason: 'other' }))).statusCode).toBe(410)
  })
})
