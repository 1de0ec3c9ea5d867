import { describe, expect, it } from 'vitest'
import {
  coveredText,
  missingText,
  noTotalText,
  reachDays,
  reachTerm,
  seeAboveText,
  shownReachDays,
} from './reachWords.ts'

describe('how many people a channel reached', () => {
  it('is told over 7 and 28 days by the platforms that count them together', () => {
    expect([reachDays('instagram'), reachDays('facebook'), reachDays('linkedin')]).toEqual([[7, 28], [7, 28], []])
    expect([reachTerm('instagram'), reachTerm('facebook')]).toEqual(['Accounts reached', 'Viewers'])
  })

  it('is above a list of all figures, unless a filter chose posts', () => {
    expect([shownReachDays('instagram', {}), shownReachDays('threads', {})]).toEqual([[7, 28], []])
    for (const filter of [{ campaignId: 'a' }, { labelId: 'a' }, { hashtag: 'rye' }])
      expect(shownReachDays('instagram', filter)).toEqual([])
    expect(seeAboveText([7, 28])).toBe('For 7 and 28 days, see above')
  })

  it('has no total over other days, which says why and which days have one', () => {
    expect(noTotalText('instagram', 30)).toBe(
      'No total for 30 days: adding up days would count people again who come back. Instagram counts them over 7 and 28 days, each of them once.',
    )
    expect(noTotalText('facebook', 1)).toBe(
      'No total for 1 day. Facebook counts people over 7 and 28 days, each of them once.',
    )
  })

  it('says which days it covers, and why a channel has none', () => {
    const range = { from: '2026-11-15', to: '2026-11-21' }
    expect(coveredText({ from: '2026-11-12', to: '2026-11-18' }, range)).toBe(
      '12 Nov to 18 Nov 2026, the last days that are final',
    )
    expect(coveredText(range, range)).toBe('In these days')
    expect(missingText({ channelId: 'a', reason: 'notReadYet', since: '2026-11-19' })).toBe('Read since 19 Nov 2026.')
    expect(missingText({ channelId: 'a', reason: 'tooFewFollowers', since: null })).toBe(
      'The platform only reports it for accounts with more followers.',
    )
  })
})
