import { describe, expect, it } from 'vitest'
import { readWhen } from './when.ts'

const now = new Date('2026-11-21T10:00:00Z')
const at = (date: string, time = '09:30', timezone = '') =>
  readWhen({ date, time, timezone }, 'Europe/Berlin', now).at?.toISOString()
const why = (date: string, time = '09:30', timezone = '') =>
  readWhen({ date, time, timezone }, 'Europe/Berlin', now).errors.map(({ column, message }) => `${column}: ${message}`)

describe("a row's date and time", () => {
  it.each([
    '2026-12-24',
    '2026/12/24',
    '2026.12.24',
    '24.12.2026',
    '24 Dec 2026',
    '24 December 2026',
    'Dec 24, 2026',
    'December 24 2026',
    '24-Dec-2026',
    '24/12/2026',
    '12/24/2026',
    '24/12/26',
    '12/24/26',
    '24.12.26',
    '24-Dec-26',
    '24 Dec 26',
  ])('reads %s as Christmas Eve', (date) => {
    expect(at(date)).toBe('2026-12-24T08:30:00.000Z')
  })

  it.each([
    ['9:30', '08:30'],
    ['09:30:00', '08:30'],
    ['9:30 AM', '08:30'],
    ['9:30pm', '20:30'],
    ['12:00 AM', '23:00'],
    ['12 pm', '11:00'],
    ['9 a.m.', '08:00'],
  ])('reads %s in the zone of the channel', (time, utc) => {
    expect(at('2026-12-24', time)?.slice(11, 16)).toBe(utc)
  })

  it.each([
    ['2026-12-24 18:00', '2026-12-24T17:00'],
    ['2026-12-24T18:00', '2026-12-24T17:00'],
    ['24 Dec 2026 6:00 PM', '2026-12-24T17:00'],
    ['24.12.2026 18:00:00', '2026-12-24T17:00'],
  ])('reads %s where one cell holds both', (date, utc) => {
    expect(at(date, '')?.slice(0, 16)).toBe(utc)
  })

  it.each([
    ['EST', '14:30'],
    ['est', '14:30'],
    ['PST', '17:30'],
    ['Asia/Kolkata', '04:00'],
    ['UTC', '09:30'],
  ])('takes the zone %s', (zone, utc) => {
    expect(at('2026-12-24', '09:30', zone)?.slice(11, 16)).toBe(utc)
  })

  it.each([
    ['2026-12-24T18:00:00Z', ''],
    ['2026-12-24T18:00Z', ''],
    ['2026-12-24 18:00:00.000Z', ''],
    ['2026-12-24 18:00:00 UTC', ''],
    ['2026-12-24T19:00:00+01:00', ''],
    ['2026-12-24T13:00:00-0500', ''],
    ['2026-12-24', '18:00:00Z'],
    ['2026-12-24', '23:30+05:30'],
  ])("reads %s %s in its own zone, whatever the row's is", (date, time) => {
    for (const timezone of ['', 'UTC', 'Asia/Tokyo'])
      expect(readWhen({ date, time, timezone }, 'Europe/Berlin', now)).toEqual({
        at: new Date('2026-12-24T18:00:00Z'),
        timezone: timezone || 'Europe/Berlin',
        errors: [],
        warnings: [],
      })
  })

  it('refuses instants that do not exist or have passed', () => {
    expect(why('2026-02-30T18:00:00Z', '')).not.toEqual([])
    expect(why('2026-12-24T25:00:00Z', '')).not.toEqual([])
    expect(why('2026-11-01T18:00:00Z', '')).toEqual(['date: This time has passed. Choose a later one.'])
  })

  it.each([
    ['an hour, in Berlin', 'Europe/Berlin', '2027-10-31', '02:30', 'Clocks go back then'],
    ['half an hour, on Lord Howe Island', 'Australia/Lord_Howe', '2027-04-04', '01:45', 'Clocks go back then'],
    ['half an hour, forward', 'Australia/Lord_Howe', '2027-10-03', '02:15', 'Clocks go forward then'],
    ['two hours, in the Antarctic', 'Antarctica/Troll', '2027-10-31', '02:30', 'Clocks go back then'],
  ])('warns of clocks that change by %s', (_what, timezone, date, time, words) => {
    const { warnings } = readWhen({ date, time, timezone }, 'UTC', now)
    expect(warnings.map(({ message }) => message.slice(0, words.length))).toEqual([words])
    // an hour before and after, nothing is unusual
    expect(readWhen({ date, time: '12:00', timezone }, 'UTC', now).warnings).toEqual([])
  })

  it('never guesses', () => {
    expect(why('01/12/26')).toEqual(['date: "01/12/26" is ambiguous. Use 2026-01-12 or 2026-12-01.'])
    expect(why('01/12/2026')).toEqual(['date: "01/12/2026" is ambiguous. Use 2026-01-12 or 2026-12-01.'])
    expect(at('12/12/2026')).toBe('2026-12-12T08:30:00.000Z')
    expect(why('2026-02-30')).toEqual(['date: "2026-02-30" isn\'t a real date.'])
    expect(why('31/13/2026')).toEqual(['date: "31/13/2026" isn\'t a real date.'])
    expect(why('tomorrow')).toEqual(['date: "tomorrow" isn\'t a date. Use the format 2026-12-01.'])
    expect(why('')).toEqual(['date: Enter a date, such as 2026-12-01.'])
    expect(why('2026-12-24', '')).toEqual(['time: Enter a time, such as 09:30.'])
    for (const time of ['24:00', '9:60', '13:00 PM', '0:30 am', '930', 'noon'])
      expect(why('2026-12-24', time)).toEqual([`time: "${time}" isn't a time. Use a format like 09:30 or 9:30 AM.`])
    expect(why('2026-12-24', '09:30', 'GMT+1')).toEqual([
      'timezone: "GMT+1" isn\'t a time zone. Use a name such as Europe/Berlin, or IST, CST, EST or PST.',
    ])
  })

  it('may be up to an hour in the past', () => {
    expect(readWhen({ date: '2026-11-21', time: '09:01', timezone: 'UTC' }, 'UTC', now)).toMatchObject({
      at: new Date('2026-11-21T09:01:00Z'),
      errors: [],
      warnings: [{ column: 'time' }],
    })
    expect(why('2026-11-21', '08:59', 'UTC')).toEqual(['date: This time has passed. Choose a later one.'])
  })
})
