import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { listNotices } from '#contract/notices.ts'
import {
  pauseReportSchedule,
  reportRunFile,
  runReportSchedule,
  sendReportMail,
  takeReportSchedule,
} from '#contract/reports/schedules.ts'
import { MailDelayed, MailRefused, type Mail } from '../../mail/mailer.ts'
import { contentOn } from '../../testing/content.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { scheduleWorkOn, schedulesOn, testMakers, type ScheduleParams } from '../../testing/schedules.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let app: TestApp
let on: ReturnType<typeof schedulesOn>
let work: ReturnType<typeof scheduleWorkOn>
let makers: ReturnType<typeof testMakers>
let home: TestHome
/** What happens to mails to an address. */
const fates = new Map<string, () => void>()
beforeAll(async () => {
  app = await startApp({
    parts: (deps) => ({
      ...deps,
      mailer: {
        ...deps.mailer,
        send: async (mail: Mail) => {
          fates.get(mail.to)?.()
          await deps.mailer.send(mail)
        },
      },
    }),
  })
  on = schedulesOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  makers = testMakers()
  work = scheduleWorkOn(app, makers.all)
  fates.clear()
  app.outbox.length = 0
  await app.database.owner.query('delete from budget')
  // what other tests left to do isn't this one's
  await app.database.owner.query("update report_schedule set paused = 'person', paused_at = now()")
  await app.database.owner.query(
    "update report_run set state = 'skipped' where state in ('waiting', 'making', 'sending')",
  )
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
})

const client = 'zoe@example.com'
/** Monday at 9:00 in Berlin. */
const MONDAY = new Date('2026-11-23T08:00:00Z')
const clockTo = (at: Date | string | number) => app.clock.set(new Date(at))
const to = (address: string) => app.outbox.filter((mail) => mail.to === address)
const runs = (params: ScheduleParams, who: TestPerson = home.person) => on.runs(params, who)
const confirm = (email = client) =>
  app.database.owner.query('update report_recipient set confirmed_at = asked_at where email = $1', [email])
const notices = async (who: TestPerson = home.person) =>
  (await app.call(listNotices, { params: home.params, query: { topic: 'insights' } }, { as: who })).notices

describe('a run', () => {
  it('sends each recipient one mail with the PDF, at the due time, once', async () => {
    const params = await on.schedule(home, { emails: [client] })
    await confirm()
    clockTo(MONDAY.getTime() - 1)
    await work.minute()
    expect(app.outbox.filter(({ attachments }) => attachments)).toEqual([])
    clockTo(MONDAY)
    await Promise.all([work.minute(), work.minute()])
    await work.minute()
    const [mail, ...others] = to(client).filter(({ attachments }) => attachments)
    expect(others).toEqual([])
    expect(mail).toMatchObject({
      subject: 'Weekly figures, 16 Nov to 22 Nov 2026',
      attachments: [{ filename: 'Weekly figures 2026-11-22.pdf', contentType: 'application/pdf' }],
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': expect.stringMatching(/^<http:\/\/rookery.test\/r\/stop\/[\w-]{43}>$/),
      },
      messageId: expect.stringMatching(/^<[0-9a-f-]{36}@rookery.test>$/),
    })
    expect(mail?.attachments?.[0]?.content.toString()).toBe(`%PDF for ${home.person.personId} before 2026-11-23`)
    expect(mail?.text).toContain('Here\'s the report "Weekly figures" from My Workspace for 16 Nov to 22 Nov 2026.')
    expect(mail?.text).not.toContain("aren't final")
    expect(to(home.person.email)).toHaveLength(1)
    expect(to(home.person.email)[0]?.text).toContain('Hello Olive Owner,')
    // both see the same
    expect(makers.orders).toHaveLength(1)
    expect(await runs(params)).toMatchObject([
      {
        dueAt: MONDAY.toISOString(),
        asked: false,
        from: '2026-11-16',
        to: '2026-11-22',
        state: 'done',
        reason: null,
        notFinal: [],
        files: [{ pages: 2 }],
        mails: [
          { email: home.person.email, state: 'sent' },
          { email: client, state: 'sent' },
        ],
      },
    ])
    expect(await on.read(params, home.person)).toMatchObject({
      nextDueAt: '2026-11-30T08:00:00.000Z',
      lastRun: { state: 'done' },
    })
  })

  it('makes a file for each set of rights, and shows only those that a role covers', async () => {
    const [a, b] = [
      await contentOn(app.parts).channel(home),
      await contentOn(app.parts).channel(home, { handle: '@other' }),
    ]
    const one = await app.colleague(home, 'user', { channelIds: [a] })
    const same = await app.colleague(home, 'user', { channelIds: [a] })
    const other = await app.colleague(home, 'user', { channelIds: [b] })
    const params = await on.schedule(home, {
      userIds: [home.person.personId, one.personId, same.personId, other.personId],
      emails: [client],
    })
    await confirm()
    clockTo(MONDAY)
    await work.minute()
    expect(makers.orders).toHaveLength(3)
    const sent = (address: string) => to(address).at(-1)?.attachments?.[0]?.content.toString()
    expect(sent(client)).toBe(sent(home.person.email))
    expect(sent(same.email)).toBe(sent(one.email))
    expect(new Set([client, one.email, other.email].map(sent)).size).toBe(3)
    const files = async (who: TestPerson) => (await runs(params, who))[0]?.files ?? []
    expect(await files(home.person)).toHaveLength(3)
    expect(await files(one)).toHaveLength(1)
    const read = async (fileId: string, who: TestPerson) =>
      await app.send(reportRunFile, { params: { ...params, fileId } }, { as: who })
    const [own] = await files(one)
    const foreign = (await files(other))[0]
    const answer = await read(own?.fileId ?? '', one)
    expect([answer.statusCode, answer.body]).toEqual([200, sent(one.email)])
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
    expect((await read(foreign?.fileId ?? '', one)).statusCode).toBe(404)
    expect((await runs(params, one))[0]?.mails.map(({ email }) => email)).toContain('z…@example.com')
  })

  it('sends nothing to those who have not confirmed, ended it, or may not see it now, and says so', async () => {
    const user = await app.colleague(home, 'user')
    const gone = await app.colleague(home, 'user')
    const params = await on.schedule(home, {
      userIds: [home.person.personId, user.personId, gone.personId],
      emails: [client, 'ended@example.com'],
    })
    await app.database.owner.query("update report_recipient set ended_at = now() where email = 'ended@example.com'")
    await teamOn(app).give(home, user, { roleId: await teamOn(app).role(home, { channel: ['view'] }) })
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [gone.personId])
    clockTo(MONDAY)
    await work.minute()
    expect(app.outbox.filter(({ attachments }) => attachments).map((mail) => mail.to)).toEqual([home.person.email])
    const mails = (await runs(params))[0]?.mails.map(({ email, state, reason }) => [email, state, reason])
    expect(mails).toHaveLength(4)
    expect(mails).toEqual(
      expect.arrayContaining([
        [client, 'left_out', 'asked'],
        ['ended@example.com', 'left_out', 'ended'],
        [user.email, 'left_out', 'noRight'],
        [home.person.email, 'sent', null],
      ]),
    )
  })

  it('without anyone to send to is skipped, and its owner is told', async () => {
    const params = await on.schedule(home, { userIds: [], emails: [client] })
    clockTo(MONDAY)
    await work.minute()
    expect(await runs(params)).toMatchObject([{ state: 'skipped', reason: 'noRecipients', mails: [] }])
    expect(await notices()).toMatchObject([
      { kind: 'report-failed', title: 'The report "Weekly figures" wasn\'t sent' },
    ])
  })

  it('can be asked for at once, within ten minutes once', async () => {
    const params = await on.schedule(home)
    const ask = () => app.send(runReportSchedule, { params }, { as: home.person })
    expect((await ask()).statusCode).toBe(200)
    expect((await ask()).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    await work.run()
    expect(await runs(params)).toMatchObject([{ asked: true, state: 'done', dueAt: TEST_NOW.toISOString() }])
    expect(to(home.person.email)[0]?.subject).toBe('Weekly figures, 09 Nov to 15 Nov 2026')
    app.clock.advance({ minutes: 10 })
    expect((await ask()).statusCode).toBe(200)
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    expect((await app.send(runReportSchedule, { params }, { as: stranger.person })).statusCode).toBe(404)
    const user = await app.colleague(home, 'user')
    expect((await app.send(runReportSchedule, { params }, { as: user })).statusCode).toBe(403)
  })

  it('sends a file that is too large as a link', async () => {
    const large = Buffer.alloc(10_000_001, 'x')
    makers.bytes = () => large
    await on.schedule(home, { emails: [client] })
    await confirm()
    clockTo(MONDAY)
    await work.minute()
    const [outside] = to(client).filter(({ subject }) => subject.startsWith('Weekly'))
    const [member] = to(home.person.email)
    expect([outside?.attachments, member?.attachments]).toEqual([undefined, undefined])
    expect(member?.text).toContain(`http://rookery.test/${home.orgId}/project/${home.projectId}/insights/`)
    const path = `/r/file/${on.tokenFor(client, 'file')}`
    expect(outside?.text).toContain('The link works for 30 days.')
    const get = async () => await app.app.inject({ url: path })
    const file = await get()
    expect([file.statusCode, file.rawPayload.equals(large)]).toEqual([200, true])
    expect(file.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, no-store' })
    expect((await app.app.inject({ url: `${path.slice(0, -1)}x` })).statusCode).toBe(404)
    app.clock.advance({ days: 30 })
    expect((await get()).statusCode).toBe(404)
  })
})

describe('final figures', () => {
  it('are waited for until they are there', async () => {
    makers.notFinal = ['@rook on Bluesky']
    const params = await on.schedule(home, { waitDays: 3 })
    clockTo(MONDAY)
    await work.minute()
    expect(await runs(params)).toMatchObject([
      { state: 'waiting', notFinal: ['@rook on Bluesky'], waitsUntil: '2026-11-26T08:00:00.000Z', mails: [] },
    ])
    app.clock.advance({ minutes: 59 })
    makers.notFinal = []
    await work.minute()
    expect(app.outbox).toEqual([])
    app.clock.advance({ minutes: 1 })
    await work.minute()
    expect(to(home.person.email)).toHaveLength(1)
    // the days are those of the due time
    expect(makers.orders).toMatchObject([{ today: '2026-11-23' }])
    expect(to(home.person.email)[0]?.text).not.toContain("aren't final")
  })

  it('are named if they are missing at the end of the wait', async () => {
    makers.notFinal = ['@rook on Bluesky', '@page on Facebook']
    const params = await on.schedule(home, { waitDays: 1 })
    clockTo(MONDAY)
    await work.minute()
    clockTo('2026-11-24T07:59:00Z')
    await work.minute()
    expect(app.outbox).toEqual([])
    clockTo('2026-11-24T08:00:00Z')
    await work.minute()
    expect(to(home.person.email)[0]?.text).toContain(
      "Some figures aren't final yet and may still change: those of @rook on Bluesky and @page on Facebook.",
    )
    expect(await runs(params)).toMatchObject([{ state: 'done', notFinal: makers.notFinal, waitsUntil: null }])
  })

  it('are waited for no longer when the schedule is paused', async () => {
    makers.notFinal = ['@rook on Bluesky']
    const params = await on.schedule(home, { waitDays: 3 })
    clockTo(MONDAY)
    await work.minute()
    await app.call(pauseReportSchedule, { params, body: { paused: true } }, { as: home.person })
    app.clock.advance({ days: 4 })
    await work.minute()
    expect(app.outbox).toEqual([])
    expect(await runs(params)).toMatchObject([{ state: 'skipped', reason: 'person' }])
  })
})

describe('a schedule that its plan or owner keeps from being sent', () => {
  it('skips its due times, says so once, and goes on by itself', async () => {
    const params = await on.schedule(home)
    await teamOn(app).endPlan(home)
    clockTo(MONDAY)
    await work.minute()
    clockTo('2026-11-30T08:00:00Z')
    await work.minute()
    await teamOn(app).plan(home, 'team')
    expect(await runs(params)).toMatchObject([
      { state: 'skipped', reason: 'plan', dueAt: '2026-11-30T08:00:00.000Z' },
      { state: 'skipped', reason: 'plan', dueAt: MONDAY.toISOString() },
    ])
    expect(await notices()).toMatchObject([{ kind: 'report-paused', count: 1 }])
    expect(app.outbox).toEqual([])
    clockTo('2026-12-07T08:00:00Z')
    await work.minute()
    expect((await runs(params))[0]).toMatchObject({ state: 'done' })
    expect(to(home.person.email)).toHaveLength(1)
  })

  it('tells the owner who lost the right, and the admins if the owner left', async () => {
    const editor = await app.colleague(home, 'editor')
    const params = await on.schedule(home, {}, { who: editor })
    const role = await teamOn(app).role(home, { channel: ['view'] })
    await teamOn(app).give(home, editor, { roleId: role })
    clockTo(MONDAY)
    await work.minute()
    expect(await runs(params)).toMatchObject([{ state: 'skipped', reason: 'owner' }])
    // who can't see insights isn't shown what's about them
    expect(await notices()).toMatchObject([{ kind: 'report-paused', count: 1 }])
    await teamOn(app).give(home, editor, { roleId: home.roles.editor })
    expect(await notices(editor)).toEqual([])
    clockTo('2026-11-30T08:00:00Z')
    await work.minute()
    expect((await runs(params))[0]).toMatchObject({ state: 'done' })
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    clockTo('2026-12-07T08:00:00Z')
    await work.minute()
    expect((await runs(params))[0]).toMatchObject({ state: 'skipped', reason: 'owner' })
    expect(await notices()).toMatchObject([{ kind: 'report-paused', count: 2 }])
    await app.call(takeReportSchedule, { params }, { as: home.person })
    clockTo('2026-12-14T08:00:00Z')
    await work.minute()
    expect((await runs(params))[0]).toMatchObject({ state: 'done' })
  })

  it('sends nothing if the plan ends or the owner leaves while a run is under way', async () => {
    const editor = await app.colleague(home, 'editor')
    const params = await on.schedule(home, { emails: [client] }, { who: editor })
    await confirm()
    fates.set(home.person.email, () => {
      throw new MailDelayed('try later')
    })
    fates.set(client, () => {
      throw new MailDelayed('try later')
    })
    clockTo(MONDAY)
    await work.minute()
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    fates.clear()
    app.clock.advance({ minutes: 5 })
    await work.minute()
    expect(app.outbox.filter(({ attachments }) => attachments)).toEqual([])
    expect((await runs(params))[0]?.mails.map(({ state, reason }) => [state, reason])).toEqual([
      ['left_out', 'owner'],
      ['left_out', 'owner'],
    ])
  })
})

describe('after three weeks without the installation', () => {
  it('the latest due time is run late, and the others are listed as missed', async () => {
    const params = await on.schedule(home)
    clockTo('2026-12-15T12:00:00Z')
    await work.minute()
    expect((await runs(params)).map(({ dueAt, state, reason }) => [dueAt, state, reason])).toEqual([
      ['2026-12-14T08:00:00.000Z', 'done', null],
      ['2026-12-07T08:00:00.000Z', 'skipped', 'missed'],
      ['2026-11-30T08:00:00.000Z', 'skipped', 'missed'],
      ['2026-11-23T08:00:00.000Z', 'skipped', 'missed'],
    ])
    expect(to(home.person.email).map(({ subject }) => subject)).toEqual(['Weekly figures, 07 Dec to 13 Dec 2026'])
    expect(await on.read(params, home.person)).toMatchObject({ nextDueAt: '2026-12-21T08:00:00.000Z' })
  })
})

describe('a run that fails', () => {
  it('is tried three times; then its owner is told', async () => {
    makers.answer = () => {
      throw new Error('out of order')
    }
    const params = await on.schedule(home)
    clockTo(MONDAY)
    await work.minute()
    app.clock.advance({ minutes: 5 })
    await work.minute()
    expect(await runs(params)).toMatchObject([{ state: 'making', reason: null }])
    app.clock.advance({ minutes: 10 })
    await work.minute()
    app.clock.advance({ days: 1 })
    await work.minute()
    expect(makers.orders).toHaveLength(3)
    expect(await runs(params)).toMatchObject([{ state: 'failed', reason: 'broken', files: [] }])
    expect(await notices()).toMatchObject([{ kind: 'report-failed', count: 1 }])
  })

  it('goes on where it was after a failure', async () => {
    const user = await app.colleague(home, 'user')
    await on.schedule(home, { userIds: [home.person.personId, user.personId] })
    let tries = 0
    makers.answer = (order) => {
      tries += 1
      if (tries === 2) throw new Error('out of order')
      return {
        pdf: makers.bytes(order),
        pages: 1,
        range: { from: '2026-11-16', to: '2026-11-22' },
        reportName: 'x',
        notFinal: [],
      }
    }
    clockTo(MONDAY)
    await work.minute()
    app.clock.advance({ minutes: 5 })
    await work.minute()
    expect(tries).toBe(3)
    expect([to(home.person.email).length, to(user.email).length]).toEqual([1, 1])
  })

  it('says that a report has too much in it', async () => {
    makers.answer = () => ({ refused: 'tooLarge' })
    const params = await on.schedule(home)
    clockTo(MONDAY)
    await work.minute()
    expect(await runs(params)).toMatchObject([{ state: 'failed', reason: 'tooLarge' }])
    expect((await notices())[0]?.body).toContain('too much in it')
  })

  it("holds no other organization's runs up", async () => {
    const slow = await app.signedInOwner()
    await teamOn(app).plan(slow, 'team')
    for (let n = 0; n < 4; n += 1) await on.schedule(slow)
    const params = await on.schedule(home)
    let release = () => {}
    const stuck = new Promise<void>((resolve) => (release = resolve))
    const make = makers.all.make
    makers.all.make = async (order) => {
      if (order.orgId === slow.orgId) await stuck
      return await make(order)
    }
    clockTo(MONDAY)
    await work.due()
    const pass = work.run()
    // two of theirs are under way at most, so there's a place for others
    await expect.poll(async () => (await runs(params))[0]?.state).toBe('done')
    const { rows } = await app.database.owner.query<{ n: string }>(
      'select count(*) as n from report_run where org_id = $1 and lease_until is not null',
      [slow.orgId],
    )
    expect(Number(rows[0]?.n)).toBe(2)
    release()
    await pass
    await work.minute()
    const all = await app.database.owner.query("select from report_run where org_id = $1 and state = 'done'", [
      slow.orgId,
    ])
    expect(all.rowCount).toBe(4)
  })
})

describe('a mail', () => {
  it('that is refused, or that the mail server did not answer, is told to the owner once and can be sent again', async () => {
    const params = await on.schedule(home, { emails: [client, 'lost@example.com'] })
    await confirm()
    await confirm('lost@example.com')
    fates.set(client, () => {
      throw new MailRefused('no such mailbox')
    })
    fates.set('lost@example.com', () => {
      throw new Error('connection lost')
    })
    clockTo(MONDAY)
    await work.minute()
    app.clock.advance({ days: 1 })
    await work.minute()
    const [run] = await runs(params)
    expect(run?.state).toBe('done')
    expect(run?.mails.map(({ email, state }) => [email, state])).toEqual([
      [home.person.email, 'sent'],
      ['lost@example.com', 'unconfirmed'],
      [client, 'refused'],
    ])
    expect(await notices()).toMatchObject([
      {
        kind: 'report-undelivered',
        count: 1,
        body: "One address refused the email. We don't know if one email arrived, so we didn't send it again. You'll find them in the list of runs, where you can send them again.",
      },
    ])
    fates.clear()
    const lost = run?.mails.find(({ state }) => state === 'unconfirmed')
    const again = (mailId = lost?.mailId ?? '', who = home.person) =>
      app.send(sendReportMail, { params: { ...params, mailId } }, { as: who })
    expect((await again(undefined, await app.colleague(home, 'user'))).statusCode).toBe(403)
    expect((await again(run?.mails.find(({ state }) => state === 'sent')?.mailId)).statusCode).toBe(404)
    expect((await again()).statusCode).toBe(200)
    await work.run()
    expect(to('lost@example.com').filter(({ attachments }) => attachments)).toHaveLength(1)
    expect((await runs(params))[0]?.mails.filter(({ state }) => state === 'sent')).toHaveLength(2)
    expect((await again()).statusCode).toBe(404)
  })

  it('that the mail server cannot take now is tried for some hours', async () => {
    const params = await on.schedule(home)
    let tries = 0
    fates.set(home.person.email, () => {
      tries += 1
      if (tries < 3) throw new MailDelayed('busy')
    })
    clockTo(MONDAY)
    await work.minute()
    expect(await runs(params)).toMatchObject([{ state: 'sending', mails: [{ state: 'pending' }] }])
    app.clock.advance({ minutes: 5 })
    await work.minute()
    app.clock.advance({ minutes: 10 })
    await work.minute()
    expect([tries, to(home.person.email).length]).toEqual([3, 1])
    expect(await runs(params)).toMatchObject([{ state: 'done', mails: [{ state: 'sent', reason: null }] }])
    expect(makers.orders).toHaveLength(1)
  })

  it('that the mail server never takes fails in the end', async () => {
    const params = await on.schedule(home)
    fates.set(home.person.email, () => {
      throw new MailDelayed('busy')
    })
    clockTo(MONDAY)
    for (let n = 0; n < 8; n += 1) {
      await work.minute()
      app.clock.advance({ hours: 4 })
    }
    expect(await runs(params)).toMatchObject([{ state: 'done', mails: [{ state: 'failed' }] }])
    expect(await notices()).toMatchObject([
      { kind: 'report-undelivered', body: expect.stringContaining("One email couldn't be sent") },
    ])
  })
})

describe('files of runs', () => {
  const exists = async (key: string) =>
    await app.parts.media.read(key).then(
      () => true,
      () => false,
    )
  const keys = async () =>
    (
      await app.database.owner.query<{ media_key: string }>(
        'select media_key from report_file where org_id = $1 and media_key is not null',
        [home.orgId],
      )
    ).rows.map((row) => row.media_key)

  it('are kept for half a year', async () => {
    const params = await on.schedule(home)
    clockTo(MONDAY)
    await work.minute()
    const [key = ''] = await keys()
    app.clock.advance({ days: 179 })
    await work.sweep()
    expect(await exists(key)).toBe(true)
    app.clock.advance({ days: 2 })
    await work.sweep()
    expect([await exists(key), await keys()]).toEqual([false, []])
    const { rows } = await app.database.owner.query('select state from report_run where schedule_id = $1', [
      params.scheduleId,
    ])
    expect(rows.at(-1)).toEqual({ state: 'done' })
  })

  it.each([
    ['its schedule', 'delete from report_schedule where org_id = $1'],
    ['its report', 'delete from report where org_id = $1'],
    ['the organization', 'delete from report_file where org_id = $1'],
  ])('are deleted with %s', async (_, deletion) => {
    await on.schedule(home)
    clockTo(MONDAY)
    await work.minute()
    const [key = ''] = await keys()
    expect(await exists(key)).toBe(true)
    await app.database.owner.query(deletion, [home.orgId])
    await work.sweep()
    expect(await exists(key)).toBe(false)
    const left = await app.database.owner.query('select from report_file_gone')
    expect(left.rowCount).toBe(0)
  })
})
