import { expect, it } from 'vitest'
import { moved } from './useRowOrder.ts'

it('moves a member to its new place and closes the gap', () => {
  expect(moved(['a', 'b', 'c', 'd'], 0, 2)).toEqual(['b', 'c', 'a', 'd'])
  expect(moved(['a', 'b', 'c', 'd'], 3, 0)).toEqual(['d', 'a', 'b', 'c'])
})
