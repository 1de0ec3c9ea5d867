import { describe, expect, it } from 'vitest'
import { READ_DAYS, unusualOf, type ChannelDays } from './unusual.ts'

/** A channel with 100 views on each day, and these last ones. */
const channel = (
  channelId: string,
  last: readonly (number | null)[],
  more: Partial<ChannelDays['days']> = {},
): ChannelDays => ({
  channelId,
  days: {
    followersLost: [],
    viewsAndImpressions: [[...Array.from({ length: READ_DAYS - last.length }, () => 100), ...last]],
    engagements: [],
    ...more,
  },
})

describe('what was unusual', () => {
  it('is looked for on the last day that is final of all channels', () => {
    expect(unusualOf([channel('a', [500, null])])).toMatchObject({
      daysAgo: 1,
      found: [{ channelId: 'a', figure: 'viewsAndImpressions', value: 500, low: 90, high: 110, standing: 'above' }],
    })
    // the other one has the day before only
    expect(unusualOf([channel('a', [500, 100]), channel('b', [5, null])])).toMatchObject({
      daysAgo: 1,
      found: [
        { channelId: 'a', standing: 'above' },
        { channelId: 'b', standing: 'below' },
      ],
    })
    expect(unusualOf([channel('a', [100, 500]), channel('b', [100, null])])?.found).toEqual([])
  })

  it("isn't held up by a channel that reported nothing for a week", () => {
    const silent = channel(
      'b',
      Array.from({ length: 8 }, () => null),
    )
    expect(unusualOf([channel('a', [500]), silent])).toMatchObject({ daysAgo: 0, found: [{ channelId: 'a' }] })
    expect(unusualOf([silent])).toBeUndefined()
    expect(unusualOf([])).toBeUndefined()
  })

  it('is no single event, and of followers lost only more than usual', () => {
    const lost = (usual: number, last: number) => ({
      followersLost: [[...Array.from({ length: READ_DAYS - 1 }, () => usual), last]],
      viewsAndImpressions: [],
    })
    expect(unusualOf([channel('a', [], lost(0, 3))])?.found).toEqual([])
    expect(unusualOf([channel('a', [], lost(30, 0))])?.found).toEqual([])
    expect(unusualOf([channel('a', [], lost(30, 90))])?.found).toMatchObject([{ figure: 'followersLost', value: 90 }])
  })
})
