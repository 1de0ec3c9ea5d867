import { describe, expect, it } from 'vitest'
import type { InsightsChannel } from '#contract/analytics/overview.ts'
import { channelColumns, FIRST_CHANNELS, hasFigures, isOfPosts, shownChannels } from './byChannelRows.ts'

const row = (channelId: string, value: number | null, platformName: InsightsChannel['platformName'] = 'instagram') =>
  ({
    channelId,
    platformName,
    figures: value === null ? [] : [{ base: 'inTheseDays', name: 'viewsAndImpressions', value }],
    // the parts of a row that its place depends on
  }) as unknown as InsightsChannel
const ids = (rows: readonly InsightsChannel[]) => rows.map(({ channelId }) => channelId)

describe('channels of a filter for posts', () => {
  it('have no columns of what only channels have', () => {
    expect(isOfPosts({ hashtag: 'rye' })).toBe(true)
    expect(isOfPosts({ channelIds: ['a'] })).toBe(false)
    expect(channelColumns(undefined, { isApart: false, postsOnly: true })).not.toContain('followers')
    expect(channelColumns(undefined, { isApart: false, postsOnly: false })).toContain('followers')
    expect(channelColumns('youtube', { isApart: true, postsOnly: true })).toEqual([
      'viewsAndImpressions',
      'reactions',
      'comments',
    ])
  })

  it('begin with the most seen, and rank none whose terms forbid it', () => {
    const rows = [row('a', 2), row('y', 90, 'youtube'), row('b', null), row('c', 7)]
    expect(ids(shownChannels(rows, { all: false, by: 'viewsAndImpressions', apart: ['youtube'], total: 4 }))).toEqual([
      'c',
      'a',
      'b',
      'y',
    ])
    expect(ids(shownChannels(rows, { all: false, by: undefined, apart: [], total: 4 }))).toEqual(['a', 'y', 'b', 'c'])
  })

  it('are only those that have posts of it', () => {
    expect(ids([row('a', 2), row('b', null), row('c', 0)].filter(hasFigures))).toEqual(['a', 'c'])
  })

  it('hide no single one behind a button', () => {
    // what isn't shown first isn't asked for
    const many = (n: number, asked: number) => Array.from({ length: Math.min(n, asked) }, (_, i) => row(String(i), i))
    const shown = (n: number, all = false) =>
      shownChannels(many(n, all ? n : FIRST_CHANNELS + 1), { all, by: undefined, apart: [], total: n }).length
    expect([shown(9), shown(10), shown(10, true)]).toEqual([9, FIRST_CHANNELS, 10])
  })
})
