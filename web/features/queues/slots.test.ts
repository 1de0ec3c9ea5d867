import { describe, expect, it } from 'vitest'
import { withDayCopied, withoutSlot, withSlots } from './slots.ts'

const monday = [
  { day: 1, time: '09:00' },
  { day: 1, time: '17:30' },
]

describe('the slots of a week', () => {
  it('are in the order of the week, each once', () => {
    expect(withSlots(monday, '09:00', [3, 1, 0])).toEqual([
      { day: 0, time: '09:00' },
      ...monday,
      { day: 3, time: '09:00' },
    ])
  })

  it('lose the one that is removed, and no other at the same time', () => {
    expect(withoutSlot(withSlots(monday, '09:00', [2]), { day: 1, time: '09:00' })).toEqual([
      { day: 1, time: '17:30' },
      { day: 2, time: '09:00' },
    ])
  })

  it('of the other days become those of the copied day', () => {
    const week = withSlots(monday, '12:00', [2, 4])
    expect(withDayCopied(week, 1, [1, 2])).toEqual([
      ...monday,
      { day: 2, time: '09:00' },
      { day: 2, time: '17:30' },
      { day: 4, time: '12:00' },
    ])
  })
})
