import { expect, it } from 'vitest'
import { tileFor } from './tileKeys.ts'

it('moves by tile and by row, and not beyond the ends', () => {
  const from = (key: string, at: number) => tileFor(key, at, 4, 10)
  expect([from('ArrowRight', 3), from('ArrowLeft', 4), from('ArrowDown', 2), from('ArrowUp', 6)]).toEqual([4, 3, 6, 2])
  expect([from('Home', 7), from('End', 1)]).toEqual([0, 9])
  expect([
    from('ArrowRight', 9),
    from('ArrowLeft', 0),
    from('ArrowUp', 3),
    from('ArrowDown', 6),
    from('Enter', 1),
  ]).toEqual([undefined, undefined, undefined, undefined, undefined])
})
