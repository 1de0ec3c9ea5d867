import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { pauseReportSchedule, reportRunFile, runReportSchedule } from '#contract/reports/schedules.ts'
import { contentOn } from '../../testing/content.ts'
import type { TestPerson } from '../../testing/people.ts'
import { client, MONDAY, startScheduleHarness, type ScheduleHarness } from '../../testing/scheduleHarness.ts'
import { TEST_NOW } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let s: ScheduleHarness
beforeAll(async () => {
  s = await startScheduleHarness()
})
afterAll(() => s.app.close())
beforeEach(() => s.begin())

describe('a run', () => {
  it('sends each recipient one mail with the PDF, at the due time, once', async () => {
    const params = await s.on.schedule(s.home, { emails: [client] })
    await s.confirm()
    s.clockTo(MONDAY.getTime() - 1)
    await s.work.minute()
    expect(s.app.outbox.filter(({ attachments }) => attachments)).toEqual([])
    s.clockTo(MONDAY)
    await Promise.all([s.work.minute(), s.work.minute()])
    await s.work.minute()
    const [mail, ...others] = s.to(client).filter(({ attachments }) => attachments)
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
    expect(mail?.attachments?.[0]?.content.toString()).toBe(`%PDF for ${s.home.person.personId} before 2026-11-23`)
    expect(mail?.text).toContain('Here\'s the report "Weekly figures" from My Workspace for 16 Nov to 22 Nov 2026.')
    expect(mail?.text).not.toContain("aren't final")
    expect(s.to(s.home.person.email)).toHaveLength(1)
    expect(s.to(s.home.person.email)[0]?.text).toContain('Hello Olive Owner,')
    // both see the same
    expect(s.makers.orders).toHaveLength(1)
    expect(await s.runs(params)).toMatchObject([
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
          { email: s.home.person.email, state: 'sent' },
          { email: client, state: 'sent' },
        ],
      },
    ])
    expect(await s.on.read(params, s.home.person)).toMatchObject({
      nextDueAt: '2026-11-30T08:00:00.000Z',
      lastRun: { state: 'done' },
    })
  })

  it('makes a file for each set of rights, and shows only those that a role covers', async () => {
    const [a, b] = [
      await contentOn(s.app.parts).channel(s.home),
      await contentOn(s.app.parts).channel(s.home, { handle: '@other' }),
    ]
    const one = await s.app.colleague(s.home, 'user', { channelIds: [a] })
    const same = await s.app.colleague(s.home, 'user', { channelIds: [a] })
    const other = await s.app.colleague(s.home, 'user', { channelIds: [b] })
    const params = await s.on.schedule(s.home, {
      userIds: [s.home.person.personId, one.personId, same.personId, other.personId],
      emails: [client],
    })
    await s.confirm()
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(s.makers.orders).toHaveLength(3)
    const sent = (address: string) => s.to(address).at(-1)?.attachments?.[0]?.content.toString()
    expect(sent(client)).toBe(sent(s.home.person.email))
    expect(sent(same.email)).toBe(sent(one.email))
    expect(new Set([client, one.email, other.email].map(sent)).size).toBe(3)
    const files = async (who: TestPerson) => (await s.runs(params, who))[0]?.files ?? []
    expect(await files(s.home.person)).toHaveLength(3)
    expect(await files(one)).toHaveLength(1)
    const read = async (fileId: string, who: TestPerson) =>
      await s.app.send(reportRunFile, { params: { ...params, fileId } }, { as: who })
    const [own] = await files(one)
    const foreign = (await files(other))[0]
    const answer = await read(own?.fileId ?? '', one)
    expect([answer.statusCode, answer.body]).toEqual([200, sent(one.email)])
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'cache-control': 'private, no-store' })
    expect((await read(foreign?.fileId ?? '', one)).statusCode).toBe(404)
    expect((await s.runs(params, one))[0]?.mails.map(({ email }) => email)).toContain('z…@example.com')
  })

  it('sends nothing to those who have not confirmed, ended it, or may not see it now, and says so', async () => {
    const user = await s.app.colleague(s.home, 'user')
    const gone = await s.app.colleague(s.home, 'user')
    const params = await s.on.schedule(s.home, {
      userIds: [s.home.person.personId, user.personId, gone.personId],
      emails: [client, 'ended@example.com'],
    })
    await s.app.database.owner.query("update report_recipient set ended_at = now() where email = 'ended@example.com'")
    await teamOn(s.app).give(s.home, user, { roleId: await teamOn(s.app).role(s.home, { channel: ['view'] }) })
    await s.app.database.owner.query('update member set removed_at = now() where person_id = $1', [gone.personId])
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(s.app.outbox.filter(({ attachments }) => attachments).map((mail) => mail.to)).toEqual([s.home.person.email])
    const mails = (await s.runs(params))[0]?.mails.map(({ email, state, reason }) => [email, state, reason])
    expect(mails).toHaveLength(4)
    expect(mails).toEqual(
      expect.arrayContaining([
        [client, 'left_out', 'asked'],
        ['ended@example.com', 'left_out', 'ended'],
        [user.email, 'left_out', 'noRight'],
        [s.home.person.email, 'sent', null],
      ]),
    )
  })

  it('without anyone to send to is skipped, and its owner is told', async () => {
    const params = await s.on.schedule(s.home, { userIds: [], emails: [client] })
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'skipped', reason: 'noRecipients', mails: [] }])
    expect(await s.notices()).toMatchObject([
      { kind: 'report-failed', title: 'The report "Weekly figures" wasn\'t sent' },
    ])
  })

  it('can be asked for at once, within ten minutes once', async () => {
    const params = await s.on.schedule(s.home)
    const ask = () => s.app.send(runReportSchedule, { params }, { as: s.home.person })
    expect((await ask()).statusCode).toBe(200)
    expect((await ask()).json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
    await s.work.run()
    expect(await s.runs(params)).toMatchObject([{ asked: true, state: 'done', dueAt: TEST_NOW.toISOString() }])
    expect(s.to(s.home.person.email)[0]?.subject).toBe('Weekly figures, 09 Nov to 15 Nov 2026')
    s.app.clock.advance({ minutes: 10 })
    expect((await ask()).statusCode).toBe(200)
    const stranger = await s.app.signedInOwner()
    await teamOn(s.app).plan(stranger, 'team')
    expect((await s.app.send(runReportSchedule, { params }, { as: stranger.person })).statusCode).toBe(404)
    const user = await s.app.colleague(s.home, 'user')
    expect((await s.app.send(runReportSchedule, { params }, { as: user })).statusCode).toBe(403)
  })

  it('sends a file that is too large as a link', async () => {
    const large = Buffer.alloc(10_000_001, 'x')
    s.makers.bytes = () => large
    await s.on.schedule(s.home, { emails: [client] })
    await s.confirm()
    s.clockTo(MONDAY)
    await s.work.minute()
    const [outside] = s.to(client).filter(({ subject }) => subject.startsWith('Weekly'))
    const [member] = s.to(s.home.person.email)
    expect([outside?.attachments, member?.attachments]).toEqual([undefined, undefined])
    expect(member?.text).toContain(`http://rookery.test/${s.home.orgId}/project/${s.home.projectId}/insights/`)
    const path = `/r/file/${s.on.tokenFor(client, 'file')}`
    expect(outside?.text).toContain('The link works for 30 days.')
    const get = async () => await s.app.app.inject({ url: path })
    const file = await get()
    expect([file.statusCode, file.rawPayload.equals(large)]).toEqual([200, true])
    expect(file.headers).toMatchObject({ 'x-robots-tag': 'noindex', 'cache-control': 'private, no-store' })
    expect((await s.app.app.inject({ url: `${path.slice(0, -1)}x` })).statusCode).toBe(404)
    s.app.clock.advance({ days: 30 })
    expect((await get()).statusCode).toBe(404)
  })
})

describe('final figures', () => {
  it('are waited for until they are there', async () => {
    s.makers.notFinal = ['@rook on Bluesky']
    const params = await s.on.schedule(s.home, { waitDays: 3 })
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([
      { state: 'waiting', notFinal: ['@rook on Bluesky'], waitsUntil: '2026-11-26T08:00:00.000Z', mails: [] },
    ])
    s.app.clock.advance({ minutes: 59 })
    s.makers.notFinal = []
    await s.work.minute()
    expect(s.app.outbox).toEqual([])
    s.app.clock.advance({ minutes: 1 })
    await s.work.minute()
    expect(s.to(s.home.person.email)).toHaveLength(1)
    // the days are those of the due time
    expect(s.makers.orders).toMatchObject([{ today: '2026-11-23' }])
    expect(s.to(s.home.person.email)[0]?.text).not.toContain("aren't final")
  })

  it('are named if they are missing at the end of the wait', async () => {
    s.makers.notFinal = ['@rook on Bluesky', '@page on Facebook']
    const params = await s.on.schedule(s.home, { waitDays: 1 })
    s.clockTo(MONDAY)
    await s.work.minute()
    s.clockTo('2026-11-24T07:59:00Z')
    await s.work.minute()
    expect(s.app.outbox).toEqual([])
    s.clockTo('2026-11-24T08:00:00Z')
    await s.work.minute()
    expect(s.to(s.home.person.email)[0]?.text).toContain(
      "Some figures aren't final yet and may still change: those of @rook on Bluesky and @page on Facebook.",
    )
    expect(await s.runs(params)).toMatchObject([{ state: 'done', notFinal: s.makers.notFinal, waitsUntil: null }])
  })

  it('are waited for no longer when the schedule is paused', async () => {
    s.makers.notFinal = ['@rook on Bluesky']
    const params = await s.on.schedule(s.home, { waitDays: 3 })
    s.clockTo(MONDAY)
    await s.work.minute()
    await s.app.call(pauseReportSchedule, { params, body: { paused: true } }, { as: s.home.person })
    s.app.clock.advance({ days: 4 })
    await s.work.minute()
    expect(s.app.outbox).toEqual([])
    expect(await s.runs(params)).toMatchObject([{ state: 'skipped', reason: 'person' }])
  })
})
