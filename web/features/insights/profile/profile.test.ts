import { describe, expect, it } from 'vitest'
import { addDays } from '#web/lib/dates.ts'
import type { MissingReason } from '#contract/analytics/overview.ts'
import type { WorkedGroup } from '#contract/analytics/worked.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { bestTimesText, conclusionsOf, grainOf } from './bestTimes.ts'
import { bucketName, bucketsInOrder } from './audienceWords.ts'
import { cadenceChart, cadenceOf, cadenceText } from './cadence.ts'
import { changesChart, daysBefore, followersChart, growthText, netGrowth, noGrowthText } from './growth.ts'

const daysFrom = (first: string, count: number) => Array.from({ length: count }, (_, i) => addDays(first, i))

describe('the cadence of a channel', () => {
  const days = daysFrom('2026-11-01', 14)

  it('has the longest time without a post, at both ends too, but not after today', () => {
    const values = [0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0]
    expect(cadenceOf({ days, values }, '2026-11-08')).toEqual({
      posts: 3,
      days: 8,
      perWeek: null,
      gap: { from: '2026-11-04', to: '2026-11-06', days: 3 },
    })
    expect(cadenceOf({ days, values }, '2026-12-01').gap).toEqual({ from: '2026-11-08', to: '2026-11-14', days: 7 })
  })

  it('has no gap with a post on each day, and no posts per week of a few days', () => {
    expect(cadenceOf({ days: days.slice(0, 3), values: [1, 2, 1] }, '2026-12-01')).toEqual({
      posts: 4,
      days: 3,
      perWeek: null,
      gap: null,
    })
  })

  it('is said in posts and days, and by week from two weeks on', () => {
    const of = (values: number[]) =>
      cadenceText(cadenceOf({ days: days.slice(0, values.length), values }, '2026-12-01'))
    expect(of([1, 1, 1])).toBe('3 posts in 3 days. There was a post every day.')
    expect(of([1, 0, 2])).toBe('3 posts in 3 days. There was never more than one day without a post.')
    expect(of([0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0])).toBe(
      '3 posts in 14 days, 1.5 a week. The longest time without a post was 7 days, 08 Nov to 14 Nov 2026.',
    )
    expect(of([0, 0])).toBe('Nothing was published in these 2 days.')
  })

  it('begins on the day from which on the posts are known', () => {
    const values = [null, null, 1, 0, 0, 2]
    const known = cadenceOf({ days: days.slice(0, 6), values }, '2026-12-01')
    expect(known).toMatchObject({ posts: 3, days: 4, gap: { from: '2026-11-04', to: '2026-11-05', days: 2 } })
    const [line] = cadenceChart({ days: days.slice(0, 6), values }).data.series
    expect(line?.values).toEqual(values)
    expect(cadenceText(cadenceOf({ days: days.slice(0, 1), values: [null] }, '2026-12-01'))).toContain(
      'Nothing is known',
    )
  })

  it('is drawn by day, and by week from Monday on longer ranges', () => {
    expect(cadenceChart({ days, values: days.map(() => 1) })).toMatchObject({
      by: 'day',
      data: { axis: { keys: days } },
    })
    // 1 November 2026 is a Sunday
    const long = daysFrom('2026-11-01', 30)
    const { by, data } = cadenceChart({ days: long, values: long.map(() => 1) })
    expect([by, data.axis.keys]).toEqual([
      'week',
      ['2026-11-01', '2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23', '2026-11-30'],
    ])
    expect(data.series[0]?.values).toEqual([1, 7, 7, 7, 7, 1])
  })
})

describe('the growth of a channel', () => {
  const days = daysFrom('2026-11-01', 4)
  const line = (name: 'followers' | 'followersGained' | 'followersLost', values: (number | null)[]) => ({
    key: '1',
    name,
    values,
  })

  it('is from the end of the day before, or from the first day that is known, which it says', () => {
    const lines = { days, series: [line('followers', [null, 100, null, 90])] }
    const before = { days: daysFrom('2026-10-25', 7), series: [line('followers', [null, null, null, null, 1, 2, 120])] }
    const say = (of: typeof lines | undefined) => {
      const growth = netGrowth(lines, of)
      return growth && growthText('Subscribers', growth)
    }
    expect(say(before)).toBe('Subscribers: 90 on 04 Nov 2026, 30 fewer than on 31 Oct 2026, before these days.')
    expect(say(undefined)).toBe(
      'Subscribers: 90 on 04 Nov 2026, 10 fewer than on 02 Nov 2026, the first day that we know of.',
    )
    expect(netGrowth({ days, series: [line('followers', [null, 100, null, null])] }, undefined)).toBeNull()
    expect(daysBefore('2026-11-01')).toEqual({ from: '2026-10-24', to: '2026-10-31' })
  })

  it('says why it is not known, as it is true of this platform and kind of account', () => {
    const say = (
      platform: PlatformKey,
      reason?: MissingReason,
      values: (number | null)[] = [],
      kind: string | null = null,
    ) => noGrowthText({ days, series: [line('followers', values)] }, { term: 'Followers', platform, kind }, reason)
    expect(say('googlemybusiness')).toBe("Google Business Profile doesn't report followers.")
    expect(say('linkedin', 'notReported', [], 'Profile')).toBe("LinkedIn doesn't report followers of profiles.")
    expect(say('linkedin', 'notReadYet', [], 'Organization')).toBe("Followers haven't been read yet.")
    expect(say('linkedin', 'rightsMissing', [], 'Organization')).toBe(
      "Followers aren't known in these days: reconnect the channel to allow reading them.",
    )
    // days before the channel was connected
    expect(say('mastodon', 'nothingReported')).toBe(
      "Followers aren't known in these days: Mastodon only reports the current number, and it wasn't read on any of them.",
    )
    // a value from before these days may still count at their end, so no reason is given
    expect(say('facebook')).toBe("Followers aren't known in these days: Facebook reported none.")
    expect(say('facebook', undefined, [null, 12, null, null])).toBe(
      "Followers were reported on one day only, so the growth isn't known yet.",
    )
    expect(say('facebook', 'nothingReported', [9, 12, null, null])).toBe(
      "Followers were last reported on 02 Nov 2026, so the growth up to the end of these days isn't known.",
    )
  })

  it('is drawn with those who stopped following below zero, as far as they are reported', () => {
    const names = { gained: 'New', lost: 'Lost' }
    const both = changesChart(
      { days, series: [line('followersGained', [1, 2, null, 0]), line('followersLost', [0, 3, null, 1])] },
      names,
    )
    expect(both?.series.map(({ values }) => values)).toEqual([
      [1, 2, null, 0],
      [0, -3, null, -1],
    ])
    expect(changesChart({ days, series: [] }, names)).toBeUndefined()
    expect(followersChart({ days, series: [line('followers', [null, null, null, null])] }, 'Followers')).toBeUndefined()
  })
})

describe('an audience', () => {
  it('is in plain words', () => {
    expect(bucketName('country', 'DE')).toBe('Germany')
    expect(bucketName('gender', 'F')).toBe('Women')
    expect(bucketName('gender', 'male')).toBe('Men')
    expect(bucketName('trafficSource', 'YT_SEARCH')).toBe('YouTube search')
    expect(bucketName('trafficSource', 'SOME_NEW_ONE')).toBe('Some new one')
    expect(bucketName('city', 'Berlin, Berlin')).toBe('Berlin, Berlin')
    expect(bucketName('country', 'Germany')).toBe('Germany')
  })

  it('is by age from the youngest, else from the largest', () => {
    const buckets = [
      { bucket: '25-34', value: 9 },
      { bucket: '13-17', value: 4 },
      { bucket: '65+', value: 1 },
    ]
    expect(bucketsInOrder('age', buckets).map(({ bucket }) => bucket)).toEqual(['13-17', '25-34', '65+'])
    expect(bucketsInOrder('city', buckets)).toEqual(buckets)
  })
})

describe('the best times of a channel', () => {
  const at = {
    span: { from: '2026-08-26', to: '2026-11-23' },
    platform: 'bluesky' as const,
    grain: 'weekdayHour' as const,
  }
  const none = { all: { posts: 0, spread: null }, withoutFigure: 0, apart: [] }
  const hour = (weekday: number, of: number, posts: number): WorkedGroup => ({
    by: 'weekdayHour',
    weekday,
    hour: of,
    posts,
    spread: null,
  })
  const spread = (q1: number, q3: number) => ({ least: 0, q1, median: (q1 + q3) / 2, q3, most: 900 })

  it('say which posts they are of, or why there are none', () => {
    const few = { ...none, all: { posts: 9, spread: null } }
    expect(bestTimesText(few, at)).toContain('9 posts from 26 Aug to 23 Nov 2026')
    expect(bestTimesText(few, { ...at, grain: 'weekdayPart' })).toContain('Too few for single hours')
    expect(bestTimesText(few, { ...at, grain: 'weekday' })).toContain('only weekdays are compared')
    expect(bestTimesText(few, { ...at, grain: null })).toMatch(/^9 posts .* Too few to compare times\.$/)
    expect(bestTimesText(none, at)).toContain('Nothing was published')
    expect(bestTimesText({ ...none, withoutFigure: 3 }, at)).toBe("Bluesky doesn't report this figure of its posts.")
    expect(bestTimesText({ ...none, apart: ['bluesky'] }, at)).toBe("Bluesky's terms don't allow comparing its posts.")
  })

  it('are as fine as half of the posts have company: hours, parts of the day, weekdays, nothing', () => {
    expect(grainOf([hour(1, 9, 3), hour(2, 9, 2), hour(3, 9, 1)])).toBe('weekdayHour')
    expect(grainOf([hour(1, 6, 1), hour(1, 9, 1), hour(1, 11, 1), hour(2, 9, 2), hour(3, 9, 1)])).toBe('weekdayPart')
    expect(grainOf([hour(1, 5, 1), hour(1, 9, 1), hour(1, 23, 1), hour(2, 9, 2), hour(3, 9, 1)])).toBe('weekday')
    expect(grainOf([hour(1, 5, 1), hour(2, 9, 2), hour(3, 9, 2)])).toBeNull()
    expect(grainOf([])).toBeNull()
  })

  it('are concluded only where middle halves of enough posts are apart, and otherwise say why not', () => {
    const weekday = (of: number, posts: number, q1: number, q3: number): WorkedGroup => ({
      by: 'weekday',
      weekday: of,
      posts,
      spread: spread(q1, q3),
    })
    const part = (from: number, posts: number, q1: number, q3: number): WorkedGroup => ({
      by: 'dayPart',
      from,
      posts,
      spread: spread(q1, q3),
    })
    const of = (weekdays: WorkedGroup[], parts: WorkedGroup[]) =>
      conclusionsOf([{ groups: weekdays }, { groups: parts }], 'engagements', 'bluesky')
    expect(of([weekday(1, 9, 10, 20), weekday(3, 8, 15, 30)], [part(6, 9, 30, 40), part(18, 8, 10, 20)])).toEqual([
      '06:00 to 12:00 had more engagements than 18:00 to 24:00: usually 30 to 40 (9 posts), against 10 to 20 (8 posts).',
    ])
    expect(of([weekday(1, 9, 10, 20), weekday(3, 8, 15, 30)], [])[0]).toMatch(/^No weekday or time of day clearly/)
    expect(of([weekday(1, 9, 10, 20), weekday(3, 7, 50, 90)], [part(6, 16, 10, 40)])[0]).toMatch(/^Too few posts to/)
  })
})
