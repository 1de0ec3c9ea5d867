import { describe, expect, it, test } from 'vitest'
import { Schedule } from '#contract/submit.ts'
import {
  beginIn,
  newPlan,
  nextOf,
  planOfDraft,
  planToDraft,
  scheduleOf,
  seriesOf,
  takesPlace,
  withMode,
} from './plan.ts'

const now = new Date('2026-11-20T10:00:00Z')
const plan = newPlan('Europe/Berlin', now, { day: '2026-11-23', clock: '09:30' })

describe('when it is published', () => {
  it('starts a period with its default range: a week, or a month from its first day', () => {
    expect(withMode(plan, 'weekly', now)).toMatchObject({ mode: 'weekly', endDay: '2026-11-30', days: [1] })
    expect(withMode(plan, 'monthly', now)).toMatchObject({ mode: 'monthly', endDay: '2026-12-23', dayOfMonth: 23 })
    // February: a month is shorter than the minimum the server accepts
    expect(
      withMode(
        newPlan('UTC', new Date('2027-01-30T10:00:00Z'), { day: '2027-01-31' }),
        'monthly',
        new Date('2027-01-30T10:00:00Z'),
      ).endDay,
    ).toBe('2027-02-28')
    expect(seriesOf(withMode(plan, 'weekly', now), now)?.error).toBeUndefined()
    expect(seriesOf(withMode(plan, 'monthly', now), now)?.error).toBeUndefined()
  })

  it('starts in another zone at the same moment, until its time is set', () => {
    const begun = newPlan('Europe/Berlin', now)
    expect(beginIn(begun, 'America/New_York', now)).toEqual(newPlan('America/New_York', now))
    const timed = { ...begun, when: { ...begun.when, clock: '18:00' } }
    expect(beginIn(timed, 'America/New_York', now)).toBe(timed)
    const zoned = { ...begun, when: { ...begun.when, zone: 'Asia/Tokyo' } }
    expect(beginIn(zoned, 'America/New_York', now)).toBe(zoned)
    const weekly = withMode(begun, 'weekly', now)
    expect(beginIn(weekly, 'America/New_York', now)).toBe(weekly)
    expect(beginIn(withMode(begun, 'once', now), 'America/New_York', now)).toMatchObject({
      mode: 'once',
      when: { zone: 'America/New_York' },
    })
  })

  it("finds a weekly time's next occurrence in its zone", () => {
    // Friday, 11:00 in Berlin
    expect(nextOf({ day: 5, time: '11:30' }, 'Europe/Berlin', now)).toEqual({
      day: '2026-11-20',
      clock: '11:30',
      zone: 'Europe/Berlin',
    })
    expect(nextOf({ day: 5, time: '10:30' }, 'Europe/Berlin', now).day).toBe('2026-11-27')
    expect(nextOf({ day: 0, time: '09:00' }, 'Europe/Berlin', now).day).toBe('2026-11-22')
    // in Honolulu it's still the day before
    expect(nextOf({ day: 4, time: '23:30' }, 'Pacific/Honolulu', new Date('2026-11-20T09:00:00Z')).day).toBe(
      '2026-11-19',
    )
  })

  it('converts every kind to a schedule of the contract', () => {
    for (const mode of ['now', 'once', 'weekly', 'monthly', 'custom', 'queue'] as const)
      expect(() => Schedule.parse(scheduleOf(withMode(plan, mode, now)))).not.toThrow()
    expect(scheduleOf({ ...plan, mode: 'queue', position: 'NEXT' })).toEqual({
      type: 'QUEUE',
      details: { position: 'NEXT' },
    })
  })

  it('lists every time, with clock changes', () => {
    const spring = {
      ...newPlan('Europe/Berlin', now, { day: '2027-03-21', clock: '02:30' }),
      mode: 'weekly' as const,
      days: [0],
      endDay: '2027-04-04',
    }
    expect(seriesOf(spring, now)?.times.map(({ at, shift }) => [at.toISOString(), shift])).toEqual([
      ['2027-03-21T01:30:00.000Z', null],
      ['2027-03-28T01:30:00.000Z', 'skipped'],
      ['2027-04-04T00:30:00.000Z', null],
    ])
  })

  it("says why a series can't be created", () => {
    expect(seriesOf({ ...plan, mode: 'weekly', days: [] }, now)?.error).toBe('Choose at least one day')
    expect(seriesOf({ ...plan, mode: 'weekly', endDay: '2026-11-25' }, now)?.error).toBe(
      'The range must be at least 7 days',
    )
    expect(seriesOf({ ...plan, mode: 'weekly', endDay: '2027-02-01' }, now)?.error).toBe(
      'The range can be at most 60 days',
    )
    expect(seriesOf({ ...plan, mode: 'custom', times: [{ day: '2026-11-01', clock: '09:00' }] }, now)?.error).toBe(
      'One of the times has passed. Choose a later one.',
    )
    expect(seriesOf(plan, now)).toBeUndefined()
  })

  it('is restored from a draft', () => {
    for (const mode of ['now', 'once', 'weekly', 'monthly', 'custom', 'queue'] as const) {
      const saved = planToDraft(withMode(plan, mode, now))
      expect(planToDraft(planOfDraft(saved, now))).toEqual(saved)
    }
  })
})

test('the cap counts scheduled and queued posts, and of those waiting for approval only dated ones', () => {
  const modes = ['now', 'once', 'weekly', 'monthly', 'custom', 'queue'] as const
  expect(modes.filter((mode) => takesPlace({ mode }, false))).toEqual(['once', 'weekly', 'monthly', 'custom', 'queue'])
  expect(modes.filter((mode) => takesPlace({ mode }, true))).toEqual(['once', 'weekly', 'monthly', 'custom'])
})
