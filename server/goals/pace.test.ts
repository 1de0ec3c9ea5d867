import { describe, expect, it } from 'vitest'
import { paceOfLevel, paceOfSum, type GoalLine } from './pace.ts'

/** Ten days, of which so many are over. */
const asked = { target: 1000, from: '2026-11-01', to: '2026-11-10', today: '2026-11-06' }
const line = (...values: (number | null)[]): GoalLine => [
  ...values,
  ...Array.from({ length: 10 - values.length }, () => null),
]

describe('the pace of a figure that adds up', () => {
  it('is held against an even one, up to the last day that all channels have', () => {
    const found = paceOfSum([line(100, 100, 100, 100, 100), line(10, 10, 10, 10)], asked)
    expect(found).toEqual({
      value: 440,
      until: '2026-11-04',
      percent: 44,
      expected: 400,
      projected: 1100,
      standing: 'onPace',
    })
  })

  it.each([
    [[130, 130, 130, 130], 'ahead'],
    [[100, 100, 100, 100], 'onPace'],
    [[80, 80, 80, 80], 'behind'],
    [[500, 500, 0, 0], 'reached'],
  ])('%j is %s', (values, standing) => {
    expect(paceOfSum([line(...values)], asked).standing).toBe(standing)
  })

  it('projects nothing in the first 3 days, nor when the days are over', () => {
    expect(paceOfSum([line(10, 10)], asked).projected).toBeNull()
    expect(paceOfSum([line(10, 10, 10)], asked).projected).toBe(100)
    const over = paceOfSum([line(...Array.from({ length: 10 }, () => 10))], { ...asked, today: '2026-11-12' })
    expect(over).toMatchObject({ value: 100, projected: null, standing: 'missed' })
  })

  it('waits until something is known, and is missed if nothing ever comes', () => {
    const nothing = { value: null, until: null, percent: null, expected: null, projected: null }
    expect(paceOfSum([], asked)).toEqual({ ...nothing, standing: 'waiting' })
    expect(paceOfSum([line()], { ...asked, today: '2026-10-01' })).toEqual({ ...nothing, standing: 'waiting' })
    expect(paceOfSum([line()], { ...asked, today: '2026-12-01' })).toEqual({ ...nothing, standing: 'missed' })
  })

  it("isn't held up by a channel that nothing comes from any more, whose days count", () => {
    const long = { ...asked, to: '2026-11-30', today: '2026-11-21' }
    const found = paceOfSum([Array.from({ length: 20 }, () => 10), [...line(50, 50)]], long)
    expect(found).toMatchObject({ value: 300, until: '2026-11-20' })
  })
})

describe('the pace of a level', () => {
  const level = { value: 940, start: 900, until: '2026-11-05' }
  it('is held against the way from the beginning to the target', () => {
    expect(paceOfLevel(level, asked)).toEqual({
      value: 940,
      until: '2026-11-05',
      percent: 94,
      expected: 950,
      projected: 980,
      standing: 'onPace',
    })
  })
  it('has no pace if it is not known where it began', () => {
    expect(paceOfLevel({ ...level, start: null }, asked)).toMatchObject({
      expected: null,
      projected: null,
      standing: 'going',
    })
    expect(paceOfLevel({ value: null, start: null, until: null }, asked).standing).toBe('waiting')
    expect(paceOfLevel({ ...level, until: '2026-10-30' }, asked).standing).toBe('waiting')
  })
})
