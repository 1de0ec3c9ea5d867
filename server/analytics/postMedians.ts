import { sql } from 'kysely'
import { addsOf } from '#contract/analytics/labels.ts'
import type { FigureKey } from '#contract/analytics/names.ts'
import { postColumns } from '#contract/analytics/postColumns.ts'
import { MEDIANS_MOST_POSTS, type insightsPostMedians, type PostMedian } from '#contract/analytics/posts.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { figuresOf } from './postFigures.ts'
import { countPosts } from './postSums.ts'
import type { Reader, Scope } from './scope.ts'

type Row = { posts: number; median: number | null; total: number | null; part: number | null; whole: number | null }

/**
 * The median and the total of each of these figures, over the scope's posts that have it. Posts of platforms whose terms forbid sums
 * and rankings aren't in them. Of all posts, one figure after the other: each is read from the index alone.
 */
export async function readPostMedians(
  c: Reader,
  scope: Scope,
  columns: readonly FigureKey[] = postColumns,
  most = MEDIANS_MOST_POSTS,
): Promise<ReplyOf<typeof insightsPostMedians>> {
  const channels = scope.channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const without = [...new Set(scope.channels.map(({ platformName }) => platformName))].filter((one) =>
    scope.apart.includes(one),
  )
  if (channels.length === 0) return { medians: [], without }
  if ((await countPosts(c, { ...scope, channels })) > most) return { medians: null, without }
  const medians: PostMedian[] = []
  const names = columns.filter((one) => postColumns.includes(one))
  const read = { ...scope, channels }
  const ofChosen = scope.posts && (await readChosen(c, read, names))
  for (const name of names) {
    const row = ofChosen ? ofChosen.get(name) : await readOne(c, read, name)
    if (!row || row.median === null) continue
    const { posts, median, total, part, whole } = row
    medians.push(
      name === 'engagementRate'
        ? // as the table's cells: in percent with two decimals
          { name, posts, median: Math.round(median) / 100, total: part !== null && whole ? percent(part, whole) : null }
        : { name, posts, median, total: addsOf(name) === 'sum' ? total : null },
    )
  }
  return { medians, without }
}

const sums = sql`
  count(*)::int as posts, percentile_cont(0.5) within group (order by f.value) as median, sum(f.value)::float8 as total, sum(f.part)::float8 as part, sum(f.whole)::float8 as whole`

async function readOne(c: Reader, scope: Scope, name: FigureKey): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select ${sums} ${figuresOf(c, scope, name)}`.execute(c.tx)
  return rows[0]
}

/** Of chosen posts, each is looked up once for all figures. */
async function readChosen(
  c: Reader,
  scope: Scope,
  names: readonly FigureKey[],
): Promise<ReadonlyMap<string, Row | undefined>> {
  const side = (of: string) => sql`case when v.name = 'engagementRate' then (f.figures -> ${of})::bigint end`
  const { rows } = await sql<Row & { name: string }>`
    select f.name, ${sums} from (
      select v.name, v.value::bigint as value, ${side('ratePart')} as part, ${side('rateWhole')} as whole
      ${figuresOf(c, scope, 'published', sql`cross join lateral jsonb_each(f.figures) v(name, value)`)} and v.name = any(${[...names]}::text[])
    ) f group by f.name`.execute(c.tx)
  return new Map(rows.map((row) => [row.name, row]))
}

const percent = (part: number, whole: number): number => Math.round((part / whole) * 10_000) / 100
