import { describe, expect, it } from 'vitest'
import type { AnalysisFact, AnalysisFacts } from '#contract/analytics/analysis.ts'
import { beforeTexts, factCoverage, factPlace, factSubject, factTitle, finalUntil, workedText } from './factWords.ts'

const fact: AnalysisFact = {
  id: 'f1',
  group: 'total',
  base: 'inTheseDays',
  name: 'engagements',
  platform: null,
  channel: null,
  post: null,
  worked: null,
  value: 3,
  compared: null,
  whyNotComparable: null,
  coverage: null,
  changePercent: null,
  changePoints: null,
  finalUntil: null,
}
const none = { apart: [], platforms: [] }
const bluesky = { ...fact, group: 'platform', platform: 'bluesky' } as const
const channel = { ...bluesky, group: 'channel', channel: { channelId: 'c', channelName: 'Beans' } } as const
const post = { ...channel, group: 'post', post: { postId: 'p', place: 2, excerpt: 'How we <b>brew</b>' } } as const

describe('a fact leads to its figure', () => {
  it.each([
    [fact, 'insights', 'inTheseDays.engagements'],
    [bluesky, 'platform/bluesky', 'inTheseDays.engagements'],
    [channel, 'profile/c', 'inTheseDays.engagements'],
    [post, 'post/p', undefined],
  ])('%#', (one, path, figure) => {
    const place = factPlace(one, none, { range: '30', hashtag: 'rye' })
    expect(place.path).toBe(path)
    expect(place.search).toMatchObject({ range: '30', hashtag: 'rye' })
    expect(place.search.figure).toBe(figure)
  })

  it('of the same platforms, where the hub also counts others', () => {
    const place = factPlace(fact, { apart: ['youtube'], platforms: ['bluesky'] }, {})
    expect(place.search.platforms).toEqual(['bluesky'])
  })
})

it('a finding leads to What worked, with its groups, figure and filters', () => {
  const side = (name: string, posts: number) => ({ name, posts, q1: 1200, median: 1500, q3: 2000 })
  const worked = { by: 'weekday', high: side('Mon', 34), low: { ...side('Sun', 8), q1: 10, q3: 40 } } as const
  const finding: AnalysisFact = { ...fact, group: 'worked', base: 'postsPublished', worked }
  expect(factPlace(finding, { apart: ['youtube'], platforms: ['bluesky'] }, { range: '90' })).toEqual({
    path: 'insights',
    hash: 'what-worked',
    search: { range: '90', workedBy: 'weekday', worked: 'engagements' },
  })
  expect(factSubject(finding)).toBe('Mon, against Sun')
  expect(workedText('engagements', worked)).toBe('usually 1,200 to 2,000 (34 posts), against 10 to 40 (8 posts)')
})

it('a fact says whose it is', () => {
  expect([fact, bluesky, channel, post].map(factSubject)).toEqual([
    '',
    'Bluesky',
    'Beans (Bluesky)',
    'Post 2, “How we <b>brew</b>” (Bluesky)',
  ])
  expect(factSubject({ ...post, post: { ...post.post, excerpt: '' } })).toBe('Post 2 (Bluesky)')
  const sharing = { channelId: 'c', channelName: 'Bluesky · @beans.test' }
  expect(factSubject({ ...channel, channel: sharing })).toBe('Bluesky · @beans.test')
})

it('a fact has the word of its platform if all facts are of one, else ours', () => {
  const shares = { ...post, name: 'shares', base: 'postsPublished' } as const
  const total = { ...shares, group: 'total' } as const
  const of = (...platforms: AnalysisFacts['platforms']) =>
    [shares, total].map((one) => factTitle(one, { platforms, apart: [] }))
  expect(of('bluesky')).toEqual(['Reposts and quotes', 'Reposts and quotes of posts'])
  expect(of('bluesky', 'x')).toEqual(['Shares', 'Shares of posts'])
  // the hub counts the posts of all platforms under this name
  const published = { ...total, name: 'published' } as const
  expect(factTitle(published, { platforms: ['bluesky', 'x'], apart: ['youtube'] })).toBe(
    'Published posts, without YouTube',
  )
})

it('what it was before is of the days compared, and says against what, if that is not the whole value', () => {
  const coverage = {
    days: 7,
    daysBefore: 7,
    reportedDays: 6,
    leastReportedDays: 6,
    reportedDaysBefore: 7,
    comparedDays: 5,
    leastComparedDays: 5,
    channels: { both: 1, onlyNow: 0, onlyBefore: 0, notComparable: 0 },
    finalUntil: '2026-11-07',
    asOfDay: null,
  }
  const range = { from: '2026-11-01', to: '2026-11-07', compare: { from: '2026-10-25', to: '2026-10-31' } }
  const some = { ...fact, value: 1240, compared: { value: 1040, before: 900 }, changePercent: 15.56, coverage }
  expect(beforeTexts(some)).toEqual({ before: '900', against: 'against 1,040' })
  expect(factCoverage(some, { range })).toBe('5 of 7 days compared')
  const all = { ...some, compared: { value: 1240, before: 900 } }
  expect(beforeTexts(all)).toEqual({ before: '900', against: undefined })
  expect(beforeTexts(fact)).toEqual({ before: '–', against: undefined })
  expect(factCoverage(fact, { range })).toBeUndefined()
})

it('the days that are final are those of the figure that is latest', () => {
  const range = { from: '2026-11-01', to: '2026-11-07', compare: null }
  const until = (...days: (string | null)[]) =>
    finalUntil({ range, facts: days.map((day) => ({ ...fact, finalUntil: day })) })
  expect(until('2026-11-07', '2026-11-05', null)).toBe('2026-11-05')
  expect(until('2026-11-07', null)).toBeUndefined()
})
