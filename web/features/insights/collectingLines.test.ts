import { expect, it } from 'vitest'
import type { CollectingChannel } from '#contract/analytics/collecting.ts'
import { collectingLines, countUnread } from './collectingLines.ts'

const nothing = {
  problem: null,
  backfilledTo: null,
  backfillUntil: null,
  imported: null,
  wanted: null,
  lastReadAt: null,
  nextReadAt: null,
}
type Reading = Partial<CollectingChannel['readings'][number]>
const channel = (channelId: string, readings: Reading[], missingRights: string[] = []): CollectingChannel => ({
  channelId,
  channelName: 'Rooks',
  platformName: 'facebook',
  status: 'CONNECTED',
  readings: readings.map((one) => ({ ...nothing, kind: 'days', state: 'reading', ...one })),
  missingRights,
})

it('says nothing of channels whose readings are done', () => {
  const done = [
    { kind: 'history', state: 'done', backfilledTo: '2024-11-29', backfillUntil: '2024-11-29' },
    // a short list has fewer posts than wanted
    { kind: 'posts', state: 'done', imported: 12, wanted: 100 },
  ]
  expect(collectingLines([channel('a', [{}, ...done])], '2026-11-29')).toEqual([])
})

it('says of a signed-out channel that nothing is read, and nothing else', () => {
  const signedOut = { ...channel('a', [{ state: 'late' }], ['read_insights']), status: 'TOKEN_EXPIRED' as const }
  expect(collectingLines([signedOut], '2026-11-29')).toEqual([{ channelId: 'a', kind: 'disconnected' }])
})

it('says that figures come soon where nothing was read yet', () => {
  const channels = [channel('a', []), channel('b', [{ kind: 'posts', state: 'unavailable' }])]
  expect(collectingLines(channels, '2026-11-29')).toEqual([
    { channelId: 'a', kind: 'soon' },
    { channelId: 'b', kind: 'soon' },
  ])
})

it('counts the channels of the filters that nothing was read of yet', () => {
  const signedOut = { ...channel('c', []), status: 'TOKEN_EXPIRED' as const }
  const channels = [channel('a', []), channel('b', [{}]), signedOut, channel('d', [{ state: 'unavailable' }])]
  expect(countUnread(channels, {})).toBe(2)
  expect(countUnread(channels, { channelIds: ['a', 'b'] })).toBe(1)
  expect(countUnread(channels, { platforms: ['instagram'] })).toBe(0)
})

it('says what is in the way once for each channel, and then what is still to come', () => {
  const lines = collectingLines(
    [
      channel('a', [{ kind: 'history', backfilledTo: '2026-11-20', backfillUntil: '2026-11-10' }]),
      channel('b', [{ state: 'rights' }, { kind: 'audience', state: 'rights' }]),
      channel('c', [{ state: 'off' }, { kind: 'posts', state: 'off', imported: 0, wanted: 100 }]),
      channel('d', [
        { state: 'late', nextReadAt: '2026-11-29T12:00:00Z' },
        { kind: 'posts', state: 'waiting', imported: 40, wanted: 100 },
      ]),
      channel('e', [{}], ['read_insights']),
    ],
    '2026-11-29',
  )
  expect(lines).toEqual([
    { channelId: 'b', kind: 'rights' },
    { channelId: 'c', kind: 'off' },
    { channelId: 'd', kind: 'late', at: '2026-11-29T12:00:00Z' },
    { channelId: 'e', kind: 'rights' },
    { channelId: 'a', kind: 'history', day: '2026-11-20', done: 10, all: 20 },
    { channelId: 'd', kind: 'posts', done: 40, all: 100 },
  ])
})
