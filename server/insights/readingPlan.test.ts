import { describe, expect, it } from 'vitest'
import { nextReading, type Planned } from './readingPlan.ts'

const HOUR = 3_600_000
// ends in 000f: 15 minutes after midnight
const id = '019ab2c3-0000-7000-8000-00000000000f'
const post: Planned = { id, platform: 'facebook', post_type: 'post', published_at: new Date('2026-01-10T09:00:00Z') }

/** All readings, each at the moment that the one before named. */
function plan(of: Planned, zone: string): Date[] {
  const times: Date[] = []
  for (let at = nextReading(of, of.published_at, zone); at !== null; at = nextReading(of, at, zone)) times.push(at)
  return times
}
const text = (times: readonly Date[]) => times.map((at) => at.toISOString().slice(0, 16))

describe("a post's figures", () => {
  it('are read after 1, 6 and 24 hours and soon after each midnight of the project for 30 days', () => {
    const times = text(plan(post, 'America/New_York'))
    expect(times.slice(0, 6)).toEqual([
      '2026-01-10T10:00',
      '2026-01-10T15:00',
      '2026-01-11T05:15',
      '2026-01-11T09:00',
      '2026-01-12T05:15',
      '2026-01-13T05:15',
    ])
    expect(times.filter((at) => at < '2026-02-09T09:00' && at.endsWith('T05:15'))).toHaveLength(30)
  })

  it('then weekly until day 90, monthly until two years, and then no more', () => {
    const days = plan(post, 'UTC')
      .map((at) => (at.getTime() - post.published_at.getTime()) / (24 * HOUR))
      .filter((day) => day > 31)
    expect(days).toEqual([35, 42, 49, 56, 63, 70, 77, 84, 91, ...Array.from({ length: 21 }, (_, i) => 120 + i * 30)])
  })

  it('are read weekly as long as figures may be kept for a month only', () => {
    const days = plan({ ...post, platform: 'youtube' }, 'UTC').map(
      (at) => (at.getTime() - post.published_at.getTime()) / (24 * HOUR),
    )
    expect(days.at(-1)).toBe(728)
    expect(Math.max(...days.slice(1).map((day, i) => day - (days[i] ?? 0)))).toBeLessThanOrEqual(7)
  })

  it('follow the wall clock over its changes', () => {
    const spring = { ...post, published_at: new Date('2026-03-27T20:00:00Z') }
    expect(
      text(plan(spring, 'Europe/Berlin'))
        .filter((at) => at.endsWith(':15'))
        .slice(0, 4),
    ).toEqual([
      '2026-03-27T23:15',
      '2026-03-28T23:15',
      // the clock went forward on the 29th
      '2026-03-29T22:15',
      '2026-03-30T22:15',
    ])
  })

  it('are read once for what was missed, at the next time that is still to come', () => {
    expect(nextReading(post, new Date('2026-02-20T12:00:00Z'), 'UTC')).toEqual(new Date('2026-02-21T09:00:00Z'))
    expect(nextReading(post, new Date('2028-06-01T00:00:00Z'), 'UTC')).toBeNull()
  })

  it('are read before a story ends, and never afterwards', () => {
    const story = { ...post, post_type: 'story' }
    expect(text(plan(story, 'UTC'))).toEqual([
      '2026-01-10T10:00',
      '2026-01-10T15:00',
      '2026-01-10T21:00',
      '2026-01-11T05:00',
      '2026-01-11T08:30',
    ])
    // a late reading is followed by the next one that is still possible
    expect(nextReading(story, new Date('2026-01-11T06:00:00Z'), 'UTC')).toEqual(new Date('2026-01-11T08:30:00Z'))
  })
})
