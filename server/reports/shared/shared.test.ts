import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createReportLink, listReportLinks, revokeReportLink } from '#contract/reports/links.ts'
import { createReport, deleteReport } from '#contract/reports/reports.ts'
import { withoutToken } from '../../app.ts'
import { keyOf } from '../../http/attempts.ts'
import { hashToken } from '../../http/session.ts'
import { contentOn } from '../../testing/content.ts'
import { figuresOn } from '../../testing/figures.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
let app: TestApp
let home: TestHome
let team: ReturnType<typeof teamOn>
let facebook: string
let bluesky: string
let reportId: string
/** A network of its own for each test, because unknown addresses are counted. */
let network = 0
beforeAll(async () => {
  app = await startApp()
  team = teamOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  network += 1
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await team.plan(home, 'team')
  const content = contentOn(app.parts)
  facebook = await content.channel(home, { platform: 'facebook', handle: '@northlight' })
  bluesky = await content.channel(home, { platform: 'bluesky', handle: '@rooks' })
  const figures = figuresOn(app.database)
  for (const [channel, followers] of [
    [facebook, 48_211],
    [bluesky, 7_345],
  ] as const)
    for (const day of ['2026-09-30', '2026-10-31']) await figures.channelDay(channel, day, { followers })
  reportId = await create(home.person)
})

const create = async (who: TestPerson, name = 'October <for> Acme') =>
  (await app.call(createReport, { params: home.params, body: { reportName: name, template: 'month' } }, { as: who }))
    .reportId
const share = (who: TestPerson = home.person, days = 30, id = reportId) =>
  app.call(
    createReportLink,
    { params: { ...home.params, reportId: id }, body: { linkName: 'Acme', days } },
    { as: who },
  )
const links = async (who: TestPerson = home.person) =>
  (await app.call(listReportLinks, { params: { ...home.params, reportId } }, { as: who })).links
const open = (
  address: string,
  { method = 'GET', headers = {} }: { method?: 'GET' | 'HEAD'; headers?: Record<string, string> } = {},
) =>
  app.app.inject({
    method,
    url: address.replace('http://rookery.test', ''),
    headers: { host: 'rookery.test', 'user-agent': BROWSER, ...headers },
    remoteAddress: `203.0.113.${network}`,
  })
const query = (text: string, values: unknown[] = []) => app.database.owner.query(text, values)

describe('a shared report', () => {
  it('is a page for everyone who has the link, without cookies, scripts and traces', async () => {
    const { address } = await share()
    const page = await open(address, { headers: { cookie: 'rookery=whatever' } })
    expect(page.statusCode).toBe(200)
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    expect(page.body).toContain('October &lt;for&gt; Acme')
    expect(page.body).toContain('55,556')
    expect(page.body).not.toMatch(/<script|<for>/)
    const pdf = await open(`${address}/report.pdf`)
    expect([pdf.statusCode, pdf.headers['content-type'], pdf.rawPayload.subarray(0, 5).toString()]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ])
    expect((await open(`${address}/p/logo`)).statusCode).toBe(404)
  })

  it('is found by the token alone, of which only the hash is stored', async () => {
    const { address, linkId } = await share()
    const token = address.split('/').at(-1) ?? ''
    const { rows } = await query('select * from report_link where id = $1', [linkId])
    expect(rows[0].token_hash).toEqual(hashToken(token))
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(JSON.stringify(await links())).not.toContain(token)
    const { rows: audited } = await query('select detail from audit where org_id = $1', [home.orgId])
    expect(JSON.stringify(audited)).not.toContain(token)
    for (const wrong of [token.slice(1), `${token}A`, token.toUpperCase(), `${token.slice(0, -1)}%00`, linkId])
      expect([wrong, (await open(`/r/${wrong}`)).statusCode]).toEqual([wrong, 404])
  })

  it('ends at once when its link is ended or has expired, and nobody can tell which', async () => {
    const [ended, expired] = [await share(), await share(home.person, 1)]
    expect([(await open(ended.address)).statusCode, (await open(expired.address)).statusCode]).toEqual([200, 200])
    const revoke = () =>
      app.send(revokeReportLink, { params: { ...home.params, reportId, linkId: ended.linkId } }, { as: home.person })
    expect((await revoke()).statusCode).toBe(200)
    app.clock.set(new Date(TEST_NOW.getTime() + 86_400_000))
    const replies = await Promise.all(
      [ended.address, expired.address, `/r/${'A'.repeat(43)}`].flatMap((address) => [
        open(address),
        open(`${address}/report.pdf`),
        open(`${address}/p/logo`),
      ]),
    )
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([404]))
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1)
    expect(await links()).toEqual([])
    expect((await revoke()).statusCode).toBe(404)
  })

  it('shows what the role of the person who made the link shows at that moment, never more', async () => {
    const member = await team.holder(home, { insights: ['view', 'edit'], channel: ['view'] })
    const { address } = await share(member)
    const shown = async () => (await open(address)).body
    expect(await shown()).toContain('55,556')
    expect(await shown()).toContain('48,211')
    await team.give(home, member, { roleId: member.roleId, channelIds: [bluesky] })
    const narrowed = await shown()
    expect(narrowed).toContain('7,345')
    expect(narrowed).not.toMatch(/55,556|48,211|northlight/i)
    expect((await open(`${address}/report.pdf`)).statusCode).toBe(200)
    // then without the right, without the project, and back
    await query("update role set permissions = permissions - 'insights' where id = $1", [member.roleId])
    const refused = await open(address)
    expect([refused.statusCode, refused.body.includes('7,345')]).toEqual([404, false])
    expect((await links())[0]).toMatchObject({ trouble: 'owner', createdBy: { userId: member.personId, isYou: false } })
    await query(`update role set permissions = permissions || '{"insights": ["view"]}' where id = $1`, [member.roleId])
    expect(await shown()).toContain('7,345')
    await query('update member set removed_at = now() where org_id = $1 and person_id = $2', [
      home.orgId,
      member.personId,
    ])
    expect((await open(address)).statusCode).toBe(404)
  })

  it('rests while the plan has no analytics, and says so to its project', async () => {
    const { address } = await share()
    await team.plan(home, 'free')
    expect((await open(address)).statusCode).toBe(404)
    await team.plan(home, 'team')
    expect((await open(address)).statusCode).toBe(200)
    await team.endPlan(home)
    expect((await open(address)).statusCode).toBe(404)
    expect((await links())[0]?.trouble).toBe('plan')
  })

  it('is gone with its report', async () => {
    const { address } = await share()
    await app.call(deleteReport, { params: { ...home.params, reportId } }, { as: home.person })
    expect((await open(address)).statusCode).toBe(404)
  })

  it('notes who opens it, not what loads ahead or looks', async () => {
    const { address } = await share()
    await open(address, { method: 'HEAD' })
    await open(address, { headers: { 'user-agent': 'Slackbot-LinkExpanding 1.0' } })
    await open(address, { headers: { 'sec-purpose': 'prefetch' } })
    expect((await links())[0]).toMatchObject({ firstOpenedAt: null, lastOpenedAt: null })
    await open(address)
    const later = new Date(TEST_NOW.getTime() + 3_600_000)
    app.clock.set(later)
    await open(address)
    await expect
      .poll(async () => (await links())[0])
      .toMatchObject({
        firstOpenedAt: TEST_NOW.toISOString(),
        lastOpenedAt: later.toISOString(),
      })
  })

  it('is opened 600 times a minute at most, and then says so as a page', async () => {
    const { address, linkId } = await share()
    await query('insert into budget (key, window_ends_at, used) values ($1, $2, 599)', [
      keyOf({ name: 'report-link', most: 600, seconds: 60 }, linkId),
      new Date(TEST_NOW.getTime() + 60_000),
    ])
    expect((await open(address)).statusCode).toBe(200)
    const busy = await open(`${address}/p/logo`)
    expect([busy.statusCode, busy.headers['content-type'], busy.headers['retry-after']]).toEqual([
      429,
      'text/html; charset=utf-8',
      '60',
    ])
  })

  it("isn't in the logs: nobody who reads them can open it", () => {
    expect(withoutToken('/r/secret')).toBe('/r/...')
    expect(withoutToken('/r/secret/p/post-1')).toBe('/r/.../p/post-1')
    for (const page of ['confirm', 'stop', 'file']) expect(withoutToken(`/r/${page}/secret`)).toBe(`/r/${page}/...`)
  })

  it("isn't guessed: a network that tries unknown tokens has to wait", async () => {
    const { address } = await share()
    const tried = []
    for (let n = 0; n < 70; n += 1) tried.push((await open(`/r/${String(n).padStart(43, 'x')}`)).statusCode)
    expect(tried).toEqual([...Array<number>(60).fill(404), ...Array<number>(10).fill(429)])
    expect((await open(address)).statusCode).toBe(429)
    network += 100
    expect((await open(address)).statusCode).toBe(200)
  })
})

describe('links', () => {
  it('are made and ended by people who may edit insights and see the report', async () => {
    const viewer = await team.holder(home, { insights: ['view'], channel: ['view'] })
    const stranger = await app.signedInOwner()
    await team.plan(stranger, 'team')
    const make = (who: TestPerson, params = home.params) =>
      app.send(createReportLink, { params: { ...params, reportId }, body: { linkName: 'x', days: 1 } }, { as: who })
    expect((await make(viewer)).statusCode).toBe(403)
    expect((await make(stranger.person)).statusCode).toBe(404)
    expect((await make(stranger.person, stranger.params)).statusCode).toBe(404)
    const { linkId } = await share()
    const end = (who: TestPerson, params = home.params) =>
      app.send(revokeReportLink, { params: { ...params, reportId, linkId } }, { as: who })
    expect((await end(viewer)).statusCode).toBe(403)
    expect((await end(stranger.person, stranger.params)).statusCode).toBe(404)
    expect(await links(viewer)).toMatchObject([
      { linkId, linkName: 'Acme', createdBy: { isYou: false }, trouble: null },
    ])
  })

  it('are at most 20, last at most 366 days, and have a name', async () => {
    const send = (body: { linkName: string; days: number }) =>
      app.send(createReportLink, { params: { ...home.params, reportId }, body }, { as: home.person })
    for (const [body, field] of [
      [{ linkName: ' ', days: 1 }, 'linkName'],
      [{ linkName: 'x', days: 0 }, 'days'],
      [{ linkName: 'x', days: 367 }, 'days'],
      [{ linkName: 'x', days: 1.5 }, 'days'],
    ] as const)
      expect(Object.keys((await send(body)).json().errors)).toEqual([field])
    const made = await Promise.all(Array.from({ length: 22 }, () => send({ linkName: 'x', days: 1 })))
    expect(made.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    expect(await links()).toHaveLength(20)
  })

  it("aren't kept without number: those that ended go when another one is made", async () => {
    const stored = async () => (await query('select id from report_link where report_id = $1', [reportId])).rows
    const [open1, expired] = [await share(), await share(home.person, 1)]
    app.clock.set(new Date(TEST_NOW.getTime() + 86_400_000))
    for (let n = 0; n < 3; n += 1) {
      const { linkId } = await share()
      await app.call(revokeReportLink, { params: { ...home.params, reportId, linkId } }, { as: home.person })
    }
    const last = await share()
    expect(new Set((await stored()).map(({ id }) => id))).toEqual(new Set([open1.linkId, last.linkId]))
    expect((await open(open1.address)).statusCode).toBe(200)
    expect((await open(expired.address)).statusCode).toBe(404)
  })
})
