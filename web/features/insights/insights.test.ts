import { describe, expect, it } from 'vitest'
import { breaks } from '#contract/analytics/catalog/catalog.ts'
import type { MissingReason } from '#contract/analytics/overview.ts'
import { platformKeys, type PlatformKey } from '#contract/platforms/rules.ts'
import { inOrder } from './cardOrder.ts'
import { withFigures } from './withFigures.ts'
import { addsText, breakText } from '#contract/analytics/insightWords.ts'
import { comparedSpan, queryOf, spanOf, spanText, wrongFilters } from './insightsSearch.ts'
import { countMissing, missingFrom, missingLines, worthListing } from './missingLines.ts'
import { platformNotes } from './platformNotes.ts'
import { filtersIn, pathOf, sectionOf, sectionTitle } from './sections.ts'

const today = '2026-11-23'

describe('the days of the insights', () => {
  it('are the last 7 against the 7 before unless the address says otherwise', () => {
    expect(spanOf({}, today)).toEqual({ from: '2026-11-17', to: today })
    expect(comparedSpan({}, today)).toEqual({ from: '2026-11-10', to: '2026-11-16' })
    expect(spanOf({ range: '90' }, today)).toEqual({ from: '2026-08-26', to: today })
    expect(spanOf({ range: '28' }, today)).toEqual({ from: '2026-10-27', to: today })
    expect(comparedSpan({ range: '28' }, today)).toEqual({ from: '2026-09-29', to: '2026-10-26' })
  })

  it('are a whole month against the month before, whatever their lengths', () => {
    expect(spanOf({ range: 'month' }, '2026-03-31')).toEqual({ from: '2026-02-01', to: '2026-02-28' })
    expect(comparedSpan({ range: 'month' }, '2026-03-31')).toEqual({ from: '2026-01-01', to: '2026-01-31' })
  })

  it('are compared with the same days a year ago, any others, or none', () => {
    expect(comparedSpan({ compare: 'year' }, today)).toEqual({ from: '2025-11-17', to: '2025-11-23' })
    const custom = { compare: 'custom', compareFrom: '2026-01-01', compareTo: '2026-01-07' } as const
    expect(comparedSpan(custom, today)).toEqual({ from: '2026-01-01', to: '2026-01-07' })
    expect(comparedSpan({ compare: 'off' }, today)).toBeUndefined()
    expect(queryOf({ compare: 'off' }, today)).toEqual({ from: '2026-11-17', to: today })
  })

  it('fall back to 7 if an address mixes up a custom range', () => {
    const filters = { range: 'custom', from: '2026-11-20', to: '2026-11-01' } as const
    expect(spanOf(filters, today)).toEqual({ from: '2026-11-17', to: today })
  })

  it('are written without repeating the year', () => {
    expect(spanText({ from: '2026-11-17', to: today })).toBe('17 Nov to 23 Nov 2026')
    expect(spanText({ from: '2025-12-30', to: '2026-01-02' })).toBe('30 Dec 2025 to 02 Jan 2026')
    expect(spanText({ from: today, to: today })).toBe('23 Nov 2026')
  })
})

describe('filters of an address that no call takes', () => {
  it('are named: a range that is too long, on either side, and what is no hashtag', () => {
    const names = (filters: Parameters<typeof wrongFilters>[0]) => wrongFilters(filters, today).map((one) => one.filter)
    expect(names({ range: 'custom', from: '2024-11-23', to: today })).toEqual([])
    expect(names({ range: 'custom', from: '2020-01-01', to: today })).toEqual(['days'])
    expect(names({ compare: 'custom', compareFrom: '2020-01-01', compareTo: '2024-01-01' })).toEqual(['compare'])
    expect(names({ compare: 'off', compareFrom: '2020-01-01', compareTo: '2024-01-01' })).toEqual([])
    expect(names({ hashtag: '#winterroast' })).toEqual([])
    expect(names({ hashtag: 'two words', range: 'custom', from: '2020-01-01', to: today })).toEqual(['days', 'hashtag'])
  })
})

describe('cards', () => {
  it('are in one order whatever the reply has first, those without a value last', () => {
    const card = (name: 'published' | 'reactions' | 'viewsAndImpressions', value: number | null) => ({
      base: name === 'published' ? ('postsPublished' as const) : ('inTheseDays' as const),
      name,
      value,
    })
    const names = inOrder([card('published', 3), card('viewsAndImpressions', null), card('reactions', 5)])
    expect(names.map(({ name }) => name)).toEqual(['reactions', 'viewsAndImpressions', 'published'])
  })
})

describe('what is missing from a figure', () => {
  const channels = new Map(
    ['1', '2', '3', '4'].map((id, place) => [
      id,
      {
        shownName: `Bluesky · @${id}`,
        platformName: id === '4' ? ('instagram' as const) : ('bluesky' as const),
        place,
      },
    ]),
  )

  it('is no row where no channel of the filter can have the figure', () => {
    const listed = (value: number | null, reason: MissingReason) =>
      worthListing(
        [{ base: 'inTheseDays', name: 'clicks', value, before: null }],
        [{ platform: 'x', reason, channelIds: ['1'], figures: { inTheseDays: ['clicks'] } }],
      ).length
    expect([listed(null, 'notReported'), listed(null, 'termsForbid'), listed(null, 'nothingReported')]).toEqual([
      0, 0, 0,
    ])
    expect([listed(null, 'rightsMissing'), listed(null, 'notReadYet'), listed(0, 'notReported')]).toEqual([1, 1, 1])
  })

  it('is one line for all channels of a platform that share a reason, but each that can be reconnected', () => {
    const figures = { inTheseDays: ['reactions' as const] }
    const missing = [
      { platform: 'bluesky' as const, reason: 'notReported' as const, channelIds: ['1', '2'], figures },
      { platform: 'bluesky' as const, reason: 'disconnected' as const, channelIds: ['3'], figures },
      { platform: 'instagram' as const, reason: 'notReadYet' as const, channelIds: ['4'], figures },
      { platform: 'instagram' as const, reason: 'noPosts' as const, channelIds: ['gone'], figures },
    ]
    expect(countMissing(missingFrom(missing, { base: 'inTheseDays', name: 'reactions' }))).toBe(5)
    expect(missingFrom(missing, { base: 'postsPublished', name: 'reactions' })).toEqual([])
    const lines = missingLines(missing, channels)
    expect(lines.map(({ name, reason, reconnect }) => [name, reason, reconnect])).toEqual([
      [2, 'notReported', null],
      ['Bluesky · @3', 'disconnected', '3'],
      ['Bluesky · @4', 'notReadYet', null],
      ['A deleted channel', 'noPosts', null],
    ])
  })
})

describe('figures of platforms whose terms forbid sums', () => {
  it('are shown of platforms that have a value in these days', () => {
    const views = { base: 'inTheseDays', name: 'views' } as const
    const withValues = (...values: (number | null)[]) => [
      { platform: 'youtube' as const, figures: values.map((value) => ({ ...views, value })) },
    ]
    expect(withFigures(withValues())).toEqual([])
    expect(withFigures(withValues(null))).toEqual([])
    expect(withFigures(withValues(null, 0))).toHaveLength(1)
  })
})

describe('the notes below a platform', () => {
  const notes = (platform: PlatformKey) => platformNotes(platform, 'America/New_York').join(' ')

  it("say whose days the channel's own days are, only of platforms that report days", () => {
    expect(notes('youtube')).toContain("YouTube counts the channel's own days in America/Los Angeles.")
    const reporting = platformKeys.filter((platform) => notes(platform).includes("channel's own days"))
    expect(reporting.toSorted()).toEqual(
      ['facebook', 'googlemybusiness', 'instagram', 'linkedin', 'pinterest', 'threads', 'youtube'].toSorted(),
    )
  })

  it('say nothing of days that an account of its kind has none of', () => {
    expect(platformNotes('linkedin', 'UTC', 'Profile').join(' ')).not.toContain("channel's own days")
    expect(platformNotes('linkedin', 'UTC', 'Page').join(' ')).toContain("channel's own days")
  })

  it('say whose days gains are of, only of platforms that report figures of posts', () => {
    expect(notes('x')).toMatch(/^What posts gained is by day in America\/New York\. Reading costs \$/)
    expect(platformKeys.filter((platform) => !notes(platform).includes('What posts gained'))).toEqual([
      'googlemybusiness',
    ])
  })
})

describe('the sections of the insights', () => {
  it.each([
    ['insights', 'Insights Hub'],
    ['platform/instagram', 'Instagram Insights'],
  ])('has the specified title for %s', (path, title) => {
    const section = sectionOf(path)
    expect(section && sectionTitle(section)).toBe(title)
  })

  it.each(['', 'platform', 'platform/myspace', 'post/1', 'competitors', 'constructor'])('has no section %j', (path) =>
    expect(sectionOf(path)).toBeUndefined(),
  )
})

describe('how a figure becomes a total', () => {
  it("doesn't promise a rate by day, which no chart draws", () => {
    expect(addsText('engagementRate')).toBe('Worked out from all of these days together, not by day.')
    expect(addsText('reach')).toContain('Shown by day')
  })
})

describe('what platforms changed', () => {
  it('explains every break in the catalog', () => {
    const fallback = breakText('unheard of')
    for (const { note } of breaks) expect(breakText(note)).not.toBe(fallback)
  })
})

describe('the address of a profile', () => {
  it('has the ID of a channel, or none', () => {
    const channelId = '0190a000-0000-7000-8000-000000000001'
    expect(sectionOf('profile')).toEqual({ key: 'profile' })
    expect(sectionOf(`profile/${channelId}`)).toEqual({ key: 'profile', channelId })
    expect(pathOf({ key: 'profile', channelId })).toBe(`profile/${channelId}`)
    expect(sectionOf('profile/1')).toBeUndefined()
    expect(sectionOf(`campaign/${channelId}`)).toBeUndefined()
  })
})

describe('the filters of an address in a section', () => {
  it('are the last 30 days in Campaign Insights unless the address says otherwise', () => {
    expect(filtersIn({ key: 'campaign' }, {}).range).toBe('30')
    expect(filtersIn({ key: 'campaign' }, { range: '7' }).range).toBe('7')
    expect(filtersIn({ key: 'insights' }, {}).range).toBeUndefined()
  })

  it('are only those that can be seen and changed there', () => {
    const filters = { hashtag: 'winter', platforms: ['bluesky' as const], channelIds: ['1'] }
    expect(filtersIn({ key: 'insights' }, filters)).toMatchObject(filters)
    expect(filtersIn({ key: 'campaign' }, filters)).toMatchObject({ ...filters, hashtag: undefined })
  })
})
