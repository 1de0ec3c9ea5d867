import { describe, expect, it } from 'vitest'
import type { Spread, Worked, WorkedGroup } from '#contract/analytics/worked.ts'
import { findingsOf } from './findings.ts'
import { figureWord, offeredFigures, whyNothing } from './workedFigures.ts'
import { spreadData, weekHeat } from './workedData.ts'
import { groupName } from '#contract/analytics/workedNames.ts'

const spread = (q1: number, median: number, q3: number): Spread => ({ least: 0, q1, median, q3, most: 5000 })
type Format = Extract<WorkedGroup, { by: 'format' }>
const format = (more: Partial<Format>): Format => ({
  by: 'format',
  platform: 'instagram',
  postType: 'post',
  media: 'picture',
  posts: 20,
  spread: spread(120, 190, 280),
  ...more,
})
const reply = (groups: WorkedGroup[]): Worked => ({
  range: { from: '2026-09-01', to: '2026-11-21', compare: null },
  all: { posts: 40, spread: spread(100, 200, 300) },
  groups,
  tooYoung: 0,
  withoutFigure: 0,
  apart: [],
})
const videos = format({ postType: 'reel', media: 'video', posts: 24, spread: spread(310, 480, 900) })
const pictures = format({ posts: 31 })

describe('a finding', () => {
  it('says how two groups differ whose middle halves are apart', () => {
    expect(findingsOf(reply([pictures, videos]), 'engagements', 'instagram')).toEqual([
      'Reel had more engagements than Picture: usually 310 to 900 (24 posts), against 120 to 280 (31 posts).',
    ])
    expect(findingsOf(reply([pictures, videos]), 'engagementRate')).toEqual([
      'Instagram · Reel had a higher engagement rate than Instagram · Picture: usually 310.00% to 900.00% (24 posts), against 120.00% to 280.00% (31 posts).',
    ])
  })

  it.each<[string, WorkedGroup[]]>([
    ['the middle halves touch', [format({ spread: spread(120, 190, 310) }), videos]],
    ['one group has 7 posts', [pictures, { ...videos, posts: 7 }]],
    ['one group has no quartiles', [{ ...pictures, spread: null }, videos]],
    ['there is one group', [videos]],
    ['nobody knows what the posts have in common', [format({ media: null, spread: spread(1, 2, 3) }), videos]],
    [
      'it is about the hours of a week, of which some always stand out',
      [
        { by: 'weekdayHour', weekday: 1, hour: 9, posts: 20, spread: spread(1, 2, 3) },
        { by: 'weekdayHour', weekday: 2, hour: 9, posts: 20, spread: spread(11, 12, 13) },
      ],
    ],
  ])('says nothing if %s', (_, groups) => {
    expect(findingsOf(reply(groups), 'engagements', 'instagram')).toEqual([])
  })

  it('says of the weakest group, too, which one is clearly above it', () => {
    const middle = format({ media: 'pictures', posts: 50, spread: spread(250, 400, 500) })
    expect(
      findingsOf(reply([pictures, videos, { ...middle, spread: spread(285, 400, 500) }]), 'engagements', 'instagram'),
    ).toEqual([
      'Reel had more engagements than Picture: usually 310 to 900 (24 posts), against 120 to 280 (31 posts).',
      'Several pictures had more engagements than Picture: usually 285 to 500 (50 posts), against 120 to 280 (31 posts).',
    ])
  })
})

describe('the figures to compare', () => {
  it('are those that posts of the chosen platforms can have, in the word of a single one', () => {
    expect(offeredFigures(['bluesky'])).toEqual(['engagements', 'reactions', 'comments', 'shares', 'saves'])
    expect(offeredFigures(['bluesky', 'youtube'])).toContain('viewsAndImpressions')
    expect([figureWord('reactions', 'bluesky'), figureWord('reactions', undefined)]).toEqual(['Likes', 'Reactions'])
  })

  it('are none where terms forbid it or nothing is reported, which is said instead', () => {
    expect(whyNothing(['youtube'], ['youtube'])).toBe("YouTube's terms don't allow comparing its figures.")
    expect(whyNothing(['googlemybusiness'], [])).toMatch(/^Google Business Profile reports no figures of posts/)
    expect([whyNothing(['youtube', 'x'], ['youtube']), whyNothing([], ['youtube'])]).toEqual([undefined, undefined])
  })
})

describe('the groups', () => {
  it('are named by what their posts have in common', () => {
    const compared = { posts: 1, spread: null }
    const names = [
      groupName(format({ postType: 'story', media: 'picture' })),
      groupName(format({ media: null })),
      groupName({ by: 'weekday', weekday: 1, ...compared }),
      groupName({ by: 'weekdayHour', weekday: 7, hour: 9, ...compared }),
      groupName({ by: 'weekdayPart', weekday: 2, from: 18, ...compared }),
      groupName({ by: 'length', length: { from: 1000, to: null }, ...compared }),
      groupName({ by: 'length', length: { from: 0, to: 0 }, ...compared }),
      groupName({ by: 'label', label: null, ...compared }),
    ]
    expect(names).toEqual([
      'Instagram · Story, picture',
      'Instagram · Post, media not known',
      'Mon',
      'Sun, 09:00',
      'Tue, 18:00 to 24:00',
      '1,000 characters and more',
      'No text',
      'No label',
    ])
  })

  it('are below all posts, formats with the highest median first, and a gap where there are too few', () => {
    const few = format({ media: 'text', posts: 2, spread: null })
    const data = spreadData(reply([few, pictures, videos]), 'engagements', true)
    expect(data.axis.keys).toEqual(['All posts', 'Reel', 'Picture', 'Text'])
    expect(data.series.find(({ key }) => key === 'median')?.values).toEqual([200, 480, 190, null])
    expect(data.series.find(({ key }) => key === 'posts')?.values).toEqual([40, 24, 31, 2])
  })

  it('have a place in the week', () => {
    const heat = weekHeat(
      reply([
        { by: 'weekdayHour', weekday: 7, hour: 23, posts: 2, spread: null },
        { by: 'weekdayHour', weekday: 1, hour: 0, posts: 4, spread: spread(1, 2, 3) },
      ]),
      'engagements',
      'weekdayHour',
    )
    expect([heat.rows, heat.columns.length]).toEqual([['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'], 24])
    expect([heat.values[0]?.[0], heat.posts?.[0]?.[0]]).toEqual([2, 4])
    expect([heat.values[6]?.[23], heat.posts?.[6]?.[23], heat.posts?.[3]?.[3]]).toEqual([null, 2, 0])
    const parts = weekHeat(
      reply([{ by: 'weekdayPart', weekday: 7, from: 18, posts: 4, spread: spread(1, 2, 3) }]),
      'engagements',
      'weekdayPart',
    )
    expect([parts.columns, parts.values[6]?.[3]]).toEqual([['00–06', '06–12', '12–18', '18–24'], 2])
  })
})
