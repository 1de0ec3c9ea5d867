import { sql, type RawBuilder } from 'kysely'
import type { InsightsRange } from '#contract/analytics/filter.ts'
import { dividedAt, gainsOf, type Midnight, type Reading } from './gainsBetween.ts'
import type { PackedRow } from './packedDays.ts'
import { publishedIn } from './postFigures.ts'
import type { Reader } from './scope.ts'
import type { Wanted } from './wanted.ts'

/*
 * What months.ts reads of all posts, worked out from the posts themselves if some are chosen, such as those of a campaign: `posts` is a
 * query of their IDs.
 */

/** As many posts are worked through at once, some 20 ms of the process: other calls go on between, however many posts there are. */
const POSTS_AT_ONCE = 100

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
  const namesOf = namesByChannel(wanted)
  const chosen = await readRecent(c, posts, { channels: [...namesOf.keys()], start })
  for (let from = 0; from < chosen.length; from += POSTS_AT_ONCE) {
    const some = chosen.slice(from, from + POSTS_AT_ONCE)
    const names = some.map(({ channel_id: id }) => namesOf.get(id) ?? [])
    for (const [nth, readings] of await readReadings(c, some, { names, start }))
      for (const gain of gainsOf(readings, names[nth] ?? [], start)) gains.add(some[nth]?.channel_id ?? '', gain)
  }
  return gains.rows()
}

/** The names of what is gained, by channel. */
function namesByChannel({ channels, rows }: Wanted): Map<string, string[]> {
  const byKind = Map.groupBy(
    rows.filter(({ kind }) => kind === 'gain'),
    ({ of }) => of,
  )
  return new Map(channels.map(({ id, of }) => [id, (byKind.get(of) ?? []).map(({ name }) => name)]))
}

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

/**
 * The readings of these posts since the start, in their order, by the post's place; and of each figure in them the one before: what it
 * gained began there. `names` are those that each post's readings are asked for.
 */
async function readReadings(
  c: Reader,
  posts: readonly Chosen[],
  { names, start }: { names: readonly (readonly string[])[]; start: number },
): Promise<Map<number, Reading[]>> {
  const own = sql`from post_metric where org_id = ${c.org.orgId} and post_id = p.id`
  const figures = sql`select read_at, since, after_gap, figures`
  const { rows } = await sql<Reading & { nth: number }>`
    select (p.nth - 1)::int as nth, ${micros(sql`m.read_at`)} as at, ${micros(sql`m.since`)} as since, m.after_gap, m.figures
    from unnest(${posts.map(({ id }) => id)}::uuid[]) with ordinality p(id, nth) cross join lateral (
      ${figures} ${own} and read_at >= ${instantAt(start)} union all (${figures} ${own} and read_at < ${instantAt(start)} order by read_at desc limit 1)
    ) m`.execute(c.tx)
  const found = new Map<number, Reading[]>(Map.groupBy(rows, ({ nth }) => nth))
  // a figure that the reading before leaves out is in an earlier one, if in any
  const lacking = [...found].flatMap(([nth, readings]) => {
    const before = readings.find(({ at }) => at < start)
    if (!before) return []
    const isTold = (name: string) => readings.some((reading) => (reading.figures[name] ?? null) !== null)
    return (names[nth] ?? []).flatMap((name) =>
      (before.figures[name] ?? null) === null && isTold(name) ? [{ nth, name }] : [],
    )
  })
  for (const { nth, ...reading } of await readEarlier(c, posts, { lacking, start })) found.get(nth)?.push(reading)
  for (const readings of found.values()) readings.sort((one, other) => one.at - other.at)
  return found
}

/** The last reading before the start that has the figure, of those that a post had. */
async function readEarlier(
  { tx, org }: Reader,
  posts: readonly Chosen[],
  { lacking, start }: { lacking: readonly { nth: number; name: string }[]; start: number },
): Promise<(Reading & { nth: number })[]> {
  if (lacking.length === 0) return []
  const [places, names] = [lacking.map(({ nth }) => nth), lacking.map(({ name }) => name)]
  const { rows } = await sql<Reading & { nth: number }>`
    select l.nth, ${micros(sql`m.read_at`)} as at, null as since, false as after_gap, jsonb_build_object(l.name, m.value) as figures
    from unnest(${places}::int[], ${places.map((nth) => posts[nth]?.id)}::uuid[], ${names}::text[]) l(nth, id, name) cross join lateral (
      select read_at, figures -> l.name as value from post_metric where org_id = ${org.orgId} and post_id = l.id and read_at < ${instantAt(start)} and figures ->> l.name is not null order by read_at desc limit 1
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
