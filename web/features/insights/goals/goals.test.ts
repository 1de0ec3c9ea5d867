import { describe, expect, it } from 'vitest'
import type { Goal } from '#contract/analytics/goals.ts'
import { paceSentences, subjectText } from './goalWords.ts'

const TODAY = '2026-11-20'
const goal = (more: Partial<Goal> = {}): Goal => ({
  goalId: 'g',
  goalName: 'More views',
  figure: 'viewsAndImpressions',
  target: 10_000,
  from: '2026-11-01',
  to: '2026-11-30',
  platform: null,
  channelIds: null,
  value: 4000,
  until: '2026-11-10',
  percent: 40,
  expected: 3333,
  projected: 12_000,
  standing: 'ahead',
  ...more,
})
const channel = (shownName: string) => ({ shownName, platformName: 'instagram', place: 0 }) as const

describe('a goal in words', () => {
  it('says what it is of', () => {
    const channels = new Map([['a', channel('Coffee')]])
    expect(subjectText(goal(), channels)).toBe('Views and impressions until 30 Nov 2026')
    expect(subjectText(goal({ platform: 'x', figure: 'followers' }), channels)).toBe('Followers of X until 30 Nov 2026')
    expect(subjectText(goal({ channelIds: ['a'] }), channels)).toBe('Views and impressions of Coffee until 30 Nov 2026')
    expect(subjectText(goal({ channelIds: ['a', 'b'] }), channels)).toContain('of 2 channels')
  })

  it('says how it is doing, and nothing that is not known', () => {
    expect(paceSentences(goal(), TODAY)).toEqual([
      'Final up to 10 Nov 2026.',
      'An even pace would have 3,333 by then.',
      "At the pace so far, it's 12,000 on 30 Nov 2026.",
    ])
    expect(paceSentences(goal({ projected: null }), TODAY)).toHaveLength(2)
    expect(paceSentences(goal({ standing: 'reached', projected: null }), TODAY)).toHaveLength(1)
    expect(paceSentences(goal({ standing: 'going', expected: null, projected: null }), TODAY)[1]).toContain('no pace')
  })

  it('says why there is no value: its days have not begun, or none is final', () => {
    const none = (more: Partial<Goal>) => paceSentences(goal({ value: null, until: null, ...more }), TODAY).join(' ')
    expect(none({ standing: 'waiting', from: '2026-11-21' })).toBe('Its days begin on 21 Nov 2026.')
    expect(none({ standing: 'waiting' })).toBe(
      'None of its days is final yet. A day counts once it is final for all of its channels.',
    )
    expect(none({ standing: 'missed' })).toContain('became final')
    expect(none({ standing: 'waiting', figure: 'followers' })).toBe('No value of its days is known yet.')
    expect(none({ standing: 'missed', figure: 'followers' })).toBe('No value of its days is known.')
  })
})
