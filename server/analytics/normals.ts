import { addsOf } from '#contract/analytics/labels.ts'
import { NORMAL_MOST_DAYS, type NormalRange } from '#contract/analytics/filter.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { DAYS_TO_BEGIN, DAYS_TO_END, readCovered } from './gainSums.ts'
import { midnightsFrom, readMonths, valueOn, type DaysOfFigure } from './months.ts'
import { daysBefore, normalOf } from './normalRange.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { breaksOf } from './totals.ts'
import { sourceFor, wantedRows, type WantedRow } from './wanted.ts'

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
  const summed = names.filter((name) => addsOf(name) === 'sum' && name !== 'published')
  if (days > NORMAL_MOST_DAYS || scope.posts !== null || summed.length === 0) return none
  const wide = { ...scope, range: { from: addDays(from, -daysBefore(days)), to, compare: null } }
  const wanted = wantedRows(scope, new Set(summed))
  const series = await readMonths(c, wide, wanted, 'sum')
  const gains = await readMonths(c, wide, wanted, 'gain')
  const covered = await readCovered(c, wide)
  const length = daysIn(wide.range)
  const rowOf = new Map(wanted.rows.map((row) => [`${row.of} ${row.kind} ${row.name}`, row]))
  const kindOf = new Map(wanted.channels.map(({ id, of }) => [id, of]))
  const lines = new Map<string, Line | null>()
  const lineOf = (channelId: string, kind: 'sum' | 'gain', name: string): Line | null => {
    const key = `${channelId} ${kind} ${name}`
    const made = lines.get(key)
    if (made !== undefined) return made
    const row = rowOf.get(`${kindOf.get(channelId)} ${kind} ${name}`)
    const found = (kind === 'sum' ? series : gains).get(channelId)?.get(name)
    const within = covered.get(channelId)
    const line =
      kind === 'sum'
        ? found && row
          ? ownDays(found, row, wide.range.from, length)
          : null
        : within
          ? gainedDays(found, { from: wide.range.from, length, ...within })
          : null
    lines.set(key, line)
    return line
  }
  return (channels, name) => {
    if (!summed.includes(name)) return null
    const changed = breaksOf('inTheseDays', name, channels, scope)
    if (changed.some(({ date }) => date > wide.range.from && date <= to)) return null
    const all = channels.flatMap((channel) => {
      const source = sourceFor(scope, channel, name)
      const kind = source?.kind === 'series' ? ('sum' as const) : ('gain' as const)
      return (source?.names ?? []).flatMap((part) => {
        const line = lineOf(channel.channelId, kind, part)
        return line ? [line] : []
      })
    })
    return normalOf(all, days)
  }
}

type Line = readonly (number | null)[]

/** A channel's own days, as far as they were read after they were over. */
function ownDays({ now }: DaysOfFigure, { zone }: WantedRow, from: string, length: number): Line {
  const begins = midnightsFrom(from, length + 1, zone)
  return Array.from({ length }, (_, day) =>
    (now.read[day] ?? 0) >= (begins[day + 1] ?? Infinity) ? valueOn(now, day) : null,
  )
}

/** What posts gained on the days that readings cover as a whole. Nothing gained on one of these is 0. */
function gainedDays(
  found: DaysOfFigure | undefined,
  { from, length, first, last }: { from: string; length: number; first: string; last: string },
): Line {
  const low = daysIn({ from, to: addDays(first, DAYS_TO_BEGIN) }) - 1
  const high = daysIn({ from, to: addDays(last, -DAYS_TO_END) }) - 1
  return Array.from({ length }, (_, day) =>
    day < low || day > high ? null : ((found && valueOn(found.now, day)) ?? 0),
  )
}
