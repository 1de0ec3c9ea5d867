import { sql, type RawBuilder } from 'kysely'
import {
  DAY_PART_HOURS,
  lengthBands,
  PostMediaKind,
  WORKED_LEAST_DAYS,
  WORKED_LEAST_POSTS,
  WORKED_MOST_GROUPS,
  type Spread,
  type Worked,
  type WorkedBy,
  type WorkedFigure,
  type WorkedGroup,
} from '#contract/analytics/worked.ts'
import { platformKeys, PostType } from '#contract/platforms/rules.ts'
import { addDays, daysIn } from '../rangeDays.ts'
import { figuresOf, publishedIn } from './postFigures.ts'
import { readPublished } from './postSums.ts'
import { readNames } from './postTable.ts'
import { planEachTime, type Reader, type Scope } from './scope.ts'
import { localHours } from './zoneOffsets.ts'

/** A group by what its posts have in common: a label's ID, or a number. Null where that isn't known. */
type Row = {
  is_all: boolean
  key: string | number | null
  posts: number
} & Spread

/**
 * Groups the posts of the range that are old enough by what they have in common, with the spread of a figure in each group. Posts of
 * platforms whose terms forbid comparing are left out, even if the filter has no others.
 */
export async function readWorked(
  c: Reader,
  scope: Scope,
  { by, figure }: { by: WorkedBy; figure: WorkedFigure },
): Promise<Worked> {
  const channels = scope.channels.filter(({ platformName }) => !scope.apart.includes(platformName))
  const { from, to } = scope.range
  const lastOld = addDays(scope.today, -WORKED_LEAST_DAYS)
  const old = { ...scope, channels, range: { from, to: to < lastOld ? to : lastOld, compare: null } }
  const published = await readPublished(c, { ...scope, channels })
  const oldDays = Math.max(0, daysIn(old.range))
  const sumOf = (days: Float64Array) => days.reduce((sum, count) => sum + count, 0)
  await planEachTime(c.tx)
  const { key, joins = sql`` } = await groupingOf(c, old, by)
  const posts = sql`${figuresOf(c, old, figure)}`
  // how often each value is there, so that what is sorted are values and not posts
  const { rows } = await sql<Row>`
    with counted as materialized (
      select g.key, g.value, count(*)::int as n from (select ${key}, f.value from (select f.post_id, f.channel_id, f.shown_at, f.value ${posts}) f ${joins}) g(key, value) group by g.key, g.value
    ), every as (
      select false as is_all, counted.* from counted
      union all select true, null, v.value, v.n from (${
        // a post with several labels is in several groups
        by === 'label'
          ? sql`select f.value, count(*)::int as n ${posts} group by f.value`
          : sql`select value, sum(n)::int as n from counted group by value`
      }) v
    ), ranked as (
      select *, sum(n) over (partition by is_all, key order by value) as up_to, sum(n) over (partition by is_all, key) as posts from every
    )
    select is_all, key, posts::int, min(value) as least, max(value) as most,
      min(value) filter (where up_to >= 0.25 * posts) as q1, min(value) filter (where up_to >= 0.5 * posts) as median, min(value) filter (where up_to >= 0.75 * posts) as q3
    from ranked group by is_all, key, posts
    order by is_all desc, ${isListed(by) ? sql`posts desc, key limit ${WORKED_MOST_GROUPS + 1}` : sql`key`}`.execute(
    c.tx,
  )
  const all = rows.find((row) => row.is_all)
  const found = rows.filter((row) => !row.is_all)
  const groupOf = await groupsOf(c, by, found)
  return {
    range: scope.range,
    all: { posts: all?.posts ?? 0, spread: all ? spreadOf(all, figure) : null },
    groups: found.flatMap((row) => groupOf(row, { posts: row.posts, spread: spreadOf(row, figure) }) ?? []),
    tooYoung: sumOf(published.subarray(oldDays)),
    withoutFigure: Math.max(0, sumOf(published.subarray(0, oldDays)) - (all?.posts ?? 0)),
    apart: scope.apart.filter((platform) => scope.channels.some(({ platformName }) => platformName === platform)),
  }
}

function spreadOf({ posts, least, q1, median, q3, most }: Row, figure: WorkedFigure): Spread | null {
  if (posts < WORKED_LEAST_POSTS) return null
  // rates are stored in hundredths of a percent
  const shown = (value: number) => (figure === 'engagementRate' ? value / 100 : value)
  return { least: shown(least), q1: shown(q1), median: shown(median), q3: shown(q3), most: shown(most) }
}

/** Whether the groups are a list with the largest first, which may be long; times and lengths are few, in their own order. */
const isListed = (by: WorkedBy): boolean => by === 'format' || by === 'label'

type Grouping = { key: RawBuilder<unknown>; joins?: RawBuilder<unknown> }
/** What the posts of each group have in common, and the tables that it takes besides the posts `f`. */
async function groupingOf(c: Reader, { channels, range }: Scope, by: WorkedBy): Promise<Grouping> {
  const { org, project } = c
  // the time again, so that an index alone has what is read of each post
  const shapes = sql`
    join measured_post m on m.org_id = ${org.orgId} and m.id = f.post_id and m.project_id = ${project.projectId} and ${publishedIn(range, project.zone, sql`m.shown_at`)}`
  switch (by) {
    case 'format':
      return {
        // as one number, which is compared in a part of the time; positions count from 1
        key: sql`ch.nth * ${sql.lit(FORMATS)} + coalesce(array_position(${PostType.options}::text[], m.post_type), 0) * ${sql.lit(KINDS)} + coalesce(array_position(${PostMediaKind.options}::text[], m.media), 0)`,
        joins: sql`${shapes}
          join unnest(${channels.map(({ channelId }) => channelId)}::uuid[], ${channels.map(({ platformName }) => platformKeys.indexOf(platformName))}::int[]) ch(id, nth) on ch.id = f.channel_id`,
      }
    case 'label':
      return {
        key: sql`x.label_id`,
        joins: sql`left join post_label x on x.org_id = ${org.orgId} and x.post_id = f.post_id`,
      }
    case 'length':
      // counts from 1
      return {
        key: sql`width_bucket(m.text_length, ${lengthBands.map(({ from }) => from)}::int[])`,
        joins: shapes,
      }
    case 'weekday':
    case 'hour':
    case 'weekdayHour':
    case 'dayPart':
    case 'weekdayPart':
    default: {
      const hours = await localHours(c, range, sql`f.shown_at`)
      const { every, of } = TIMES[by]
      return { key: sql`(${hours}) / ${sql.lit(every)} % ${sql.lit(of)}` }
    }
  }
}
/** A format's number: its platform's place, its type's and its media's. */
const [FORMATS, KINDS] = [1000, 10]
const PARTS = 24 / DAY_PART_HOURS
/** Which hours are together, and how many groups there are of them: the days of a week, for example. */
const TIMES = {
  weekday: { every: 24, of: 7 },
  hour: { every: 1, of: 24 },
  weekdayHour: { every: 1, of: 7 * 24 },
  dayPart: { every: DAY_PART_HOURS, of: PARTS },
  weekdayPart: { every: DAY_PART_HOURS, of: 7 * PARTS },
} as const

/** Makes groups of a reply out of rows; null for what has no place in it, such as a label that was deleted meanwhile. */
async function groupsOf(
  c: Reader,
  by: WorkedBy,
  rows: readonly Row[],
): Promise<(row: Row, compared: Pick<WorkedGroup, 'posts' | 'spread'>) => WorkedGroup | null> {
  const labelIds = by === 'label' ? rows.flatMap(({ key }) => (typeof key === 'string' ? [key] : [])) : []
  const { labels } = by === 'label' ? await readNames(c, [{ labelIds, campaignIds: [] }]) : { labels: [] }
  return ({ key }, compared) => {
    const n = Number(key)
    switch (by) {
      case 'format': {
        const platform = platformKeys[Math.floor(n / FORMATS)]
        const postType = PostType.options[Math.floor((n % FORMATS) / KINDS) - 1]
        const media = PostMediaKind.options[(n % KINDS) - 1] ?? null
        return platform && postType ? { by, platform, postType, media, ...compared } : null
      }
      case 'label': {
        const label = labels.find(({ labelId }) => labelId === key) ?? null
        return key !== null && label === null ? null : { by, label, ...compared }
      }
      case 'length': {
        const length = key === null ? null : (lengthBands[n - 1] ?? null)
        return { by, length: length && { ...length }, ...compared }
      }
      case 'weekday':
        return { by, weekday: n + 1, ...compared }
      case 'hour':
        return { by, hour: n, ...compared }
      case 'dayPart':
        return { by, from: n * DAY_PART_HOURS, ...compared }
      case 'weekdayPart':
        return { by, weekday: Math.floor(n / PARTS) + 1, from: (n % PARTS) * DAY_PART_HOURS, ...compared }
      case 'weekdayHour':
      default:
        return { by: 'weekdayHour', weekday: Math.floor(n / 24) + 1, hour: n % 24, ...compared }
    }
  }
}
