import type { ComparedFigure } from '#contract/analytics/filter.ts'
import type { FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import { percentChange } from '#contract/format.ts'
import type { Pair } from './totals.ts'

/** A figure with its change, as replies contain it. */
export function compared(subject: FigureSubject, name: FigureKey, { value, before }: Pair): ComparedFigure {
  const percent = value === null || before === null ? undefined : percentChange(value, before)
  return { subject, name, value, before, changePercent: percent === undefined ? null : Number(percent) }
}
