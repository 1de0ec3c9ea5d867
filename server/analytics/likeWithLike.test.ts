import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breaks as allBreaks } from '#contract/analytics/catalog/catalog.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import {
  addParts,
  compareRates,
  compareSums,
  likeOf,
  type ChannelRate,
  type ChannelSums,
  type Comparing,
} from './likeWithLike.ts'

const TODAY = '2026-11-21'
const comparing = (more: Partial<Comparing> = {}): Comparing => ({
  range: { from: '2026-11-15', to: TODAY, compare: { from: '2026-11-08', to: '2026-11-14' } },
  today: TODAY,
  breaks: [],
  ...more,
})

/** What a channel's days amount to, as the query adds them up: by the distance from the start of each range. */
function channelOf(
  days: ReadonlyMap<string, number>,
  { range, today }: Comparing,
  more: Partial<ChannelSums> = {},
): ChannelSums {
  const side = (span: { from: string; to: string } | null) =>
    span === null
      ? []
      : Array.from({ length: daysIn(span) }, (_, at) => ({ at, day: addDays(span.from, at) })).flatMap(
          ({ at, day }) => {
            const value = days.get(day)
            return value === undefined ? [] : [{ at, value, isOver: day < today }]
          },
        )
  const [now, before] = [side(range), side(range.compare)]
  const pairs = now.flatMap((one) => {
    const other = before.find(({ at }) => at === one.at)
    return other && one.isOver && other.isOver ? [{ value: one.value, before: other.value }] : []
  })
  const sum = (values: readonly number[]) => (values.length === 0 ? null : values.reduce((a, b) => a + b, 0))
  const counts = { days: now.length, daysBefore: before.length }
  const common = {
    value: sum(pairs.map(({ value }) => value)),
    before: sum(pairs.map((one) => one.before)),
    days: pairs.length,
  }
  return {
    platform: 'facebook',
    delayDays: 2,
    keepDays: null,
    value: sum(now.map(({ value }) => value)),
    before: sum(before.map(({ value }) => value)),
    ...counts,
    like: likeOf(common, counts),
    finalUntil: null,
    ...more,
  }
}

/** The same value every day of these days, as far as the platform reported it. */
const constant = (value: number, from: string, to: string, gaps: readonly string[] = []) =>
  new Map(
    Array.from({ length: daysIn({ from, to }) }, (_, i) => addDays(from, i)).flatMap((day) =>
      gaps.includes(day) ? [] : [[day, value] as const],
    ),
  )

const full = constant(10, '2026-10-01', TODAY)

describe('a comparison', () => {
  it('divides the days that both sides have, and says from how many', () => {
    const late = new Map([...full].filter(([day]) => day <= '2026-11-19'))
    expect(compareSums([channelOf(late, comparing())], comparing())).toMatchObject({
      value: 50,
      before: 70,
      changePercent: 0,
      compared: { value: 50, before: 50 },
      whyNotComparable: null,
      coverage: { days: 7, reportedDays: 5, daysBefore: 7, reportedDaysBefore: 7, comparedDays: 5 },
    })
  })

  it('leaves out the day that is not over', () => {
    const half = new Map(full).set(TODAY, 1)
    expect(compareSums([channelOf(half, comparing())], comparing())).toMatchObject({
      value: 61,
      changePercent: 0,
      coverage: { reportedDays: 7, comparedDays: 6 },
    })
    const today = comparing({ range: { from: TODAY, to: TODAY, compare: { from: '2026-11-20', to: '2026-11-20' } } })
    expect(compareSums([channelOf(half, today)], today)).toMatchObject({
      changePercent: null,
      compared: null,
      whyNotComparable: 'notFinal',
    })
  })

  it('says of channels with different days how many the fewest and the most are', () => {
    const late = new Map([...full].filter(([day]) => day <= '2026-11-18'))
    const all = [full, late].map((days) => channelOf(days, comparing()))
    expect(compareSums(all, comparing()).coverage).toMatchObject({
      reportedDays: 7,
      leastReportedDays: 4,
      comparedDays: 6,
      leastComparedDays: 4,
      finalUntil: all[1]?.finalUntil,
    })
  })

  it('takes no day from a channel that nothing comes of any more', () => {
    const lost = { ...channelOf(new Map([...full].filter(([day]) => day <= '2026-11-16')), comparing()), isOver: true }
    const own = channelOf(full, comparing())
    expect(compareSums([own, lost], comparing()).coverage.finalUntil).toBe(own.finalUntil)
    expect(compareSums([lost], comparing()).coverage.finalUntil).toBe(lost.finalUntil)
  })

  it('covers channels on both sides, and counts the others', () => {
    const lost = new Map([...full].filter(([day]) => day < '2026-11-15').map(([day]) => [day, 900]))
    const joined = new Map([...full].filter(([day]) => day >= '2026-11-15').map(([day]) => [day, 700]))
    const all = [full, lost, joined].map((days) => channelOf(days, comparing()))
    expect(compareSums(all, comparing())).toMatchObject({
      value: 70 + 4900,
      before: 70 + 6300,
      changePercent: 0,
      coverage: { channels: { both: 1, onlyNow: 1, onlyBefore: 1, notComparable: 0 } },
    })
    expect(compareSums(all.slice(1), comparing())).toMatchObject({
      whyNotComparable: 'differentChannels',
      compared: null,
    })
    expect(compareSums(all.slice(2), comparing()).whyNotComparable).toBe('nothingBefore')
  })

  it('needs at least half of the days of the fuller side, and gives the reason', () => {
    const why = (days: ReadonlyMap<string, number>, more: Partial<ChannelSums> = {}, over = comparing()) =>
      compareSums([channelOf(days, over, more)], over).whyNotComparable
    const until = (last: string) => new Map([...full].filter(([day]) => day <= last))
    expect(why(until('2026-11-17'), { delayDays: 5 })).toBe('notFinal')
    expect(why(until('2026-11-18'), { delayDays: 5 })).toBe(null)
    const since = (first: string) => new Map([...full].filter(([day]) => day >= first))
    expect(why(since('2026-11-13'))).toBe('nothingBefore')
    const month = comparing({
      range: { from: '2026-10-23', to: TODAY, compare: { from: '2026-09-23', to: '2026-10-22' } },
    })
    expect(why(since('2026-10-22'), { keepDays: 30 }, month)).toBe('forgotten')
    expect(why(since('2026-10-23'), { keepDays: 30 }, month)).toBe('forgotten')
    // long ago, nothing is still to come
    const old = comparing({
      range: { from: '2026-10-08', to: '2026-10-14', compare: { from: '2026-10-01', to: '2026-10-07' } },
    })
    expect(why(new Map([...full].filter(([day]) => day <= '2026-10-08')), {}, old)).toBe('nothingBefore')
  })

  it('ends at a break in how a platform counts, if that platform is in it', () => {
    const june = comparing({
      range: { from: '2026-06-15', to: '2026-06-30', compare: { from: '2026-05-30', to: '2026-06-14' } },
      breaks: allBreaks.filter(({ platform, subject }) => platform === 'facebook' && subject === 'channel'),
    })
    const days = constant(10, '2026-05-01', '2026-06-30')
    expect(compareSums([channelOf(days, june)], june)).toMatchObject({
      changePercent: null,
      compared: null,
      whyNotComparable: 'break',
      changed: { platform: expect.any(String), date: expect.any(String), note: expect.any(String) },
    })
    expect(compareSums([channelOf(days, june, { platform: 'instagram' })], june).changePercent).toBe(0)
    const later = {
      ...june,
      range: { from: '2026-06-22', to: '2026-06-28', compare: { from: '2026-06-15', to: '2026-06-21' } },
    }
    expect(compareSums([channelOf(days, later)], later).changePercent).toBe(0)
  })

  it('has no percent of nothing and of a loss, and says so', () => {
    const zero = new Map([...full].map(([day]) => [day, day < '2026-11-15' ? 0 : 5]))
    expect(compareSums([channelOf(zero, comparing())], comparing())).toMatchObject({
      changePercent: null,
      whyNotComparable: 'nothingBefore',
      compared: { value: 30, before: 0 },
    })
    expect(compareSums([], comparing())).toMatchObject({ value: null, whyNotComparable: null })
    const alone = comparing({ range: { from: '2026-11-15', to: TODAY, compare: null } })
    expect(compareSums([channelOf(full, alone)], alone)).toMatchObject({
      value: 70,
      before: null,
      whyNotComparable: null,
      coverage: { daysBefore: null, reportedDaysBefore: null },
    })
  })

  it('compares each part of a figure on its own days', () => {
    const late = new Map([...full].filter(([day]) => day <= '2026-11-18'))
    const parts = [channelOf(full, comparing()), channelOf(late, comparing())]
    expect(
      compareSums(
        [addParts(parts)].flatMap((one) => one ?? []),
        comparing(),
      ),
    ).toMatchObject({
      value: 110,
      before: 140,
      compared: { value: 100, before: 100 },
      changePercent: 0,
    })
  })
})

it('says the change of rates in percentage points, of the same channels', () => {
  const rate = (now: [number, number] | null, before: [number, number] | null): ChannelRate => {
    const [value, then] = [now, before].map((pair) => pair && { part: pair[0], whole: pair[1] })
    return {
      ...channelOf(full, comparing()),
      value: value ?? null,
      before: then ?? null,
      like: value && then ? { value, before: then, days: 5 } : null,
    }
  }
  expect(compareRates([rate([50, 1000], [40, 1000]), rate([900, 1000], null)], comparing())).toMatchObject({
    value: 47.5,
    before: 4,
    changePercent: null,
    changePoints: 1,
    compared: { value: 5, before: 4 },
    quotient: { part: 950, whole: 2000 },
    coverage: { channels: { both: 1, onlyNow: 1 } },
  })
  expect(compareRates([rate([5, 10], null)], comparing())).toMatchObject({
    changePoints: null,
    whyNotComparable: 'nothingBefore',
  })
})

const channel = fc.record({
  value: fc.integer({ min: 1, max: 5000 }),
  delay: fc.integer({ min: 0, max: 9 }),
  first: fc.integer({ min: -80, max: -1 }),
  last: fc.integer({ min: -80, max: 0 }),
  gaps: fc.array(fc.integer({ min: -70, max: 0 }), { maxLength: 25 }),
  keepDays: fc.option(fc.constantFrom(10, 30)),
  today: fc.integer({ min: 0, max: 5000 }),
})
const span = fc.record({
  back: fc.integer({ min: 0, max: 20 }),
  length: fc.integer({ min: 1, max: 30 }),
  before: fc.integer({ min: 1, max: 30 }),
  lengthBefore: fc.option(fc.integer({ min: 1, max: 30 })),
})
it('of a constant value is 0.00% or says why there is none: with any delays, gaps, deletions, new and lost channels', () => {
  fc.assert(
    fc.property(
      fc.array(channel, { minLength: 1, maxLength: 6 }),
      span,
      (channels, { back, length, before, lengthBefore }) => {
        const to = addDays(TODAY, -back)
        const from = addDays(to, 1 - length)
        const compareTo = addDays(from, -before)
        const over = comparing({
          range: { from, to, compare: { from: addDays(compareTo, 1 - (lengthBefore ?? length)), to: compareTo } },
        })
        const all = channels.map(({ value, delay, first, last, gaps, keepDays, today }) => {
          const end = addDays(TODAY, Math.min(last < first ? 0 : last, -delay))
          const start = addDays(TODAY, keepDays === null ? first : Math.max(first, -keepDays))
          const days =
            start > end
              ? new Map<string, number>()
              : constant(
                  value,
                  start,
                  end,
                  gaps.map((gap) => addDays(TODAY, gap)),
                )
          // what is known of a day that isn't over is anything
          if (days.has(TODAY)) days.set(TODAY, today)
          return channelOf(days, over, { delayDays: delay, keepDays })
        })
        const { value, before: earlier, changePercent, whyNotComparable, compared } = compareSums(all, over)
        if (value === null && earlier === null) expect([changePercent, whyNotComparable]).toEqual([null, null])
        else if (whyNotComparable !== null) expect([changePercent, compared]).toEqual([null, null])
        else expect(changePercent).toBe(0)
      },
    ),
    { numRuns: 3000 },
  )
})
