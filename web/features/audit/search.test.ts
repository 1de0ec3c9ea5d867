import { expect, it } from 'vitest'
import { isNarrowed, queryOf } from './search.ts'

it('asks for whole days of the zone, including the last', () => {
  expect(queryOf({ from: '2026-11-20', to: '2026-11-21' }, 'Europe/Berlin')).toEqual({
    from: '2026-11-19T23:00:00.000Z',
    to: '2026-11-21T23:00:00.000Z',
  })
})

it('asks for a day of 25 hours as a whole', () => {
  expect(queryOf({ from: '2026-10-25', to: '2026-10-25' }, 'Europe/Berlin')).toEqual({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  })
})

it('names only the filters in use', () => {
  expect(queryOf({ did: 'created' }, 'UTC')).toEqual({ action: 'created' })
  expect(isNarrowed({ who: undefined })).toBe(false)
  expect(isNarrowed({ kind: 'post' })).toBe(true)
})
