import type { ChartData, Drawing, Mark } from './data.ts'

/* What the tests of charts draw. */

export const SIZE = { width: 600, height: 180 }
const daysFrom = (first: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    new Date(Date.parse(`${first}T00:00:00Z`) + i * 86_400_000).toISOString().slice(0, 10),
  )
export const days = (count: number) => daysFrom('2024-11-20', count)
export const chart = (values: readonly (number | null)[], more: Partial<ChartData> = {}): ChartData => ({
  axis: { kind: 'days', keys: days(values.length) },
  series: [{ key: 'views', name: 'Views', values }],
  ...more,
})
export const marksOf = <K extends Mark['kind']>(drawing: Drawing, kind: K) =>
  drawing.marks.filter((mark): mark is Extract<Mark, { kind: K }> => mark.kind === kind)
