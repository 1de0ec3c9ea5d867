import { deleteReportSchedule } from '#contract/reports/schedules.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { MONDAY, startScheduleHarness, type ScheduleHarness } from '../../testing/scheduleHarness.ts'

let s: ScheduleHarness
beforeAll(async () => {
  s = await startScheduleHarness()
})
afterAll(() => s.app.close())
beforeEach(() => s.begin())

describe('files of runs', () => {
  const exists = async (key: string) =>
    await s.app.parts.media.read(key).then(
      () => true,
      () => false,
    )
  const keys = async () =>
    (
      await s.app.database.owner.query<{ media_key: string }>(
        'select media_key from report_file where org_id = $1 and media_key is not null',
        [s.home.orgId],
      )
    ).rows.map((row) => row.media_key)

  it('are kept for half a year', async () => {
    const params = await s.on.schedule(s.home)
    s.clockTo(MONDAY)
    await s.work.minute()
    const [key = ''] = await keys()
    s.app.clock.advance({ days: 179 })
    await s.work.sweep()
    expect(await exists(key)).toBe(true)
    s.app.clock.advance({ days: 2 })
    await s.work.sweep()
    expect([await exists(key), await keys()]).toEqual([false, []])
    const { rows } = await s.app.database.owner.query('select state from report_run where schedule_id = $1', [
      params.scheduleId,
    ])
    expect(rows.at(-1)).toEqual({ state: 'done' })
  })

  it.each([
    ['its schedule', 'delete from report_schedule where org_id = $1'],
    ['its report', 'delete from report where org_id = $1'],
    ['the organization', 'delete from report_file where org_id = $1'],
  ])('are deleted with %s', async (_, deletion) => {
    await s.on.schedule(s.home)
    s.clockTo(MONDAY)
    await s.work.minute()
    const [key = ''] = await keys()
    expect(await exists(key)).toBe(true)
    await s.app.database.owner.query(deletion, [s.home.orgId])
    await s.work.sweep()
    expect(await exists(key)).toBe(false)
    const left = await s.app.database.owner.query('select from report_file_gone')
    expect(left.rowCount).toBe(0)
  })

  it('are deleted if their schedule is, while they are made', async () => {
    const params = await s.on.schedule(s.home)
    const make = s.makers.all.make
    s.makers.all.make = async (order) => {
      await s.app.call(deleteReportSchedule, { params }, { as: s.home.person })
      await s.work.sweep()
      return await make(order)
    }
    s.clockTo(MONDAY)
    await s.work.minute()
    expect([s.makers.orders.length, s.app.outbox.length]).toEqual([1, 0])
    expect(await s.app.kept.ofOrganization(s.home.orgId)).toEqual([])
  })
})
