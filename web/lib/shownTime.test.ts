import { describe, expect, it } from 'vitest'
import { isOnItsWay, noTimeYet, shownStatusOf, shownTimeOf, tinyShownTimeOf } from './shownTime.ts'

const at = '2026-11-22T16:01:00.000Z'

describe("a post's shown time", () => {
  it('is its time if it has one', () => {
    expect(shownTimeOf({ status: 'QUEUED', at, dueAt: at }, 'UTC')).toBe('04:01 PM')
    expect(tinyShownTimeOf({ status: 'SCHEDULED', at, dueAt: at }, 'UTC')).toBe('4:01p')
    expect(noTimeYet({ status: 'PUBLISHED', dueAt: null })).toBeUndefined()
  })

  it('is never the creation of a post that waits for a slot or an approval', () => {
    expect(shownTimeOf({ status: 'QUEUED', at, dueAt: null }, 'UTC')).toBe('No slot yet')
    expect(tinyShownTimeOf({ status: 'QUEUED', at, dueAt: null }, 'UTC')).toBe('–')
    expect(shownTimeOf({ status: 'NEEDS_APPROVAL', at, dueAt: null }, 'UTC')).toBe('Once approved')
  })
})

describe('a post whose time has come', () => {
  const due = { status: 'SCHEDULED', dueAt: at, failure: null } as const
  it('is on its way, unless something holds it', () => {
    expect(isOnItsWay(due, new Date('2026-11-22T16:01:00Z'))).toBe(true)
    expect(isOnItsWay(due, new Date('2026-11-22T16:00:59Z'))).toBe(false)
    expect(
      isOnItsWay({ ...due, failure: { reason: 'The channel is paused.' } }, new Date('2026-11-22T17:00:00Z')),
    ).toBe(false)
    expect(isOnItsWay({ ...due, status: 'QUEUED', dueAt: null }, new Date('2026-11-22T17:00:00Z'))).toBe(false)
  })

  it('is on its way from the moment someone pressed "Publish now", although the shown time is a whole minute', () => {
    const pressed = { ...due, dueAt: '2026-11-22T16:01:25.480Z' }
    expect(shownStatusOf(pressed, new Date('2026-11-22T16:01:00Z'))).toBe('PROCESSING')
    expect(shownStatusOf(pressed, new Date('2026-11-22T16:00:00Z'))).toBe('SCHEDULED')
  })
})
