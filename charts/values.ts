import { duration } from '#contract/format.ts'
import type { Unit } from './data.ts'

/** A value as the table and the pointer show it; a gap is a dash. */
export function valueText(value: number | null, unit: Unit = 'count'): string {
  if (value === null) return '\u2013'
  if (unit === 'percent') return `${value.toLocaleString('en', { maximumFractionDigits: 2 })}%`
  if (unit === 'seconds') return value < 0 ? `\u2212${duration(-value)}` : duration(value)
  return value.toLocaleString('en')
}
