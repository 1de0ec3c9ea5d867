import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  askReportRecipient,
  createReportSchedule,
  deleteReportSchedule,
  runReportSchedule,
  updateReportSchedule,
} from '#contract/reports/schedules.ts'
import { keyOf } from '../../http/attempts.ts'
import { MailRefused, type Mail } from '../../mail/mailer.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { mondays, scheduleWorkOn, schedulesOn, testMakers, type ScheduleParams } from '../../testing/schedules.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let app: TestApp
let on: ReturnType<typeof schedulesOn>
let work: ReturnType<typeof scheduleWorkOn>
let home: TestHome
/** Mails to it are refused. */
let refused = ''
beforeAll(async () => {
  app = await startApp({
    parts: (deps) => ({
      ...deps,
      mailer: {
        ...deps.mailer,
        send: async (mail: Mail) => {
          if (mail.to === refused) throw new MailRefused('no such mailbox')
          await deps.mailer.send(mail)
        },
      },
    }),
  })
  on = schedulesOn(app)
  work = scheduleWorkOn(app, testMakers().all)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  refused = ''
  app.outbox.length = 0
  await app.database.owner.query('delete from budget')
  await app.database.owner.query("update report_schedule set paused = 'person', paused_at = now()")
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
})

const client = 'zoe@example.com'
const MONDAY = new Date('2026-11-23T08:00:00Z')
const get = (path: string) => app.app.inject({ url: path })
const post = (path: string, headers: Record<string, string> = {}, payload = '') =>
  app.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  })
const state = async (params: ScheduleParams, email = client) =>
  (await on.read(params, home.person)).recipients.find((one) => one.email === email)?.state
const reports = () => app.outbox.filter(({ attachments }) => attachments).map((mail) => mail.to)
const asked = async (more: Partial<typeof mondays> = {}) => {
  const params = await on.schedule(home, { userIds: [], emails: [client], ...more })
  await work.ask()
  return params
}
const again = async (params: ScheduleParams, who: TestPerson = home.person, email = client) => {
  const found = (await on.read(params, home.person)).recipients.find((one) => one.email === email)
  return await app.send(
    askReportRecipient,
    { params: { ...params, recipientId: found?.recipientId ?? '' } },
    { as: who },
  )
}

describe('an outside address', () => {
  it('is asked once by mail, and gets reports after it confirmed on the page', async () => {
    const params = await asked()
    await work.ask()
    const [mail, ...others] = app.outbox
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      to: client,
      subject: 'My Workspace would like to send you a report',
      headers: { 'Auto-Submitted': 'auto-generated', 'List-Unsubscribe': expect.stringContaining('/r/stop/') },
    })
    expect(mail?.text).toContain(
      'Olive Owner from My Workspace would like to send you the report "Weekly figures" by email, every week.',
    )
    const path = `/r/confirm/${on.tokenFor(client, 'confirm')}`
    // programs that check mails open every link
    const page = await get(path)
    expect([page.statusCode, await state(params)]).toEqual([200, 'asked'])
    expect(page.body).toContain(`<form method="post" action="${path}">`)
    expect(page.body).not.toContain('<script')
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'private, no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    expect((await post(path)).body).toContain('You&#39;ll get this report')
    expect((await post(path)).body).toContain('You&#39;ll get this report')
    expect([await state(params), (await get(path)).body.includes('You already get this report')]).toEqual([
      'gets',
      true,
    ])
    app.clock.set(MONDAY)
    await work.minute()
    expect(reports()).toEqual([client])
  })

  it('cannot confirm after seven days, and can be asked again', async () => {
    const params = await asked()
    const path = `/r/confirm/${on.tokenFor(client, 'confirm')}`
    app.clock.advance({ days: 7 })
    expect(await state(params)).toBe('lapsed')
    expect((await get(path)).body).toContain('This link has expired')
    expect((await post(path)).body).toContain('This link has expired')
    expect(await state(params)).toBe('lapsed')
    expect((await again(params)).statusCode).toBe(200)
    await work.ask()
    expect(app.outbox).toHaveLength(2)
    await post(path)
    expect(await state(params)).toBe('gets')
    expect((await again(params)).json()).toMatchObject({ message: 'This address has already confirmed' })
    await work.ask()
    expect(app.outbox).toHaveLength(2)
  })

  it('that does not want it gets nothing, and is asked again after 30 days at the earliest', async () => {
    const params = await asked()
    const path = `/r/stop/${on.tokenFor(client, 'stop')}`
    const page = (await get(path)).body
    expect(page).toContain('Stop these emails?')
    // clients may get none
    expect(page).not.toContain('other emails')
    expect(await state(params)).toBe('asked')
    expect((await post(path)).body).toContain('You won&#39;t get this report')
    expect(await state(params)).toBe('ended')
    await post(`/r/confirm/${on.tokenFor(client, 'confirm')}`)
    expect(await state(params)).toBe('ended')
    app.clock.advance({ days: 29 })
    expect((await again(params)).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    app.clock.advance({ days: 1 })
    home.person.cookies = (await freshOwner()).cookies
    expect((await again(params)).statusCode).toBe(200)
    expect(await state(params)).toBe('asked')
  })

  it("that doesn't want it isn't asked by another schedule either, nor by one that is made again", async () => {
    await work.ask()
    app.outbox.length = 0
    const params = await asked()
    await post(`/r/stop/${on.tokenFor(client, 'stop')}`)
    await app.call(deleteReportSchedule, { params }, { as: home.person })
    const make = async (reportId: string) =>
      await app.send(
        createReportSchedule,
        { params: { ...home.params, reportId }, body: { ...mondays, userIds: [], emails: [client] } },
        { as: home.person },
      )
    const other = await on.report(home)
    for (const reportId of [params.reportId, other])
      expect((await make(reportId)).json()).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        detail: expect.stringContaining("doesn't want these emails"),
      })
    expect(app.outbox).toHaveLength(1)
    app.clock.advance({ days: 30 })
    home.person.cookies = (await freshOwner()).cookies
    expect((await make(params.reportId)).statusCode).toBe(200)
    await work.ask()
    expect(app.outbox).toHaveLength(2)
    // one that got it and then had enough can still be asked about another one
    await post(`/r/confirm/${on.tokenFor(client, 'confirm')}`)
    await post(`/r/stop/${on.tokenFor(client, 'stop')}`)
    expect([(await make(params.reportId)).statusCode, (await make(other)).statusCode]).toEqual([429, 200])
  })

  it('ends only the mails of that schedule, with one click of its mail program too', async () => {
    const params = await asked()
    const other = await asked()
    await app.database.owner.query('update report_recipient set confirmed_at = asked_at where email = $1', [client])
    app.clock.set(MONDAY)
    await work.minute()
    expect(reports()).toEqual([client, client])
    const first = app.outbox.find(({ attachments }) => attachments)
    const address = /<http:\/\/rookery.test(.+)>/.exec(first?.headers?.['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const multipart = '--x\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n'
    const reply = await post(address, { 'content-type': 'multipart/form-data; boundary=x' }, multipart)
    expect(reply.statusCode).toBe(200)
    expect(new Set([await state(params), await state(other)])).toEqual(new Set(['ended', 'gets']))
    app.clock.advance({ days: 7 })
    await work.minute()
    expect(reports()).toHaveLength(3)
  })

  it('is asked about again neither by a second click nor by adding it once more', async () => {
    const params = await asked()
    expect((await again(params)).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    const update = (emails: string[], version: number) =>
      app.call(
        updateReportSchedule,
        { params, body: { ...mondays, userIds: [home.person.personId], emails, version } },
        { as: home.person },
      )
    await update([], 1)
    // the page says that it isn't wanted any more
    expect((await get(`/r/confirm/${on.tokenFor(client, 'confirm')}`)).body).toContain('This link doesn&#39;t work')
    await update([client], 2)
    await work.ask()
    expect(app.outbox).toHaveLength(1)
    expect(await state(params)).toBe('asked')
  })

  it('whose mailbox refuses the question counts as not having confirmed', async () => {
    refused = client
    const params = await asked()
    expect(await state(params)).toBe('lapsed')
  })

  it('is asked at most five times a day, by all organizations together', async () => {
    for (let n = 0; n < 5; n += 1) await asked()
    const other = await app.signedInOwner()
    await teamOn(app).plan(other, 'team')
    const reply = await app.send(
      createReportSchedule,
      {
        params: { ...other.params, reportId: await on.report(other) },
        body: { ...mondays, emails: [client] },
      },
      { as: other.person },
    )
    expect(reply.json()).toMatchObject({ code: 'LIMIT_EXCEEDED', detail: expect.stringContaining(client) })
    expect(app.outbox).toHaveLength(5)
  })

  it('is asked by those who may change schedules only', async () => {
    const params = await asked()
    const user = await app.colleague(home, 'user')
    expect((await again(params, user)).statusCode).toBe(403)
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    expect((await again(params, stranger.person)).statusCode).toBe(404)
  })
})

/** The owner, signed in again after a month. */
async function freshOwner(): Promise<TestPerson> {
  const other = await app.person()
  await app.database.owner.query('update session set person_id = $1 where person_id = $2', [
    home.person.personId,
    other.personId,
  ])
  return other
}

describe('a member', () => {
  it("isn't sent reports without end by schedules that are made again and again", async () => {
    const { params } = home
    const reportId = await on.report(home)
    const { rows } = await app.database.owner.query(
      `insert into budget (key, window_ends_at, used) select k, $1, n from unnest($2::text[], $3::int[]) b(k, n) returning key`,
      [
        new Date(TEST_NOW.getTime() + 3_600_000),
        [
          keyOf({ name: 'report-times', most: 300, seconds: 86_400 }, home.orgId),
          keyOf({ name: 'report-runs', most: 60, seconds: 3600 }, home.orgId),
        ],
        [299, 60],
      ],
    )
    expect(rows).toHaveLength(2)
    const body = { ...mondays, userIds: [home.person.personId] }
    const make = () => app.send(createReportSchedule, { params: { ...params, reportId }, body }, { as: home.person })
    const { scheduleId } = (await make()).json()
    expect((await make()).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    const change = (time: string) =>
      app.send(
        updateReportSchedule,
        {
          params: { ...params, reportId, scheduleId },
          body: { ...body, when: { ...body.when, time }, version: 1 },
        },
        { as: home.person },
      )
    expect((await change('09:01')).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    expect((await change('09:00')).statusCode).toBe(200)
    const now = { params: { ...params, reportId, scheduleId } }
    expect((await app.send(runReportSchedule, now, { as: home.person })).json()).toMatchObject({
      code: 'LIMIT_EXCEEDED',
    })
  })

  it('can end the mails, and get them again, without signing in', async () => {
    const params = await on.schedule(home)
    app.clock.set(MONDAY)
    await work.minute()
    const path = `/r/stop/${on.tokenFor(home.person.email, 'stop')}`
    expect((await post(path)).statusCode).toBe(200)
    expect(await state(params, home.person.email)).toBe('ended')
    expect((await again(params, home.person, home.person.email)).statusCode).toBe(404)
    const confirm = path.replace('/stop/', '/confirm/')
    expect((await get(path)).body).toContain(`<form method="post" action="${confirm}">`)
    expect((await post(confirm)).body).toContain('You&#39;ll get this report')
    expect(await state(params, home.person.email)).toBe('gets')
  })
})

describe('the pages', () => {
  it('refuse forms of other sites, and unknown links without telling anything', async () => {
    const params = await asked()
    const path = `/r/confirm/${on.tokenFor(client, 'confirm')}`
    expect((await post(path, { origin: 'https://evil.example' })).statusCode).toBe(403)
    expect(await state(params)).toBe('asked')
    for (const unknown of ['/r/confirm/x', `/r/confirm/${'a'.repeat(43)}`, `/r/stop/${'a'.repeat(43)}`]) {
      const replies = [await get(unknown), await post(unknown)]
      expect(replies.map(({ statusCode }) => statusCode)).toEqual([404, 404])
    }
  })

  it('let nobody try many links', async () => {
    const trying = (n: number) =>
      app.app.inject({ url: `/r/confirm/${String(n).padStart(43, 'a')}`, remoteAddress: '203.0.113.9' })
    const replies = []
    for (let n = 0; n < 61; n += 1) replies.push((await trying(n)).statusCode)
    expect([replies.at(0), replies.at(59), replies.at(60)]).toEqual([404, 404, 429])
  })

  it('say that a deleted schedule sends nothing', async () => {
    const params = await asked()
    const path = `/r/stop/${on.tokenFor(client, 'stop')}`
    await app.call(deleteReportSchedule, { params }, { as: home.person })
    expect((await get(path)).statusCode).toBe(404)
  })

  it("show names as text, whatever's in them", async () => {
    const params = await asked()
    await app.database.owner.query("update report set name = '<b>Bold</b> & more' where id = $1", [params.reportId])
    const { body } = await get(`/r/confirm/${on.tokenFor(client, 'confirm')}`)
    expect(body).toContain('&lt;b&gt;Bold&lt;/b&gt; &amp; more')
  })
})
