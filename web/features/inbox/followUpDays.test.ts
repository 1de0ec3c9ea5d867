import { expect, it } from 'vitest'
import { followUpDays } from './followUpDays.ts'

const namesOn = (today: string) => followUpDays(today).map(({ name, text }) => `${name}: ${text}`)

it('offers later days, with the weekday that they fall on', () => {
  // a Wednesday
  expect(namesOn('2026-11-25')).toEqual([
    'Tomorrow: Thu 26 Nov',
    'In 3 days: Sat 28 Nov',
    'Next Monday: Mon 30 Nov',
    'In 2 weeks: Wed 09 Dec',
  ])
})

it('means the Monday after today, also on a Monday, and names no day twice', () => {
  expect(namesOn('2026-11-23')).toContain('Next Monday: Mon 30 Nov')
  expect(namesOn('2026-11-22')).toEqual(['Tomorrow: Mon 23 Nov', 'In 3 days: Wed 25 Nov', 'In 2 weeks: Sun 06 Dec'])
})
