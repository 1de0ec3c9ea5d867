import { sql } from 'kysely'
import { LEVEL_DAYS } from '#contract/analytics/growth.ts'
import { breaks, namesOf } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf, FigureName } from '#contract/analytics/catalog/names.ts'
import { isCountedHere, type FigureKey } from '#contract/analytics/names.ts'
import type { insightsSeries, InsightsBreak } from '#contract/analytics/overview.ts'
import { figuresOfBase, partsOf, type Source } from '#contract/analytics/sources.ts'
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts'
import type { PlatformKey } from '#contract/platforms/rules.ts'
import { fail } from '../errors.ts'
import { daysIn } from '../rangeDays.ts'
import { firstKnownDay, readKnownPosts } from './knownPosts.ts'
import { newestRead, readMonths, type FiguresByDay } from './months.ts'
import type { DayValues } from './packedDays.ts'
import { newest } from './newest.ts'
import type { Reader, Scope, ScopeChannel } from './scope.ts'
import { sourceFor, wantedOf, type WantedRow } from './wanted.ts'

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
  const gained = await readGained(c, scope, asked, names)
  const summed = scope.channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const lines: Line[] = []
  let asOf: string | null = null
  for (const name of new Set(names)) {
    // what we count has a line whatever platforms' terms say; a platform's own figure may have a line of its own
    const isOwn = isCountedHere(name) || (asked.by !== 'total' && name !== 'engagements')
    const of = { ...scope, range: { ...scope.range, compare: null }, channels: isOwn ? scope.channels : summed }
    const found = await readLines(c, of, asked, name, gained)
    // what we count is 0 where there's nothing
    if (name === 'published' && asked.by === 'total' && found.length === 0)
      found.push({ key: 'total', read_at: null, points: [] })
    const known = name === 'published' ? await readKnownPosts(c, of) : undefined
    for (const { key, read_at, points } of found) {
      const own = of.channels.filter((channel) => keyOf(asked, channel) === key).map(({ channelId }) => channelId)
      const first = known ? firstKnownDay(known, own) : null
      lines.push({ key, name, values: valuesOf(points, days, { isCounted: isCountedHere(name), first }) })
      asOf = newest([asOf, read_at])
    }
  }
  return { range: scope.range, days, series: lines, breaks: breaksOf(scope, asked, names), asOf }
}

/** Whether there are lines of a figure: of totals, of what is never added but has days, and of what is worked out of them. */
export function hasLines({ base, subject }: Asked, name: FigureKey): boolean {
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

/** What we count is 0 where there's nothing, from the first day of which we know the posts. */
function valuesOf(
  points: Points['points'],
  days: readonly string[],
  { isCounted, first }: { isCounted: boolean; first: string | null },
): (number | null)[] {
  const values = days.map((day): number | null => (isCounted && (first === null || day >= first) ? 0 : null))
  for (const [day, value] of points) values[day] = value
  return values
}

/** Of chosen posts, what all of these figures are made of: their readings are gone through once. */
async function readGained(
  c: Reader,
  scope: Scope,
  asked: Asked,
  names: readonly FigureKey[],
): Promise<FiguresByDay | undefined> {
  if (scope.posts === null || asked.base === 'postsPublished') return undefined
  const rows = new Map<string, WantedRow>()
  for (const channel of scope.channels)
    for (const name of names) {
      const { platformName: of } = channel
      for (const part of sourceOf(scope, channel, asked, name)?.names ?? [])
        rows.set(`${of} ${part}`, { of, name: part, kind: 'gain', side: null, delayDays: 0, zone: 'UTC' })
    }
  const channels = scope.channels.map(({ channelId: id, platformName: of }) => ({ id, of }))
  const range = { ...scope.range, compare: null }
  return await readMonths(c, { ...scope, range }, { rows: [...rows.values()], channels }, 'gain')
}

async function readLines(
  c: Reader,
  scope: Scope,
  asked: Asked,
  name: FigureKey,
  gained: FiguresByDay | undefined,
): Promise<Points[]> {
  if (scope.channels.length === 0) return []
  const isLevel = FigureName.safeParse(name).success && definitionOf(FigureName.parse(name)).adds === 'last'
  if (isLevel && asked.by !== 'channel') return await readLevelLines(c, scope, asked, name)
  const lines = new Map<string, DayValues[]>()
  const keyOfChannel = new Map(scope.channels.map((channel) => [channel.channelId, keyOf(asked, channel)]))
  for (const { kind, names, channels } of readFrom(scope, asked, name)) {
    const found = kind === 'gain' && gained ? gained : await readMonths(c, scope, wantedOf(channels, kind, names), kind)
    for (const { channelId: id } of channels) {
      const days = names.flatMap((part) => found.get(id)?.get(part)?.now ?? [])
      if (days.length === 0) continue
      const key = keyOfChannel.get(id) ?? id
      lines.set(key, [...(lines.get(key) ?? []), ...days])
    }
  }
  return [...lines]
    .map(([key, days]) => ({ key, read_at: newestRead(days), points: pointsOf(days) }))
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

/** The line that a channel is in. */
const keyOf = ({ by }: Asked, { channelId, platformName }: ScopeChannel): string =>
  by === 'total' ? 'total' : by === 'channel' ? channelId : platformName

/** The sum of these figures on each day that has one. */
function pointsOf(figures: readonly DayValues[]): Points['points'] {
  const length = figures[0]?.amounts.length ?? 0
  const at = (day: number, what: 'amounts' | 'counts') => figures.reduce((sum, days) => sum + (days[what][day] ?? 0), 0)
  return Array.from({ length }, (_, day) => day).flatMap((day): Points['points'] =>
    at(day, 'counts') > 0 ? [[day, at(day, 'amounts')]] : [],
  )
}

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

/**
 * Levels of several channels together. Each channel has its last value from before the range, keeps it until the next one, and
 * its last one for 7 days.
 */
async function readLevelLines(c: Reader, scope: Scope, asked: Asked, name: FigureKey): Promise<Points[]> {
  const channels = scope.channels.filter((channel) => sourceOf(scope, channel, asked, name) !== undefined)
  const own = await readMonths(c, scope, wantedOf(channels, 'level', [name]), 'level')
  const former = await readFormer(c, scope, channels, name)
  const length = daysIn(scope.range)
  const lines = new Map<string, { values: number[]; counts: number[]; read: number }>()
  for (const { channelId, platformName } of channels) {
    const days = own.get(channelId)?.get(name)?.now
    const reported = days ? [...days.counts.keys()].filter((day) => (days.counts[day] ?? 0) > 0) : []
    const before = former.get(channelId)
    const known = [
      ...(before ? [before] : []),
      ...reported.map((day) => ({ day, value: days?.amounts[day] ?? 0, read: days?.read[day] ?? 0 })),
    ]
    const key = asked.by === 'total' ? 'total' : platformName
    const line = lines.get(key) ?? {
      values: Array.from({ length }, () => 0),
      counts: Array.from({ length }, () => 0),
      read: 0,
    }
    for (const [i, { day, value, read }] of known.entries()) {
      const next = Math.min(known[i + 1]?.day ?? day + LEVEL_DAYS + 1, length)
      for (let at = Math.max(day, 0); at < next; at += 1) {
        line.values[at] = (line.values[at] ?? 0) + value
        line.counts[at] = (line.counts[at] ?? 0) + 1
        line.read = Math.max(line.read, read)
      }
    }
    if (line.read > 0) lines.set(key, line)
  }
  return [...lines]
    .map(([key, { values, counts, read }]) => ({
      key,
      read_at: new Date(read * 1000).toISOString(),
      points: values.flatMap((value, day): Points['points'] => ((counts[day] ?? 0) > 0 ? [[day, value]] : [])),
    }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
}

/** Each channel's last value from before the range; its day is counted from the first of the range, so it's negative. */
async function readFormer(c: Reader, { range: { from } }: Scope, channels: readonly ScopeChannel[], name: FigureKey) {
  const { rows } = await sql<{ id: string; day: number; value: number; read: number }>`
    select ch.id, l.day - ${from}::date as day, l.value, extract(epoch from l.read_at)::float8 as read
    from unnest(${channels.map(({ channelId }) => channelId)}::uuid[]) ch(id) cross join lateral (
      select f.day, f.value, f.read_at from channel_figure f where f.org_id = ${c.org.orgId} and f.channel_id = ch.id and f.name = ${name} and f.day < ${from}::date order by f.day desc limit 1) l`.execute(
    c.tx,
  )
  return new Map(rows.map((row) => [row.id, row]))
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
