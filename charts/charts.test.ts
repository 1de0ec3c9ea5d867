import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawBars } from './bars.ts'
import type { ChartData, Drawing } from './data.ts'
import { drawLine } from './line.ts'
import { chart, days, marksOf, SIZE } from './testCharts.ts'
import { textWidth } from './text.ts'

const anyValues = fc.array(fc.option(fc.integer({ min: -1e9, max: 1e9 }), { nil: null }), { maxLength: 800 })

/** Every coordinate in a path's data. */
const numbersIn = (d: string) => d.match(/-?\d+(?:\.\d+)?(?:e-?\d+)?/g)?.map(Number) ?? []
const ends = (d: string) => {
  const numbers = numbersIn(d)
  return { first: numbers[0], last: numbers.at(-2) }
}
/** Labels that would touch. */
const touching = ({ xTicks }: Drawing) =>
  xTicks.filter((tick, i) => {
    const before = xTicks[i - 1]
    if (!before) return false
    const start = tick.at - textWidth(tick.text) * { start: 0, middle: 0.5, end: 1 }[tick.anchor]
    return start < before.at + textWidth(before.text) * { start: 1, middle: 0.5, end: 0 }[before.anchor]
  })

describe('a line', () => {
  it("doesn't bridge gaps", () => {
    const drawing = drawLine(chart([1, 2, null, null, 5, 6, 7]), SIZE)
    const lines = marksOf(drawing, 'line')
    expect(lines).toHaveLength(2)
    const at = drawing.positions
    expect(ends(lines[0]?.d ?? '')).toEqual({
      first: expect.closeTo(at[0] ?? 0, 2),
      last: expect.closeTo(at[1] ?? 0, 2),
    })
    expect(ends(lines[1]?.d ?? '')).toEqual({
      first: expect.closeTo(at[4] ?? 0, 2),
      last: expect.closeTo(at[6] ?? 0, 2),
    })
    expect(drawing.heights[0]?.ys[2]).toBeNull()
  })

  it('shows a value between two gaps, and a single one, as a dot', () => {
    expect(marksOf(drawLine(chart([1, null, 9, null, 2]), SIZE), 'dot')).toHaveLength(3)
    const one = drawLine(chart([42]), SIZE)
    expect(marksOf(one, 'line')).toEqual([])
    expect(marksOf(one, 'dot')).toEqual([
      {
        kind: 'dot',
        series: 'views',
        x: expect.closeTo(one.positions[0] ?? 0, 2),
        y: expect.closeTo(one.heights[0]?.ys[0] ?? 0, 2),
      },
    ])
    expect(one.xTicks).toHaveLength(1)
  })

  it.each([
    ['no days', chart([])],
    ['no series', { axis: { kind: 'days', keys: days(3) }, series: [] } satisfies ChartData],
    ['no known value', chart([null, null])],
  ])('draws axes without marks if there are %s', (_, data) => {
    for (const drawing of [drawLine(data, SIZE), drawBars(data, SIZE)]) {
      expect(drawing.marks).toEqual([])
      expect(drawing.yTicks.map(({ text }) => text)).toContain('0')
    }
  })

  it('is straight, so it never shows a value that nobody reported', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const { heights, marks } = drawLine(chart(values), SIZE)
        const known = (heights[0]?.ys ?? []).filter((y) => y !== null)
        for (const mark of marks) {
          if (mark.kind !== 'line') continue
          expect(mark.d).toMatch(/^M[\d.,-]+(?:L[\d.,-]+)+$/)
          const ys = numbersIn(mark.d).filter((_, i) => i % 2 === 1)
          for (const y of ys) expect(known.some((one) => Math.abs(one - y) < 0.01)).toBe(true)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('shows a single compared day as what it is', () => {
    const drawing = drawLine(
      chart([], {
        axis: { kind: 'days', keys: days(3) },
        series: [
          { key: 'views', name: 'Views', values: [1, 2, 3] },
          { key: 'before', name: 'Before', values: [null, 2, null], comparedWith: 'views' },
        ],
      }),
      SIZE,
    )
    expect(marksOf(drawing, 'dot').filter(({ compared }) => compared)).toHaveLength(1)
    expect(marksOf(drawing, 'dot')).toHaveLength(4)
  })

  it('keeps every peak of 731 days while it draws fewer points', () => {
    const values = Array.from({ length: 731 }, (_, i) => (i % 97 === 13 ? 9000 + i : 100 + (i % 7)))
    const drawing = drawLine(chart(values), { width: 200, height: 180 })
    const d = marksOf(drawing, 'line')[0]?.d ?? ''
    expect(numbersIn(d).length / 2).toBeLessThan(600)
    const drawn = numbersIn(d)
    const isDrawn = (wanted: number | null | undefined) => drawn.some((one) => Math.abs(one - (wanted ?? NaN)) < 0.01)
    const peaks = values.flatMap((value, i) => (value < 9000 ? [] : [i]))
    expect(peaks.length).toBeGreaterThan(5)
    for (const i of peaks) {
      expect(isDrawn(drawing.positions[i])).toBe(true)
      expect(isDrawn(drawing.heights[0]?.ys[i])).toBe(true)
    }
  })

  it('holds zero for what is gained, and goes below it for losses', () => {
    const drawing = drawLine(chart([5, -3, 4]), SIZE)
    expect(drawing.baseline).toBeGreaterThan(drawing.plot.top)
    expect(drawing.heights[0]?.ys[1]).toBeGreaterThan(drawing.baseline ?? 0)
  })

  it('shows how followers change although there are many', () => {
    const drawing = drawLine(chart([10_020, 10_040, 10_060], { adds: 'last' }), SIZE)
    const [first = 0, , last = 0] = drawing.heights[0]?.ys ?? []
    expect((first ?? 0) - (last ?? 0)).toBeGreaterThan(60)
    expect(drawing.baseline).toBeNull()
    expect(marksOf(drawing, 'area')).toEqual([])
    // 10,020 and 10,040 would both be 10K
    expect(new Set(drawing.yTicks.map(({ text }) => text)).size).toBe(drawing.yTicks.length)
  })

  it('draws the compared series dashed, in the same color, below the other', () => {
    const drawing = drawLine(
      chart([], {
        axis: { kind: 'days', keys: days(2) },
        series: [
          { key: 'views', name: 'Views', values: [1, 2] },
          { key: 'before', name: 'Before', values: [2, 1], comparedWith: 'views' },
        ],
      }),
      SIZE,
    )
    expect(marksOf(drawing, 'line').map(({ series, compared = false }) => ({ series, compared }))).toEqual([
      { series: 'views', compared: true },
      { series: 'views', compared: false },
    ])
  })

  it('marks breaks within its days, and no others', () => {
    const [, second = ''] = days(3)
    const drawing = drawLine(
      chart([1, 2, 3], {
        breaks: [
          { at: second, text: 'Counted from the first frame' },
          { at: '2020-01-01', text: 'Long ago' },
        ],
      }),
      SIZE,
    )
    expect(drawing.breaks).toEqual([
      { x: expect.closeTo(drawing.positions[1] ?? 0, 2), text: 'Counted from the first frame' },
    ])
  })
})

describe('labels', () => {
  it.each([1, 2, 7, 30, 31, 90, 365, 731])("don't touch each other on %i days, at any width", (count) => {
    for (const width of [280, 358, 600, 1100]) {
      const drawing = drawLine(chart(Array.from({ length: count }, () => 3)), { width, height: 180 })
      expect(touching(drawing)).toEqual([])
      expect(drawing.xTicks.length).toBeGreaterThan(0)
      for (const { at, text, anchor } of drawing.xTicks) {
        const start = at - textWidth(text) * { start: 0, middle: 0.5, end: 1 }[anchor]
        expect(start).toBeGreaterThanOrEqual(-0.01)
        expect(start + textWidth(text)).toBeLessThanOrEqual(width + 0.01)
      }
    }
  })

  it('name the last day of a short range, and months of a long one', () => {
    expect(drawLine(chart([1, 2, 3]), SIZE).xTicks.map(({ text }) => text)).toEqual(['20 Nov', '21 Nov', '22 Nov'])
    const texts = drawLine(chart(Array.from({ length: 731 }, () => 1)), SIZE).xTicks.map(({ text }) => text)
    expect(texts).toEqual([
      'Jan 2025',
      'Apr 2025',
      'Jul 2025',
      'Oct 2025',
      'Jan 2026',
      'Apr 2026',
      'Jul 2026',
      'Oct 2026',
    ])
  })

  it('of values are different, in order, fit beside the chart, and include the extremes', () => {
    fc.assert(
      fc.property(anyValues, fc.constantFrom('sum' as const, 'last' as const), (values, adds) => {
        const drawing = drawLine(chart(values, { adds }), SIZE)
        const texts = drawing.yTicks.map(({ text }) => text)
        expect(new Set(texts).size).toBe(texts.length)
        expect(texts.length).toBeGreaterThan(1)
        expect(texts.length).toBeLessThan(8)
        for (const text of texts) expect(textWidth(text)).toBeLessThan(drawing.plot.left)
        for (const y of drawing.heights[0]?.ys ?? [])
          if (y !== null) {
            expect(y).toBeGreaterThanOrEqual(drawing.plot.top - 0.01)
            expect(y).toBeLessThanOrEqual(drawing.plot.bottom + 0.01)
          }
      }),
    )
  })

  it('are whole for counts, times for seconds, and percentages', () => {
    const texts = (values: number[], unit: ChartData['unit']) =>
      drawLine(chart(values, unit ? { unit } : {}), SIZE).yTicks.map(({ text }) => text)
    expect(texts([0, 1], 'count')).toEqual(['0', '1'])
    expect(texts([0, 90], 'seconds')).toEqual(['00:00', '00:30', '01:00', '01:30'])
    expect(texts([0, 9 * 3600], 'seconds')).toEqual(['0 h', '5 h', '10 h'])
    expect(texts([0, 1.2], 'percent')).toEqual(['0%', '0.5%', '1%', '1.5%'])
  })
})

describe('bars', () => {
  const data: ChartData = {
    axis: { kind: 'days', keys: days(3) },
    series: [
      { key: 'a', name: 'A', values: [3, null, -2] },
      { key: 'b', name: 'B', values: [4, 0, -1] },
    ],
  }

  it('start at zero and are stacked, negative ones below zero', () => {
    const drawing = drawBars(data, SIZE)
    const base = drawing.baseline ?? 0
    const bars = marksOf(drawing, 'bar')
    expect(bars).toHaveLength(4)
    const [a, b, minusA, minusB] = bars
    expect((a?.y ?? 0) + (a?.height ?? 0)).toBeCloseTo(base)
    expect((b?.y ?? 0) + (b?.height ?? 0)).toBeCloseTo(a?.y ?? 0)
    expect(minusA?.y).toBeCloseTo(base)
    expect(minusB?.y).toBeCloseTo((minusA?.y ?? 0) + (minusA?.height ?? 0))
    // nothing on top of what isn't known, and no bar for zero
    expect(bars.map(({ series }) => series)).toEqual(['a', 'b', 'a', 'b'])
  })

  it('have what they are compared with as a step over each, which stacks on nothing', () => {
    const drawing = drawBars(
      chart([], {
        axis: { kind: 'days', keys: days(3) },
        series: [
          { key: 'views', name: 'Views', values: [1, 2, 4] },
          { key: 'before', name: 'Before', values: [8, null, 2], comparedWith: 'views' },
        ],
      }),
      SIZE,
    )
    const base = drawing.baseline ?? 0
    expect(marksOf(drawing, 'bar').map(({ y, height }) => y + height)).toEqual(
      [1, 2, 3].map(() => expect.closeTo(base, 1)),
    )
    const before = marksOf(drawing, 'line')
    // a gap stays a gap, and a single day is as wide as its bar's place
    expect(before).toHaveLength(2)
    for (const { d, compared } of before) {
      expect(compared).toBe(true)
      expect(d).toMatch(/^M[\d.]+,[\d.]+H[\d.]+$/)
    }
    expect(drawing.heights[1]?.ys[1]).toBeNull()
  })

  it('stand beside each other if grouped', () => {
    const bars = marksOf(drawBars(data, SIZE, { grouped: true }), 'bar')
    const [a, b] = bars
    expect((a?.x ?? 0) + (a?.width ?? 0)).toBeCloseTo(b?.x ?? 0)
  })

  it('keep zero in the chart whatever the values', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const { baseline, plot, marks } = drawBars(chart(values), SIZE)
        expect(baseline).toBeGreaterThanOrEqual(plot.top - 0.01)
        expect(baseline).toBeLessThanOrEqual(plot.bottom + 0.01)
        for (const mark of marks)
          if (mark.kind === 'bar')
            expect(
              Math.min(Math.abs(mark.y - (baseline ?? 0)), Math.abs(mark.y + mark.height - (baseline ?? 0))),
            ).toBeLessThan(1.01)
      }),
    )
  })

  it('keep the peaks of 731 days on a phone', () => {
    const values = Array.from({ length: 731 }, (_, i) => (i === 400 ? 5000 : 10))
    const drawing = drawBars(chart(values), { width: 300, height: 180 })
    const bars = marksOf(drawing, 'bar')
    expect(bars.length).toBeLessThan(300)
    expect(Math.min(...bars.map(({ y }) => y))).toBeCloseTo(drawing.heights[0]?.ys[400] ?? 0)
  })
})
