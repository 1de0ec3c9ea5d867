import { describe, expect, it } from 'vitest'
import { datesOf, standingOf } from './standing.ts'

describe('the status of a campaign', () => {
  const active = { state: 'ACTIVE', enabled: true, completedAt: null } as const
  it('is what people need to know first', () => {
    expect(standingOf(active).word).toBe('Active')
    expect(standingOf({ ...active, completedAt: '2026-11-20T10:00:00.000Z' }).word).toBe('Completed')
    expect(standingOf({ ...active, completedAt: '2026-11-20T10:00:00.000Z', enabled: false }).word).toBe('Disabled')
    expect(standingOf({ ...active, state: 'ARCHIVED', enabled: false }).word).toBe('Archived')
  })

  it('names the dates that it has', () => {
    expect(datesOf({ startsOn: '2026-11-01', endsOn: '2026-11-30' })).toBe('01 Nov 2026 to 30 Nov 2026')
    expect(datesOf({ startsOn: '2026-11-01', endsOn: null })).toBe('From 01 Nov 2026')
    expect(datesOf({ startsOn: null, endsOn: '2026-11-30' })).toBe('Until 30 Nov 2026')
    expect(datesOf({ startsOn: null, endsOn: null })).toBeUndefined()
  })
})
