import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { takeReportSchedule } from '#contract/reports/schedules.ts'
import { MailDelayed } from '../../mail/mailer.ts'
import { client, MONDAY, startScheduleHarness, type ScheduleHarness } from '../../testing/scheduleHarness.ts'
import { teamOn } from '../../testing/team.ts'

let s: ScheduleHarness
beforeAll(async () => {
  s = await startScheduleHarness()
})
afterAll(() => s.app.close())
beforeEach(() => s.begin())

describe('a schedule that its plan or owner keeps from being sent', () => {
  it('skips its due times, says so once, and goes on by itself', async () => {
    const params = await s.on.schedule(s.home)
    await teamOn(s.app).endPlan(s.home)
    s.clockTo(MONDAY)
    await s.work.minute()
    s.clockTo('2026-11-30T08:00:00Z')
    await s.work.minute()
    await teamOn(s.app).plan(s.home, 'team')
    expect(await s.runs(params)).toMatchObject([
      { state: 'skipped', reason: 'plan', dueAt: '2026-11-30T08:00:00.000Z' },
      { state: 'skipped', reason: 'plan', dueAt: MONDAY.toISOString() },
    ])
    expect(await s.notices()).toMatchObject([{ kind: 'report-paused', count: 1 }])
    expect(s.app.outbox).toEqual([])
    s.clockTo('2026-12-07T08:00:00Z')
    await s.work.minute()
    expect((await s.runs(params))[0]).toMatchObject({ state: 'done' })
    expect(s.to(s.home.person.email)).toHaveLength(1)
  })

  it('is noticed within the hour, told once, and forgotten when it is over', async () => {
    const editor = await s.app.colleague(s.home, 'editor')
    const params = await s.on.schedule(s.home, {}, { who: editor })
    const told = async () => (await s.notices()).map(({ kind, count, body }) => [kind, count, body.split(' ')[0]])
    await s.work.pauses()
    expect(await told()).toEqual([])
    await teamOn(s.app).endPlan(s.home)
    await s.work.pauses()
    await s.work.pauses()
    expect(await s.notices(editor)).toMatchObject([{ kind: 'report-paused', count: 1 }])
    await teamOn(s.app).plan(s.home, 'team')
    await s.app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    await s.work.pauses()
    expect(await told()).toEqual([['report-paused', 1, 'Its']])
    await s.app.call(takeReportSchedule, { params }, { as: s.home.person })
    await s.work.pauses()
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'done' }])
    expect(await told()).toHaveLength(1)
  })

  it('tells the owner who lost the right, and the admins if the owner left', async () => {
    const editor = await s.app.colleague(s.home, 'editor')
    const params = await s.on.schedule(s.home, {}, { who: editor })
    const role = await teamOn(s.app).role(s.home, { channel: ['view'] })
    await teamOn(s.app).give(s.home, editor, { roleId: role })
    s.clockTo(MONDAY)
    await s.work.minute()
    expect(await s.runs(params)).toMatchObject([{ state: 'skipped', reason: 'owner' }])
    // who can't see insights isn't shown what's about them
    expect(await s.notices()).toMatchObject([{ kind: 'report-paused', count: 1 }])
    await teamOn(s.app).give(s.home, editor, { roleId: s.home.roles.editor })
    expect(await s.notices(editor)).toEqual([])
    s.clockTo('2026-11-30T08:00:00Z')
    await s.work.minute()
    expect((await s.runs(params))[0]).toMatchObject({ state: 'done' })
    await s.app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    s.clockTo('2026-12-07T08:00:00Z')
    await s.work.minute()
    expect((await s.runs(params))[0]).toMatchObject({ state: 'skipped', reason: 'owner' })
    expect(await s.notices()).toMatchObject([{ kind: 'report-paused', count: 2 }])
    await s.app.call(takeReportSchedule, { params }, { as: s.home.person })
    s.clockTo('2026-12-14T08:00:00Z')
    await s.work.minute()
    expect((await s.runs(params))[0]).toMatchObject({ state: 'done' })
  })

  it('sends nothing if the plan ends or the owner leaves while a run is under way', async () => {
    const editor = await s.app.colleague(s.home, 'editor')
    const params = await s.on.schedule(s.home, { emails: [client] }, { who: editor })
    await s.confirm()
    s.fates.set(s.home.person.email, () => {
      throw new MailDelayed('try later')
    })
    s.fates.set(client, () => {
      throw new MailDelayed('try later')
    })
    s.clockTo(MONDAY)
    await s.work.minute()
    await s.app.database.owner.query('update member set removed_at = now() where person_id = $1', [editor.personId])
    s.fates.clear()
    s.app.clock.advance({ minutes: 5 })
    await s.work.minute()
    expect(s.app.outbox.filter(({ attachments }) => attachments)).toEqual([])
    expect((await s.runs(params))[0]?.mails.map(({ state, reason }) => [state, reason])).toEqual([
      ['left_out', 'owner'],
      ['left_out', 'owner'],
    ])
  })
})

describe('after three weeks without the installation', () => {
  it('the latest due time is run late, and the others are listed as missed', async () => {
    const params = await s.on.schedule(s.home)
    s.clockTo('2026-12-15T12:00:00Z')
    await s.work.minute()
    expect((await s.runs(params)).map(({ dueAt, state, reason }) => [dueAt, state, reason])).toEqual([
      ['2026-12-14T08:00:00.000Z', 'done', null],
      ['2026-12-07T08:00:00.000Z', 'skipped', 'missed'],
      ['2026-11-30T08:00:00.000Z', 'skipped', 'missed'],
      ['2026-11-23T08:00:00.000Z', 'skipped', 'missed'],
    ])
    expect(s.to(s.home.person.email).map(({ subject }) => subject)).toEqual(['Weekly figures, 07 Dec to 13 Dec 2026'])
    expect(await s.on.read(params, s.home.person)).toMatchObject({ nextDueAt: '2026-12-21T08:00:00.000Z' })
  })
})

describe('a database that was restored from a backup', () => {
  const hold = async (since: Date | null) =>
    await s.app.database.owner.query(
      `insert into instance (system_identifier, timeline, alive_at, held_since) values ('1', 1, $1, $2)
       on conflict (id) do update set held_since = $2`,
      [s.app.clock.now(), since],
    )

  it('sends nothing that the original may have sent, until someone resumes publishing', async () => {
    const params = await s.on.schedule(s.home)
    const waiting = await s.on.schedule(s.home, { waitDays: 3 })
    s.fates.set(s.home.person.email, () => {
      throw new MailDelayed('try later')
    })
    s.makers.notFinal = ['@rook on Bluesky']
    s.clockTo(MONDAY)
    await s.work.minute()
    s.fates.clear()
    await hold(s.app.clock.now())
    s.app.clock.advance({ minutes: 30 })
    await s.work.minute()
    s.clockTo('2026-11-30T08:00:00Z')
    await s.work.minute()
    await hold(null)
    s.app.clock.advance({ days: 1 })
    await s.work.minute()
    expect(s.app.outbox).toEqual([])
    expect(await s.runs(params)).toMatchObject([
      { state: 'skipped', reason: 'missed' },
      { state: 'done', mails: [{ state: 'unconfirmed', reason: 'restored' }] },
    ])
    expect((await s.runs(waiting)).map(({ state, reason }) => [state, reason])).toEqual([
      ['skipped', 'missed'],
      ['skipped', 'missed'],
    ])
    expect(await s.notices()).toMatchObject([{ kind: 'report-undelivered' }])
    s.clockTo('2026-12-07T08:00:00Z')
    s.makers.notFinal = []
    await s.work.minute()
    expect(s.app.outbox).toHaveLength(2)
  })
})
