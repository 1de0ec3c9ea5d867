import { describe, expect, it } from 'vitest'
import type { ComparedFigure } from './filter.ts'
import { coverageSentences, coverageText, unusualText } from './coverageText.ts'

const range = {
  from: '2026-11-20',
  to: '2026-11-26',
  compare: { from: '2026-11-13', to: '2026-11-19' },
}
type Change = Partial<Omit<ComparedFigure, 'coverage'>> & { coverage?: Partial<ComparedFigure['coverage']> }
/** Views of two channels, 5 of 7 days compared. */
const figure = ({ coverage, ...more }: Change = {}): ComparedFigure => ({
  base: 'inTheseDays',
  subject: 'channel',
  name: 'views',
  value: 620,
  before: 500,
  changePercent: 20,
  changePoints: null,
  compared: { value: 600, before: 500 },
  whyNotComparable: null,
  ...more,
  coverage: {
    days: 7,
    daysBefore: 7,
    reportedDays: 6,
    leastReportedDays: 6,
    reportedDaysBefore: 7,
    comparedDays: 5,
    leastComparedDays: 5,
    channels: { both: 2, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
    finalUntil: '2026-11-24',
    asOfDay: null,
    ...coverage,
  },
})
/** Such as followers: a number at one moment. */
const level = { reportedDays: null, leastReportedDays: null, comparedDays: null, leastComparedDays: null }
const text = (change?: Change) => coverageText(figure(change), range)
const sentences = (change?: Change) => coverageSentences(figure(change), range).join(' ')

describe('what a card covers', () => {
  it('is the days and channels that its change compares, if those are fewer', () => {
    expect(text()).toBe('5 of 7 days compared')
    expect(text({ coverage: { leastComparedDays: 3 } })).toBe(
      'Between 3 and 5 of 7 days compared, depending on the channel',
    )
    const channels = { both: 1, onlyNow: 1, onlyBefore: 0, notComparable: 0 }
    expect(text({ coverage: { channels } })).toBe('5 of 7 days, 1 of 2 channels compared')
    expect(text({ coverage: { comparedDays: 7, leastComparedDays: 7, finalUntil: range.to } })).toBeUndefined()
  })

  it('says of how many days all posts are known, if not of all', () => {
    const unknown = { base: 'postsPublished', compared: null, whyNotComparable: 'differentChannels' } as const
    expect(text({ ...unknown, coverage: { reportedDays: 3, leastReportedDays: 3 } })).toBe(
      'All posts of 3 of 7 days known',
    )
    expect(text({ ...unknown, coverage: { reportedDays: 0, leastReportedDays: 0 } })).toBe(
      'Not all posts of these days are known',
    )
  })

  it('says until when values are final, if days after it are compared', () => {
    expect(text({ coverage: { finalUntil: '2026-11-23' } })).toBe('5 of 7 days compared, final up to 23 Nov')
    const all = { comparedDays: 7, leastComparedDays: 7, finalUntil: '2026-11-23' }
    expect(text({ coverage: all })).toBe('7 days compared, final up to 23 Nov')
    expect(text({ coverage: { finalUntil: null } })).toBe('5 of 7 days compared, none final yet')
    // levels have no such days, and posts' figures to date go on
    expect(text({ name: 'followers', coverage: { ...level, finalUntil: null } })).toBeUndefined()
    expect(text({ base: 'postsPublished', coverage: { finalUntil: null } })).toBe('5 of 7 days compared')
  })

  it('is the posts that have the figure, if not all of them do', () => {
    const published = { base: 'postsPublished', coverage: { finalUntil: null } } as const
    expect(text({ ...published, posts: { known: 20, all: 29 } })).toBe('20 of 29 posts have it. 5 of 7 days compared')
    expect(sentences({ ...published, posts: { known: 20, all: 29 } })).toContain("of the others, it isn't reported")
    expect(text({ ...published, posts: { known: 29, all: 29 } })).toBe('5 of 7 days compared')
  })

  it('says which posts a total leaves out by the terms of their platform, which the number of posts counts', () => {
    const apart = [{ platform: 'youtube' as const, posts: 7 }]
    const published = { base: 'postsPublished', coverage: { finalUntil: null } } as const
    expect(text({ ...published, posts: { known: 18, all: 20, apart } })).toBe(
      '18 of 20 posts have it, without 7 on YouTube. 5 of 7 days compared',
    )
    expect(text({ ...published, posts: { known: 20, all: 20, apart } })).toBe(
      'Without 7 posts on YouTube. 5 of 7 days compared',
    )
    expect(sentences({ ...published, posts: { known: 20, all: 20, apart } })).toContain(
      "Doesn't include 7 posts on YouTube, whose terms don't allow adding its figures to others'. Published posts counts them.",
    )
    // without a value, it isn't about any posts
    expect(text({ ...published, value: null, posts: { known: 0, all: 20, apart } })).toBeUndefined()
  })

  it('is the days reported where nothing is compared, even if both sides are known', () => {
    const change = {
      changePercent: null,
      whyNotComparable: 'nothingBefore',
      compared: { value: 600, before: 0 },
    } as const
    expect(text(change)).toBe('6 of 7 days known')
    expect(sentences(change)).toContain('Known on 6 of 7 days.')
    expect(sentences(change)).not.toMatch(/compared/i)
    expect(text({ ...change, coverage: { leastReportedDays: 2 } })).toBe(
      'Between 2 and 6 of 7 days known, depending on the channel',
    )
    const old = { ...level, asOfDay: '2026-11-24' }
    expect(text({ ...change, name: 'followers', coverage: old })).toBe('Latest known values, the oldest of 24 Nov 2026')
    expect(sentences(change)).toContain("It was 0 before, so there's no percentage.")
  })

  it('is the day of a number at one moment, which is neither of all these days nor final', () => {
    const followers = { name: 'followers', coverage: level } as const
    expect(text(followers)).toBe('On 24 Nov')
    expect(sentences(followers)).toContain('The value on 24 Nov 2026.')
    expect(sentences(followers)).not.toContain('Final')
    const channels = { both: 1, onlyNow: 1, onlyBefore: 0, notComparable: 0 }
    expect(text({ ...followers, coverage: { ...level, channels } })).toBe('On 24 Nov, 1 of 2 channels compared')
  })

  it('is of posts the days of which they are known, if a channel was connected later', () => {
    const coverage = { reportedDays: 90, leastReportedDays: 6, days: 90, finalUntil: null }
    const published = { base: 'postsPublished', name: 'published', coverage } as const
    expect(sentences(published)).toContain('Posts of between 6 and 90 of 90 days are known, depending on the channel')
    expect(sentences({ ...published, coverage: { ...coverage, leastReportedDays: 90 } })).not.toContain('known')
  })

  it('calls both sides of a rate rates, and of anything else sums', () => {
    expect(sentences()).toContain('Compared: 600 against 500. Both are sums of the days that both sides have, 5 of 7,')
    const rate = { name: 'engagementRate', changePoints: 1.2, compared: { value: 6.22, before: 5.02 } } as const
    expect(sentences(rate)).toContain('Compared: 6.22% against 5.02%. Both are the rates of the days that both sides')
    expect(sentences({ coverage: { comparedDays: 7, leastComparedDays: 7 } })).toContain(
      'Compared: 600 against 500 (13 Nov to 19 Nov 2026).',
    )
  })
})

describe('what is usual', () => {
  const normal = { low: 1200, high: 1900, value: 2310, days: 7, periods: 8, standing: 'above' } as const
  it('is said on the card where a value is out of the ordinary', () => {
    expect(unusualText(figure({ normal }))).toBe('Usually 1,200 to 1,900')
    expect(unusualText(figure({ normal: { ...normal, standing: 'within' } }))).toBeUndefined()
    expect(unusualText(figure({ normal: null }))).toBeUndefined()
  })
  it('is said with the days and the periods that it comes from', () => {
    expect(sentences({ normal })).toContain('Usually 1,200 to 1,900 in 7 days, judging by the 8 weeks before.')
    expect(sentences({ normal: { ...normal, days: 5 } })).toContain(
      "Usually 1,200 to 1,900 on 5 of 7 days, judging by the 8 weeks before. Now it's 2,310.",
    )
    expect(sentences({ normal: { ...normal, periods: 6 } })).toContain('judging by 6 of the 8 weeks before.')
    const month = coverageSentences(figure({ normal: { ...normal, days: 30 }, coverage: { days: 30 } }), range)
    expect(month).toContain(
      'Usually 1,200 to 1,900 in 30 days, judging by 8 earlier periods of 30 days with the same weekdays.',
    )
  })
})
