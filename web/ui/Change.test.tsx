import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { NormalRange } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { FigureChange } from './Change.tsx'

/** The color of a change, by its class. */
const colorOf = (name: FigureKey, changePercent: number, standing?: NormalRange['standing']) => {
  const normal = standing && { low: 1, high: 2, value: 3, days: 7, periods: 8, standing }
  const figure = { name, changePercent, changePoints: null, whyNotComparable: null, ...(normal && { normal }) }
  return /text-(ok|bad|ink-muted)/.exec(renderToStaticMarkup(<FigureChange figure={figure} than="than before" />))?.[1]
}

describe('a change', () => {
  it('has color only where it leads out of what is usual', () => {
    expect(colorOf('engagements', 20, 'above')).toBe('ok')
    expect(colorOf('engagements', -20, 'below')).toBe('bad')
    expect(colorOf('engagements', 20, 'within')).toBe('ink-muted')
    expect(colorOf('engagements', 20)).toBe('ink-muted')
    // above the usual, but less than in the days before, which were even further above it
    expect(colorOf('engagements', -20, 'above')).toBe('ink-muted')
    expect(colorOf('engagements', 20, 'below')).toBe('ink-muted')
  })
  it('is good or bad as the figure says, and never of published posts', () => {
    expect(colorOf('followersLost', 20, 'above')).toBe('bad')
    expect(colorOf('followersLost', -20, 'below')).toBe('ok')
    expect(colorOf('published', 20, 'above')).toBe('ink-muted')
    expect(colorOf('published', -20, 'below')).toBe('ink-muted')
  })
})
