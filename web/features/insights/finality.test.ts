import { expect, it } from 'vitest'
import type { ComparedFigure } from '#contract/analytics/filter.ts'
import { finalRule, notFinal } from './finality.ts'
import { moreThanDaysText } from './twoBases.ts'

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
    'Europe/Berlin',
  )
  expect(lines).toEqual([
    { finalUntil: '2026-11-26', hours: 72, zone: 'America/Los_Angeles', platforms: ['youtube'] },
    { finalUntil: '2026-11-27', hours: 48, zone: 'America/Los_Angeles', platforms: ['instagram'] },
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
    'Europe/Berlin',
  )
  expect([only, others]).toEqual([{ finalUntil: '2026-11-29', hours: 0, zone: null, platforms: ['x', 'bluesky'] }, []])
})

it('says in which time zone a day ends, where two platforms with the same delay differ because of it', () => {
  const of = (platform: 'instagram' | 'linkedin', finalUntil: string) => ({
    platform,
    figures: [figure('viewsAndImpressions', finalUntil)],
  })
  const lines = (zone: string) =>
    notFinal([of('instagram', '2026-11-27'), of('linkedin', '2026-11-28')], range, zone).map((line) =>
      finalRule(line, range.to),
    )
  expect(lines('Europe/Berlin')).toEqual([
    'All of these days are final from 03 Dec 2026 on, 2 days after a day ends in America/Los Angeles.',
    'All of these days are final from 03 Dec 2026 on, 2 days after a day ends in UTC.',
  ])
  expect(lines('UTC')[1]).toBe('All of these days are final from 03 Dec 2026 on, 2 days after a day ends.')
  expect(finalRule({ hours: 0, zone: null }, range.to)).toBe(
    'All of these days are final from 01 Dec 2026 on, once they were read.',
  )
})

it('says why posts of these days have more than these days', () => {
  const posts = figure('views', null, { base: 'postsPublished', subject: 'post', value: 8102 })
  const days = figure('views', '2026-11-25', { value: 6581 })
  expect(moreThanDaysText([days, posts], 'youtube')).toBe(
    "Views of posts (8,102) can be more than Views (6,581): posts are counted from their publishing until their last reading, also on days that aren't in this range or aren't known yet. Of these days, 5 of 7 are known. YouTube reports the channel's days apart from its posts, and can count the two differently.",
  )
  // what posts gained is counted from the same readings
  const gained = figure('reactions', '2026-11-25', { value: 1 })
  const liked = figure('reactions', null, { base: 'postsPublished', value: 2 })
  expect(moreThanDaysText([gained, liked], 'bluesky')).not.toContain('differently')
  expect(moreThanDaysText([days, { ...posts, value: 10 }], 'youtube')).toBeUndefined()
})
