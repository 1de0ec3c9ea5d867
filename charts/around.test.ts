import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { drawBars } from './bars.ts'
import type { ChartData } from './data.ts'
import { shapeOf } from './draw.ts'
import { largest } from './largest.ts'
import { drawLine } from './line.ts'
import { looksOf } from './looks.ts'
import { lookAt } from './style.ts'
import { csvOf, summaryOf, tableOf } from './table.ts'
import { chart, days, marksOf, SIZE } from './testCharts.ts'
import { textWidth } from './text.ts'

describe('what suits the data', () => {
  const shape = (count: number, more: Partial<ChartData> = {}) =>
    shapeOf(
      chart(
        Array.from({ length: count }, () => 1),
        more,
      ),
    )
  it('is bars for counts of a month, and lines for levels, unique people, several series and longer ranges', () => {
    expect(shape(7)).toBe('bars')
    expect(shape(31)).toBe('bars')
    expect(shape(32)).toBe('line')
    expect(shape(7, { adds: 'last' })).toBe('line')
    expect(shape(7, { adds: 'none' })).toBe('line')
    const one = { name: 'A', values: [1] }
    expect(
      shape(1, {
        series: [
          { ...one, key: 'a' },
          { ...one, key: 'b' },
        ],
      }),
    ).toBe('line')
    expect(
      shape(1, {
        series: [
          { ...one, key: 'a' },
          { ...one, key: 'b', comparedWith: 'a' },
        ],
      }),
    ).toBe('bars')
  })
})

describe('days that are not final', () => {
  it('are a band to the right, lighter, with the words', () => {
    const data = chart([1, 2, 3, 4], { finalUntil: '2024-11-21' })
    const bars = drawBars(data, SIZE)
    expect(bars.open).toMatchObject({ text: 'Not final after 21 Nov' })
    expect(bars.open?.x).toBeCloseTo(((bars.positions[1] ?? 0) + (bars.positions[2] ?? 0)) / 2, 1)
    expect((bars.open?.x ?? 0) + (bars.open?.width ?? 0)).toBeCloseTo(bars.plot.right)
    expect(marksOf(bars, 'bar').map(({ open = false }) => open)).toEqual([false, false, true, true])
    const line = drawLine(data, SIZE)
    expect(marksOf(line, 'line').map(({ open = false }) => open)).toEqual([false, true])
    expect(tableOf(data).rows.map(({ notes }) => notes)).toEqual(['', '', 'Not final', 'Not final'])
    expect(csvOf(tableOf(data))).toContain('2024-11-23,4,Not final')
    expect(summaryOf('Views by day', data)).toBe('Views by day, 20 Nov to 23 Nov: Views 10. Not final after 21 Nov')
  })

  it('are all of them, or none', () => {
    expect(drawLine(chart([1, 2], { finalUntil: null }), SIZE).open?.text).toBe('None of these days is final yet')
    expect(drawLine(chart([1, 2], { finalUntil: '2024-11-21' }), SIZE).open).toBeNull()
    expect(drawLine(chart([1, 2]), SIZE).open).toBeNull()
    expect(tableOf(chart([1, 2])).head).toEqual(['Day', 'Views'])
  })
})

describe('what happened on the axis', () => {
  const data = chart([1, 2, 3], {
    events: [
      { kind: 'posts', at: '2024-11-21', count: 2 },
      { kind: 'posts', at: '2020-01-01', count: 1 },
      { kind: 'campaign', name: 'Winter roast', from: '2024-11-01', to: '2024-11-21' },
      { kind: 'campaign', name: 'Never ends', from: '2024-11-22', to: null },
      { kind: 'campaign', name: 'Long ago', from: '2020-01-01', to: '2020-02-01' },
    ],
  })

  it('is drawn between the plot and its labels', () => {
    for (const drawing of [drawLine(data, SIZE), drawBars(data, SIZE)]) {
      const [, second = 0, third = 0] = drawing.positions
      expect(drawing.events).toMatchObject([
        { kind: 'posts', x: expect.closeTo(second, 1), text: '2 posts published' },
        { kind: 'campaign', x: drawing.plot.left, to: expect.closeTo(second, 1), begins: false, ends: true },
        { kind: 'campaign', x: expect.closeTo(third, 1), to: drawing.plot.right, begins: true, ends: false },
      ])
      expect(drawing.eventsAt).toBeGreaterThan(drawing.plot.bottom)
      expect(drawing.eventsAt).toBeLessThan(SIZE.height - 14)
    }
  })

  it('is in the table as words', () => {
    expect(tableOf(data).rows.map(({ notes }) => notes)).toEqual([
      '',
      '2 posts published; Winter roast ends',
      'Never ends begins',
    ])
  })
})

describe('names at the ends of lines', () => {
  const many = (count: number, value: (i: number) => number): ChartData =>
    chart([], {
      axis: { kind: 'days', keys: days(7) },
      adds: 'last',
      series: Array.from({ length: count }, (_, i) => ({
        key: String(i),
        name: `Instagram · @channel${i}`,
        values: days(7).map(() => value(i)),
      })),
    })

  it('never overlap, stay in the chart, and are in the order of the values', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 2, maxLength: 20 }), (values) => {
        const { ends, plot } = drawLine(
          many(values.length, (i) => values[i] ?? 0),
          SIZE,
        )
        expect(ends.length).toBe(Math.min(8, values.length))
        ends.forEach(({ y, text, x }, i) => {
          expect(y - (ends[i - 1]?.y ?? -Infinity)).toBeGreaterThanOrEqual(12.9)
          expect(y).toBeGreaterThanOrEqual(plot.top - 0.01)
          expect(y).toBeLessThanOrEqual(plot.bottom + 0.01)
          expect(x + 17 + textWidth(text)).toBeLessThanOrEqual(SIZE.width + 1)
        })
        const ordered = ends.map(({ series }) => values[Number(series)] ?? 0)
        expect(ordered).toEqual(ordered.toSorted((one, other) => other - one))
      }),
    )
  })

  it('are left to the legend where the chart is narrow or has one line', () => {
    expect(
      drawLine(
        many(3, (i) => i),
        { width: 358, height: 180 },
      ).ends,
    ).toEqual([])
    expect(
      drawLine(
        many(1, (i) => i),
        SIZE,
      ).ends,
    ).toEqual([])
  })
})

describe('many series', () => {
  const series = Array.from({ length: 100 }, (_, i) => ({ key: String(i), name: `Channel ${i}`, values: [i, null] }))
  it('are drawn as far as they are the largest, by what they add up to', () => {
    expect([...largest({ series }, 3)]).toEqual(['99', '98', '97'])
    const followers = [
      { key: 'a', name: 'A', values: [900, 1] },
      { key: 'b', name: 'B', values: [2, 2] },
      { key: 'c', name: 'C', values: [null, null] },
    ]
    expect([...largest({ series: followers, adds: 'last' }, 2)]).toEqual(['b', 'a'])
  })

  it('keep their looks when others are left out', () => {
    const own = series.map((one, place) => ({ ...one, look: lookAt(place) }))
    const some = own.filter((_, i) => i % 7 === 3)
    const all = looksOf({ series: own })
    for (const [key, look] of looksOf({ series: some })) expect(look).toEqual(all.get(key))
    // one color and one dash for each, up to 88 of them
    expect(new Set(own.slice(0, 88).map(({ look: { color, dash } }) => `${color} ${dash}`)).size).toBe(88)
  })
})
