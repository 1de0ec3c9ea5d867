import { sql } from 'kysely'
import { LEVEL_DAYS, type Level } from '#contract/analytics/growth.ts'
import type { Reader } from '../analytics/scope.ts'
import { addDays, daysIn } from '../rangeDays.ts'

/** Where followers are kept, by whom they follow. */
type Of = { table: 'channel_figure' | 'competitor_figure'; key: 'channel_id' | 'competitor_id'; ids: readonly string[] }

/** The last numbers of followers at or before these days, by account and day. */
export async function readLevels(
  { tx, org }: Pick<Reader, 'tx' | 'org'>,
  { table, key, ids }: Of,
  days: readonly string[],
): Promise<Map<string, Level>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Level & { id: string; at: string }>`
    select a.id, at.day::text as at, f.value::float8 as value, f.day::text as day
    from unnest(${[...ids]}::uuid[]) a(id) cross join unnest(${[...days]}::date[]) at(day) cross join lateral (
      select value, day from ${sql.table(table)}
      where org_id = ${org.orgId} and ${sql.ref(key)} = a.id and name = 'followers' and day <= at.day and day >= at.day - ${LEVEL_DAYS}::int
      order by day desc limit 1
    ) f`.execute(tx)
  return new Map(rows.map(({ id, at, ...level }) => [levelKey(id, at), level]))
}

export const levelKey = (id: string, day: string): string => `${id} ${day}`

/** The first numbers of followers in these ranges, by account and the range's first day. */
export async function readFirstLevels(
  { tx, org }: Pick<Reader, 'tx' | 'org'>,
  { table, key, ids }: Of,
  ranges: readonly { from: string; to: string }[],
): Promise<Map<string, Level>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Level & { id: string; first: string }>`
    select a.id, span.first::text as first, f.value::float8 as value, f.day::text as day
    from unnest(${[...ids]}::uuid[]) a(id) cross join unnest(${ranges.map(({ from }) => from)}::date[], ${ranges.map(({ to }) => to)}::date[]) span(first, last) cross join lateral (
      select value, day from ${sql.table(table)}
      where org_id = ${org.orgId} and ${sql.ref(key)} = a.id and name = 'followers' and day between span.first and span.last
      order by day limit 1
    ) f`.execute(tx)
  return new Map(rows.map(({ id, first, ...level }) => [levelKey(id, first), level]))
}

/** The followers on each of these days; null where none were read. */
export async function readFollowers(
  { tx, org }: Pick<Reader, 'tx' | 'org'>,
  { table, key, ids }: Of,
  range: { from: string; to: string },
): Promise<Map<string, (number | null)[]>> {
  const length = daysIn(range)
  const lines = new Map(ids.map((id) => [id, Array.from({ length }, (): number | null => null)]))
  if (ids.length === 0) return lines
  const { rows } = await sql<{ id: string; nth: number; value: number }>`
    select ${sql.ref(key)} as id, (day - ${range.from}::date)::int as nth, value::float8 as value from ${sql.table(table)}
    where org_id = ${org.orgId} and ${sql.ref(key)} = any(${[...ids]}::uuid[]) and name = 'followers' and day between ${range.from}::date and ${range.to}::date`.execute(
    tx,
  )
  for (const { id, nth, value } of rows) lines.get(id)?.splice(nth, 1, value)
  return lines
}

/** The days of a range. */
export const listDays = (range: { from: string; to: string }): string[] =>
  Array.from({ length: daysIn(range) }, (_, nth) => addDays(range.from, nth))
