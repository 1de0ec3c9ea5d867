import { expect, it } from 'vitest'
import type { FigureKey } from '#contract/analytics/names.ts'
import { atAge, lastAge } from './sameAge.ts'

const figure = (name: FigureKey, values: (number | null)[], medians: (number | null)[] | null) => ({
  name,
  values,
  medians,
})
const curve = {
  ages: [1, 6, 24],
  figures: [figure('views', [10, 60, 240], [20, 50, null]), figure('saves', [0, null, 3], null)],
}

it('compares a post with others at the last age at which both are known', () => {
  expect(lastAge(curve)?.hours).toBe(6)
  expect(atAge(curve, 'views', lastAge(curve))).toEqual({ own: 60, typical: 50 })
  // to date it has 240, which is nothing to compare with what others had after 6 hours
  expect(atAge(curve, 'saves', lastAge(curve))).toEqual({ own: null, typical: null })
})

it('compares nothing without others, or without a figure', () => {
  const alone = { ...curve, figures: [figure('views', [10, 60, 240], null)] }
  expect(lastAge(alone)).toBeNull()
  expect(atAge(alone, 'views', null)).toEqual({ own: null, typical: null })
  expect(atAge(curve, 'clicks', lastAge(curve))).toEqual({ own: null, typical: null })
})
