import { describe, expect, it } from 'vitest'
import { between } from './useSelection.ts'

describe('a range of rows', () => {
  const listed = ['a', 'b', 'c', 'd']
  it('goes both ways', () => {
    expect(between(listed, 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(between(listed, 'c', 'a')).toEqual(['a', 'b', 'c'])
  })
  it('is one row without a beginning that is still listed', () => {
    expect(between(listed, undefined, 'c')).toEqual(['c'])
    expect(between(listed, 'gone', 'c')).toEqual(['c'])
  })
})
