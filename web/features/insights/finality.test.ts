import { expect, it } from 'vitest'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { notFinal } from './finality.ts'

const range = { from: '2026-11-24', to: '2026-11-30', compare: null }
const figure = (
  name: ComparedFigure['name'],
  finalUntil: string | null,
  more: Partial<ComparedFigure> = {},
): ComparedFigure => ({
  base: 'inTheseDays',
  subject: 'channel',
  name,
  value: 1,
  before: null,
  changePercent: null,
  changePoints: null,
  compared: null,
  whyNotComparable: null,
  coverage: {
    days: 7,
    daysBefore: null,
    reportedDays: 5,
    leastReportedDays: 5,
    reportedDaysBefore: null,
    comparedDays: null,
    leastComparedDays: null,
    channels: { both: 0, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
    finalUntil,
    asOfDay: null,
  },
  ...more,
})

it('says of each platform the last day that is final for all of its figures, and how long a day takes', () => {
  const lines = notFinal(
    [
      {
        platform: 'instagram',
        figures: [figure('viewsAndImpressions', '2026-11-28'), figure('engagements', '2026-11-27')],
      },
      { platform: 'youtube', figures: [figure('views', '2026-11-26')] },
      { platform: 'facebook', figures: [figure('viewsAndImpressions', '2026-11-30')] },
    ],
    range,
  )
  expect(lines).toEqual([
    { finalUntil: '2026-11-26', hours: 72, platforms: ['youtube'] },
    { finalUntil: '2026-11-27', hours: 48, platforms: ['instagram'] },
  ])
})

it('names platforms that wait for the same together, and leaves out what has no days', () => {
  const [only, ...others] = notFinal(
    [
      { platform: 'x', figures: [figure('reactions', '2026-11-29', { subject: 'post' })] },
      { platform: 'bluesky', figures: [figure('reactions', '2026-11-29', { subject: 'post' })] },
      { platform: 'tiktok', figures: [figure('views', null, { base: 'postsPublished' })] },
      { platform: 'pinterest', figures: [] },
    ],
    range,
  )
  expect([only, others]).toEqual([{ finalUntil: '2026-11-29', hours: 0, platforms: ['x', 'bluesky'] }, []])
})
