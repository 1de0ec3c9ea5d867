import { describe, expect, it } from 'vitest'
import { quartilesOf } from './quartiles.ts'

describe('quartiles', () => {
  it('are between two values in proportion, whatever their order', () => {
    expect(quartilesOf([300, 100, 200])).toEqual([150, 200, 250])
    expect(quartilesOf([4, 1, 3, 2])).toEqual([1.75, 2.5, 3.25])
    expect(quartilesOf([9, 1, 5, 7, 3])).toEqual([3, 5, 7])
  })

  it('are the only value, or that of all', () => {
    expect(quartilesOf([7])).toEqual([7, 7, 7])
    expect(quartilesOf([2, 2, 2, 2])).toEqual([2, 2, 2])
  })
})
