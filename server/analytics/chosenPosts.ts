import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { isClicks } from '#contract/analytics/names.ts'
import { AFTER_GAP, dividedAt, eachGain, type Midnight, type Readings } from './gainsBetween.ts'
import { dayNumber, type PackedRow } from './packedDays.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader } from './scope.ts'
import { numbersInto, sentTogether } from './sentNumbers.ts'
import type { Wanted } from './wanted.ts'

/*
 * What months.ts reads of all posts, worked out from the posts themselves if some are chosen, such as those of a campaign: `posts` is a
 * query of their IDs.
 */

/** As many posts are worked through at once, some 20 ms of the process: other calls go on between, however many posts there are. */
const POSTS_AT_ONCE = 400

type Chosen = { id: string; channel_id: string }

/** What they gained from each of these days to the next one, in the project's zone; what they gained from the last one on is left out. */
export async function gainsOfPosts(
  c: Reader,
  posts: RawBuilder<unknown>,
  wanted: Wanted,
  days: readonly string[],
): Promise<PackedRow[]> {
  const midnights = await readMidnights(c, days)
  const start = midnights[0]?.at ?? 0
  const gains = dividedAt(midnights, c.project.zone)
  const kinds = new Map(wanted.channels.map(({ id, of }) => [id, of]))
  const namesOf = (kind: string) =>
    wanted.rows.flatMap((row) => (row.of === kind && row.kind === 'gain' && !isClicks(row.name) ? [row.name] : []))
  // posts whose channels have the same names together
  const recent = await readRecent(c, posts, { channels: [...kinds.keys()], start })
  for (const [kind, chosen] of Map.groupBy(recent, ({ channel_id: id }) => kinds.get(id) ?? '')) {
    const names = namesOf(kind)
    if (names.length === 0) continue
    const ids = new Set(chosen.map(({ channel_id: id }) => id))
    const takers = new Map([...ids].map((id) => [id, names.map((name) => gains.of(id, name))]))
    for (let from = 0; from < chosen.length; from += POSTS_AT_ONCE) {
      const some = chosen.slice(from, from + POSTS_AT_ONCE)
      await eachPost(c, some, { names, start }, (nth, readings, values, before) => {
        const own = takers.get(some[nth]?.channel_id ?? '') ?? []
        for (const [i, add] of own.entries())
          eachGain(readings, values[i] ?? NONE, { start, before: before?.get(i) }, add)
      })
    }
  }
  return [...gains.rows(), ...(await clicksOfPosts(c, posts, wanted, days))]
}

/** Clicks on their links that were counted here: they're on the day of the click, from the first of the days to before the last. */
async function clicksOfPosts(
  { tx, org, project }: Reader,
  posts: RawBuilder<unknown>,
  { channels, rows: wanted }: Wanted,
  days: readonly string[],
): Promise<PackedRow[]> {
  const names = [...new Set(wanted.flatMap(({ name, kind }) => (kind === 'gain' && isClicks(name) ? [name] : [])))]
  const [first, end] = [days[0], days.at(-1)]
  if (names.length === 0 || first === undefined || end === undefined) return []
  const { rows } = await sql<Omit<PackedRow, 'first'> & { first: string }>`
    select p.channel_id, k.name, k.day::text as first, sum(k.told)::bigint::bytea as amounts, count(*)::int::bytea as counts, null::bytea as read
    from (${posts}) chosen(id) cross join lateral (select * from measured_post where org_id = ${org.orgId} and id = chosen.id offset 0) p
      join post_click k on k.org_id = p.org_id and k.post_id = p.id
    where p.project_id = ${project.projectId} and p.channel_id = any(${channels.map(({ id }) => id)}::uuid[])
      and k.name = any(${names}::text[]) and k.told > 0 and k.day >= ${first}::date and k.day < ${end}::date
    group by p.channel_id, k.name, k.day`.execute(tx)
  return rows.map((row) => ({ ...row, first: dayNumber(row.first) }))
}
const NONE = new Float64Array()

const micros = (instant: RawBuilder<unknown>) => sql`(extract(epoch from ${instant}) * 1000000)::bigint`
const instantAt = (at: number) => sql`to_timestamp(${at / 1e6})`

async function readMidnights({ tx, project }: Reader, days: readonly string[]): Promise<Midnight[]> {
  const { rows } = await sql<Midnight>`
    select day::text, ${micros(sql`day_begins(day, ${project.zone})`)} as at from unnest(${[...days]}::date[]) with ordinality d(day, nth) order by nth`.execute(
    tx,
  )
  return rows
}

/** Those of the posts that are on these channels and were read since the start. */
async function readRecent(
  { tx, org, project }: Reader,
  posts: RawBuilder<unknown>,
  { channels, start }: { channels: readonly string[]; start: number },
): Promise<Chosen[]> {
  const { rows } = await sql<Chosen>`
    select p.id, p.channel_id from (
      select c.id from (${posts}) c(id) where exists (select from post_metric m where m.org_id = ${org.orgId} and m.post_id = c.id and m.read_at >= ${instantAt(start)}) offset 0
    ) c cross join lateral (select * from measured_post where org_id = ${org.orgId} and id = c.id offset 0) p
    where p.project_id = ${project.projectId} and p.channel_id = any(${[...channels]}::uuid[])`.execute(tx)
  return rows
}

/** What was told of figures before the reading before the start, by the figure's place. */
type Before = Map<number, { at: number; value: number }>
/** Takes a post's readings since the start, and the one before: each figure's values are only these until the next post. */
type TakePost = (nth: number, readings: Readings, values: readonly Float64Array[], before: Before | undefined) => void

/** Hands over the readings of these posts since the start; and of each figure in them the one before: what it gained began there. */
async function eachPost(
  c: Reader,
  posts: readonly Chosen[],
  { names, start }: { names: readonly string[]; start: number },
  take: TakePost,
): Promise<void> {
  const own = sql`from post_metric where org_id = ${c.org.orgId} and post_id = p.id`
  const figures = sql`select read_at, case when after_gap then '-infinity' else since end as since, figures`
  const inOrder = (value: RawBuilder<unknown>) => sql`array_agg(${value} order by m.read_at)`
  const told = names.map((name) => inOrder(sql`(m.figures -> ${name})::bigint`))
  const { rows } = await sql<{ nth: number; readings: Buffer }>`
    select (p.nth - 1)::int as nth, ${sentTogether([inOrder(sql`m.read_at`), inOrder(sql`m.since`), ...told])} as readings
    from unnest(${posts.map(({ id }) => id)}::uuid[]) with ordinality p(id, nth) cross join lateral (
      ${figures} ${own} and read_at >= ${instantAt(start)} union all (${figures} ${own} and read_at < ${instantAt(start)} order by read_at desc limit 1)
    ) m group by p.nth`.execute(c.tx)
  const columns = Array.from({ length: names.length + 2 }, () => NONE)
  const read = (all: Buffer): { readings: Readings; values: Float64Array[] } => {
    const count = numbersInto(columns, all)
    const [at = NONE, since = NONE, ...values] = columns
    for (let i = 0; i < count; i += 1) {
      at[i] = (at[i] ?? 0) + SINCE_2000
      if (since[i] !== AFTER_GAP) since[i] = (since[i] ?? 0) + SINCE_2000
    }
    return { readings: { at, since, count }, values }
  }
  // a figure that the reading before leaves out is in an earlier one, if in any
  const firsts = [NONE]
  const lacking = rows.flatMap(({ nth, readings: all }) => {
    numbersInto(firsts, all)
    if ((firsts[0]?.[0] ?? start) + SINCE_2000 >= start) return []
    const { readings, values } = read(all)
    const isTold = (of: Float64Array) => of.subarray(0, readings.count).some((value) => !Number.isNaN(value))
    return values.flatMap((of, i) => (Number.isNaN(of[0]) && isTold(of) ? [{ nth, i, name: names[i] ?? '' }] : []))
  })
  const before = new Map<number, Before>()
  for (const { place, at, value } of await readEarlier(c, posts, { lacking, start })) {
    const { nth = -1, i = -1 } = lacking[place] ?? {}
    const own = before.get(nth) ?? new Map<number, { at: number; value: number }>()
    before.set(nth, own.set(i, { at, value }))
  }
  for (const { nth, readings: all } of rows) {
    const { readings, values } = read(all)
    take(nth, readings, values, before.get(nth))
  }
}

/** PostgreSQL sends instants in microseconds since 2000. */
const SINCE_2000 = Date.UTC(2000, 0, 1) * 1000

/** The last reading before the start that has the figure, of those that a post had, by the place of what is lacking. */
async function readEarlier(
  { tx, org }: Reader,
  posts: readonly Chosen[],
  { lacking, start }: { lacking: readonly { nth: number; name: string }[]; start: number },
): Promise<{ place: number; at: number; value: number }[]> {
  if (lacking.length === 0) return []
  const [ids, names] = [lacking.map(({ nth }) => posts[nth]?.id), lacking.map(({ name }) => name)]
  const { rows } = await sql<{ place: number; at: number; value: number }>`
    select (l.place - 1)::int as place, ${micros(sql`m.read_at`)} as at, m.value
    from unnest(${ids}::uuid[], ${names}::text[]) with ordinality l(id, name, place) cross join lateral (
      select read_at, (figures -> l.name)::bigint as value from post_metric where org_id = ${org.orgId} and post_id = l.id and read_at < ${instantAt(start)} and figures ->> l.name is not null order by read_at desc limit 1
    ) m`.execute(tx)
  return rows
}

/**
 * Their figures to date, by the day that they were published on in the project's zone. With `cuts`, days in their order, what there is from
 * one of them to the next is on the first of these: two years of many channels have a row for each figure, not for each day.
 */
export function figuresOfPosts(
  c: Reader,
  posts: RawBuilder<unknown>,
  range: InsightsRange,
  names: readonly string[],
  cuts?: readonly string[],
): RawBuilder<unknown> {
  const { org, project } = c
  const isIn = (days: { from: string; to: string }) => publishedIn(days, project.zone, sql`f.shown_at`)
  const figures = names.filter((name) => name !== 'published')
  const published = sql`(f.shown_at at time zone ${project.zone})::date`
  const starts = sql`${[...(cuts ?? [])]}::date[]`
  const day = cuts ? sql`(${starts})[width_bucket(${published}, ${starts})]` : published
  // each post counts as one published
  const told = [
    ...(names.includes('published') ? [sql`select 'published', 1::bigint`] : []),
    ...(figures.length > 0
      ? [
          sql`select name, amount::bigint from jsonb_each(f.figures) o(name, amount) where name = any(${figures}::text[])`,
        ]
      : []),
  ]
  return sql`
    select f.channel_id, v.name, f.day::text as first, sum(v.amount)::bigint::bytea as amounts, count(*)::int::bytea as counts, coalesce(max(seconds_after(f.day, f.read_at)), 0)::bytea as read
    from (
      select f.channel_id, ${day} as day, f.read_at, f.figures
      from (${posts}) chosen(id) join post_figure f on f.post_id = chosen.id
      where f.org_id = ${org.orgId} and f.project_id = ${project.projectId} and f.name = 'published' and f.channel_id in (select id from ch) and (${isIn(range)} ${range.compare ? sql`or ${isIn(range.compare)}` : sql``})
    ) f cross join lateral (${sql.join(told, sql` union all `)}) v(name, amount)
    group by f.channel_id, f.day, v.name`
}
