import { expect, it } from 'vitest'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { talkChange } from './talkChange.ts'

const range: InsightsRange = { from: '2026-11-24', to: '2026-11-30', compare: { from: '2026-11-17', to: '2026-11-23' } }
const at = { range, today: '2026-11-30', channels: 2 }
const on = (side: 'value' | 'before', day: number, same: number) => ({ side, day: `2026-11-${day}`, same })

it('compares the days that are over with as many before', () => {
  const counted = [on('value', 24, 6), on('value', 30, 50), on('before', 17, 4), on('before', 23, 50)]
  expect(talkChange(counted, at)).toEqual({ changePercent: 50, whyNotComparable: null })
})

it('says why there is no change', () => {
  const why = (more: Partial<typeof at>, counted = [on('value', 24, 6), on('before', 17, 4)]) =>
    talkChange(counted, { ...at, ...more }).whyNotComparable
  expect(why({ channels: 0 })).toBe('differentChannels')
  expect(why({ today: '2026-11-26' })).toBe('notFinal')
  expect(why({}, [on('value', 24, 6)])).toBe('nothingBefore')
  expect(talkChange([], { ...at, range: { ...range, compare: null } })).toEqual({
    changePercent: null,
    whyNotComparable: null,
  })
})
