import { harmless, writeCsv } from '#contract/csv.ts'
import { valueText, withUnit } from '#contract/values.ts'
import type { ChartData, HeatData } from './data.ts'
import { shortDay } from './days.ts'
import { finalWords, notesOf } from './notes.ts'

/** The same data as a chart: the first column names the row, a gap is null. */
export type ChartTable = {
  head: readonly string[]
  rows: readonly {
    name: string
    values: readonly (number | null)[]
    /** What else is to say, such as that it isn't final; only where any row has something. */ notes?: string
  }[]
}

export function tableOf(data: ChartData, first = data.axis.kind === 'days' ? 'Day' : 'Name'): ChartTable {
  const { axis, series, unit } = data
  const notes = axis.keys.map((_, i) => notesOf(data, i).join('; '))
  const hasNotes = notes.some((note) => note !== '')
  return {
    head: [first, ...series.map(({ name }) => withUnit(name, unit)), ...(hasNotes ? ['Notes'] : [])],
    rows: axis.keys.map((name, i) => ({
      name,
      values: series.map(({ values }) => values[i] ?? null),
      ...(hasNotes ? { notes: notes[i] ?? '' } : {}),
    })),
  }
}

export const heatTable = ({ rows, columns, values }: HeatData, first: string): ChartTable => ({
  head: [first, ...columns],
  rows: rows.map((name, row) => ({ name, values: columns.map((_, column) => values[row]?.[column] ?? null) })),
})

/** RFC 4180 with a byte order mark for spreadsheets. Numbers are written in full, gaps are empty. */
export const csvOf = ({ head, rows }: ChartTable): string =>
  `\uFEFF${writeCsv([
    head.map(harmless),
    ...rows.map(({ name, values, notes }) => [
      harmless(name),
      ...values.map((value) => (value === null ? '' : String(value))),
      ...(notes === undefined ? [] : [harmless(notes)]),
    ]),
  ])}`

/** What a screen reader announces in place of the picture: "Views by day, 17 Nov to 23 Nov: Views 12,480". */
export function summaryOf(label: string, data: ChartData): string {
  const { axis, series, unit, adds = 'sum' } = data
  const final = finalWords(data)
  const textOf = axis.kind === 'days' ? shortDay : (key: string) => key
  const [first = '', last = ''] = [axis.keys[0], axis.keys.at(-1)]
  const span =
    axis.keys.length > 1 ? `${textOf(first)} to ${textOf(last)}` : axis.keys.length === 1 ? textOf(first) : ''
  const each = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null)
    const [lowest, highest] = [Math.min(...known), Math.max(...known)]
    if (known.length === 0) return `${name} no data`
    if (adds === 'sum')
      return `${name} ${valueText(
        known.reduce((sum, value) => sum + value, 0),
        unit,
      )}`
    if (adds === 'last') return `${name} ${valueText(known.at(-1) ?? null, unit)}`
    return `${name} from ${valueText(lowest, unit)} to ${valueText(highest, unit)}`
  })
  return `${label}${span ? `, ${span}` : ''}: ${each.length > 0 ? each.join(', ') : 'no data'}${final === null ? '' : `. ${final}`}`
}
