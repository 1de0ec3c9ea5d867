import { sql, type RawBuilder } from 'kysely'
import { breaks, namesOf } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf, FigureName } from '#contract/analytics/catalog/names.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import type { insightsSeries, InsightsBreak } from '#contract/analytics/overview.ts'
import { figuresOfBase, partsOf, type Source } from '#contract/analytics/sources.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import { newestRead, readMonths, type DayValues } from './months.ts'
import { newest } from './newest.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { LEVEL_DAYS } from './seriesSums.ts'
import { sourceFor, wantedOf } from './wanted.ts'

type Query = QueryOf<typeof insightsSeries>
type Reply = ReplyOf<typeof insightsSeries>
type Line = Reply['series'][number]
/** What lines are asked for. */
type Asked = Pick<Query, 'base' | 'subject' | 'by'>

/** The most values in one reply: 200 channels over two years. */
const MOST_VALUES = 150_000
const DAY_MS = 86_400_000

/**
 * Figures by day. Throws BAD_INPUT for names that the base and the subject have no lines of, and for more values than one reply
 * may have.
 */
export async function readSeries(
  c: Reader,
  scope: Scope,
  { names, ...asked }: Pick<Query, 'names'> & Asked,
): Promise<Reply> {
  const days = daysOf(scope.range)
  const unknown = names.filter((name) => !hasLines(asked, name))
  if (unknown.length > 0) throw fail('BAD_INPUT', { errors: { names: [`No values by day: ${unknown.join(', ')}`] } })
  const most = asked.by === 'channel' ? scope.channels.length : asked.by === 'platform' ? platformsOf(scope).length : 1
  if (days.length * names.length * most > MOST_VALUES)
    throw fail('BAD_INPUT', { errors: { names: ['Choose fewer figures, channels or days'] } })
  const summed = scope.channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const lines: Line[] = []
  let asOf: string | null = null
  for (const name of new Set(names)) {
    // posts are counted by us, whatever platforms' terms say; a platform's own figure may have a line of its own
    const isOwn = name === 'published' || (asked.by !== 'total' && name !== 'engagements')
    const of = { ...scope, range: { ...scope.range, compare: null }, channels: isOwn ? scope.channels : summed }
    const found = await readLines(c, of, asked, name)
    // what we count is 0 where there's nothing
    if (name === 'published' && asked.by === 'total' && found.length === 0)
      found.push({ key: 'total', read_at: null, points: [] })
    for (const { key, read_at, points } of found) {
      lines.push({ key, name, values: valuesOf(points, days.length, name) })
      asOf = newest([asOf, read_at])
    }
  }
  return { range: scope.range, days, series: lines, breaks: breaksOf(scope, asked, names), asOf }
}

/** Whether there are lines of a figure: of totals, of what is never added but has days, and of what is worked out of them. */
function hasLines({ base, subject }: Asked, name: FigureKey): boolean {
  if (name === 'engagementRate') return false
  if (base === 'postsPublished') return figuresOfBase.postsPublished.includes(name)
  if (subject === 'post')
    return partsOf(name).some((part) => namesOf('post').includes(part) && definitionOf(part).adds === 'sum')
  return (
    name !== 'published' &&
    (figuresOfBase.inTheseDays.includes(name) || partsOf(name).some((part) => namesOf('channel').includes(part)))
  )
}

/** Values by day of the range, counted from its first. */
type Points = { key: string; read_at: string | null; points: [day: number, value: number][] }

function valuesOf(points: Points['points'], length: number, name: FigureKey): (number | null)[] {
  const values = Array.from({ length }, (): number | null => (name === 'published' ? 0 : null))
  for (const [day, value] of points) values[day] = value
  return values
}

async function readLines(c: Reader, scope: Scope, asked: Asked, name: FigureKey): Promise<Points[]> {
  if (scope.channels.length === 0) return []
  const isLevel = FigureName.safeParse(name).success && definitionOf(FigureName.parse(name)).adds === 'last'
  if (isLevel && asked.by !== 'channel') return await readLevelLines(c, scope, asked, name)
  const lines = new Map<string, DayValues[]>()
  const keyOfChannel = new Map(
    scope.channels.map(({ channelId, platformName }) => [
      channelId,
      asked.by === 'total' ? 'total' : asked.by === 'channel' ? channelId : platformName,
    ]),
  )
  for (const { kind, names, channels } of readFrom(scope, asked, name))
    for (const [id, figures] of await readMonths(c, scope, wantedOf(channels, kind, names), kind)) {
      const key = keyOfChannel.get(id) ?? id
      lines.set(key, [...(lines.get(key) ?? []), ...[...figures.values()].map(({ now }) => now)])
    }
  return [...lines]
    .map(([key, days]) => ({ key, read_at: newestRead(days), points: pointsOf(days) }))
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

/** The sum of these figures on each day that has one. */
function pointsOf(figures: readonly DayValues[]): Points['points'] {
  const length = figures[0]?.amounts.length ?? 0
  const at = (day: number, what: 'amounts' | 'counts') => figures.reduce((sum, days) => sum + (days[what][day] ?? 0), 0)
  return Array.from({ length }, (_, day) => day).flatMap((day): Points['points'] =>
    at(day, 'counts') > 0 ? [[day, at(day, 'amounts')]] : [],
  )
}

const ofPlatform = ({ channels }: Scope): RawBuilder<unknown> =>
  sql`of_platform as materialized (select * from unnest(${channels.map(({ channelId }) => channelId)}::uuid[], ${channels.map(({ platformName }) => platformName)}::text[]) k(id, platform))`
const keyOf = ({ by }: Asked): RawBuilder<unknown> =>
  by === 'total'
    ? sql`'total'`
    : by === 'channel'
      ? sql`v.channel_id::text`
      : sql`(select k.platform from of_platform k where k.id = v.channel_id)`

/** Which figures a line is made of, and of which channels: those with the same source together. */
function readFrom(scope: Scope, asked: Asked, name: FigureKey) {
  if (asked.base === 'postsPublished') return [{ kind: 'post' as const, names: [name], channels: scope.channels }]
  const sourced = scope.channels.flatMap((channel) => {
    const source = sourceOf(scope, channel, asked, name)
    return source ? [{ channel, source }] : []
  })
  return [...Map.groupBy(sourced, ({ source: { kind, names } }) => `${kind} ${names.join()}`).values()].map(
    (group) => ({
      kind: group[0]?.source.kind === 'series' ? ('sum' as const) : ('gain' as const),
      names: group[0]?.source.names ?? [],
      channels: group.map(({ channel }) => channel),
    }),
  )
}

/** Where a channel's line comes from. What is never added, such as reach, only has lines of channels. */
function sourceOf(scope: Scope, channel: ScopeChannel, { subject, by }: Asked, name: FigureKey): Source | undefined {
  if (subject === 'post') return sourceFor({ posts: sql<boolean>`true` }, channel, name)
  const known = FigureName.safeParse(name)
  if (known.success && definitionOf(known.data).adds === 'none')
    return by === 'channel' && scope.posts === null ? { kind: 'series', names: [known.data] } : undefined
  return sourceFor(scope, channel, name)
}

const idsOf = (channels: readonly ScopeChannel[]) => channels.map(({ channelId }) => channelId)

/**
 * Levels of several channels together. Each channel has its last value from before the range, keeps it until the next one, and
 * its last one for 7 days.
 */
async function readLevelLines(c: Reader, scope: Scope, asked: Asked, name: FigureKey): Promise<Points[]> {
  const channels = scope.channels.filter((channel) => sourceOf(scope, channel, asked, name) !== undefined)
  if (channels.length === 0) return []
  const { from, to } = scope.range
  const where = sql`f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = ${name}`
  const { rows } = await sql<Points>`
    with ${ofPlatform(scope)}, ch as (select * from unnest(${idsOf(channels)}::uuid[]) c(id)),
    known as (
      select ch.id as channel_id, f.day, f.value, f.read_at from ch join channel_figure f on ${where} and f.day between ${from}::date and ${to}::date
      union all
      select ch.id, l.day, l.value, l.read_at from ch cross join lateral (select f.day, f.value, f.read_at from channel_figure f where ${where} and f.day < ${from}::date order by f.day desc limit 1) l
    ), spans as (
      select channel_id, value, read_at, greatest(day, ${from}::date) as first, coalesce(lead(day) over (partition by channel_id order by day), least(day + ${LEVEL_DAYS + 1}::int, ${to}::date + 1)) as next
      from known
    ), steps as (
      select ${keyOf(asked)} as key, v.at, sum(v.value) as value, sum(v.channels) as channels, max(v.read_at) as read_at
      from (select channel_id, first as at, value, 1 as channels, read_at from spans where next > first union all select channel_id, next, -value, -1, null from spans where next > first) v
      group by 1, 2
    ), points as (
      select key, at, read_at, sum(value) over w as value, sum(channels) over w as channels from steps where at <= ${to}::date window w as (partition by key order by at)
    )
    select key, ${iso(sql`max(read_at)`)} as read_at, json_agg(json_build_array(at - ${from}::date, case when channels > 0 then value end) order by at) as points
    from points group by key order by key`.execute(c.tx)
  const length = daysOf(scope.range).length
  return rows.map((row) => ({ ...row, points: untilNext(row.points, length) }))
}

/** Each value on all days until the next one. */
function untilNext(points: readonly [number, number | null][], length: number): Points['points'] {
  return points.flatMap(([day, value], i): Points['points'] => {
    if (value === null) return []
    const next = points[i + 1]?.[0] ?? length
    return Array.from({ length: next - day }, (_, n): [number, number] => [day + n, value])
  })
}

const iso = (instant: RawBuilder<unknown>) =>
  sql`to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

function daysOf({ from, to }: Scope['range']): string[] {
  const first = Date.parse(from)
  const length = (Date.parse(to) - first) / DAY_MS + 1
  return Array.from({ length }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10))
}

const platformsOf = ({ channels }: Scope): PlatformKey[] => [
  ...new Set(channels.map(({ platformName }) => platformName)),
]

/** The breaks of the range in how the platforms of the scope count these figures. */
function breaksOf(scope: Scope, asked: Asked, names: readonly FigureKey[]): InsightsBreak[] {
  return breaks.filter(({ date, platform, figure, subject }) => {
    if (date < scope.range.from || date > scope.range.to) return false
    const channel = scope.channels.find(({ platformName }) => platformName === platform)
    return names.some((name) => {
      if (!channel || !partsOf(name).includes(figure)) return false
      if (asked.base === 'postsPublished') return subject === 'post'
      const source = sourceOf(scope, channel, asked, name)
      return (
        source !== undefined && source.names.includes(figure) && (source.kind === 'series') === (subject === 'channel')
      )
    })
  })
}
