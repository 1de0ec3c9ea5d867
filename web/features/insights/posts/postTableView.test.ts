import { expect, it } from 'vitest'
import type { FigureKey } from '#contract/analytics/names.ts'
import { columnsInView, shownColumns, whyMissing } from './postTableView.ts'

it("says why a post lacks a figure: its platform's terms only of what is worked out", () => {
  const of = (name: FigureKey, readAt: string | null = '2026-11-20T10:00:00Z') =>
    whyMissing({ readAt }, name, { platform: 'youtube', apart: ['youtube'] })
  expect([
    of('engagements'),
    of('saves'),
    of('viewsAndImpressions'),
    of('viewsAndImpressions', null),
    of('bioClicks', null),
  ]).toEqual([
    "YouTube's terms don't allow working this out",
    "YouTube doesn't report this of posts",
    'Not reported for this post',
    'Not read yet',
    'No clicks',
  ])
})

it("shows one platform's posts with its own views", () => {
  expect(shownColumns(undefined, ['youtube'])).toContain('views')
  expect(shownColumns(undefined, ['youtube'])).not.toContain('viewsAndImpressions')
  expect(shownColumns(undefined, ['youtube', 'x'])).toContain('viewsAndImpressions')
})

it('has the column that decides the order right after the post on a phone', () => {
  const columns = ['views', 'engagements'] as const
  expect(columnsInView(columns, 'engagements', true)).toEqual(['engagements', 'publishedAt', 'views'])
  expect(columnsInView(columns, 'engagements', false)).toEqual(['publishedAt', 'views', 'engagements'])
  expect(columnsInView(columns, 'publishedAt', true)).toEqual(['publishedAt', 'views', 'engagements'])
  // an order by a column that isn't shown moves nothing
  expect(columnsInView(columns, 'saves', true)).toEqual(['publishedAt', 'views', 'engagements'])
})
