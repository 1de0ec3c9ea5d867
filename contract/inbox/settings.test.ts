import { expect, it } from 'vitest'
import { BusinessHours } from './settings.ts'

const nineToFive: [number, number] = [540, 1020]
const weekdays: BusinessHours = [nineToFive, nineToFive, nineToFive, nineToFive, nineToFive, null, null]

it('takes seven days whose end is after their start', () => {
  expect(BusinessHours.safeParse(weekdays).success).toBe(true)
  for (const wrong of [weekdays.slice(1), [[600, 600], ...weekdays.slice(1)], [[0, 1441], ...weekdays.slice(1)]])
    expect(BusinessHours.safeParse(wrong).success).toBe(false)
})
