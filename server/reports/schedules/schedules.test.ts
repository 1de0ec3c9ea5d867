import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { CallOf } from '#contract/endpoint.ts'
import { deleteReport } from '#contract/reports/reports.ts'
import {
  createReportSchedule,
  deleteReportSchedule,
  listReportSchedules,
  pauseReportSchedule,
  reportRecipients,
  takeReportSchedule,
  updateReportSchedule,
} from '#contract/reports/schedules.ts'
import { contentOn } from '../../testing/content.ts'
import type { TestHome, TestPerson } from '../../testing/people.ts'
import { mondays, schedulesOn, type ScheduleParams } from '../../testing/schedules.ts'
import { startApp, TEST_NOW, type TestApp } from '../../testing/startApp.ts'
import { teamOn } from '../../testing/team.ts'

let app: TestApp
let on: ReturnType<typeof schedulesOn>
let home: TestHome
beforeAll(async () => {
  app = await startApp()
  on = schedulesOn(app)
})
afterAll(() => app.close())
beforeEach(async () => {
  app.clock.set(TEST_NOW)
  home = await app.signedInOwner()
  await teamOn(app).plan(home, 'team')
})

type Body = CallOf<typeof createReportSchedule>['body']
const client = 'client@example.com'
const send = async (more: Record<string, unknown>, who: TestPerson = home.person, reportId?: string) =>
  await app.send(
    createReportSchedule,
    {
      params: { ...home.params, reportId: reportId ?? (await on.report(home)) },
      body: { ...mondays, userIds: [home.person.personId], ...more },
    },
    { as: who },
  )
const update = (params: ScheduleParams, more: Partial<Body> & { version?: number } = {}, who = home.person) =>
  app.send(
    updateReportSchedule,
    { params, body: { ...mondays, userIds: [home.person.personId], version: 1, ...more } },
    { as: who },
  )
const states = async (params: ScheduleParams) =>
  Object.fromEntries((await on.read(params, home.person)).recipients.map((one) => [one.email, one.state]))

describe('a schedule', () => {
  it('is listed with its next due time, owner and recipients', async () => {
    const params = await on.schedule(home, { emails: [client, 'CLIENT@example.com'] })
    expect(await on.list(params, home.person)).toEqual([
      {
        scheduleId: params.scheduleId,
        when: mondays.when,
        waitDays: 0,
        nextDueAt: '2026-11-23T08:00:00.000Z',
        shift: null,
        paused: null,
        owner: { userId: home.person.personId, name: 'Olive Owner', isYou: true },
        recipients: [
          {
            recipientId: expect.any(String),
            userId: home.person.personId,
            name: 'Olive Owner',
            email: home.person.email,
            state: 'gets',
          },
          { recipientId: expect.any(String), userId: null, name: client, email: client, state: 'asked' },
        ],
        lastRun: null,
        version: 1,
      },
    ])
  })

  it('says what a clock change does to its next time', async () => {
    app.clock.set(new Date('2027-03-27T12:00:00Z'))
    await teamOn(app).plan(home, 'team')
    home = await app.signedInOwner()
    await teamOn(app).plan(home, 'team')
    const params = await on.schedule(home, { when: { ...mondays.when, day: 0, time: '02:30' } })
    expect(await on.read(params, home.person)).toMatchObject({
      nextDueAt: '2027-03-28T01:30:00.000Z',
      shift: 'skipped',
    })
  })

  it('is changed once per version, and keeps its due time if its time stays', async () => {
    const params = await on.schedule(home)
    app.clock.advance({ days: 3 })
    expect((await update(params, { waitDays: 3 })).statusCode).toBe(200)
    // due yesterday, and not sent yet: it isn't skipped
    const { rows } = await app.database.owner.query(
      'select next_due_at, wait_days from report_schedule where id = $1',
      [params.scheduleId],
    )
    expect(rows).toEqual([{ next_due_at: new Date('2026-11-23T08:00:00Z'), wait_days: 3 }])
    expect((await update(params, { waitDays: 4 })).json()).toMatchObject({ code: 'STALE_VERSION' })
    expect((await update(params, { version: 2, when: { ...mondays.when, time: '10:00' } })).statusCode).toBe(200)
    expect(await on.read(params, home.person)).toMatchObject({ nextDueAt: '2026-11-30T09:00:00.000Z', version: 3 })
  })

  it('is paused and goes on with its next due time', async () => {
    const params = await on.schedule(home)
    const pause = (paused: boolean) => app.call(pauseReportSchedule, { params, body: { paused } }, { as: home.person })
    await pause(true)
    expect(await on.read(params, home.person)).toMatchObject({ paused: 'person' })
    app.clock.advance({ days: 10 })
    expect(await on.read(params, home.person)).toMatchObject({ nextDueAt: '2026-12-07T08:00:00.000Z' })
    await pause(false)
    expect(await on.read(params, home.person)).toMatchObject({ paused: null, nextDueAt: '2026-12-07T08:00:00.000Z' })
  })

  it('shows that the plan or its owner keeps it from being sent, and who took it over', async () => {
    const editor = await app.colleague(home, 'editor')
    const params = await on.schedule(home, {}, { who: editor })
    await teamOn(app).endPlan(home)
    expect(await on.read(params, home.person)).toMatchObject({ paused: 'plan' })
    await teamOn(app).plan(home, 'team')
    const role = await teamOn(app).role(home, { channel: ['view'] })
    await teamOn(app).give(home, editor, { roleId: role })
    expect(await on.read(params, home.person)).toMatchObject({ paused: 'owner', owner: { isYou: false } })
    await app.call(takeReportSchedule, { params }, { as: home.person })
    expect(await on.read(params, home.person)).toMatchObject({ paused: null, owner: { isYou: true } })
  })

  it('is deleted, alone or with its report', async () => {
    const params = await on.schedule(home)
    await app.call(deleteReportSchedule, { params }, { as: home.person })
    expect(await on.list(params, home.person)).toEqual([])
    const other = await on.schedule(home)
    await app.call(deleteReport, { params: other }, { as: home.person })
    const left = await app.database.owner.query('select from report_recipient where org_id = $1', [home.orgId])
    expect(left.rowCount).toBe(0)
  })

  it('is one of at most five of a report', async () => {
    const reportId = await on.report(home)
    const all = await Promise.all(Array.from({ length: 6 }, () => send({}, home.person, reportId)))
    expect(all.filter(({ statusCode }) => statusCode === 200)).toHaveLength(5)
    expect(all.find(({ statusCode }) => statusCode !== 200)?.json()).toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })
})

describe('recipients', () => {
  it('are members who may see insights, and are listed to choose from', async () => {
    const user = await app.colleague(home, 'user')
    const blind = await teamOn(app).holder(home, { channel: ['view'] })
    const { people } = await app.call(reportRecipients, { params: home.params }, { as: home.person })
    expect(people.map(({ userId }) => userId).toSorted()).toEqual([home.person.personId, user.personId].toSorted())
    const stranger = await app.signedInOwner()
    for (const one of [blind.personId, stranger.person.personId])
      expect((await send({ userIds: [one] })).json()).toMatchObject({
        code: 'BAD_INPUT',
        errors: { userIds: [expect.any(String)] },
      })
    expect((await send({ userIds: [user.personId] })).statusCode).toBe(200)
  })

  it('without the right any more, or without a channel of the report, are shown', async () => {
    const channelId = await contentOn(app.parts).channel(home)
    const other = await contentOn(app.parts).channel(home, { handle: '@other' })
    const user = await app.colleague(home, 'user')
    const bound = await app.colleague(home, 'user', { channelIds: [other] })
    const reportId = await on.report(home, { channelIds: [channelId] })
    const params = await on.schedule(home, { userIds: [user.personId, bound.personId] }, { reportId })
    expect(await states(params)).toEqual({ [user.email]: 'gets', [bound.email]: 'noRight' })
    await app.database.owner.query('update member set removed_at = now() where person_id = $1', [user.personId])
    const { recipients } = await on.read(params, home.person)
    expect(recipients.map(({ name, state }) => [name, state])).toContainEqual(['Someone who left', 'noRight'])
  })

  it('are remembered when they are removed, so that nobody is asked again by adding an address once more', async () => {
    const params = await on.schedule(home, { emails: [client] })
    await app.database.owner.query('update report_recipient set confirmed_at = now() where email = $1', [client])
    await update(params, { emails: [] })
    expect(await states(params)).toEqual({ [home.person.email]: 'gets' })
    await update(params, { emails: [client], version: 2 })
    expect(await states(params)).toMatchObject({ [client]: 'gets' })
    await app.database.owner.query('update report_recipient set ended_at = now() where email = $1', [client])
    await update(params, { emails: [], version: 3 })
    await update(params, { emails: [client], version: 4 })
    expect(await states(params)).toMatchObject({ [client]: 'ended' })
  })

  it('outside are added only by those who see as much as the owner, whose figures they get', async () => {
    const channelId = await contentOn(app.parts).channel(home)
    const bound = await app.colleague(home, 'editor', { channelIds: [channelId] })
    const params = await on.schedule(home, { emails: [client] })
    const refused = (await update(params, { emails: [client, 'mine@example.com'] }, bound)).json()
    expect(refused).toMatchObject({ code: 'BAD_INPUT', errors: { emails: [expect.stringContaining('over first')] } })
    expect(await states(params)).toEqual({ [home.person.email]: 'gets', [client]: 'asked' })
    // what else there is to change, they can
    expect((await update(params, { emails: [client], waitDays: 2 }, bound)).statusCode).toBe(200)
    expect((await update(params, { emails: [], version: 2 }, bound)).statusCode).toBe(200)
    expect((await update(params, { emails: [client], version: 3 }, bound)).statusCode).toBe(400)
    await app.call(takeReportSchedule, { params }, { as: bound })
    expect((await update(params, { emails: [client], version: 3 }, bound)).statusCode).toBe(200)
  })

  it('have their addresses in part for those who may not change schedules', async () => {
    const user = await app.colleague(home, 'user')
    const params = await on.schedule(home, { emails: [client] })
    const [, outside] = (await on.read(params, user)).recipients
    expect(outside).toMatchObject({ name: 'c…@example.com', email: 'c…@example.com' })
  })
})

describe('schedules are refused', () => {
  it.each([
    ['a day that no week has', { when: { ...mondays.when, day: 7 } }],
    ['a day that no month has', { when: { ...mondays.when, frequency: 'monthly', day: 32 } }],
    ['no time', { when: { ...mondays.when, time: '24:00' } }],
    ['an unknown zone', { when: { ...mondays.when, timezone: 'Europe/Atlantis' } }],
    ['more days of waiting than a week', { waitDays: 8 }],
    ['nobody', { userIds: [] }],
    ['no address', { emails: ['client'] }],
    ['too many', { emails: Array.from({ length: 25 }, (_, i) => `${i}@example.com`) }],
  ])('for %s', async (_, more) => {
    const reportId = await on.report(home)
    expect((await send(more, home.person, reportId)).statusCode).toBe(400)
    expect(await on.list({ ...home.params, reportId }, home.person)).toEqual([])
  })

  it('to those without the right, for reports that a role does not show, and by the plan', async () => {
    const user = await app.colleague(home, 'user')
    expect((await send({}, user)).statusCode).toBe(403)
    const channelId = await contentOn(app.parts).channel(home)
    const other = await contentOn(app.parts).channel(home, { handle: '@other' })
    const bound = await app.colleague(home, 'editor', { channelIds: [other] })
    const reportId = await on.report(home, { channelIds: [channelId] })
    expect((await send({}, bound, reportId)).statusCode).toBe(404)
    const params = await on.schedule(home, {}, { reportId })
    expect((await update(params, {}, bound)).statusCode).toBe(404)
    const stranger = await app.signedInOwner()
    await teamOn(app).plan(stranger, 'team')
    expect((await send({}, stranger.person, reportId)).statusCode).toBe(404)
    await teamOn(app).endPlan(home)
    expect((await update(params)).json()).toMatchObject({ code: 'PLAN_LIMIT' })
    await teamOn(app).plan(home, 'free')
    expect((await app.send(listReportSchedules, { params }, { as: home.person })).statusCode).toBe(402)
  })
})
