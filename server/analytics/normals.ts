import { addsOf } from '#contract/analytics/labels.ts'
import { NORMAL_MOST_DAYS, type NormalRange } from '#contract/analytics/filter.ts'
import { isCountedHere, type FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { daysBefore, normalOf } from './normalRange.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { breaksOf } from './totals.ts'
import { readLines } from './wholeDays.ts'

/** The usual range of a figure of these channels together; null where there isn't one. */
export type Normals = (channels: readonly ScopeChannel[], name: FigureKey) => NormalRange | null

const none: Normals = () => null

/**
 * Reads what is usual of these figures, of what happened in the days of the range: the same weekdays of up to 8 earlier periods. Only
 * figures that add up have a usual range, in ranges of up to 30 days, and without a filter for posts, because a campaign has no past.
 */
export async function readNormals(c: Reader, scope: Scope, names: readonly FigureKey[]): Promise<Normals> {
  const { from, to } = scope.range
  const days = daysIn({ from, to })
  const summed = names.filter((name) => addsOf(name) === 'sum' && !isCountedHere(name))
  if (days > NORMAL_MOST_DAYS || scope.posts !== null || summed.length === 0) return none
  const wide = { ...scope, range: { from: addDays(from, -daysBefore(days)), to, compare: null } }
  const linesOf = await readLines(c, wide, summed)
  return (channels, name) => {
    if (!summed.includes(name)) return null
    const changed = breaksOf('inTheseDays', name, channels, scope)
    if (changed.some(({ date }) => date > wide.range.from && date <= to)) return null
    return normalOf(linesOf(channels, name), days)
  }
}
