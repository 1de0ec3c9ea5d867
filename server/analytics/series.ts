import { sql, type RawBuilder } from 'kysely'
import { breaks, namesOf, summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { FigureName, definitionOf } from '#contract/analytics/catalog/names.ts'
import { engagementNames, viewNames, type FigureKey } from '#contract/analytics/names.ts'
import type { insightsSeries, InsightsBreak } from '#contract/analytics/overview.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import { gainsOf, inRange } from './gains.ts'
import { publishedStates } from './postFigures.ts'
import type { Reader, Scope } from './scope.ts'
import { newest } from './newest.ts'

type Query = QueryOf<typeof insightsSeries>
type Reply = ReplyOf<typeof insightsSeries>
type Line = Reply['series'][number]

/** The most values in one reply: 200 channels over two years. */
const MOST_VALUES = 150_000
const DAY_MS = 86_400_000

/** The figures of posts that lines can show, and what they're made of. */
const madeOf = (name: FigureKey): readonly FigureKey[] =>
  name === 'viewsAndImpressions' ? viewNames : name === 'engagements' ? engagementNames : [name]

/**
 * Figures by day. Throws BAD_INPUT for names that the subject has no lines of, and for more values than one reply may
 * have.
 */
export async function readSeries(
  c: Reader,
  scope: Scope,
  { names, by, subject }: Omit<Query, 'from' | 'to'>,
): Promise<Reply> {
  const days = daysOf(scope.range)
  const isKnown = (name: FigureKey) =>
    subject === 'channel'
      ? namesOf('channel').some((known) => known === name)
      : name === 'published' || madeOf(name).every((part) => summedPostFigures.some((known) => known === part))
  const unknown = names.filter((name) => !isKnown(name))
  if (unknown.length > 0) throw fail('BAD_INPUT', { errors: { names: [`No values by day: ${unknown.join(', ')}`] } })
  const most = by === 'channel' ? scope.channels.length : by === 'platform' ? platformsOf(scope).length : 1
  if (days.length * names.length * most > MOST_VALUES)
    throw fail('BAD_INPUT', { errors: { names: ['Choose fewer figures, channels or days'] } })
  const all = { ...scope, range: { ...scope.range, compare: null } }
  const summed = { ...all, channels: scope.channels.filter(({ platformName }) => !scope.apart.includes(platformName)) }
  const lines: Line[] = []
  let asOf: string | null = null
  for (const name of new Set(names)) {
    // posts are counted by us, whatever platforms' terms say; a platform's own figure may have a line of its own
    const isOwn = name === 'published' || (by !== 'total' && FigureName.safeParse(name).success)
    const of = isOwn ? all : summed
    const found = await readLines(c, of, { subject, name, by })
    // what we count is 0 where there's nothing
    if (name === 'published' && by === 'total' && found.length === 0)
      found.push({ key: 'total', read_at: null, points: [] })
    for (const { key, read_at, points } of found) {
      const values = days.map((): number | null => null)
      for (const [day, value] of points) values[day] = value
      lines.push({ key, subject, name, values: name === 'published' ? values.map((value) => value ?? 0) : values })
      asOf = newest([asOf, read_at])
    }
  }
  return { range: scope.range, days, series: lines, breaks: breaksOf(scope, subject, names), asOf }
}

type Points = { key: string; read_at: string | null; points: [day: number, value: number][] }

async function readLines(
  c: Reader,
  scope: Scope,
  { subject, name, by }: Pick<Query, 'subject' | 'by'> & { name: FigureKey },
): Promise<Points[]> {
  const ids = scope.channels.map(({ channelId }) => channelId)
  if (ids.length === 0 || (subject === 'channel' && scope.posts !== null)) return []
  const platforms = scope.channels.map(({ platformName }) => platformName)
  const key =
    by === 'total'
      ? sql`'total'`
      : by === 'channel'
        ? sql`v.channel_id::text`
        : sql`(select k.platform from of_platform k where k.id = v.channel_id)`
  const valued = subject === 'post' ? postValues(c, scope, name, ids) : channelValues(c, scope, name, ids, by)
  if (!valued) return []
  const isLevel = subject === 'channel' && definitionOf(FigureName.parse(name)).adds === 'last' && by !== 'channel'
  const { rows } = await sql<Points>`
    with of_platform as materialized (select * from unnest(${ids}::uuid[], ${platforms}::text[]) k(id, platform)),
    by_day as (
      select ${key} as key, v.day, sum(v.value) as value, max(v.read_at) as read_at from (${valued}) v group by 1, 2 having sum(v.told) > 0
    ), points as (
      select key, day, read_at, ${isLevel ? sql`sum(value) over (partition by key order by day)` : sql`value`} as value from by_day
    )
    select key, to_char(max(read_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as read_at, json_agg(json_build_array(day - ${scope.range.from}::date, value) order by day) as points
    from points group by key order by key`.execute(c.tx)
  return rows
}

function postValues(c: Reader, scope: Scope, name: FigureKey, ids: readonly string[]): RawBuilder<unknown> {
  const { org, project } = c
  if (name !== 'published')
    return sql`select g.channel_id, g.day, g.gain as value, g.read_at, g.readings as told from ${gainsOf(c, scope, madeOf(name))} g`
  if (scope.posts === null)
    return sql`
      select f.channel_id, f.day, f.n as value, null::timestamptz as read_at, 1 as told from post_count f
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.state = any(${publishedStates}::text[]) and f.channel_id = any(${[...ids]}::uuid[]) and ${inRange(scope.range, sql`f.day`)}`
  return sql`
    select f.channel_id, f.day, 1 as value, null::timestamptz as read_at, 1 as told from (
      select p.channel_id, (p.shown_at at time zone ${project.zone})::date as day from measured_post p
      where p.org_id = ${org.orgId} and p.project_id = ${project.projectId} and p.listed and p.channel_id = any(${[...ids]}::uuid[]) and ${scope.posts}) f
    where ${inRange(scope.range, sql`f.day`)}`
}

/**
 * Values of channels by day. Levels of several channels are added as they change: a channel keeps its last value on days
 * without one. Unique people and averages aren't added: null.
 */
function channelValues(
  { org }: Reader,
  { range }: Scope,
  name: FigureKey,
  ids: readonly string[],
  by: Query['by'],
): RawBuilder<unknown> | null {
  const { adds } = definitionOf(FigureName.parse(name))
  if (adds === 'none' && by !== 'channel') return null
  const value =
    adds === 'last' && by !== 'channel'
      ? sql`f.value - coalesce(lag(f.value) over (partition by f.channel_id order by f.day), 0)`
      : sql`f.value`
  return sql`
    select f.channel_id, f.day, ${value} as value, f.read_at, 1 as told from channel_figure f
    where f.org_id = ${org.orgId} and f.channel_id = any(${[...ids]}::uuid[]) and f.name = ${name} and ${inRange(range, sql`f.day`)}`
}

function daysOf({ from, to }: Scope['range']): string[] {
  const first = Date.parse(from)
  const length = (Date.parse(to) - first) / DAY_MS + 1
  return Array.from({ length }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10))
}

const platformsOf = ({ channels }: Scope): PlatformKey[] => [
  ...new Set(channels.map(({ platformName }) => platformName)),
]

/** The breaks of the range in how the platforms of the scope count these figures. */
function breaksOf(scope: Scope, subject: Query['subject'], names: readonly FigureKey[]): InsightsBreak[] {
  const parts = new Set(names.flatMap(madeOf))
  return breaks.filter(
    ({ date, platform, figure, subject: of }) =>
      of === subject &&
      parts.has(figure) &&
      date >= scope.range.from &&
      date <= scope.range.to &&
      platformsOf(scope).includes(platform),
  )
}
