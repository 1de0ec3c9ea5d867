import { harmless, writeCsv } from '#contract/csv.ts'
import { valueText, withUnit } from '#contract/values.ts'
import type { ChartData, HeatData } from './data.ts'
import { shortDay } from './days.ts'
import { finalWords, notesOf } from './notes.ts'
import type { ShareDrawing } from './share.ts'

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
    head: [first, ...series.map(({ name, unit: own = unit }) => withUnit(name, own)), ...(hasNotes ? ['Notes'] : [])],
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
  const [first, last] = axis.kind === 'days' ? [axis.keys[0], axis.keys.at(-1)] : []
  const span =
    first === undefined || last === undefined
      ? ''
      : first === last
        ? shortDay(first)
        : `${shortDay(first)} to ${shortDay(last)}`
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

/** "Posts by weekday and hour: from 0 to 12, most on Tue, 09". */
export function heatSummary(label: string, { rows, columns, values, unit }: HeatData): string {
  const known = values.flat().filter((value) => value !== null)
  if (known.length === 0) return `${label}: no data`
  const most = Math.max(...known)
  const row = values.findIndex((one) => one.includes(most))
  const place = `${rows[row]}, ${columns[values[row]?.indexOf(most) ?? 0]}`
  return `${label}: from ${valueText(Math.min(...known), unit)} to ${valueText(most, unit)}, most on ${place}`
}

/** "Followers by country: Germany 62.5%, Austria 37.5%". */
export function shareSummary(label: string, parts: ShareDrawing): string {
  const shown = parts.flatMap(({ name, percent }) =>
    percent === null ? [] : [`${name} ${valueText(percent, 'percent')}`],
  )
  return `${label}: ${shown.length > 0 ? shown.join(', ') : 'no data'}`
}

/** "Views: from 3 to 12, 8 at the end". */
export function lineSummary(label: string, values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null)
  const [least, most, last] = [Math.min(...known), Math.max(...known), known.at(-1) ?? null]
  return `${label}: ${last === null ? 'no data' : `from ${valueText(least)} to ${valueText(most)}, ${valueText(last)} at the end`}`
}
