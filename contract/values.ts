import { durationText } from './format.ts'

// once: making one costs a hundred times as much as using it, and tables have thousands of values
const plain = new Intl.NumberFormat('en')
const twoDecimals = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** How values are shown: a number, seconds as "12 min 5 s", or a percentage. */
export type Unit = 'count' | 'seconds' | 'percent'

/** A value in full, as tables and charts show it, percentages with two decimals; a gap is a dash. */
export function valueText(value: number | null, unit: Unit = 'count'): string {
  if (value === null) return '\u2013'
  if (unit === 'percent') return `${twoDecimals.format(value)}%`
  if (unit === 'seconds') return value < 0 ? `\u2212${durationText(-value)}` : durationText(value)
  return plain.format(value)
}

/** A column's title in a file, whose cells are bare numbers: "Watch time (seconds)". */
export const withUnit = (title: string, unit: Unit = 'count'): string =>
  unit === 'count' ? title : `${title} (${unit === 'seconds' ? 'seconds' : '%'})`
