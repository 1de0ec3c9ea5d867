import type { FigureKey } from '#contract/analytics/names.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { DAYS_TO_BEGIN, DAYS_TO_END, readCovered } from './gainSums.ts'
import { midnightsFrom, readMonths, valueOn, type DaysOfFigure } from './months.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { sourceFor, wantedRows, type WantedRow } from './wanted.ts'

/** What one figure of one channel has on each day of a range; null on days that aren't known as a whole. */
export type Line = readonly (number | null)[]

/**
 * Reads figures that add up by day, as far as each day was over when it was read, of the channels' own days or of what their posts
 * gained. Returns the lines of a figure of some of the channels: one for each part of it that a channel has.
 */
export async function readLines(
  c: Reader,
  scope: Scope,
  names: readonly FigureKey[],
  { final = false }: { /** Only days whose values no longer change. */ final?: boolean } = {},
): Promise<(channels: readonly ScopeChannel[], name: FigureKey) => Line[]> {
  const { from } = scope.range
  const length = daysIn(scope.range)
  const wanted = wantedRows(scope, new Set(names))
  const series = await readMonths(c, { ...scope, posts: null }, wanted, 'sum')
  const gains = await readMonths(c, scope, wanted, 'gain')
  const covered = await readCovered(c, scope)
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
    const own = () =>
      found && row ? ownDays(found, { ...row, delayDays: final ? row.delayDays : 0 }, from, length) : null
    const line = kind === 'sum' ? own() : within ? gainedDays(found, { from, length, ...within }) : null
    lines.set(key, line)
    return line
  }
  return (channels, name) =>
    channels.flatMap((channel) => {
      const source = sourceFor(scope, channel, name)
      const kind = source?.kind === 'series' ? ('sum' as const) : ('gain' as const)
      return (source?.names ?? []).flatMap((part) => {
        const line = lineOf(channel.channelId, kind, part)
        return line ? [line] : []
      })
    })
}

/** A channel's own days, as far as they were read so many days after they were over. */
function ownDays({ now }: DaysOfFigure, { zone, delayDays }: WantedRow, from: string, length: number): Line {
  const begins = midnightsFrom(from, length + 1 + delayDays, zone)
  return Array.from({ length }, (_, day) =>
    (now.read[day] ?? 0) >= (begins[day + 1 + delayDays] ?? Infinity) ? valueOn(now, day) : null,
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
