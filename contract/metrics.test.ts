import { expect, it } from 'vitest'
import { MOST_FIGURE, PostMetrics, reportedMetrics } from './metrics.ts'

it('are what was reported: nothing of null, and nothing that is too large to be added up', () => {
  expect(
    reportedMetrics({ views: MOST_FIGURE, reactions: null, comments: undefined, shares: MOST_FIGURE + 1 }),
  ).toEqual({
    views: MOST_FIGURE,
  })
  expect(PostMetrics.safeParse({ views: MOST_FIGURE + 1 }).success).toBe(false)
})
