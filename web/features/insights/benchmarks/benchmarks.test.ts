import { describe, expect, it } from 'vitest'
import type { insightsChannels } from '#contract/analytics/overview.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { benchmarkCsv, knownDaysText, medianText } from './benchmarkWords.ts'
import { extentOf, figuresOf, groupsOf, isSameEverywhere, standingOf } from './benchmarks.ts'

type Channel = ReplyOf<typeof insightsChannels>['channels'][number]

const channel = (channelId: string, platformName: PlatformKey, value: number | null): Channel => ({
  channelId,
  channelName: channelId,
  handle: `@${channelId}`,
  platformName,
  profileUrl: null,
  status: 'CONNECTED',
  simulated: false,
  deleted: false,
  asOf: null,
  figures: [
    {
      base: 'inTheseDays',
      subject: 'channel',
      name: 'followers',
      value,
      before: null,
      changePercent: null,
      changePoints: null,
      compared: null,
      whyNotComparable: null,
      coverage: {
        days: 7,
        daysBefore: null,
        reportedDays: null,
        leastReportedDays: null,
        reportedDaysBefore: null,
        comparedDays: null,
        leastComparedDays: null,
        channels: { both: 1, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
        finalUntil: null,
        asOfDay: null,
      },
    },
  ],
})
const median = {
  platform: 'bluesky',
  base: 'inTheseDays',
  name: 'followers',
  value: 50,
  q1: 20,
  q3: 90,
  channels: 3,
} as const
const reply = {
  channels: [
    channel('film', 'youtube', 5),
    channel('a', 'bluesky', 20),
    channel('films', 'youtube', 900),
    channel('b', 'bluesky', 90),
    channel('m', 'mastodon', 40),
    channel('c', 'bluesky', null),
  ],
  medians: [median],
  apart: ['youtube' as const],
}
const followers = { base: 'inTheseDays', name: 'followers' } as const
const idsOf = (groups: ReturnType<typeof groupsOf>) =>
  groups.map(({ platform, rows }) => [platform, rows.map((row) => row.channel.channelId)])

describe('benchmarks', () => {
  it('rank the channels of a platform that have the figure, but not those whose terms forbid it', () => {
    const groups = groupsOf(reply, followers, { together: false })
    expect(idsOf(groups)).toEqual([
      ['youtube', ['film', 'films']],
      ['bluesky', ['b', 'a']],
      ['mastodon', ['m']],
    ])
    expect(groups.map(({ isRanked, median: own }) => [isRanked, own?.value])).toEqual([
      [false, undefined],
      [true, 50],
      [true, undefined],
    ])
  })

  it('rank all channels together, without the platforms whose terms forbid it, and without a median', () => {
    const groups = groupsOf(reply, followers, { together: true })
    expect(idsOf(groups)).toEqual([
      [null, ['b', 'm', 'a']],
      ['youtube', ['film', 'films']],
    ])
    expect(groups[0]?.median).toBeNull()
  })

  it('can only be of all platforms for what means the same on each', () => {
    expect(isSameEverywhere('followers')).toBe(true)
    expect(isSameEverywhere('viewsAndImpressions')).toBe(false)
  })

  it('offer what some platform reports, and always the number of posts', () => {
    const names = figuresOf(['bluesky']).map(({ base, name }) => `${base} ${name}`)
    expect(names).toContain('postsPublished published')
    expect(names).toContain('inTheseDays followers')
    expect(names).not.toContain('inTheseDays viewsAndImpressions')
    expect(figuresOf([])).toEqual([])
  })

  it('are drawn from zero to the highest value or quartile', () => {
    const [, ofBluesky] = groupsOf(reply, followers, { together: false })
    expect(ofBluesky && extentOf(ofBluesky)).toEqual({ from: 0, to: 90 })
    expect(extentOf({ platform: null, rows: [], isRanked: true, median: null })).toEqual({ from: 0, to: 1 })
  })

  it('are above, below or at the median', () => {
    expect([90, 20, 50].map((value) => standingOf(value, median))).toEqual(['Above', 'Below', 'At'])
  })

  it('say in a sentence what channels are compared with, or why with nothing', () => {
    const [ofYoutube, ofBluesky, ofMastodon] = groupsOf(reply, followers, { together: false })
    expect(ofBluesky && medianText(ofBluesky, 'followers', 'organization')).toBe(
      'Median of the 3 Bluesky channels of your organization: 50. The middle half is between 20 and 90.',
    )
    expect(ofMastodon && medianText(ofMastodon, 'followers', 'project')).toBe(
      'No median: fewer than 3 Mastodon channels that you can see in this project have this figure.',
    )
    expect(ofYoutube && medianText(ofYoutube, 'followers', 'organization')).toContain("terms don't allow comparing")
  })

  it('are a file with a row per channel, and no cell that a spreadsheet would run', () => {
    const csv = benchmarkCsv(groupsOf(reply, followers, { together: false }), followers, () => '=1+1')
    const [head = '', ...rows] = csv.trim().split('\r\n')
    expect(head).toContain('Platform,Channel,Handle,Followers at the end of these days,Before')
    expect(rows).toHaveLength(5)
    expect(rows[2]).toBe("Bluesky,'=1+1,'@b,90,,,,50,20,90,3")
  })
})

it('says on how many days a value is known, of each channel of which not all are', () => {
  const [figure] = channel('a', 'bluesky', 20).figures
  const known = (reportedDays: number | null) =>
    figure ? knownDaysText({ coverage: { ...figure.coverage, days: 30, reportedDays } }) : undefined
  expect([28, 30, null].map(known)).toEqual(['28 of 30 days known', null, null])
})
