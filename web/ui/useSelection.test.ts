import { describe, expect, it } from 'vitest'
import { between } from './useSelection.ts'

describe('a range of rows', () => {
  const listed = ['a', 'b', 'c', 'd']
  it('works in both directions', () => {
    expect(between(listed, 'b', 'd')).toEqual(['b', 'c', 'd'])
    expect(between(listed, 'c', 'a')).toEqual(['a', 'b', 'c'])
  })
  it('is one row if its beginning is no longer listed', () => {
    expect(between(listed, undefined, 'c')).toEqual(['c'])
    expect(between(listed, 'gone', 'c')).toEqual(['c'])
  })
})
