import { describe, expect, it } from 'vitest'
import { postAges, valueAtAge } from './postAges.ts'

const at = (hours: number, value: number) => ({ hours, value })

describe('the value of a figure at an age', () => {
  it('is that of a reading close to it, and else lies between the readings around it', () => {
    const readings = [at(1.1, 100), at(6.2, 300), at(24.1, 500), at(36, 560), at(60, 600)]
    expect(postAges.slice(0, 5).map(({ hours }) => valueAtAge(readings, hours))).toEqual([100, 300, 500, 580, null])
  })

  it('isn’t known between readings that are far apart, before the first and after the last one', () => {
    const readings = [at(24, 500), at(24 * 20, 900), at(24 * 28, 1000)]
    expect([48, 24 * 7, 24 * 14].map((age) => valueAtAge(readings, age))).toEqual([null, null, null])
    // a quarter of the age is long enough
    expect(valueAtAge([at(24 * 25, 900), at(24 * 32, 970)], 24 * 28)).toBe(930)
    expect([1, 24 * 60].map((age) => valueAtAge(readings, age))).toEqual([null, null])
    expect(valueAtAge([], 24)).toBeNull()
  })

  it('goes down where the platform corrected it', () => {
    expect(valueAtAge([at(40, 100), at(56, 80)], 48)).toBe(90)
  })
})
