import { describe, expect, it } from 'vitest'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { breaksIn, linesOf, marksOf } from './lines.ts'

const channels = new Map(
  (['facebook', 'instagram', 'bluesky'] as const).map((platformName: PlatformKey, place) => [
    `id-${place}`,
    { shownName: `${platformName} channel`, platformName, place },
  ]),
)
const of = { title: 'Views', channels, platform: undefined }

describe('the lines of a chart', () => {
  it('keep the look of their channel or platform, in whatever order and company they come', () => {
    const lineOf = linesOf('channel', of)
    const all = ['id-0', 'id-1', 'id-2'].map((key) => lineOf(key))
    const alone = linesOf('channel', of)('id-2')
    expect(alone).toEqual(all[2])
    expect(new Set(all.map(({ look }) => look?.color)).size).toBe(3)
    const platformOf = linesOf('platform', of)
    const [first, second] = [platformOf('x'), platformOf('bluesky')]
    expect(first).not.toEqual(second)
    expect(linesOf('platform', { ...of, channels: new Map() })('bluesky')).toEqual(second)
  })

  it("have the platform's color on its own screen", () => {
    const look = linesOf('total', { ...of, platform: 'bluesky' })('total').look
    expect(look?.color).toBe(linesOf('platform', of)('bluesky').look?.color)
    expect(look?.dash).toBe('')
  })

  it('are named differently for channels that were deleted, too', () => {
    const lineOf = linesOf('channel', of)
    expect([lineOf('gone-1').name, lineOf('gone-2').name]).toEqual(['A deleted channel', 'A deleted channel (2)'])
  })
})

describe('what is marked on the axis', () => {
  const reply = {
    range: { from: '2026-11-20', to: '2026-11-22', compare: null },
    posts: [{ day: '2026-11-21', count: 2 }],
    campaigns: [{ campaignId: '1', name: 'Winter', from: '2026-11-20', to: null }],
  }
  it('is posts and campaigns, and no posts where posts are what is drawn', () => {
    expect(marksOf(reply, { withPosts: true })).toEqual([
      { kind: 'campaign', name: 'Winter', from: '2026-11-20', to: null },
      { kind: 'posts', at: '2026-11-21', count: 2 },
    ])
    expect(marksOf(reply, { withPosts: false }).map(({ kind }) => kind)).toEqual(['campaign'])
  })
})

describe('changes in counting', () => {
  const breakOf = (platform: PlatformKey) => ({
    date: '2026-08-27',
    platform,
    subject: 'channel' as const,
    figure: 'views' as const,
    note: 'views-from-first-frame',
  })
  const shown = (by: 'total' | 'platform' | 'channel', keys: string[]) => {
    const series = keys.map((key) => ({ key, name: 'views' as const, values: [1] }))
    const holds = [{ platform: 'facebook' as const, source: 'series' as const, terms: ['Views'] }]
    const reply = { series, breaks: [breakOf('facebook'), breakOf('youtube')] }
    return breaksIn(reply, by, { holds, channels }).map(({ platform }) => platform)
  }

  it('are marked only of platforms whose figures are in the lines', () => {
    expect(shown('total', ['total'])).toEqual(['facebook'])
    expect(shown('platform', ['instagram', 'youtube'])).toEqual(['youtube'])
    expect(shown('channel', ['id-0', 'id-1'])).toEqual(['facebook'])
    expect(shown('channel', ['id-1', 'deleted'])).toEqual(['facebook', 'youtube'])
  })
})
