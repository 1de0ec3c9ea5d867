import { expect, test } from 'vitest'
import { ApiFailure } from './failure.ts'
import { clockOf, waitIn } from './wait.ts'

const refusal = (meta: Record<string, unknown>) =>
  new ApiFailure({ code: 'LIMIT_EXCEEDED', status: 429, title: 'LIMIT_EXCEEDED', detail: undefined, meta })

test('reads a wait in whole seconds, and ignores invalid ones', () => {
  expect(waitIn(refusal({ retryAfterSeconds: 41.2 }))).toBe(42)
  for (const meta of [
    {},
    { retryAfterSeconds: 0 },
    { retryAfterSeconds: -3 },
    { retryAfterSeconds: '60' },
    { retryAfterSeconds: Infinity },
  ])
    expect(waitIn(refusal(meta))).toBeUndefined()
})

test('shows a wait as a clock', () => {
  expect([clockOf(0), clockOf(9), clockOf(60), clockOf(3599)]).toEqual(['0:00', '0:09', '1:00', '59:59'])
})
