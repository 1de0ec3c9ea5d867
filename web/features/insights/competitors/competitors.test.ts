import { expect, it } from 'vitest'
import { growthNote, notesOf, postsNote } from './competitorWords.ts'

const both = (value: number | null) => ({ value, before: null })

it('says a growth in percent of followers, or since when it is counted', () => {
  const of = (value: number | null, since: string | null, percent: number | null) =>
    growthNote({ growth: both(value), growthSince: since, growthPercent: both(percent) })
  expect([of(24, null, 0.5), of(-3, null, -12), of(0, null, 0)]).toEqual([
    'followers +0.50%',
    'followers \u221212.00%',
    'followers 0.00%',
  ])
  expect([of(24, '2026-11-26', null), of(5, null, null), of(null, null, null)]).toEqual([
    'since 26 Nov',
    undefined,
    undefined,
  ])
})

it('says in how many days posts were published, and how many a week only of two weeks or more', () => {
  const range = { from: '2026-11-01', to: '2026-11-30' }
  const of = (posts: number | null, perWeek: number | null, knownDays: number, today = '2026-12-24') =>
    postsNote({ posts: both(posts), postsPerWeek: both(perWeek), knownDays }, range, today)
  expect([of(9, 2.1, 30), of(9, 3.2, 20), of(2, null, 5), of(null, null, 0)]).toEqual([
    'in 30 days, 2.1 a week',
    'in 20 of 30 days, 3.2 a week',
    'in 5 of 30 days',
    undefined,
  ])
  // days to come have no posts yet
  expect(of(3, null, 10, '2026-11-10')).toBe('in 10 days')
})

it('says what own figures beside others leave out, and that newer posts have had less time', () => {
  const stories = "Your stories aren't counted here, because Instagram doesn't tell apps about others' stories."
  expect(notesOf('instagram', false)).toContain(stories)
  expect(notesOf('instagram', false).join(' ')).toContain('Newer posts have had less time')
  expect(notesOf('bluesky', false).join(' ')).not.toContain('stories')
  expect(notesOf('youtube', true).join(' ')).not.toContain('Newer posts')
})
