import { describe, expect, it } from 'vitest'
import { growthIn, postsPerWeek } from './growth.ts'

const range = { from: '2026-11-10', to: '2026-11-16' }
const level = (day: number, value: number) => ({ day: `2026-11-${String(day).padStart(2, '0')}`, value })

describe('the growth in a range', () => {
  it('is from the end of the day before it to the end of its last day', () => {
    const growth = growthIn(range, [level(8, 90), level(9, 100), level(10, 130), level(16, 150), level(17, 999)])
    expect(growth).toEqual({ first: level(9, 100), last: level(16, 150), gained: 50, isWhole: true })
  })

  it('takes the last values before these two moments, as far as they are at most 7 days old', () => {
    expect(growthIn(range, [level(2, 100), level(12, 90)])).toMatchObject({ gained: -10, isWhole: true })
    expect(growthIn(range, [level(1, 100), level(11, 110), level(12, 90)])).toMatchObject({
      first: level(11, 110),
      gained: -20,
      isWhole: false,
    })
    expect(growthIn({ from: '2026-11-10', to: '2026-11-30' }, [level(9, 100), level(22, 120)])).toBeNull()
  })

  it('is not known of one value, or of none in the range', () => {
    expect([growthIn(range, []), growthIn(range, [level(12, 90)]), growthIn(range, [level(9, 90)])]).toEqual([
      null,
      null,
      null,
    ])
  })
})

it('says posts a week of two weeks or more only', () => {
  expect([postsPerWeek(3, 3), postsPerWeek(7, 13), postsPerWeek(5, 14), postsPerWeek(14, 30)]).toEqual([
    null,
    null,
    2.5,
    3.3,
  ])
})
