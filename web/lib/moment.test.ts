import { describe, expect, it } from 'vitest'
import { clockChangeNote, instantOfMoment, momentWords, nextSlot, scheduleAt } from './moment.ts'

const berlin = 'Europe/Berlin'

describe('moments', () => {
  it('offers a slot half an hour ahead, rounded to five minutes', () => {
    expect(nextSlot(new Date('2026-11-20T10:01:30Z'), berlin)).toEqual({
      day: '2026-11-20',
      clock: '11:35',
      zone: berlin,
    })
    expect(nextSlot(new Date('2026-11-20T22:40:00Z'), berlin)).toEqual({
      day: '2026-11-21',
      clock: '00:10',
      zone: berlin,
    })
  })

  it('is formatted like the toast of a move', () => {
    expect(momentWords({ day: '2026-11-25', clock: '11:00', zone: berlin })).toBe('Wed 25 Nov, 11:00 AM')
  })

  it('is sent as an instant with its zone', () => {
    expect(scheduleAt({ day: '2026-11-25', clock: '11:00', zone: berlin })).toEqual({
      type: 'ONCE',
      details: { utc: '2026-11-25T10:00:00.000Z', timezone: berlin },
    })
  })

  it('says so if clocks skip the time', () => {
    const moment = { day: '2027-03-28', clock: '02:30', zone: berlin }
    expect(instantOfMoment(moment).toISOString()).toBe('2027-03-28T01:30:00.000Z')
    expect(clockChangeNote(moment)).toBe(
      "Clocks move forward that day, so 02:30 AM doesn't exist. It will be published at 03:30 AM.",
    )
  })

  it('says so if the time is ambiguous', () => {
    expect(clockChangeNote({ day: '2026-10-25', clock: '02:30', zone: berlin })).toBe(
      'Clocks move back that day, so 02:30 AM happens twice. It will be published the first time.',
    )
    expect(clockChangeNote({ day: '2027-04-04', clock: '01:45', zone: 'Australia/Lord_Howe' })).toContain(
      'happens twice',
    )
    expect(clockChangeNote({ day: '2026-10-25', clock: '04:30', zone: berlin })).toBeUndefined()
  })
})
