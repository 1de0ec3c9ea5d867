import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChartData } from './data.ts'
import { drawHeat } from './heat.ts'
import { drawRows } from './rows.ts'
import { drawShare } from './share.ts'
import { drawSpark } from './spark.ts'
import { csvOf, heatTable, summaryOf, tableOf } from './table.ts'
import { chart, days, SIZE } from './testCharts.ts'

const anyValues = fc.array(fc.option(fc.integer({ min: -1e9, max: 1e9 }), { nil: null }), { maxLength: 800 })

describe('horizontal bars', () => {
  it('have one row for each name, from zero, with shortened names and no bar for a gap', () => {
    const { rows, baseline, height } = drawRows(
      {
        axis: { kind: 'names', keys: ['A very long name of a channel that nobody could read here', 'B', 'C'] },
        series: [{ key: 'v', name: 'Views', values: [10, -5, null] }],
      },
      500,
    )
    expect(height).toBe(84)
    expect(rows[0]?.label).toMatch(/^A very.*…$/)
    expect(rows[0]?.bar?.x).toBeCloseTo(baseline)
    expect((rows[1]?.bar?.x ?? 0) + (rows[1]?.bar?.width ?? 0)).toBeCloseTo(baseline)
    expect(rows[2]?.bar).toBeNull()
    expect(rows.map(({ value }) => value.text)).toEqual(['10', '-5', '–'])
  })

  it('draw nothing for nothing', () => {
    expect(drawRows({ axis: { kind: 'names', keys: [] }, series: [] }, 300).rows).toEqual([])
  })

  it('have their whole names where there is room', () => {
    for (const key of ['Women', 'Not known', 'Hamburg, Hamburg', 'Subscriptions for offices']) {
      const [row] = drawRows({ axis: { kind: 'names', keys: [key] }, series: [] }, 600).rows
      expect(row?.label).toBe(key)
    }
  })
})

describe('a heat map', () => {
  const data = {
    rows: ['Mon', 'Tue'],
    columns: ['00', '01'],
    values: [
      [0, 5],
      [null, 10],
    ],
  }

  it('shades by the highest value, and tells zero from a gap', () => {
    expect(drawHeat(data, SIZE).cells.map(({ level }) => level)).toEqual([0, 2, null, 4])
  })
  it('has a table with the same values', () => {
    expect(heatTable(data, 'Day')).toEqual({
      head: ['Day', '00', '01'],
      rows: [
        { name: 'Mon', values: [0, 5] },
        { name: 'Tue', values: [null, 10] },
      ],
    })
  })
})

describe('a sparkline', () => {
  it('leaves gaps open and marks the last value', () => {
    const { lines, end } = drawSpark([1, 2, null, 4, 3], { width: 80, height: 24 })
    expect(lines).toHaveLength(2)
    expect(end?.x).toBeCloseTo(77)
  })
  it('is empty without values, and a dot for one', () => {
    expect(drawSpark([null], { width: 80, height: 24 })).toMatchObject({ lines: [], end: null })
    expect(drawSpark([7], { width: 80, height: 24 })).toMatchObject({ lines: [], end: { y: 12 } })
  })
})

describe('shares', () => {
  it('fill the bar, and their percentages are 100 together', () => {
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.integer({ min: -5, max: 1e6 }), { nil: null }), { maxLength: 12 }),
        (values) => {
          const parts = drawShare({ parts: values.map((value, i) => ({ key: String(i), name: String(i), value })) })
          const drawn = parts.filter(({ percent }) => percent !== null)
          if (drawn.length === 0) return
          expect(drawn.reduce((sum, { percent }) => sum + (percent ?? 0), 0)).toBeCloseTo(100)
          expect(drawn.at(-1)?.to).toBeCloseTo(1)
        },
      ),
    )
  })
})

describe('the table of a chart', () => {
  it('has exactly the values of the chart, in the CSV too', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const table = tableOf(chart(values))
        expect(table.rows.map((row) => row.values[0])).toEqual(values)
        const lines = csvOf(table).slice(1).split('\r\n').slice(1, -1)
        expect(lines).toEqual(values.map((value, i) => `${days(values.length)[i]},${value ?? ''}`))
      }),
    )
  })

  it('gives spreadsheets no formula', () => {
    const data: ChartData = {
      axis: { kind: 'names', keys: ['=1+1'] },
      series: [{ key: 'a', name: '@A', values: [-5] }],
    }
    expect(csvOf(tableOf(data))).toBe("\uFEFFName,'@A\r\n'=1+1,-5\r\n")
  })

  it('is summed up in a name: a sum, the last value, or the range of what may not be added', () => {
    const values = [3, null, 1204]
    expect(summaryOf('Views by day', chart(values))).toBe('Views by day, 20 Nov to 22 Nov: Views 1,207')
    expect(summaryOf('Followers', chart(values, { adds: 'last' }))).toBe('Followers, 20 Nov to 22 Nov: Views 1,204')
    expect(summaryOf('Reach', chart(values, { adds: 'none' }))).toBe('Reach, 20 Nov to 22 Nov: Views from 3 to 1,204')
    expect(summaryOf('Reach', chart([null]))).toBe('Reach, 20 Nov: Views no data')
  })
})
