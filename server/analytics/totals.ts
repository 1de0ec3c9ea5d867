import { sql } from 'kysely'
import { namesOf, summedPostFigures } from '#contract/analytics/catalog/catalog.ts'
import { definitionOf } from '#contract/analytics/catalog/names.ts'
import { engagementNames, viewNames, FigureKey, FigureSubject } from '#contract/analytics/names.ts'
import { gainsOf, inDays, inRange } from './gains.ts'
import { figuresOf, publishedStates } from './postFigures.ts'
import type { Reader, Scope } from './scope.ts'

/** A figure of the range and of the days that it's compared with; null where nothing was told. */
export type Pair = { value: number | null; before: number | null }
export type TotalsKey = `${FigureSubject}.${FigureKey}`
/** What an engagement rate is made of: engagements, and views or impressions, of the posts that have both. */
export type Rated = { part: number; whole: number; partBefore: number; wholeBefore: number }
/** The figures of one channel, by subject and name, and when the newest reading behind them was taken. */
export type ChannelTotals = { figures: Map<TotalsKey, Pair>; rated: Rated; asOf: string | null }

/** The figure of a key. */
export function figureOf(key: TotalsKey): { subject: FigureSubject; name: FigureKey } {
  const [subject, name] = key.split('.')
  return { subject: FigureSubject.parse(subject), name: FigureKey.parse(name) }
}

export const keyOf = (subject: FigureSubject, name: FigureKey): TotalsKey => `${subject}.${name}`

/** The channel's figures that have a total: those that add up, and levels, whose last value counts. */
export const totalChannelFigures = namesOf('channel').filter((name) => definitionOf(name).adds !== 'none')
const levels = totalChannelFigures.filter((name) => definitionOf(name).adds === 'last')
const sums = totalChannelFigures.filter((name) => definitionOf(name).adds === 'sum')

type Row = { channel_id: string; subject: FigureSubject; name: FigureKey; read_at: string | null } & Pair

/** The totals of each channel of the scope. */
export async function readTotals(c: Reader, scope: Scope): Promise<Map<string, ChannelTotals>> {
  const totals = new Map<string, ChannelTotals>()
  const ofChannel = (channelId: string) => {
    const known = totals.get(channelId) ?? { figures: new Map<TotalsKey, Pair>(), rated: unrated, asOf: null }
    totals.set(channelId, known)
    return known
  }
  for (const row of await readRows(c, scope)) {
    const channel = ofChannel(row.channel_id)
    if (row.read_at !== null && (channel.asOf === null || row.read_at > channel.asOf)) channel.asOf = row.read_at
    if (row.value !== null || row.before !== null)
      channel.figures.set(keyOf(row.subject, row.name), { value: row.value, before: row.before })
  }
  // nothing is worked out of figures whose terms forbid it
  const apart = new Set(
    scope.channels.filter((one) => scope.apart.includes(one.platformName)).map((one) => one.channelId),
  )
  for (const { channel_id: channelId, ...rated } of await readRated(c, scope))
    if (!apart.has(channelId)) ofChannel(channelId).rated = rated
  for (const [channelId, { figures, rated }] of totals) {
    if (apart.has(channelId)) continue
    const rate = rateOfAll([rated])
    if (rate.value !== null || rate.before !== null) figures.set(keyOf('post', 'engagementRate'), rate)
    addUp(figures, 'viewsAndImpressions', viewNames)
    addUp(figures, 'engagements', engagementNames)
  }
  return totals
}

const unrated: Rated = { part: 0, whole: 0, partBefore: 0, wholeBefore: 0 }

/** A part of a whole in percent with two decimals; null without a whole. */
export const rateOf = (part: number | null, whole: number | null): number | null =>
  part === null || whole === null || whole === 0 ? null : Math.round((part / whole) * 10_000) / 100

/** The rate of everything together, which isn't the average of the rates. */
export function rateOfAll(all: readonly Rated[]): Pair {
  const sum = (of: keyof Rated) => all.reduce((total, one) => total + one[of], 0)
  return { value: rateOf(sum('part'), sum('whole')), before: rateOf(sum('partBefore'), sum('wholeBefore')) }
}

/** What the rates of the channels are made of: the latest figures of their posts published in the range. */
async function readRated(c: Reader, scope: Scope): Promise<(Rated & { channel_id: string })[]> {
  if (scope.channels.length === 0) return []
  const { range } = scope
  const side = (days: Scope['range']) => figuresOf(c, { ...scope, range: days }, 'engagementRate')
  const parts = (days: Scope['range'], isBefore: boolean) => sql`
    select f.channel_id, ${isBefore}::boolean as is_before, sum(f.part)::bigint as part, sum(f.whole)::bigint as whole ${side(days)} group by f.channel_id`
  const { rows } = await sql<Rated & { channel_id: string }>`
    select channel_id, coalesce(sum(part) filter (where not is_before), 0)::bigint as part, coalesce(sum(whole) filter (where not is_before), 0)::bigint as whole,
      coalesce(sum(part) filter (where is_before), 0)::bigint as "partBefore", coalesce(sum(whole) filter (where is_before), 0)::bigint as "wholeBefore"
    from (${parts(range, false)} ${range.compare ? sql`union all ${parts({ ...range.compare, compare: null }, true)}` : sql``}) s group by channel_id`.execute(
    c.tx,
  )
  return rows
}

/** Adds a figure that is the sum of others of posts, as far as they're told. */
function addUp(figures: Map<TotalsKey, Pair>, name: FigureKey, of: readonly FigureKey[]): void {
  const pairs = of.flatMap((one) => figures.get(keyOf('post', one)) ?? [])
  if (pairs.length > 0) figures.set(keyOf('post', name), sumOf(pairs))
}

/** The sum of the sides that are told; null where none is. */
export const sumOf = (pairs: readonly Pair[]): Pair => ({
  value: sumOfTold(pairs.map(({ value }) => value)),
  before: sumOfTold(pairs.map(({ before }) => before)),
})

function sumOfTold(values: readonly (number | null)[]): number | null {
  const told = values.filter((value) => value !== null)
  return told.length === 0 ? null : told.reduce((sum, value) => sum + value, 0)
}

async function readRows(c: Reader, scope: Scope): Promise<Row[]> {
  const { org, project } = c
  const { range, channels } = scope
  const ids = channels.map(({ channelId }) => channelId)
  if (ids.length === 0) return []
  const [now, before] = [inRange(range, sql`f.day`), inRange(range.compare, sql`f.day`)]
  const ofPosts = sql`
    select f.channel_id, 'post' as subject, f.name, case when sum(f.readings) filter (where ${now}) > 0 then sum(f.gain) filter (where ${now}) end as value,
      case when sum(f.readings) filter (where ${before}) > 0 then sum(f.gain) filter (where ${before}) end as before,
      max(f.read_at) filter (where ${now} and f.readings > 0) as read_at
    from ${gainsOf(c, scope, summedPostFigures)} f group by f.channel_id, f.name`
  const published =
    scope.posts === null
      ? sql`
        select f.channel_id, 'post', 'published', coalesce(sum(f.n) filter (where ${now}), 0), ${range.compare ? sql`coalesce(sum(f.n) filter (where ${before}), 0)` : sql`null`}, null
        from post_count f where f.org_id = ${org.orgId} and f.project_id = any(${scope.projectIds}::uuid[]) and f.state = any(${publishedStates}::text[]) and f.channel_id = any(${ids}::uuid[]) and ${inDays(range, sql`f.day`)} group by f.channel_id`
      : sql`
        select f.channel_id, 'post', 'published', count(*) filter (where ${now}), ${range.compare ? sql`count(*) filter (where ${before})` : sql`null`}, null
        from (select p.channel_id, (p.shown_at at time zone ${project.zone})::date as day from measured_post p
          where p.org_id = ${org.orgId} and p.project_id = ${project.projectId} and p.listed and p.channel_id = any(${ids}::uuid[]) and ${scope.posts}) f
        where ${inDays(range, sql`f.day`)} group by f.channel_id`
  // the figures of a channel as a whole aren't those of some of its posts
  const ofChannels =
    scope.posts === null
      ? sql`
        union all
        select f.channel_id, 'channel', f.name, sum(f.value) filter (where ${now}), sum(f.value) filter (where ${before}), max(f.read_at) filter (where ${now})
        from channel_figure f where f.org_id = ${org.orgId} and f.channel_id = any(${ids}::uuid[]) and f.name = any(${sums}::text[]) and ${inDays(range, sql`f.day`)} group by f.channel_id, f.name
        union all
        select ch.id, 'channel', n.name, l.value, b.value, l.read_at
        from unnest(${ids}::uuid[]) ch(id) cross join unnest(${levels}::text[]) n(name)
          left join lateral (select f.value, f.read_at from channel_figure f where f.org_id = ${org.orgId} and f.channel_id = ch.id and f.name = n.name and ${now} order by f.day desc limit 1) l on true
          left join lateral (select f.value from channel_figure f where f.org_id = ${org.orgId} and f.channel_id = ch.id and f.name = n.name and ${before} order by f.day desc limit 1) b on true
        where l.value is not null or b.value is not null`
      : sql``
  const { rows } = await sql<Row>`
    select channel_id, subject, name, value::bigint as value, before::bigint as before, to_char(read_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as read_at
    from (${ofPosts} union all ${published} ${ofChannels}) t`.execute(c.tx)
  return rows
}
