import { describe, expect, it } from 'vitest'
import type { ComparedFigure, ComparisonReason } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { MissingReason } from '#contract/analytics/overview.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { missingIn, lackingNotes, whyMissing } from '#contract/analytics/groupWords.ts'
import { reportedIn, sideBySide, whyNoneCompared } from './groupFigures.ts'

const figure = (
  name: FigureKey,
  value: number | null,
  { before = null, why = null }: { before?: number | null; why?: ComparisonReason | null } = {},
): ComparedFigure => ({
  base: 'postsPublished',
  subject: 'post',
  name,
  value,
  before,
  changePercent: null,
  changePoints: null,
  compared: null,
  whyNotComparable: why,
  coverage: {
    days: 30,
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
})

describe('campaigns and labels side by side', () => {
  const winter = { name: 'Winter', posts: 3, figures: [figure('reactions', 12), figure('engagementRate', 4.5)] }
  const spring = { name: 'Spring', posts: 0, figures: [figure('clicks', null, { before: 7 })] }

  it('name the figures that none of them has, now or before', () => {
    const { reported, unreported } = reportedIn([winter, spring])
    expect(reported).toEqual(['engagementRate', 'reactions', 'clicks'])
    expect(unreported).toContain('saves')
  })

  it('are drawn with a gap for those without the figure, but their number of posts is never one', () => {
    expect(sideBySide([winter, spring], 'reactions').series[0]?.values).toEqual([12, null])
    expect(sideBySide([winter, spring], 'published').series[0]?.values).toEqual([3, 0])
  })

  it('say of each platform why a figure is missing for a reason of its posts, of those that the table has', () => {
    const terms = { platform: 'youtube', reason: 'termsForbid', channels: 2, channelId: null } as const
    const lacks = { platform: 'linkedin', reason: 'notReported', channels: 1, channelId: 'a' } as const
    const group = {
      posts: 5,
      missing: [
        { ...terms, names: ['reactions', 'saves', 'clicks'] as FigureKey[] },
        { ...lacks, names: ['saves'] as FigureKey[] },
      ],
    }
    const unread = { ...lacks, reason: 'notReadYet', names: ['reactions', 'saves'] as FigureKey[] } as const
    expect(missingIn({ missing: [...group.missing, unread] }, ['reactions', 'comments'])).toEqual([
      { ...unread, names: ['reactions'] },
    ])
    expect(whyMissing(group, 'saves')).toBe(
      "YouTube: The platform's terms don't allow adding it to others. LinkedIn: The platform doesn't report it",
    )
    expect(whyMissing({ ...group, posts: 0 }, 'saves')).toBe('No posts in these days')
    expect(whyMissing(group, 'comments')).toBe('No figures in these days')
  })

  it('say once for all rows what platforms never have', () => {
    const lacking = (platform: PlatformKey, reason: MissingReason, names: FigureKey[]) => ({
      platform,
      reason,
      channels: 1,
      channelId: null,
      names,
    })
    const groups = [
      {
        missing: [
          lacking('bluesky', 'notReported', ['viewsAndImpressions', 'engagementRate', 'clicks']),
          lacking('youtube', 'termsForbid', ['reactions']),
        ],
      },
      {
        missing: [
          lacking('bluesky', 'notReported', ['clicks']),
          lacking('mastodon', 'notReported', ['clicks', 'viewsAndImpressions']),
          lacking('googlemybusiness', 'notReported', ['viewsAndImpressions', 'engagementRate', 'reactions', 'clicks']),
          lacking('threads', 'countedDifferently', ['engagementRate']),
          lacking('threads', 'disconnected', ['reactions']),
        ],
      },
    ]
    expect(lackingNotes(groups, ['viewsAndImpressions', 'engagementRate', 'reactions', 'clicks'])).toEqual([
      'Bluesky and Mastodon: no views and impressions or clicks.',
      "YouTube: not included, because terms don't allow adding its figures to others.",
      'Google Business Profile: no figures of posts.',
      'Threads: no engagement rate, because views and engagements are counted in different ways.',
    ])
    expect(lackingNotes(groups, ['comments'])).toEqual([])
  })

  it('say once why none of their figures is compared', () => {
    const notFinal = { why: 'notFinal' } as const
    expect(whyNoneCompared({ figures: [figure('reactions', 1, notFinal), figure('shares', 2, notFinal)] })).toBe(
      'notFinal',
    )
    expect(whyNoneCompared({ figures: [figure('reactions', 1, notFinal), figure('shares', 2)] })).toBeNull()
    expect(whyNoneCompared({ figures: [] })).toBeNull()
  })
})
