import { describe, expect, it } from 'vitest'
import { inOrder, isAmbiguous, orderOf, slashDate } from './bulkDates.ts'

describe('a date with slashes or dashes', () => {
  it.each([
    ['01/12/2026', { day: '2026-12-01', month: '2026-01-12' }, ''],
    ['1-2-26', { day: '2026-02-01', month: '2026-01-02' }, ''],
    ['03/04/2027 18:00', { day: '2027-04-03', month: '2027-03-04' }, ' 18:00'],
    ['03/04/2027T18:00', { day: '2027-04-03', month: '2027-03-04' }, 'T18:00'],
    ['31/12/2026', { day: '2026-12-31' }, ''],
    ['12/31/2026 9:30 AM', { month: '2026-12-31' }, ' 9:30 AM'],
    ['31/13/2026', {}, ''],
  ])('%s is read in each order in which it is one', (cell, readings, rest) => {
    expect(slashDate(cell)).toEqual({ readings, rest })
  })

  it.each(['2026-12-01', '01.12.2026', '1 Dec 2026', '', '01/12', '01/12-2026', '01/12/20266', '01/12/2026x'])(
    'is not what %s is',
    (cell) => {
      expect(slashDate(cell)).toBeUndefined()
      expect(inOrder(cell, 'day')).toBe(cell)
    },
  )

  it('is ambiguous where its two readings are two days', () => {
    const cells = ['01/12/2026', '12/12/2026', '31/12/2026', '12/31/2026', '31/13/2026']
    expect(cells.map((cell) => isAmbiguous(slashDate(cell) ?? { readings: {}, rest: '' }))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('has the order that all other dates of its file show', () => {
    expect(orderOf(['01/12/2026', '31/12/2026 09:00', '2026-12-24'])).toBe('day')
    expect(orderOf(['01/12/2026', '12/31/2026'])).toBe('month')
    expect(orderOf(['31/12/2026', '12/31/2026'])).toBeUndefined()
    expect(orderOf(['01/12/2026', '12/12/2026', ''])).toBeUndefined()
  })

  it('keeps its time when it is written in an order', () => {
    expect(inOrder('01/12/2026 18:00', 'day')).toBe('2026-12-01 18:00')
    expect(inOrder('01/12/2026 18:00', 'month')).toBe('2026-01-12 18:00')
    // there is no 31st month
    expect(inOrder('31/12/2026', 'month')).toBe('31/12/2026')
  })
})
